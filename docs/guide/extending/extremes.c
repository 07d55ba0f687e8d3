// SPDX-License-Identifier: MIT
// Extremes: a text file with the smallest and largest value of every column, written at the end.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/sink.h"

typedef struct Extremes {
    FILE           *file;  // NULL when closed
    const char     *path;
    int             columns;
    const trColumn *column;        // columns
    double         *least, *most;  // columns each
} Extremes;

static void release(void *sink) {
    Extremes *s = sink;
    if (s->file != NULL) {
        fclose(s->file);
        s->file = NULL;
    }
}

static trStatus open_extremes(trArena *arena, const trSinkOpen *with, void **sink) {
    if (with->path == NULL) {
        return tr_fail(TR_E_ARGUMENT, "extremes: a path is needed");
    }
    Extremes *s = tr_new(arena, Extremes);
    TR_TRY(tr_arena_status(arena));
    *s = (Extremes){.path = with->path, .columns = with->columns, .column = with->column};
    s->least = tr_new_array(arena, double, s->columns);
    s->most = tr_new_array(arena, double, s->columns);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < s->columns; i++) {
        s->least[i] = INFINITY;
        s->most[i] = -INFINITY;
    }
    s->file = fopen(with->path, "w");
    if (s->file == NULL) {
        return tr_fail(TR_E_IO, "%s: cannot create: %s", with->path, strerror(errno));
    }
    tr_arena_defer(arena, release, s);
    *sink = s;
    return tr_arena_status(arena);
}

static trStatus add_row(void *sink, const double *values) {
    Extremes *s = sink;
    for (int i = 0; i < s->columns; i++) {
        s->least[i] = fmin(s->least[i], values[i]);
        s->most[i] = fmax(s->most[i], values[i]);
    }
    return TR_OK;
}

static trStatus flush(void *sink) {
    (void)sink;
    return TR_OK;
}

static trStatus close_extremes(void *sink, const char *outcome) {
    Extremes *s = sink;
    FILE     *file = s->file;
    (void)outcome;
    s->file = NULL;
    for (int i = 0; i < s->columns; i++) {
        fprintf(file, "%s %.17g %.17g\n", s->column[i].name, s->least[i], s->most[i]);
    }
    int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        return tr_fail(TR_E_IO, "%s: cannot write: %s", s->path, strerror(errno));
    }
    return TR_OK;
}

const trSinkKind tr_sink_extremes = {
    .name = "extremes",
    .summary = "the smallest and largest value of every column",
    .open = open_extremes,
    .row = add_row,
    .flush = flush,
    .close = close_extremes,
};
