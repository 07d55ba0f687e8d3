// SPDX-License-Identifier: MIT
// Sparse LU factors that keep their pivots while the values change.
//
// A refactorization is two to three times cheaper than a factorization and allocates nothing, but
// it takes the pivots as they are. It is trusted while the reciprocal pivot growth
//
//     g = min over columns j of  max_i |(R^-1 A)_ij| / max_i |U_ij|
//
// stays above a fraction of what it was when the pivots were chosen, and no pivot vanishes. A pivot
// is nothing but rounding where it is small against its column:
//
//     |U_kk| <= TINY_PIVOT max_i |(R^-1 A)_ij|,   j = Q[k]
//
// The scaling by R and the comparison within a column leave little weight to the units of rows and
// of columns. Scaling the columns as well was tried and changed nothing.

#include "la/sparse.h"

#include <float.h>
#include <klu.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/keep.h"

// A diagonal entry is taken as pivot where it has this part of the largest in its column. KLU's own
// 0.001 costs up to three digits in each elimination, too much where rank is judged by pivots.
#define PIVOT_TOLERANCE 0.1
// Of its column. Rounding leaves some DBL_EPSILON of it, times the growth of rounding by ill
// conditioned leading blocks: fewer than one in a thousand random singular matrices leave more.
#define TINY_PIVOT (1024.0 * DBL_EPSILON)
#define GROWTH_KEPT 1e-3  // of the fresh g: pivots may cost three digits, not more
// Unknowns from which columns are ordered by COLAMD, which bounds the fill for any choice of
// pivots. AMD assumes pivots on the diagonal, which rows of constraints do not have: it gives up to
// a third less fill in small matrices, and ten times more in those of long mechanisms.
#define LARGE 200
#define KLU_AMD 0
#define KLU_COLAMD 1

struct trSparseFactor {
    klu_common    common;
    klu_symbolic *symbolic;
    klu_numeric  *numeric;       // NULL: none, or not to be used
    double        fresh_growth;  // g when the pivots were chosen
    bool          factored;      // there are factors
    double       *chosen;        // nonzeros: the values with which the pivots were chosen
    double       *latest;        // nonzeros: the values that are factored
};

static void release(void *object) {
    trSparseFactor *f = object;
    klu_free_numeric(&f->numeric, &f->common);
    klu_free_symbolic(&f->symbolic, &f->common);
}

static trStatus check_places(int n, int entries, const int *row, const int *column) {
    if (n < 0 || entries < 0) {
        return tr_fail(TR_E_ARGUMENT, "a sparse matrix cannot have %d rows and %d entries", n,
                       entries);
    }
    for (int e = 0; e < entries; e++) {
        if (row[e] < 0 || row[e] >= n || column[e] < 0 || column[e] >= n) {
            return tr_fail(TR_E_ARGUMENT, "entry %d at (%d, %d) is outside of the %d x %d matrix",
                           e, row[e], column[e], n, n);
        }
    }
    return TR_OK;
}

// Entries of the list, by increasing row. `start` is memory, n + 1.
static void sort_by_row(int n, int entries, const int *row, int *start, int *order) {
    for (int e = 0; e < entries; e++) {
        start[row[e] + 1]++;
    }
    for (int i = 0; i < n; i++) {
        start[i + 1] += start[i];
    }
    for (int e = 0; e < entries; e++) {
        order[start[row[e]]++] = e;
    }
}

// Walks over the entries by rows, so that those of one place follow each other in their column, and
// gives the place of each entry in its column, counted from `from[j]`. On return `next[j]` is the
// end of column j. `last`, n, is memory.
static void number_places(const trSparse *A, const int *order, const int *row, const int *column,
                          int *next, int *last) {
    for (int j = 0; j < A->n; j++) {
        last[j] = -1;
    }
    for (int k = 0; k < A->entries; k++) {
        int e = order[k], j = column[e];
        if (last[j] != row[e]) {
            last[j] = row[e];
            next[j]++;
        }
        A->position[e] = next[j] - 1;
    }
}

