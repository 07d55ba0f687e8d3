// SPDX-License-Identifier: MIT
// How recorded equations change with positions and velocities, for Newton's method of implicit
// integrators. The change of a node in the direction j of v is the derivative of its rate, with
// positions that move at virtual velocities, by the j-th of these.

#include "system/traced_work.h"

typedef struct Work {
    trTracedWork    *base;
    trTape          *tape;
    const trModel   *model;
    trTracedSystem  *system;
    trTracedTangent *out;
    int             *residual;  // velocities: r, or -1
    int              block_room, entry_room;
} Work;

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
        for (int k = 0; k < side->rows * width; k++) {
            int number = tr_input_number(TR_INPUT_LAMBDA, side->row + k / width);
            int part = times(w, tr_tape_input(w->tape, number), side->node[k]);
            add(w, width * side->body + k % width, TR_OP_ADD, part);
        }
    }
}

static void add_general(Work *w) {
    const trGeneral *g = w->base->traced->general;
    int              n = w->model->bodies, zero = tr_tape_constant(w->tape, 0.0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (g->mass[i * n + j] == zero) {
                continue;  // most of M in a large system
            }
            int a = tr_tape_input(w->tape, tr_input_number(TR_INPUT_A, j));
            add(w, i, TR_OP_ADD, times(w, g->mass[i * n + j], a));
        }
        if (g->force != NULL) {
            add(w, i, TR_OP_SUB, g->force[i]);
        }
        if (g->nonideal != NULL) {
            add(w, i, TR_OP_SUB, g->nonideal[i]);
        }
    }
}

