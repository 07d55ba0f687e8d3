// SPDX-License-Identifier: MIT
#include "basis/parts.h"

#include <math.h>
#include <string.h>

trStatus tr_basis_threshold(const double *A, size_t count, double tolerance, double smallest,
                            double *threshold) {
    double sum = 0.0;
    for (size_t k = 0; k < count; k++) {
        sum += A[k] * A[k];
    }
    if (!isfinite(sum)) {
        return tr_fail(TR_NOT_FINITE, "gradients of the constraints are not finite");
    }
    *threshold = fmax(tolerance, smallest * sqrt(sum));
    return TR_OK;
}

void tr_basis_transpose(int m, int n, const double *A, double *At) {
    for (size_t i = 0; i < (size_t)n; i++) {
        for (size_t k = 0; k < (size_t)m; k++) {
            At[k * (size_t)n + i] = A[i * (size_t)m + k];
        }
    }
}

void tr_basis_transposed_complement(int n, trBasis *basis) {
    tr_basis_transpose(n, basis->columns, basis->Gamma, basis->B);
}

trStatus tr_basis_by_qr(trRrqr *qr, const double *A, double threshold, trBasis *out) {
    tr_basis_transpose(qr->columns, qr->rows, A, qr->X);
    TR_TRY(tr_rrqr_factor(qr, threshold));
    tr_basis_from_qr(qr, out);
    return TR_OK;
}

void tr_basis_from_qr(trRrqr *qr, trBasis *out) {
    const size_t n = (size_t)qr->rows;
    out->columns = qr->rows - qr->rank;
    memset(out->Gamma, 0, n * (size_t)out->columns * sizeof(double));
    for (size_t j = 0; j < (size_t)out->columns; j++) {
        out->Gamma[j * n + (size_t)qr->rank + j] = 1.0;
        tr_rrqr_mul_q(qr, out->Gamma + j * n);
    }
    tr_basis_transposed_complement(qr->rows, out);
}
