// SPDX-License-Identifier: MIT
// How recorded equations change with positions and velocities, for Newton's method of implicit
// integrators. The change of a node in the direction j of v is the derivative of its rate, with
// positions that move at virtual velocities, by the j-th of these.

#include <string.h>

#include "system/traced.h"
#include "tape/derive.h"

#define WIDTH 6

typedef struct Work {
    const trModel   *model;
    const trTraced  *traced;
    trTape          *tape;
    trArena         *arena, *scratch;
    trTracedSystem  *system;
    trTracedTangent *out;
    trDerive         motion;    // rates at virtual velocities
    int             *residual;  // velocities: r, or -1
    int             *stamp;     // by body: the last one it was seen from, + 1
    int             *near;      // bodies that the residuals of one body depend on
    int              nears;
    int              input_room;
    int             *input;
    int              nodes, node_room;
    int             *node;  // of outputs
    int              block_room, side_room;
    trTracedBlock   *block;
    trTracedSide    *side;
} Work;

static trStatus put(Work *w, int node) {
    if (w->nodes == w->node_room) {
        int  room = w->node_room == 0 ? 256 : 2 * w->node_room;
        int *larger = tr_new_array(w->scratch, int, room);
        TR_TRY(tr_arena_status(w->scratch));
        for (int i = 0; i < w->nodes; i++) {
            larger[i] = w->node[i];
        }
        w->node = larger;
        w->node_room = room;
    }
    w->node[w->nodes++] = node;
    return node < 0 ? tr_tape_room(w->tape) : TR_OK;
}

// --- residuals ---

static int times(Work *w, int a, int b) {
    return tr_tape_op(w->tape, TR_OP_MUL, a, b, -1);
}

static void add(Work *w, int i, trTapeOp op, int node) {
    int before = w->residual[i] < 0 ? tr_tape_constant(w->tape, 0.0) : w->residual[i];
    w->residual[i] = tr_tape_op(w->tape, op, before, node, -1);
}

static void add_rows(Work *w) {
    int width = w->system->width;
    for (int i = 0; i < w->system->sides; i++) {
        const trTracedSide *side = &w->system->side[i];
        int lambda = tr_tape_input(w->tape, tr_input_number(TR_INPUT_LAMBDA, side->row));
        for (int k = 0; k < width; k++) {
            add(w, width * side->body + k, TR_OP_ADD, times(w, lambda, side->node[k]));
        }
    }
}

static void add_general(Work *w) {
    const trGeneral *g = w->traced->general;
    int              n = w->model->bodies;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int a = tr_tape_input(w->tape, tr_input_number(TR_INPUT_A, j));
            add(w, i, TR_OP_ADD, times(w, g->mass[i * n + j], a));
        }
        if (g->force != NULL) {
            add(w, i, TR_OP_SUB, g->force[i]);
        }
    }
}

static void add_forces(Work *w) {
    for (int i = 0; i < w->model->forces; i++) {
        const trForce       *force = &w->model->force[i];
        const trTracedForce *f = force->params;
        const int            body[2] = {force->body1, force->body2};
        for (int side = 0; force->kind == &tr_traced_force && side < 2; side++) {
            int Q[WIDTH];
            if (body[side] == TR_GROUND) {
                continue;
            }
            int count = tr_trace_generalized(w->model, w->tape, body[side], f->load[side], Q);
            for (int k = 0; k < count; k++) {
                add(w, count * body[side] + k, TR_OP_SUB, Q[k]);
            }
        }
    }
}

// --- which bodies matter ---

static trStatus list_inputs(Work *w, int node, int *count) {
    *count = tr_derive_inputs(&w->motion, node, w->input_room, w->input);
    if (*count > w->input_room) {
        w->input_room = 2 * *count;
        w->input = tr_new_array(w->scratch, int, w->input_room);
        TR_TRY(tr_arena_status(w->scratch));
        *count = tr_derive_inputs(&w->motion, node, w->input_room, w->input);
    }
    return tr_arena_status(w->scratch);
}

