// SPDX-License-Identifier: MIT
// A basis of the motions that the constraints leave free: the columns of Gamma span the null space
// of A,
//
//     A Gamma = 0        Gamma: n x (n - r), r the rank of A
//
// and a complement B of the rows of A, (n - r) x n, so that [A_r; B] can be inverted. B Gamma = I
// for all bases but lu. Matrices are stored column by column. See docs/theory/bases.md.

#ifndef TR_BASIS_BASIS_H
#define TR_BASIS_BASIS_H

#include <stdbool.h>

#include "base/field.h"
#include "base/registry.h"
#include "base/traits.h"

typedef struct trBasis {
    int     columns;  // n - r
    double *Gamma;    // n x columns
    double *B;        // columns x n
} trBasis;

typedef struct trBasisKind {
    const char *name;
    const char *summary;
    const char *source;
    unsigned    traits;       // TR_BY_UNITS: the rows B do
    bool        orthonormal;  // Gamma' Gamma = I
    bool        extracts;     // B: unit rows, chosen by the sizes of entries of A
    bool        continuous;   // stays close to `previous`, where one is given
    // Singular values of A (or pivots) up to this part of its Frobenius norm count as zero whatever
    // the tolerance: rounding could not tell them from it.
    double smallest;
    size_t size;  // of its work, which `plan` fills
    void (*plan)(trArena *arena, int n, int m, void *work);
    // Gamma, and B of a kind that extracts, from a finite A (m x n). Singular values (or pivots) up
    // to `threshold` count as zero. `previous` is NULL unless the kind is continuous.
    trStatus (*make)(void *work, const double *A, double threshold, const trBasis *previous,
                     trBasis *out);
} trBasisKind;

TR_REGISTRY(basis, trBasisKind);

// The option of kinds that need a basis.
typedef struct trBasisOptions {
    const char *basis;  // NULL: the default
} trBasisOptions;

extern const trField     tr_basis_fields[];
extern const char *const tr_basis_names[];     // then NULL
extern const trBasisKind tr_basis_extraction;  // whose B are coordinates

// The one that trBasisOptions name; NULL is the default.
const trBasisKind *tr_basis_chosen(const void *options);

// A kind at work on matrices of one size.
typedef struct trBasisMaker {
    const trBasisKind *kind;
    int                n, m;
    void              *work;
} trBasisMaker;

trStatus tr_basis_begin(trArena *arena, const trBasisKind *kind, int n, int m, trBasisMaker *out);
void     tr_basis_plan(trArena *arena, int n, trBasis *out);  // room for n columns
// A: m x n, rows divided by their nominal norms. Singular values (or pivots) of A up to `tolerance`
// count as zero. `previous` is NULL or another basis than `out`; one with another number of columns
// is not used. TR_NOT_FINITE, TR_NO_CONVERGENCE or TR_SINGULAR if it fails.
trStatus tr_basis_make(const trBasisMaker *maker, const double *A, double tolerance,
                       const trBasis *previous, trBasis *out);

#endif
