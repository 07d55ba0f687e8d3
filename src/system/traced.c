// SPDX-License-Identifier: MIT
#include "system/traced.h"

#include <string.h>

#include "tape/derive.h"

#define WIDTH 6  // most velocities of a body

// A list of nodes that grows.
typedef struct List {
    int  count, room;
    int *node;
} List;

typedef struct Work {
    const trModel  *model;
    const trTraced *traced;
    trTape         *tape;
    trArena        *arena, *scratch;
    trTracedSystem *out;
    trDerive        motion;  // D
    trDerive        time;    // d/dt with all else at rest
    List            output;
    int             side_room;
    trTracedSide   *side;
    int            *touched;  // inputs that a row depends on
    int             touched_room;
    int            *stamp;  // by body: the last row that touches it, + 1
} Work;

static int zero(Work *w) {
    return tr_tape_constant(w->tape, 0.0);
}

static int negative(Work *w, int node) {
    return tr_tape_op(w->tape, TR_OP_NEG, node, -1, -1);
}

static trStatus put(Work *w, int node) {
    List *list = &w->output;
    if (list->count == list->room) {
        int  room = list->room == 0 ? 64 : 2 * list->room;
        int *larger = tr_new_array(w->scratch, int, room);
        TR_TRY(tr_arena_status(w->scratch));
        for (int i = 0; i < list->count; i++) {
            larger[i] = list->node[i];
        }
        list->node = larger;
        list->room = room;
    }
    list->node[list->count++] = node;
    return node < 0 ? tr_tape_room(w->tape) : TR_OK;
}

static trStatus put_all(Work *w, int count, const int *node, int *first) {
    *first = w->output.count;
    for (int i = 0; i < count; i++) {
        TR_TRY(put(w, node[i]));
    }
    return TR_OK;
}

// --- how inputs change ---

static trStatus set_rates(Work *w) {
    const trModel   *model = w->model;
    const trGeneral *g = w->traced->general;
    int              states = g == NULL ? 0 : g->states;
    int              most = 7 * model->bodies > states ? 7 * model->bodies : states;
    int              count = tr_input_number(TR_INPUTS, most);
    int             *rate = tr_new_array(w->scratch, int, count);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < count; i++) {
        rate[i] = -1;
    }
    rate[0] = tr_tape_constant(w->tape, 1.0);
    for (int i = 0; i < model->bodies; i++) {
        int own[7], numbers = tr_trace_rates(model, w->tape, i, TR_INPUT_V, own);
        for (int k = 0; k < numbers; k++) {
            rate[tr_input_number(TR_INPUT_Q, numbers * i + k)] = own[k];
        }
    }
    for (int i = 0; i < states; i++) {
        rate[tr_input_number(TR_INPUT_Z, i)] = g->state_rate[i];
    }
    tr_derive_begin(&w->motion, w->tape, w->scratch);
    tr_derive_set_rates(&w->motion, count, rate);
    tr_derive_begin(&w->time, w->tape, w->scratch);
    tr_derive_set_rates(&w->time, 1, rate);
    return tr_tape_room(w->tape);
}

// --- rows ---

// The inputs that a node depends on, in w->touched.
static trStatus list_inputs(Work *w, int node, int *count) {
    *count = tr_derive_inputs(&w->motion, node, w->touched_room, w->touched);
    if (*count > w->touched_room) {
        w->touched_room = 2 * *count;
        w->touched = tr_new_array(w->scratch, int, w->touched_room);
        TR_TRY(tr_arena_status(w->scratch));
        *count = tr_derive_inputs(&w->motion, node, w->touched_room, w->touched);
    }
    return tr_arena_status(w->scratch);
}

static trStatus depends_on(Work *w, int node, trInput kind, bool *out) {
    int count = 0;
    *out = false;
    TR_TRY(list_inputs(w, node, &count));
    for (int i = 0; i < count; i++) {
        *out |= tr_input_kind(w->touched[i]) == kind;
    }
    return TR_OK;
}

