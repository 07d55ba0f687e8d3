// SPDX-License-Identifier: MIT
// Sums the parts of a tangent into a sparse matrix, in one fixed order: block after block, and each
// block wherever its part is placed.

#include "system/newton_matrix.h"

#include <stdio.h>

#include "system/tangent.h"

// `first` counts, then starts, the placements of each part.
static void sort_places(const trPlacement *given, trNewtonMatrix *m, trPlacement *place,
                        int *order) {
    int next = 0;
    for (int part = 0; part < TR_PART_COUNT; part++) {
        m->first[part] = next;
        for (int k = 0; k < m->placements; k++) {
            if ((int)given[k].part == part) {
                order[next] = k;
                place[next++] = given[k];
            }
        }
    }
    m->first[TR_PART_COUNT] = next;
}

static int count_entries(const trNewtonMatrix *m) {
    int count = 0;
    for (int b = 0; b < m->tangent->blocks; b++) {
        const trPartBlock *block = &m->tangent->block[b];
        count += tr_part_entries(block) * (m->first[block->part + 1] - m->first[block->part]);
    }
    return count;
}

static void list_entries(const trNewtonMatrix *m, int *row, int *column) {
    int entry = 0;
    for (int b = 0; b < m->tangent->blocks; b++) {
        const trPartBlock *block = &m->tangent->block[b];
        for (int k = m->first[block->part]; k < m->first[block->part + 1]; k++) {
            for (int i = 0; i < tr_part_entries(block); i++) {
                tr_part_entry(block, i, &row[entry], &column[entry]);
                row[entry] += m->place[k].row;
                column[entry++] += m->place[k].column;
            }
        }
    }
}

trStatus tr_newton_plan(trArena *arena, const trTangent *tangent, int n, int placements,
                        const trPlacement *given, trNewtonMatrix *out) {
    trNewtonMatrix m = {.tangent = tangent, .placements = placements};
    trPlacement   *place = tr_new_array(arena, trPlacement, placements);
    int           *order = tr_new_array(arena, int, placements);
    TR_TRY(tr_arena_status(arena));
    m.place = place;
    m.order = order;
    sort_places(given, &m, place, order);
    int  entries = count_entries(&m);
    int *row = tr_new_array(arena, int, entries);
    int *column = tr_new_array(arena, int, entries);
    TR_TRY(tr_arena_status(arena));
    list_entries(&m, row, column);
    *out = m;
    return tr_sparse_plan(arena, n, entries, row, column, &out->sparse);
}

void tr_newton_add(trNewtonMatrix *m, const double *coefficient) {
    const trTangent *t = m->tangent;
    const int       *position = m->sparse.position;
    for (int b = 0; b < t->blocks; b++) {
        const trPartBlock *block = &t->block[b];
        const double      *value = t->value + block->value;
        int                count = tr_part_entries(block);
        for (int k = m->first[block->part]; k < m->first[block->part + 1]; k++) {
            double factor = coefficient[m->order[k]];
            for (int i = 0; factor != 0.0 && i < count; i++) {
                m->sparse.value[position[i]] += factor * value[i];
            }
            position += count;
        }
    }
}

void tr_newton_fill(trNewtonMatrix *m, const double *coefficient) {
    tr_sparse_clear(&m->sparse);
    tr_newton_add(m, coefficient);
}

static trStatus explain_body(const trSystem *s, int column, const char *advice) {
    tr_fail(TR_SINGULAR, "is not determined in this pose: %s", advice);
    return tr_blame_body(TR_SINGULAR, &s->body[column / s->space->nv]);
}

static trStatus explain_row(const trSystem *s, int row, const char *words, const char *advice) {
    tr_fail(TR_SINGULAR, "depends on the other %s in this pose: %s", words, advice);
    return tr_blame_joint(TR_SINGULAR, &s->joint[s->row_joint[row]]);
}

static trStatus explain_state(const trSystem *s, int column) {
    return tr_fail(
        TR_SINGULAR,
        "state '%s': its rate leaves a step of this size undetermined; use another step, or dop853",
        s->state[column].name);
}

// What a column of the matrix stands for is told by any part that has one there.
static trStatus explain_singular(const trNewtonMatrix *m, int column) {
    const trSystem *s = m->tangent->system;
    const char     *rows = s->recorded > 0 ? "constraints" : "joints";
    const char     *moved = s->space->dim == 0 ? "coordinates that are held or have mass"
                                               : "a body that is held or has inertia";
    char            advice[200];
    if (m->advice != NULL) {
        snprintf(advice, sizeof advice, "%s", m->advice);
    } else {
        snprintf(advice, sizeof advice,
                 "implicit integrators need independent %s and %s; use dop853, or remove what is "
                 "redundant",
                 rows, moved);
    }
    for (int k = 0; k < m->placements; k++) {
        const trPlacement *place = &m->place[k];
        int                at = column - place->column;
        bool multiplier = place->part == TR_PART_AT || place->part == TR_PART_AT_VEL ||
                          place->part == TR_PART_E || place->part == TR_PART_E_POS;
        bool further = place->part == TR_PART_ONE_Z || place->part == TR_PART_G_Z;
        bool motion = place->part == TR_PART_M || place->part == TR_PART_K ||
                      place->part == TR_PART_V || place->part == TR_PART_S;
        if (multiplier && at >= 0 && at < s->m) {
            return explain_row(s, at, rows, advice);
        }
        if (further && at >= 0 && at < s->states) {
            return explain_state(s, at);
        }
        if (motion && at >= 0 && at < s->nv) {
            return explain_body(s, at, advice);
        }
    }
    return tr_fail(TR_SINGULAR, "the matrix of Newton's method is singular: %s", advice);
}

trStatus tr_newton_factor(trNewtonMatrix *m) {
    int      column = 0;
    trStatus status = tr_sparse_factor(&m->sparse, &column);
    return status == TR_SINGULAR ? explain_singular(m, column) : status;
}

void tr_newton_solve(const trNewtonMatrix *m, double *x) {
    tr_sparse_solve(&m->sparse, x);
}

void tr_tangent_unscale(const trTangent *t, double *lambda) {
    for (int i = 0; i < t->system->m; i++) {
        lambda[i] *= t->scale[t->system->row_joint[i]];
    }
}

const double *tr_tangent_weight(const trTangent *t) {
    return t->value + t->diagonal_value;
}

const bool *tr_tangent_left_out(const trTangent *t) {
    return t->left_out;
}
