// SPDX-License-Identifier: MIT
// Singular value decomposition.
//
//     X = U S V'        S: diagonal, decreasing
//
// Matrices are stored column by column. All memory is planned; nothing is allocated later.

#ifndef TR_LA_SVD_H
#define TR_LA_SVD_H

#include "base/arena.h"

typedef struct trSvd {
    int     rows, columns, count;  // count = min(rows, columns): singular values
    double *X;                     // rows x columns: filled by the caller, then destroyed
    double *U;                     // rows x count
    double *S;                     // count
    double *Vt;                    // count x columns
    double *workspace;             // workspace_size
    int     workspace_size;
} trSvd;

void tr_svd_plan(trArena *arena, int rows, int columns, trSvd *out);
// TR_NO_CONVERGENCE where the iteration of LAPACK fails, as it does with entries that are no
// numbers.
trStatus tr_svd_factor(trSvd *svd);

// With the leading `rank` columns of V: y = V_r' x, x = V_r y.
void tr_svd_mul_vt(const trSvd *svd, int rank, const double *x, double *y);
void tr_svd_mul_v(const trSvd *svd, int rank, const double *y, double *x);

#endif
