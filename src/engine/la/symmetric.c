// SPDX-License-Identifier: MIT
#include "la/symmetric.h"

#include <lapacke.h>
#include <stddef.h>

trStatus tr_symmetric_eigen(int n, double *matrix, double *values, double *work) {
    int info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', n, matrix, n, values, work, 4 * n);
    if (info != 0) {
        return tr_fail(TR_E_EXTERNAL, "LAPACK dsyev gave %d", info);
    }
    return TR_OK;
}

trStatus tr_symmetric_root(int n, double *matrix, int *pivot, double *work) {
    int rank = 0;
    // Below 0, dpstrf stops at n eps times the largest diagonal entry.
    int info = LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', n, matrix, n, pivot, &rank, -1.0, work);
    if (info < 0) {
        return tr_fail(TR_E_EXTERNAL, "LAPACK dpstrf refused argument %d", -info);
    }
    for (int j = 0; j < n; j++) {
        pivot[j] -= 1;  // LAPACK counts from 1.
        for (int i = 0; i < (j < rank ? j : n); i++) {
            matrix[i + (ptrdiff_t)j * n] = 0.0;
        }
    }
    return TR_OK;
}
