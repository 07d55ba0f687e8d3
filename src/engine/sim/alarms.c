// SPDX-License-Identifier: MIT
// What the watch on a run has found (watch.c, growth.c), in words, and the limit on steps.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/largest.h"
#include "sim/sim.h"

#define FEW_STEPS 1000     // that are limited by stability are no trouble
#define SAME (1.0 - 1e-9)  // what is a limit but for rounding is one

// "body 'arm'", or "coordinate 'x'".
static const char *name_of(const trSim *s, int column) {
    return s->system->body[column / s->system->space->nv].name;
}

const char *tr_column_unit(const trSim *s, int column) {
    const trSpace *space = s->system->space;
    return space->dim == 0 ? tr_system_coordinate_unit(s->system, column)
           : tr_space_turns(space, column % space->nv) ? "rad"
                                                       : "m";
}

const char *tr_unit_words(const trSim *s, int column, const char *per, char text[TR_AMOUNT]) {
    const char *unit = tr_column_unit(s, column);
    bool        known = unit[0] != '\0';
    snprintf(text, TR_AMOUNT, "%s%s%s", known ? " " : "", unit, known ? per : "");
    return text;
}

static const char *word_of(const trSim *s) {
    return s->system->space->dim == 0 ? "coordinate" : "body";
}

// --- too many steps ---

const char *tr_stiff_integrator(const trSim *s) {
    bool renews = s->methods.picked[0].kind != NULL;
    bool fits = s->methods.carry == NULL && !renews && !(s->def.min_step > 0.0);
    return fits && tr_integrator_find(TR_STIFF_LIBRARY) != NULL ? TR_STIFF_LIBRARY
                                                                : TR_STIFF_INTEGRATOR;
}

int64_t tr_steps_tried(const trSim *s) {
    trIntegratorCounts counts = {0};
    if (s->stepper.kind->count != NULL) {
        s->stepper.kind->count(s->stepper.work, &counts);
    }
    return s->notes.stats.steps + s->notes.stats.rejected + counts.rejected;
}

// Fixed steps are as many as they were asked to be.
trStatus tr_check_steps(const trSim *s, int64_t before) {
    const double most = s->def.max_steps;
    bool         limits = most > 0.0 && (s->stepper.adaptive || most != TR_MAX_STEPS);
    if (!limits || (double)(tr_steps_tried(s) - before) < most) {
        return TR_OK;
    }
    const trWatch *w = &s->watch;
    tr_fail(TR_E_SIMULATION, "t = %.9g s: max_steps = %g steps were not enough", s->t, most);
    if (s->def.max_step > 0.0 && s->stepper.h >= SAME * s->def.max_step) {
        return tr_add_hint(TR_E_SIMULATION,
                           "; max_step = %g s limits their size: enlarge it, or raise max_steps "
                           "(0: no limit)",
                           s->def.max_step);
    }
    for (trAlarm i = TR_ALARM_GROWTH; i < TR_ALARMS; i++) {
        if (w->column[i] >= 0) {
            return tr_add_hint(TR_E_SIMULATION, "; %s; max_steps = 0 sets no limit",
                               tr_alarm_words(s, i));
        }
    }
    const double *v = s->x + s->nq;
    const int     column = s->nv > 0 ? tr_largest_at(s->nv, v) : -1;
    char          fastest[TR_CAUSE] = "", unit[TR_AMOUNT];
    if (column >= 0) {
        snprintf(fastest, sizeof fastest, " (%s '%s': %.1e%s)", word_of(s), name_of(s, column),
                 fabs(v[column]), tr_unit_words(s, column, "/s", unit));
    }
    return tr_add_hint(TR_E_SIMULATION,
                       "; the last ones were of %.1e s: enlarge rtol and atol, look for fast "
                       "motion that is not meant%s, or raise max_steps (0: no limit)",
                       s->stepper.h, fastest);
}

static void print_swing(const trSim *s, char *words) {
    const trWatch *w = &s->watch;
    bool           has_rho = tr_sim_def_reads(&s->def, "rho");
    snprintf(
        words, TR_ALARM_WORDS,
        "from t = %.6g s on multipliers of %s oscillate from step to step, by up to %.2g of their "
        "size, and with them accelerations and reactions (a weak instability): use %s%s, or a "
        "smaller step",
        w->time[TR_ALARM_SWINGING], s->stepper.kind->name, w->value[TR_ALARM_SWINGING],
        has_rho ? "a smaller rho" : "generalized_alpha with rho below 1",
        s->def.form == NULL || strcmp(s->def.form, "ggl") != 0 ? ", form = \"ggl\"" : "");
}

