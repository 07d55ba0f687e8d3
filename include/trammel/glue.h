// SPDX-License-Identifier: MIT
/// @file glue.h Glue modules together: joints between the ports of separately built modules.
///
/// Ports are the bodies of an ordinary model, named "module.port"; joints and forces are added to
/// it as to any other. Modules (module.h) come through a *carrier*, which knows where they are.
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

/// How to glue. Start from tr_glue_def_default().
typedef struct trGlueDef {
    size_t      struct_size;     ///< set by tr_glue_def_default(); lets the struct grow
    const char *gluing;          ///< "gauss", "naive", ...: `trammel gluings` prints them
    const char *scheme;          ///< "newmark", "generalized_alpha", "bdf1", "bdf2"
    double      start;           ///< first time [s]
    double      duration;        ///< [s]
    double      step;            ///< the duration is divided into equal steps of at most this [s]
    double      beta, gamma;     ///< of newmark
    double      rho;             ///< of generalized_alpha: spectral radius, 0 to 1
    double      tolerance;       ///< of all residuals, relative
    int         max_iterations;  ///< in a step
    double      rank_tolerance;  ///< on rows of the joints, relative
    double      sample;   ///< time between output rows, in whole steps; 0: duration / 200 [s]
    double      timeout;  ///< how long a module may take to answer [s]
    int         sweeps;   ///< of weak couplings: so many, converged or not; 0: until they converge
    int         window;   ///< of waveform: steps that are swept together
    double      max_steps;  ///< a run of more steps is refused; 0: no limit
} trGlueDef;

/// Counters and worst values so far. Residuals are those at the ends of steps.
typedef struct trGlueStats {
    int64_t     steps, iterations;
    int         max_iterations;                    ///< in one step
    int64_t     messages, bytes;                   ///< between coordinator and modules, both ways
    double      dynamic;                           ///< residual of the modules' equations, relative
    trViolation position, velocity, acceleration;  ///< of joints that are held at that level
    trViolation loose_position, loose_velocity;    ///< of joints that are not
    trViolation start;           ///< how far joints were open before the modules were put together
    int         redundant_rows;  ///< of the joints at the start
} trGlueStats;

TR_API trGlueDef tr_glue_def_default(void);

/// A shared library that exports tr_module_open (module.h). Arguments are "key=value".
TR_API trStatus tr_module_open_program(const char *path, int arguments, const char *const *argument,
                                       trModule *out) TR_MUST_CHECK;
/// A model as a module: its frames that are ports (m:port, tr_model_add_port) are the module's.
/// The system must outlive the module.
TR_API trStatus tr_module_open_system(const trSystem *system, trModule *out) TR_MUST_CHECK;
/// The same with the model built into it: the module owns it and destroys it in its `close`. Where
/// this fails, the model still belongs to the caller.
TR_API trStatus tr_module_open_model(trModel *model, trModule *out) TR_MUST_CHECK;
/// Numbers of such a module to be recorded, by the names of columns in results: "rod.x", "A.Fx",
/// "energy.kinetic". Before the module is given to a carrier; replaces an earlier choice.
TR_API trStatus tr_module_choose_outputs(trModule *module, int count,
                                         const char *const *name) TR_MUST_CHECK;

/// Modules in this process; they are closed with the carrier. `name` are those of the assembly.
TR_API trStatus tr_carrier_create_local(int modules, const char *const *name,
                                        const trModule *module, trCarrier **out) TR_MUST_CHECK;
TR_API void     tr_carrier_destroy(trCarrier *carrier);  ///< NULL is allowed

/// `ports`: every body is a port, "module.port", of a module of the carrier. Both must outlive the
/// glue. Puts the modules together: positions, velocities, then accelerations at the start.
TR_API trStatus tr_glue_create(const trSystem *ports, trCarrier *carrier, const trGlueDef *def,
                               trGlue **out) TR_MUST_CHECK;
TR_API void     tr_glue_destroy(trGlue *glue);  ///< NULL is allowed

TR_API trStatus tr_glue_step(trGlue *glue) TR_MUST_CHECK;

/// What a run tells while it runs. All may be zero.
typedef struct trGlueHooks {
    const volatile int *stop;  ///< the run ends with TR_E_INTERRUPTED once this is not 0
    void (*progress)(void *context, double t, double t_end);
    /// Once the recorder has begun, before the first row: a run that was restored hands over the
    /// rows that it had before.
    trStatus (*begun)(void *context, trGlue *glue, trRecorder *recorder);
    /// Between steps: the place to save. What it returns, unless TR_OK, ends the run.
    trStatus (*between)(void *context, trGlue *glue);
    void *context;
} trGlueHooks;

/// Begins the recorder (may be NULL, and so may the hooks), runs to the end, hands over a row at
/// every output time. Does not close the recorder. A run that fails keeps its rows so far.
TR_API trStatus tr_glue_run(trGlue *glue, trRecorder *recorder,
                            const trGlueHooks *hooks) TR_MUST_CHECK;

/// Of the module's outputs, these are recorded; without a call all are. TR_E_MODEL, with a
/// suggestion, for unknown words. To be called before the run.
TR_API trStatus tr_glue_choose_outputs(trGlue *glue, const char *module, int count,
                                       const char *const *output) TR_MUST_CHECK;

/// Saves the coordinator and all modules between steps, and goes on later, bit for bit, in a glue
/// that was created in the same way by the same version: then tr_glue_run hands over the rows that
/// are missing. TR_E_UNSUPPORTED names a module whose state cannot be saved; TR_E_ARGUMENT, in
/// words, for bytes that are damaged or of another glue, which must then be destroyed.
TR_API trStatus tr_glue_check_savable(const trGlue *glue) TR_MUST_CHECK;
TR_API size_t   tr_glue_saved_size(const trGlue *glue);
TR_API trStatus tr_glue_save(trGlue *glue, void *bytes, size_t size) TR_MUST_CHECK;
TR_API trStatus tr_glue_restore(trGlue *glue, const void *bytes, size_t size) TR_MUST_CHECK;
/// Rows that were handed over so far, and the mark of their numbers (tr_rows_mark_add).
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
