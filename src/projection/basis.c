// SPDX-License-Identifier: MIT
// Maggi's equations as a projection: with rows B kept over a step, e = B v is linear in v, and
// integrating e is integrating v and replacing it by the vector with the same B v that satisfies
//
//     A v = b1,    B v = e
//
// B = Gamma' or unit rows, by the basis chosen, renewed at every accepted state. Positions are
// left: their velocities satisfy the constraints in every evaluation.
// Reference: Laulusa and Bauchau, J. Comput. Nonlinear Dyn. 3 (2008) 011004, sections 2.2.1, 4.1.

#include "projection/held.h"

static trStatus plan(trArena *arena, const trEquations *e, const char *basis, void **work) {
    trHeld *h = tr_new(arena, trHeld);
    *work = h;
    return h == NULL ? TR_E_MEMORY : tr_held_plan(arena, e, basis, "householder", h);
}

static trStatus renew(void *work, const trEquations *e) {
    trHeld *h = work;
    tr_held_note_norms(h, e);
    for (int i = 0; i < h->sets; i++) {
        TR_TRY(tr_held_rows(h, &h->set[i], e));
        TR_TRY(tr_held_choose(h, &h->set[i]));
    }
    return TR_OK;
}

static trStatus step(void *work, const trEquations *e, bool positions, const double *right,
                     double *out) {
    return tr_held_step(work, e, positions, right, out);
}

static int lost_row(const void *work) {
    return ((const trHeld *)work)->lost_row;
}

static int64_t renewals(const void *work) {
    return ((const trHeld *)work)->renewals;
}

static const trPickKind pick = {
    .plan = plan, .renew = renew, .step = step, .lost_row = lost_row, .renewals = renewals};

const trProjectionKind tr_projection_basis = {
    .name = "basis",
    .summary = "velocities with the same B v, B chosen anew at every step",
    .source = "Laulusa and Bauchau 2008, section 4.1",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_POSE) | TR_DENSE,
    .weight = TR_WEIGHT_NONE,
    .pick = &pick,
    .velocities_only = true,
};
