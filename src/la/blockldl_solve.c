// SPDX-License-Identifier: MIT
// Solves with the factors of blockldl.c: forward, divide and backward, column after column.

#include "la/blockldl.h"

#include <math.h>
#include <stdbool.h>

#include "la/blocks.h"

#define NOTHING 1e-100  // zero beside anything

TR_INLINE double or_zero(double x) {
    return fabs(x) < NOTHING ? 0.0 : x;
}

// x_a = x_a - L_ap x_p for all a below p.
//
// Along a chain a disturbance dies out by a constant factor per node. What is left of it is set to
// zero before it becomes denormal, with which arithmetic is a hundred times slower.
TR_INLINE void solve_forward(const trBlockLdl *b, const trBlockColumn *c, int size, double *x) {
    const int r = size > 0 ? size : c->size;
    double   *from = x + c->first;
    for (int k = 0; k < r; k++) {
        from[k] = or_zero(from[k]);
    }
    for (int i = c->begin; i < c->end; i++) {
        const trBlockEntry *row = &b->entry[i];
        subtract_product(size > 0 ? size : row->size, 1, r, b->factor + row->value, from,
                         x + row->first);
    }
}

// x_p = D_p^+ x_p - sum over a of L_ap' x_a.
TR_INLINE void solve_backward(const trBlockLdl *b, const trBlockColumn *c, int size, double *x) {
    const int r = size > 0 ? size : c->size;
    double   *to = x + c->first, y[TR_BLOCK_MAX];
    scale_row(r, size == 0 && c->firm, to, b->factor + c->diagonal, y);
    for (int i = c->begin; i < c->end; i++) {
        const trBlockEntry *row = &b->entry[i];
        const double       *L = b->factor + row->value, *from = x + row->first;
        for (int k = 0; k < (size > 0 ? size : row->size); k++) {
            for (int j = 0; j < r; j++) {
                y[j] -= L[k * r + j] * from[k];
            }
        }
    }
    for (int j = 0; j < r; j++) {
        to[j] = or_zero(y[j]);
    }
}

// Both again for a pair that is coupled with pairs.
TR_INLINE void solve_pair_forward(const trBlockLdl *b, const trBlockColumn *c, double *x) {
    double x0 = or_zero(x[c->first]), x1 = or_zero(x[c->first + 1]);
    x[c->first] = x0;
    x[c->first + 1] = x1;
    for (int i = c->begin; i < c->end; i++) {
        const double *L = b->factor + b->entry[i].value;
        double       *to = x + b->entry[i].first;
        to[0] -= L[0] * x0 + L[1] * x1;
        to[1] -= L[2] * x0 + L[3] * x1;
    }
}

TR_INLINE void solve_pair_backward(const trBlockLdl *b, const trBlockColumn *c, double *x) {
    double y[2];
    scale_pair(x + c->first, b->factor + c->diagonal, y);
    double y0 = y[0], y1 = y[1];
    for (int i = c->begin; i < c->end; i++) {
        const double *L = b->factor + b->entry[i].value, *from = x + b->entry[i].first;
        y0 -= L[0] * from[0] + L[2] * from[1];
        y1 -= L[1] * from[0] + L[3] * from[1];
    }
    x[c->first] = or_zero(y0);
    x[c->first + 1] = or_zero(y1);
}

static void solve_forward_sized(const trBlockLdl *b, const trBlockColumn *c, double *x) {
    switch (c->uniform) {
    case 2:
        solve_pair_forward(b, c, x);
        break;
    case 3:
        solve_forward(b, c, 3, x);
        break;
    case 5:
        solve_forward(b, c, 5, x);
        break;
    case 6:
        solve_forward(b, c, 6, x);
        break;
    default:
        solve_forward(b, c, 0, x);
        break;
    }
}

static void solve_backward_sized(const trBlockLdl *b, const trBlockColumn *c, double *x) {
    switch (c->uniform) {
    case 2:
        solve_pair_backward(b, c, x);
        break;
    case 3:
        solve_backward(b, c, 3, x);
        break;
    case 5:
        solve_backward(b, c, 5, x);
        break;
    case 6:
        solve_backward(b, c, 6, x);
        break;
    default:
        solve_backward(b, c, 0, x);
        break;
    }
}

void tr_block_solve(const trBlockLdl *b, double *x) {
    for (int k = 0; k < b->nodes; k++) {
        solve_forward_sized(b, &b->column[k], x);
    }
    for (int k = b->nodes - 1; k >= 0; k--) {
        solve_backward_sized(b, &b->column[k], x);
    }
}