// A new side with room for its nodes.
static trStatus add_side(Work *w, int row, int body, int **node) {
    trTracedSystem *out = w->out;
    if (out->sides == w->side_room) {
        int           room = w->side_room == 0 ? 64 : 2 * w->side_room;
        trTracedSide *larger = tr_new_array(w->arena, trTracedSide, room);
        TR_TRY(tr_arena_status(w->arena));
        for (int i = 0; i < out->sides; i++) {
            larger[i] = w->side[i];
        }
        w->side = larger;
        w->side_room = room;
        out->side = larger;
    }
    *node = tr_new_array(w->arena, int, out->width);
    w->side[out->sides++] = (trTracedSide){.row = row, .body = body, .node = *node};
    return tr_arena_status(w->arena);
}

// The bodies whose velocities `change` depends on become the sides of a row; their number.
static trStatus find_sides(Work *w, int row, int change, int *added) {
    int count = 0, before = w->out->sides;
    TR_TRY(list_inputs(w, change, &count));
    for (int i = 0; i < count; i++) {
        if (tr_input_kind(w->touched[i]) != TR_INPUT_V) {
            continue;
        }
        int body = tr_input_index(w->touched[i]) / w->out->width, *node = NULL;
        if (w->stamp[body] != row + 1) {
            w->stamp[body] = row + 1;
            TR_TRY(add_side(w, row, body, &node));
        }
    }
    *added = w->out->sides - before;
    return TR_OK;
}

// A = d(change)/dv, for all sides of a row at once.
static trStatus derive_sides(Work *w, int change, int sides) {
    int           width = w->out->width, count = sides * width;
    trTracedSide *side = w->side + w->out->sides - sides;
    int          *input = tr_new_array(w->scratch, int, count);
    int          *entry = tr_new_array(w->scratch, int, count);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < count; i++) {
        input[i] = tr_input_number(TR_INPUT_V, width * side[i / width].body + i % width);
    }
    TR_TRY(tr_derive_gradient(&w->motion, change, count, input, entry));
    for (int i = 0; i < count; i++) {
        bool uneven = false;
        ((int *)side[i / width].node)[i % width] = entry[i];
        TR_TRY(depends_on(w, entry[i], TR_INPUT_V, &uneven));
        w->out->nonlinear |= uneven;
    }
    return TR_OK;
}

// b1 = A v - psi, by the sides just derived.
static int right_side(Work *w, int psi, int sides) {
    int                 sum = negative(w, psi), width = w->out->width;
    const trTracedSide *side = w->side + w->out->sides - sides;
    for (int i = 0; i < sides * width; i++) {
        int v = tr_tape_input(
            w->tape, tr_input_number(TR_INPUT_V, width * side[i / width].body + i % width));
        int part = tr_tape_op(w->tape, TR_OP_MUL, side[i / width].node[i % width], v, -1);
        sum = tr_tape_op(w->tape, TR_OP_ADD, sum, part, -1);
    }
    return sum;
}

static trStatus blame(trStatus status, const trTracedRows *rows) {
    const trJoint as_joint = {.name = rows->name, .origin = rows->origin, .recorded = true};
    return tr_blame_joint(status, &as_joint);
}

static trStatus derive_row(Work *w, const trTracedRows *rows, int k, int *b1, int *b) {
    int  function = rows->node[k], change = function, sides = 0;
    bool of_velocity = false;
    TR_TRY(depends_on(w, function, TR_INPUT_V, &of_velocity));
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
    TR_TRY(find_sides(w, rows->first + k, change, &sides));
    if (sides == 0) {
        return tr_fail(TR_E_MODEL, "row %d depends on no %s", k + 1,
                       rows->nonholonomic ? "velocity; make it a constraint" : "coordinate");
    }
    TR_TRY(derive_sides(w, change, sides));
    if (rows->nonholonomic) {
        *b1 = right_side(w, function, sides);
    }
    return tr_tape_room(w->tape);
}

