// SPDX-License-Identifier: MIT
#include "la/blockldl.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// A firm pivot this much smaller than its own diagonal entry counts as vanished.
#define FIRM_LIMIT 1e-13

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
                                       .uniform = size[node],
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
        value += c->size * c->size;
        update += blocks * (blocks + 1) / 2;
        for (int i = c->begin; i < c->end; i++) {
            const trBlockColumn *row = &b->column[e->row[i]];
            b->entry[i] = (trBlockEntry){.size = row->size, .first = row->first, .value = value};
            value += row->size * c->size;
            if (row->size != c->size) {
                c->uniform = 0;
            }
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

// G = L^-T d^+ L^-1 column by column.
static void invert_block(int r, const double *L, const double *d, double *G) {
    for (int column = 0; column < r; column++) {
        double x[TR_BLOCK_MAX] = {0};
        x[column] = 1.0;
        for (int i = column + 1; i < r; i++) {
            for (int j = column; j < i; j++) {
                x[i] -= L[i * r + j] * x[j];
            }
        }
        for (int i = r - 1; i >= 0; i--) {
            x[i] = d[i] == 0.0 ? 0.0 : x[i] / d[i];
            for (int j = i + 1; j < r; j++) {
                x[i] -= L[j * r + i] * x[j];
            }
            G[i * r + column] = d[i] == 0.0 ? 0.0 : x[i];
        }
    }
}

static int pivot_block(trBlockLdl *b, const trBlockColumn *c) {
    int           r = c->size;
    double       *limit = b->limit + c->first;
    double        L[TR_BLOCK_MAX * TR_BLOCK_MAX], d[TR_BLOCK_MAX];
    const double *S = b->value + c->diagonal;
    for (int k = 0; c->firm && k < r; k++) {
        limit[k] = FIRM_LIMIT * fabs(S[k * r + k]);
    }
    int dropped = factor_block(r, S, limit, L, d);
    invert_block(r, L, d, b->factor + c->diagonal);
    b->dropped += dropped;
    for (int k = 0; c->firm && dropped > 0 && k < r; k++) {
        if (d[k] == 0.0) {
            return c->first + k;
        }
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

// L = S G for one block, with S (ra x r) and the symmetric G (r x r).
TR_INLINE void scale_block(int ra, int r, const double *S, const double *G, double *L) {
    for (int i = 0; i < ra; i++) {
        for (int j = 0; j < r; j++) {
            double sum = 0.0;
            for (int k = 0; k < r; k++) {
                sum += S[i * r + k] * G[j * r + k];
            }
            L[i * r + j] = sum;
        }
    }
}

// Scales the blocks of a column and updates what they reach. `size` is 0 for mixed sizes.
TR_INLINE void eliminate_column(trBlockLdl *b, const trBlockColumn *c, int size) {
    const int     r = size > 0 ? size : c->size;
    const double *G = b->factor + c->diagonal;
    const int    *target = b->target + c->update;
    for (int i = c->begin; i < c->end; i++) {
        const trBlockEntry *row = &b->entry[i];
        const int           ra = size > 0 ? size : row->size;
        double             *L = b->factor + row->value;
        scale_block(ra, r, b->value + row->value, G, L);
        for (int j = c->begin; j <= i; j++) {
            const int rb = size > 0 ? size : b->entry[j].size;
            subtract_product(ra, rb, r, L, b->value + b->entry[j].value, b->value + *target++);
        }
    }
}

int tr_block_factor(trBlockLdl *b) {
    b->dropped = 0;
    for (int k = 0; k < b->nodes; k++) {
        const trBlockColumn *c = &b->column[k];
        bool                 pair =
            c->size == 2 && !c->firm &&
            pivot_pair(b->value + c->diagonal, b->limit + c->first, b->factor + c->diagonal);
        if (!pair) {
            int vanished = pivot_block(b, c);
            if (vanished >= 0) {
                return vanished;
            }
        }
        if (c->uniform == 2) {
            eliminate_column(b, c, 2);
        } else {
            eliminate_column(b, c, 0);
        }
    }
    return -1;
}

// x_a = x_a - L_ap x_p for all a below p.
TR_INLINE void solve_forward(const trBlockLdl *b, const trBlockColumn *c, int size, double *x) {
    const int r = size > 0 ? size : c->size;
    for (int i = c->begin; i < c->end; i++) {
        const int ra = size > 0 ? size : b->entry[i].size;
        subtract_product(ra, 1, r, b->factor + b->entry[i].value, x + c->first,
                         x + b->entry[i].first);
    }
}

// x_p = G_p x_p - sum over a of L_ap' x_a.
TR_INLINE void solve_backward(const trBlockLdl *b, const trBlockColumn *c, int size, double *x) {
    const int r = size > 0 ? size : c->size;
    double    y[TR_BLOCK_MAX];
    scale_block(1, r, x + c->first, b->factor + c->diagonal, y);
    for (int i = c->begin; i < c->end; i++) {
        const int     ra = size > 0 ? size : b->entry[i].size;
        const double *L = b->factor + b->entry[i].value, *from = x + b->entry[i].first;
        for (int k = 0; k < ra; k++) {
            for (int j = 0; j < r; j++) {
                y[j] -= L[k * r + j] * from[k];
            }
        }
    }
    for (int j = 0; j < r; j++) {
        x[c->first + j] = y[j];
    }
}

void tr_block_solve(const trBlockLdl *b, double *x) {
    for (int k = 0; k < b->nodes; k++) {
        const trBlockColumn *c = &b->column[k];
        if (c->uniform == 2) {
            solve_forward(b, c, 2, x);
        } else {
            solve_forward(b, c, 0, x);
        }
    }
    for (int k = b->nodes - 1; k >= 0; k--) {
        const trBlockColumn *c = &b->column[k];
        if (c->uniform == 2) {
            solve_backward(b, c, 2, x);
        } else {
            solve_backward(b, c, 0, x);
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
