// SPDX-License-Identifier: MIT
#include "la/svd.h"

#include <lapacke.h>

#include "base/finite.h"

static trStatus decompose(trSvd *svd, double *workspace, int size) {
    int info =
        LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'S', 'S', svd->rows, svd->columns, svd->X, svd->rows,
                            svd->S, svd->U, svd->rows, svd->Vt, svd->count, workspace, size);
    if (info < 0) {
        return tr_fail(TR_E_EXTERNAL, "LAPACK dgesvd refused argument %d", -info);
    }
    return info == 0 ? TR_OK
                     : tr_fail(TR_NO_CONVERGENCE, "singular values: %d did not converge", info);
}

void tr_svd_plan(trArena *arena, int rows, int columns, trSvd *out) {
    trSvd  svd = {.rows = rows, .columns = columns, .count = rows < columns ? rows : columns};
    size_t count = (size_t)svd.count;
    svd.X = tr_new_array(arena, double, (size_t)rows *(size_t)columns);
    svd.U = tr_new_array(arena, double, (size_t)rows *count);
    svd.S = tr_new_array(arena, double, count);
    svd.Vt = tr_new_array(arena, double, count *(size_t)columns);
    if (tr_arena_status(arena) == TR_OK && svd.count > 0) {
        double answer = 1.0;
        svd.workspace_size = decompose(&svd, &answer, -1) == TR_OK ? (int)answer : 0;
        svd.workspace = tr_new_array(arena, double, svd.workspace_size);
    }
    *out = svd;
}

trStatus tr_svd_factor(trSvd *svd) {
    // LAPACK may not come back from entries that are no numbers.
    if (!tr_all_finite(svd->X, svd->rows * svd->columns)) {
        return tr_fail(TR_NO_CONVERGENCE, "singular values of a matrix that is not finite");
    }
    return svd->count == 0 ? TR_OK : decompose(svd, svd->workspace, svd->workspace_size);
}

void tr_svd_mul_vt(const trSvd *svd, int rank, const double *x, double *y) {
    for (int k = 0; k < rank; k++) {
        y[k] = 0.0;
        for (int j = 0; j < svd->columns; j++) {
            y[k] += svd->Vt[(size_t)j * (size_t)svd->count + (size_t)k] * x[j];
        }
    }
}

void tr_svd_mul_v(const trSvd *svd, int rank, const double *y, double *x) {
    for (int j = 0; j < svd->columns; j++) {
        x[j] = 0.0;
        for (int k = 0; k < rank; k++) {
            x[j] += svd->Vt[(size_t)j * (size_t)svd->count + (size_t)k] * y[k];
        }
    }
}
