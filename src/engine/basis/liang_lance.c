// SPDX-License-Identifier: MIT
// Free motions that follow those of the state before, by Gram-Schmidt orthogonalization.
//
//     V = [V1 V2] = GSO[A' E']        Gamma = V2,  E' = Gamma of the state before
//
// Columns of E' keep their order, so that V2 is a smooth function of A as long as E A' has no row
// that V1 swallows. Where one nearly does (the basis before is stale), and where there is none or
// one of another size, it is gram_schmidt.
// Reference: Liang and Lance, J. Mech. Transm. Autom. Des. 109 (1987) 405-411.

#include <string.h>

#include "basis/orthogonalize.h"
#include "basis/parts.h"

#define SMALLEST 1e-13  // rounding leaves about n eps of a rest that is zero
#define STALE 0.01      // rest of a unit column of E' that is too small to follow

static trStatus plan(trArena *arena, int n, int m, void **work) {
    trOrthogonal *o = tr_new(arena, trOrthogonal);
    if (o != NULL) {
        tr_orthogonal_plan(arena, n, m, o);
    }
    *work = o;
    return tr_arena_status(arena);
}

// All columns of `previous`, or none.
static void follow(trOrthogonal *o, const trBasis *previous) {
    const int rank = o->count;
    for (int k = 0; k < previous->columns; k++) {
        if (!tr_orthogonal_add(o, previous->Gamma + (size_t)k * (size_t)o->n, STALE)) {
            o->count = rank;
            return;
        }
    }
}

static trStatus make(void *work, const double *A, double tolerance, const trBasis *previous,
                     trBasis *out) {
    trOrthogonal *o = work;
    double        threshold = 0.0;
    const size_t  n = (size_t)o->n;
    TR_TRY(tr_basis_threshold(A, (size_t)o->m * n, tolerance, SMALLEST, &threshold));
    tr_orthogonal_rows(o, A, threshold);
    const size_t rank = (size_t)o->count;
    out->columns = o->n - o->count;
    if (previous != NULL && previous->columns == out->columns) {
        follow(o, previous);
    }
    tr_orthogonal_complete(o);
    memcpy(out->Gamma, o->V + rank * n, (n - rank) * n * sizeof(double));
    tr_basis_transposed_complement(o->n, out);
    return TR_OK;
}

const trBasisKind tr_basis_liang_lance = {
    .name = "liang_lance",
    .summary = "the basis before, made perpendicular to the rows of A by Gram-Schmidt; continuous",
    .source = "Liang & Lance 1987; Laulusa & Bauchau 2008, section 4.2",
    .traits = TR_BY_UNITS,
    .orthonormal = true,
    .continuous = true,
    .smallest = SMALLEST,
    .plan = plan,
    .make = make,
};
