// SPDX-License-Identifier: MIT
// The instants at which some function of time of the model changes its formula, increasing.

#include <stdlib.h>

#include "system/system.h"
#include "tape/tape.h"

// Instants, as they are found.
typedef struct Found {
    trArena *scratch;
    int      count, room;
    double  *times;  // room
} Found;

static trStatus note(Found *found, int count, const double *times) {
    for (int i = 0; i < count; i++) {
        TR_TRY(tr_table_add(found->scratch, &found->times, &found->count, &found->room, &times[i],
                            sizeof times[i]));
    }
    return TR_OK;
}

// The breaks of all functions in a parameter struct.
static trStatus note_fields(Found *found, const trField *fields, const void *params) {
    for (const trField *f = fields; f->name != NULL; f++) {
        const trFunction *function = (const void *)((const char *)params + f->offset);
        if (f->kind == TR_FIELD_FUNCTION && function->tape != NULL) {
            int           count = 0;
            const double *times = NULL;
            TR_TRY(tr_tape_function_breaks(found->scratch, function->tape, &count, &times));
            TR_TRY(note(found, count, times));
        }
    }
    return TR_OK;
}

static trStatus collect(const trSystem *s, Found *found) {
    TR_TRY(tr_arena_status(found->scratch));
    for (int j = 0; j < s->joints; j++) {
        TR_TRY(note_fields(found, s->joint[j].kind->fields, s->joint[j].params));
    }
    for (int i = 0; i < s->forces; i++) {
        TR_TRY(note_fields(found, s->force[i].kind->fields, s->force[i].params));
    }
    if (s->traced != NULL) {
        TR_TRY(note(found, s->traced->breaks, s->traced->break_time));
    }
    return TR_OK;
}

static int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorted, each once.
static trStatus keep_breaks(trSystem *s, const Found *found) {
    double *times = tr_new_array(s->arena, double, found->count);
    TR_TRY(tr_arena_status(s->arena));
    if (found->count > 0) {
        qsort(found->times, (size_t)found->count, sizeof *times, compare_times);
    }
    for (int i = 0; i < found->count; i++) {
        if (s->breaks == 0 || found->times[i] > times[s->breaks - 1]) {
            times[s->breaks++] = found->times[i];
        }
    }
    s->break_time = times;
    return TR_OK;
}

trStatus tr_system_find_breaks(trSystem *s) {
    Found    found = {.scratch = tr_arena_create()};
    trStatus status = collect(s, &found);
    status = status == TR_OK ? keep_breaks(s, &found) : status;
    tr_arena_destroy(found.scratch);
    return status;
}
