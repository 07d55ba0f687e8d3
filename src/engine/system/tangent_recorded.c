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

// N of some rows of velocities in quaternion coordinates; N6: by (v, W), or NULL.
static void put_widened(trTangent *t, const trEval *e, const trRowBlock *b, const double *N6) {
    const trPartBlock block = tr_part_block(TR_PART_N_VEL, b->row, 7 * b->body, b->rows, 7);
    if (e != NULL) {
        const double *J = N6 == NULL ? e->value + b->value : NULL;
        tr_quaternion_widen_rows(e, b->body, b->rows, 0, N6, J, t->rows);
    }
    tr_put_block(t, block, 7, t->rows);
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

static void put_rows(trTangent *t, const trEval *e, const trTangentState *state) {
    const trSystem       *s = t->system;
    const trTracedSystem *r = s->traced;
    const int             own = s->joints + s->norms;
    for (int i = 0; i < r->sides; i++) {
        const trTracedSide *side = &r->side[i];
        const int           row = s->m - s->recorded + side->row, group = s->row_joint[row];
        const int           value = s->pattern.side_value[s->pattern.group_side[own] + i];
        const trRowBlock    rows = {group, side->body, row, side->rows, value};
        if (e != NULL && (i == 0 || r->side[i - 1].row != side->row)) {
            t->scale[group] = moved_mass(e, group);
        }
        if (s->holonomic[row]) {
            tr_put_rows(t, e, state, &rows);
            continue;
        }
        tr_put_velocity_rows(t, e, state, &rows);
        if (s->space->widen != NULL) {  // velocities (v, W) change with positions
            put_widened(t, e, &rows, NULL);
        }
    }
}

static const double *next_block(const trTangent *t, int output, int count, double *block) {
    const trProgram *p = &t->system->traced->tangent.program;
    for (int i = 0; i < count; i++) {
        block[i] = t->slot[p->output[output + i]];
    }
    return block;
}

// K and D, and M of equations of the user's own.
static void put_blocks(trTangent *t, const trEval *e, const trTangentState *state, int *output) {
    const trSystem        *s = t->system;
    const trTracedTangent *r = &s->traced->tangent;
    const int              width = t->width;
    for (int i = 0; i < r->blocks; i++) {
        const int body[2] = {r->block[i].i, r->block[i].j};
        next_block(t, *output, width * width, t->K);
        next_block(t, *output + width * width, width * width, t->D);
        *output += 2 * width * width;
        tr_put_pair_block(t, TR_PART_K, e, body, width, t->K, t->D);
        tr_tangent_chain(t, state, body[1], width, width, t->D);
        tr_put_pair_block(t, TR_PART_D, e, body, width, t->D, NULL);
        if (s->traced->M >= 0) {
            const ptrdiff_t at = body[0] + (ptrdiff_t)body[1] * s->nv;
            tr_put_block(t, tr_part_block(TR_PART_M, body[0], body[1], 1, 1), 1,
                         e != NULL ? &e->M[at] : NULL);
        }
    }
}

static void put_velocity_changes(trTangent *t, const trEval *e, int *output) {
    const trSystem        *s = t->system;
    const trTracedTangent *r = &s->traced->tangent;
    const int              nv = s->space->nv, width = t->width;
    for (int i = 0; i < r->sides; i++) {
        const trRowBlock row = {
            .body = r->side[i].body, .row = s->m - s->recorded + r->side[i].row, .rows = 1};
        const double *N = next_block(t, *output, width, t->K);
        if (s->space->widen != NULL) {
            put_widened(t, e, &row, N);
        } else {
            tr_put_block(t, tr_part_block(TR_PART_N_VEL, row.row, nv * row.body, 1, nv), nv, N);
        }
        *output += width;
    }
}

static void run(trTangent *t, const trEval *e, const trTangentState *state) {
    const trSystem        *s = t->system;
    const trTracedSystem  *r = s->traced;
    const trTracedTangent *tangent = &r->tangent;
    const double          *lambda = state->lambda + s->m - s->recorded;
    memcpy(t->input, e->input, (size_t)r->inputs * sizeof *t->input);
    memcpy(t->input + r->lambda, lambda, (size_t)s->recorded * sizeof *t->input);
    // Accelerations stand in equations of the user's own alone.
    memcpy(t->input + tangent->a, state->a, (size_t)(r->Q >= 0 ? s->nv : 0) * sizeof *t->input);
    tr_program_run(&tangent->program, t->input, t->slot);
}

void tr_recorded_put(trTangent *t, const trEval *e, const trTangentState *state) {
    const trSystem        *s = t->system;
    const trTracedTangent *tangent = &s->traced->tangent;
    int                    output = 0, first = s->m - s->recorded;
    if (e != NULL) {
        run(t, e, state);
    }
    put_rows(t, e, state);
    put_blocks(t, e, state, &output);
    put_velocity_changes(t, e, &output);
    for (int i = 0; i < tangent->entries; i++) {
        const trTracedEntry *entry = &tangent->entry[i];
        const bool           scaled = entry->part == TR_PART_C;
        const int            column = entry->column + (scaled ? first : 0);
        const double         value = (scaled ? t->scale[s->row_joint[column]] : 1.0) *
                             t->slot[tangent->program.output[output + i]];
        tr_put_block(t, tr_part_block(entry->part, entry->row, column, 1, 1), 1, &value);
    }
}
