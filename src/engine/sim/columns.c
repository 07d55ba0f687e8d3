// SPDX-License-Identifier: MIT
// The columns of a result: time; bodies, frames, reactions, forces, or coordinates and further
// states; multipliers, energy, violations.
// docs/guide/results.md describes them.

#include <math.h>

#include "sim/sim.h"

static const trColumn of_energy[] = {
    {"energy.kinetic", "J"},
    {"energy.potential", "J"},
    {"energy.work", "J"},
    {"energy.balance", "J"},
};
static const trColumn of_violation[2][TR_QUANTITIES] = {
    {{"violation.position.length", "m"},
     {"violation.position.angle", "rad"},
     {"violation.position.other", ""}},
    {{"violation.velocity.length", "m/s"},
     {"violation.velocity.angle", "rad/s"},
     {"violation.velocity.other", ""}},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// --- coordinates of a user's own ---

static void name_coordinates(const trSystem *system, trColumnList *to) {
    static const char *const letter[3] = {"q", "v", "a"}, *const per[3] = {"", "/s", "/s^2"};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < system->bodies; i++) {
            const trColumn one = {system->body[i].name,
                                  tr_columns_unit(to, system->unit[i], per[k])};
            tr_columns_add_all(to, letter[k], 1, &one);
        }
    }
    for (int i = 0; i < system->states; i++) {
        const trColumn one = {system->state[i].name, ""};
        tr_columns_add_all(to, "z", 1, &one);
    }
}

// lambda.rod, or lambda.loop.1 of a constraint with several rows.
static void name_multipliers(const trSystem *system, trColumnList *to) {
    for (int i = 0; i < tr_system_constraints(system); i++) {
        int         first = 0, rows = tr_system_constraint_rows(system, i, &first);
        const char *name = tr_system_constraint_name(system, i);
        for (int k = 0; k < rows; k++) {
            tr_columns_add(to,
                           rows > 1 ? tr_arena_format(to->arena, "lambda.%s.%d", name, k + 1)
                                    : tr_arena_format(to->arena, "lambda.%s", name),
                           tr_system_multiplier_unit(system, first + k));
        }
    }
}

// --- bodies ---

void tr_columns_add_bodies(trColumnList *to, const trSystem *system) {
    const trColumn *of_frame = NULL, *of_load = NULL;
    int             per_frame = tr_columns_of_frame(system->space->dim, &of_frame);
    int             per_load = tr_columns_of_load(system->space->dim, &of_load);
    for (int i = 0; i < system->bodies; i++) {
        tr_columns_add_all(to, system->body[i].name, per_frame, of_frame);
    }
    for (int i = 0; i < system->frames; i++) {
        tr_columns_add_all(to, system->frame[i].name, per_frame, of_frame);
    }
    for (int j = 0; j < system->joints; j++) {
        tr_columns_add_all(to, system->joint[j].name, per_load, of_load);
    }
    for (int i = 0; i < system->varying; i++) {
        tr_columns_add_all(to, system->force[i].name, per_load, of_load);
    }
}

// --- of the run ---

// Violations in other units than m and rad have columns where there are such rows.
static int quantities(const trSim *s) {
    return s->rows.others ? TR_QUANTITIES : TR_OTHER;
}

static void name_run(const trSystem *system, int kinds, trColumnList *to) {
    bool si = tr_system_is_si(system);
    for (int k = 0; k < COUNT(of_energy); k++) {
        tr_columns_add(to, of_energy[k].name, si ? of_energy[k].unit : "");
    }
    for (int level = 0; level < 2; level++) {
        tr_columns_add_all(to, NULL, kinds, of_violation[level]);
    }
}

// --- all of them ---

void tr_columns_name(const trSystem *system, int kinds, trColumnList *to) {
    tr_columns_add(to, "t", "s");
    if (system->space->dim == 0) {
        name_coordinates(system, to);
    } else {
        tr_columns_add_bodies(to, system);
    }
    name_multipliers(system, to);
    name_run(system, kinds, to);
}

