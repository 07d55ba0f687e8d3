// SPDX-License-Identifier: MIT
// Waveform relaxation: a window of some steps is swept again and again. In a sweep each module is
// taken back to the window's beginning and integrates all of it with the others' motion of the last
// sweep, step by step (couple.h); in the first sweep the others stand as they did at the beginning.
// The last sweep is taken one step for each call, and modules stay where it leads.

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "base/largest.h"
#include "glue/couple.h"

// One step of the window, as the last sweep left it.
typedef struct Frame {
    trPortMotion motion;
    double      *lambda;  // m
    double      *load;    // nw ports
} Frame;

typedef struct Waveform {
    trCouple couple;
    Frame   *frame;  // window
    Frame    start;
    void   **state;  // modules: at the window's beginning
    double  *Q;      // nw ports
    int      count;  // sweeps of this window before the last one
    bool     taken_back;
} Waveform;

#define PASSES 20  // of a follower's own iteration in a step
#define BEGIN (TR_CALL_PREDICT | TR_CALL_RESIDUAL | TR_CALL_MOTION | TR_CALL_COMPLIANCE)

// --- memory ---

static void plan_frame(trArena *arena, const trInterface *it, Frame *out) {
    tr_port_motion_plan(arena, it, &out->motion);
    out->lambda = tr_new_array(arena, double, it->m);
    out->load = tr_new_array(arena, double, it->nw * it->ports);
}

static trStatus plan_states(trArena *arena, trGlue *g, Waveform *w) {
    w->state = tr_arena_take(arena, (size_t)g->it.modules, sizeof *w->state);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < g->it.modules; i++) {
        size_t size = g->it.face[i].state_size;
        if (size == 0) {
            return tr_fail(TR_E_UNSUPPORTED,
                           "gluing 'waveform' repeats steps, and module '%s' cannot be saved; "
                           "use 'gauss'",
                           g->it.face[i].name);
        }
        w->state[i] = tr_arena_take(arena, size, 1);
    }
    return tr_arena_status(arena);
}

// What is saved and restored from here on; a checkpoint in between has memory of its own.
static void use_states(trGlue *g, const Waveform *w) {
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].state = w->state[i];
        g->exchange[i].state_in = w->state[i];
    }
}

static trStatus plan(trArena *arena, trGlue *g) {
    Waveform *w = tr_new(arena, Waveform);
    Frame    *frame = tr_arena_take(arena, (size_t)g->def.window, sizeof *frame);
    TR_TRY(tr_arena_status(arena));
    w->frame = frame;
    g->work = w;
    tr_keep_int(arena, &w->count, 0, g->def.max_iterations);
    plan_frame(arena, &g->it, &w->start);
    for (int j = 0; j < g->def.window; j++) {
        plan_frame(arena, &g->it, &w->frame[j]);
    }
    TR_TRY(tr_couple_plan(arena, g, true, &w->couple));
    w->couple.counts_change = true;
    return plan_states(arena, g, w);
}

static void keep_frame(const trGlue *g, Frame *f) {
    tr_port_motion_keep(&g->it, &f->motion);
    memcpy(f->lambda, g->lambda, (size_t)g->it.m * sizeof(double));
    memcpy(f->load, g->load, (size_t)(g->it.nw * g->it.ports) * sizeof(double));
}

static void copy_frame(const trInterface *it, const Frame *from, Frame *to) {
    tr_port_motion_copy(it, &from->motion, &to->motion);
    memcpy(to->lambda, from->lambda, (size_t)it->m * sizeof(double));
    memcpy(to->load, from->load, (size_t)(it->nw * it->ports) * sizeof(double));
}

// --- one step of a module beside the others' last motion ---

// Followers close their joints, each with its own motion and what is known of the others.
static trStatus close_joints(trGlue *g, trCouple *c, const trGlueStep *step) {
    const trLevel  level[] = {TR_LEVEL_POSITION, TR_LEVEL_VELOCITY};
    const unsigned call[] = {TR_CALL_POSITION, TR_CALL_VELOCITY};
    for (int k = 0; k < 2 && g->it.m > 0; k++) {
        tr_port_motion_keep(&g->it, &c->now);
        for (int i = 0; i < g->it.modules; i++) {
            tr_port_motion_put_others(&g->it, c, i);
            TR_TRY(tr_interface_evaluate(&g->it, step->t, true));
            tr_couple_correct(g, c, i, level[k]);
        }
        TR_TRY(tr_glue_exchange(g, call[k] | TR_CALL_MOTION));
    }
    return TR_OK;
}

// Loads of forces between ports, at how all ports moved in the last sweep: a module begins each
// sweep anew, so that its own motion is not known better.
static trStatus force_between(trGlue *g, trCouple *c, const Frame *f, double t) {
    tr_port_motion_keep(&g->it, &c->now);
    tr_port_motion_put(&g->it, &f->motion);
    TR_TRY(tr_interface_evaluate(&g->it, t, false));
    memcpy(c->Q, g->it.Q, (size_t)(g->it.nw * g->it.ports) * sizeof(double));
    tr_port_motion_put(&g->it, &c->now);
    return TR_OK;
}

