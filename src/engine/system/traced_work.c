// SPDX-License-Identifier: MIT
// Rates of all inputs, and the lists that grow while recorded equations are derived.

#include "system/traced_work.h"

// Rates of inputs, by their numbers.
static trStatus set_rates(trTracedWork *w, trInput velocity) {
    const trModel   *model = w->model;
    const trGeneral *g = velocity == TR_INPUT_V ? w->traced->general : NULL;
    int              states = g == NULL ? 0 : g->states;
    int              most = 7 * model->bodies > states ? 7 * model->bodies : states;
    int              count = tr_input_number(TR_INPUTS, most);
    int             *rate = tr_new_array(w->scratch, int, count);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < count; i++) {
        rate[i] = -1;
    }
    rate[0] = velocity == TR_INPUT_V ? tr_tape_constant(w->tape, 1.0) : -1;
    for (int i = 0; i < model->bodies; i++) {
        int own[7], numbers = tr_trace_rates(model, w->tape, i, velocity, own);
        for (int k = 0; k < numbers; k++) {
            rate[tr_input_number(TR_INPUT_Q, numbers * i + k)] = own[k];
        }
    }
    for (int i = 0; i < states; i++) {
        rate[tr_input_number(TR_INPUT_Z, i)] = g->state_rate[i];
    }
    tr_derive_begin(&w->motion, w->tape, w->scratch);
    tr_derive_set_rates(&w->motion, count, rate);
    w->unit = tr_tape_constant(w->tape, 1.0);
    tr_derive_begin(&w->time, w->tape, w->scratch);
    tr_derive_set_rates(&w->time, 1, &w->unit);
    return tr_tape_room(w->tape);
}

trStatus tr_work_begin(trTracedWork *w, trInput velocity) {
    w->stamp = tr_new_array(w->scratch, int, w->model->bodies);
    w->near = tr_new_array(w->scratch, int, w->model->bodies);
    TR_TRY(tr_arena_status(w->scratch));
    return set_rates(w, velocity);
}

trStatus tr_work_put(trTracedWork *w, int node) {
    TR_TRY(tr_table_add(w->scratch, &w->node, &w->nodes, &w->node_room, &node, sizeof node));
    return node < 0 ? tr_tape_room(w->tape) : TR_OK;
}

trStatus tr_work_put_all(trTracedWork *w, int count, const int *node, int *first) {
    *first = w->nodes;
    for (int i = 0; i < count; i++) {
        TR_TRY(tr_work_put(w, node[i]));
    }
    return TR_OK;
}

trStatus tr_work_add_side(trTracedWork *w, int row, int body) {
    const trTracedSide side = {
        .row = row, .rows = 1, .body = body, .node = tr_new_array(w->arena, int, w->system->width)};
    return tr_table_add(w->arena, &w->side, &w->sides, &w->side_room, &side, sizeof side);
}

trStatus tr_work_list_inputs(trTracedWork *w, int node) {
    w->inputs = tr_derive_inputs(&w->motion, node, w->input_room, w->input);
    if (w->inputs > w->input_room) {
        w->input_room = 2 * w->inputs;
        w->input = tr_new_array(w->scratch, int, w->input_room);
        TR_TRY(tr_arena_status(w->scratch));
        w->inputs = tr_derive_inputs(&w->motion, node, w->input_room, w->input);
    }
    return tr_arena_status(w->scratch);
}

trStatus tr_work_depends_on(trTracedWork *w, int node, trInput kind, bool *out) {
    *out = false;
    TR_TRY(tr_work_list_inputs(w, node));
    for (int i = 0; i < w->inputs; i++) {
        *out |= tr_input_kind(w->input[i]) == kind;
    }
    return TR_OK;
}

trStatus tr_work_note_near(trTracedWork *w, int node, trInput kind, int from) {
    TR_TRY(tr_work_list_inputs(w, node));
    for (int i = 0; i < w->inputs; i++) {
        int body = tr_input_index(w->input[i]) / w->system->width;
        if (tr_input_kind(w->input[i]) == kind && w->stamp[body] != from + 1) {
            w->stamp[body] = from + 1;
            w->near[w->nears++] = body;
        }
    }
    return TR_OK;
}

trStatus tr_work_derive(trTracedWork *w, int node, trInput kind, int *out) {
    int  width = w->system->width, count = w->nears * width;
    int *input = tr_new_array(w->scratch, int, count);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < count; i++) {
        input[i] = tr_input_number(kind, width * w->near[i / width] + i % width);
    }
    return tr_derive_gradient(&w->motion, node, count, input, out);
}
