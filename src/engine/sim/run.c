// SPDX-License-Identifier: MIT
// A run: steps to the end, with a row at every output time. A row is a state on the constraints:
// interpolated inside a step, projected as the method projects, then evaluated.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "sim/sim.h"
#include "trammel/checkpoint.h"

#define SAME_TIME 1e-9  // of the step: times closer than this are one
// Numbers that are still recorded once a run is to stop, so that it stops at the end of a step,
// where it can be saved; a step with more ends where it is.
#define NUMBERS_AFTER_STOP 1e7

static double output_time(const trOutput *o, int64_t i) {
    if (o->times.count > 0) {
        return fmin(o->times.at[i], o->last);  // which may be beyond by a rounding
    }
    return i == o->count - 1 ? o->last : o->first + (double)i * o->sample;
}

static void plan_output(trSim *s, trRecorder *recorder) {
    const trSimDef *def = &s->def;
    double          sample = def->sample > 0.0 ? def->sample : def->duration / TR_SAMPLES;
    s->output = (trOutput){.recorder = recorder,
                           .first = s->t,
                           .latest = -INFINITY,
                           .last = def->start + def->duration,
                           .sample = sample,
                           .times = def->times};
    int64_t whole = (int64_t)floor((s->output.last - s->t) / sample * (1.0 + 1e-12));
    bool    rest = s->output.last - (s->t + (double)whole * sample) > 1e-9 * sample;
    int64_t regular = s->t <= s->output.last ? whole + 1 + rest : 0;
    s->output.count = def->times.count > 0 ? def->times.count : regular;
    // A run that is continued gives the times that are left.
    while (s->output.next < def->times.count && output_time(&s->output, s->output.next) < s->t) {
        s->output.next++;
    }
}

// Puts the state in x_row on the constraints, to rounding: a gap at a pin turns the pin's force
// into a moment that no joint has.
trStatus tr_project_row(trSim *s, double t) {
    trProjector *project = s->methods.step != NULL ? s->methods.step : s->methods.stage;
    return project != NULL ? tr_sim_project(s, project, 0.0, t, s->work.x_row) : TR_OK;
}

// Projects the state in x_row, evaluates there and hands the row over. A method on the second face
// has accelerations and multipliers of its own, which stand in a and lambda.
static trStatus emit_row(trSim *s, double t) {
    const double *q = s->work.x_row, *v = s->work.x_row + s->nq;
    TR_TRY(tr_project_row(s, t));
    if (s->stepper.own_reactions) {
        s->at_state = false;
        s->eval.z = v + s->nv;
        TR_TRY(tr_system_eval(s->system, t, q, v, &s->eval));
    } else {
        TR_TRY(tr_sim_accelerate(s, t, s->work.x_row, s->a));
    }
    tr_note_drift(s,
                  tr_eval_kinetic(&s->eval, q, v) + s->eval.potential - s->work.x_row[s->nx - 1]);
    tr_columns_fill(s, t, s->work.x_row);
    TR_TRY(tr_recorder_row(s->output.recorder, s->table.row));
    s->output.latest = t;
    s->output.rows++;
    s->output.mark = tr_rows_mark_add(s->output.mark, s->table.count, s->table.row);
    return TR_OK;
}

static trStatus interrupted(const trSim *s) {
    return tr_fail(TR_E_INTERRUPTED, "interrupted at t = %.9g s", s->t);
}

trStatus tr_step_interpolate(trSim *s, double h, double theta, bool first) {
    TR_TRY(s->stepper.driver->interpolate(s, h, theta, first));
    tr_system_normalize(s->system, s->work.x_row);
    return tr_sim_to_state(s, NULL, 0.0, s->t + theta * h, s->work.x_row);
}

// Whether the run is to stop and the rows up to `end`, where it could be saved, are too many.
static bool stops_inside(const trSim *s, double end) {
    const trOutput *o = &s->output;
    if (s->stop == NULL || *s->stop == 0) {
        return false;
    }
    double rows = (double)(o->count - o->next);
    if (o->times.count == 0) {
        rows = fmin(rows, (end - output_time(o, o->next)) / o->sample);
    }
    return rows * s->table.count > NUMBERS_AFTER_STOP;
}

// Rows inside the step that has been found.
static trStatus output_inside(trSim *s) {
    trOutput    *o = &s->output;
    bool         ready = false;
    const double h = s->stepper.found, whole = h + s->stepper.beyond;
    while (o->recorder != NULL && o->next < o->count) {
        double t = output_time(o, o->next);
        if (stops_inside(s, s->t + whole)) {
            return interrupted(s);
        }
        if (t > s->t + whole * (1.0 - SAME_TIME)) {
            break;
        }
        TR_TRY(tr_step_interpolate(s, h, (t - s->t) / h, !ready));
        ready = true;
        TR_TRY(emit_row(s, t));
        o->next++;
    }
    return TR_OK;
}

// The accepted state as a row.
static trStatus emit_state(trSim *s) {
    memcpy(s->work.x_row, s->x, (size_t)s->nx * sizeof *s->x);
    if (s->stepper.own_reactions) {
        memcpy(s->a, s->second.now.a, (size_t)s->nv * sizeof *s->a);
        memcpy(s->lambda, s->second.now.lambda, (size_t)s->m * sizeof *s->lambda);
    }
    return emit_row(s, s->t);
}

