// SPDX-License-Identifier: MIT
// What a sink is: somewhere that rows of named columns go. It knows names, units and numbers,
// nothing mechanical.

#ifndef TR_RECORD_SINK_H
#define TR_RECORD_SINK_H

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/registry.h"
#include "trammel/record.h"

typedef struct trNote {
    struct trNote *next;
    const char    *key, *text;
} trNote;

typedef struct trSinkOpen {
    const char     *path;
    int             columns;
    const trColumn *column;  // columns; they live as long as the recorder
    long            rows;    // expected; the memory sink refuses more
    const trNote   *notes;
    bool            later;     // the name of a file made beside the old one waits for take_name
    bool            keep_old;  // every file is made so, as far as there is an old one to keep
} trSinkOpen;

typedef struct trSinkKind {
    const char *name;
    const char *summary;
    bool        takes_dash;     // the path "-" is standard output, not a file
    bool        is_beside;      // files are always made beside the old one (beside.h)
    bool        keeps_outcome;  // the file says how the run ended
    // Memory from `arena`; files are closed by `close`, and by a deferred release if never closed.
    // `flush` and `close` are NULL where there is nothing to do.
    trStatus (*open)(trArena *arena, const trSinkOpen *with, void **sink);
    trStatus (*row)(void *sink, const double *values);
    trStatus (*flush)(void *sink);
    trStatus (*close)(void *sink, const char *outcome);
    // What was made beside the old file takes its place; NULL where nothing ever is.
    trStatus (*take_name)(void *sink);
    // Memory sinks only, else NULL: the table so far.
    const double *(*table)(const void *sink, long *rows);
} trSinkKind;

// The number of the column of this name, or -1.
static inline int tr_column_find(int columns, const trColumn *column, const char *name) {
    for (int i = 0; i < columns; i++) {
        if (strcmp(column[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

extern const trSinkKind tr_sink_hdf5;  // in the library trammel_hdf5

// As tr_recorder_add, with a kind that the core may not know.
trStatus tr_recorder_add_kind(trRecorder *recorder, const trSinkKind *kind,
                              const char *path) TR_SHARED;

TR_REGISTRY(sink, trSinkKind);

#endif
