// SPDX-License-Identifier: MIT
/// @file record.h Recorders: where the rows of a run go. CSV, memory; HDF5 by hdf5.h.

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

/// Closes all sinks. Use tr_recorder_close first where a failure must be noticed. NULL is allowed.
TR_API void tr_recorder_destroy(trRecorder *recorder);

/// Adds a sink by kind: "csv" (the path "-" is standard output) or "memory" (path is ignored and
/// may be NULL). HDF5 files come by tr_recorder_add_hdf5 (hdf5.h). The file is created by
/// tr_recorder_begin. A recorder may have several.
TR_API trStatus tr_recorder_add(trRecorder *recorder, const char *kind,
                                const char *path) TR_MUST_CHECK;

/// A named text that goes into every file that can hold one: "model", "method", "version".
TR_API trStatus tr_recorder_note(trRecorder *recorder, const char *key,
                                 const char *text) TR_MUST_CHECK;

/// Opens the files and writes the header. `rows` is how many rows the memory sink plans for.
/// TR_E_IO if one of the files cannot be written, TR_E_ARGUMENT if two sinks have the same one:
/// then none of them has been touched.
TR_API trStatus tr_recorder_begin(trRecorder *recorder, int columns, const trColumn *column,
                                  long rows) TR_MUST_CHECK;

/// One row of `columns` numbers.
TR_API trStatus tr_recorder_row(trRecorder *recorder, const double *values) TR_MUST_CHECK;

/// To be called between steps: flushes what has waited for a second.
TR_API trStatus tr_recorder_tick(trRecorder *recorder) TR_MUST_CHECK;

/// Flushes now.
TR_API trStatus tr_recorder_flush(trRecorder *recorder) TR_MUST_CHECK;

/// Writes out everything and closes the files. `outcome` ("done", "failed: ...", "interrupted")
/// is kept in the file.
TR_API trStatus tr_recorder_close(trRecorder *recorder, const char *outcome) TR_MUST_CHECK;

/// What the first memory sink holds: rows so far, and the table row after row. Valid until destroy.
TR_API long          tr_recorder_rows(const trRecorder *recorder);
TR_API const double *tr_recorder_table(const trRecorder *recorder);

/// Of the rows begun: how many columns, and which one has this name ("crank.x"), or -1.
TR_API int tr_recorder_columns(const trRecorder *recorder);
TR_API int tr_recorder_find(const trRecorder *recorder, const char *name);

#ifdef __cplusplus
}
#endif

#endif
