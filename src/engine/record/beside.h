// SPDX-License-Identifier: MIT
// A file that is made beside the one it replaces, and takes its name once it can be read: whenever
// the process dies, there is no file of that name, the old one, or the new one with all it needs.
//
// Where the path is a link, what it leads to is replaced. PATH.part, left behind by a process that
// was killed, is overwritten. While a process writes, the file is locked, so that no other one
// begins to write to the same path; readers are not kept away.

#ifndef TR_RECORD_BESIDE_H
#define TR_RECORD_BESIDE_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct trBeside {
    const char *path;    // as it was given; messages name it
    const char *target;  // the file itself, where links end
    const char *part;    // target.part
    int         file;    // descriptor that holds the lock; -1: none
    bool        made;    // the part is there, and not yet named
} trBeside;

// Zero if files can be made in the folder of `path`, else errno. Makes none.
int tr_beside_probe(trArena *arena, const char *path);

// Makes the part, empty and locked, with the rights of the old file. TR_E_IO if that is not
// possible, or if somebody else is writing; the old file is as it was. `out` must be ended.
trStatus tr_beside_begin(trArena *arena, const char *path, trBeside *out) TR_SHARED;

// The part can be read from now on, and becomes the file. `sync`: not before the disk has it.
trStatus tr_beside_take_name(trBeside *beside, bool sync) TR_SHARED;

// Gives up the lock, and removes a part that has not become the file. May be called twice.
void tr_beside_end(trBeside *beside) TR_SHARED;

#endif
