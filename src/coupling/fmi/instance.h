// SPDX-License-Identifier: MIT
// One FMU that runs: the functions of FMI 2.0 and 3.0 behind one table.

#ifndef TR_FMI_INSTANCE_H
#define TR_FMI_INSTANCE_H

#include <stdbool.h>

#include "base/arena.h"
#include "fmi/description.h"

// What functions of FMUs return, in both versions.
typedef enum trFmuStatus {
    TR_FMU_OK,
    TR_FMU_WARNING,
    TR_FMU_DISCARD,
    TR_FMU_ERROR,
    TR_FMU_FATAL,
    TR_FMU_PENDING,
} trFmuStatus;

// What an event has changed.
typedef struct trFmuEvent {
    bool   again;  // discrete states need a further update
    bool   terminate;
    bool   timed;  // there is a next time
    double next;   // [s]
} trFmuEvent;

typedef struct trFmuInstance {
    const trFmuInfo       *info;
    const struct trFmuApi *api;
    trFmuKind              kind;
    trArena               *arena;
    void                  *library;    // of dlopen
    void                  *functions;  // Fmi2 or Fmi3: FmiSame, and more
    void                  *component;  // NULL: none yet
    const char            *binary;     // path
    const char            *resources;  // path of the folder, with "/" behind
    bool                   fatal;      // nothing may be called any more
    bool                   failed;     // only freeing is left
    bool                   initialized;
    int                    nx, nz;     // continuous states, event indicators
    char                   said[256];  // what it has logged last with a failure
} trFmuInstance;

// A function of the binary, and where its pointer goes in s->functions.
typedef struct trFmuSymbol {
    const char *name;
    size_t      offset;
    unsigned    needed;  // bits of trFmuKind: kinds that cannot do without it
} trFmuSymbol;

#define TR_FMU_BOTH (TR_FMU_MODEL_EXCHANGE | TR_FMU_CO_SIMULATION)

// What a version has of its own. Functions return trFmuStatus.
typedef struct trFmuApi {
    size_t             size;     // of Fmi2 or Fmi3
    size_t             symbols;  // of them
    const trFmuSymbol *symbol;
    bool (*instantiate)(trFmuInstance *s);
    int (*set_value)(trFmuInstance *s, const trFmuVariable *v, double value, const char *text);
    int (*enter_initialization)(trFmuInstance *s, double start);
    int (*get_reals)(trFmuInstance *s, const unsigned *reference, size_t count, double *out);
    int (*set_reals)(trFmuInstance *s, const unsigned *reference, size_t count, const double *in);
    // d(unknown)/d(known) times the seed.
    int (*derive)(trFmuInstance *s, const unsigned *unknown, size_t unknowns, const unsigned *known,
                  size_t knowns, const double *seed, double *out);
    // Model Exchange:
    int (*count)(trFmuInstance *s);  // nx and nz
    int (*update)(trFmuInstance *s, trFmuEvent *out);
    int (*completed_step)(trFmuInstance *s, bool *event, bool *terminate);
    // Co-Simulation:
    int (*do_step)(trFmuInstance *s, double t, double h);
} trFmuApi;

extern const trFmuApi tr_fmu_api2, tr_fmu_api3;

// --- what both have alike (same_calls.c); trFmuStatus, too ---

void tr_fmu_free(trFmuInstance *s);
int  tr_fmu_exit_initialization(trFmuInstance *s);
int  tr_fmu_terminate(trFmuInstance *s);
// Model Exchange:
int tr_fmu_enter_event(trFmuInstance *s);
int tr_fmu_enter_continuous(trFmuInstance *s);
int tr_fmu_set_time(trFmuInstance *s, double t);
int tr_fmu_set_states(trFmuInstance *s, const double *x);  // nx
int tr_fmu_get_states(trFmuInstance *s, double *x);        // nx
int tr_fmu_get_derivatives(trFmuInstance *s, double *dx);  // nx
int tr_fmu_get_indicators(trFmuInstance *s, double *z);    // nz
// The whole state; TR_FMU_ERROR where the binary has no such function.
int tr_fmu_get_state(trFmuInstance *s, void **state);
int tr_fmu_set_state(trFmuInstance *s, void *state);
int tr_fmu_free_state(trFmuInstance *s, void **state);
int tr_fmu_state_size(trFmuInstance *s, void *state, size_t *size);
int tr_fmu_write_state(trFmuInstance *s, void *state, void *bytes, size_t size);
int tr_fmu_read_state(trFmuInstance *s, const void *bytes, size_t size, void **state);

// A call, and what it returns in words.
trStatus tr_fmu_told(trFmuInstance *s, int status, const char *what);
// Keeps the last failure that the FMU logs.
void tr_fmu_hear(trFmuInstance *s, int status, const char *message);

// Loads the binary, instantiates it, sets values and enters initialization. Freed with the arena.
trStatus tr_fmu_instance_create(trArena *arena, const trFmuInfo *info, const trFmuDef *def,
                                const char *folder, trFmuInstance *out);

#endif
