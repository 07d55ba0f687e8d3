// SPDX-License-Identifier: MIT
// The initial state, put on the constraints: positions, velocities, and a look at accelerations.
// What was changed is told; joints that contradict each other are refused by name.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define VELOCITY_LEFT 1e-9      // what may remain of A v - b1 at the start, relative
#define ACCELERATION_LEFT 1e-6  // and of A a - b
#define FAINT 1e-4              // entries of A, below which phi has no unit of positions

// The largest of the changes dv (nv), by body.
static trCorrection largest_change(const trSim *s, const double *dv, const char *length,
                                   const char *angle) {
    const trSpace *space = s->system->space;
    trCorrection   most = {0};
    for (int i = 0; i < s->nv; i++) {
        if (fabs(dv[i]) > most.value) {
            most =
                (trCorrection){fabs(dv[i]), tr_space_turns(space, i % space->nv) ? angle : length,
                               s->system->body[i / space->nv].name};
        }
    }
    return most;
}

// Rows that contradict each other leave something behind that no state can remove. What rounding
// may leave depends on the size of both sides.
static trStatus check_level(trSim *s, const char *level, const char *per, const double *x,
                            const double *right, double allowed) {
    double size = 1.0;
    tr_rows_mul(&s->eval.equations.A, x, s->rate);
    for (int i = 0; i < s->nv; i++) {
        size = fmax(size, fabs(x[i]));
    }
    for (int i = 0; i < s->m; i++) {
        size = fmax(size, fabs(right[i]));
    }
    for (int i = 0; i < s->m; i++) {
        double left = fabs(s->rate[i] - right[i]);
        if (left > allowed * size) {
            tr_fail(TR_E_MODEL,
                    "its %s contradicts the other joints at t = %.9g s (%.3g %s%s cannot be "
                    "removed); remove or change one of them",
                    level, s->t, left, s->angular[i] ? "rad" : "m", per);
            return tr_blame_joint(TR_E_MODEL, &s->system->joint[s->system->row_joint[i]]);
        }
    }
    return TR_OK;
}

static void give_velocities(const trSim *s, const double *q, double *v) {
    const trSpace *space = s->system->space;
    for (int i = 0; i < s->system->bodies; i++) {
        space->start_velocity(&s->system->body[i], q + space->nq * i, v + space->nv * i);
    }
}

// Bodies have been checked when they were added.
static trStatus check_mass(trSim *s, const double *q, const double *v) {
    if (s->system->space->dim != 0) {
        return TR_OK;
    }
    trStatus status = tr_system_eval(s->system, s->t, q, v, &s->eval);
    status = status == TR_OK ? tr_eval_check_mass(&s->eval) : status;
    return status > 0 ? TR_E_MODEL : status;
}

// |phi| <= 1e-12 (1 + max|q|) is what projections come to, so positions are known to 1e-12 / |A|
// only: with FAINT that is the usual tolerance of integration, with less of A they are not held.
static trStatus check_units(const trSim *s) {
    const trSystem *system = s->system;
    const trRows   *A = &s->eval.equations.A;
    for (int g = A->groups - system->recorded; g < A->groups; g++) {
        double size = 0.0;
        for (int k = A->group_side[g]; k < A->group_side[g + 1]; k++) {
            for (int i = 0; i < A->side_width[k]; i++) {
                size = fmax(size, fabs(A->value[A->side_value[k] + i]));
            }
        }
        if (system->holonomic[A->group_row[g]] && size > 0.0 && size < FAINT) {
            tr_fail(TR_E_MODEL,
                    "phi hardly changes with its coordinates (by %.3g at most for a change of 1); "
                    "multiply it by a number, so that it is a length or an angle",
                    size);
            return tr_blame_joint(TR_E_MODEL, &system->joint[g]);
        }
    }
    return TR_OK;
}

trStatus tr_assemble(trSim *s) {
    const trSystem *system = s->system;
    double         *q = s->x, *v = s->x + s->nq;
    int             worst = -1;
    memcpy(q, system->q0, (size_t)s->nq * sizeof *q);
    memcpy(v, system->v0, (size_t)s->nv * sizeof *v);
    for (int i = 0; i < s->nz; i++) {
        v[s->nv + i] = system->z0[i];
    }
    TR_TRY(check_mass(s, q, v));
    trStatus status = tr_project_position(&s->by_mass, &s->manifold, s->t, q, v, &worst);
    if (status == TR_OK) {  // the model gives velocities of frames, which may have moved
        give_velocities(s, q, v);
        memcpy(s->x_row, v, (size_t)s->nv * sizeof *v);
        status = tr_project_velocity(&s->by_mass, &s->manifold, s->t, q, v);
    }
    if (status == TR_NO_CONVERGENCE && worst >= 0) {
        tr_fail(
            TR_E_MODEL,
            "cannot be assembled, %.3g %s remain; check the positions and lengths of its bodies, "
            "or a joint that contradicts it",
            fabs(s->eval.phi[worst]), s->angular[worst] ? "rad" : "m");
        return tr_blame_joint(TR_E_MODEL, &system->joint[system->row_joint[worst]]);
    }
    if (status != TR_OK) {
        tr_explain_row(s, status, s->t, worst);
        return TR_E_MODEL;
    }
    tr_system_difference(system, q, system->q0, s->a);
    s->stats.assembly_position = largest_change(s, s->a, "m", "rad");
    for (int i = 0; i < s->nv; i++) {
        s->a[i] = v[i] - s->x_row[i];
    }
    s->stats.assembly_velocity = largest_change(s, s->a, "m/s", "rad/s");
    status = tr_sim_accelerate(s, s->t, s->x, s->a);
    if (status != TR_OK) {
        return TR_E_MODEL;
    }
    TR_TRY(check_units(s));
    TR_TRY(check_level(s, "velocity", "/s", v, s->eval.b1, VELOCITY_LEFT));
    if (strcmp(s->def.stabilization, "none") == 0) {
        TR_TRY(check_level(s, "acceleration", "/s^2", s->a, s->eval.b, ACCELERATION_LEFT));
    }
    return TR_OK;
}
