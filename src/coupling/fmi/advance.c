// SPDX-License-Identifier: MIT
// A step of an FMU under given loads.
//
// Model Exchange: x' = g(t, x, u) by the classical method of Runge and Kutta in equal substeps,
// with u linear in time from the loads at the beginning of the step to those at its end.
// Co-Simulation: the FMU steps by itself, with u held at the loads at the end of the step.
//
// Accelerations that the FMU does not tell are differences of velocities: of Model Exchange
//
//     a = (-3 v(x) + 4 v(x + e x') - v(x + 2 e x')) / (2 e)      at t, t + e, t + 2 e
//
// and of Co-Simulation (v(t) - v(t - h)) / h.

#include <math.h>
#include <string.h>

#include "fmi/work.h"

#define PART_OF_STEP 1e-3  // e of the above against h: truncation e^2, rounding 1e-16 / e

static void copy(double *to, const double *from, int count) {
    memcpy(to, from, (size_t)count * sizeof *to);
}

trStatus tr_fmu_set_loads(trFmuWork *w, double part) {
    trFmuInstance *s = &w->instance;
    for (int i = 0; i < w->nu; i++) {
        double begin = w->f_begin[w->u_of[i]], end = w->f[w->u_of[i]];
        w->u[i] = part == 1.0 ? end : begin + part * (end - begin);
    }
    return tr_fmu_told(s, s->api->set_reals(s, w->u_ref, (size_t)w->nu, w->u), "take loads");
}

static trStatus set_point(trFmuWork *w, double t, const double *x) {
    trFmuInstance *s = &w->instance;
    TR_TRY(tr_fmu_told(s, s->call->set_time(s->component, t), "take a time"));
    return s->nx == 0
               ? TR_OK
               : tr_fmu_told(s, s->call->set_states(s->component, x, (size_t)s->nx), "take states");
}

static trStatus rate(trFmuWork *w, double *dx) {
    trFmuInstance *s = &w->instance;
    return s->nx == 0 ? TR_OK
                      : tr_fmu_told(s, s->call->get_derivatives(s->component, dx, (size_t)s->nx),
                                    "give derivatives");
}

static trStatus read_values(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    TR_TRY(tr_fmu_told(s, s->api->get_reals(s, w->r_ref, (size_t)w->nr, w->r), "give its motion"));
    for (int i = 0; i < w->nr; i++) {
        if (!isfinite(w->r[i])) {
            return tr_fail(
                TR_NOT_FINITE,
                "the FMU '%s' returns a value that is not finite for '%s' at t = %.10g s",
                w->info.name, w->info.variable[w->r_of[i]].name, w->step.t);
        }
    }
    return TR_OK;
}

static void spread_values(trFmuWork *w) {
    int positions = TR_PORT_X(w->dim);
    for (int i = 0; i < w->nx_port; i++) {
        bool is_e0 = w->dim == 3 && i % positions == 3;
        w->x[i] = w->x_at[i] >= 0 ? w->r[w->x_at[i]] : is_e0 ? 1.0 : 0.0;
    }
    for (int i = 0; i < w->nw; i++) {
        w->v[i] = w->v_at[i] >= 0 ? w->r[w->v_at[i]] : 0.0;
        w->a[i] = w->a_at[i] >= 0 ? w->r[w->a_at[i]] : 0.0;
    }
}

// Adds `factor` times the velocities where they give accelerations.
static void add_differences(trFmuWork *w, double factor, const double *v) {
    for (int i = 0; i < w->nw; i++) {
        if (w->v_at[i] >= 0 && w->a_at[i] < 0) {
            w->a[i] += factor * v[i];
        }
    }
}

// Accelerations of Model Exchange; the FMU stands at t, s.
static trStatus differentiate(trFmuWork *w) {
    trFmuInstance      *s = &w->instance;
    double              e = PART_OF_STEP * (w->step.h > 0.0 ? w->step.h : w->def.difference_step);
    double             *x = w->s_try, *dx = w->k;
    static const double weight[2] = {4.0, -1.0};
    add_differences(w, -3.0 / (2.0 * e), w->v);
    TR_TRY(rate(w, dx));
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < s->nx; i++) {
            x[i] = w->s[i] + (k + 1) * e * dx[i];
        }
        TR_TRY(set_point(w, w->step.t + (k + 1) * e, x));
        TR_TRY(
            tr_fmu_told(s, s->api->get_reals(s, w->r_ref, (size_t)w->nr, w->r), "give its motion"));
        for (int i = 0; i < w->nw; i++) {
            if (w->v_at[i] >= 0 && w->a_at[i] < 0) {
                w->a[i] += weight[k] / (2.0 * e) * w->r[w->v_at[i]];
            }
        }
    }
    TR_TRY(set_point(w, w->step.t, w->s));
    return read_values(w);
}

trStatus tr_fmu_read_motion(trFmuWork *w) {
    TR_TRY(read_values(w));
    spread_values(w);
    if (w->differs && w->instance.kind == TR_FMU_MODEL_EXCHANGE) {
        return differentiate(w);
    }
    if (w->differs && w->step.h > 0.0) {
        add_differences(w, 1.0 / w->step.h, w->v);
        add_differences(w, -1.0 / w->step.h, w->v_begin);
    }
    return TR_OK;
}

// --- Model Exchange ---

