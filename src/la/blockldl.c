// SPDX-License-Identifier: MIT
#include "la/blockldl.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// A firm pivot this much smaller than its own diagonal entry counts as vanished.
#define FIRM_LIMIT 1e-13
#define NOTHING 1e-100  // zero beside anything

static void lay_out_columns(trBlockLdl *b, const trElimination *e, const int *size,
                            const bool *firm) {
    int unknown = 0;
    for (int k = 0; k < b->nodes; k++) {
        int node = e->order[k];
        b->position[node] = k;
        b->first[node] = unknown;
        b->column[k] = (trBlockColumn){.size = size[node],
                                       .first = unknown,
                                       .begin = e->column[k],
                                       .end = e->column[k + 1],
                                       .firm = firm != NULL && firm[node]};
        unknown += size[node];
    }
    b->n = unknown;
}

// Blocks lie in memory in the order in which they are eliminated.
static void lay_out_blocks(trBlockLdl *b, const trElimination *e) {
    int value = 0, update = 0;
    for (int k = 0; k < b->nodes; k++) {
        trBlockColumn *c = &b->column[k];
        int            blocks = c->end - c->begin;
        c->diagonal = value;
        c->update = update;
        c->uniform = c->firm ? 0 : c->size;
        value += c->size * c->size;
        update += blocks * (blocks + 1) / 2;
        for (int i = c->begin; i < c->end; i++) {
            const trBlockColumn *row = &b->column[e->row[i]];
            b->entry[i] = (trBlockEntry){.size = row->size, .first = row->first, .value = value};
            value += row->size * c->size;
            c->uniform = row->size == c->uniform ? c->uniform : 0;
        }
    }
    b->values = value;
}

static int find_block(const trBlockLdl *b, const int *row, int later, int earlier) {
    if (later == earlier) {
        return b->column[later].diagonal;
    }
    int low = b->column[earlier].begin, high = b->column[earlier].end;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (row[middle] <= later) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return b->entry[low].value;
}

static void find_targets(trBlockLdl *b, const int *row) {
    for (int k = 0; k < b->nodes; k++) {
        const trBlockColumn *c = &b->column[k];
        int                 *target = b->target + c->update;
        for (int i = c->begin; i < c->end; i++) {
            for (int j = c->begin; j <= i; j++) {
                *target++ = find_block(b, row, row[i], row[j]);
            }
        }
    }
}

trStatus tr_block_plan(trArena *arena, const trGraph *graph, const int *size, const bool *firm,
                       trBlockLdl *b) {
    trElimination e;
    *b = (trBlockLdl){.nodes = graph->nodes};
    for (int i = 0; i < graph->nodes; i++) {
        if (size[i] < 1 || size[i] > TR_BLOCK_MAX) {
            return tr_fail(TR_E_UNSUPPORTED, "a group of %d equations; 1 to %d are possible",
                           size[i], TR_BLOCK_MAX);
        }
    }
    TR_TRY(tr_eliminate_graph(arena, graph, &e));
    b->position = tr_new_array(arena, int, b->nodes);
    b->first = tr_new_array(arena, int, b->nodes);
    b->column = tr_new_array(arena, trBlockColumn, b->nodes);
    b->entry = tr_new_array(arena, trBlockEntry, e.column[b->nodes]);
    TR_TRY(tr_arena_status(arena));
    lay_out_columns(b, &e, size, firm);
    lay_out_blocks(b, &e);
    b->row = e.row;
    int targets = 0;
    for (int k = 0; k < b->nodes; k++) {
        int blocks = b->column[k].end - b->column[k].begin;
        targets += blocks * (blocks + 1) / 2;
    }
    b->target = tr_new_array(arena, int, targets);
    b->value = tr_new_array(arena, double, b->values);
    b->factor = tr_new_array(arena, double, b->values);
    b->limit = tr_new_array(arena, double, b->n);
    TR_TRY(tr_arena_status(arena));
    find_targets(b, e.row);
    return TR_OK;
}

int tr_block_find(const trBlockLdl *b, int i, int j, bool *swapped) {
    int p = b->position[i], q = b->position[j];
    *swapped = p < q;  // the block below the diagonal has the later node as its row
    return find_block(b, b->row, p < q ? q : p, p < q ? p : q);
}