// The worst that there has been of its quantity.
static void print_open(const trSim *s, char *words) {
    const trWatch     *w = &s->watch;
    const trViolation *worst = &s->notes.stats.position;
    const double       amounts[] = {worst->length, worst->angle, worst->other};
    const int          quantity = (int)w->value[TR_ALARM_OPEN];
    const int          row = s->notes.worst_row[0][quantity];
    const trJoint     *joint = tr_joint_of_row(s, row);
    char               text[TR_AMOUNT];
    snprintf(words, TR_ALARM_WORDS,
             "%s '%s' is open by up to %s (from t = %.6g s on), as %s does not correct positions "
             "enough: use direct_mass or direct",
             joint->recorded ? "constraint" : "joint", joint->name,
             tr_amount(s, row, amounts[quantity], "", text), w->time[TR_ALARM_OPEN],
             s->def.method != NULL ? s->def.method : "this choice of methods");
}

const char *tr_alarm_words(const trSim *s, trAlarm alarm) {
    const trWatch *w = &s->watch;
    const int      column = w->column[alarm] < s->nv ? w->column[alarm] : -1;
    const double   value = w->value[alarm], t = w->time[alarm];
    const char    *what = word_of(s);
    char          *words = w->words[alarm], unit[TR_AMOUNT], cause[TR_CAUSE];
    if (alarm == TR_ALARM_MOVED) {
        snprintf(words, TR_ALARM_WORDS,
                 "%s '%s' was moved by %.3g%s to satisfy the %s at the start: check the positions "
                 "in the model, or use those of 'trammel assemble'",
                 what, name_of(s, column), value, tr_unit_words(s, column, "", unit),
                 tr_word_for_rows(s));
    } else if (alarm == TR_ALARM_STIFF) {
        snprintf(words, TR_ALARM_WORDS,
                 "the equations are stiff from t = %.6g s on, where stability and not accuracy "
                 "limits the steps of %s (%.1e s there, %.0f of %.0f steps): use integrator %s",
                 t, s->stepper.kind->name, value, w->limited, (double)s->notes.stats.steps,
                 tr_stiff_integrator(s));
    } else if (alarm == TR_ALARM_GROWTH) {
        snprintf(words, TR_ALARM_WORDS,
                 "%s '%s' grows without bounds (%.1e%s at t = %.6g s), as kinetic energy grows "
                 "exponentially: "
                 "%s",
                 what, name_of(s, column), value, tr_unit_words(s, column, "/s", unit), t,
                 tr_growth_cause(s, cause));
    } else if (alarm == TR_ALARM_SWINGING) {
        print_swing(s, words);
    } else if (alarm == TR_ALARM_OPEN) {
        print_open(s, words);
    } else {
        snprintf(words, TR_ALARM_WORDS,
                 "the step size collapsed to %.1e s at t = %.6g s; %s%s%s%s look for a force or a "
                 "function that changes too fast there",
                 value, t, column >= 0 ? what : "", column >= 0 ? " '" : "",
                 column >= 0 ? name_of(s, column) : "",
                 column >= 0 ? "' is accelerated most:" : "");
    }
    return words;
}

// A run that stiffness does not make long needs no advice.
static bool is_worth_telling(const trSim *s, trAlarm alarm) {
    const double limited = s->watch.limited;
    bool         long_run = limited >= FEW_STEPS && 2.0 * limited >= (double)s->notes.stats.steps;
    return s->watch.column[alarm] >= 0 && (alarm != TR_ALARM_STIFF || long_run);
}

bool tr_is_stiff(const trSim *s) {
    return is_worth_telling(s, TR_ALARM_STIFF);
}

int tr_sim_method_warnings(const trSim *s) {
    return s->notes.warnings;
}

int tr_sim_warnings(const trSim *s) {
    int count = s->notes.warnings;
    for (trAlarm i = 0; i < TR_ALARMS; i++) {
        count += is_worth_telling(s, i);
    }
    return count;
}

const char *tr_sim_warning(const trSim *s, int index) {
    if (index < 0 || index < s->notes.warnings) {
        return index < 0 ? NULL : s->notes.warning[index];
    }
    int at = s->notes.warnings;
    for (trAlarm i = 0; i < TR_ALARMS; i++) {
        if (is_worth_telling(s, i) && at++ == index) {
            return tr_alarm_words(s, i);
        }
    }
    return NULL;
}
