// SPDX-License-Identifier: MIT
// Instants at which a function of time changes its formula. A step ends just before one, by the old
// formula; the next begins at it, by the new one. Forces may jump there. Drives may not: a jump of
// position or velocity would be an impulse.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define JUMP 1e-9  // of a drive, relative to 1 + |value|

trGoal tr_next_goal(trSim *s, double t_end) {
    const double *time = s->system->break_time;
    while (s->stepper.next_break < s->system->breaks &&
           nextafter(time[s->stepper.next_break], -INFINITY) <= s->t) {
        s->stepper.next_break++;
    }
    if (s->stepper.next_break == s->system->breaks || time[s->stepper.next_break] > t_end) {
        return (trGoal){t_end, t_end};
    }
    double at = time[s->stepper.next_break];
    return (trGoal){nextafter(at, -INFINITY), at};
}

static trStatus refuse_jump(const trSim *s, int row, double jump, bool rate) {
    char text[TR_AMOUNT];
    tr_fail(TR_E_MODEL,
            "%s jumps by %s at t = %.9g s, which would need an impulse; make it continuous",
            rate ? "the rate of its function" : "its function",
            tr_amount(s, row, jump, rate ? "/s" : "", text), s->t);
    return tr_blame_row(s, TR_E_MODEL, row);
}

// The same state just before and at the break: phi and its rate must not differ. That rate is
// A v - b1, for A may change too: a row may hold another direction from now on.
trStatus tr_pass_break(trSim *s, double before) {
    const double *q = s->x, *v = s->x + s->nq;
    TR_TRY(tr_system_eval(s->system, before, q, v, &s->eval));
    memcpy(s->work.b, s->eval.phi, (size_t)s->m * sizeof *s->work.b);
    tr_sim_rates(s, v, s->work.rate);
    TR_TRY(tr_system_eval(s->system, s->t, q, v, &s->eval));
    for (int i = 0; i < s->m; i++) {
        double jump = fabs(s->eval.phi[i] - s->work.b[i]);
        if (jump > JUMP * (1.0 + fabs(s->work.b[i]))) {
            return refuse_jump(s, i, jump, false);
        }
    }
    tr_sim_rates(s, v, s->work.b);
    for (int i = 0; i < s->m; i++) {
        double jump = fabs(s->work.b[i] - s->work.rate[i]);
        if (jump > JUMP * (1.0 + fabs(s->eval.b1[i]))) {
            return refuse_jump(s, i, jump, true);
        }
    }
    return TR_OK;
}