// LDL' of one diagonal block, scalar by scalar: unit lower L (r x r) and pivots d, with 0 for
// those dropped. Returns how many were dropped.
TR_INLINE int factor_block(int r, const double *S, const double *limit, double *L, double *d) {
    double U[TR_BLOCK_MAX * TR_BLOCK_MAX];  // L d
    int    dropped = 0;
    for (int k = 0; k < r; k++) {
        double inverse = 0.0;
        for (int i = k; i < r; i++) {
            double sum = S[i * r + k];
            for (int j = 0; j < k; j++) {
                sum -= L[i * r + j] * U[k * r + j];
            }
            if (i == k) {
                d[k] = fabs(sum) > limit[k] ? sum : 0.0;
                dropped += d[k] == 0.0;
                inverse = d[k] == 0.0 ? 0.0 : 1.0 / d[k];
            }
            U[i * r + k] = d[k] == 0.0 ? 0.0 : sum;
            L[i * r + k] = i == k ? 1.0 : sum * inverse;
        }
    }
    return dropped;
}

// x = (L d L')^-1 x, with L below and d on the diagonal of F.
static void divide_by_block(int r, const double *F, double *x) {
    for (int i = 1; i < r; i++) {
        for (int j = 0; j < i; j++) {
            x[i] -= F[i * r + j] * x[j];
        }
    }
    for (int i = r - 1; i >= 0; i--) {
        x[i] /= F[i * (r + 1)];
        for (int j = i + 1; j < r; j++) {
            x[i] -= F[j * r + i] * x[j];
        }
    }
}

// The diagonal block of a firm node: L below and d on the diagonal of F. Returns the unknown whose
// pivot vanished, or -1.
static int pivot_firm(trBlockLdl *b, const trBlockColumn *c) {
    const int     r = c->size;
    double       *limit = b->limit + c->first, *F = b->factor + c->diagonal;
    double        d[TR_BLOCK_MAX];
    const double *S = b->value + c->diagonal;
    for (int k = 0; k < r; k++) {
        limit[k] = FIRM_LIMIT * fabs(S[k * r + k]);
    }
    b->dropped += factor_block(r, S, limit, F, d);
    for (int k = 0; k < r; k++) {
        if (d[k] == 0.0) {
            return c->first + k;
        }
        F[k * (r + 1)] = d[k];
    }
    return -1;
}

// G = (L d L')^+ = L^-T d^+ L^-1. No L stands below a dropped pivot, so its row and column are
// zero.
TR_INLINE int invert_block(int r, const double *S, const double *limit, double *G) {
    double L[TR_BLOCK_MAX * TR_BLOCK_MAX], d[TR_BLOCK_MAX];
    int    dropped = factor_block(r, S, limit, L, d);
    for (int k = 0; k < r; k++) {  // L becomes its inverse, row after row
        for (int j = 0; j < k; j++) {
            double sum = -L[k * r + j];
            for (int i = j + 1; i < k; i++) {
                sum -= L[k * r + i] * L[i * r + j];
            }
            L[k * r + j] = sum;
        }
        d[k] = d[k] == 0.0 ? 0.0 : 1.0 / d[k];
    }
    for (int i = 0; i < r; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = i; k < r; k++) {
                sum += L[k * r + i] * d[k] * L[k * r + j];
            }
            G[i * r + j] = G[j * r + i] = sum;
        }
    }
    return dropped;
}

// The same with the size as a constant, which is several times faster.
static int invert_sized(int r, const double *S, const double *limit, double *G) {
    switch (r) {
    case 2:
        return invert_block(2, S, limit, G);
    case 3:
        return invert_block(3, S, limit, G);
    case 5:
        return invert_block(5, S, limit, G);
    case 6:
        return invert_block(6, S, limit, G);
    default:
        return invert_block(r, S, limit, G);
    }
}

// The usual pair of rows, with one division:  G = adj(S) / det(S).
static bool pivot_pair(const double *S, const double *limit, double *G) {
    double det = S[0] * S[3] - S[2] * S[2];
    if (!(S[0] > limit[0] && det > limit[1] * S[0])) {
        return false;
    }
    double inverse = 1.0 / det;
    G[0] = S[3] * inverse;
    G[1] = G[2] = -S[2] * inverse;
    G[3] = S[0] * inverse;
    return true;
}