// One substep from t, at the part from..to of the step.
static trStatus runge_kutta(trFmuWork *w, double t, double h, double from, double to) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    int                 nx = w->instance.nx;
    for (int stage = 0; stage < 4; stage++) {
        double       *k = w->k + (ptrdiff_t)stage * nx;
        const double *last = w->k + (ptrdiff_t)(stage > 0 ? stage - 1 : 0) * nx;
        for (int i = 0; i < nx; i++) {
            w->s_try[i] = stage == 0 ? w->s[i] : w->s[i] + at[stage] * h * last[i];
        }
        TR_TRY(set_point(w, t + at[stage] * h, w->s_try));
        TR_TRY(tr_fmu_set_loads(w, from + at[stage] * (to - from)));
        TR_TRY(rate(w, k));
    }
    for (int i = 0; i < nx; i++) {
        const double *k = w->k + i;
        w->s[i] += h / 6.0 * (k[0] + 2.0 * k[nx] + 2.0 * k[2 * nx] + k[3 * nx]);
        if (!isfinite(w->s[i])) {
            return tr_fail(TR_NOT_FINITE,
                           "the FMU '%s' diverges between t = %.10g s and %.10g s: take smaller "
                           "steps, or more substeps than %d",
                           w->info.name, w->t, w->step.t, w->def.substeps);
        }
    }
    return TR_OK;
}

static trStatus advance_exchange(trFmuWork *w) {
    int n = w->step.h > 0.0 && w->instance.nx > 0 ? w->def.substeps : 0;
    copy(w->s, w->s_begin, w->instance.nx);
    for (int i = 0; i < n; i++) {
        double from = (double)i / n, to = i + 1 == n ? 1.0 : (i + 1.0) / n;
        TR_TRY(runge_kutta(w, w->t + from * w->step.h, w->step.h / n, from, to));
    }
    for (int i = 0; w->corrects && i < w->nw; i++) {
        if (w->x_state[i] >= 0) {
            w->s[w->x_state[i]] += w->x_change[i];
            w->s[w->v_state[i]] += w->v_change[i];
        }
    }
    TR_TRY(set_point(w, w->step.t, w->s));
    TR_TRY(tr_fmu_set_loads(w, 1.0));
    return tr_fmu_read_motion(w);
}

trStatus tr_fmu_keep_corrections(trFmuWork *w) {
    if (w->corrects && w->step.h == 0.0) {
        TR_TRY(tr_fmu_settle(w));
        copy(w->s_begin, w->s, w->instance.nx);
    }
    memset(w->x_change, 0, (size_t)w->nw * sizeof *w->x_change);
    memset(w->v_change, 0, (size_t)w->nw * sizeof *w->v_change);
    return TR_OK;
}

// --- Co-Simulation ---

trStatus tr_fmu_leave_initialization(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    TR_TRY(tr_fmu_told(s, s->call->exit_initialization(s->component), "end its initialization"));
    s->initialized = true;
    w->initializing = false;
    w->begin_old = true;
    return TR_OK;
}

trStatus tr_fmu_renew_begin(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    if (!w->begin_old || w->once) {
        return TR_OK;
    }
    w->begin_old = false;
    return tr_fmu_told(s, s->call->get_state(s->component, &w->begin), "give its state");
}

static trStatus do_step(trFmuWork *w, double h) {
    trFmuInstance *s = &w->instance;
    trStatus       status = tr_fmu_told(s, s->api->do_step(s, w->t, h), "take a step");
    return status == TR_OK ? TR_OK : tr_blame(status, "t = %.10g s, step %.6g s: ", w->t, h);
}

// At the start, or after a restoration: a short step and back, for accelerations alone.
static trStatus try_start(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    double         e = w->def.difference_step;
    TR_TRY(tr_fmu_set_loads(w, 1.0));
    TR_TRY(do_step(w, e));
    TR_TRY(read_values(w));
    spread_values(w);
    copy(w->v_begin, w->v, w->nw);
    TR_TRY(tr_fmu_told(s, s->call->set_state(s->component, w->begin), "restore its state"));
    TR_TRY(read_values(w));
    spread_values(w);
    add_differences(w, 1.0 / e, w->v_begin);
    add_differences(w, -1.0 / e, w->v);
    copy(w->v_begin, w->v, w->nw);
    return TR_OK;
}

static trStatus advance_co(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    if (w->initializing) {
        TR_TRY(tr_fmu_set_loads(w, 1.0));
        return tr_fmu_read_motion(w);
    }
    TR_TRY(tr_fmu_renew_begin(w));
    if (w->begin != NULL) {
        TR_TRY(tr_fmu_told(s, s->call->set_state(s->component, w->begin), "restore its state"));
    }
    if (w->step.h == 0.0) {
        return w->differs && !w->once ? try_start(w) : tr_fmu_read_motion(w);
    }
    TR_TRY(tr_fmu_set_loads(w, 1.0));
    TR_TRY(do_step(w, w->step.h));
    return tr_fmu_read_motion(w);
}

// The step is taken once, under the loads of the last one. Accelerations answer to loads by W, and
// the motion answers in the next step.
static void answer_once(trFmuWork *w) {
    const double *W = w->has_W ? w->W : w->W_fixed;
    for (int i = 0; i < w->nw; i++) {
        for (int k = 0; k < w->nw; k++) {
            w->a[i] += W[w->nw * i + k] * (w->f[k] - w->f_used[k]);
        }
    }
    copy(w->f_used, w->f, w->nw);
}

trStatus tr_fmu_advance(trFmuWork *w) {
    bool was_taken = w->once && !w->initializing && !w->accepted;
    w->away = w->dirty = false;
    if (was_taken) {
        answer_once(w);
        return TR_OK;
    }
    copy(w->f_used, w->f, w->nw);
    w->accepted = w->accepted && w->step.h == 0.0;
    return w->instance.kind == TR_FMU_MODEL_EXCHANGE ? advance_exchange(w) : advance_co(w);
}

trStatus tr_fmu_settle(trFmuWork *w) {
    return w->dirty || w->away ? tr_fmu_advance(w) : TR_OK;
}