// Bodies by whose inputs of this kind the node changes join `near`; `from` is who asks.
static trStatus note_near(Work *w, int node, trInput kind, int from) {
    int count = 0;
    TR_TRY(list_inputs(w, node, &count));
    for (int i = 0; i < count; i++) {
        int body = tr_input_index(w->input[i]) / w->system->width;
        if (tr_input_kind(w->input[i]) == kind && w->stamp[body] != from + 1) {
            w->stamp[body] = from + 1;
            w->near[w->nears++] = body;
        }
    }
    return TR_OK;
}

// d(node) by the inputs of this kind of all near bodies, body after body, in `out`.
static trStatus derive(Work *w, int node, trInput kind, int *out) {
    int  width = w->system->width, count = w->nears * width;
    int *input = tr_new_array(w->scratch, int, count);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < count; i++) {
        input[i] = tr_input_number(kind, width * w->near[i / width] + i % width);
    }
    return tr_derive_gradient(&w->motion, node, count, input, out);
}

// --- blocks ---

// K and D of the residuals of one body are kept in `K` and `D`, row after row.
static trStatus derive_body(Work *w, int body, int **K, int **D) {
    int width = w->system->width, change[WIDTH];
    w->nears = 0;
    for (int k = 0; k < width; k++) {
        int r = w->residual[width * body + k];
        if (r >= 0) {
            TR_TRY(tr_derive_rate(&w->motion, r, &change[k]));
            TR_TRY(note_near(w, change[k], TR_INPUT_VIRTUAL, body));
            TR_TRY(note_near(w, r, TR_INPUT_V, body));
            TR_TRY(note_near(w, r, TR_INPUT_A, body));  // M itself has a place there
        }
    }
    int stride = w->nears * width;
    *K = tr_new_array(w->scratch, int, width *stride);
    *D = tr_new_array(w->scratch, int, width *stride);
    TR_TRY(tr_arena_status(w->scratch));
    for (int k = 0; k < width && stride > 0; k++) {
        int r = w->residual[width * body + k];
        for (int i = 0; r < 0 && i < stride; i++) {
            (*K)[k * stride + i] = (*D)[k * stride + i] = tr_tape_constant(w->tape, 0.0);
        }
        if (r >= 0) {
            TR_TRY(derive(w, change[k], TR_INPUT_VIRTUAL, *K + (ptrdiff_t)k * stride));
            TR_TRY(derive(w, r, TR_INPUT_V, *D + (ptrdiff_t)k * stride));
        }
    }
    return TR_OK;
}

static trStatus add_block(Work *w, int i, int j) {
    trTracedTangent *out = w->out;
    if (out->blocks == w->block_room) {
        int            room = w->block_room == 0 ? 64 : 2 * w->block_room;
        trTracedBlock *larger = tr_new_array(w->arena, trTracedBlock, room);
        TR_TRY(tr_arena_status(w->arena));
        for (int k = 0; k < out->blocks; k++) {
            larger[k] = w->block[k];
        }
        out->block = w->block = larger;
        w->block_room = room;
    }
    w->block[out->blocks++] = (trTracedBlock){i, j};
    return TR_OK;
}

// Outputs are K and D by turns, block after block.
static trStatus derive_blocks(Work *w) {
    int width = w->system->width;
    for (int body = 0; body < w->model->bodies; body++) {
        int *K = NULL, *D = NULL;
        TR_TRY(derive_body(w, body, &K, &D));
        for (int j = 0; j < w->nears; j++) {
            TR_TRY(add_block(w, body, w->near[j]));
            for (int k = 0; k < 2 * width * width; k++) {
                const int *from = k < width * width ? K : D;
                int        at = k % (width * width);
                TR_TRY(put(w, from[(at / width) * w->nears * width + width * j + at % width]));
            }
        }
    }
    return TR_OK;
}

// --- rows of velocities ---

