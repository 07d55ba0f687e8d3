// SPDX-License-Identifier: MIT
// Free motions by Gram-Schmidt orthogonalization.
//
//     V = [V1 V2] = GSO[A' I]        Gamma = V2
//
// Rows of A are taken with the largest rest first, then unit vectors in the same way; each is
// orthogonalized twice, which keeps V orthonormal to rounding whatever the condition of A.
// Reference: Laulusa and Bauchau, J. Comput. Nonlinear Dyn. 3 (2008) 011004, section 4.1.

#include <string.h>

#include "basis/orthogonalize.h"
#include "basis/parts.h"

#define SMALLEST 1e-13  // rounding leaves about n eps of a rest that is zero

static trStatus plan(trArena *arena, int n, int m, void **work) {
    trOrthogonal *o = tr_new(arena, trOrthogonal);
    if (o != NULL) {
        tr_orthogonal_plan(arena, n, m, o);
    }
    *work = o;
    return tr_arena_status(arena);
}

static trStatus make(void *work, const double *A, double tolerance, const trBasis *previous,
                     trBasis *out) {
    trOrthogonal *o = work;
    double        threshold = 0.0;
    const size_t  n = (size_t)o->n;
    (void)previous;
    TR_TRY(tr_basis_threshold(A, (size_t)o->m * n, tolerance, SMALLEST, &threshold));
    tr_orthogonal_rows(o, A, threshold);
    const size_t rank = (size_t)o->count;
    out->columns = o->n - o->count;
    tr_orthogonal_complete(o);
    memcpy(out->Gamma, o->V + rank * n, (n - rank) * n * sizeof(double));
    tr_basis_transposed_complement(o->n, out);
    return TR_OK;
}

const trBasisKind tr_basis_gram_schmidt = {
    .name = "gram_schmidt",
    .summary = "completes the rows of A by Gram-Schmidt with pivoting, twice",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = TR_BY_UNITS,
    .orthonormal = true,
    .smallest = SMALLEST,
    .plan = plan,
    .make = make,
};
