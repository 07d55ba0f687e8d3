// SPDX-License-Identifier: MIT
// Solves with the factors of blockldl.c: forward, divide and backward, column after column.

#include "base/small.h"
#include "la/blockldl.h"

// x_a = x_a - L_ap x_p for all a below p.
//
// Along a chain a disturbance dies out by a constant factor per node. What is left of it is set to
// zero before it becomes denormal, with which arithmetic is a hundred times slower.
TR_INLINE void forward(const trBlockLdl *b, const trBlockColumn *c, int size, double *x) {
    const int r = size > 0 ? size : c->size;
    double   *from = x + c->first;
    for (int k = 0; k < r; k++) {
        from[k] = tr_or_zero(from[k]);
    }
    for (int i = c->begin; i < c->end; i++) {
        const trBlockEntry *row = &b->entry[i];
        tr_subtract_product(size > 0 ? size : row->size, 1, r, b->factor + row->value, from,
                            x + row->first);
    }
}

// x_p = D_p^+ x_p - sum over a of L_ap' x_a.
TR_INLINE void backward(const trBlockLdl *b, const trBlockColumn *c, int size, double *x) {
    const int r = size > 0 ? size : c->size;
    double   *to = x + c->first, y[TR_BLOCK_MAX] = {0.0};
    if (size == 0 && c->firm) {
        tr_divide_block(1, r, to, b->factor + c->diagonal, y);
    } else {
        tr_scale_block(1, r, to, b->factor + c->diagonal, y);
    }
    for (int i = c->begin; i < c->end; i++) {
        const trBlockEntry *row = &b->entry[i];
        const int           ra = size > 0 ? size : row->size;
        const double       *L = b->factor + row->value, *from = x + row->first;
        for (int j = 0; j < r; j++) {
            for (int k = 0; k < ra; k++) {
                y[j] -= L[j * ra + k] * from[k];
            }
        }
    }
    for (int j = 0; j < r; j++) {
        to[j] = tr_or_zero(y[j]);
    }
}

TR_INLINE void sweep(const trBlockLdl *b, const trBlockColumn *c, int size, bool back, double *x) {
    if (back) {
        backward(b, c, size, x);
    } else {
        forward(b, c, size, x);
    }
}

// The size as a constant where all blocks of the column have it.
TR_INLINE void sweep_sized(const trBlockLdl *b, const trBlockColumn *c, bool back, double *x) {
    switch (c->uniform) {
    case 2:
        sweep(b, c, 2, back, x);
        break;
    case 3:
        sweep(b, c, 3, back, x);
        break;
    case 5:
        sweep(b, c, 5, back, x);
        break;
    case 6:
        sweep(b, c, 6, back, x);
        break;
    default:
        sweep(b, c, 0, back, x);
        break;
    }
}

void tr_block_solve(const trBlockLdl *b, double *x) {
    for (int k = 0; k < b->nodes; k++) {
        sweep_sized(b, &b->column[k], false, x);
    }
    for (int k = b->nodes - 1; k >= 0; k--) {
        sweep_sized(b, &b->column[k], true, x);
    }
}
