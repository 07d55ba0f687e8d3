// SPDX-License-Identifier: MIT
// Violations and energy after the steps of a run. A run is divided into equal intervals, and of the
// steps that end in one the largest value is kept: however long the run is, no peak is lost.
//
// The simulation keeps the largest violation of all steps. It is taken from there after each step
// and put back at the end, so that what is drawn is what the tables show.

#include <math.h>

#include "compare/compare.h"
#include "sim/sim.h"

trStatus tr_compare_trace_plan(trArena *arena, trCompareTrace *trace) {
    double **numbers[] = {&trace->time, &trace->position, &trace->velocity, &trace->energy};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = tr_new_array(arena, double, TR_COMPARE_TRACE_POINTS);
    }
    trace->count = 0;
    return tr_arena_status(arena);
}

static int interval(const trSim *s, double t) {
    double part = (t - s->def.start) / s->def.duration * TR_COMPARE_TRACE_POINTS;
    return (int)fmin(fmax(ceil(part) - 1.0, 0.0), TR_COMPARE_TRACE_POINTS - 1.0);
}

// What a level has had since the step before; the largest of all is kept.
static double take(trSquares *squares, double *most) {
    double since = squares->worst;
    *most = fmax(*most, since);
    squares->worst = 0.0;
    return sqrt(since);
}

void tr_compare_trace_step(trCompareTrace *trace, trSim *s) {
    bool same = trace->count > 0 && interval(s, trace->time[trace->count - 1]) == interval(s, s->t);
    int  i = same ? trace->count - 1 : trace->count++;
    if (!same) {
        trace->position[i] = trace->velocity[i] = trace->energy[i] = 0.0;
    }
    double position = take(&s->notes.stats.position_squares, &trace->most[0]);
    double velocity = take(&s->notes.stats.velocity_squares, &trace->most[1]);
    trace->time[i] = s->t;
    trace->position[i] = fmax(trace->position[i], position);
    trace->velocity[i] = fmax(trace->velocity[i], velocity);
    trace->energy[i] = fmax(trace->energy[i], fabs(s->notes.stats.energy_end_drift));
}

void tr_compare_trace_end(const trCompareTrace *trace, trSim *s) {
    trSquares *position = &s->notes.stats.position_squares,
              *velocity = &s->notes.stats.velocity_squares;
    position->worst = fmax(position->worst, trace->most[0]);
    velocity->worst = fmax(velocity->worst, trace->most[1]);
}
