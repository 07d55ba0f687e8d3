// SPDX-License-Identifier: MIT
/// @file result.h Read a result file: columns, notes, rows; also while a run writes it, or after it
/// was killed.

#ifndef TRAMMEL_RESULT_H
#define TRAMMEL_RESULT_H

#include <stdbool.h>

#include "trammel/record.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trResult trResult;

/// Opens an HDF5 file written by a run. TR_E_IO for other or damaged files.
TR_API trStatus tr_result_open(const char *path, trResult **out) TR_MUST_CHECK;
TR_API void     tr_result_close(trResult *result);  ///< NULL is allowed

/// Skips the cleanup of HDF5 at exit, which prints "infinite loop closing library" after damaged
/// headers and may crash after it ran out of memory. Call it before anything that uses HDF5, in
/// programs that read files of unknown origin; files that the program writes must then be closed.
TR_API void tr_result_leave_at_exit(void);

TR_API int             tr_result_columns(const trResult *result);
TR_API const trColumn *tr_result_column(const trResult *result, int index);
TR_API int  tr_result_find(const trResult *result, const char *name);  ///< a column, or -1
TR_API long tr_result_rows(const trResult *result);                    ///< up to the last flush

/// Returns "done", "interrupted", "failed: ...", or "running" if the file was not closed.
TR_API const char *tr_result_outcome(const trResult *result);

/// Returns a note of the run, "model", "method", ..., or NULL.
TR_API const char *tr_result_note(const trResult *result, const char *key);

/// Reads rows `first` to `first + count - 1`, row by row.
TR_API trStatus tr_result_read(trResult *result, long first, long count,
                               double *values) TR_MUST_CHECK;

/// Returns whether the strings in the file match their checksum.
TR_API bool tr_result_texts_are_whole(const trResult *result);

/// Finds the first row from `first` on that does not match its checksum, or -1.
TR_API trStatus tr_result_find_altered(trResult *result, long first, long *row) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