static void add_forces(Work *w) {
    for (int i = 0; i < w->model->forces; i++) {
        const trForce       *force = &w->model->force[i];
        const trTracedForce *f = force->params;
        const int            body[2] = {force->body1, force->body2};
        for (int side = 0; force->kind == &tr_traced_force && side < 2; side++) {
            int Q[TR_TRACED_WIDTH];
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

// --- blocks ---

// K and D of the residuals of one body are kept in `K` and `D`, row after row.
static trStatus derive_body(Work *w, int body, int **K, int **D) {
    int width = w->system->width, change[TR_TRACED_WIDTH];
    w->base->nears = 0;
    for (int k = 0; k < width; k++) {
        int r = w->residual[width * body + k];
        if (r >= 0) {
            TR_TRY(tr_derive_rate(&w->base->motion, r, &change[k]));
            TR_TRY(tr_work_note_near(w->base, change[k], TR_INPUT_VIRTUAL, body));
            TR_TRY(tr_work_note_near(w->base, r, TR_INPUT_V, body));
            TR_TRY(tr_work_note_near(w->base, r, TR_INPUT_A, body));  // M itself has a place there
        }
    }
    int stride = w->base->nears * width;
    *K = tr_new_array(w->base->scratch, int, width *stride);
    *D = tr_new_array(w->base->scratch, int, width *stride);
    TR_TRY(tr_arena_status(w->base->scratch));
    for (int k = 0; k < width && stride > 0; k++) {
        int r = w->residual[width * body + k];
        for (int i = 0; r < 0 && i < stride; i++) {
            (*K)[k * stride + i] = (*D)[k * stride + i] = tr_tape_constant(w->tape, 0.0);
        }
        if (r >= 0) {
            TR_TRY(
                tr_work_derive(w->base, change[k], TR_INPUT_VIRTUAL, *K + (ptrdiff_t)k * stride));
            TR_TRY(tr_work_derive(w->base, r, TR_INPUT_V, *D + (ptrdiff_t)k * stride));
        }
    }
    return TR_OK;
}

static trStatus add_block(Work *w, int i, int j) {
    const trTracedBlock block = {i, j};
    return tr_table_add(w->base->arena, &w->out->block, &w->out->blocks, &w->block_room, &block,
                        sizeof block);
}

// Outputs are K and D by turns, block after block.
static trStatus derive_blocks(Work *w) {
    int width = w->system->width;
    for (int body = 0; body < w->model->bodies; body++) {
        int *K = NULL, *D = NULL;
        TR_TRY(derive_body(w, body, &K, &D));
        for (int j = 0; j < w->base->nears; j++) {
            TR_TRY(add_block(w, body, w->base->near[j]));
            for (int k = 0; k < 2 * width * width; k++) {
                const int *from = k < width * width ? K : D;
                int        at = k % (width * width);
                TR_TRY(tr_work_put(
                    w->base, from[(at / width) * w->base->nears * width + width * j + at % width]));
            }
        }
    }
    return TR_OK;
}

// --- rows of velocities ---

static trStatus derive_psi(Work *w, int row, int psi) {
    int change = -1, width = w->system->width;
    w->base->nears = 0;
    TR_TRY(tr_derive_rate(&w->base->motion, psi, &change));
    TR_TRY(tr_work_note_near(w->base, change, TR_INPUT_VIRTUAL, w->model->bodies + row));
    int *N = tr_new_array(w->base->scratch, int, w->base->nears *width);
    TR_TRY(tr_arena_status(w->base->scratch));
    TR_TRY(tr_work_derive(w->base, change, TR_INPUT_VIRTUAL, N));
    for (int i = 0; i < w->base->nears; i++) {
        TR_TRY(tr_work_add_side(w->base, row, w->base->near[i]));
    }
    for (int i = 0; i < w->base->nears * width; i++) {
        TR_TRY(tr_work_put(w->base, N[i]));
    }
    return TR_OK;
}

static trStatus derive_velocity_rows(Work *w) {
    for (int g = 0; g < w->base->traced->groups; g++) {
        const trTracedRows *rows = &w->base->traced->group[g];
        for (int k = 0; rows->nonholonomic && k < rows->rows; k++) {
            TR_TRY(derive_psi(w, rows->first + k, rows->node[k]));
        }
    }
    w->out->sides = w->base->sides;
    w->out->side = w->base->side;
    return TR_OK;
}

// --- multipliers of C, further states ---

static trStatus add_entry(Work *w, trPart part, int row, int column, int node) {
    const trTracedEntry entry = {part, row, column};
    TR_TRY(tr_table_add(w->base->arena, &w->out->entry, &w->out->entries, &w->entry_room, &entry,
                        sizeof entry));
    return tr_work_put(w->base, node);
}

// The change of a node, or its opposite, with each input of a kind that it depends on.
static trStatus derive_entries(Work *w, trPart part, int row, int node, trInput kind,
                               bool opposite) {
    trTracedWork *base = w->base;
    int           count = 0;
    TR_TRY(tr_work_list_inputs(base, node));
    int *input = tr_new_array(base->scratch, int, base->inputs);
    int *slope = tr_new_array(base->scratch, int, base->inputs);
    TR_TRY(tr_arena_status(base->scratch));
    for (int i = 0; i < base->inputs; i++) {
        if (tr_input_kind(base->input[i]) == kind) {
            input[count++] = base->input[i];
        }
    }
    TR_TRY(tr_derive_gradient(&base->motion, node, count, input, slope));
    for (int i = 0; i < count; i++) {
        int entry = opposite ? tr_tape_op(w->tape, TR_OP_NEG, slope[i], -1, -1) : slope[i];
        TR_TRY(add_entry(w, part, row, tr_input_index(input[i]), entry));
    }
    return TR_OK;
}

// -g by all that it depends on. Only systems of the user's own have further states: directions of v
// are their velocities.
static trStatus derive_state(Work *w, int i, int rate) {
    int change = -1;
    TR_TRY(tr_derive_rate(&w->base->motion, rate, &change));
    TR_TRY(derive_entries(w, TR_PART_G_Q, i, change, TR_INPUT_VIRTUAL, true));
    TR_TRY(derive_entries(w, TR_PART_G_V, i, rate, TR_INPUT_V, true));
    return derive_entries(w, TR_PART_G_Z, i, rate, TR_INPUT_Z, true);
}

static trStatus derive_the_rest(Work *w) {
    const trGeneral *g = w->base->traced->general;
    for (int i = 0; i < w->model->bodies; i++) {
        if (w->residual[i] >= 0) {
            TR_TRY(derive_entries(w, TR_PART_Z, i, w->residual[i], TR_INPUT_Z, false));
        }
        if (g->nonideal != NULL) {
            TR_TRY(derive_entries(w, TR_PART_C, i, g->nonideal[i], TR_INPUT_LAMBDA, true));
        }
    }
    for (int i = 0; i < g->states; i++) {
        TR_TRY(derive_state(w, i, g->state_rate[i]));
    }
    return TR_OK;
}

// --- all of it ---

trStatus tr_traced_tangent(trTracedWork *base) {
    trTracedSystem *system = base->system;
    int             velocities = base->model->bodies * system->width;
    Work            work = {.base = base,
                            .tape = base->tape,
                            .model = base->model,
                            .system = system,
                            .out = &system->tangent};
    Work           *w = &work;
    *w->out = (trTracedTangent){.a = system->inputs, .inputs = system->inputs + velocities};
    TR_TRY(tr_work_begin(base, TR_INPUT_VIRTUAL));
    w->residual = tr_new_array(base->scratch, int, velocities);
    TR_TRY(tr_arena_status(base->scratch));
    for (int i = 0; i < velocities; i++) {
        w->residual[i] = -1;
    }
    add_rows(w);
    if (base->traced->general != NULL) {
        add_general(w);
    }
    add_forces(w);
    TR_TRY(tr_tape_room(w->tape));
    TR_TRY(derive_blocks(w));
    TR_TRY(derive_velocity_rows(w));
    if (base->traced->general != NULL) {
        TR_TRY(derive_the_rest(w));
    }
    TR_TRY(tr_tape_room(w->tape));
    return tr_traced_program(base, base->nodes, base->node, &w->out->program);
}
