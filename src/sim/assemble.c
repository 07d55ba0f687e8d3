// SPDX-License-Identifier: MIT
// The initial state, put on the constraints: positions, velocities, and a look at accelerations.
// What was changed is told; joints that contradict each other are refused by name.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define VELOCITY_LEFT 1e-9      // what may remain of A v - b1 at the start, relative
#define ACCELERATION_LEFT 1e-6  // and of A a - b

// The unit of velocity i, or of its integral; of coordinates of a user's own as columns have it.
static const char *unit_of(const trSim *s, int i, bool rate) {
    const trSpace *space = s->system->space;
    if (space->dim == 0) {
        return s->column[1 + i + (rate ? s->nq : 0)].unit;
    }
    return tr_space_turns(space, i % space->nv) ? (rate ? "rad/s" : "rad") : (rate ? "m/s" : "m");
}

// The largest of the changes dv (nv), by body.
static trCorrection largest_change(const trSim *s, const double *dv, bool rate) {
    trCorrection most = {0};
    for (int i = 0; i < s->nv; i++) {
        if (fabs(dv[i]) > most.value) {
            most = (trCorrection){fabs(dv[i]), unit_of(s, i, rate),
                                  s->system->body[i / s->system->space->nv].name};
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
            char text[TR_AMOUNT];
            tr_fail(TR_E_MODEL,
                    "its %s contradicts the other %s at t = %.9g s (%s cannot be removed); remove "
                    "or change one of them",
                    level, tr_word_for_rows(s), s->t, tr_amount(s, i, left, per, text));
            return tr_blame_joint(TR_E_MODEL, &s->system->joint[s->system->row_joint[i]]);
        }
    }
    return TR_OK;
}

// Positions to start from: the caller's, or the model's.
static const double *start_q(const trSim *s) {
    return s->def.q.count > 0 ? s->def.q.at : s->system->q0;
}

// Where the caller does not give them.
static void give_velocities(const trSim *s, const double *q, double *v) {
    const trSpace *space = s->system->space;
    for (int i = 0; s->def.v.count == 0 && i < s->system->bodies; i++) {
        space->start_velocity(&s->system->body[i], q + space->nq * i, v + space->nv * i);
    }
}

static trStatus refuse_start(const trSim *s, int row) {
    const trJoint *joint = &s->system->joint[s->system->row_joint[row]];
    char           text[TR_AMOUNT];
    tr_fail(TR_E_MODEL, "cannot be assembled, %s remain; check %s, or a %.*s that contradicts it",
            tr_amount(s, row, fabs(s->eval.phi[row]), "", text),
            joint->recorded ? "the start and the function"
                            : "the positions and lengths of its bodies",
            (int)strlen(tr_word_for_rows(s)) - 1, tr_word_for_rows(s));
    return tr_blame_joint(TR_E_MODEL, joint);
}

// Bodies have been checked when they were added.
static trStatus check_mass(trSim *s, const double *q, const double *v) {
    if (s->system->space->dim != 0) {
        return TR_OK;
    }
    trStatus status = tr_system_eval(s->system, s->t, q, v, &s->eval);
    status = status == TR_OK ? tr_eval_check_mass(&s->eval) : status;
    status = status == TR_OK ? tr_eval_check_energy(&s->eval) : status;
    return status > 0 ? TR_E_MODEL : status;
}

// The state is consistent: can the method take what there is?
static trStatus check_fit(trSim *s) {
    const trEquations *e = &s->eval.equations;
    trKernel          *kernel = s->assembler->kernel;
    TR_TRY(tr_system_eval(s->system, s->t, s->x, s->x + s->nq, &s->eval));
    trStatus status = tr_kernel_factor(kernel, e);
    if (status != TR_OK) {
        tr_explain(s, status, s->t);
        return TR_E_MODEL;
    }
    trRank rank = kernel->kind->rank(kernel->work);
    if (rank.unjudged > 0) {
        TR_TRY(tr_projector_rank(&s->by_identity, e, &rank));
    }
    return tr_sim_check_fit(s, &rank);
}

trStatus tr_assemble(trSim *s) {
    const trSystem *system = s->system;
    double         *q = s->x, *v = s->x + s->nq;
    int             worst = -1;
    memcpy(q, start_q(s), (size_t)s->nq * sizeof *q);
    memcpy(v, s->def.v.count > 0 ? s->def.v.at : system->v0, (size_t)s->nv * sizeof *v);
    for (int i = 0; i < s->nz; i++) {  // models of bodies have no z0
        v[s->nv + i] = system->z0[i];
    }
    TR_TRY(check_mass(s, q, v));
    trStatus status = tr_project_position(s->assembler, &s->manifold, s->t, q, v, &worst);
    if (status == TR_OK) {  // the model gives velocities of frames, which may have moved
        give_velocities(s, q, v);
        memcpy(s->x_row, v, (size_t)s->nv * sizeof *v);
        status = tr_project_velocity(s->assembler, &s->manifold, s->t, q, v);
    }
    if (status == TR_NO_CONVERGENCE && worst >= 0) {
        return refuse_start(s, worst);
    }
    if (status != TR_OK) {
        tr_explain_row(s, status, s->t, worst);
        return TR_E_MODEL;
    }
    tr_system_difference(system, q, start_q(s), s->a);
    s->stats.assembly_position = largest_change(s, s->a, false);
    for (int i = 0; i < s->nv; i++) {
        s->a[i] = v[i] - s->x_row[i];
    }
    s->stats.assembly_velocity = largest_change(s, s->a, true);
    TR_TRY(check_fit(s));
    status = tr_sim_accelerate(s, s->t, s->x, s->a);
    if (status != TR_OK) {
        return TR_E_MODEL;
    }
    TR_TRY(check_level(s, "velocity", "/s", v, s->eval.b1, VELOCITY_LEFT));
    bool soft = (s->kernel.kind->traits & TR_JUDGES_NO_RANK) != 0;  // it holds none exactly
    if (strcmp(s->def.stabilization, "none") == 0 && !soft) {
        TR_TRY(check_level(s, "acceleration", "/s^2", s->a, s->eval.b, ACCELERATION_LEFT));
    }
    return TR_OK;
}
