// SPDX-License-Identifier: MIT
// The columns of a result: time; bodies, frames, reactions, forces, or coordinates and further
// states; multipliers, energy, violations.
// docs/guide/results.md describes them.

#include <math.h>
#include <string.h>

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

static trColumn *name_columns(trSim *s, trColumn *to, const char *owner, const trColumn *kinds,
                              int count) {
    for (int k = 0; k < count; k++) {
        *to++ = (trColumn){tr_arena_format(s->arena, "%s.%s", owner, kinds[k].name), kinds[k].unit};
    }
    return to;
}

// --- coordinates of a user's own ---

// "m/s^2" from "m" and "/s^2"; where no unit was given none is known.
static const char *unit_per(trSim *s, const char *unit, const char *per) {
    return unit[0] == '\0' ? "" : tr_arena_format(s->arena, "%s%s", unit, per);
}

static trColumn *name_coordinates(trSim *s, trColumn *to) {
    const trSystem          *system = s->system;
    static const char *const letter[3] = {"q", "v", "a"}, *const per[3] = {"", "/s", "/s^2"};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < system->bodies; i++) {
            const char *unit = system->unit[i];
            *to++ = (trColumn){tr_arena_format(s->arena, "%s.%s", letter[k], system->body[i].name),
                               k == 0 ? unit : unit_per(s, unit, per[k])};
        }
    }
    for (int i = 0; i < system->states; i++) {
        *to++ = (trColumn){tr_arena_format(s->arena, "z.%s", system->state_name[i]), ""};
    }
    return to;
}

// lambda.rod, or lambda.loop.1 of a constraint with several rows.
static trColumn *name_multipliers(trSim *s, trColumn *to) {
    const trSystem *system = s->system;
    for (int i = 0; i < tr_system_constraints(system); i++) {
        int         first = 0, rows = tr_system_constraint_rows(system, i, &first);
        const char *name = tr_system_constraint_name(system, i);
        for (int k = 0; k < rows; k++) {
            *to++ = (trColumn){rows > 1 ? tr_arena_format(s->arena, "lambda.%s.%d", name, k + 1)
                                        : tr_arena_format(s->arena, "lambda.%s", name),
                               tr_system_multiplier_unit(system, first + k)};
        }
    }
    return to;
}

// --- of the run ---

// Violations in other units than m and rad have columns where there are such rows.
static int quantities(const trSim *s) {
    return s->others ? TR_QUANTITIES : TR_OTHER;
}

static int count_of_run(const trSim *s) {
    return COUNT(of_energy) + 2 * quantities(s);
}

static void name_run(const trSim *s, trColumn *to) {
    bool si = tr_system_is_si(s->system);
    for (int k = 0; k < COUNT(of_energy); k++) {
        *to++ = (trColumn){of_energy[k].name, si ? of_energy[k].unit : ""};
    }
    for (int k = 0; k < 2 * quantities(s); k++) {
        *to++ = of_violation[k / quantities(s)][k % quantities(s)];
    }
}

static trStatus plan_coordinates(trSim *s) {
    const trSystem *system = s->system;
    s->columns = 1 + 3 * system->bodies + system->states + system->recorded + count_of_run(s);
    s->column = tr_new_array(s->arena, trColumn, s->columns);
    s->row = tr_new_array(s->arena, double, s->columns);
    TR_TRY(tr_arena_status(s->arena));
    trColumn *to = s->column;
    *to++ = (trColumn){"t", "s"};
    name_run(s, name_multipliers(s, name_coordinates(s, to)));
    return tr_arena_status(s->arena);
}

// --- bodies ---

static trStatus plan_bodies(trSim *s) {
    const trSystem *system = s->system;
    bool            planar = system->space->dim == 2;
    const trColumn *of_body = planar ? of_body2 : of_body3;
    const trColumn *of_joint = planar ? of_joint2 : of_joint3;
    int             per_body = planar ? COUNT(of_body2) : COUNT(of_body3);
    int             per_joint = planar ? COUNT(of_joint2) : COUNT(of_joint3);
    s->columns = 1 + (system->bodies + system->frames) * per_body +
                 (system->joints + system->varying) * per_joint + system->recorded +
                 count_of_run(s);
    s->column = tr_new_array(s->arena, trColumn, s->columns);
    s->row = tr_new_array(s->arena, double, s->columns);
    TR_TRY(tr_arena_status(s->arena));
    trColumn *to = s->column;
    *to++ = (trColumn){"t", "s"};
    for (int i = 0; i < system->bodies; i++) {
        to = name_columns(s, to, system->body[i].name, of_body, per_body);
    }
    for (int i = 0; i < system->frames; i++) {
        to = name_columns(s, to, system->frame[i].name, of_body, per_body);
    }
    for (int j = 0; j < system->joints; j++) {
        to = name_columns(s, to, system->joint[j].name, of_joint, per_joint);
    }
    for (int i = 0; i < system->varying; i++) {
        to = name_columns(s, to, system->force[i].name, of_joint, per_joint);
    }
    name_run(s, name_multipliers(s, to));
    return tr_arena_status(s->arena);
}

// --- all of them ---

