// SPDX-License-Identifier: MIT
// QR factorization with column pivoting and a rank decision.
//
//     X P = Q R        rank r: the leading |R_kk| that are above the tolerance
//
// Matrices are stored column by column. All memory is planned; nothing is allocated later.

#ifndef TR_LA_RRQR_H
#define TR_LA_RRQR_H

#include "base/arena.h"
#include "base/shared.h"

typedef struct trRrqr {
    int     rows, columns;
    int     rank;       // of the last factorization
    double *X;          // rows x columns: filled by the caller, then holds Q and R
    int    *pivot;      // columns: which column of X became column k, counted from 0
    double *tau;        // min(rows, columns): scalars of the reflectors
    double *workspace;  // workspace_size
    int     workspace_size;
    double  smallest;         // the last pivot above the tolerance, whichever columns are kept then
    int     smallest_column;  // and its column, or -1
} trRrqr;

void tr_rrqr_plan(trArena *arena, int rows, int columns, trRrqr *out) TR_SHARED;

// Factors qr->X in place. `tolerance` is absolute: scale the columns before.
trStatus tr_rrqr_factor(trRrqr *qr, double tolerance) TR_SHARED;

// The same, but of columns that depend on each other the first ones are kept, not those with the
// largest pivots: a choice that does not change when X does a little. Columns in `last` (NULL:
// none) come after all others. Where the two disagree on the rank the pivots decide. `memory`: 2
// rows x columns.
trStatus tr_rrqr_factor_first(trRrqr *qr, double tolerance, const bool *last, double *memory);

// |R_kk|, k < min(rows, columns).
double tr_rrqr_pivot_size(const trRrqr *qr, int k);

void tr_rrqr_list_dropped(const trRrqr *qr, int *dropped);  // columns - rank: those not kept
// x (columns) = y (rank) at the columns kept, divided by their `scale`; 0 at others.
void tr_rrqr_spread(const trRrqr *qr, const double *y, const double *scale, double *x);

void tr_rrqr_mul_qt(trRrqr *qr, double *x) TR_SHARED;         // x = Q' x, rows
void tr_rrqr_mul_q(trRrqr *qr, double *x) TR_SHARED;          // x = Q x, rows
void tr_rrqr_solve_r(const trRrqr *qr, double *x) TR_SHARED;  // x = R_r \ x, rank
void tr_rrqr_solve_rt(const trRrqr *qr, double *x);           // x = R_r' \ x, rank

#endif