static trStatus derive_rows(Work *w) {
    trTracedSystem *out = w->out;
    int             rows = w->traced->rows;
    int            *phi = tr_new_array(w->scratch, int, rows);
    int            *b1 = tr_new_array(w->scratch, int, rows);
    int            *b = tr_new_array(w->scratch, int, rows);
    TR_TRY(tr_arena_status(w->scratch));
    for (int g = 0; g < w->traced->groups; g++) {
        const trTracedRows *group = &w->traced->group[g];
        for (int k = 0; k < group->rows; k++) {
            int      row = group->first + k;
            trStatus status = derive_row(w, group, k, &b1[row], &b[row]);
            phi[row] = group->node[k];
            if (status != TR_OK) {
                return blame(status, group);
            }
        }
    }
    out->rows = rows;
    TR_TRY(put_all(w, rows, phi, &out->phi));
    TR_TRY(put_all(w, rows, b1, &out->b1));
    TR_TRY(put_all(w, rows, b, &out->b));
    out->A = w->output.count;
    for (int i = 0; i < out->sides; i++) {
        int first = 0;
        TR_TRY(put_all(w, out->width, out->side[i].node, &first));
    }
    return TR_OK;
}

// --- a system of the user's own ---

// M if it is constant and diagonal.
static trStatus find_diagonal(Work *w) {
    int        n = w->model->bodies;
    const int *M = w->traced->general->mass;
    double    *diagonal = tr_new_array(w->arena, double, n);
    TR_TRY(tr_arena_status(w->arena));
    for (int i = 0; i < n * n; i++) {
        double value = 0.0;
        bool   on = i % n == i / n;
        if (!tr_tape_is_constant(w->tape, M[i], &value) || (!on && value != 0.0)) {
            return TR_OK;
        }
        if (on) {
            diagonal[i % n] = value;
        }
    }
    w->out->diagonal = diagonal;
    return TR_OK;
}

static trStatus list_pairs(Work *w) {
    int           n = w->model->bodies, count = 0;
    const int    *M = w->traced->general->mass;
    trTracedPair *pair = tr_new_array(w->arena, trTracedPair, n * n);
    TR_TRY(tr_arena_status(w->arena));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (M[i * n + j] != M[j * n + i]) {
                pair[count++] = (trTracedPair){i, j};
            }
        }
    }
    w->out->pair = pair;
    w->out->pairs = count;
    return TR_OK;
}

// v' (dM/dt) v / 2
static trStatus derive_inertia_power(Work *w) {
    int        n = w->model->bodies, sum = zero(w);
    const int *M = w->traced->general->mass;
    for (int i = 0; i < n * n; i++) {
        int rate = -1;
        int vi = tr_tape_input(w->tape, tr_input_number(TR_INPUT_V, i / n));
        int vj = tr_tape_input(w->tape, tr_input_number(TR_INPUT_V, i % n));
        TR_TRY(tr_derive_rate(&w->motion, M[i], &rate));
        int product = tr_tape_op(w->tape, TR_OP_MUL, vi, vj, -1);
        int part = tr_tape_op(w->tape, TR_OP_MUL, rate, product, -1);
        sum = tr_tape_op(w->tape, TR_OP_ADD, sum, part, -1);
    }
    sum = tr_tape_op(w->tape, TR_OP_MUL, tr_tape_constant(w->tape, 0.5), sum, -1);
    return put_all(w, 1, &sum, &w->out->inertia_power);
}

static trStatus derive_mass(Work *w) {
    TR_TRY(find_diagonal(w));
    if (w->out->diagonal != NULL) {
        return TR_OK;
    }
    int n = w->model->bodies;
    TR_TRY(list_pairs(w));
    w->out->M = w->output.count;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            TR_TRY(put(w, w->traced->general->mass[i * n + j]));
        }
    }
    return derive_inertia_power(w);
}

