// SPDX-License-Identifier: MIT
// Recorded equations in the matrix of tangent.h: their rows, blocks and rates.

#include <math.h>
#include <string.h>

#include "system/tangent_parts.h"

trStatus tr_recorded_plan(trArena *arena, const trSystem *s, trTangent *t) {
    if (s->traced == NULL) {
        return TR_OK;
    }
    const trTracedTangent *tangent = &s->traced->tangent;
    t->slot = tr_new_array(arena, double, tangent->program.slots);
    t->input = tr_new_array(arena, double, tangent->inputs);
    TR_TRY(tr_arena_status(arena));
    tr_program_begin(&tangent->program, t->slot);
    return TR_OK;
}

void tr_recorded_list(const trSystem *s, trTangent *t, trEntries *list) {
    const trTracedSystem *r = s->traced;
    if (r == NULL) {
        return;
    }
    int nv = s->space->nv, first = s->nv + s->m - s->recorded;
    t->row_entry = list->count;
    for (int i = 0; i < r->sides; i++) {
        const trTracedSide *side = &r->side[i];
        tr_entries_add(list, first + side->row, side->rows, nv * side->body, nv);
        tr_entries_add(list, nv * side->body, nv, first + side->row, side->rows);
    }
    t->block_entry = list->count;
    for (int i = 0; i < r->tangent.blocks; i++) {
        tr_entries_add(list, nv * r->tangent.block[i].i, nv, nv * r->tangent.block[i].j, nv);
    }
    t->rate_entry = list->count;
    for (int i = 0; i < r->tangent.sides; i++) {
        const trTracedSide *side = &r->tangent.side[i];
        tr_entries_add(list, first + side->row, 1, nv * side->body, nv);
    }
}

// rows / trace(A M^-1 A') of a group, by the diagonal of M: the mass that it moves.
static double moved_mass(const trEval *e, int group) {
    const trSystem *s = e->system;
    const trRows   *A = &e->equations.A;
    int             rows = A->group_row[group + 1] - A->group_row[group];
    double          sum = 0.0;
    for (int k = A->group_side[group]; k < A->group_side[group + 1]; k++) {
        for (int i = 0; i < rows * A->side_width[k]; i++) {
            int    column = A->side_column[k] + i % A->side_width[k];
            double mass = s->dense ? e->M[(ptrdiff_t)column * (s->nv + 1)] : s->mass[column];
            double entry = e->value[A->side_value[k] + i];
            sum += mass > 0.0 ? entry * entry / mass : 0.0;
        }
    }
    return sum > 0.0 && isfinite(rows / sum) ? rows / sum : 1.0;
}

// A and A' of recorded rows, A T^-1 in those of velocities.
static void add_recorded_rows(trTangent *t, const trEval *e, const double *x) {
    const trSystem       *s = t->system;
    const trTracedSystem *r = s->traced;
    int                   nv = s->space->nv, own = s->joints + s->norms, entry = t->row_entry;
    double                transposed[TR_JOINT_ROWS * 6];
    for (int i = 0; i < r->sides; i++) {
        const trTracedSide *side = &r->side[i];
        int                 row = s->m - s->recorded + side->row, group = s->row_joint[row];
        const double       *J = e->value + s->pattern.side_value[s->pattern.group_side[own] + i];
        if (i == 0 || r->side[i - 1].row != side->row) {
            t->scale[group] = moved_mass(e, group);
        }
        for (int k = 0; k < side->rows * nv; k++) {
            t->rows[k] = J[k];
            transposed[(k % nv) * side->rows + k / nv] = J[k];
        }
        if (s->space->chain != NULL && !s->holonomic[row]) {
            s->space->chain(x + nv * side->body, side->rows, nv, t->rows);
        }
        entry = tr_tangent_add(t, entry, side->rows, nv, nv, 1.0, t->rows);
        entry = tr_tangent_add(t, entry, nv, side->rows, side->rows, t->scale[group], transposed);
    }
}

static const double *next_block(const trTangent *t, int output, int count, double *block) {
    const trProgram *p = &t->system->traced->tangent.program;
    for (int i = 0; i < count; i++) {
        block[i] = t->slot[p->output[output + i]];
    }
    return block;
}

// (M + K / ca + cv / ca D T^-1), and N / cv.
static void add_recorded_blocks(trTangent *t, const trEval *e, const double *x) {
    const trSystem        *s = t->system;
    const trTracedTangent *r = &s->traced->tangent;
    int                    nv = s->space->nv, entry = t->block_entry, output = 0;
    for (int i = 0; i < r->blocks; i++) {
        int body = r->block[i].j;
        next_block(t, output, nv * nv, t->K);
        next_block(t, output + nv * nv, nv * nv, t->D);
        output += 2 * nv * nv;
        if (s->space->chain != NULL) {
            s->space->chain(x + nv * body, nv, nv, t->D);
        }
        int next = tr_tangent_add(t, entry, nv, nv, nv, 1.0 / t->ca, t->K);
        tr_tangent_add(t, entry, nv, nv, nv, t->cv / t->ca, t->D);
        if (s->dense) {
            tr_tangent_add(t, entry, 1, 1, 1, 1.0, &e->M[r->block[i].i + (ptrdiff_t)body * s->nv]);
        }
        entry = next;
    }
    for (int i = 0; i < r->sides; i++) {
        next_block(t, output, nv, t->K);
        output += nv;
        tr_tangent_add(t, t->rate_entry + nv * i, 1, nv, nv, 1.0 / t->cv, t->K);
    }
}

void tr_recorded_add(trTangent *t, const trEval *e, const trTangentState *at) {
    const trSystem        *s = t->system;
    const trTracedSystem  *r = s->traced;
    const trTracedTangent *tangent = &r->tangent;
    memcpy(t->input, e->input, (size_t)r->inputs * sizeof *t->input);
    memcpy(t->input + r->lambda, at->lambda + s->m - s->recorded,
           (size_t)s->recorded * sizeof *t->input);
    memcpy(t->input + tangent->a, at->a, (size_t)s->nv * sizeof *t->input);
    tr_program_run(&tangent->program, t->input, t->slot);
    add_recorded_rows(t, e, at->x);
    add_recorded_blocks(t, e, at->x);
}