static trStatus plan_pattern(trArena *arena, const int *row, const int *column, trSparse *A) {
    int  n = A->n, entries = A->entries;
    int *start = tr_new_array(arena, int, (size_t)n + 1);
    int *order = tr_new_array(arena, int, entries);
    int *next = tr_new_array(arena, int, n);
    int *last = tr_new_array(arena, int, n);
    A->column = tr_new_array(arena, int, (size_t)n + 1);
    A->position = tr_new_array(arena, int, entries);
    TR_TRY(tr_arena_status(arena));

    // The first walk only counts: all columns start at zero.
    sort_by_row(n, entries, row, start, order);
    number_places(A, order, row, column, next, last);
    for (int j = 0; j < n; j++) {
        A->column[j + 1] = A->column[j] + next[j];
        next[j] = A->column[j];
    }
    number_places(A, order, row, column, next, last);

    A->nonzeros = A->column[n];
    A->row = tr_new_array(arena, int, A->nonzeros);
    A->value = tr_new_array(arena, double, A->nonzeros);
    TR_TRY(tr_arena_status(arena));
    for (int e = 0; e < entries; e++) {
        A->row[A->position[e]] = row[e];
    }
    return TR_OK;
}

static trStatus factor_again(void *matrix);

static trStatus keep(trArena *arena, trSparse *A) {
    trSparseFactor *f = A->factor;
    f->chosen = tr_new_array(arena, double, A->nonzeros);
    f->latest = tr_new_array(arena, double, A->nonzeros);
    tr_keep_bool(arena, &f->factored);
    tr_keep_double(arena, &f->fresh_growth);
    tr_keep_count(arena, &A->factorizations);
    tr_keep_count(arena, &A->refactorizations);
    tr_keep_remake(arena, factor_again, A);
    return tr_arena_status(arena);
}

static trStatus klu_trouble(const klu_common *common, const char *what) {
    if (common->status == KLU_OUT_OF_MEMORY || common->status == KLU_TOO_LARGE) {
        return tr_fail(TR_E_MEMORY, "out of memory in %s", what);
    }
    return tr_fail(TR_E_EXTERNAL, "%s failed with status %d", what, common->status);
}

trStatus tr_sparse_plan(trArena *arena, int n, int entries, const int *row, const int *column,
                        trSparse *out) {
    trSparse A = {.n = n, .entries = entries};
    TR_TRY(check_places(n, entries, row, column));
    TR_TRY(plan_pattern(arena, row, column, &A));
    A.factor = tr_new(arena, trSparseFactor);
    TR_TRY(tr_arena_status(arena));

    klu_defaults(&A.factor->common);
    A.factor->common.tol = PIVOT_TOLERANCE;
    A.factor->common.ordering = n < LARGE ? KLU_AMD : KLU_COLAMD;
    // KLU would stop at a pivot that is exactly zero, also where an earlier one is rounding, which
    // tells the dependent columns. Our own check looks at all pivots in order.
    A.factor->common.halt_if_singular = 0;
    tr_arena_defer(arena, release, A.factor);
    TR_TRY(tr_arena_status(arena));
    if (n > 0) {
        A.factor->symbolic = klu_analyze(n, A.column, A.row, &A.factor->common);
        if (A.factor->symbolic == NULL) {
            return klu_trouble(&A.factor->common, "klu_analyze");
        }
    }
    *out = A;
    return keep(arena, out);
}

void tr_sparse_clear(trSparse *A) {
    for (int i = 0; i < A->nonzeros; i++) {
        A->value[i] = 0.0;
    }
}

static trStatus fail_at(trStatus status, int column, int *out) {
    if (out != NULL) {
        *out = column;
    }
    return tr_fail(status, "column %d of a sparse matrix, counted from 0, %s", column,
                   status == TR_SINGULAR ? "depends on others" : "is not finite");
}

static trStatus check_values(const trSparse *A, int *bad_column) {
    for (int j = 0; j < A->n; j++) {
        for (int i = A->column[j]; i < A->column[j + 1]; i++) {
            if (!isfinite(A->value[i])) {
                return fail_at(TR_NOT_FINITE, j, bad_column);
            }
        }
    }
    return TR_OK;
}

