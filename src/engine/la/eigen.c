// SPDX-License-Identifier: MIT

#include "la/eigen.h"

#include <lapacke.h>

#include "base/finite.h"

static trStatus decompose(trEigen *e, double *workspace, int size) {
    int    low = 0, high = 0, unused = 0;
    double norm = 0.0, none = 0.0;
    int    info = LAPACKE_dgeevx_work(LAPACK_COL_MAJOR, 'B', 'N', 'V', 'N', e->n, e->X, e->n, e->re,
                                      e->im, NULL, 1, e->V, e->n, &low, &high, e->scale, &norm, &none,
                                      &none, workspace, size, &unused);
    if (info < 0) {
        return tr_fail(TR_E_EXTERNAL, "LAPACK dgeevx refused argument %d", -info);
    }
    return info == 0 ? TR_OK : tr_fail(TR_NO_CONVERGENCE, "eigenvalues: %d did not converge", info);
}

void tr_eigen_plan(trArena *arena, int n, trEigen *out) {
    trEigen e = {.n = n};
    size_t  size = (size_t)n * (size_t)n;
    e.X = tr_new_array(arena, double, size);
    e.V = tr_new_array(arena, double, size);
    e.re = tr_new_array(arena, double, n);
    e.im = tr_new_array(arena, double, n);
    e.scale = tr_new_array(arena, double, n);
    if (tr_arena_status(arena) == TR_OK && n > 0) {
        double answer = 1.0;
        e.workspace_size = decompose(&e, &answer, -1) == TR_OK ? (int)answer : 0;
        e.workspace = tr_new_array(arena, double, e.workspace_size);
    }
    *out = e;
}

trStatus tr_eigen_factor(trEigen *e) {
    // LAPACK may not come back from entries that are no numbers.
    if (!tr_all_finite(e->X, e->n * e->n)) {
        return tr_fail(TR_NO_CONVERGENCE, "eigenvalues of a matrix that is not finite");
    }
    return e->n == 0 ? TR_OK : decompose(e, e->workspace, e->workspace_size);
}
