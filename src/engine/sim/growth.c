// SPDX-License-Identifier: MIT
// A watch on motion that runs away, the same for every integrator: kinetic energy that grows
// exponentially.
//
// The level, the largest T so far, climbs steps of a factor GRAIN; the times at which it passed
// them are kept, t_0 to t_12 for the last factor of 1e6. A power p of the time since any instant
// t*, (t - t*)^p, takes 100^(1/p) times longer for a factor of 100 than for the one before. An
// exponential always takes the same time. It is one where
//
//     t_4 - t_0,    t_8 - t_4,    t_12 - t_8
//
// are the same within SAME, each compared with the one before, which holds for powers p > 13 only.
// Towards a pole, (t* - t)^-p, times become shorter in the same way. With factors of 100 it does
// not matter that T of an oscillation comes in bursts. Growth has ended when the level has not
// passed the next grain in the time in which it grew by 1e6.
//
// Where it grows physically, W has what came in by forces, and T + V - W stays, until the motion is
// too fast for the steps. An integration that is unstable changes T + V - W as fast as T from the
// beginning.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/largest.h"
#include "sim/sim.h"

#define GRAIN 3.1622776601683795  // sqrt(10)
#define THIRD (TR_GRAINS / 3)     // grains of a factor of 100
#define SAME 1.4                  // 100^(1/p) with p = 13.7
#define MOST_GRAINS 4             // in one step: more than a factor of 100 is not resolved by it
#define FAST 1e3                  // [m/s or rad/s]: slower motion does not run away
#define UNBALANCED 0.5            // of the level, by which T + V - W is off

void tr_growth_plan(trSim *s) {
    trGrowth *g = &s->watch.growth;
    tr_keep_doubles(s->arena, g->passed, TR_GRAINS + 1);
    tr_keep_double(s->arena, &g->level);
    tr_keep_double(s->arena, &g->mark);
    tr_keep_double(s->arena, &g->time);
    tr_keep_int(s->arena, &g->count, 0, TR_GRAINS + 1);
    tr_keep_int(s->arena, &g->off, 0, TR_GRAINS + 1);
    tr_keep_int(s->arena, &g->unbalanced, 0, 1);
}

static void begin_anew(trGrowth *g, double t, double level) {
    g->count = 1;
    g->passed[TR_GRAINS] = t;
    g->mark = level;
}

static void pass(trGrowth *g, double t, bool balanced) {
    memmove(g->passed, g->passed + 1, TR_GRAINS * sizeof *g->passed);
    g->passed[TR_GRAINS] = t;
    g->mark *= GRAIN;
    g->count += g->count <= TR_GRAINS;
    g->off = balanced ? 0 : g->off + (g->off <= TR_GRAINS);
}

// Between two steps the level is taken as an exponential.
static void climb(trGrowth *g, double t, double level, bool balanced) {
    if (!(g->mark > 0.0) || level > pow(GRAIN, MOST_GRAINS) * fmax(g->level, g->mark)) {
        begin_anew(g, t, level);
    }
    while (level > GRAIN * g->mark) {
        double share = log(GRAIN * g->mark / g->level) / log(level / g->level);
        pass(g, g->time + share * (t - g->time), balanced);
    }
    g->level = level;
}

// Whether two times are about the same.
static bool is_same(double a, double b) {
    return a <= SAME * b && b <= SAME * a;
}

static bool is_exponential(const trGrowth *g) {
    const double *t = g->passed;
    const double  first = t[THIRD] - t[0], second = t[2 * THIRD] - t[THIRD];
    const double  third = t[3 * THIRD] - t[2 * THIRD];
    return g->count > TR_GRAINS && first > 0.0 && is_same(first, second) && is_same(second, third);
}

void tr_watch_growth(trSim *s) {
    trWatch          *w = &s->watch;
    trGrowth         *g = &w->growth;
    const trSimStats *stats = &s->notes.stats;
    const double      level = fmax(g->level, stats->kinetic);
    const bool        balanced = fabs(stats->energy_end_drift) <= UNBALANCED * level;
    if (level > g->level && isfinite(level)) {
        climb(g, s->t, level, balanced);
    }
    g->time = s->t;
    const double since = s->t - g->passed[TR_GRAINS];
    const bool   goes_on = since <= g->passed[TR_GRAINS] - g->passed[0];
    if (w->column[TR_ALARM_GROWTH] >= 0) {  // withdrawn only by results that can be trusted
        w->column[TR_ALARM_GROWTH] = goes_on || !balanced ? w->column[TR_ALARM_GROWTH] : -1;
        return;
    }
    if (s->nv == 0 || !goes_on || !is_exponential(g)) {
        return;
    }
    const double *v = s->x + s->nq;
    const int     column = tr_largest_at(s->nv, v);
    if (fabs(v[column]) > FAST) {
        g->unbalanced = 2 * g->off > TR_GRAINS;
        tr_note_alarm(s, TR_ALARM_GROWTH, column, fabs(v[column]));
    }
}

// --- words ---

const char *tr_growth_cause(const trSim *s, char text[TR_CAUSE]) {
    if (!s->watch.growth.unbalanced) {
        snprintf(text, TR_CAUSE, "look for a force with a wrong sign or a negative damping%s",
                 tr_is_driven(s) ? ", or a drive that goes on beyond a dead point" : "");
    } else if (s->stepper.adaptive) {
        snprintf(text, TR_CAUSE,
                 "no force supplies it, but errors of %s do: make rtol and atol "
                 "smaller",
                 s->stepper.kind->name);
    } else {
        snprintf(text, TR_CAUSE,
                 "no force supplies it, but the step of %.3g s does, which is too large for the "
                 "stiffest spring or fastest motion: take a smaller one, an integrator that "
                 "chooses it (dop853), or an implicit one (radau5)",
                 s->def.step);
    }
    return text;
}
