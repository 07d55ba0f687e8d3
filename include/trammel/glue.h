// SPDX-License-Identifier: MIT
/// @file glue.h Couple separately built modules by joints between their ports.
///
/// Ports are the bodies of an ordinary model, named "module.port", to which joints and forces are
/// added. A *carrier* transports messages to the modules (module.h).
///
///     tr_carrier_create_local(2, names, modules, &carrier);
///     tr_glue_create(system, carrier, &def, &glue);
///     tr_glue_run(glue, recorder, NULL);

#ifndef TRAMMEL_GLUE_H
#define TRAMMEL_GLUE_H

#include <stddef.h>
#include <stdint.h>

#include "trammel/module.h"
#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trCarrier trCarrier;
typedef struct trGlue    trGlue;

/// Settings of a coupled run. Start from tr_glue_def_default().
typedef struct trGlueDef {
    size_t      struct_size;     ///< set by tr_glue_def_default(); lets the struct grow
    const char *gluing;          ///< "gauss", "naive", ...; see `trammel couplings`
    const char *scheme;          ///< "newmark", "generalized_alpha", "bdf1", "bdf2"
    double      start;           ///< first time [s]
    double      duration;        ///< [s]
    double      step;            ///< largest step; the duration is divided into equal steps [s]
    double      beta, gamma;     ///< of newmark
    double      rho;             ///< of generalized_alpha: spectral radius, 0 to 1
    double      tolerance;       ///< of all residuals, relative
    int         max_iterations;  ///< in a step
    double      rank_tolerance;  ///< on rows of the joints, relative
    double      sample;     ///< time between output rows, in whole steps; 0: duration / 200 [s]
    double      timeout;    ///< longest time for an answer of a module [s]
    int         sweeps;     ///< of weak couplings; 0: until they converge
    int         window;     ///< of waveform: steps per window
    double      max_steps;  ///< longer runs are refused; 0: no limit
} trGlueDef;

/// Counters and worst values so far. Residuals are those at ends of steps.
typedef struct trGlueStats {
    int64_t     steps, iterations;
    int         max_iterations;                    ///< in one step
    int64_t     messages, bytes;                   ///< between coordinator and modules, both ways
    double      dynamic;                           ///< residual of the modules' equations, relative
    trViolation position, velocity, acceleration;  ///< of joints enforced at that level
    trViolation loose_position, loose_velocity;    ///< of joints that are not
    trViolation start;                             ///< violation of the joints before assembly
    int         redundant_rows;                    ///< of the joints at the start
} trGlueStats;

TR_API trGlueDef tr_glue_def_default(void);

/// Opens a shared library that exports tr_module_open (module.h). Arguments are "key=value".
TR_API trStatus tr_module_open_program(const char *path, int arguments, const char *const *argument,
                                       trModule *out) TR_MUST_CHECK;
/// Makes a module of a system; its ports are those of the model (m:port, tr_model_add_port). The
/// system must outlive the module.
TR_API trStatus tr_module_open_system(const trSystem *system, trModule *out) TR_MUST_CHECK;
/// The same with a model, which the module owns and destroys in `close`. After a failure the caller
/// still owns it.
TR_API trStatus tr_module_open_model(trModel *model, trModule *out) TR_MUST_CHECK;
/// Chooses outputs of such a module by column names of results: "rod.x", "A.Fx", "energy.kinetic".
/// Call it before the module is given to a carrier; replaces an earlier choice.
TR_API trStatus tr_module_choose_outputs(trModule *module, int count,
                                         const char *const *name) TR_MUST_CHECK;

/// Creates a carrier for modules in this process, which closes them. `name`: their names in the
/// coupled model.
TR_API trStatus tr_carrier_create_local(int modules, const char *const *name,
                                        const trModule *module, trCarrier **out) TR_MUST_CHECK;
TR_API void     tr_carrier_destroy(trCarrier *carrier);  ///< NULL is allowed

/// Creates a coupled simulation and assembles its initial state. Every body of `ports` is a port,
/// "module.port", of a module of the carrier. Both must outlive the glue.
TR_API trStatus tr_glue_create(const trSystem *ports, trCarrier *carrier, const trGlueDef *def,
                               trGlue **out) TR_MUST_CHECK;
TR_API void     tr_glue_destroy(trGlue *glue);  ///< NULL is allowed

TR_API trStatus tr_glue_step(trGlue *glue) TR_MUST_CHECK;

/// Callbacks of a run. All may be zero.
typedef struct trGlueHooks {
    const volatile int *stop;  ///< ends the run with TR_E_INTERRUPTED when not 0
    void (*progress)(void *context, double t, double t_end);
    /// Called when the recorder has begun, before the first row; may hand it rows of an earlier
    /// part.
    trStatus (*begun)(void *context, trGlue *glue, trRecorder *recorder);
    /// Called between steps; may save. A status other than TR_OK ends the run.
    trStatus (*between)(void *context, trGlue *glue);
    void *context;
} trGlueHooks;

/// Begins the recorder, runs to the end and records a row at every output time. Does not close the
/// recorder. `recorder` and `hooks` may be NULL. A run that fails keeps its rows so far.
TR_API trStatus tr_glue_run(trGlue *glue, trRecorder *recorder,
                            const trGlueHooks *hooks) TR_MUST_CHECK;

/// Chooses the outputs of a module that are recorded; by default all are. TR_E_MODEL, with a
/// suggestion, for unknown names. Call it before the run.
TR_API trStatus tr_glue_choose_outputs(trGlue *glue, const char *module, int count,
                                       const char *const *output) TR_MUST_CHECK;

/// Save the coordinator and all modules between steps, and continue bit for bit in a glue that was
/// created in the same way by the same version; tr_glue_run then records the missing rows.
/// TR_E_UNSUPPORTED names a module whose state cannot be saved. TR_E_ARGUMENT for bytes that are
/// damaged or belong to another glue; the glue must then be destroyed.
TR_API trStatus tr_glue_check_savable(const trGlue *glue) TR_MUST_CHECK;
TR_API size_t   tr_glue_saved_size(const trGlue *glue);
TR_API trStatus tr_glue_save(trGlue *glue, void *bytes, size_t size) TR_MUST_CHECK;
TR_API trStatus tr_glue_restore(trGlue *glue, const void *bytes, size_t size) TR_MUST_CHECK;
/// Rows recorded so far, and their checksum (tr_rows_mark_add).
TR_API int64_t  tr_glue_rows(const trGlue *glue);
TR_API uint64_t tr_glue_rows_mark(const trGlue *glue);

TR_API double      tr_glue_time(const trGlue *glue);        ///< [s]
TR_API int         tr_glue_iterations(const trGlue *glue);  ///< of the last step
TR_API trGlueStats tr_glue_stats(const trGlue *glue);
TR_API trBodyState tr_glue_port(const trGlue *glue, int port);  ///< a body of `ports`
/// The load of a joint on its body 2, by TR_REACTION_CONVENTION.
TR_API trStatus tr_glue_reaction(trGlue *glue, int joint, trReaction *out) TR_MUST_CHECK;
/// Residuals (dynamic, acceleration, velocity, position) after each iteration of the last step.
TR_API int tr_glue_history(const trGlue *glue, const double (**out)[4]);

#ifdef __cplusplus
}
#endif

#endif
