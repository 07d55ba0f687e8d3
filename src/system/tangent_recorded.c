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

void tr_recorded_list(const trSystem *s, trTangent *t, trBlockList *list) {
    const trTracedSystem *r = s->traced;
    if (r == NULL) {
        return;
    }
    (void)t;
    int nv = s->space->nv, first = s->m - s->recorded;
    for (int i = 0; i < r->sides; i++) {
        const trTracedSide *side = &r->side[i];
        int                 row = first + side->row, column = nv * side->body;
        if (s->holonomic[row]) {
            tr_list_block(list, TR_PART_A, row, side->rows, column, nv);
            tr_list_block(list, TR_PART_V, row, side->rows, column, nv);
            tr_list_block(list, TR_PART_N, row, side->rows, column, nv);
            tr_list_block(list, TR_PART_AT, column, nv, row, side->rows);
        } else {
            tr_list_block(list, TR_PART_V_VEL, row, side->rows, column, nv);
            tr_list_block(list, TR_PART_AT_VEL, column, nv, row, side->rows);
        }
    }
    for (int i = 0; i < r->tangent.blocks; i++) {
        int row = nv * r->tangent.block[i].i, column = nv * r->tangent.block[i].j;
        tr_list_block(list, TR_PART_K, row, nv, column, nv);
        tr_list_block(list, TR_PART_D, row, nv, column, nv);
        if (s->dense) {
            tr_list_block(list, TR_PART_M, row, 1, column, 1);
        }
    }
    for (int i = 0; i < r->tangent.sides; i++) {
        const trTracedSide *side = &r->tangent.side[i];
        tr_list_block(list, TR_PART_N_VEL, first + side->row, 1, nv * side->body, nv);
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

// A, and where rows hold positions its rate; B T^-1 for velocities.
static int put_rows(trTangent *t, const trEval *e, const trTangentState *state, int at) {
    const trSystem       *s = t->system;
    const trTracedSystem *r = s->traced;
    int                   nv = s->space->nv, own = s->joints + s->norms;
    for (int i = 0; i < r->sides; i++) {
        const trTracedSide *side = &r->side[i];
        int                 row = s->m - s->recorded + side->row, group = s->row_joint[row];
        int                 value = s->pattern.side_value[s->pattern.group_side[own] + i];
        const double       *J = e->value + value;
        if (i == 0 || r->side[i - 1].row != side->row) {
            t->scale[group] = moved_mass(e, group);
        }
        for (int k = 0; k < side->rows * nv; k++) {
            t->rows[k] = J[k];
        }
        if (s->space->chain != NULL && state->x != NULL) {
            s->space->chain(state->x + nv * side->body, side->rows, nv, t->rows);
        }
        if (s->holonomic[row]) {
            at = tr_put_block(t, at, side->rows, nv, nv, J);
            at = tr_put_block(t, at, side->rows, nv, nv, t->rows);
            at = tr_put_rates(t, at, e, state, value, side->rows, side->body);
        } else {
            at = tr_put_block(t, at, side->rows, nv, nv, t->rows);
        }
        at = tr_put_transposed(t, at, side->rows, nv, t->scale[group], J);
    }
    return at;
}

static const double *next_block(const trTangent *t, int output, int count, double *block) {
    const trProgram *p = &t->system->traced->tangent.program;
    for (int i = 0; i < count; i++) {
        block[i] = t->slot[p->output[output + i]];
    }
    return block;
}

static void put_blocks(trTangent *t, const trEval *e, const trTangentState *state, int at) {
    const trSystem        *s = t->system;
    const trTracedTangent *r = &s->traced->tangent;
    int                    nv = s->space->nv, output = 0;
    for (int i = 0; i < r->blocks; i++) {
        int row = r->block[i].i, column = r->block[i].j;
        next_block(t, output, nv * nv, t->K);
        next_block(t, output + nv * nv, nv * nv, t->D);
        output += 2 * nv * nv;
        if (s->space->chain != NULL && state->x != NULL) {
            s->space->chain(state->x + nv * column, nv, nv, t->D);
        }
        at = tr_put_block(t, at, nv, nv, nv, t->K);
        at = tr_put_block(t, at, nv, nv, nv, t->D);
        if (s->dense) {
            at = tr_put_block(t, at, 1, 1, 1, &e->M[row + (ptrdiff_t)column * s->nv]);
        }
    }
    for (int i = 0; i < r->sides; i++) {
        at = tr_put_block(t, at, 1, nv, nv, next_block(t, output, nv, t->K));
        output += nv;
    }
}

void tr_recorded_evaluate(trTangent *t, const trEval *e, const trTangentState *state) {
    const trSystem        *s = t->system;
    const trTracedSystem  *r = s->traced;
    const trTracedTangent *tangent = &r->tangent;
    memcpy(t->input, e->input, (size_t)r->inputs * sizeof *t->input);
    memcpy(t->input + r->lambda, state->lambda + s->m - s->recorded,
           (size_t)s->recorded * sizeof *t->input);
    memcpy(t->input + tangent->a, state->a, (size_t)s->nv * sizeof *t->input);
    tr_program_run(&tangent->program, t->input, t->slot);
    put_blocks(t, e, state, put_rows(t, e, state, t->recorded_value));
}
