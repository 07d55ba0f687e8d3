// SPDX-License-Identifier: MIT
// Step sizes: the first one, those to try, and those of adaptive methods after each attempt.

#include <float.h>
#include <math.h>

#include "base/vector.h"
#include "sim/sim.h"

// With 0.9 up to a quarter of the attempts on the benchmarks fail; this costs fewer evaluations in
// all and halves the error.
#define SAFETY 0.8
#define FACTOR_MIN 0.2
#define FACTOR_MAX 6.0
#define FACTOR_AFTER_TROUBLE 0.25
#define FAR_DECAY 0.7   // of far_step with every step: rounding may shorten some near a pose
#define TURN_SHARE 0.8  // of what can be counted, at the speed of the start

// The error behaves as h^p: the step that would just meet the tolerance is h error^(-1/p).
double tr_step_factor(double error, int error_order) {
    if (!(error > 0.0)) {
        return error == 0.0 ? FACTOR_MAX : FACTOR_MIN;
    }
    double factor = SAFETY * pow(error, -1.0 / error_order);
    return fmin(FACTOR_MAX, fmax(FACTOR_MIN, factor));
}

// h0 makes an Euler step move the state by 1 % of itself; a trial of that step shows the second
// derivative, and h1 makes the local error of order p about 1 %.
trStatus tr_first_step(trSim *s, double *h) {
    const trTolerance tolerance = {s->def.rtol, s->def.atol};
    const double     *x = tr_sim_integrated(s), *slope = s->work.x_row;
    if (s->stepper.driver->slope != NULL) {
        slope = s->stepper.driver->slope(s);
    } else {
        TR_TRY(tr_sim_rhs(s, s->t, x, s->work.x_row));
    }
    double d0 = tr_error_norm(&s->ode, x, x, x, &tolerance);
    double d1 = tr_error_norm(&s->ode, slope, x, x, &tolerance);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    h0 = fmin(h0, s->def.duration);
    for (int i = 0; i < s->nx; i++) {
        s->x_new[i] = x[i] + h0 * slope[i];
    }
    trStatus status = tr_sim_rhs(s, s->t + h0, s->x_new, s->x_next);
    if (status < 0) {
        return status;
    }
    tr_add_scaled(s->nx, -1.0, slope, s->x_next);
    double d2 = status > 0 ? 0.0 : tr_error_norm(&s->ode, s->x_next, x, x, &tolerance) / h0;
    double most = fmax(d1, d2);
    double h1 = most <= 1e-15 ? fmax(1e-6, h0 * 1e-3)
                              : pow(0.01 / most, 1.0 / s->stepper.kind->error_order);
    *h = fmax(fmin(fmin(100.0 * h0, h1), s->def.duration), s->def.min_step);
    if (s->def.max_step > 0.0) {
        *h = fmin(*h, s->def.max_step);
    }
    return TR_OK;
}

void tr_first_trial(trSim *s) {
    s->pose.leap = s->stepper.share = 1.0;
    s->pose.drops_rows = false;
    s->pose.dodges = 0;
    s->turns.longest = TURN_SHARE * TR_MOST_TURN / s->turns.speed;  // infinite at rest
    s->stepper.h = s->stepper.adaptive ? s->stepper.h : s->def.step;
    s->eval.z = s->x + s->nq + s->nv;  // not what an output row left
}

// The last step to a goal may be a little longer than s->h: it is as small all the same.
bool tr_is_least_step(const trSim *s, double h) {
    return h <= tr_least_step(s) * (1.0 + s->stepper.driver->same_step);
}

bool tr_is_too_small(const trSim *s, double h) {
    return !(h > 16.0 * DBL_EPSILON * fabs(s->t)) || !(s->t + h > s->t);
}

// The longest step that a method may choose; one that owns its step goes on to the next goal.
// Counted angles bound it, with a margin for what is accelerated.
static double longest_step(const trSim *s) {
    double h = s->stepper.own_step ? INFINITY : s->stepper.h;
    return s->stepper.adaptive ? fmin(h, s->turns.longest) : h;
}

// The step to `reach` or on the way to it, and whether it arrives. Where the rest is not quite two
// steps and none may be tiny, it is halved; so it is near a singular pose, for a step that must
// stop short of it.
static double choose_step(const trSim *s, double reach, bool *last) {
    bool   even = s->stepper.driver->divides_by_h2 || (s->pose.passing && s->pose.leap == 1.0);
    double rest = reach - s->t, h = longest_step(s);
    *last = s->t + h * (1.0 + s->stepper.driver->same_step) >= reach;
    if (*last) {
        while (s->t + rest > reach) {  // by rounding: the old formula of a break ends at `reach`
            rest = nextafter(rest, 0.0);
        }
        return rest;
    }
    return even && rest < 2.0 * h ? 0.5 * rest : h;
}

trTrial tr_choose_trial(trSim *s, double reach) {
    bool   last = false;
    double whole = choose_step(s, reach, &last);
    s->stepper.beyond = last && s->stepper.share < 1.0 ? whole - s->stepper.share * whole : 0.0;
    double h = whole - s->stepper.beyond;  // h + beyond is `whole`, to the last bit
    return (trTrial){
        .h = h, .most = h, .last = last, .forced = s->stepper.adaptive && tr_is_least_step(s, h)};
}

// The step to try next. After trouble of any kind it shrinks, a little where a stage was in a
// singular pose; it never falls below min_step.
static double next_step(const trSim *s, const trTrial *trial, trStatus status) {
    bool   in_pose = status == TR_SINGULAR && s->pose.passing;
    double factor = in_pose      ? TR_DODGE_FACTOR
                    : status > 0 ? FACTOR_AFTER_TROUBLE
                                 : tr_step_factor(trial->error, s->stepper.kind->error_order);
    if (factor > 1.0 && factor < s->stepper.kind->hold) {
        factor = 1.0;
    }
    double next = fmax(trial->h * factor, tr_least_step(s));
    return s->def.max_step > 0.0 ? fmin(next, s->def.max_step) : next;
}

void tr_choose_next(trSim *s, const trTrial *trial, trStatus status) {
    if (s->stepper.own_step) {
        s->stepper.h = trial->h;
    } else if (s->stepper.adaptive) {
        bool   cut = trial->last && trial->error <= 1.0 && status == TR_OK;  // by the goal
        double next = next_step(s, trial, status);
        s->stepper.h = cut ? fmax(next, s->stepper.h) : next;
    }
}

trStatus tr_shorten_turns(trSim *s, double h) {
    s->turns.longest = FACTOR_AFTER_TROUBLE * h;
    return tr_sim_restart(s);
}

// A step is about to be accepted although its error is too large.
static void note_forced(trSim *s) {
    if (s->notes.stats.forced_kept < TR_FORCED_KEPT) {
        s->notes.forced_time[s->notes.stats.forced_kept++] = s->t;
    }
    s->notes.stats.forced++;
}

// The size is noted as the error allows: a step to a goal may be much shorter than that.
void tr_note_trial(trSim *s, const trTrial *trial) {
    double h = trial->last ? fmax(trial->h, s->stepper.h) : trial->h;
    if (trial->error > 1.0) {
        note_forced(s);
    }
    s->pose.far_step = s->pose.passing ? s->pose.far_step : fmax(h, FAR_DECAY * s->pose.far_step);
}
