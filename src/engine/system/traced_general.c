// SPDX-License-Identifier: MIT
// A system of the user's own: M, Q, rates of further states, energy.

#include "system/traced_work.h"

// M if it is constant and diagonal.
static trStatus find_diagonal(trTracedWork *w) {
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
    w->system->diagonal = diagonal;
    return TR_OK;
}

static trStatus list_pairs(trTracedWork *w) {
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
    w->system->pair = pair;
    w->system->pairs = count;
    return TR_OK;
}

// v_i (dM/dt v)_i / 2
static trStatus derive_inertia_power(trTracedWork *w) {
    int        n = w->model->bodies;
    const int *M = w->traced->general->mass;
    w->system->inertia_power = w->nodes;
    for (int i = 0; i < n; i++) {
        int sum = tr_work_zero(w);
        int half = tr_tape_op(w->tape, TR_OP_MUL, tr_tape_constant(w->tape, 0.5),
                              tr_tape_input(w->tape, tr_input_number(TR_INPUT_V, i)), -1);
        for (int j = 0; j < n; j++) {
            int    rate = -1;
            double value = 0.0;
            if (tr_tape_is_constant(w->tape, M[i * n + j], &value)) {
                continue;
            }
            int vj = tr_tape_input(w->tape, tr_input_number(TR_INPUT_V, j));
            TR_TRY(tr_derive_rate(&w->motion, M[i * n + j], &rate));
            int part = tr_tape_op(w->tape, TR_OP_MUL, rate, vj, -1);
            sum = tr_tape_op(w->tape, TR_OP_ADD, sum, part, -1);
        }
        TR_TRY(tr_work_put(w, tr_tape_op(w->tape, TR_OP_MUL, half, sum, -1)));
    }
    return TR_OK;
}

static trStatus derive_mass(trTracedWork *w) {
    TR_TRY(find_diagonal(w));
    if (w->system->diagonal != NULL) {
        return TR_OK;
    }
    int n = w->model->bodies;
    TR_TRY(list_pairs(w));
    w->system->M = w->nodes;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            TR_TRY(tr_work_put(w, w->traced->general->mass[i * n + j]));
        }
    }
    return derive_inertia_power(w);
}

static trStatus find_reactive(trTracedWork *w) {
    const int *C = w->traced->general->nonideal;
    for (int i = 0; C != NULL && i < w->model->bodies; i++) {
        bool reactive = false;
        TR_TRY(tr_work_depends_on(w, C[i], TR_INPUT_LAMBDA, &reactive));
        w->system->reactive |= reactive;
    }
    return TR_OK;
}

// A C that does not depend on lambda is one more force.
static trStatus put_loads(trTracedWork *w) {
    const trGeneral *g = w->traced->general;
    TR_TRY(find_reactive(w));
    const int *C = w->system->reactive ? NULL : g->nonideal;
    w->system->Q = w->nodes;
    for (int i = 0; i < w->model->bodies; i++) {
        int Q = g->force == NULL ? tr_work_zero(w) : g->force[i];
        TR_TRY(tr_work_put(w, C == NULL ? Q : tr_tape_op(w->tape, TR_OP_ADD, Q, C[i], -1)));
    }
    return C == NULL ? TR_OK : tr_work_put_all(w, w->model->bodies, C, &w->system->C);
}

trStatus tr_work_general(trTracedWork *w) {
    const trGeneral *g = w->traced->general;
    TR_TRY(derive_mass(w));
    TR_TRY(put_loads(w));
    w->system->states = g->states;
    TR_TRY(tr_work_put_all(w, g->states, g->state_rate, &w->system->rate));
    if (g->energy >= 0) {
        int pair[2] = {g->energy, -1};
        TR_TRY(tr_derive_rate(&w->motion, g->energy, &pair[1]));
        TR_TRY(tr_work_put_all(w, 2, pair, &w->system->energy));
    }
    return TR_OK;
}
