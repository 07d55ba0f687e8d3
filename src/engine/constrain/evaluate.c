// SPDX-License-Identifier: MIT
// The equations at a state, from the callbacks or from differences.
//
// M and A replace the former ones only where they differ. Equal matrices keep their stamp, so that
// a force that is corrected at a state that was just projected finds its factorization made. That
// is decided by looking at the numbers, not at the state: a context may have changed in between.

#include <math.h>
#include <string.h>

#include "constrain/constrain.h"

// What b by differences may be uncertain by in use. Both are a hundred times what is allowed at
// create, so that what was accepted there does not fail for rounding.
#define UNSETTLED 1e-2   // relative
#define ROUNDING_B 1e-6  // for phi of size one

void tr_constrain_expand(const trConstrain *c, const double *q, double *x) {
    if (c->def.X == NULL) {
        memcpy(x, q, (size_t)c->n * sizeof *x);
        return;
    }
    for (int i = 0; i < c->n; i++) {
        const double *row = c->def.X + (size_t)i * (size_t)c->size;
        x[i] = 0.0;
        for (int j = 0; j < c->size; j++) {
            x[i] += row[j] * q[j];
        }
    }
}

void tr_constrain_reduce(const trConstrain *c, const double *f, double *g) {
    if (c->def.X == NULL) {
        memcpy(g, f, (size_t)c->n * sizeof *g);
        return;
    }
    memset(g, 0, (size_t)c->size * sizeof *g);
    for (int i = 0; i < c->n; i++) {
        const double *row = c->def.X + (size_t)i * (size_t)c->size;
        for (int j = 0; j < c->size; j++) {
            g[j] += row[j] * f[i];
        }
    }
}

void tr_constrain_place(trConstrain *c, double t, const double *q, const double *v) {
    c->t = t;
    memcpy(c->q_at, q, (size_t)c->size * sizeof *q);
    memcpy(c->v_at, v != NULL ? v : c->zero, (size_t)c->size * sizeof *q);
    tr_constrain_expand(c, c->q_at, c->x);
    tr_constrain_expand(c, c->v_at, c->xdot);
}

// Bits count: 0 and -0 are different here, which does no harm.
static void replace(trConstrain *c, double *kept, const double *fresh, size_t count) {
    if (memcmp(kept, fresh, count * sizeof *kept) != 0) {
        memcpy(kept, fresh, count * sizeof *kept);
        c->stamps++;
    }
}

// M = X' Mx X, the sum of X_i' (Mx X)_i over rows i.
static trStatus renew_mass(trConstrain *c) {
    const size_t n = (size_t)c->n, size = (size_t)c->size;
    TR_TRY(tr_constrain_ask(c, TR_ASK_MASS, c->t, c->x, NULL, c->raw_M));
    if (c->def.X == NULL) {
        replace(c, c->M, c->raw_M, n * n);
        return TR_OK;
    }
    memset(c->fresh, 0, size * size * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        tr_constrain_reduce(c, c->raw_M + i * n, c->product);
        for (size_t j = 0; j < size; j++) {
            const double along = c->def.X[i * size + j];
            for (size_t k = 0; k < size; k++) {
                c->fresh[j * size + k] += along * c->product[k];
            }
        }
    }
    replace(c, c->M, c->fresh, size * size);
    return TR_OK;
}

// The direction in which x moves with the coordinate q_j.
static const double *direction_of(trConstrain *c, int j) {
    for (int i = 0; i < c->n; i++) {
        c->direction[i] = c->def.X != NULL ? c->def.X[(size_t)i * (size_t)c->size + (size_t)j]
                                           : (i == j ? 1.0 : 0.0);
    }
    return c->direction;
}

// Rows from `first` on of A, into c->fresh: from the callback for derivatives of `ask`, or by
// differences of what it gives.
static trStatus renew_block(trConstrain *c, trAsk ask, trAsk derivative, int first, int rows) {
    const size_t n = (size_t)c->n, size = (size_t)c->size;
    double      *block = c->fresh + (size_t)first * size;
    if (rows > 0 && tr_constrain_gives(c, derivative)) {
        TR_TRY(tr_constrain_ask(c, derivative, c->t, c->x, c->xdot, c->raw_A));
        for (size_t i = 0; i < (size_t)rows; i++) {
            tr_constrain_reduce(c, c->raw_A + i * n, block + i * size);
        }
        return TR_OK;
    }
    for (int j = 0; rows > 0 && j < c->size; j++) {
        double       reach = 0.0;
        const trPath path = tr_difference_along(c, ask, direction_of(c, j), &reach);
        TR_TRY(tr_difference_first(c, ask, path, TR_DIFFERENCE_STEP * reach, c->rate));
        for (size_t i = 0; i < (size_t)rows; i++) {
            block[i * size + (size_t)j] = c->rate[i];
        }
    }
    return TR_OK;
}

