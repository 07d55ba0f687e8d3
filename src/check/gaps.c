// SPDX-License-Identifier: MIT
// How far the start as the model gives it is off, by joint.

#include <math.h>
#include <string.h>

#include "check/check.h"

#define CLOSED 1e-9  // [m], [rad], ...: what is not worth a word

static void note_row(const trCheckWork *w, int row, double phi, double rate, trCheckGap *gap) {
    const char *unit = w->system->row_unit[row];
    double     *value = &gap->other, *per = &gap->other_rate;
    if (strcmp(unit, "m") == 0) {
        value = &gap->length;
        per = &gap->length_rate;
    } else if (strcmp(unit, "rad") == 0) {
        value = &gap->angle;
        per = &gap->angle_rate;
    } else {
        gap->unit = unit;
    }
    *value = fmax(*value, fabs(phi));
    *per = fmax(*per, fabs(rate));
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
    for (int g = 0; g < A->groups; g++) {
        trCheckGap one = {.joint = s->joint[g].name, .unit = ""};
        for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
            note_row(w, i, s->holonomic[i] ? w->eval.phi[i] : 0.0, rate[i] - w->eval.b1[i], &one);
        }
        bool norm = g >= s->joints && g < s->joints + s->norms;
        if (!norm && is_open(&one)) {
            gap[w->out->gaps++] = one;
        }
    }
    w->out->gap = gap;
    return TR_OK;
}
