// SPDX-License-Identifier: MIT
// The ports of a model that is a module: how they move, what loads on them do, what they yield.

#include <string.h>

#include "glue/model_module.h"
#include "sim/column_list.h"

static int body_of(const trModelModule *m, int port) {
    return m->system->frame[m->port[port]].body;
}

trStatus tr_module_plan_ports(trModelModule *m) {
    const trSystem *s = m->system;
    m->wide = TR_PORT_V(s->space->dim);
    m->port = tr_new_array(m->arena, int, s->frames);
    for (int i = 0; m->port != NULL && i < s->frames; i++) {
        if (s->frame[i].port) {
            m->port[m->ports++] = i;
        }
    }
    m->f = tr_new_array(m->arena, double, m->wide * m->ports);
    m->impulse[0] = tr_new_array(m->arena, double, m->wide * m->ports);
    m->impulse[1] = tr_new_array(m->arena, double, m->wide * m->ports);
    m->J = tr_new_array(m->arena, double, m->wide * m->ports * s->space->nv);
    return tr_arena_status(m->arena);
}

// --- loads ---

// A force of 1 N, or a moment of 1 N m, at the port: a load at the center of mass.
static trForceOut unit_load(int dim, int k, trVec3 arm) {
    double  unit[6] = {0.0};
    trLoad3 load;
    unit[dim == 2 && k == 2 ? 5 : k] = 1.0;
    load.force = (trVec3){unit[0], unit[1], unit[2]};
    load.moment = tr_add3((trVec3){unit[3], unit[4], unit[5]}, tr_cross3(arm, load.force));
    return (trForceOut){.on2 = {load.force.x, load.force.y, load.moment.z}, .at2 = load};
}

void tr_module_turn_ports(trModelModule *m) {
    const trSystem *s = m->system;
    const trSpace  *space = s->space;
    memset(m->J, 0, (size_t)(m->wide * m->ports * space->nv) * sizeof *m->J);
    for (int i = 0; i < m->ports; i++) {
        int body = body_of(m, i);
        if (body == TR_GROUND) {
            continue;
        }
        const double *at = m->q + space->nq * body;
        trBodyState   p = tr_system_frame_state(s, m->port[i], m->q, m->v);
        trVec3        arm = {p.x - at[0], p.y - at[1], space->dim == 3 ? p.z - at[2] : 0.0};
        for (int k = 0; k < m->wide; k++) {
            trForceOut load = unit_load(space->dim, k, arm);
            space->add_load(&m->eval, body, &load, 2, m->J + (m->wide * i + k) * space->nv);
        }
    }
}

void tr_module_add_loads(const trModelModule *m, const double *w, double *y) {
    int nv = m->system->space->nv;
    for (int i = 0; i < m->wide * m->ports; i++) {
        int body = body_of(m, i / m->wide);
        for (int k = 0; body != TR_GROUND && w[i] != 0.0 && k < nv; k++) {
            y[nv * body + k] += m->J[i * nv + k] * w[i];
        }
    }
}

double tr_module_port_product(const trModelModule *m, int i, const double *x) {
    int    nv = m->system->space->nv, body = body_of(m, i / m->wide);
    double sum = 0.0;
    for (int k = 0; body != TR_GROUND && k < nv; k++) {
        sum += m->J[i * nv + k] * x[nv * body + k];
    }
    return sum;
}

// --- motion ---

static trAcceleration acceleration_of(const trModelModule *m, int port) {
    const trFrame *frame = &m->system->frame[m->port[port]];
    const trSpace *space = m->system->space;
    int            body = frame->body, n = space->nv;
    double         a[TR_WIDEST];
    if (body == TR_GROUND) {
        return (trAcceleration){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    for (int k = 0; k < n; k++) {
        a[k] = m->a[n * body + k] + m->da[n * body + k];
    }
    trBodyState    state = tr_system_body_state(m->system, body, m->q, m->v);
    trAcceleration own =
        space->acceleration(&m->system->body[body], m->q + space->nq * body, m->v + n * body, a);
    return tr_frame_acceleration(frame, &state, &own);
}

int tr_module_motion(void *self, double *x, double *v, double *a) {
    const trModelModule *m = self;
    int                  dim = m->system->space->dim, nx = TR_PORT_X(dim), nw = m->wide;
    for (int i = 0; i < m->ports; i++, x += nx, v += nw, a += nw) {
        trBodyState    state = tr_system_frame_state(m->system, m->port[i], m->q, m->v);
        trAcceleration own = acceleration_of(m, i);
        double         all[TR_PORT_X(3) + 2 * TR_PORT_V(3)];  // x, v, a
        tr_columns_fill_frame(dim, &state, &own, all);
        memcpy(x, all, (size_t)nx * sizeof *x);
        memcpy(v, all + nx, (size_t)nw * sizeof *v);
        memcpy(a, all + nx + nw, (size_t)nw * sizeof *a);
    }
    return 0;
}

// --- compliance ---

// W = J K^-1 J', a column at a time: the module's own joints hold.
int tr_module_compliance(void *self, double *W) {
    trModelModule *m = self;
    int            nv = m->system->space->nv, n = m->wide * m->ports;
    for (int column = 0; column < n; column++) {
        int body = body_of(m, column / m->wide);
        memset(m->y, 0, (size_t)(m->system->nv + m->system->m) * sizeof *m->y);
        if (body != TR_GROUND) {
            memcpy(m->y + nv * body, m->J + column * nv, (size_t)nv * sizeof *m->y);
            if (!m->step.plain) {
                tr_module_solve(m);
            }
        }
        for (int row = 0; row < n; row++) {
            W[row * n + column] = tr_module_port_product(m, row, m->y);
        }
    }
    return 0;
}
