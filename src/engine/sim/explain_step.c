// SPDX-License-Identifier: MIT
// In words, why no step can be taken.

#include <math.h>

#include "base/largest.h"
#include "sim/sim.h"

// What is accelerated most at the accepted state, as the place to look at.
static trStatus blame_fastest(const trSim *s) {
    const double *a = tr_sim_acceleration(s);
    const int     fastest = tr_largest_at(s->nv, a);
    char          unit[TR_AMOUNT];
    if (s->nv == 0 || !(fabs(a[fastest]) > 0.0)) {
        return TR_E_SIMULATION;
    }
    tr_add_hint(TR_E_SIMULATION, "; it has the largest acceleration (%.1e%s)", fabs(a[fastest]),
                tr_unit_words(s, fastest, "/s^2", unit));
    return tr_blame_body(TR_E_SIMULATION, &s->system->body[fastest / s->system->space->nv]);
}

trAlarm tr_cause_of_trouble(const trSim *s) {
    const int *column = s->watch.column;
    const bool drifted = column[TR_ALARM_OPEN] >= 0 && s->stepper.driver->staged;
    return column[TR_ALARM_GROWTH] >= 0 ? TR_ALARM_GROWTH : drifted ? TR_ALARM_OPEN : TR_ALARMS;
}

// Motion that runs away explains other trouble, too.
static trStatus add_growth(const trSim *s, trStatus status) {
    return status == TR_E_SIMULATION && s->watch.column[TR_ALARM_GROWTH] >= 0
               ? tr_add_hint(status, "; %s", tr_alarm_words(s, TR_ALARM_GROWTH))
               : status;
}

trStatus tr_explain_no_step(trSim *s, trStatus status, double h) {
    const int row = tr_nearly_dependent_row(s);
    if (status < 0) {
        return add_growth(s, status);
    }
    const trAlarm cause = tr_cause_of_trouble(s);
    if (cause < TR_ALARMS && status != TR_NOT_FINITE) {
        return tr_fail(TR_E_SIMULATION, "t = %.9g s: no step is possible any more: %s", s->t,
                       tr_alarm_words(s, cause));
    }
    if (status > 0) {  // the last attempt left its own words
        tr_add_hint(TR_E_SIMULATION, "; no step is possible after t = %.9g s", s->t);
        if (cause == TR_ALARM_OPEN) {
            return tr_add_hint(TR_E_SIMULATION, "; %s", tr_alarm_words(s, cause));
        }
        bool stuck = s->pose.passing && status == TR_SINGULAR;
        return row >= 0 && (!s->stepper.driver->staged || stuck) && tr_free_column(s) < 0
                   ? tr_blame_pose(s, row)
                   : TR_E_SIMULATION;
    }
    TR_TRY(tr_eval_repeat_refusal(&s->eval, s->t));
    tr_fail(TR_E_SIMULATION, "t = %.9g s: the step size fell to %.1e s", s->t, h);
    if (row >= 0) {
        return tr_blame_pose(s, row);
    }
    tr_add_hint(TR_E_SIMULATION,
                "; something changes too fast there for the tolerances: look for a function "
                "or a law with a pole or a jump%s, or enlarge rtol and atol",
                s->system->space->dim == 0 ? ", or a mass that goes to 0" : "");
    return blame_fastest(s);
}

// The body or coordinate whose acceleration changes most in the step that failed.
static trStatus name_steepest(const trSim *s, trStatus status) {
    const trSpace *space = s->system->space;
    int            most = 0;
    double         largest = 0.0;
    for (int i = 0; i < s->nv; i++) {
        double change = fabs(s->second.next.a[i] - s->second.now.a[i]);
        if (change > largest) {
            largest = change;
            most = i;
        }
    }
    return tr_add_hint(status,
                       ", or radau5, which chooses its steps; %s '%s' changes its acceleration "
                       "most: look for a steep force on it (friction, contact)",
                       space->dim == 0 ? "coordinate" : "body",
                       s->system->body[most / space->nv].name);
}

// Newton's method did not come to its end. It is a row that keeps it from it if the joints cannot
// be closed; an adaptive method, which tries shorter steps first, has other reasons, and words for
// them, once positions satisfy the rows within the tolerances.
trStatus tr_explain_newton(trSim *s, trStatus status, double h) {
    int  row = tr_worst_row(&s->eval.equations);
    bool open = row >= 0 && !(fabs(s->eval.phi[row]) <= s->def.atol);
    if (s->stepper.adaptive) {
        return open ? tr_explain_row(s, status, s->t + h, row) : tr_name_row(s, status, row);
    }
    if (!open || tr_can_be_closed(s, h)) {
        bool swings = s->watch.column[TR_ALARM_SWINGING] >= 0;
        bool in_pose = s->pose.passing || tr_nearly_dependent_row(s) >= 0;
        if (swings) {
            tr_add_hint(status, "; %s", tr_alarm_words(s, TR_ALARM_SWINGING));
            return tr_name_row(s, status, row);
        }
        return in_pose ? status : name_steepest(s, status);
    }
    TR_TRY(tr_system_eval(s->system, s->t + h, s->second.next.q, s->second.next.v, &s->eval));
    return tr_explain_row(s, status, s->t + h, row);
}
