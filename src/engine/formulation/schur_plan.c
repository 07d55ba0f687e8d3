// SPDX-License-Identifier: MIT
// The symbolic part of the sparse kernel: which bodies are kept, which joints share a body, where
// every product goes.

#include <math.h>
#include <stdlib.h>

#include "base/keep.h"
#include "formulation/schur.h"
#include "formulation/unit_sizes.h"

#define EDGES_MAX 1000000000  // pairs of joints that share a body

// A pair of nodes that share a block of S, before duplicates are removed.
typedef struct Edge {
    int a, b;
} Edge;

static void copy_pattern(trArena *arena, const trRows *A, trSchur *s) {
    s->m = A->m;
    s->n = A->n;
    s->groups = A->groups;
    s->sides = A->group_side[A->groups];
    s->group = tr_new_array(arena, trGroup, s->groups);
    s->side = tr_new_array(arena, trSide, s->sides);
    if (tr_arena_status(arena) != TR_OK) {
        return;
    }
    for (int g = 0; g < s->groups; g++) {
        trGroup *group = &s->group[g];
        *group = (trGroup){.row = A->group_row[g],
                           .rows = A->group_row[g + 1] - A->group_row[g],
                           .begin = A->group_side[g],
                           .end = A->group_side[g + 1]};
        group->shape = group->rows == 2 ? TR_PIN : group->rows == 5 ? TR_HINGE : TR_ANY;
        for (int i = group->begin; i < group->end; i++) {
            s->side[i] = (trSide){g, A->side_column[i], A->side_width[i], A->side_value[i], -1};
            bool fits = A->side_width[i] == (group->shape == TR_PIN ? 3 : 6);
            group->shape = fits ? group->shape : TR_ANY;
        }
    }
}

static void plan_vectors(trArena *arena, const trEquations *e, trSchur *s) {
    s->minv = tr_new_array(arena, double, s->n);
    s->size = tr_new_array(arena, double, s->n);
    s->light = tr_new_array(arena, bool, s->n);
    s->row_norm = tr_new_array(arena, double, s->m);
    s->r_a = tr_new_array(arena, double, s->n);
    s->d_a = tr_new_array(arena, double, s->n);
    s->r_lambda = tr_new_array(arena, double, s->m);
    s->d_lambda = tr_new_array(arena, double, s->m);
    s->soft = tr_new_array(arena, bool, s->m);
    s->dropped = tr_new_array(arena, int, s->m);
    s->kept_column = tr_new_array(arena, int, e->nv);
    s->kept_width = tr_new_array(arena, int, e->nv);
    s->kept_first = tr_new_array(arena, int, e->nv);
    s->kept_block = tr_new_array(arena, int, e->nv);
}

// Joints that share an eliminated body are coupled; a joint is coupled with its kept bodies.
static int64_t list_edges(const trSchur *s, const trSchurBodies *bodies, Edge *edge) {
    int64_t count = 0;
    for (int k = 0; k < bodies->count; k++) {
        for (int i = bodies->start[k]; i < bodies->start[k + 1]; i++) {
            int a = s->side[bodies->side[i]].group;
            if (bodies->kept[k] >= 0) {
                int b = s->groups + bodies->kept[k];
                edge[count++] = (Edge){a, b};
                edge[count++] = (Edge){b, a};
                continue;
            }
            for (int j = bodies->start[k]; j < bodies->start[k + 1]; j++) {
                int b = s->side[bodies->side[j]].group;
                if (a != b) {
                    edge[count++] = (Edge){a, b};
                }
            }
        }
    }
    return count;
}

// No fewer than list_edges finds.
static int64_t most_edges(const trSchurBodies *bodies) {
    int64_t count = 0;
    for (int k = 0; k < bodies->count; k++) {
        const int64_t sides = bodies->start[k + 1] - bodies->start[k];
        count += bodies->kept[k] >= 0 ? 2 * sides : sides * (sides - 1);
    }
    return count;
}

