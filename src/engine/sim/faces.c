// SPDX-License-Identifier: MIT
// The system and the methods as an integrator and as a projection see them.
//
//     x' = (q', a, z', W')    W' = (power of forces without potential) + v' C - lambda' b1
//
// because v' Qc = v' (C - A' lambda), and A v = b1: drivers work with -lambda' b1.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "sim/sim.h"

#define NEARLY_SINGULAR 1e-2  // pivot of A M^-1 A', relative to the best so far
#define MOST_TURNED 1e-3      // of free motions by violations [rad]

// b as the formulation shall see it, for the state evaluated last.
static const double *stabilize(trSim *s, const double *v) {
    const trEquations *e = &s->eval.equations;
    if (s->methods.stabilization == NULL) {
        return e->b;
    }
    tr_sim_rates(s, v, s->work.rate);
    s->methods.stabilization->change(s->methods.gains, e, s->work.rate, s->work.b);
    return s->work.b;
}

// Where rows nearly depend on each other a violation turns the free motions: by about
// |phi| / near, with `near` the smallest pivot of A M^-1 A' relative to the best one so far. A
// method that does not put states back on the constraints then leaves on a wrong branch.
//
// Beside bodies that are nearly points, whose rows the judge does not judge, pivots become small
// without a pose.
static bool is_lost(const trSim *s, const trRank *rank) {
    const trEquations *e = &s->eval.equations;
    const trKernel    *judge = &s->methods.judge;
    if (rank->rank != s->rows.rank) {
        return true;
    }
    const double near = tr_relative_pivot(s, rank);
    if (!(near < NEARLY_SINGULAR) ||
        (judge->kind != NULL && judge->kind->rank(judge->work).unjudged > 0)) {
        return false;
    }
    int    row = tr_worst_row(e);
    double size = row < 0 || e->row_size == NULL ? 1.0 : e->row_size[row];
    return row >= 0 && !(fabs(e->phi[row]) <= MOST_TURNED * near * size);
}

// A method that cannot pass a singular pose must not evaluate in one; another one takes note of it.
static trStatus check_pose(trSim *s) {
    s->pose.lost_row = -1;
    if (s->rows.rank < 0) {
        return TR_OK;
    }
    trRank rank = s->methods.kernel.kind->rank(s->methods.kernel.work);
    bool   passes = (s->methods.traits & TR_COPES_SINGULAR_POSE) != 0;
    s->pose.came_near |= passes && tr_is_near_pose(s, &rank);
    s->pose.stage_lost |=
        s->pose.passing && s->stepper.attempting && rank.unjudged == 0 && is_lost(s, &rank);
    if (passes || rank.unjudged > 0 || !is_lost(s, &rank)) {
        return TR_OK;
    }
    s->pose.lost_row = rank.dropped > 0 ? rank.rows[0] : rank.gap_row;
    return tr_fail(TR_SINGULAR, "constraint row %d is nearly dependent", s->pose.lost_row);
}

static trStatus solve(trSim *s, const double *b, double *a) {
    const trEquations *e = &s->eval.equations;
    return s->eval.C != NULL
               ? tr_nonideal_solve(&s->react, &s->methods.kernel, &s->eval, b, a, s->lambda)
               : s->methods.kernel.kind->solve(s->methods.kernel.work, e, e->Q, b, a, s->lambda);
}

trStatus tr_sim_accelerate(trSim *s, double t, const double *x, double *a) {
    const trEquations *e = &s->eval.equations;
    const double      *q = x, *v = x + s->nq;
    s->at_state = false;
    s->eval.z = v + s->nv;
    TR_TRY(tr_system_eval(s->system, t, q, v, &s->eval));
    const double *b = stabilize(s, v);
    trStatus      status = tr_kernel_factor(&s->methods.kernel, e);
    if (status == TR_OK) {
        status = check_pose(s);
    }
    if (status == TR_OK) {
        status = solve(s, b, a);
    }
    return status == TR_OK ? TR_OK : tr_explain(s, status, t);
}

void tr_sim_rates(const trSim *s, const double *v, double *rate) {
    tr_rows_mul(&s->eval.equations.A, v, rate);
    tr_add_scaled(s->m, -1.0, s->eval.b1, rate);
}

double tr_sim_power(const trSim *s, const double *lambda) {
    double power = s->eval.power;
    for (int i = 0; s->eval.C != NULL && i < s->nv; i++) {
        power += s->eval.C[i] * s->eval.v[i];
    }
    for (int i = 0; i < s->m; i++) {
        power -= lambda[i] * s->eval.b1[i];
    }
    return power;
}

// At the distance d from a singular pose rounding of q makes corrections of v by eps / d^2. With
// W = M they are orthogonal to free motions and do no harm; with W = I they would change these.
trProjector *tr_sim_metric(trSim *s, trProjector *project) {
    return s->pose.passing && project == &s->methods.by_identity ? &s->methods.by_mass : project;
}

// Near a singular pose |phi| turns free motions by |phi| over the distance to it: states are put on
// the constraints to rounding there, stages as well, those of fixed steps where it matters (the
// error of a step is larger then). That also shows which stages are so close that a row is dropped
// (check_rank), by which a fixed step would lose its order.
static trProjector *stage_projector(trSim *s) {
    bool projects =
        s->pose.passing && !s->pose.drops_rows && (s->stepper.adaptive || s->pose.holds_stages);
    bool by_step = s->methods.stage == NULL && s->methods.carry == NULL && projects;
    return tr_sim_metric(s, by_step ? s->methods.step : s->methods.stage);
}

