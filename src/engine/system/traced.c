// SPDX-License-Identifier: MIT
// Derives rows of A and their right sides, and compiles everything that users recorded.

#include <stdlib.h>

#include "system/traced_work.h"

static int negative(trTracedWork *w, int node) {
    return tr_tape_op(w->tape, TR_OP_NEG, node, -1, -1);
}

// --- rows ---

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

// A = d(change)/dv, with a side for every body whose velocity matters.
static trStatus derive_sides(trTracedWork *w, int row, int change) {
    int first = w->sides, width = w->system->width;
    w->nears = 0;
    TR_TRY(tr_work_note_near(w, change, TR_INPUT_V, row));
    qsort(w->near, (size_t)w->nears, sizeof *w->near, compare);
    int *entry = tr_new_array(w->scratch, int, w->nears *width);
    TR_TRY(tr_arena_status(w->scratch));
    TR_TRY(tr_work_derive(w, change, TR_INPUT_V, entry));
    for (int i = 0; i < w->nears; i++) {
        TR_TRY(tr_work_add_side(w, row, w->near[i]));
    }
    for (int i = 0; i < w->nears * width; i++) {
        bool uneven = false;
        w->side[first + i / width].node[i % width] = entry[i];
        TR_TRY(tr_work_depends_on(w, entry[i], TR_INPUT_V, &uneven));
        if (uneven && !w->system->nonlinear) {
            w->system->nonlinear = true;
            w->system->nonlinear_row = row;
        }
    }
    return TR_OK;
}

// b1 = A v - psi, by the sides from `first` on.
static int right_side(trTracedWork *w, int psi, int first) {
    int sum = negative(w, psi), width = w->system->width;
    for (int i = 0; i < (w->sides - first) * width; i++) {
        const trTracedSide *side = &w->side[first + i / width];
        int                 number = tr_input_number(TR_INPUT_V, width * side->body + i % width);
        int                 part = tr_tape_op(w->tape, TR_OP_MUL, side->node[i % width],
                                              tr_tape_input(w->tape, number), -1);
        sum = tr_tape_op(w->tape, TR_OP_ADD, sum, part, -1);
    }
    return sum;
}

static trStatus derive_row(trTracedWork *w, const trTracedRows *rows, int k, int *b1, int *b) {
    int  function = rows->node[k], change = function, first = w->sides;
    bool of_velocity = false;
    TR_TRY(tr_work_depends_on(w, function, TR_INPUT_V, &of_velocity));
    if (of_velocity && !rows->nonholonomic) {
        return tr_fail(TR_E_MODEL, "phi depends on velocities; make it a nonholonomic constraint");
    }
    if (!rows->nonholonomic) {
        TR_TRY(tr_derive_rate(&w->motion, function, &change));
        TR_TRY(tr_derive_rate(&w->time, function, b1));
        *b1 = negative(w, *b1);
    }
    TR_TRY(tr_derive_rate(&w->motion, change, b));
    *b = negative(w, *b);
    TR_TRY(derive_sides(w, rows->first + k, change));
    if (w->sides == first) {
        return tr_fail(TR_E_MODEL, "row %d depends on no %s", k + 1,
                       rows->nonholonomic ? "velocity; make it a constraint"
                                          : "coordinate; check its function");
    }
    if (rows->nonholonomic) {
        *b1 = right_side(w, function, first);
    }
    return tr_tape_room(w->tape);
}

static trStatus blame(trStatus status, const trTracedRows *rows) {
    const trJoint as_joint = {.name = rows->name, .origin = rows->origin, .recorded = true};
    return tr_blame_joint(status, &as_joint);
}

// --- groups ---

// Whether two rows depend on the same bodies; row_side says where the sides of each begin.
static bool are_alike(const trTracedWork *w, const int *row_side, int a, int b) {
    int count = row_side[a + 1] - row_side[a];
    if (count != row_side[b + 1] - row_side[b]) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (w->side[row_side[a] + i].body != w->side[row_side[b] + i].body) {
            return false;
        }
    }
    return true;
}