static trStatus output_at(trSim *s) {
    trOutput *o = &s->output;
    while (o->recorder != NULL && o->next < o->count &&
           output_time(o, o->next) <= s->t + SAME_TIME * fmax(s->stepper.h, 1e-300)) {
        TR_TRY(emit_state(s));
        o->next++;
    }
    return TR_OK;
}

static trStatus advance(trSim *s, double t_end) {
    TR_TRY(tr_step_find(s, t_end));
    trStatus status = output_inside(s);
    status = status == TR_OK ? tr_follow_step(s) : status;
    if (status == TR_OK) {
        status = tr_step_commit(s);
    }
    return status > 0 ? TR_E_SIMULATION : status;  // the state has moved: no way back
}

trStatus tr_sim_advance(trSim *s, double t_end) {
    const double h = fmax(s->stepper.h, s->pose.far_step);
    return tr_explain_dead_point(s, advance(s, t_end), h);
}

trStatus tr_sim_step_to(trSim *s, double t) {
    return t > s->t
               ? tr_sim_advance(s, t)
               : tr_fail(TR_E_ARGUMENT, "t = %g s is not after the present time, %g s", t, s->t);
}

trStatus tr_sim_step(trSim *s) {
    return tr_sim_advance(s, INFINITY);
}

trStatus tr_sim_run_to(trSim *s, double t) {
    if (!(t >= s->t) || !isfinite(t)) {
        return tr_fail(TR_E_ARGUMENT, "t = %g s is before the present time, %g s", t, s->t);
    }
    const int64_t before = tr_steps_tried(s);
    while (s->t < t) {
        TR_TRY(tr_check_steps(s, before));
        TR_TRY(tr_sim_advance(s, t));
    }
    return TR_OK;
}

// A run that fails ends with a row of its last good state, if it can be evaluated there; the words
// of the failure stay.
static void save_last_state(trSim *s, trStatus status) {
    char words[TR_WORDS];
    if (s->output.recorder == NULL || status == TR_E_IO || !(s->t > s->output.latest)) {
        return;
    }
    snprintf(words, sizeof words, "%s", tr_last_error());
    trStatus saved = emit_state(s);
    (void)saved;
    tr_fail(status, "%s", words);
}

static trStatus check_times(const trSim *s) {
    const trNumbers *times = &s->def.times;
    double           end = s->def.start + s->def.duration;
    double           slack = 4.0 * DBL_EPSILON * (fabs(s->def.start) + s->def.duration);
    for (int i = 0; i < times->count; i++) {
        if (times->at[i] < s->def.start || times->at[i] > end + slack) {
            return tr_fail(TR_E_ARGUMENT, "output time %g s is outside the run, %g to %g s",
                           times->at[i], s->def.start, end);
        }
        if (i > 0 && times->at[i] <= times->at[i - 1]) {
            return tr_fail(TR_E_ARGUMENT, "output times must increase; %g s does not",
                           times->at[i]);
        }
    }
    return TR_OK;
}

static trStatus between_steps(trSim *s, const trRunHooks *hooks, bool stopping) {
    return hooks != NULL && hooks->between != NULL ? hooks->between(hooks->keeper, s, stopping)
                                                   : TR_OK;
}

static trStatus run_to_end(trSim *s, double t_end, const trRunHooks *hooks) {
    TR_TRY(output_at(s));
    while (s->t < t_end) {
        bool stopping = s->stop != NULL && *s->stop != 0;
        TR_TRY(between_steps(s, hooks, stopping));
        if (stopping) {
            return interrupted(s);
        }
        TR_TRY(tr_check_steps(s, 0));
        TR_TRY(tr_sim_advance(s, t_end));
        TR_TRY(output_at(s));
        if (s->output.recorder != NULL) {
            TR_TRY(tr_recorder_tick(s->output.recorder));
        }
        if (hooks != NULL && hooks->progress != NULL) {
            hooks->progress(hooks->context, s->t, t_end);
        }
    }
    return TR_OK;
}

// Of a run that goes on the output times are known, and which of them are done.
static trStatus begin(trSim *s, trRecorder *recorder, const trRunHooks *hooks) {
    trOutput *o = &s->output;
    if (!o->running) {
        plan_output(s, recorder);
    }
    o->recorder = recorder;
    o->running = true;
    if (recorder == NULL) {
        return TR_OK;
    }
    TR_TRY(tr_recorder_begin(recorder, s->table.count, s->table.column, (long)o->count));
    return hooks != NULL && hooks->begun != NULL ? hooks->begun(hooks->keeper, s, recorder) : TR_OK;
}

trStatus tr_sim_run(trSim *s, trRecorder *recorder, const trRunHooks *hooks) {
    TR_TRY(check_times(s));
    s->stop = hooks == NULL ? NULL : hooks->stop;
    trStatus status = begin(s, recorder, hooks);
    s->output.cpu_begun = tr_clock_cpu();
    if (status == TR_OK) {
        status = run_to_end(s, s->def.start + s->def.duration, hooks);
        if (status != TR_OK) {
            save_last_state(s, status);
        }
    }
    s->notes.stats.cpu_seconds += tr_clock_cpu() - s->output.cpu_begun;
    s->output.recorder = NULL;
    s->output.running = false;
    s->stop = NULL;
    return status;
}
