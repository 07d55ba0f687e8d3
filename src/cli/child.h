// SPDX-License-Identifier: MIT
// Files that are not trusted are read in a child process with limits on memory and time. HDF5 may
// crash on a forged file, or never return: the parent reports the file and goes on.

#ifndef TR_CLI_CHILD_H
#define TR_CLI_CHILD_H

#include <sys/types.h>

#include "cli/cli.h"

typedef struct trChild {
    const char *path;  // that it reads
    pid_t       id;
    FILE       *from;  // what it writes to `to`
} trChild;

// Runs in the child; its value is the exit code. The child ends without releasing anything: what
// was damaged while it read must not crash it after its work is done.
typedef int (*trChildWork)(void *context, FILE *to);

// The child's standard error is closed, so that nobody hears the C library complain of its heap.
trStatus tr_child_begin(const char *path, trChildWork work, void *context,
                        trChild *out) TR_MUST_CHECK;
// Reads what it writes, all of `bytes` or less at its end. Signals that are caught, as Ctrl-C is,
// do not end that.
size_t tr_child_read(trChild *child, void *to, size_t bytes);
// Waits for its end. TR_E_IO, with the reason, where a signal ended it; TR_E_INTERRUPTED where that
// was Ctrl-C or SIGTERM. What it has not read of `from` is dropped.
trStatus tr_child_end(trChild *child, int *code) TR_MUST_CHECK;

// The whole of a command in a child that reads `path`: output goes where that of the command goes.
trExit tr_child_command(const char *path, trExit (*work)(void *context), void *context);

#endif
