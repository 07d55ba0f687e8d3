// SPDX-License-Identifier: MIT
/// @file checkpoint.h Save a simulation and go on with it later, bit for bit.
///
/// What is saved are the numbers that a simulation carries from one step to the next. It is
/// restored into another simulation that was created from the same model with the same definition
/// by the same version of the library, on the same kind of machine:
///
///     size_t size = tr_sim_saved_size(sim);
///     void  *bytes = malloc(size);
///     status = tr_sim_save(sim, bytes, size);
///     ...
///     status = tr_sim_create(system, &def, &again);
///     status = tr_sim_restore(again, bytes, size);
///     status = tr_sim_run(again, recorder, NULL);     rows that are not there yet

#ifndef TRAMMEL_CHECKPOINT_H
#define TRAMMEL_CHECKPOINT_H

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that tr_sim_save writes: the same for all simulations of one system and definition.
TR_API size_t tr_sim_saved_size(const trSim *sim);

/// Whether it can be saved as it is now. Integrators of SUNDIALS have a history that cannot be
/// read: with them it is so only where they have just been started, before the first step and where
/// a function of time has changed its formula. With all others it always is.
TR_API bool tr_sim_can_save(const trSim *sim);

/// Writes tr_sim_saved_size bytes; nothing of the simulation changes. To be called between steps,
/// also from the hook `between` of a run. TR_E_UNSUPPORTED where tr_sim_can_save is false.
TR_API trStatus tr_sim_save(trSim *sim, void *bytes, size_t size) TR_MUST_CHECK;

/// The state, counters and everything else are then those of the simulation that was saved. If that
/// was inside of a run, tr_sim_run goes on with it: only rows that were not handed over yet go to
/// its recorder. TR_E_ARGUMENT, in words, for bytes that are damaged or of another model,
/// definition or version; the simulation must then be destroyed.
TR_API trStatus tr_sim_restore(trSim *sim, const void *bytes, size_t size) TR_MUST_CHECK;

/// Rows that were handed over in this run so far, before and after it was restored, and a mark that
/// follows from all their numbers: equal marks mean equal rows.
TR_API int64_t  tr_sim_rows(const trSim *sim);
TR_API uint64_t tr_sim_rows_mark(const trSim *sim);

/// The mark of rows as tr_sim_rows_mark gives it: 0 for none, then row by row.
TR_API uint64_t tr_rows_mark_add(uint64_t mark, int columns, const double *row);

#ifdef __cplusplus
}
#endif

#endif