// The sides of a group, from those of its rows.
static trStatus join_sides(trTracedWork *w, const int *row_side, const trTracedGroup *group,
                           trTracedSide *to) {
    int width = w->system->width;
    for (int i = 0; i < group->sides; i++) {
        to[i] = w->side[row_side[group->row] + i];
        to[i].rows = group->rows;
        to[i].node = tr_new_array(w->arena, int, group->rows *width);
        TR_TRY(tr_arena_status(w->arena));
        for (int k = 0; k < group->rows * width; k++) {
            to[i].node[k] = w->side[row_side[group->row + k / width] + i].node[k % width];
        }
    }
    return TR_OK;
}

// Rows of one constraint that follow each other and are alike make blocks, as those of joints do.
static trStatus make_groups(trTracedWork *w, const int *row_side) {
    trTracedSystem *out = w->system;
    trTracedGroup  *group = tr_new_array(w->arena, trTracedGroup, out->rows);
    trTracedSide   *side = tr_new_array(w->arena, trTracedSide, w->sides);
    TR_TRY(tr_arena_status(w->arena));
    for (int g = 0; g < w->traced->groups; g++) {
        const trTracedRows *rows = &w->traced->group[g];
        for (int row = rows->first, end = row + rows->rows; row < end;) {
            trTracedGroup next = {.constraint = g, .row = row, .rows = 1, .side = out->sides};
            next.sides = row_side[row + 1] - row_side[row];
            while (row + next.rows < end && next.rows < TR_JOINT_ROWS &&
                   are_alike(w, row_side, row, row + next.rows)) {
                next.rows++;
            }
            TR_TRY(join_sides(w, row_side, &next, side + out->sides));
            out->sides += next.sides;
            group[out->groups++] = next;
            row += next.rows;
        }
    }
    out->group = group;
    out->side = side;
    return TR_OK;
}

static trStatus derive_rows(trTracedWork *w) {
    trTracedSystem *out = w->system;
    int             rows = w->traced->rows, first = 0;
    int            *phi = tr_new_array(w->scratch, int, rows);
    int            *b1 = tr_new_array(w->scratch, int, rows);
    int            *b = tr_new_array(w->scratch, int, rows);
    int            *row_side = tr_new_array(w->scratch, int, rows + 1);
    TR_TRY(tr_arena_status(w->scratch));
    for (int g = 0; g < w->traced->groups; g++) {
        const trTracedRows *group = &w->traced->group[g];
        for (int k = 0; k < group->rows; k++) {
            int row = group->first + k;
            row_side[row] = w->sides;
            trStatus status = derive_row(w, group, k, &b1[row], &b[row]);
            phi[row] = group->node[k];
            bool steered = false;
            if (status == TR_OK) {
                status = tr_work_depends_on(w, phi[row], TR_INPUT_U, &steered);
            }
            if (steered) {
                status =
                    tr_fail(TR_E_MODEL, "uses an input, which may jump; inputs are for forces");
            }
            if (status != TR_OK) {
                return blame(status, group);
            }
        }
    }
    row_side[rows] = w->sides;
    out->rows = rows;
    TR_TRY(make_groups(w, row_side));
    TR_TRY(tr_work_put_all(w, rows, phi, &out->phi));
    TR_TRY(tr_work_put_all(w, rows, b1, &out->b1));
    TR_TRY(tr_work_put_all(w, rows, b, &out->b));
    out->A = w->nodes;
    for (int i = 0; i < out->sides; i++) {
        TR_TRY(tr_work_put_all(w, out->side[i].rows * out->width, out->side[i].node, &first));
    }
    return TR_OK;
}

// --- forces ---

static trStatus put_forces(trTracedWork *w) {
    const trModel *model = w->model;
    w->system->force = w->nodes;
    w->system->forces = w->traced->forces;
    for (int i = 0; i < model->forces; i++) {
        const trTracedForce *f = model->force[i].params;
        if (model->force[i].kind != &tr_traced_force) {
            continue;
        }
        for (int k = 0; k < 12; k++) {
            int node = f->load[k / 6][k % 6];
            TR_TRY(tr_work_put(w, node < 0 ? tr_work_zero(w) : node));
        }
        TR_TRY(tr_work_put(w, f->potential < 0 ? tr_work_zero(w) : f->potential));
        TR_TRY(tr_work_put(w, f->explicit_rate < 0 ? tr_work_zero(w) : f->explicit_rate));
    }
    return TR_OK;
}

// --- the programs ---

