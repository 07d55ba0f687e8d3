// SPDX-License-Identifier: MIT
#include "formulation/fundamental_equation.h"

#include <string.h>

#include "base/keep.h"
#include "la/dense.h"

trStatus tr_gauge_factor(int n, double weight, const char *added, double *L, double *diagonal) {
    const trStatus status = tr_cholesky_factor(n, L, diagonal, NULL);
    return status != TR_SINGULAR
               ? status
               : tr_fail(status,
                         "M + %g %s is singular to working precision: choose a gauge that balances "
                         "M and A better",
                         weight, added);
}

void tr_fundamental_plan(trArena *arena, const trEquations *e, trFundamental *out) {
    tr_svd_plan(arena, e->nv, e->m, &out->svd);
    out->scaled = tr_new_array(arena, double, e->m);
    out->w = tr_new_array(arena, double, e->m);
    out->c = tr_new_array(arena, double, e->m);
    tr_keep_int(arena, &out->rank, 0, out->svd.count);
}

trStatus tr_fundamental_factor(trFundamental *f, const double *Y, int rank) {
    f->rank = rank;
    memcpy(f->svd.X, Y, (size_t)f->svd.rows * (size_t)f->svd.columns * sizeof(double));
    return tr_svd_factor(&f->svd);
}

void tr_fundamental_solve(trFundamental *f, const double *L, const double *scale, const double *F,
                          const double *b, double *a, double *lambda) {
    const trSvd *svd = &f->svd;
    memmove(a, F, (size_t)svd->rows * sizeof(double));
    tr_cholesky_forward(svd->rows, L, 1, a);
    tr_divide(svd->columns, b, scale, f->scaled);
    tr_dot_columns(svd->rows, f->rank, svd->U, a, f->w);
    tr_svd_mul_vt(svd, f->rank, f->scaled, f->c);
    for (int k = 0; k < f->rank; k++) {
        f->w[k] -= f->c[k] / svd->S[k];
    }
    tr_subtract_columns(svd->rows, f->rank, svd->U, f->w, a);
    tr_cholesky_backward(svd->rows, L, a);
    tr_divide(f->rank, f->w, svd->S, f->w);
    tr_svd_mul_v(svd, f->rank, f->w, lambda);
    tr_divide(svd->columns, lambda, scale, lambda);
}
