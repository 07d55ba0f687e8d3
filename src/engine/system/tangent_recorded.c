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

void tr_recorded_list(const trSystem *s, trBlockList *list) {
    const trTracedSystem *r = s->traced;
    int                   nv = s->space->nv, first = s->m - s->recorded;
    for (int i = 0; r != NULL && i < r->sides; i++) {
        const trTracedSide *side = &r->side[i];
        int                 row = first + side->row;
        if (s->holonomic[row]) {
            tr_list_rows(list, s, row, side->rows, side->body);
            continue;
        }
        tr_list_velocity_rows(list, s, row, side->rows, side->body);
        if (s->space->widen != NULL) {  // velocities (v, W) change with positions
            tr_list_block(list, TR_PART_N_VEL, row, side->rows, nv * side->body, nv);
        }
    }
    for (int i = 0; r != NULL && i < r->tangent.blocks; i++) {
        int row = nv * r->tangent.block[i].i, column = nv * r->tangent.block[i].j;
        tr_list_block(list, TR_PART_K, row, nv, column, nv);
        tr_list_block(list, TR_PART_D, row, nv, column, nv);
        if (s->traced->M >= 0) {
            tr_list_block(list, TR_PART_M, row, 1, column, 1);
        }
    }
    for (int i = 0; r != NULL && i < r->tangent.sides; i++) {
        const trTracedSide *side = &r->tangent.side[i];
        tr_list_block(list, TR_PART_N_VEL, first + side->row, 1, nv * side->body, nv);
    }
    for (int i = 0; r != NULL && i < r->tangent.entries; i++) {
        const trTracedEntry *entry = &r->tangent.entry[i];
        int                  column = entry->column + (entry->part == TR_PART_C ? first : 0);
        tr_list_block(list, entry->part, entry->row, 1, column, 1);
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

static int put_rows(trTangent *t, const trEval *e, const trTangentState *state, int at) {
    const trSystem       *s = t->system;
    const trTracedSystem *r = s->traced;
    int                   nv = s->space->nv, own = s->joints + s->norms;
    for (int i = 0; i < r->sides; i++) {
        const trTracedSide *side = &r->side[i];
        int                 row = s->m - s->recorded + side->row, group = s->row_joint[row];
        int                 value = s->pattern.side_value[s->pattern.group_side[own] + i];
        const trRowBlock    rows = {group, side->body, side->rows, value};
        if (i == 0 || r->side[i - 1].row != side->row) {
            t->scale[group] = moved_mass(e, group);
        }
        if (s->holonomic[row]) {
            at = tr_put_rows(t, at, e, state, &rows);
            continue;
        }
        at = tr_put_velocity_rows(t, at, e, state, &rows);
        if (s->space->widen != NULL) {
            tr_quaternion_widen_rows(e, side->body, side->rows, 0, NULL, e->value + value, t->rows);
            at = tr_put_block(t, at, side->rows, nv, nv, t->rows);
        }
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

// K and D, and M of equations of the user's own; returns where the next numbers go.
static int put_blocks(trTangent *t, const trEval *e, const trTangentState *state, int at,
                      int *output) {
    const trSystem        *s = t->system;
    const trTracedTangent *r = &s->traced->tangent;
    int                    width = t->width;
    for (int i = 0; i < r->blocks; i++) {
        const int body[2] = {r->block[i].i, r->block[i].j};
        next_block(t, *output, width * width, t->K);
        next_block(t, *output + width * width, width * width, t->D);
        *output += 2 * width * width;
        at = tr_put_pair_block(t, at, e, body, width, t->K, t->D);
        tr_tangent_chain(t, state, body[1], width, width, t->D);
        at = tr_put_pair_block(t, at, e, body, width, t->D, NULL);
        if (s->traced->M >= 0) {
            at = tr_put_block(t, at, 1, 1, 1, &e->M[body[0] + (ptrdiff_t)body[1] * s->nv]);
        }
    }
    return at;
}

static int put_velocity_changes(trTangent *t, const trEval *e, int at, int *output) {
    const trSystem        *s = t->system;
    const trTracedTangent *r = &s->traced->tangent;
    int                    nv = s->space->nv, width = t->width;
    for (int i = 0; i < r->sides; i++) {
        const double *N = next_block(t, *output, width, t->K);
        if (s->space->widen != NULL) {
            tr_quaternion_widen_rows(e, r->side[i].body, 1, width, N, NULL, t->rows);
            N = t->rows;
        }
        at = tr_put_block(t, at, 1, nv, nv, N);
        *output += width;
    }
    return at;
}

void tr_recorded_evaluate(trTangent *t, const trEval *e, const trTangentState *state) {
    const trSystem        *s = t->system;
    const trTracedSystem  *r = s->traced;
    const trTracedTangent *tangent = &r->tangent;
    int                    output = 0, first = s->m - s->recorded;
    memcpy(t->input, e->input, (size_t)r->inputs * sizeof *t->input);
    memcpy(t->input + r->lambda, state->lambda + first, (size_t)s->recorded * sizeof *t->input);
    // Accelerations stand in equations of the user's own alone.
    memcpy(t->input + tangent->a, state->a, (size_t)(r->Q >= 0 ? s->nv : 0) * sizeof *t->input);
    tr_program_run(&tangent->program, t->input, t->slot);
    int at = put_rows(t, e, state, t->recorded_value);
    at = put_blocks(t, e, state, at, &output);
    at = put_velocity_changes(t, e, at, &output);
    for (int i = 0; i < tangent->entries; i++) {
        const trTracedEntry *entry = &tangent->entry[i];
        double               scale =
            entry->part == TR_PART_C ? t->scale[s->row_joint[first + entry->column]] : 1.0;
        t->value[at + i] = scale * t->slot[tangent->program.output[output + i]];
    }
}
