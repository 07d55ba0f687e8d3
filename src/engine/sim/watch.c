// SPDX-License-Identifier: MIT
// A watch on runs that go wrong without an error: a start that was moved far, stiffness, steps that
// collapse, multipliers that swing, open joints; energy that grows is in growth.c. What is found is
// kept as numbers (a saved simulation has no place for words) and becomes a warning in alarms.c.
//
// Stiffness. With the last stage y of an explicit step, which belongs to its end x as well,
//
//     h |lambda| ~ h |f(x) - f(y)| / |x - y|
//
// is near the border of stability, `stable`, where stability and not accuracy limits the step: 15
// times, without 6 steps in a row that are below (Hairer & Wanner 1996, IV.2). What drives a stiff
// motion all the time lets steps settle before the border, at 0.75 to 0.95 of it with tight
// tolerances; motion that is resolved has less than half of it. Motion that comes to
// rest has such steps at its end, however cheap the run was: only where most of many steps were
// limited in this way an integrator for stiff equations is worth its price.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "sim/sim.h"

#define BORDER 0.7         // of `stable`: where steps settle that it limits
#define STIFF_STEPS 15     // that show stiffness
#define OTHER_STEPS 6      // in a row that show that there is none
#define WINDOW 1000        // steps
#define COLLAPSE 1e-6      // of the duration in so many steps: the run would need 1e9
#define SWING 0.1          // of accelerations from step to step, relative
#define SWINGS 20          // in a row
#define MOVED_LENGTH 0.01  // of a body by the assembly, or of an open joint, of the model's size
#define MOVED_ANGLE 0.01   // [rad]
#define COLLAPSED 0.01     // of the largest step
#define CLOSED 1e-9        // of 1 + max|q|: joints that are no more open than this never are
#define SAME (1.0 - 1e-9)  // what is a limit but for rounding is one

void tr_watch_plan(trSim *s) {
    trWatch *w = &s->watch;
    for (int i = 0; i < TR_ALARMS; i++) {
        w->column[i] = -1;
        w->words[i] = tr_new_array(s->arena, char, TR_ALARM_WORDS);
    }
    tr_keep_doubles(s->arena, w->time, TR_ALARMS);
    tr_keep_doubles(s->arena, w->value, TR_ALARMS);
    tr_keep_ints(s->arena, w->column, TR_ALARMS, -1, s->nv);
    tr_keep_int(s->arena, &w->stiff, 0, STIFF_STEPS);
    tr_keep_int(s->arena, &w->other, 0, OTHER_STEPS);
    tr_keep_double(s->arena, &w->limited);
    tr_keep_double(s->arena, &w->size);
    tr_growth_plan(s);
    tr_keep_double(s->arena, &w->window_time);
    tr_keep_int(s->arena, &w->swings, 0, SWINGS);
    w->off = tr_new_array(s->arena, double, s->nv);
    w->push = tr_new_array(s->arena, double, s->nv);
}

// The first time counts. A alarm without a column is of nv, which no body has.
void tr_note_alarm(trSim *s, trAlarm alarm, int column, double value) {
    trWatch *w = &s->watch;
    if (w->column[alarm] < 0) {
        w->column[alarm] = column < 0 ? s->nv : column;
        w->time[alarm] = s->t;
        w->value[alarm] = value;
    }
}

static void watch_stiffness(trSim *s, double h) {
    const trIntegratorKind *kind = s->stepper.kind;
    trWatch                *w = &s->watch;
    const double           *y = NULL, *k = NULL, *x = tr_sim_integrated(s);
    double                  rise = 0.0, run = 0.0;
    if (kind->last_stage == NULL) {
        return;
    }
    const double *slope = kind->slope(s->stepper.work);
    kind->last_stage(s->stepper.work, &y, &k);
    for (int i = 0; i < s->nx - 1; i++) {  // nothing depends on W
        rise += (slope[i] - k[i]) * (slope[i] - k[i]);
        run += (x[i] - y[i]) * (x[i] - y[i]);
    }
    const double border = BORDER * kind->stable;
    bool         stiff = h * h * rise > border * border * run;
    w->other = stiff ? 0 : w->other < OTHER_STEPS ? w->other + 1 : OTHER_STEPS;
    w->stiff = stiff && w->stiff < STIFF_STEPS ? w->stiff + 1 : w->stiff;
    w->stiff = w->other == OTHER_STEPS ? 0 : w->stiff;
    w->limited += w->stiff > 0;
    if (w->stiff == STIFF_STEPS) {
        tr_note_alarm(s, TR_ALARM_STIFF, -1, h);
    }
}