static int compare_edges(const void *x, const void *y) {
    const Edge *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

// Rows that touch a kept body come after all others: while the kept body is an unknown it holds
// still as far as its rows can tell, and a row that is independent only because the body moves
// would seem to depend on them.
static trStatus make_graph(trArena *scratch, const trSchur *s, const trSchurBodies *bodies,
                           trGraph *graph) {
    int     nodes = s->groups + s->kept, kept = 0;
    int64_t count = most_edges(bodies);
    if (count > EDGES_MAX) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "a body has too many joints: %lld pairs of them would be coupled",
                       (long long)count);
    }
    Edge *edge = tr_new_array(scratch, Edge, count);
    int  *start = tr_new_array(scratch, int, nodes + 1);
    int  *neighbor = tr_new_array(scratch, int, count);
    bool *late = tr_new_array(scratch, bool, nodes);
    bool *soft = tr_new_array(scratch, bool, nodes);
    TR_TRY(tr_arena_status(scratch));
    count = list_edges(s, bodies, edge);
    qsort(edge, (size_t)count, sizeof *edge, compare_edges);
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || compare_edges(&edge[i - 1], &edge[i]) != 0) {
            neighbor[kept++] = edge[i].b;
            start[edge[i].a + 1]++;
        }
    }
    for (int i = 0; i < nodes; i++) {
        start[i + 1] += start[i];
        late[i] = i >= s->groups;
    }
    for (int64_t i = 0; i < count; i++) {
        soft[edge[i].a] |= edge[i].a < s->groups && edge[i].b >= s->groups;
    }
    *graph = (trGraph){
        .nodes = nodes, .start = start, .neighbor = neighbor, .late = late, .second = soft};
    return TR_OK;
}

static trStatus plan_factor(trArena *arena, trArena *scratch, trSchur *s, const trGraph *graph) {
    int *size = tr_new_array(scratch, int, graph->nodes);
    TR_TRY(tr_arena_status(scratch));
    for (int g = 0; g < s->groups; g++) {
        size[g] = s->group[g].rows;
    }
    for (int k = 0; k < s->kept; k++) {
        size[s->groups + k] = s->kept_width[k];
    }
    TR_TRY(tr_block_plan(arena, graph, size, graph->late, &s->ldl));
    bool swapped;
    for (int g = 0; g < s->groups; g++) {
        s->group[g].first = s->ldl.first[g];
        s->group[g].block = tr_block_find(&s->ldl, g, g, &swapped);
    }
    for (int k = 0; k < s->kept; k++) {
        int node = s->groups + k;
        s->kept_first[k] = s->ldl.first[node];
        s->kept_block[k] = tr_block_find(&s->ldl, node, node, &swapped);
    }
    s->x = tr_new_array(arena, double, s->ldl.n);
    s->pivot = tr_new_array(arena, double, s->ldl.n);
    return tr_arena_status(arena);
}

static int compare_gathers(const void *x, const void *y) {
    const trGather *p = x, *q = y;
    if (p->block != q->block) {
        return (p->block > q->block) - (p->block < q->block);
    }
    if (p->width != q->width) {
        return (p->width > q->width) - (p->width < q->width);
    }
    return (p->left > q->left) - (p->left < q->left);
}

// Blocks that get no product start as zero: a product of width 0.
static void add_fill(trSchur *s) {
    const trBlockLdl *ldl = &s->ldl;
    for (int k = 0; k < ldl->nodes; k++) {
        const trBlockColumn *c = &ldl->column[k];
        s->gather[s->gathers++] =
            (trGather){.block = c->diagonal, .rows_left = c->size, .rows_right = c->size};
        for (int i = c->begin; i < c->end; i++) {
            s->gather[s->gathers++] = (trGather){.block = ldl->entry[i].value,
                                                 .rows_left = ldl->entry[i].size,
                                                 .rows_right = c->size};
        }
    }
}

// Products in the order of their blocks, without the zeros that are not needed.
static void sort_gathers(trSchur *s) {
    int kept = 0;
    qsort(s->gather, (size_t)s->gathers, sizeof *s->gather, compare_gathers);
    for (int i = 0; i < s->gathers; i++) {
        const trGather *g = &s->gather[i];
        bool            more = i + 1 < s->gathers && s->gather[i + 1].block == g->block;
        if (g->width > 0 || !more) {
            s->gather[kept] = *g;
            s->gather[kept].first = kept == 0 || s->gather[kept - 1].block != g->block;
            kept++;
        }
    }
    s->gathers = kept;
}

