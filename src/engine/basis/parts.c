// SPDX-License-Identifier: MIT
#include "basis/parts.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

trStatus tr_basis_begin(trArena *arena, const trBasisKind *kind, int n, int m, trBasisMaker *out) {
    *out = (trBasisMaker){kind, n, m, tr_arena_take(arena, 1, kind->size)};
    if (out->work != NULL) {
        kind->plan(arena, n, m, out->work);
    }
    return tr_arena_status(arena);
}

void tr_basis_plan(trArena *arena, int n, trBasis *out) {
    *out = (trBasis){0};
    out->Gamma = tr_new_array(arena, double, (size_t)n *(size_t)n);
    out->B = tr_new_array(arena, double, (size_t)n *(size_t)n);
}

trStatus tr_basis_make(const trBasisMaker *maker, const double *A, double tolerance,
                       const trBasis *previous, trBasis *out) {
    const trBasisKind *kind = maker->kind;
    const double       norm = tr_length(maker->m * maker->n, A);
    if (!isfinite(norm)) {
        return tr_fail(TR_NOT_FINITE, "gradients of the constraints are not finite");
    }
    TR_TRY(kind->make(maker->work, A, fmax(tolerance, kind->smallest * norm),
                      kind->continuous ? previous : NULL, out));
    if (!kind->extracts) {
        tr_transpose(maker->n, out->columns, out->Gamma, out->B);
    }
    return TR_OK;
}

trStatus tr_basis_by_qr(trRrqr *qr, const double *A, double threshold, trBasis *out) {
    const size_t n = (size_t)qr->rows;
    tr_transpose(qr->columns, qr->rows, A, qr->X);
    TR_TRY(tr_rrqr_factor(qr, threshold));
    out->columns = qr->rows - qr->rank;
    memset(out->Gamma, 0, n * (size_t)out->columns * sizeof(double));
    for (size_t j = 0; j < (size_t)out->columns; j++) {
        out->Gamma[j * n + (size_t)qr->rank + j] = 1.0;
        tr_rrqr_mul_q(qr, out->Gamma + j * n);
    }
    return TR_OK;
}
