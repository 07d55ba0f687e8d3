// SPDX-License-Identifier: MIT
// What mpirun writes to standard error: lines of the processes that it started, which are passed
// on, and its notices, blocks between two lines of dashes. Open MPI 5 has no option that
// keeps it from telling at length what the coordinator has said in a line.

#ifndef TR_CLI_GLUE_NOTICES_H
#define TR_CLI_GLUE_NOTICES_H

#include <stdbool.h>
#include <stddef.h>

#define TR_NOTICE_BYTES 8192

typedef struct trNotices {
    int    in, out;  // ends of the pipe from mpirun; -1: none
    bool   inside;   // a notice
    size_t length;   // of the line so far
    char   line[TR_NOTICE_BYTES];
    size_t kept;  // bytes of notices
    char   notice[TR_NOTICE_BYTES];
} trNotices;

// Without a pipe nothing is held back.
void tr_notices_open(trNotices *n);
// In the process that becomes mpirun.
void tr_notices_enter(const trNotices *n);
// After that process has been started: only it writes.
void tr_notices_begin(trNotices *n);
// Passes on what has come so far.
void tr_notices_pass(trNotices *n);
// The rest; `tell`: with the notices.
void tr_notices_close(trNotices *n, bool tell);

#endif
