// SPDX-License-Identifier: MIT
// Memory: a table of planned size that stays with the recorder.

#include <string.h>

#include "record/sink.h"

typedef struct Memory {
    int     columns;
    long    rows, room;  // so far; planned
    double *table;       // room x columns
} Memory;

static trStatus open_memory(trArena *arena, const trSinkOpen *with, void **sink) {
    Memory *m = tr_new(arena, Memory);
    *sink = m;
    if (m != NULL) {
        m->columns = with->columns;
        m->room = with->rows;
        m->table = tr_arena_take(arena, (size_t)with->rows, (size_t)with->columns * sizeof(double));
    }
    return tr_arena_status(arena);
}

static trStatus add_row(void *sink, const double *values) {
    Memory *m = sink;
    size_t  columns = (size_t)m->columns;
    if (m->rows == m->room) {
        return tr_fail(TR_E_ARGUMENT, "memory: only %ld rows were planned", m->room);
    }
    memcpy(m->table + (size_t)m->rows * columns, values, columns * sizeof *values);
    m->rows++;
    return TR_OK;
}

static const double *table(const void *sink, long *rows) {
    const Memory *m = sink;
    *rows = m->rows;
    return m->table;
}

const trSinkKind tr_sink_memory = {
    .name = "memory",
    .summary = "a table in memory, for programs",
    .open = open_memory,
    .row = add_row,
    .table = table,
};
