// SPDX-License-Identifier: MIT
// The columns of a result: time, bodies, reactions, energy, violations. docs/guide/results.md
// describes them.

#include <math.h>

#include "sim/sim.h"

static const trColumn of_body2[] = {
    {"x", "m"},         {"y", "m"},      {"angle", "rad"}, {"vx", "m/s"},        {"vy", "m/s"},
    {"omega", "rad/s"}, {"ax", "m/s^2"}, {"ay", "m/s^2"},  {"alpha", "rad/s^2"},
};
static const trColumn of_body3[] = {
    {"x", "m"},
    {"y", "m"},
    {"z", "m"},
    {"e0", ""},
    {"e1", ""},
    {"e2", ""},
    {"e3", ""},
    {"vx", "m/s"},
    {"vy", "m/s"},
    {"vz", "m/s"},
    {"wx", "rad/s"},
    {"wy", "rad/s"},
    {"wz", "rad/s"},
    {"ax", "m/s^2"},
    {"ay", "m/s^2"},
    {"az", "m/s^2"},
    {"alphax", "rad/s^2"},
    {"alphay", "rad/s^2"},
    {"alphaz", "rad/s^2"},
};
static const trColumn of_joint2[] = {{"Fx", "N"}, {"Fy", "N"}, {"M", "N m"}};
static const trColumn of_joint3[] = {{"Fx", "N"},   {"Fy", "N"},   {"Fz", "N"},
                                     {"Mx", "N m"}, {"My", "N m"}, {"Mz", "N m"}};
static const trColumn of_run[] = {
    {"energy.kinetic", "J"},
    {"energy.potential", "J"},
    {"energy.work", "J"},
    {"energy.balance", "J"},
    {"violation.position.length", "m"},
    {"violation.position.angle", "rad"},
    {"violation.velocity.length", "m/s"},
    {"violation.velocity.angle", "rad/s"},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static trColumn *name_columns(trSim *s, trColumn *to, const char *owner, const trColumn *kinds,
                              int count) {
    for (int k = 0; k < count; k++) {
        *to++ = (trColumn){tr_arena_format(s->arena, "%s.%s", owner, kinds[k].name), kinds[k].unit};
    }
    return to;
}

trStatus tr_columns_plan(trSim *s) {
    const trSystem *system = s->system;
    bool            planar = system->space->dim == 2;
    const trColumn *of_body = planar ? of_body2 : of_body3;
    const trColumn *of_joint = planar ? of_joint2 : of_joint3;
    int             per_body = planar ? COUNT(of_body2) : COUNT(of_body3);
    int             per_joint = planar ? COUNT(of_joint2) : COUNT(of_joint3);
    s->columns = 1 + system->bodies * per_body + system->joints * per_joint + COUNT(of_run);
    s->column = tr_new_array(s->arena, trColumn, s->columns);
    s->row = tr_new_array(s->arena, double, s->columns);
    TR_TRY(tr_arena_status(s->arena));
    trColumn *to = s->column;
    *to++ = (trColumn){"t", "s"};
    for (int i = 0; i < system->bodies; i++) {
        to = name_columns(s, to, system->body[i].name, of_body, per_body);
    }
    for (int j = 0; j < system->joints; j++) {
        to = name_columns(s, to, system->joint[j].name, of_joint, per_joint);
    }
    for (int k = 0; k < COUNT(of_run); k++) {
        *to++ = of_run[k];
    }
    return tr_arena_status(s->arena);
}

int tr_sim_columns(const trSim *s, const trColumn **out) {
    *out = s->column;
    return s->columns;
}

static double *fill(double *to, int count, const double *numbers) {
    for (int k = 0; k < count; k++) {
        *to++ = numbers[k];
    }
    return to;
}

static double *fill_bodies(const trSim *s, const double *x, double *to) {
    const trSpace *space = s->system->space;
    for (int i = 0; i < s->system->bodies; i++) {
        const trBody  *body = &s->system->body[i];
        const double  *q = x + space->nq * i, *v = x + s->nq + space->nv * i;
        trBodyState    f = space->state(body, q, v);
        trAcceleration a = space->acceleration(body, q, v, s->a + space->nv * i);
        if (space->dim == 2) {
            to = fill(to, 9,
                      (const double[]){f.x, f.y, f.angle, f.vx, f.vy, f.omega, a.origin.x,
                                       a.origin.y, a.angular.z});
            continue;
        }
        const double *e = f.quaternion;
        to = fill(to, 19,
                  (const double[]){f.x, f.y, f.z, e[0], e[1], e[2], e[3], f.vx, f.vy, f.vz, f.wx,
                                   f.wy, f.wz, a.origin.x, a.origin.y, a.origin.z, a.angular.x,
                                   a.angular.y, a.angular.z});
    }
    return to;
}

// The force of body 1 on body 2, or on ground where body 2 is ground.
static double *fill_reactions(const trSim *s, double *to) {
    for (int j = 0; j < s->system->joints; j++) {
        trVec3  point;
        trLoad3 load = tr_system_reaction(&s->eval, j, 2, s->lambda, &point);
        trVec3  F = load.force, M = load.moment;
        to = s->system->space->dim == 2
                 ? fill(to, 3, (const double[]){F.x, F.y, M.z})
                 : fill(to, 6, (const double[]){F.x, F.y, F.z, M.x, M.y, M.z});
    }
    return to;
}

static void largest_by_unit(const trSim *s, const double *residual, double out[2]) {
    out[0] = out[1] = 0.0;
    for (int i = 0; i < s->m; i++) {
        out[s->angular[i]] = fmax(out[s->angular[i]], fabs(residual[i]));
    }
}

void tr_columns_fill(trSim *s, double t, const double *x) {
    const trEquations *e = &s->eval.equations;
    double            *to = s->row;
    *to++ = t;
    to = fill_bodies(s, x, to);
    to = fill_reactions(s, to);
    double kinetic = tr_system_kinetic(s->system, x, x + s->nq), work = x[s->nx - 1];
    *to++ = kinetic;
    *to++ = s->eval.potential;
    *to++ = work;
    *to++ = kinetic + s->eval.potential - work;
    largest_by_unit(s, e->phi, to);
    tr_rows_mul(&e->A, x + s->nq, s->rate);
    for (int i = 0; i < s->m; i++) {
        s->rate[i] -= e->b1[i];
    }
    largest_by_unit(s, s->rate, to + 2);
}
