// SPDX-License-Identifier: MIT
/// @file checkpoint.h Save a simulation and continue it later, bit for bit.
///
/// A checkpoint contains the numbers that are carried from one step to the next. It is restored
/// into a simulation of the same model and definition, created by the same version on the same kind
/// of machine:
///
///     size_t size = tr_sim_saved_size(sim);
///     void  *bytes = malloc(size);
///     status = tr_sim_save(sim, bytes, size);
///     ...
///     status = tr_sim_create(system, &def, &again);
///     status = tr_sim_restore(again, bytes, size);
///     status = tr_sim_run(again, recorder, NULL);     missing rows only

#ifndef TRAMMEL_CHECKPOINT_H
#define TRAMMEL_CHECKPOINT_H

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the number of bytes that tr_sim_save writes.
TR_API size_t tr_sim_saved_size(const trSim *sim);

/// Returns whether the simulation can be saved now. With integrators of SUNDIALS, whose history
/// cannot be read, this is only possible where they have just been started: before the first step
/// and at breaks of functions of time.
TR_API bool tr_sim_can_save(const trSim *sim);

/// Writes tr_sim_saved_size bytes and changes nothing. Call between steps, for example in the hook
/// `between` of a run. TR_E_UNSUPPORTED if tr_sim_can_save is false.
TR_API trStatus tr_sim_save(trSim *sim, void *bytes, size_t size) TR_MUST_CHECK;

/// Restores state, counters and everything else. If the simulation was saved during a run,
/// tr_sim_run continues it and records only the missing rows. TR_E_ARGUMENT for bytes that are
/// damaged or belong to another model, definition or version; the simulation must then be
/// destroyed.
TR_API trStatus tr_sim_restore(trSim *sim, const void *bytes, size_t size) TR_MUST_CHECK;

/// Rows recorded in this run so far, including those before it was restored, and a checksum of
/// their numbers.
TR_API int64_t  tr_sim_rows(const trSim *sim);
TR_API uint64_t tr_sim_rows_mark(const trSim *sim);

/// Adds a row to the checksum that tr_sim_rows_mark returns; begin with 0.
TR_API uint64_t tr_rows_mark_add(uint64_t mark, int columns, const double *row);

#ifdef __cplusplus
}
#endif

#endif