// Users choose names, and dots in them may make two columns alike.
static trStatus check_names(const trSim *s, trArena *scratch) {
    trNames names = {0};
    for (int i = 0; i < s->columns; i++) {
        const char *name = s->column[i].name;
        if (tr_names_find(&names, name) >= 0) {
            return tr_fail(TR_E_MODEL,
                           "two columns of the results would be called '%s'; rename one of those "
                           "that have it",
                           name);
        }
        TR_TRY(tr_names_add(scratch, &names, name, i));
    }
    return TR_OK;
}

trStatus tr_columns_plan(trSim *s) {
    TR_TRY(s->system->space->dim == 0 ? plan_coordinates(s) : plan_bodies(s));
    trArena *scratch = tr_arena_create();
    if (scratch == NULL) {
        return TR_E_MEMORY;
    }
    trStatus status = check_names(s, scratch);
    tr_arena_destroy(scratch);
    return status;
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

int tr_columns_of_frame(int dim, const trColumn **out) {
    *out = dim == 2 ? of_body2 : of_body3;
    return dim == 2 ? COUNT(of_body2) : COUNT(of_body3);
}

int tr_columns_of_load(int dim, const trColumn **out) {
    *out = dim == 2 ? of_joint2 : of_joint3;
    return dim == 2 ? COUNT(of_joint2) : COUNT(of_joint3);
}

double *tr_columns_fill_frame(int dim, const trBodyState *f, const trAcceleration *a, double *to) {
    const trVec3  origin = a->origin, alpha = a->angular;
    const double *e = f->quaternion;
    if (dim == 2) {
        return fill(to, COUNT(of_body2),
                    (const double[]){f->x, f->y, f->angle, f->vx, f->vy, f->omega, origin.x,
                                     origin.y, alpha.z});
    }
    return fill(to, COUNT(of_body3),
                (const double[]){f->x, f->y, f->z, e[0], e[1], e[2], e[3], f->vx, f->vy, f->vz,
                                 f->wx, f->wy, f->wz, origin.x, origin.y, origin.z, alpha.x,
                                 alpha.y, alpha.z});
}

static trAcceleration acceleration_of(const trSim *s, int body, const double *x) {
    const trSpace *space = s->system->space;
    if (body == TR_GROUND) {
        return (trAcceleration){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    return space->acceleration(&s->system->body[body], x + space->nq * body,
                               x + s->nq + space->nv * body, s->a + space->nv * body);
}

// Bodies, then frames.
static double *fill_bodies(const trSim *s, const double *x, double *to) {
    const trSystem *system = s->system;
    const double   *q = x, *v = x + s->nq;
    for (int i = 0; i < system->bodies; i++) {
        trBodyState    f = tr_system_body_state(system, i, q, v);
        trAcceleration a = acceleration_of(s, i, x);
        to = tr_columns_fill_frame(system->space->dim, &f, &a, to);
    }
    for (int i = 0; i < system->frames; i++) {
        const trFrame *frame = &system->frame[i];
        trBodyState    body = tr_system_body_state(system, frame->body, q, v);
        trAcceleration a = acceleration_of(s, frame->body, x);
        trBodyState    f = tr_frame_state(frame, &body);
        a = tr_frame_acceleration(frame, &body, &a);
        to = tr_columns_fill_frame(system->space->dim, &f, &a, to);
    }
    return to;
}

static double *fill_load(const trSim *s, const trLoad3 *load, double *to) {
    trVec3 F = load->force, M = load->moment;
    return s->system->space->dim == 2
               ? fill(to, COUNT(of_joint2), (const double[]){F.x, F.y, M.z})
               : fill(to, COUNT(of_joint3), (const double[]){F.x, F.y, F.z, M.x, M.y, M.z});
}

// Of joints the force of body 1 on body 2, or on ground where body 2 is ground; of forces likewise.
static double *fill_loads(trSim *s, const double *x, double *to) {
    for (int j = 0; j < s->system->joints; j++) {
        trVec3  point;
        trLoad3 load = tr_system_report(&s->eval, j, x, x + s->nq, s->lambda, &point);
        to = fill_load(s, &load, to);
    }
    for (int i = 0; i < s->system->varying; i++) {
        trLoad3 load = tr_system_force(&s->eval, i);
        to = fill_load(s, &load, to);
    }
    return to;
}

static void largest_by_unit(const trSim *s, const double *residual, double *out) {
    for (int k = 0; k < quantities(s); k++) {
        out[k] = 0.0;
    }
    for (int i = 0; i < s->m; i++) {
        out[s->quantity[i]] = fmax(out[s->quantity[i]], fabs(residual[i]));
    }
}

void tr_columns_fill(trSim *s, double t, const double *x) {
    const trEquations *e = &s->eval.equations;
    double            *to = s->row;
    *to++ = t;
    if (s->system->space->dim == 0) {
        to = fill(to, s->nq + s->nv, x);
        to = fill(to, s->nv, s->a);
        to = fill(to, s->nz, x + s->nq + s->nv);
    } else {
        to = fill_bodies(s, x, to);
        to = fill_loads(s, x, to);
    }
    to = fill(to, s->system->recorded, s->lambda + s->m - s->system->recorded);
    double kinetic = tr_eval_kinetic(&s->eval, x, x + s->nq), work = x[s->nx - 1];
    *to++ = kinetic;
    *to++ = s->eval.potential;
    *to++ = work;
    *to++ = kinetic + s->eval.potential - work;
    largest_by_unit(s, e->phi, to);
    tr_sim_rates(s, x + s->nq, s->rate);
    largest_by_unit(s, s->rate, to + quantities(s));
}
