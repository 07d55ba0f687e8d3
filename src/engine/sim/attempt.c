// SPDX-License-Identifier: MIT
// One attempt of a step: integrate, put its end on the constraints, and see whether it may be one.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define PASSING_SHARE 0.2  // of the tolerance near a pose: projections of stages add to errors
#define REDUNDANT 2e-15    // of |phi| where rows are redundant, relative to 1 + max|q|

// A long step may come upon a singular pose that was far from its start, and a fixed step may have
// stages beside one that are too far off the constraints.
static trStatus integrate(trSim *s, double *h, double *error) {
    const double whole = *h;
    s->pose.came_near = s->pose.stage_lost = s->pose.holds_stages = false;
    trStatus   status = s->stepper.driver->attempt(s, h, error);
    const bool comes = status == TR_OK && s->pose.came_near && !s->pose.passing;
    const bool holds = s->pose.stage_lost && !s->stepper.adaptive && !s->pose.drops_rows;
    if (status < 0 || (!comes && !holds) || !s->stepper.driver->repeats) {
        return status;
    }
    s->pose.passing = s->second.dae.passing = true;
    s->pose.holds_stages = holds;
    *h = whole;
    return s->stepper.driver->attempt(s, h, error);
}

// Beside a pose where rows become dependent a gap of size e lets bodies move by sqrt(e). Where a
// run was given a state there to start from, on a branch, ends of steps are held below 1e-12
// however large the coordinates are. Stages need not be, and elsewhere iterations for that are
// saved. Redundant rows agree on velocities as far as positions satisfy them, so that these are
// held to rounding there.
static trStatus project_end(trSim *s, double t) {
    trProjector *project = tr_sim_metric(s, s->methods.step);
    if (project != NULL) {
        project->closely = s->methods.closely;
    }
    bool     finely = s->rows.rank < s->m || s->pose.passing;
    trStatus status = tr_sim_to_state(s, project, finely ? REDUNDANT : INFINITY, t, s->x_next);
    if (project != NULL) {
        project->closely = false;
    }
    return status;
}

// The rows that are kept may have become a bad choice within the step. Those that serve better at
// its end put the state on the constraints once more.
static trStatus choose_rows_at_end(trSim *s, double t) {
    trRank rank;
    if (s->methods.step == NULL || s->rows.rank == s->m) {
        return TR_OK;
    }
    s->eval.z = s->x_next + s->nq + s->nv;
    TR_TRY(tr_system_eval(s->system, t, s->x_next, s->x_next + s->nq, &s->eval));
    const int64_t stamp = s->eval.equations.stamp;
    TR_TRY(tr_choose_rows(s, &s->methods.kernel, &rank));
    return s->eval.equations.stamp == stamp ? TR_OK : project_end(s, t);
}

// Angles are counted from step to step. What turns too far for that would be counted wrong: by the
// speeds at both ends it is refused.
static trStatus check_turned(trSim *s, double h) {
    int    fastest = 0;
    double speed = 0.0;
    s->turns.far = false;
    if (s->system->turns == 0) {
        return TR_OK;
    }
    s->eval.z = s->x_next + s->nq + s->nv;
    TR_TRY(tr_system_eval(s->system, s->t + h, s->x_next, s->x_next + s->nq, &s->eval));
    speed = tr_eval_turn_speed(&s->eval, &fastest);
    s->turns.far = speed * h > TR_MOST_TURN;
    return s->turns.far ? tr_system_refuse_turn(s->system, s->t + h, fastest) : TR_OK;
}

// x_new is the end of the step as integrated, x_next the same, projected. The error is that of the
// integration alone: a projection must not hide it from the step-size control.
// Where the step stops short of its goal, x_next lies at the goal all the same.
trStatus tr_step_attempt(trSim *s, trTrial *trial) {
    if (s->turns.speed * trial->h > TR_MOST_TURN) {
        return tr_system_refuse_turn(s->system, s->t + trial->h, s->turns.fastest);
    }
    TR_TRY(integrate(s, &trial->h, &trial->error));
    const double h = trial->h;
    const bool   least = tr_is_least_step(s, h);
    trial->error /= s->pose.passing ? PASSING_SHARE : 1.0;
    TR_TRY(tr_check_finite(s, s->x_new, h));
    memcpy(s->x_next, s->x_new, (size_t)s->nx * sizeof *s->x);
    tr_system_normalize(s->system, s->x_next);
    if (trial->error > 1.0 && !least) {
        return TR_OK;
    }
    TR_TRY(s->stepper.beyond > 0.0 ? tr_reach_goal(s, h) : TR_OK);
    const double whole = h + s->stepper.beyond, end = s->t + whole;
    TR_TRY(project_end(s, end));
    TR_TRY(choose_rows_at_end(s, end));
    TR_TRY(tr_check_speed(s, s->x_next, whole));
    TR_TRY(tr_check_smooth(s, whole, !s->stepper.adaptive || least));
    const bool check =
        s->methods.step != NULL && !least && s->stepper.driver->repeats && s->stepper.beyond == 0.0;
    TR_TRY(check ? tr_check_jump(s, end) : TR_OK);
    return check_turned(s, whole);
}
