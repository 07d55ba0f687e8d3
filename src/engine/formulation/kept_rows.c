// SPDX-License-Identifier: MIT
#include "formulation/kept_rows.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

trStatus tr_kept_rows_begin(trArena *arena, const trEquations *e, trSolveOnce once, size_t bytes,
                            void **work) {
    const size_t n = (size_t)e->nv, m = (size_t)e->m;
    TR_TRY(tr_metric_begin(arena, e, bytes, work));
    trKeptRows *out = *work;
    out->length = tr_new_array(arena, double, m);
    out->A = tr_new_array(arena, double, m *n);
    out->M_Gamma = tr_new_array(arena, double, n *n);
    out->inertia = tr_new_array(arena, double, n *n);
    out->diagonal = tr_new_array(arena, double, n);
    out->motion = tr_new_array(arena, double, n);
    out->right = tr_new_array(arena, double, m);
    return tr_metric_refines(arena, e, once, out);
}

// Rows of A with length one, in the order that they have; zeros where they are dropped.
static void scale_rows(trKeptRows *k) {
    const size_t n = (size_t)k->metric.n, m = (size_t)k->metric.m;
    memcpy(k->A, k->metric.A, m * n * sizeof(double));
    for (size_t i = 0; i < m; i++) {
        const size_t row = (size_t)k->metric.qr.pivot[i];
        double       sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            sum += k->A[j * m + row] * k->A[j * m + row];
        }
        const bool kept = i < (size_t)k->metric.qr.rank;
        k->length[row] = kept ? sqrt(sum) : 1.0;
        for (size_t j = 0; j < n; j++) {
            k->A[j * m + row] = kept ? k->A[j * m + row] / k->length[row] : 0.0;
        }
    }
}

trStatus tr_kept_rows_factor(trKeptRows *k, const trEquations *e) {
    TR_TRY(tr_metric_balanced(&k->metric, e));
    TR_TRY(tr_metric_judge(&k->metric, e));
    scale_rows(k);
    return TR_OK;
}

// The velocity that moves most in the motion x = Gamma z without inertia: l'z = 0 up to `last`,
// where Cholesky's method stopped.
static int moves_most(const trKeptRows *k, const trBasis *basis, int last) {
    const size_t n = (size_t)k->metric.n, c = (size_t)basis->columns;
    double      *z = k->motion, most = -1.0;
    int          best = 0;
    z[last] = 1.0;
    for (int i = last - 1; i >= 0; i--) {
        double sum = 0.0;
        for (int j = i + 1; j <= last; j++) {
            sum -= k->inertia[(size_t)i * c + (size_t)j] * z[j];
        }
        z[i] = sum / k->inertia[(size_t)i * c + (size_t)i];
    }
    for (size_t i = 0; i < n; i++) {
        double x = 0.0;
        for (int j = 0; j <= last; j++) {
            x += basis->Gamma[(size_t)j * n + i] * z[j];
        }
        if (fabs(x) > most) {
            most = fabs(x);
            best = (int)i;
        }
    }
    return best;
}

trStatus tr_kept_rows_inertia(trKeptRows *k, const trEquations *e, const trBasis *basis) {
    const size_t n = (size_t)k->metric.n, c = (size_t)basis->columns;
    for (size_t j = 0; j < c; j++) {
        tr_mass_mul(&e->M, basis->Gamma + j * n, k->M_Gamma + j * n);
    }
    tr_gram((int)n, (int)c, basis->Gamma, k->M_Gamma, k->inertia);
    int      last = -1;
    trStatus status = tr_cholesky_factor(basis->columns, k->inertia, k->diagonal, &last);
    if (status == TR_SINGULAR) {
        k->metric.free_column = moves_most(k, basis, last);
        return tr_dense_no_inertia(k->metric.free_column);
    }
    return status;
}

const double *tr_kept_rows_right(trKeptRows *k, const double *b) {
    tr_divide(k->metric.m, b, k->length, k->right);
    return k->right;
}

void tr_kept_rows_accelerate(const trKeptRows *k, const trBasis *basis, const trEquations *e,
                             const double *F, double *a, double *force, double *z) {
    tr_constraint_force(e, F, a, force);
    tr_dot_columns(e->nv, basis->columns, basis->Gamma, force, z);
    tr_cholesky_forward(basis->columns, k->inertia, 1, z);
    tr_cholesky_backward(basis->columns, k->inertia, z);
    tr_add_columns(e->nv, basis->columns, basis->Gamma, z, a);
    tr_constraint_force(e, F, a, force);
}

void tr_kept_rows_multipliers(const trKeptRows *k, trRrqr *qr, double *force, double *lambda) {
    tr_rrqr_mul_qt(qr, force);
    tr_rrqr_solve_r(qr, force);
    tr_rrqr_spread(qr, force, k->length, lambda);
}