static trStatus renew_rows(trConstrain *c) {
    const int mh = c->def.m;
    TR_TRY(renew_block(c, TR_ASK_PHI, TR_ASK_JACOBIAN, 0, mh));
    if (c->positions) {
        memset(c->fresh + (size_t)mh * (size_t)c->size, 0,
               (size_t)c->k * (size_t)c->size * sizeof(double));
    } else {
        TR_TRY(renew_block(c, TR_ASK_PSI, TR_ASK_PSI_JACOBIAN, mh, c->k));
    }
    TR_TRY(tr_constrain_look(c, "a derivative", c->size, c->fresh));
    replace(c, c->A, c->fresh, (size_t)c->m * (size_t)c->size);
    return TR_OK;
}

static void negate(int count, double *x) {
    for (int i = 0; i < count; i++) {
        x[i] = -x[i];
    }
}

// phi and its b1.
static trStatus renew_levels(trConstrain *c) {
    const int mh = c->def.m;
    if (mh > 0) {
        TR_TRY(tr_constrain_ask(c, TR_ASK_PHI, c->t, c->x, NULL, c->phi));
        if (tr_constrain_gives(c, TR_ASK_B1)) {
            TR_TRY(tr_constrain_ask(c, TR_ASK_B1, c->t, c->x, NULL, c->b1));
        } else {
            const double step = TR_DIFFERENCE_STEP * c->def.time_scale;
            TR_TRY(
                tr_difference_first(c, TR_ASK_PHI, (trPath){1.0, c->still, c->still}, step, c->b1));
            negate(mh, c->b1);
        }
    }
    memset(c->phi + mh, 0, (size_t)c->k * sizeof *c->phi);
    return TR_OK;
}

// b1 = A v - psi.
static trStatus renew_psi(trConstrain *c) {
    const int mh = c->def.m;
    memset(c->b1 + mh, 0, (size_t)c->k * sizeof *c->b1);
    if (c->k == 0 || c->positions) {
        return TR_OK;
    }
    TR_TRY(tr_constrain_ask(c, TR_ASK_PSI, c->t, c->x, c->xdot, c->middle));
    tr_rows_mul(&c->equations.A, c->v_at, c->rate);
    for (int i = 0; i < c->k; i++) {
        c->b1[mh + i] = c->rate[mh + i] - c->middle[i];
    }
    return TR_OK;
}

static bool is_current(const trConstrain *c, double t, const double *q, const double *v) {
    const size_t bytes = (size_t)c->size * sizeof *q;
    return c->current && t == c->t && memcmp(q, c->q_at, bytes) == 0 &&
           (c->k == 0 || memcmp(v != NULL ? v : c->zero, c->v_at, bytes) == 0);
}

trStatus tr_constrain_evaluate(trConstrain *c, double t, const double *q, const double *v) {
    if (is_current(c, t, q, v)) {
        return TR_OK;
    }
    c->current = false;
    tr_constrain_place(c, t, q, v);
    TR_TRY(renew_levels(c));
    if (c->def.mass != NULL) {
        TR_TRY(renew_mass(c));
    } else {
        c->stamps++;  // M that is known by its solves only may have changed unseen
    }
    TR_TRY(renew_rows(c));
    TR_TRY(renew_psi(c));
    TR_TRY(tr_constrain_look(c, "a rate", 1, c->b1));
    c->equations.stamp = c->stamps;
    c->weighted.stamp = c->stamps;
    c->current = true;
    return TR_OK;
}

// b by differences means nothing where phi has a kink within their steps: entries of the scheme
// disagree then by about as much as they are.
static trStatus check_doubt(const trConstrain *c) {
    const double reach = tr_difference_reach_path(c);
    for (int i = 0; i < c->def.m; i++) {
        const double rounding = ROUNDING_B * (1.0 + fabs(c->phi[i])) / (reach * reach);
        if (c->doubt[i] > UNSETTLED * fabs(c->b[i]) + rounding) {
            return tr_fail(
                TR_NO_CONVERGENCE,
                "b of constraint '%s' by differences does not converge at t = %.9g (%.6g, "
                "uncertain by %.2g); has phi a kink there? Give a callback for b",
                c->names[i], c->t, c->b[i], c->doubt[i]);
        }
    }
    return TR_OK;
}

trStatus tr_constrain_evaluate_b(trConstrain *c) {
    const int mh = c->def.m;
    if (tr_constrain_gives(c, TR_ASK_B)) {
        TR_TRY(tr_constrain_ask(c, TR_ASK_B, c->t, c->x, c->xdot, c->b));
    } else if (mh > 0) {
        TR_TRY(tr_difference_second(c, c->b));
        negate(mh, c->b);
        TR_TRY(check_doubt(c));
    }
    if (tr_constrain_gives(c, TR_ASK_PSI_B)) {
        TR_TRY(tr_constrain_ask(c, TR_ASK_PSI_B, c->t, c->x, c->xdot, c->b + mh));
    } else if (c->k > 0) {
        const double step = TR_DIFFERENCE_STEP * tr_difference_reach_path(c);
        const trPath path = {.dt = 1.0, .dx = c->xdot, .dv = c->still};
        TR_TRY(tr_difference_first(c, TR_ASK_PSI, path, step, c->b + mh));
        negate(c->k, c->b + mh);
    }
    return tr_constrain_look(c, "b", 1, c->b);
}
