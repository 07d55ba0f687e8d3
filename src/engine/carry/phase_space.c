// SPDX-License-Identifier: MIT
// Borri's modified phase space: momenta that the constraint forces do not enter,
//
//     y = M v - A' mu        with mu so that A v = b1,    mu = 0 where a step begins
//     y' = Q + C + M' v - A'' mu   (M' v and A'' mu: rates of M and A' along the motion)
//
// because M a + A' lambda = Q + C, and mu' = -lambda is left to the algebra. The velocities of
// every evaluation satisfy the constraints; positions drift by what integration leaves.
//
// Dependent rows: where A' c = 0, the rate of A' times c is a combination of rows of A, which the
// solve for v does not see; so any mu will do.
// Reference: Borri, Bottasso and Mantegazza, Eur. J. Mech. A/Solids 11 (1992), 701-727.

#include "carry/carry.h"

#include <string.h>

typedef struct Work {
    int       n;
    trKernel *kernel;
    double   *mu;  // m: of the state that was left last
} Work;

static trStatus plan(trArena *arena, const trEquations *e, trKernel *kernel, void **work) {
    Work *w = *work = tr_new(arena, Work);
    TR_TRY(tr_arena_status(arena));
    w->n = e->nv;
    w->kernel = kernel;
    w->mu = tr_new_array(arena, double, e->m);
    return tr_arena_status(arena);
}

static trStatus enter(void *work, const trEquations *e, const double *v, double *y) {
    Work *w = work;
    memset(w->mu, 0, (size_t)e->m * sizeof *w->mu);
    tr_mass_mul(&e->M, v, y);
    return TR_OK;
}

// M v + A' (-mu) = y,    A v = b1
static trStatus leave(void *work, const trEquations *e, const double *y, double *v) {
    Work *w = work;
    TR_TRY(tr_kernel_factor(w->kernel, e));
    TR_TRY(w->kernel->kind->solve(w->kernel->work, e, y, e->b1, v, w->mu));
    for (int i = 0; i < e->m; i++) {
        w->mu[i] = -w->mu[i];
    }
    return TR_OK;
}

static void rate(void *work, const double *F, const double *a, double *out) {
    const Work *w = work;
    memcpy(out, F, (size_t)w->n * sizeof *out);
}

static trStatus image(void *work, const trEquations *e, const double *v, double *out) {
    const Work *w = work;
    tr_mass_mul(&e->M, v, out);
    tr_rows_tmul_sub(&e->A, w->mu, out);
    return TR_OK;
}

const trCarryKind tr_carry_phase_space = {
    .name = "phase_space",
    .summary = "momenta without the constraint forces, M v - A' mu",
    .source = "Borri, Bottasso & Mantegazza 1992; Laulusa & Bauchau 2008, section 4.7",
    .traits = TR_COPES_ALL & ~TR_COPES_SINGULAR_POSE,
    .plan = plan,
    .enter = enter,
    .leave = leave,
    .rate = rate,
    .image = image,
};
