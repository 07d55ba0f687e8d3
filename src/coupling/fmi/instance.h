// SPDX-License-Identifier: MIT
// One FMU that runs: the functions of FMI 2.0 and 3.0 behind one table.

#ifndef TR_FMI_INSTANCE_H
#define TR_FMI_INSTANCE_H

#include <stdbool.h>

#include "base/arena.h"
#include "fmi/abi.h"
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
    FmiSame               *call;       // Fmi2 or Fmi3, which begin with it
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
    unsigned    needed;  // who cannot do without it: bits of trFmuKind, and those below
} trFmuSymbol;

#define TR_FMU_BOTH (TR_FMU_MODEL_EXCHANGE | TR_FMU_CO_SIMULATION)
#define TR_FMU_REPEATS 4u     // whose whole state is taken and set
#define TR_FMU_SERIALIZES 8u  // and is written as bytes

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
    int (*count)(trFmuInstance *s);  // nx and nz; NULL: the description has them
    int (*update)(trFmuInstance *s, trFmuEvent *out);
    int (*completed_step)(trFmuInstance *s, bool *event, bool *terminate);
    // Co-Simulation:
    int (*do_step)(trFmuInstance *s, double t, double h);
} trFmuApi;

extern const trFmuApi tr_fmu_api2, tr_fmu_api3;

// A call, and what it returns in words.
trStatus tr_fmu_told(trFmuInstance *s, int status, const char *what);
// Keeps the last failure that the FMU logs.
void tr_fmu_hear(trFmuInstance *s, int status, const char *message);

// Loads the binary, instantiates it, sets values and enters initialization. Freed with the arena.
trStatus tr_fmu_instance_create(trArena *arena, const trFmuInfo *info, const trFmuDef *def,
                                const char *folder, trFmuInstance *out);

#endif