trStatus tr_columns_plan(trSim *s) {
    trColumnList list = {.arena = s->arena};
    tr_columns_name(s->system, quantities(s), &list);
    s->table.count = list.count;
    s->table.column = list.column;
    s->table.row = tr_new_array(s->arena, double, s->table.count);
    return tr_columns_check(&list);
}

int tr_sim_columns(const trSim *s, const trColumn **out) {
    *out = s->table.column;
    return s->table.count;
}

static trAcceleration acceleration_of(const trSystem *s, int body, const trColumnState *x) {
    const int nq = s->space->nq, nv = s->space->nv;
    if (body == TR_GROUND) {
        return (trAcceleration){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    return s->space->acceleration(&s->body[body], x->q + nq * body, x->v + nv * body,
                                  x->a + nv * body);
}

// Bodies, then frames.
static double *fill_frames(const trSystem *s, const trColumnState *x, double *to) {
    for (int i = 0; i < s->bodies; i++) {
        trBodyState    f = tr_system_body_state(s, i, x->q, x->v);
        trAcceleration a = acceleration_of(s, i, x);
        to = tr_columns_fill_frame(s->space->dim, &f, &a, to);
    }
    for (int i = 0; i < s->frames; i++) {
        const trFrame *frame = &s->frame[i];
        trBodyState    body = tr_system_body_state(s, frame->body, x->q, x->v);
        trAcceleration a = acceleration_of(s, frame->body, x);
        trBodyState    f = tr_frame_state(frame, &body);
        a = tr_frame_acceleration(frame, &body, &a);
        to = tr_columns_fill_frame(s->space->dim, &f, &a, to);
    }
    return to;
}

double *tr_columns_fill_bodies(const trEval *e, const trColumnState *x, double *to) {
    const trSystem *s = e->system;
    to = fill_frames(s, x, to);
    for (int j = 0; j < s->joints; j++) {
        trVec3  point;
        trLoad3 load = tr_system_report(e, j, x->q, x->v, x->lambda, &point);
        to = tr_columns_fill_load(s->space->dim, load.force, load.moment, to);
    }
    for (int i = 0; i < s->varying; i++) {
        trLoad3 load = tr_eval_force(e, i);
        to = tr_columns_fill_load(s->space->dim, load.force, load.moment, to);
    }
    return to;
}

static void largest_by_unit(const trSim *s, const double *residual, double *out) {
    for (int k = 0; k < quantities(s); k++) {
        out[k] = 0.0;
    }
    for (int i = 0; i < s->m; i++) {
        out[s->rows.quantity[i]] = fmax(out[s->rows.quantity[i]], fabs(residual[i]));
    }
}

void tr_columns_fill(trSim *s, double t, const double *x) {
    const trEquations *e = &s->eval.equations;
    double            *to = s->table.row;
    *to++ = t;
    if (s->system->space->dim == 0) {
        to = tr_columns_put(to, s->nq + s->nv, x);
        to = tr_columns_put(to, s->nv, s->a);
        to = tr_columns_put(to, s->nz, x + s->nq + s->nv);
    } else {
        const trColumnState state = {x, x + s->nq, s->a, s->lambda};
        to = tr_columns_fill_bodies(&s->eval, &state, to);
    }
    to = tr_columns_put(to, s->system->recorded, s->lambda + s->m - s->system->recorded);
    double kinetic = tr_eval_kinetic(&s->eval, x, x + s->nq), work = x[s->nx - 1];
    *to++ = kinetic;
    *to++ = s->eval.potential;
    *to++ = work;
    *to++ = kinetic + s->eval.potential - work;
    largest_by_unit(s, e->phi, to);
    tr_sim_rates(s, x + s->nq, s->work.rate);
    largest_by_unit(s, s->work.rate, to + quantities(s));
}