// Residuals, and how much loads still change; `in_window`: the worst so far in this sweep.
static void measure(trGlue *g, Waveform *w, int j, int k, bool in_window) {
    double most[TR_RESIDUALS], change = 0.0, largest = 0.0;
    memcpy(most, g->history[k], sizeof most);
    tr_glue_measure(g, k);
    for (int i = 0; i < g->it.nw * g->it.ports; i++) {
        change = fmax(change, fabs(g->load[i] - w->frame[j].load[i]));
        largest = fmax(largest, fabs(g->load[i]));
    }
    w->couple.change[0] = fmax(w->couple.change[0], change);
    g->history[k][TR_DYNAMIC] = largest > 0.0 ? change / largest : 0.0;
    for (int i = 0; i < TR_RESIDUALS && in_window; i++) {
        g->history[k][i] = fmax(g->history[k][i], most[i]);
    }
}

// Followers solve for lambda while their own motion changes: repeated until loads stay.
static trStatus settle_together(trGlue *g, trCouple *c, const trGlueStep *step) {
    for (int pass = 0; pass < PASSES; pass++) {
        TR_TRY(tr_couple_answer_all(g, c, step));
        double change = tr_largest(g->it.nw * g->it.ports, g->w[TR_LEVEL_LOAD]);
        double largest = tr_largest(g->it.nw * g->it.ports, g->load);
        TR_TRY(tr_couple_settle(g, c, -1));
        TR_TRY(close_joints(g, c, step));
        if (g->it.m == 0 || (pass > 0 && change <= 0.1 * g->def.tolerance * largest)) {
            break;
        }
        TR_TRY(tr_glue_exchange(g, TR_CALL_RESIDUAL | TR_CALL_MOTION | TR_CALL_COMPLIANCE));
    }
    return tr_interface_evaluate(&g->it, step->t, true);
}

// Step j beside what the last sweep left there; `calls` besides.
static trStatus sweep_step(trGlue *g, Waveform *w, const trGlueStep *step, int j, unsigned calls) {
    trCouple    *c = &w->couple;
    const Frame *f = &w->frame[j];
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].step = *step;
    }
    TR_TRY(tr_glue_exchange(g, BEGIN | calls));
    TR_TRY(force_between(g, c, f, step->t));
    c->last = f->motion;
    memcpy(c->others, f->lambda, (size_t)g->it.m * sizeof(double));
    return settle_together(g, c, step);
}

// --- the window ---

// What the last sweep told is needed until all modules have used it.
static trStatus sweep(trGlue *g, Waveform *w, int steps, int k) {
    memcpy(g->load, w->start.load, (size_t)(g->it.nw * g->it.ports) * sizeof(double));
    for (int j = 0; j < steps; j++) {
        trGlueStep step = tr_glue_step_at(g, g->n + j);
        TR_TRY(sweep_step(g, w, &step, j, j == 0 ? TR_CALL_RESTORE : TR_CALL_ACCEPT));
        measure(g, w, j, k, j > 0);
        keep_frame(g, &w->frame[j]);
    }
    return TR_OK;
}

// Errors travel through the window, step by step, and may grow while they do so.
static trStatus check_progress(trGlue *g, Waveform *w, const trGlueStep *step, int k) {
    if (k >= 2 * g->def.window) {
        TR_TRY(tr_couple_check_progress(g, &w->couple, step));
    }
    return g->def.sweeps == 0 && k >= g->def.max_iterations ? tr_glue_check_progress(g, step, k)
                                                            : TR_OK;
}

static trStatus relax(trGlue *g, Waveform *w, const trGlueStep *step) {
    int64_t left = g->last - g->n + 1;
    int     steps = left < g->def.window ? (int)(left > 0 ? left : 1) : g->def.window;
    use_states(g, w);
    TR_TRY(tr_glue_exchange(g, TR_CALL_SAVE | (g->accepting ? TR_CALL_ACCEPT : 0u)));
    g->accepting = false;
    keep_frame(g, &w->start);
    for (int j = 0; j < steps; j++) {
        copy_frame(&g->it, &w->start, &w->frame[j]);
    }
    // The last sweep is the one in which modules stay where they get. Loads of the first one are
    // those that were held: it says nothing of convergence.
    bool done = g->def.sweeps == 1;
    w->count = 0;
    for (int k = 0; !done; k++) {
        tr_couple_begin_sweep(&w->couple, k == 0);
        TR_TRY(sweep(g, w, steps, k));
        w->count = k < g->def.max_iterations ? k + 1 : k;
        done = g->def.sweeps > 0 ? k + 2 >= g->def.sweeps : k > 0 && tr_glue_converged(g, k);
        TR_TRY(done ? TR_OK : check_progress(g, w, step, k));
    }
    memcpy(g->load, w->start.load, (size_t)(g->it.nw * g->it.ports) * sizeof(double));
    w->taken_back = w->count > 0;
    return TR_OK;
}

static trStatus advance(trGlue *g, const trGlueStep *step) {
    Waveform *w = g->work;
    if (step->h == 0.0) {
        return tr_gluing_gauss.advance(g, step);
    }
    int place = (int)((g->n - 1) % g->def.window);
    if (place == 0) {
        TR_TRY(relax(g, w, step));
    }
    TR_TRY(sweep_step(g, w, step, place, w->taken_back ? TR_CALL_RESTORE : 0u));
    w->taken_back = false;
    g->iterations = w->count;
    measure(g, w, place, w->count, false);
    return TR_OK;
}

const trGluingKind tr_gluing_waveform = {
    .name = "waveform",
    .title = "Waveform relaxation",
    .summary = "weak: windows of steps are swept again with the others' last motion",
    .source = "002 section 2.3; Lelarasmee, Ruehli and Sangiovanni-Vincentelli 1982",
    .options = {"sweeps", "window"},
    .no_joints = true,
    .windows = true,
    .plan = plan,
    .advance = advance,
};
