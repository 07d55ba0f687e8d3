// SPDX-License-Identifier: MIT
// Which variables are read and written, and where their values go.

#include <string.h>

#include "fmi/work.h"

static int find(int count, const int *list, int value) {
    for (int i = 0; i < count; i++) {
        if (list[i] == value) {
            return i;
        }
    }
    return -1;
}

// The place of a variable in r, which it gets if it has none.
static int place(trFmuWork *w, int variable) {
    int at = find(w->nr, w->r_of, variable);
    if (at >= 0) {
        return at;
    }
    w->r_of[w->nr] = variable;
    w->r_ref[w->nr] = w->info.variable[variable].reference;
    return w->nr++;
}

static void lay_port(trFmuWork *w, int index) {
    const trFmuPort *port = &w->info.port[index];
    int              positions = TR_PORT_X(w->dim), directions = TR_PORT_V(w->dim);
    for (int i = 0; i < positions; i++) {
        bool moves = port->moves[i < directions ? i : directions - 1] != 0;
        w->x_at[positions * index + i] = moves ? place(w, port->x[i]) : -1;
    }
    for (int i = 0; i < directions; i++) {
        int at = directions * index + i;
        w->v_at[at] = w->a_at[at] = -1;
        if (!port->moves[i]) {
            continue;
        }
        w->v_at[at] = place(w, port->v[i]);
        if (port->a[i] >= 0) {
            w->a_at[at] = place(w, port->a[i]);
        } else {
            w->differs = true;
        }
        w->u_ref[w->nu] = w->info.variable[port->f[i]].reference;
        w->u_of[w->nu++] = at;
    }
}

static void lay_outputs(trFmuWork *w) {
    for (int i = 0; i < w->info.variables; i++) {
        const trFmuVariable *v = &w->info.variable[i];
        bool                 is_new = find(w->nr, w->r_of, i) < 0;
        if (v->kind == TR_FMU_REAL && strcmp(v->causality, "output") == 0 && is_new) {
            w->output_name[w->outputs] = v->name;
            w->output_unit[w->outputs] = v->unit;
            w->o_at[w->outputs++] = place(w, i);
        }
    }
}

static void take_arrays(trFmuWork *w) {
    int most = 3 * w->nw + w->nx_port, outputs = 0;
    for (int i = 0; i < w->info.variables; i++) {
        outputs += strcmp(w->info.variable[i].causality, "output") == 0;
    }
    w->u_ref = tr_new_array(w->arena, unsigned, w->nw);
    w->u_of = tr_new_array(w->arena, int, w->nw);
    w->u = tr_new_array(w->arena, double, w->nw);
    w->r_ref = tr_new_array(w->arena, unsigned, most + outputs);
    w->r_of = tr_new_array(w->arena, int, most + outputs);
    w->r = tr_new_array(w->arena, double, most + outputs);
    w->x_at = tr_new_array(w->arena, int, w->nx_port);
    w->v_at = tr_new_array(w->arena, int, w->nw);
    w->a_at = tr_new_array(w->arena, int, w->nw);
    w->o_at = tr_new_array(w->arena, int, outputs);
    w->output_name = tr_new_array(w->arena, const char *, outputs);
    w->output_unit = tr_new_array(w->arena, const char *, outputs);
    w->port_name = tr_new_array(w->arena, const char *, w->ports);
}

// The state that a variable is, by its value reference; -1: none.
static int state_of(const trFmuWork *w, int variable) {
    for (int i = 0; i < w->info.states; i++) {
        int state = w->info.state[i];
        if (state >= 0 &&
            w->info.variable[state].reference == w->info.variable[variable].reference) {
            return i;
        }
    }
    return -1;
}

// Whether all that moves is a state of its own: then it can be corrected by writing it. Rotations
// in space are none.
static bool find_states(trFmuWork *w) {
    int directions = TR_PORT_V(w->dim);
    for (int at = 0; at < w->nw; at++) {
        const trFmuPort *port = &w->info.port[at / directions];
        int              i = at % directions;
        w->x_state[at] = w->v_state[at] = -1;
        if (!port->moves[i]) {
            continue;
        }
        if (w->dim == 3 && i >= 3) {
            return false;
        }
        int x = state_of(w, port->x[i]), v = state_of(w, port->v[i]);
        if (x < 0 || v < 0 || find(at, w->x_state, x) >= 0 || find(at, w->v_state, v) >= 0) {
            return false;
        }
        w->x_state[at] = x;
        w->v_state[at] = v;
    }
    return true;
}

static void take_numbers(trFmuWork *w) {
    int nx = w->instance.nx, nz = w->instance.nz, nw = w->nw;
    w->f = tr_new_array(w->arena, double, nw);
    w->f_begin = tr_new_array(w->arena, double, nw);
    w->f_used = tr_new_array(w->arena, double, nw);
    w->x = tr_new_array(w->arena, double, w->nx_port);
    w->v = tr_new_array(w->arena, double, nw);
    w->a = tr_new_array(w->arena, double, nw);
    w->v_begin = tr_new_array(w->arena, double, nw);
    w->kept = tr_new_array(w->arena, double, 3 * nw + w->nx_port + w->nr);
    w->W = tr_new_array(w->arena, double, nw *nw);
    w->W_fixed = tr_new_array(w->arena, double, nw *nw);
    w->delta = tr_new_array(w->arena, double, nw);
    w->x_state = tr_new_array(w->arena, int, nw);
    w->v_state = tr_new_array(w->arena, int, nw);
    w->x_change = tr_new_array(w->arena, double, nw);
    w->v_change = tr_new_array(w->arena, double, nw);
    w->s = tr_new_array(w->arena, double, nx);
    w->s_begin = tr_new_array(w->arena, double, nx);
    w->s_try = tr_new_array(w->arena, double, nx);
    w->k = tr_new_array(w->arena, double, 4 * nx);
    w->z = tr_new_array(w->arena, double, nz);
    w->z_begin = tr_new_array(w->arena, double, nz);
}

trStatus tr_fmu_lay_out(trFmuWork *w) {
    w->nx_port = TR_PORT_X(w->dim) * w->ports;
    w->nw = TR_PORT_V(w->dim) * w->ports;
    take_arrays(w);
    TR_TRY(tr_arena_status(w->arena));
    for (int i = 0; i < w->ports; i++) {
        w->port_name[i] = w->info.port[i].name;
        lay_port(w, i);
    }
    lay_outputs(w);
    take_numbers(w);
    TR_TRY(tr_arena_status(w->arena));
    w->corrects = w->def.correct_states && w->instance.kind == TR_FMU_MODEL_EXCHANGE &&
                  w->instance.nx == w->info.states && find_states(w);
    if (w->def.correct_states && !w->corrects) {
        tr_fmu_list_add(&w->notes,
                        "positions and velocities cannot be corrected: those of its ports "
                        "are not all states of their own");
    }
    return tr_arena_status(w->arena);
}
