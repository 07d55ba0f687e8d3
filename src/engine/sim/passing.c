// SPDX-License-Identifier: MIT
// Step sizes near singular poses: long enough to pass them, and such that neither a stage nor the
// end lies so close to one that a row is dropped, which is not enforced then.
//
// A goal (the end of a run, a break, the next instant of a caller) may lie in a pose, where methods
// have stages, or shortly behind one, so that there is no longer step to it. Such a step is
// integrated a little less far, to t + h, and its dense output u is continued to the goal:
//
//     x(t + theta h) = u(theta),    theta = 1 / share
//
// The error of u has the factor (1 - theta)^2, because u has the state and the slope of the end at
// theta = 1: for theta a little above 1 it is smaller than that of rows inside the step.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define PASSING_STEP 0.2  // least step near a singular pose, relative to those before
#define LEAP 1.37         // by which that grows where a step fails
#define MOST_LEAP 12.0    // in all
#define LEAP_FIXED 1.07   // likewise of fixed steps, relative to the step asked for
#define MOST_FIXED 1.5
#define MAX_DODGES 4  // attempts to end a step beside a singular pose
#define SHORTER 0.97  // of the share of the way to a goal, with each attempt after the first
#define LEAST_SHARE 0.3
#define BLOW 100.0  // times the energy that a step began with and that forces could add

// Near a singular pose rounding divided by the distance to it enters the error of a step, which
// grows as the step becomes smaller. The motion itself passes smoothly, so that a step much smaller
// than those before is accurate whatever its estimate says.
double tr_least_step(const trSim *s) {
    double passing = s->pose.leap * fmax(s->def.min_step, PASSING_STEP * s->pose.far_step);
    return s->pose.passing ? passing : s->def.min_step;
}

// Where a stage falls too close to the singular pose for the equations to be solved, a longer step
// has none there. Where the motion is so slow that all fixed steps have one, rows are dropped.
bool tr_leap(trSim *s) {
    const bool more = s->pose.leap < (s->stepper.adaptive ? MOST_LEAP : MOST_FIXED);
    if (!s->pose.passing || (!more && (s->stepper.adaptive || s->pose.drops_rows))) {
        return false;
    }
    if (more) {
        s->pose.leap *= s->stepper.adaptive ? LEAP : LEAP_FIXED;
    } else {
        s->pose.drops_rows = true;
        s->pose.leap = s->stepper.share = 1.0;
    }
    s->stepper.h = s->stepper.adaptive ? tr_least_step(s) : s->pose.leap * s->def.step;
    return true;
}

bool tr_stop_short(trSim *s) {
    if (!s->pose.passing || s->pose.drops_rows || !s->stepper.driver->staged ||
        s->methods.carry != NULL || s->stepper.share * SHORTER < LEAST_SHARE) {
        return false;
    }
    s->stepper.share *= s->stepper.share < 1.0 ? SHORTER : TR_DODGE_FACTOR;
    return true;
}

// Motion passes a pose smoothly. Where a step begins and ends with kinetic energies T_0 and T_1 of
// which one is far above the other and what forces could do,
//
//     max(T_0, T_1) > BLOW (min(T_0, T_1) + h sum |Q_i v_i|)
//
// a drive asks for more than the pose allows, and the projection has put the end elsewhere.
trStatus tr_check_smooth(trSim *s, double h, bool final) {
    const trEquations *e = &s->eval.equations;
    const double      *v_0 = s->x + s->nq, *v_1 = s->x_next + s->nq;
    double             work = 0.0;
    if (!s->pose.passing) {
        return TR_OK;
    }
    for (int i = 0; i < s->nv; i++) {
        work += h * fabs(e->Q[i]) * fmax(fabs(v_0[i]), fabs(v_1[i]));
    }
    const double T_0 = 0.5 * tr_mass_form(&e->M, v_0), T_1 = 0.5 * tr_mass_form(&e->M, v_1);
    return fmax(T_0, T_1) <= BLOW * (fmin(T_0, T_1) + work)
               ? TR_OK
               : tr_fail(final ? TR_E_SIMULATION : TR_NO_CONVERGENCE,
                         "t = %.9g s: velocities grow without bounds near a pose where %s "
                         "become dependent; see drives and lengths",
                         s->t + h, tr_word_for_rows(s));
}

// Dense output may evaluate further stages, which must not be in the pose either.
trStatus tr_reach_goal(trSim *s, double h) {
    s->stepper.attempting = true;
    trStatus status = tr_step_interpolate(s, h, (h + s->stepper.beyond) / h, true);
    s->stepper.attempting = false;
    TR_TRY(status);
    memcpy(s->x_next, s->work.x_row, (size_t)s->nx * sizeof *s->x);
    return TR_OK;
}

// Where rows have just become dependent, those dropped are not enforced, so a step should not end
// there: almost every other step size ends beside such a pose. The projection has factored at
// x_next.
static bool ends_in_singular_pose(trSim *s) {
    const trProjector *project = tr_sim_metric(s, s->methods.step);
    const trKernel    *kernel = project != NULL ? project->kernel : NULL;
    return kernel != NULL && kernel->kind->rank(kernel->work).rank < s->rows.rank;
}

bool tr_dodge(trSim *s, const trTrial *trial) {
    if (s->stepper.beyond > 0.0 || !ends_in_singular_pose(s)) {
        return false;
    }
    if (trial->last && tr_stop_short(s)) {
        return true;
    }
    if (!s->stepper.adaptive || s->stepper.own_step) {
        return !s->stepper.adaptive && tr_leap(s);
    }
    if (s->pose.dodges == MAX_DODGES) {
        return false;
    }
    s->pose.dodges++;
    s->stepper.h = TR_DODGE_FACTOR * trial->h;
    return true;
}
