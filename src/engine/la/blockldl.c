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

// Blocks lie in memory in the order in which they are eliminated. Returns the number of updates.
static int lay_out_blocks(trBlockLdl *b, const trElimination *e) {
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
    return update;
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
    b->position = e.position;
    b->first = tr_new_array(arena, int, b->nodes);
    b->column = tr_new_array(arena, trBlockColumn, b->nodes);
    b->entry = tr_new_array(arena, trBlockEntry, e.column[b->nodes]);
    TR_TRY(tr_arena_status(arena));
    lay_out_columns(b, &e, size, firm);
    b->row = e.row;
    b->target = tr_new_array(arena, int, lay_out_blocks(b, &e));
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

// Where a limit is given, a negative pivot is what rounding leaves of one that should be dropped.
TR_INLINE bool is_kept(double pivot, double limit, bool firm) {
    return (firm || limit == 0.0 ? fabs(pivot) : pivot) > limit;
}

// LDL' of one diagonal block, scalar by scalar: unit lower L (r x r) and pivots d, with 0 for
// those dropped. Those of firm nodes may be negative. Returns how many were dropped.
TR_INLINE int factor_block(int r, const double *S, const double *limit, bool firm, double *L,
                           double *d) {
    double U[TR_BLOCK_MAX * TR_BLOCK_MAX];  // L d
    int    dropped = 0;
    for (int k = 0; k < r; k++) {
        double column[TR_BLOCK_MAX];
        for (int i = k; i < r; i++) {
            column[i] = S[k * r + i];
        }
        for (int j = 0; j < k; j++) {
            for (int i = k; i < r; i++) {
                column[i] -= L[j * r + i] * U[j * r + k];
            }
        }
        bool   kept = is_kept(column[k], limit[k], firm);
        double inverse = kept ? 1.0 / column[k] : 0.0;
        d[k] = kept ? column[k] : 0.0;
        dropped += !kept;
        for (int i = k; i < r; i++) {
            U[k * r + i] = kept ? column[i] : 0.0;
            L[k * r + i] = i == k ? 1.0 : column[i] * inverse;
        }
    }
    return dropped;
}

// The diagonal block of a firm node: L below and d on the diagonal of F. Returns the unknown whose
// pivot vanished, or -1.
static int pivot_firm(trBlockLdl *b, const trBlockColumn *c) {
    const int     r = c->size;
    double       *limit = b->limit + c->first, *F = b->factor + c->diagonal;
    double        d[TR_BLOCK_MAX];
    const double *S = b->value + c->diagonal;
    for (int k = 0; k < r; k++) {
        limit[k] = FIRM_LIMIT * fabs(S[k * (r + 1)]);
    }
    b->dropped += factor_block(r, S, limit, true, F, d);
    for (int k = 0; k < r; k++) {
        if (d[k] == 0.0) {
            return c->first + k;
        }
        F[k * (r + 1)] = d[k];
    }
    return -1;
}

// G = inverse of S on the pivots kept, zero elsewhere, by sweeps (Goodnight 1979): with column s of
// the matrix and pivot p = s_k,
//
//     X = X - s s' / p,    row and column k = s / p,    X_kk = -1 / p
//
// for each k in turn leaves X = -S^-1. The pivots are those of LDL'. Loops of constant length make
// it faster than anything with triangles.
TR_INLINE int invert_block(int r, const double *S, const double *limit, double *G) {
    double X[TR_BLOCK_MAX * TR_BLOCK_MAX], keep[TR_BLOCK_MAX];
    int    dropped = 0;
    for (int i = 0; i < r * r; i++) {
        X[i] = S[i];
    }
    for (int k = 0; k < r; k++) {
        double column[TR_BLOCK_MAX], pivot = X[k * (r + 1)];
        keep[k] = is_kept(pivot, limit[k], false) ? 1.0 : 0.0;
        if (keep[k] == 0.0) {
            dropped++;
            continue;
        }
        double inverse = 1.0 / pivot;
        for (int i = 0; i < r; i++) {
            column[i] = X[k * r + i];
        }
        for (int j = 0; j < r; j++) {
            double factor = column[j] * inverse;
            for (int i = 0; i < r; i++) {
                X[j * r + i] -= column[i] * factor;
            }
            X[j * r + k] = factor;
        }
        for (int i = 0; i < r; i++) {
            X[k * r + i] = column[i] * inverse;
        }
        X[k * (r + 1)] = -inverse;
    }
    for (int i = 0; i < r * r; i++) {
        G[i] = -X[i];
    }
    for (int k = 0; dropped > 0 && k < r * r; k++) {
        G[k] *= keep[k / r] * keep[k % r];
    }
    return dropped;
}

// The same with the size as a constant, which is several times faster. Sizes are 1 to 6.
static int invert_sized(int r, const double *S, const double *limit, double *G) {
    switch (r) {
    case 1:
        return invert_block(1, S, limit, G);
    case 2:
        return invert_block(2, S, limit, G);
    case 3:
        return invert_block(3, S, limit, G);
    case 4:
        return invert_block(4, S, limit, G);
    case 5:
        return invert_block(5, S, limit, G);
    default:
        return invert_block(TR_BLOCK_MAX, S, limit, G);
    }
}

// The usual pair of rows, with one division:  G = adj(S) / det(S).
static bool pivot_pair(const double *S, const double *limit, double *G) {
    double det = S[0] * S[3] - S[1] * S[1];
    if (!(S[0] > limit[0] && det > limit[1] * S[0])) {
        return false;
    }
    double inverse = 1.0 / det;
    G[0] = S[3] * inverse;
    G[1] = G[2] = -S[1] * inverse;
    G[3] = S[0] * inverse;
    return true;
}

// Scales the blocks of a column and updates what they reach. A size of 0 stands for blocks of
// several sizes.
TR_INLINE void eliminate_column(trBlockLdl *b, const trBlockColumn *c, int size) {
    const int     r = size > 0 ? size : c->size;
    const double *F = b->factor + c->diagonal;
    const int    *target = b->target + c->update;
    for (int i = c->begin; i < c->end; i++) {
        const trBlockEntry *row = &b->entry[i];
        const int           ra = size > 0 ? size : row->size;
        const double       *S = b->value + row->value;
        double             *L = b->factor + row->value;
        if (size == 0 && c->firm) {
            tr_divide_block(ra, r, S, F, L);
        } else {
            tr_scale_block(ra, r, S, F, L);
        }
        for (int j = c->begin; j <= i; j++) {
            const int rb = size > 0 ? size : b->entry[j].size;
            tr_subtract_product(ra, rb, r, L, b->value + b->entry[j].value, b->value + *target++);
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

void tr_block_pivots(const trBlockLdl *b, double *pivot) {
    for (int k = 0; k < b->nodes; k++) {
        const trBlockColumn *c = &b->column[k];
        double               L[TR_BLOCK_MAX * TR_BLOCK_MAX];
        (void)factor_block(c->size, b->value + c->diagonal, b->limit + c->first, c->firm != 0, L,
                           pivot + c->first);
    }
}