static trStatus derive_general(Work *w) {
    const trGeneral *g = w->traced->general;
    trTracedSystem  *out = w->out;
    TR_TRY(derive_mass(w));
    out->Q = w->output.count;
    for (int i = 0; i < w->model->bodies; i++) {
        TR_TRY(put(w, g->force == NULL ? zero(w) : g->force[i]));
    }
    out->states = g->states;
    TR_TRY(put_all(w, g->states, g->state_rate, &out->rate));
    if (g->energy >= 0) {
        int pair[2] = {g->energy, -1};
        TR_TRY(tr_derive_rate(&w->motion, g->energy, &pair[1]));
        TR_TRY(put_all(w, 2, pair, &out->energy));
    }
    return TR_OK;
}

// --- forces ---

static trStatus put_forces(Work *w) {
    const trModel *model = w->model;
    w->out->force = w->output.count;
    w->out->forces = w->traced->forces;
    for (int i = 0; i < model->forces; i++) {
        const trTracedForce *f = model->force[i].params;
        if (model->force[i].kind != &tr_traced_force) {
            continue;
        }
        for (int k = 0; k < 12; k++) {
            int node = f->load[k / 6][k % 6];
            TR_TRY(put(w, node < 0 ? zero(w) : node));
        }
        TR_TRY(put(w, f->potential < 0 ? zero(w) : f->potential));
        TR_TRY(put(w, f->explicit_rate < 0 ? zero(w) : f->explicit_rate));
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
    case TR_INPUT_LAMBDA:
        return t->lambda + index;
    case TR_INPUT_A:
        return t->tangent.a + index;
    default:
        return 0;  // time
    }
}

static void place_inputs(const trTracedSystem *t, trProgram *p) {
    for (int i = 0; i < p->inputs; i++) {
        p->input[i] = tr_traced_place(t, p->input[i]);
    }
}

static trStatus compile_nonideal(Work *w) {
    const trGeneral *g = w->traced->general;
    trTracedSystem  *out = w->out;
    if (g == NULL || g->nonideal == NULL) {
        return TR_OK;
    }
    for (int i = 0; i < w->model->bodies; i++) {
        bool reactive = false;
        TR_TRY(depends_on(w, g->nonideal[i], TR_INPUT_LAMBDA, &reactive));
        out->reactive |= reactive;
    }
    TR_TRY(tr_program_compile(w->arena, w->tape, w->model->bodies, g->nonideal, &out->nonideal));
    place_inputs(out, &out->nonideal);
    return TR_OK;
}

static trStatus compile(Work *w) {
    trTracedSystem *out = w->out;
    int             bodies = w->model->bodies;
    w->stamp = tr_new_array(w->scratch, int, bodies);
    TR_TRY(tr_arena_status(w->scratch));
    TR_TRY(set_rates(w));
    TR_TRY(derive_rows(w));
    if (w->traced->general != NULL) {
        TR_TRY(derive_general(w));
    }
    TR_TRY(put_forces(w));
    TR_TRY(tr_tape_room(w->tape));
    TR_TRY(tr_tape_breaks(w->arena, w->tape, w->output.count, w->output.node, &out->breaks,
                          &out->break_time));
    TR_TRY(tr_program_compile(w->arena, w->tape, w->output.count, w->output.node, &out->program));
    out->q = 1;
    out->v = out->q + bodies * (w->model->dim == 3 ? 7 : out->width);
    out->z = out->v + bodies * out->width;
    out->lambda = out->z + out->states;
    out->inputs = out->lambda + out->rows;
    place_inputs(out, &out->program);
    return compile_nonideal(w);
}

trStatus tr_traced_compile(const trModel *model, trArena *arena, trTracedSystem *out) {
    trArena *scratch = tr_arena_create();
    if (scratch == NULL) {
        return TR_E_MEMORY;
    }
    *out = (trTracedSystem){.M = -1, .Q = -1, .energy = -1, .inertia_power = -1};
    out->width = model->dim == 3 ? WIDTH : model->dim == 2 ? 3 : 1;
    Work     w = {.model = model,
                  .traced = model->traced,
                  .tape = model->traced->tape,
                  .arena = arena,
                  .scratch = scratch,
                  .out = out};
    trStatus status = compile(&w);
    status = status == TR_OK ? tr_traced_tangent(model, arena, out) : status;
    tr_arena_destroy(scratch);
    return status;
}
