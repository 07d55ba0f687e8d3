// SPDX-License-Identifier: MIT
// How far the start as the model gives it is off, by joint.

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "sim/assemble.h"

#define CLOSED 1e-9  // [m], [rad], ...: what is not worth a word

// The gap of group g, measured as `trammel assemble` does.
static trCheckGap gap_of(const trCheckWork *w, int g, const double *rate) {
    const trSystem *s = w->system;
    trOpening       at = tr_opening_of(s, g, w->eval.phi, true);
    trOpening       per = tr_opening_of(s, g, rate, false);
    trCheckGap      gap = {.joint = s->joint[g].name,
                           .unit = "",
                           .length = at.length,
                           .angle = at.angle,
                           .other = at.other,
                           .length_rate = per.length,
                           .angle_rate = per.angle,
                           .other_rate = per.other};
    for (int i = s->pattern.group_row[g]; i < s->pattern.group_row[g + 1]; i++) {
        const char *unit = s->row_unit[i];
        bool        other = strcmp(unit, "m") != 0 && strcmp(unit, "rad") != 0;
        gap.unit = other ? unit : gap.unit;
    }
    return gap;
}

static bool is_open(const trCheckGap *g) {
    return fmax(fmax(g->length, g->angle), g->other) > CLOSED ||
           fmax(fmax(g->length_rate, g->angle_rate), g->other_rate) > CLOSED;
}

trStatus tr_check_gaps(trCheckWork *w) {
    const trSystem *s = w->system;
    const trRows   *A = &w->eval.equations.A;
    trCheckGap     *gap = tr_new_array(w->arena, trCheckGap, A->groups);
    double         *rate = tr_new_array(w->scratch, double, s->m);
    TR_TRY(tr_arena_status(w->arena));
    TR_TRY(tr_arena_status(w->scratch));
    trStatus status = tr_system_eval(s, w->t, s->q0, s->v0, &w->eval);
    if (status != TR_OK) {
        return status > 0 ? TR_OK : status;
    }
    tr_rows_mul(A, s->v0, rate);
    for (int i = 0; i < s->m; i++) {
        rate[i] -= w->eval.b1[i];
    }
    for (int g = 0; g < A->groups; g++) {
        trCheckGap one = gap_of(w, g, rate);
        bool       norm = g >= s->joints && g < s->joints + s->norms;
        if (!norm && is_open(&one)) {
            gap[w->out->gaps++] = one;
        }
    }
    w->out->gap = gap;
    return TR_OK;
}
