// SPDX-License-Identifier: MIT
// How far the start as the model gives it is off, by joint.

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "trammel/assemble.h"

#define CLOSED 1e-9  // [m], [rad], ...: what is not worth a word

// The gap of group g, measured as `trammel assemble` does.
static trCheckGap gap_of(const trCheckWork *w, int g, const double *rate) {
    const trGroupInfo *group = &w->group[g];
    trOpening          at = tr_opening_of(w->system, g, tr_eval_phi(w->eval), true);
    trOpening          per = tr_opening_of(w->system, g, rate, false);
    trCheckGap         gap = {.joint = group->name,
                              .unit = "",
                              .length = at.length,
                              .angle = at.angle,
                              .other = at.other,
                              .length_rate = per.length,
                              .angle_rate = per.angle,
                              .other_rate = per.other};
    for (int i = group->row; i < group->row + group->rows; i++) {
        const char *unit = w->row[i].unit;
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
    trCheckGap *gap = tr_new_array(w->arena, trCheckGap, w->groups);
    double     *rate = tr_new_array(w->scratch, double, w->m);
    TR_TRY(tr_check_memory(w));
    trStatus status = tr_eval_at(w->eval, w->t, NULL, NULL, NULL);
    if (status != TR_OK) {
        return status > 0 ? TR_OK : status;
    }
    tr_eval_mul_A(w->eval, tr_eval_v(w->eval), rate);
    for (int i = 0; i < w->m; i++) {
        rate[i] -= tr_eval_b1(w->eval)[i];
    }
    for (int g = 0; g < w->groups; g++) {
        trCheckGap one = gap_of(w, g, rate);
        if (!tr_check_is_norm(w, g) && is_open(&one)) {
            gap[w->out->gaps++] = one;
        }
    }
    w->out->gap = gap;
    return TR_OK;
}