// One product for each pair of sides on an eliminated body; the later joint is the block's row.
static void add_gather(trSchur *s, int side1, int side2) {
    bool swapped;
    int  block = tr_block_find(&s->ldl, s->side[side1].group, s->side[side2].group, &swapped);
    int  left = swapped ? side2 : side1, right = swapped ? side1 : side2;
    s->gather[s->gathers++] = (trGather){.block = block,
                                         .column = s->side[left].column,
                                         .left = s->side[left].value,
                                         .right = s->side[right].value,
                                         .rows_left = s->group[s->side[left].group].rows,
                                         .rows_right = s->group[s->side[right].group].rows,
                                         .width = s->side[left].width};
}

static trStatus plan_products(trArena *arena, trSchur *s, const trSchurBodies *bodies) {
    if (s->ldl.nodes == 0) {
        return TR_OK;
    }
    long count = 0;
    for (int k = 0; k < bodies->count; k++) {
        long sides = bodies->start[k + 1] - bodies->start[k];
        count += bodies->kept[k] >= 0 ? 0 : sides * (sides + 1) / 2;
    }
    count += s->ldl.nodes + s->ldl.column[s->ldl.nodes - 1].end;
    s->gather = tr_new_array(arena, trGather, count);
    TR_TRY(tr_arena_status(arena));
    for (int k = 0; k < bodies->count; k++) {
        for (int i = bodies->start[k]; i < bodies->start[k + 1]; i++) {
            int side = bodies->side[i], g = s->side[side].group;
            if (bodies->kept[k] >= 0) {
                bool swapped;
                s->side[side].kept =
                    tr_block_find(&s->ldl, s->groups + bodies->kept[k], g, &swapped);
                for (int row = 0; row < s->group[g].rows; row++) {
                    s->soft[s->group[g].row + row] = true;
                }
                continue;
            }
            for (int j = bodies->start[k]; j <= i; j++) {
                add_gather(s, side, bodies->side[j]);
            }
        }
    }
    add_fill(s);
    sort_gathers(s);
    return TR_OK;
}

static void plan_masses(const trEquations *e, trSchur *s) {
    int positive = 0;
    tr_unit_sizes(e, s->size, s->r_lambda);
    s->mean_mass = 0.0;
    for (int i = 0; i < s->n; i++) {
        double mass = e->M.diagonal[i];
        bool   counts = mass > 0.0 && !s->light[i];
        s->minv[i] = mass > 0.0 ? 1.0 / mass : 0.0;
        s->mean_mass += counts ? log(mass / (s->size[i] * s->size[i])) : 0.0;
        positive += counts;
    }
    s->mean_mass = positive > 0 ? exp(s->mean_mass / positive) : 1.0;
    for (int k = 0; k < s->kept; k++) {
        for (int j = 0; j < s->kept_width[k]; j++) {
            s->minv[s->kept_column[k] + j] = 0.0;
        }
    }
}

static trStatus plan_with(trArena *arena, trArena *scratch, const trEquations *e, trSchur *s) {
    trSchurBodies bodies;
    trGraph       graph = {0};
    copy_pattern(arena, &e->A, s);
    TR_TRY(tr_arena_status(arena));
    plan_vectors(arena, e, s);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_schur_find_bodies(scratch, e, s, &bodies));
    TR_TRY(make_graph(scratch, s, &bodies, &graph));
    TR_TRY(plan_factor(arena, scratch, s, &graph));
    TR_TRY(plan_products(arena, s, &bodies));
    plan_masses(e, s);
    return TR_OK;
}

trStatus tr_schur_plan(trArena *arena, const trEquations *e, trSchur *s) {
    if (e->M.diagonal == NULL) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "the sparse kernel needs a constant diagonal mass matrix; use "
                       "formulation \"lagrange_dense\"");
    }
    trArena *scratch = tr_arena_create();
    if (scratch == NULL) {
        return TR_E_MEMORY;
    }
    *s = (trSchur){.free_column = -1};
    trStatus status = plan_with(arena, scratch, e, s);
    tr_keep_bool(arena, &s->determined);
    tr_keep_double(arena, &s->compliance);
    tr_keep_int(arena, &s->free_column, -1, e->nv - 1);
    tr_keep_int(arena, &s->ldl.dropped, 0, s->ldl.n);
    tr_arena_destroy(scratch);
    return status;
}
