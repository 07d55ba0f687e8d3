// SPDX-License-Identifier: MIT
// The system of ports: which body is which port, and its evaluation.

#include "glue/interface.h"

#include <math.h>
#include <string.h>

#include "base/spell.h"
#include "system/spatial.h"

// --- which body is which port ---

// A body's name is "module.port".
static trStatus find_port(const trInterface *it, const char *name, int *out) {
    for (int i = 0; i < it->modules; i++) {
        const trModuleFace *face = &it->face[i];
        size_t              length = strlen(face->name);
        if (strncmp(name, face->name, length) != 0 || name[length] != '.') {
            continue;
        }
        for (int k = 0; k < face->ports; k++) {
            if (strcmp(name + length + 1, face->port_name[k]) == 0) {
                *out = it->first[i] + k;
                return TR_OK;
            }
        }
        tr_fail(TR_E_MODEL, "module '%s' has no port '%s'", face->name, name + length + 1);
        return face->ports == 0 ? tr_add_hint(TR_E_MODEL, "; it has none")
                                : tr_spell_hint(TR_E_MODEL, name + length + 1, face->ports,
                                                tr_spell_word, face->port_name);
    }
    return tr_fail(TR_E_MODEL, "'%s' is no port: there is no module of that name", name);
}

static trStatus check(const trInterface *it) {
    for (int i = 0; i < it->modules; i++) {
        if (it->face[i].dim != it->dim) {
            return tr_fail(TR_E_MODEL,
                           "module '%s' moves in %s, the assembly in %s; set dim = %d, or make "
                           "another module of it",
                           it->face[i].name, it->face[i].dim == 2 ? "the plane" : "space",
                           it->dim == 2 ? "the plane" : "space", it->face[i].dim);
        }
    }
    for (int i = 0; i < it->m; i++) {
        if (!it->system->holonomic[i]) {
            return tr_fail(TR_E_UNSUPPORTED,
                           "'%s' is nonholonomic; modules can be joined by holonomic joints only",
                           tr_interface_row_name(it, i));
        }
    }
    return TR_OK;
}

// --- planning ---

static int count_ports(const trCarrier *c, int *first, int *W_first) {
    int ports = 0, values = 0;
    for (int i = 0; i < c->modules; i++) {
        int n = TR_PORT_V(c->face[i].dim) * c->face[i].ports;
        first[i] = ports;
        W_first[i] = values;
        ports += c->face[i].ports;
        values += n * n;
    }
    first[c->modules] = ports;
    return values;
}

static void plan_rows(trArena *arena, trInterface *it) {
    int m = it->m;
    it->G = tr_new_array(arena, double, it->system->values);
    it->phi = tr_new_array(arena, double, m);
    it->rate = tr_new_array(arena, double, m);
    it->acceleration = tr_new_array(arena, double, m);
    it->nominal = tr_new_array(arena, double, m);
    it->right = tr_new_array(arena, double, m);
    it->y = tr_new_array(arena, double, m);
    it->held_position = tr_new_array(arena, bool, m);
    it->held_velocity = tr_new_array(arena, bool, m);
    tr_semidefinite_plan(arena, m, &it->force);
    tr_semidefinite_plan(arena, m, &it->position);
    tr_semidefinite_plan(arena, m, &it->velocity);
}

static void plan_motion(trArena *arena, int values, trInterface *it) {
    it->x = tr_new_array(arena, double, it->nx * it->ports);
    it->v = tr_new_array(arena, double, it->nw * it->ports);
    it->a = tr_new_array(arena, double, it->nw * it->ports);
    it->Q = tr_new_array(arena, double, it->nw * it->ports);
    it->moved = tr_arena_take(arena, (size_t)it->nw * (size_t)it->ports, sizeof *it->moved);
    it->turns = tr_new_array(arena, double, it->ports);
    it->W = tr_new_array(arena, double, values);
    it->q = tr_new_array(arena, double, it->system->nq);
    it->qv = tr_new_array(arena, double, it->system->nv);
    it->qa = tr_new_array(arena, double, it->system->nv);
}

trStatus tr_interface_plan(trArena *arena, const trSystem *system, const trCarrier *carrier,
                           double rank_tolerance, trInterface *out) {
    const trRows *pattern = &system->pattern;
    int           sides = pattern->group_side[pattern->groups];
    *out = (trInterface){.system = system,
                         .face = carrier->face,
                         .dim = system->space->dim,
                         .nx = TR_PORT_X(system->space->dim),
                         .nw = TR_PORT_V(system->space->dim),
                         .modules = carrier->modules,
                         .m = system->m,
                         .rank_tolerance = rank_tolerance};
    out->first = tr_new_array(arena, int, carrier->modules + 1);
    out->W_first = tr_new_array(arena, int, carrier->modules);
    out->body_port = tr_new_array(arena, int, system->bodies);
    out->side_port = tr_new_array(arena, int, sides);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(check(out));
    int values = count_ports(carrier, out->first, out->W_first);
    out->ports = out->first[carrier->modules];
    out->port_module = tr_new_array(arena, int, out->ports);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < out->modules; i++) {
        for (int port = out->first[i]; port < out->first[i + 1]; port++) {
            out->port_module[port] = i;
        }
    }
    plan_motion(arena, values, out);
    plan_rows(arena, out);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < system->bodies; i++) {
        const char *origin = system->body[i].origin;  // where it is mentioned, "crane.lua:7"
        trStatus    status = find_port(out, system->body[i].name, &out->body_port[i]);
        if (status != TR_OK) {
            return origin != NULL ? tr_blame(status, "%s: ", origin) : status;
        }
    }
    for (int i = 0; i < sides; i++) {
        out->side_port[i] = out->body_port[pattern->side_column[i] / out->nw];
    }
    return tr_eval_plan(arena, system, rank_tolerance, &out->eval);
}