static trStatus add_side(Work *w, int row, int body) {
    trTracedTangent *out = w->out;
    if (out->sides == w->side_room) {
        int           room = w->side_room == 0 ? 16 : 2 * w->side_room;
        trTracedSide *larger = tr_new_array(w->arena, trTracedSide, room);
        TR_TRY(tr_arena_status(w->arena));
        for (int k = 0; k < out->sides; k++) {
            larger[k] = w->side[k];
        }
        out->side = w->side = larger;
        w->side_room = room;
    }
    w->side[out->sides++] = (trTracedSide){.row = row, .body = body};
    return TR_OK;
}

static trStatus derive_psi(Work *w, int row, int psi) {
    int change = -1, width = w->system->width;
    w->nears = 0;
    TR_TRY(tr_derive_rate(&w->motion, psi, &change));
    TR_TRY(note_near(w, change, TR_INPUT_VIRTUAL, w->model->bodies + row));
    int *N = tr_new_array(w->scratch, int, w->nears *width);
    TR_TRY(tr_arena_status(w->scratch));
    TR_TRY(derive(w, change, TR_INPUT_VIRTUAL, N));
    for (int i = 0; i < w->nears; i++) {
        TR_TRY(add_side(w, row, w->near[i]));
    }
    for (int i = 0; i < w->nears * width; i++) {
        TR_TRY(put(w, N[i]));
    }
    return TR_OK;
}

static trStatus derive_velocity_rows(Work *w) {
    w->out->N = w->nodes;
    for (int g = 0; g < w->traced->groups; g++) {
        const trTracedRows *rows = &w->traced->group[g];
        for (int k = 0; rows->nonholonomic && k < rows->rows; k++) {
            TR_TRY(derive_psi(w, rows->first + k, rows->node[k]));
        }
    }
    return TR_OK;
}

// --- all of it ---

static trStatus set_rates(Work *w) {
    int  count = tr_input_number(TR_INPUTS, 7 * w->model->bodies);
    int *rate = tr_new_array(w->scratch, int, count);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < count; i++) {
        rate[i] = -1;
    }
    for (int i = 0; i < w->model->bodies; i++) {
        int own[7], numbers = tr_trace_rates(w->model, w->tape, i, TR_INPUT_VIRTUAL, own);
        for (int k = 0; k < numbers; k++) {
            rate[tr_input_number(TR_INPUT_Q, numbers * i + k)] = own[k];
        }
    }
    tr_derive_begin(&w->motion, w->tape, w->scratch);
    tr_derive_set_rates(&w->motion, count, rate);
    return TR_OK;
}

static trStatus compile(Work *w) {
    int bodies = w->model->bodies, velocities = bodies * w->system->width;
    w->residual = tr_new_array(w->scratch, int, velocities);
    w->stamp = tr_new_array(w->scratch, int, bodies);
    w->near = tr_new_array(w->scratch, int, bodies);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < velocities; i++) {
        w->residual[i] = -1;
    }
    TR_TRY(set_rates(w));
    add_rows(w);
    if (w->traced->general != NULL) {
        add_general(w);
    }
    add_forces(w);
    TR_TRY(tr_tape_room(w->tape));
    TR_TRY(derive_blocks(w));
    TR_TRY(derive_velocity_rows(w));
    TR_TRY(tr_tape_room(w->tape));
    TR_TRY(tr_program_compile(w->arena, w->tape, w->nodes, w->node, &w->out->program));
    for (int i = 0; i < w->out->program.inputs; i++) {
        w->out->program.input[i] = tr_traced_place(w->system, w->out->program.input[i]);
    }
    return TR_OK;
}

trStatus tr_traced_tangent(const trModel *model, trArena *arena, trTracedSystem *system) {
    trArena *scratch = tr_arena_create();
    if (scratch == NULL) {
        return TR_E_MEMORY;
    }
    Work w = {.model = model,
              .traced = model->traced,
              .tape = model->traced->tape,
              .arena = arena,
              .scratch = scratch,
              .system = system,
              .out = &system->tangent};
    system->tangent = (trTracedTangent){.a = system->inputs};
    system->tangent.inputs = system->inputs + model->bodies * system->width;
    trStatus status = compile(&w);
    tr_arena_destroy(scratch);
    return status;
}
