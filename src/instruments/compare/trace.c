// SPDX-License-Identifier: MIT
// Violations and energy after the steps of a run. A run is divided into equal intervals, and of the
// steps that end in one the largest value is kept: however long the run is, no peak is lost.

#include <math.h>

#include "compare/compare.h"

trStatus tr_compare_trace_plan(trArena *arena, const trSimDef *def, trCompareTrace *trace) {
    double **numbers[] = {&trace->time, &trace->position, &trace->velocity, &trace->energy};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = tr_new_array(arena, double, TR_COMPARE_TRACE_POINTS);
    }
    trace->count = 0;
    trace->start = def->start;
    trace->duration = def->duration;
    return tr_arena_status(arena);
}

static int interval(const trCompareTrace *trace, double t) {
    double part = (t - trace->start) / trace->duration * TR_COMPARE_TRACE_POINTS;
    return (int)fmin(fmax(ceil(part) - 1.0, 0.0), TR_COMPARE_TRACE_POINTS - 1.0);
}

void tr_compare_trace_step(trCompareTrace *trace, trSim *sim) {
    const double  t = tr_sim_time(sim);
    const trWorst worst = tr_sim_take_worst(sim);
    bool          same =
        trace->count > 0 && interval(trace, trace->time[trace->count - 1]) == interval(trace, t);
    int i = same ? trace->count - 1 : trace->count++;
    if (!same) {
        trace->position[i] = trace->velocity[i] = trace->energy[i] = 0.0;
    }
    trace->time[i] = t;
    trace->position[i] = fmax(trace->position[i], worst.position);
    trace->velocity[i] = fmax(trace->velocity[i], worst.velocity);
    trace->energy[i] = fmax(trace->energy[i], fabs(tr_sim_stats(sim).energy_end_drift));
}