// C (ra x rb) = C - A (ra x r) B' (B: rb x r). Sizes are constants after inlining.
TR_INLINE void subtract_product(int ra, int rb, int r, const double *A, const double *B,
                                double *C) {
    for (int i = 0; i < ra; i++) {
        for (int j = 0; j < rb; j++) {
            double sum = C[i * rb + j];
            for (int k = 0; k < r; k++) {
                sum -= A[i * r + k] * B[j * r + k];
            }
            C[i * rb + j] = sum;
        }
    }
}

// y = x G for a row x of two and the symmetric G (2 x 2).
TR_INLINE void scale_pair(const double *x, const double *G, double *y) {
    double x0 = x[0], x1 = x[1];
    y[0] = x0 * G[0] + x1 * G[1];
    y[1] = x0 * G[2] + x1 * G[3];
}

// y = x D^+ for one row x of a column's block.
TR_INLINE void scale_row(int r, bool firm, const double *x, const double *F, double *y) {
    for (int k = 0; firm && k < r; k++) {
        y[k] = x[k];
    }
    if (firm) {
        divide_by_block(r, F, y);
        return;
    }
    for (int k = 0; k < r; k++) {
        double sum = 0.0;
        for (int j = 0; j < r; j++) {
            sum += x[j] * F[j * r + k];
        }
        y[k] = sum;
    }
}

// Scales the blocks of a column and updates what they reach. A size of 0 stands for blocks of
// several sizes.
TR_INLINE void eliminate_column(trBlockLdl *b, const trBlockColumn *c, int size) {
    const int     r = size > 0 ? size : c->size;
    const bool    firm = size == 0 && c->firm;
    const double *F = b->factor + c->diagonal;
    const int    *target = b->target + c->update;
    for (int i = c->begin; i < c->end; i++) {
        const trBlockEntry *row = &b->entry[i];
        const int           ra = size > 0 ? size : row->size;
        const double       *S = b->value + row->value;
        double             *L = b->factor + row->value;
        for (int k = 0; k < ra; k++) {
            if (size == 2) {
                scale_pair(S + k * r, F, L + k * r);
            } else {
                scale_row(r, firm, S + k * r, F, L + k * r);
            }
        }
        for (int j = c->begin; j <= i; j++) {
            const int rb = size > 0 ? size : b->entry[j].size;
            subtract_product(ra, rb, r, L, b->value + b->entry[j].value, b->value + *target++);
        }
    }
}

// The size as a constant where all blocks of the column have it.
static void eliminate_sized(trBlockLdl *b, const trBlockColumn *c) {
    switch (c->uniform) {
    case 2:
        eliminate_column(b, c, 2);
        break;
    case 3:
        eliminate_column(b, c, 3);
        break;
    case 5:
        eliminate_column(b, c, 5);
        break;
    case 6:
        eliminate_column(b, c, 6);
        break;
    default:
        eliminate_column(b, c, 0);
        break;
    }
}

int tr_block_factor(trBlockLdl *b) {
    b->dropped = 0;
    for (int k = 0; k < b->nodes; k++) {
        const trBlockColumn *c = &b->column[k];
        const double        *S = b->value + c->diagonal, *limit = b->limit + c->first;
        double              *F = b->factor + c->diagonal;
        if (c->firm) {
            int vanished = pivot_firm(b, c);
            if (vanished >= 0) {
                return vanished;
            }
        } else if (c->size != 2 || !pivot_pair(S, limit, F)) {
            b->dropped += invert_sized(c->size, S, limit, F);
        }
        eliminate_sized(b, c);
    }
    return -1;
}

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

void tr_block_pivots(const trBlockLdl *b, double *pivot) {
    for (int k = 0; k < b->nodes; k++) {
        const trBlockColumn *c = &b->column[k];
        double               L[TR_BLOCK_MAX * TR_BLOCK_MAX];
        (void)factor_block(c->size, b->value + c->diagonal, b->limit + c->first, L,
                           pivot + c->first);
    }
}