// So close to a singular pose that a row is dropped, which is not enforced then: another step has
// no stage there.
static trStatus check_rank(trSim *s, const trKernel *kernel, double t) {
    if (!s->pose.passing || !s->stepper.attempting || s->pose.drops_rows || kernel == NULL) {
        return TR_OK;
    }
    trRank rank = kernel->kind->rank(kernel->work);
    if (rank.unjudged > 0 || rank.rank >= s->rows.rank) {
        return TR_OK;
    }
    s->pose.lost_row = rank.rows[0];
    tr_fail(TR_SINGULAR, "constraint row %d is dependent", s->pose.lost_row);
    return tr_explain(s, TR_SINGULAR, t);
}

static trStatus project_stage(trSim *s, double t, double *x) {
    trProjector *project = stage_projector(s);
    TR_TRY(tr_sim_to_state(s, project, s->pose.passing ? 0.0 : INFINITY, t, x));
    return project != NULL ? check_rank(s, project->kernel, t) : TR_OK;
}

trStatus tr_sim_project(trSim *s, trProjector *project, double most, double t, double *x) {
    int          worst = -1;
    const double tolerance = project->tolerance;
    project->tolerance = fmin(tolerance, most);
    trStatus status = tr_project(project, &s->methods.manifold, t, x, x + s->nq, &worst);
    project->tolerance = tolerance;
    return status == TR_OK ? TR_OK : tr_explain_row(s, status, t, worst);
}

trStatus tr_sim_to_state(trSim *s, trProjector *project, double most, double t, double *x) {
    trStatus status = s->methods.carry != NULL ? tr_carry_leave(s, t, x) : TR_OK;
    if (status != TR_OK) {
        return tr_explain(s, status, t);
    }
    return project != NULL ? tr_sim_project(s, project, most, t, x) : TR_OK;
}

// q' = N (v + dv), with dv what the stabilization adds to positions alone.
static trStatus rate_of_positions(trSim *s, double t, const double *x, double *rate) {
    const double *v = x + s->nq;
    if (s->methods.stabilization == NULL || s->methods.stabilization->slide == NULL) {
        tr_system_rate(s->system, x, v, rate);
        return TR_OK;
    }
    const trEquations *e = &s->eval.equations;
    tr_sim_rates(s, v, s->work.rate);
    s->methods.stabilization->slide(s->methods.gains, e, s->work.rate, s->work.slide_right);
    trStatus status =
        s->methods.kernel.kind->solve(s->methods.kernel.work, e, s->methods.by_mass.zero,
                                      s->work.slide_right, s->work.slide, s->work.rate);
    tr_add_scaled(s->nv, 1.0, v, s->work.slide);
    tr_system_rate(s->system, x, s->work.slide, rate);
    return status == TR_OK ? TR_OK : tr_explain(s, status, t);
}

trStatus tr_sim_rhs(trSim *s, double t, const double *x, double *xdot) {
    s->notes.stats.evaluations++;
    if (stage_projector(s) != NULL || s->methods.carry != NULL) {
        memcpy(s->work.x_stage, x, (size_t)s->nx * sizeof *x);
        x = s->work.x_stage;
        TR_TRY(project_stage(s, t, s->work.x_stage));
    }
    double *a = s->methods.carry != NULL ? s->work.a_stage : xdot + s->nq;
    TR_TRY(tr_sim_accelerate(s, t, x, a));
    TR_TRY(rate_of_positions(s, t, x, xdot));
    memcpy(xdot + s->nq + s->nv, s->eval.z_dot, (size_t)s->nz * sizeof *xdot);
    xdot[s->nx - 1] = tr_sim_power(s, s->lambda);
    trStatus status = s->methods.carry != NULL ? tr_carry_rate(s, t, x, a, xdot + s->nq) : TR_OK;
    return status == TR_OK ? TR_OK : tr_explain(s, status, t);
}

static trStatus rhs(void *context, double t, const double *x, double *xdot) {
    return tr_sim_rhs(context, t, x, xdot);
}

static trStatus evaluate(void *context, double t, const double *q, const double *v,
                         const trEquations **out) {
    trSim *s = context;
    s->at_state = false;
    *out = &s->eval.equations;
    return tr_system_eval(s->system, t, q, v, &s->eval);
}

static void retract(void *context, const double *dv, double *q) {
    const trSim *s = context;
    tr_system_retract(s->system, dv, q);
}

static double reach(void *context, const double *dv) {
    const trSim *s = context;
    return tr_system_reach(s->system, dv);
}

void tr_sim_make_faces(trSim *s) {
    const trSpace *space = s->system->space;
    s->ode = (trOde){.nx = s->nx,
                     .nerror = s->nx,
                     .groups = s->system->bodies,
                     .part = {space->nq, space->nv},
                     .context = s,
                     .rhs = rhs};
    s->methods.manifold = (trManifold){.nq = s->nq,
                                       .nv = s->nv,
                                       .context = s,
                                       .evaluate = evaluate,
                                       .retract = retract,
                                       .reach = reach};
}