static void watch_collapse(trSim *s, double h) {
    trWatch *w = &s->watch;
    bool     meant = h > COLLAPSED * s->notes.stats.largest_step ||
                 (s->def.max_step > 0.0 && h >= SAME * s->def.max_step);
    if (!s->stepper.adaptive || meant || s->notes.stats.steps % WINDOW != 0) {
        return;
    }
    if (s->notes.stats.steps > WINDOW && s->t - w->window_time < COLLAPSE * s->def.duration) {
        tr_note_alarm(s, TR_ALARM_COLLAPSE,
                      s->nv > 0 ? tr_largest_at(s->nv, tr_sim_acceleration(s)) : -1, h);
    }
    w->window_time = s->t;
}

// The method's accelerations less those that belong to its positions and velocities, d, come from
// its multipliers alone. They are smooth and of second order where it is stable. In the metric of
// M, with r_i = A_i M^-1 A_i', it is not where in many steps in a row
//
//     d_n' M d_n-1 < -|d_n| |d_n-1| / 2        |d_n| > SWING max(|a|, |lambda_i| sqrt(r_i))
static void watch_swing(trSim *s) {
    trWatch *w = &s->watch;
    if (!s->stepper.own_reactions || s->stepper.adaptive) {
        return;
    }
    const trMass *M = &s->eval.equations.M;
    double        size = sqrt(fmax(tr_mass_form(M, s->second.now.a), 0.0));
    double        before = sqrt(fmax(tr_mass_form(M, w->off), 0.0)), product = 0.0;
    for (int i = 0; i < s->m; i++) {
        size = fmax(size, fabs(s->second.now.lambda[i]) * s->eval.row_scale[i]);
    }
    tr_mass_mul(M, w->off, w->push);
    for (int i = 0; i < s->nv; i++) {
        w->off[i] = s->second.now.a[i] - s->a[i];
        product += w->off[i] * w->push[i];
    }
    double now = sqrt(fmax(tr_mass_form(M, w->off), 0.0));
    bool   swings = product < -0.5 * now * before && now > SWING * size;
    w->swings = !swings ? 0 : w->swings < SWINGS ? w->swings + 1 : SWINGS;
    if (w->swings == SWINGS) {
        tr_note_alarm(s, TR_ALARM_SWINGING, -1, now / size);
        w->value[TR_ALARM_SWINGING] = fmax(w->value[TR_ALARM_SWINGING], now / size);
    }
}

void tr_watch_step(trSim *s, double h) {
    watch_stiffness(s, h);
    tr_watch_growth(s);
    watch_collapse(s, h);
    watch_swing(s);
}

// --- the start ---

// The extent of centers of mass and of the points of joints; of coordinates the largest.
static double size_of_model(trSim *s) {
    const trSpace *space = s->system->space;
    trVec3         least = {INFINITY, INFINITY, INFINITY}, most = {-INFINITY, -INFINITY, -INFINITY};
    if (space->dim == 0) {
        return tr_largest(s->nq, s->x);
    }
    for (int i = 0; i < s->system->bodies + s->system->joints; i++) {
        trVec3 p;
        if (i < s->system->bodies) {
            const double *q = s->x + space->nq * i;
            p = (trVec3){q[0], q[1], space->dim == 3 ? q[2] : 0.0};
        } else {
            tr_system_report(&s->eval, i - s->system->bodies, s->x, s->x + s->nq, s->lambda, &p);
        }
        least = (trVec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
        most = (trVec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
    }
    return fmax(most.x - least.x, fmax(most.y - least.y, most.z - least.z));
}

void tr_watch_start(trSim *s, const double *moved) {
    const double size = s->watch.size = size_of_model(s);
    int          farthest = -1;
    double       worst = SAME;
    for (int i = 0; i < s->nv; i++) {
        double limit = strcmp(tr_column_unit(s, i), "rad") == 0 ? MOVED_ANGLE : MOVED_LENGTH * size;
        if (fabs(moved[i]) > worst * limit) {
            worst = fabs(moved[i]) / limit;
            farthest = i;
        }
    }
    s->watch.column[TR_ALARM_MOVED] = -1;
    if (farthest >= 0) {
        tr_note_alarm(s, TR_ALARM_MOVED, farthest, fabs(moved[farthest]));
    }
}

// Methods that do not put positions back, or only softly, may leave joints open.
void tr_watch_open(trSim *s) {
    const trEquations *e = &s->eval.equations;
    const int          row = tr_worst_row(e);
    const double       size = s->watch.size > 0.0 ? s->watch.size : 1.0;
    if (row < 0 || s->watch.column[TR_ALARM_OPEN] >= 0) {
        return;
    }
    double limit = s->rows.quantity[row] == TR_ANGLE ? MOVED_ANGLE : MOVED_LENGTH * size;
    if (tr_row_violation(e, row) > fmax(limit, CLOSED * (1.0 + tr_largest(s->nq, s->x)))) {
        tr_note_alarm(s, TR_ALARM_OPEN, -1, (double)s->rows.quantity[row]);
    }
}