// --- evaluation ---

static trMat3 turn_of(const trInterface *it, int port) {
    const double *u = it->x + it->nx * port + 3;
    return tr_quat_matrix((trQuat){u[0], u[1], u[2], u[3]});
}

static trVec3 vec(const double *w) {
    return (trVec3){w[0], w[1], w[2]};
}

static void put(trVec3 v, double *to) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

// The system has angular velocities and accelerations in body axes.
static void take_motion(trInterface *it) {
    for (int i = 0; i < it->system->bodies; i++) {
        int port = it->body_port[i];
        memcpy(it->q + it->nx * i, it->x + it->nx * port, (size_t)it->nx * sizeof(double));
        memcpy(it->qv + it->nw * i, it->v + it->nw * port, (size_t)it->nw * sizeof(double));
        memcpy(it->qa + it->nw * i, it->a + it->nw * port, (size_t)it->nw * sizeof(double));
        if (it->dim == 2) {
            it->q[it->nx * i + 2] += it->turns[port];
        } else {
            trMat3  R = turn_of(it, port);
            double *v = it->qv + it->nw * i + 3, *a = it->qa + it->nw * i + 3;
            put(tr_unrotate3(&R, vec(v)), v);
            put(tr_unrotate3(&R, vec(a)), a);
        }
    }
}

// G of one side: columns of W in body axes become columns about world axes.
static void turn_side(trInterface *it, int side, int rows) {
    const trRows *A = &it->eval.equations.A;
    double       *block = it->G + A->side_value[side];
    memcpy(block, A->value + A->side_value[side], (size_t)(rows * it->nw) * sizeof(double));
    if (it->dim == 3) {
        trMat3 R = turn_of(it, it->side_port[side]);
        for (int k = 0; k < rows; k++) {
            double *w = block + it->nw * k + 3;
            put(tr_rotate3(&R, vec(w)), w);
        }
    }
}

static void take_rows(trInterface *it) {
    const trRows *A = &it->eval.equations.A;
    for (int g = 0; g < A->groups; g++) {
        for (int side = A->group_side[g]; side < A->group_side[g + 1]; side++) {
            turn_side(it, side, A->group_row[g + 1] - A->group_row[g]);
        }
    }
}

static void take_loads(trInterface *it) {
    memset(it->Q, 0, (size_t)(it->nw * it->ports) * sizeof(double));
    for (int i = 0; i < it->system->bodies; i++) {
        double       *to = it->Q + it->nw * it->body_port[i];
        const double *from = it->eval.Q + it->nw * i;
        memcpy(to, from, (size_t)it->nw * sizeof(double));
        if (it->dim == 3) {
            trMat3 R = turn_of(it, it->body_port[i]);
            // Ports have no inertia of their own.
            trVec3 own = tr_spatial_gyroscopic(&it->system->body[i], vec(it->qv + it->nw * i + 3));
            put(tr_rotate3(&R, tr_sub3(vec(from + 3), own)), to + 3);
        }
    }
}

trStatus tr_interface_evaluate(trInterface *it, double t, bool turn) {
    const trEquations *e = &it->eval.equations;
    take_motion(it);
    TR_TRY(tr_system_eval(it->system, t, it->q, it->qv, &it->eval));
    tr_rows_mul(&e->A, it->qv, it->rate);
    tr_rows_mul(&e->A, it->qa, it->acceleration);
    for (int i = 0; i < it->m; i++) {
        it->phi[i] = e->phi[i];
        it->rate[i] -= e->b1[i];
        it->acceleration[i] -= e->b[i];
    }
    take_loads(it);
    if (turn) {
        take_rows(it);
    }
    return TR_OK;
}

// --- whole turns ---

#define TURN 6.283185307179586  // [rad]

// The port of a joint's body that is to be counted anew, with the sign of its angle in phi; ground
// is not. Returns -1 if there is none.
static int port_of_joint(const trInterface *it, int row, double *sign) {
    const trJoint *joint = &it->system->joint[it->system->row_joint[row]];
    *sign = joint->body2 != TR_GROUND ? 1.0 : -1.0;
    int body = joint->body2 != TR_GROUND ? joint->body2 : joint->body1;
    return body == TR_GROUND ? -1 : it->body_port[body];
}

trStatus tr_interface_count_turns(trInterface *it, double t) {
    for (int row = 0; it->dim == 2 && row < it->m; row++) {
        double sign = 1.0, before = it->phi[row], count = round(before / TURN);
        int    port = port_of_joint(it, row, &sign);
        if (strcmp(it->system->row_unit[row], "rad") != 0 || count == 0.0 || port < 0) {
            continue;
        }
        it->turns[port] -= sign * count * TURN;
        TR_TRY(tr_interface_evaluate(it, t, true));
        if (!(fabs(it->phi[row]) <
              0.5 * TURN)) {  // gears and the like: the angle means another thing
            it->turns[port] += sign * count * TURN;
            TR_TRY(tr_interface_evaluate(it, t, true));
        }
    }
    return TR_OK;
}

const char *tr_interface_row_name(const trInterface *it, int row) {
    return it->system->joint[it->system->row_joint[row]].name;
}
