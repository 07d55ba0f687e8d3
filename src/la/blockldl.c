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
        b->column[k].pair = size[node] == 2 && !b->column[k].firm;
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
        c->uniform = c->pair;
        value += c->size * c->size;
        update += blocks * (blocks + 1) / 2;
        for (int i = c->begin; i < c->end; i++) {
            const trBlockColumn *row = &b->column[e->row[i]];
            b->entry[i] = (trBlockEntry){.size = row->size, .first = row->first, .value = value};
            value += row->size * c->size;
            c->uniform = c->uniform && row->size == 2;
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
static int factor_block(int r, const double *S, const double *limit, double *L, double *d) {
    int dropped = 0;
    for (int k = 0; k < r; k++) {
        for (int i = k; i < r; i++) {
            double sum = S[i * r + k];
            for (int j = 0; j < k; j++) {
                sum -= L[i * r + j] * d[j] * L[k * r + j];
            }
            if (i == k) {
                d[k] = fabs(sum) > limit[k] ? sum : 0.0;
                dropped += d[k] == 0.0;
            }
            L[i * r + k] = i == k ? 1.0 : d[k] == 0.0 ? 0.0 : sum / d[k];
        }
    }
    return dropped;
}

// x = (L d L')^+ x, with L below and d on the diagonal of F.
static void divide_by_block(int r, const double *F, double *x) {
    for (int i = 1; i < r; i++) {
        for (int j = 0; j < i; j++) {
            x[i] -= F[i * r + j] * x[j];
        }
    }
    for (int i = r - 1; i >= 0; i--) {
        double d = F[i * (r + 1)];
        x[i] = d == 0.0 ? 0.0 : x[i] / d;
        for (int j = i + 1; j < r; j++) {
            x[i] -= F[j * r + i] * x[j];  // no L stands below a dropped pivot
        }
    }
}

// The diagonal block of a pair with a dropped pivot, or of any other node.
static int pivot_block(trBlockLdl *b, const trBlockColumn *c) {
    int           r = c->size;
    double       *limit = b->limit + c->first, *F = b->factor + c->diagonal;
    double        L[TR_BLOCK_MAX * TR_BLOCK_MAX], d[TR_BLOCK_MAX];
    const double *S = b->value + c->diagonal;
    for (int k = 0; c->firm && k < r; k++) {
        limit[k] = FIRM_LIMIT * fabs(S[k * r + k]);
    }
    b->dropped += factor_block(r, S, limit, L, d);
    for (int k = 0; k < r; k++) {
        if (c->firm && d[k] == 0.0) {
            return c->first + k;
        }
        L[k * (r + 1)] = d[k];
    }
    if (!c->pair) {
        memcpy(F, L, (size_t)(r * r) * sizeof *F);
        return -1;
    }
    for (int k = 0; k < 2; k++) {  // G, column by column; it is symmetric
        double *column = F + 2 * k;
        column[0] = k == 0;
        column[1] = k == 1;
        divide_by_block(2, L, column);
    }
    return -1;
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
TR_INLINE void scale_row(const trBlockColumn *c, bool pair, const double *x, const double *F,
                         double *y) {
    if (pair) {
        scale_pair(x, F, y);
        return;
    }
    for (int k = 0; k < c->size; k++) {
        y[k] = x[k];
    }
    divide_by_block(c->size, F, y);
}

// Scales the blocks of a column and updates what they reach.
TR_INLINE void eliminate_column(trBlockLdl *b, const trBlockColumn *c, bool uniform) {
    const int     r = uniform ? 2 : c->size;
    const bool    pair = uniform || c->pair;
    const double *F = b->factor + c->diagonal;
    const int    *target = b->target + c->update;
    for (int i = c->begin; i < c->end; i++) {
        const trBlockEntry *row = &b->entry[i];
        const int           ra = uniform ? 2 : row->size;
        const double       *S = b->value + row->value;
        double             *L = b->factor + row->value;
        for (int k = 0; k < ra; k++) {
            scale_row(c, pair, S + k * r, F, L + k * r);
        }
        for (int j = c->begin; j <= i; j++) {
            const int rb = uniform ? 2 : b->entry[j].size;
            subtract_product(ra, rb, r, L, b->value + b->entry[j].value, b->value + *target++);
        }
    }
}

int tr_block_factor(trBlockLdl *b) {
    b->dropped = 0;
    for (int k = 0; k < b->nodes; k++) {
        const trBlockColumn *c = &b->column[k];
        double              *F = b->factor + c->diagonal;
        if (!c->pair || !pivot_pair(b->value + c->diagonal, b->limit + c->first, F)) {
            int vanished = pivot_block(b, c);
            if (vanished >= 0) {
                return vanished;
            }
        }
        if (c->uniform) {
            eliminate_column(b, c, true);
        } else {
            eliminate_column(b, c, false);
        }
    }
    return -1;
}

// x_a = x_a - L_ap x_p for all a below p.
static void solve_forward(const trBlockLdl *b, const trBlockColumn *c, double *x) {
    for (int i = c->begin; i < c->end; i++) {
        const trBlockEntry *row = &b->entry[i];
        subtract_product(row->size, 1, c->size, b->factor + row->value, x + c->first,
                         x + row->first);
    }
}

// x_p = D_p^+ x_p - sum over a of L_ap' x_a.
static void solve_backward(const trBlockLdl *b, const trBlockColumn *c, double *x) {
    double *to = x + c->first;
    scale_row(c, c->pair != 0, to, b->factor + c->diagonal, to);
    for (int i = c->begin; i < c->end; i++) {
        const double *L = b->factor + b->entry[i].value, *from = x + b->entry[i].first;
        for (int k = 0; k < b->entry[i].size; k++) {
            for (int j = 0; j < c->size; j++) {
                to[j] -= L[k * c->size + j] * from[k];
            }
        }
    }
}

TR_INLINE double or_zero(double x) {
    return fabs(x) < NOTHING ? 0.0 : x;
}

// Both again for a pair that is coupled with pairs.
//
// Along a chain a disturbance dies out by a constant factor per node. What is left of it is set to
// zero before it becomes denormal, with which arithmetic is a hundred times slower.
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

void tr_block_solve(const trBlockLdl *b, double *x) {
    for (int k = 0; k < b->nodes; k++) {
        const trBlockColumn *c = &b->column[k];
        if (c->uniform) {
            solve_pair_forward(b, c, x);
        } else {
            solve_forward(b, c, x);
        }
    }
    for (int k = b->nodes - 1; k >= 0; k--) {
        const trBlockColumn *c = &b->column[k];
        if (c->uniform) {
            solve_pair_backward(b, c, x);
        } else {
            solve_backward(b, c, x);
        }
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