int tr_traced_place(const trTracedSystem *t, int number) {
    int index = tr_input_index(number);
    switch (tr_input_kind(number)) {
    case TR_INPUT_Q:
        return t->q + index;
    case TR_INPUT_V:
        return t->v + index;
    case TR_INPUT_Z:
        return t->z + index;
    case TR_INPUT_U:
        return t->u + index;
    case TR_INPUT_LAMBDA:
        return t->lambda + index;
    case TR_INPUT_A:
        return t->tangent.a + index;
    default:
        return 0;  // time
    }
}

trStatus tr_traced_program(const trTracedWork *w, int outputs, const int *node, trProgram *out) {
    TR_TRY(tr_program_compile(w->arena, w->tape, outputs, node, out));
    for (int i = 0; i < out->inputs; i++) {
        out->input[i] = tr_traced_place(w->system, out->input[i]);
    }
    return TR_OK;
}

static void place_inputs(trTracedWork *w) {
    trTracedSystem *out = w->system;
    int             bodies = w->model->bodies;
    out->q = 1;
    out->v = out->q + bodies * (w->model->dim == 3 ? 7 : out->width);
    out->z = out->v + bodies * out->width;
    out->u = out->z + out->states;
    out->lambda = out->u + w->model->inputs;
    out->inputs = out->lambda + out->rows;
}

static trStatus compile_nonideal(trTracedWork *w) {
    const trGeneral *g = w->traced->general;
    return g != NULL && w->system->reactive
               ? tr_traced_program(w, w->model->bodies, g->nonideal, &w->system->nonideal)
               : TR_OK;
}

// dE/dv, to be compared with M v.
static trStatus compile_energy_slope(trTracedWork *w) {
    const trGeneral *g = w->traced->general;
    int              n = w->model->bodies;
    if (g == NULL || g->energy < 0) {
        return TR_OK;
    }
    int *slope = tr_new_array(w->scratch, int, n);
    TR_TRY(tr_arena_status(w->scratch));
    for (w->nears = 0; w->nears < n; w->nears++) {
        w->near[w->nears] = w->nears;
    }
    TR_TRY(tr_work_derive(w, g->energy, TR_INPUT_V, slope));
    return tr_traced_program(w, n, slope, &w->system->energy_slope);
}

// Of what the program gives, and of a non-ideal part that is apart from it.
static trStatus find_breaks(trTracedWork *w) {
    trTracedSystem  *out = w->system;
    const trGeneral *g = w->traced->general;
    int              more = g != NULL && out->reactive ? w->model->bodies : 0;
    int             *node = tr_new_array(w->scratch, int, w->nodes + more);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < w->nodes + more; i++) {
        node[i] = i < w->nodes ? w->node[i] : g->nonideal[i - w->nodes];
    }
    return tr_tape_breaks(w->arena, w->tape, w->nodes + more, node, &out->breaks, &out->break_time);
}

static trStatus compile(trTracedWork *w) {
    trTracedSystem *out = w->system;
    TR_TRY(tr_work_begin(w, TR_INPUT_V));
    TR_TRY(derive_rows(w));
    if (w->traced->general != NULL) {
        TR_TRY(tr_work_general(w));
    }
    TR_TRY(put_forces(w));
    TR_TRY(tr_tape_room(w->tape));
    TR_TRY(find_breaks(w));
    place_inputs(w);
    TR_TRY(tr_traced_program(w, w->nodes, w->node, &out->program));
    TR_TRY(compile_energy_slope(w));
    return compile_nonideal(w);
}

// One file's part, with memory of its own.
static trStatus do_part(const trModel *model, trArena *arena, trTracedSystem *out,
                        trStatus (*part)(trTracedWork *)) {
    trArena     *scratch = tr_arena_create();
    trTracedWork w = {.model = model,
                      .traced = model->traced,
                      .tape = model->traced->tape,
                      .arena = arena,
                      .scratch = scratch,
                      .system = out};
    trStatus     status = part(&w);
    tr_arena_destroy(scratch);
    return status;
}

trStatus tr_traced_compile(const trModel *model, trArena *arena, trTracedSystem *out) {
    *out = (trTracedSystem){.M = -1, .Q = -1, .C = -1, .energy = -1, .inertia_power = -1};
    out->general = model->traced->general;
    out->width = model->dim == 3 ? TR_TRACED_WIDTH : model->dim == 2 ? 3 : 1;
    TR_TRY(do_part(model, arena, out, compile));
    return do_part(model, arena, out, tr_traced_tangent);
}
