// SPDX-License-Identifier: MIT
/// @file result.h Read a result file: columns, notes, rows; also of a run that goes on or was
/// killed.

#ifndef TRAMMEL_RESULT_H
#define TRAMMEL_RESULT_H

#include <stdbool.h>

#include "trammel/record.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trResult trResult;

/// Opens an HDF5 file that a run wrote. TR_E_IO, with what is wrong, for files that are something
/// else, of another layout, or damaged.
TR_API trStatus tr_result_open(const char *path, trResult **out) TR_MUST_CHECK;
TR_API void     tr_result_close(trResult *result);  ///< NULL is allowed

/// HDF5 loses memory over headers that are damaged, and prints "infinite loop closing library" when
/// the process ends; where it found no memory, it may crash then. A program that reads files from
/// anywhere, or shall end well when memory is short, calls this first of all that uses HDF5:
/// nothing is then tidied up at its end. Files that it writes itself it must close.
TR_API void tr_result_leave_at_exit(void);

TR_API int             tr_result_columns(const trResult *result);
TR_API const trColumn *tr_result_column(const trResult *result, int index);
TR_API int  tr_result_find(const trResult *result, const char *name);  ///< a column, or -1
TR_API long tr_result_rows(const trResult *result);  ///< written to the last flush

/// "done", "interrupted", "failed: ...", or "running" where nobody closed the file.
TR_API const char *tr_result_outcome(const trResult *result);

/// A text that the run noted, "model", "method", ...; NULL if there is none.
TR_API const char *tr_result_note(const trResult *result, const char *key);

/// Rows `first` to `first + count - 1`, row after row, as they are stored.
TR_API trStatus tr_result_read(trResult *result, long first, long count,
                               double *values) TR_MUST_CHECK;

/// Whether the texts of the file are as they were written.
TR_API bool tr_result_texts_are_whole(const trResult *result);

/// The first row from `first` on that is not as it was written, or -1, by the check marks.
TR_API trStatus tr_result_find_altered(trResult *result, long first, long *row) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
