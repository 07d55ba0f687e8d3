// SPDX-License-Identifier: MIT
// Results that a run goes on from, read in a child process (child.h): this one gets plain numbers.

#ifndef TR_CLI_OLD_RESULTS_H
#define TR_CLI_OLD_RESULTS_H

#include "cli/child.h"

#define TR_OLD_TEXT 2048

typedef struct trOldHead {
    trStatus status;   // of tr_result_open
    int64_t  columns;  // 1 at least
    int64_t  rows;
    char     text[TR_OLD_TEXT];  // the outcome, "done", ...; or what is wrong
} trOldHead;

typedef struct trOldResults {
    trChild   child;
    trOldHead head;
} trOldResults;

// Opens the file and gets ready to read its first `wanted` rows, or all if there are fewer. On
// success it must be closed.
trStatus tr_old_open(const char *path, int64_t wanted, trOldResults *out) TR_MUST_CHECK;
// The next rows, one after the other; all in all as many as were wanted.
trStatus tr_old_read(trOldResults *old, int64_t rows, double *values) TR_MUST_CHECK;
// TR_E_IO if the child did not end well.
trStatus tr_old_close(trOldResults *old) TR_MUST_CHECK;

#endif
