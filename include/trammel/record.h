// SPDX-License-Identifier: MIT
/// @file record.h Recorders: receive the rows of a run. CSV and memory; HDF5 in hdf5.h.

#ifndef TRAMMEL_RECORD_H
#define TRAMMEL_RECORD_H

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trRecorder trRecorder;

/// A column of the result: "crank.x" in "m".
typedef struct trColumn {
    const char *name;
    const char *unit;  ///< may be NULL
} trColumn;

TR_API trStatus tr_recorder_create(trRecorder **out) TR_MUST_CHECK;

/// Closes all sinks. Call tr_recorder_close first to notice failures. NULL is allowed.
TR_API void tr_recorder_destroy(trRecorder *recorder);

/// Adds a sink: "csv" (path "-" is standard output) or "memory" (path is ignored and may be NULL);
/// for HDF5 see tr_recorder_add_hdf5. tr_recorder_begin creates the file. A recorder may have
/// several.
TR_API trStatus tr_recorder_add(trRecorder *recorder, const char *kind,
                                const char *path) TR_MUST_CHECK;

/// Adds a named string, "model", "method", ..., to every file that can hold one.
TR_API trStatus tr_recorder_note(trRecorder *recorder, const char *key,
                                 const char *text) TR_MUST_CHECK;

/// Opens the files and writes the header. `rows`: number of rows that the memory sink plans for.
/// TR_E_IO if a file cannot be written, TR_E_ARGUMENT if two sinks have the same file; in both
/// cases no file has been touched.
TR_API trStatus tr_recorder_begin(trRecorder *recorder, int columns, const trColumn *column,
                                  long rows) TR_MUST_CHECK;

/// Writes a row of `columns` numbers.
TR_API trStatus tr_recorder_row(trRecorder *recorder, const double *values) TR_MUST_CHECK;

/// Call between steps: flushes rows that have waited for a second.
TR_API trStatus tr_recorder_tick(trRecorder *recorder) TR_MUST_CHECK;

/// Flushes now.
TR_API trStatus tr_recorder_flush(trRecorder *recorder) TR_MUST_CHECK;

/// Closes the files. They keep `outcome`: "done", "failed: ...", "interrupted".
TR_API trStatus tr_recorder_close(trRecorder *recorder, const char *outcome) TR_MUST_CHECK;

/// Content of the first memory sink: number of rows, and the table row by row. Valid until destroy.
TR_API long          tr_recorder_rows(const trRecorder *recorder);
TR_API const double *tr_recorder_table(const trRecorder *recorder);

/// Number of columns, and the index of the one with this name ("crank.x"), or -1.
TR_API int tr_recorder_columns(const trRecorder *recorder);
TR_API int tr_recorder_find(const trRecorder *recorder, const char *name);

#ifdef __cplusplus
}
#endif

#endif