// Judges the pivots against their columns, by the formula at the head of the file. KLU stores R in
// the order of the pivots.
static trStatus check_pivots(const trSparse *A, int *bad_column) {
    const klu_numeric *numeric = A->factor->numeric;
    const double      *pivot = numeric->Udiag;
    for (int k = 0; k < A->n; k++) {
        int    j = A->factor->symbolic->Q[k];
        double largest = 0.0;
        for (int i = A->column[j]; i < A->column[j + 1]; i++) {
            largest = fmax(largest, fabs(A->value[i]) / numeric->Rs[numeric->Pinv[A->row[i]]]);
        }
        if (!isfinite(pivot[k])) {
            return fail_at(TR_NOT_FINITE, j, bad_column);
        }
        if (fabs(pivot[k]) <= TINY_PIVOT * largest) {
            return fail_at(TR_SINGULAR, j, bad_column);
        }
    }
    return TR_OK;
}

static double pivot_growth(const trSparse *A) {
    trSparseFactor *f = A->factor;
    bool ok = klu_rgrowth(A->column, A->row, A->value, f->symbolic, f->numeric, &f->common) != 0;
    return ok ? f->common.rgrowth : 0.0;
}

// With the pivots there are; false where they are no longer good.
static bool refactor(trSparse *A) {
    trSparseFactor *f = A->factor;
    A->refactorizations++;
    return klu_refactor(A->column, A->row, A->value, f->symbolic, f->numeric, &f->common) != 0 &&
           f->common.status == KLU_OK && pivot_growth(A) >= GROWTH_KEPT * f->fresh_growth &&
           check_pivots(A, NULL) == TR_OK;
}

static trStatus factor_afresh(trSparse *A, int *bad_column) {
    trSparseFactor *f = A->factor;
    A->factorizations++;
    klu_free_numeric(&f->numeric, &f->common);
    f->numeric = klu_factor(A->column, A->row, A->value, f->symbolic, &f->common);
    if (f->numeric == NULL) {
        return klu_trouble(&f->common, "klu_factor");
    }
    A->fill = f->numeric->lnz + f->numeric->unz;
    TR_TRY(check_pivots(A, bad_column));
    f->fresh_growth = pivot_growth(A);
    memcpy(f->chosen, A->value, (size_t)A->nonzeros * sizeof(double));
    return TR_OK;
}

// After numbers were restored: the factors that there were, by the same operations. Pivots depend
// on the values with which they were chosen, and factors on the latest ones alone.
static trStatus factor_again(void *matrix) {
    trSparse       *A = matrix;
    trSparseFactor *f = A->factor;
    size_t          bytes = (size_t)A->nonzeros * sizeof(double);
    klu_free_numeric(&f->numeric, &f->common);
    if (!f->factored || A->n == 0) {
        return TR_OK;
    }
    memcpy(A->value, f->chosen, bytes);
    TR_TRY(check_values(A, NULL));
    TR_TRY(factor_afresh(A, NULL));
    if (memcmp(f->chosen, f->latest, bytes) == 0) {
        return TR_OK;
    }
    memcpy(A->value, f->latest, bytes);
    TR_TRY(check_values(A, NULL));
    int done = klu_refactor(A->column, A->row, A->value, f->symbolic, f->numeric, &f->common);
    return done != 0 ? TR_OK : klu_trouble(&f->common, "klu_refactor");
}

trStatus tr_sparse_factor(trSparse *A, int *singular_column) {
    trSparseFactor *f = A->factor;
    if (A->n == 0) {
        return TR_OK;
    }
    trStatus status = check_values(A, singular_column);
    if (status == TR_OK && (f->numeric == NULL || !refactor(A))) {
        status = factor_afresh(A, singular_column);
    }
    f->factored = status == TR_OK;
    if (status == TR_OK) {
        memcpy(f->latest, A->value, (size_t)A->nonzeros * sizeof(double));
    } else {
        klu_free_numeric(&f->numeric, &f->common);
    }
    return status;
}

void tr_sparse_solve(const trSparse *A, double *x) {
    if (A->n > 0) {
        trSparseFactor *f = A->factor;
        klu_solve(f->symbolic, f->numeric, A->n, 1, x, &f->common);
    }
}

void tr_sparse_free(trSparse *A) {
    release(A->factor);
}
