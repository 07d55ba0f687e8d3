// SPDX-License-Identifier: MIT
// Times of rows against those that the run was asked for, as it noted them:
//
//     t_i = start + i sample,   the last: start + duration        or the list `times`
//
// Rows that are missing in front are one finding: the others are compared with the times that they
// are nearest to. The last row of a run that did not end as asked is its last good state, anywhere
// before the next of these times.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/def.h"
#include "verify/verify.h"

#define SAME_TIME 1e-9  // of a step: times closer than this are one for the run
#define ROUNDING 1e-15

// A number at the beginning of a note; `otherwise` where there is none.
double tr_verify_setting(const trVerifier *V, const char *key, double otherwise) {
    const char *text = tr_result_note(V->result, key);
    char       *end = NULL;
    double      value = text != NULL ? strtod(text, &end) : 0.0;
    return text != NULL && end != text && isfinite(value) ? value : otherwise;
}

// "0, 0.1, 0.5 s"
static trStatus read_list(trVerifier *V, const char *text, trNumbers *list) {
    int count = 1;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == ',';
    }
    double *at = tr_new_array(V->arena, double, count);
    TR_TRY(tr_arena_status(V->arena));
    for (int i = 0; i < count; i++) {
        char *end = NULL;
        at[i] = strtod(text, &end);
        text = end + strspn(end, ", ");
    }
    *list = (trNumbers){.at = at, .count = count};
    return TR_OK;
}

trStatus tr_times_plan(trVerifier *V) {
    trPlanned  *p = &V->planned;
    const char *times = tr_result_note(V->result, "times");
    double      start = tr_verify_setting(V, "start", NAN);
    double      duration = tr_verify_setting(V, "duration", NAN);
    double      sample = tr_verify_setting(V, "sample", duration / TR_SAMPLES);
    if (times != NULL) {
        TR_TRY(read_list(V, times, &p->times));
    }
    p->known = isfinite(start) && duration > 0.0 && sample > 0.0;
    if (!p->known) {
        tr_verify_note(V, "the run did not note its start, duration and sample: times are judged "
                          "by their neighbors alone");
        return TR_OK;
    }
    p->start = start;
    p->last = start + duration;
    p->sample = sample;
    p->slack = SAME_TIME * tr_verify_setting(V, "max_step", duration);
    double whole = floor(duration / sample * (1.0 + 1e-12));
    bool   rest = p->last - (start + whole * sample) > 1e-9 * sample;
    p->count = p->times.count > 0 ? p->times.count : whole + 1.0 + rest;
    return TR_OK;
}

static double planned_time(const trPlanned *p, double i) {
    if (p->times.count > 0) {
        return fmin(p->times.at[(int)i], p->last);
    }
    return i >= p->count - 1.0 ? p->last : p->start + i * p->sample;
}

// Which of the planned times is nearest to t.
static double nearest(const trPlanned *p, double t) {
    double best = 0.0;
    if (p->times.count == 0) {
        return fmin(fmax(round((t - p->start) / p->sample), 0.0), p->count - 1.0);
    }
    for (int i = 1; i < p->times.count; i++) {
        bool nearer = fabs(p->times.at[i] - t) < fabs(p->times.at[(int)best] - t);
        best = nearer ? i : best;
    }
    return best;
}

static void see(trVerifier *V, double off, const char *what) {
    const trPlanned *p = &V->planned;
    tr_see(V, TR_VERIFY_TIME,
           (trDeviation){.off = off,
                         .slack = p->slack + ROUNDING * (fabs(p->start) + fabs(p->last)),
                         .unit = "s",
                         .role = "column",
                         .name = "t",
                         .detail = what});
}

void tr_verify_times(trVerifier *V) {
    trPlanned *p = &V->planned;
    double     t = V->row[0];
    bool       ended = strcmp(V->out->outcome, "done") == 0;
    bool       open = !ended && strcmp(V->out->outcome, "running") != 0;
    bool       last = V->index == V->out->rows - 1;
    if (!p->known) {
        return;
    }
    p->offset = V->index == 0 ? nearest(p, t) : p->offset;
    if (V->index == 0 && p->offset > 0.0) {
        see(V, t - p->start, "the first rows of the run are missing");
    }
    double i = p->offset + (double)V->index;
    if (i >= p->count) {
        see(V, t - p->last, "there are more rows than the run was asked for");
        return;
    }
    double off = t - planned_time(p, i);
    see(V, last && open && off < 0.0 ? 0.0 : off, "is not a time that the run was asked for");
    if (last && ended && i < p->count - 1.0) {
        see(V, p->last - t, "the last rows of the run are missing");
    }
}
