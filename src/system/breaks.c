// SPDX-License-Identifier: MIT
// The instants at which some function of time of the model changes its formula, increasing.

#include <stdlib.h>

#include "system/system.h"
#include "tape/tape.h"

// The breaks of all functions in a parameter struct, into `out` unless it is NULL.
static int breaks_of(const trField *fields, const void *params, double *out) {
    int count = 0;
    for (const trField *f = fields; f->name != NULL; f++) {
        if (f->kind == TR_FIELD_FUNCTION) {
            double            times[TR_TAPE_MAX];
            const trFunction *function = (const void *)((const char *)params + f->offset);
            int more = function->tape == NULL ? 0 : tr_tape_breaks(function->tape, times);
            for (int i = 0; out != NULL && i < more; i++) {
                out[count + i] = times[i];
            }
            count += more;
        }
    }
    return count;
}

static int collect(const trSystem *s, double *out) {
    int count = 0;
    for (int j = 0; j < s->joints; j++) {
        count += breaks_of(s->joint[j].kind->fields, s->joint[j].params,
                           out == NULL ? NULL : out + count);
    }
    for (int i = 0; i < s->forces; i++) {
        count += breaks_of(s->force[i].kind->fields, s->force[i].params,
                           out == NULL ? NULL : out + count);
    }
    return count;
}

static int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

trStatus tr_system_find_breaks(trSystem *s) {
    int     count = collect(s, NULL);
    double *times = tr_new_array(s->arena, double, count);
    TR_TRY(tr_arena_status(s->arena));
    collect(s, times);
    qsort(times, (size_t)count, sizeof *times, compare_times);
    for (int i = 0; i < count; i++) {
        if (s->breaks == 0 || times[i] > times[s->breaks - 1]) {
            times[s->breaks++] = times[i];
        }
    }
    s->break_time = times;
    return TR_OK;
}
