// SPDX-License-Identifier: MIT
// A glued run: steps to the end, with a row after every so many of them.

#include <math.h>
#include <stdio.h>

#include "glue/glue.h"
#include "sim/sim.h"
#include "trammel/checkpoint.h"

// Rows are at the ends of steps, where all modules are: `sample` is rounded to whole ones.
static int64_t steps_between_rows(const trGlue *g) {
    double sample = g->def.sample > 0.0 ? g->def.sample : g->def.duration / TR_SAMPLES;
    double steps = g->h > 0.0 ? round(sample / g->h) : 1.0;
    return (int64_t)fmin(fmax(steps, 1.0), 1e15);
}

static bool is_due(const trGlue *g) {
    return g->rows.recorder != NULL && g->rows.recorded < g->n + 1 &&
           (g->n % g->rows.every == 0 || g->n == g->last);
}

static trStatus hand_over(trGlue *g) {
    trGlueRows *r = &g->rows;
    TR_TRY(tr_recorder_row(r->recorder, r->row));
    r->recorded = g->n + 1;
    r->count++;
    r->mark = tr_rows_mark_add(r->mark, r->columns, r->row);
    return TR_OK;
}

// After a step: the row is made in any case, for the next step may fail and leave modules anywhere.
static trStatus after_step(trGlue *g) {
    if (g->rows.recorder == NULL) {
        return TR_OK;
    }
    TR_TRY(tr_glue_rows_fill(g, is_due(g)));
    return is_due(g) ? hand_over(g) : TR_OK;
}

// A run that stops ends with a row of its last good state; the words of the failure stay. Outputs
// can be asked for only where modules are still there.
static void save_last_state(trGlue *g, trStatus status) {
    char words[TR_WORDS];
    if (g->rows.recorder == NULL || status == TR_E_IO || g->rows.recorded >= g->n + 1) {
        return;
    }
    snprintf(words, sizeof words, "%s", tr_last_error());
    if (status != TR_E_INTERRUPTED || tr_glue_rows_fill(g, true) == TR_OK) {
        trStatus saved = hand_over(g);
        (void)saved;
    }
    tr_fail(status, "%s", words);
}

static trStatus run_to_end(trGlue *g, const trGlueHooks *hooks) {
    double t_end = g->def.start + g->def.duration;
    if (g->rows.recorded < g->n + 1) {
        TR_TRY(after_step(g));
    }
    while (g->n < g->last) {
        bool stopping = hooks != NULL && hooks->stop != NULL && *hooks->stop != 0;
        if (hooks != NULL && hooks->between != NULL) {
            TR_TRY(hooks->between(hooks->context, g));
        }
        if (stopping) {
            return tr_fail(TR_E_INTERRUPTED, "interrupted at t = %.9g s", g->t);
        }
        TR_TRY(tr_glue_step(g));
        TR_TRY(after_step(g));
        if (g->rows.recorder != NULL) {
            TR_TRY(tr_recorder_tick(g->rows.recorder));
        }
        if (hooks != NULL && hooks->progress != NULL) {
            hooks->progress(hooks->context, g->t, t_end);
        }
    }
    return TR_OK;
}

static trStatus begin(trGlue *g, trRecorder *recorder, const trGlueHooks *hooks) {
    g->rows.every = steps_between_rows(g);
    if (recorder == NULL) {
        return TR_OK;
    }
    TR_TRY(tr_glue_rows_begin(g));
    g->rows.recorder = recorder;
    TR_TRY(tr_recorder_begin(recorder, g->rows.columns, g->rows.column,
                             (long)(g->last / g->rows.every + 2)));
    return hooks != NULL && hooks->begun != NULL ? hooks->begun(hooks->context, g, recorder)
                                                 : TR_OK;
}

trStatus tr_glue_check_steps(const trGlue *g) {
    const double most = g->def.max_steps;
    if (most == 0.0 || (double)g->last <= most) {
        return TR_OK;
    }
    return tr_fail(
        TR_E_ARGUMENT,
        "a duration of %g s takes %.10g steps of %.3g s, more than max_steps = %.10g: take "
        "a larger step or a shorter duration, or raise max_steps (0: no limit)",
        g->def.duration, (double)g->last, g->h, most);
}

trStatus tr_glue_run(trGlue *g, trRecorder *recorder, const trGlueHooks *hooks) {
    trStatus status = tr_glue_check_steps(g);
    status = status == TR_OK && g->n == 0 ? tr_glue_check_start(g) : status;
    status = status == TR_OK ? begin(g, recorder, hooks) : status;
    if (status == TR_OK) {
        status = run_to_end(g, hooks);
        if (status != TR_OK) {
            save_last_state(g, status);
        }
    }
    g->rows.recorder = NULL;
    return status;
}

int64_t tr_glue_rows(const trGlue *g) {
    return g->rows.count;
}

uint64_t tr_glue_rows_mark(const trGlue *g) {
    return g->rows.mark;
}
