// SPDX-License-Identifier: MIT
// W = d(accelerations of the ports)/d(loads), column by column, made symmetric.
//
// With the state held it is that of a body under a sudden load, and costs little: directional
// derivatives of the accelerations, or differences. Over the step, the state at the end of which
// depends on the loads, too, it is found by repeating the step. The first is enough unless the FMU
// is stiff: what W says is compared with what happens, and where they differ, the second is taken
// from then on. W steers the coordinator's iteration; it does not enter its result.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "fmi/work.h"

#define ENOUGH 0.05          // W may be wrong by this part
#define PART_OF_MOTION 1e-4  // a difference of loads changes accelerations by this part

static void copy(double *to, const double *from, int count) {
    memcpy(to, from, (size_t)count * sizeof *to);
}

// What a trial changes goes to w->kept, or comes back from there.
static void copy_kept(trFmuWork *w, bool back) {
    double *const at[] = {w->x, w->v, w->a, w->f, w->r};
    const int     count[] = {w->nx_port, w->nw, w->nw, w->nw, w->nr};
    double       *kept = w->kept;
    for (int i = 0; i < 5; i++) {
        copy(back ? at[i] : kept, back ? kept : at[i], count[i]);
        kept += count[i];
    }
}

static void make_symmetric(const trFmuWork *w, double *W) {
    for (int i = 0; i < w->nw; i++) {
        for (int k = 0; k < i; k++) {
            double mean = 0.5 * (W[w->nw * i + k] + W[w->nw * k + i]);
            W[w->nw * i + k] = W[w->nw * k + i] = mean;
        }
    }
}

static double difference(const trFmuWork *w, int load) {
    return w->delta[load] > 0.0 ? w->delta[load] : 1e-3 * fmax(1.0, fabs(w->f[load]));
}

// The next difference, from what this one has given. Accelerations are those before.
static void adapt(trFmuWork *w, int load, double W, const double *a) {
    if (W > 0.0 && isfinite(W)) {
        w->delta[load] = PART_OF_MOTION * fmax(1e-3, tr_largest(w->nw, a)) / W;
    }
}

static trStatus by_differences(trFmuWork *w, double *W, trStatus (*move)(trFmuWork *)) {
    const double *a = w->kept + w->nx_port + w->nw;
    trStatus      status = TR_OK;
    copy_kept(w, false);
    for (int c = 0; c < w->nu && status == TR_OK; c++) {
        int    load = w->u_of[c];
        double d = difference(w, load), f = w->f[load];
        w->f[load] = f + d;
        status = move(w);
        for (int i = 0; i < w->nw; i++) {
            W[w->nw * i + load] = (w->a[i] - a[i]) / (w->f[load] - f);
        }
        w->f[load] = f;
        adapt(w, load, W[w->nw * load + load], a);
    }
    copy_kept(w, true);
    return status;
}

static trStatus move_held(trFmuWork *w) {
    TR_TRY(tr_fmu_set_loads(w, 1.0));
    return tr_fmu_read_motion(w);
}

static trStatus move_step(trFmuWork *w) {
    return tr_fmu_advance(w);
}

static bool by_derivatives(trFmuWork *w, double *W) {
    trFmuInstance *s = &w->instance;
    const double   one = 1.0;
    for (int c = 0; c < w->nu; c++) {
        for (int i = 0; i < w->nu; i++) {
            int      row = w->u_of[i], column = w->u_of[c];
            unsigned unknown = w->r_ref[w->a_at[row]];
            double   value = NAN;
            int      status = s->api->derive(s, &unknown, 1, &w->u_ref[c], 1, &one, &value);
            if (status > TR_FMU_WARNING || !isfinite(value)) {
                return false;
            }
            W[w->nw * row + column] = value;
        }
    }
    return true;
}

bool tr_fmu_can_hold(const trFmuWork *w) {
    return w->derives || w->instance.kind == TR_FMU_MODEL_EXCHANGE ||
           (w->initializing && !w->differs);
}

trStatus tr_fmu_compliance_held(trFmuWork *w, double *W) {
    memset(W, 0, (size_t)(w->nw * w->nw) * sizeof *W);
    if (w->derives && by_derivatives(w, W)) {
        return TR_OK;
    }
    if (w->derives) {
        w->derives = false;
        tr_fmu_list_add(&w->notes,
                        "directional derivatives are declared but do not work: compliance "
                        "by differences");
    }
    if (!tr_fmu_can_hold(w)) {
        return TR_OK;
    }
    TR_TRY(by_differences(w, W, move_held));
    return tr_fmu_set_loads(w, 1.0);
}

static bool is_positive(const trFmuWork *w, const double *W) {
    for (int i = 0; i < w->nu; i++) {
        if (!(W[(w->nw + 1) * w->u_of[i]] >= 0.0)) {
            return false;
        }
    }
    return true;
}

static trStatus over_step(trFmuWork *w, double *W) {
    memset(W, 0, (size_t)(w->nw * w->nw) * sizeof *W);
    trStatus status = by_differences(w, W, move_step);
    w->away = true;
    if (status == TR_OK && !is_positive(w, W)) {
        tr_fmu_list_add(&w->notes,
                        "the step is long against its own frequencies: loads at the end of "
                        "a step push accelerations back; take smaller steps");
    }
    return status;
}

int tr_fmu_compliance(void *work, double *W) {
    trFmuWork *w = work;
    bool       held = tr_fmu_can_hold(w) && (!w->over_step || w->step.h == 0.0);
    TR_TRY(tr_fmu_settle(w));
    if (w->once && !w->initializing && !w->derives) {
        copy(W, w->W_fixed, w->nw * w->nw);
    } else if (held || w->once) {
        TR_TRY(tr_fmu_compliance_held(w, W));
        // Derivatives that do not work leave Co-Simulation with repeated steps.
        if (!w->derives && !tr_fmu_can_hold(w) && !w->once) {
            TR_TRY(over_step(w, W));
        }
    } else {
        TR_TRY(over_step(w, W));
        if (!is_positive(w, W) && tr_fmu_can_hold(w)) {
            TR_TRY(tr_fmu_settle(w));
            TR_TRY(tr_fmu_compliance_held(w, W));
        }
    }
    make_symmetric(w, W);
    copy(w->W, W, w->nw * w->nw);
    w->has_W = true;
    return TR_OK;
}

void tr_fmu_judge_compliance(trFmuWork *w, const double *change, const double *before) {
    double said = 0.0, wrong = 0.0;
    if (!w->has_W || w->over_step || w->once || w->step.h == 0.0 ||
        w->def.compliance != TR_FMU_AUTO) {
        return;
    }
    for (int i = 0; i < w->nw; i++) {
        double sum = 0.0;
        for (int k = 0; k < w->nw; k++) {
            sum += w->W[w->nw * i + k] * change[k];
        }
        said = fmax(said, fabs(sum));
        wrong = fmax(wrong, fabs(w->a[i] - before[i] - sum));
    }
    // Below this, rounding decides.
    if (said > 1e-8 * fmax(1.0, tr_largest(w->nw, w->a)) && wrong > ENOUGH * said) {
        w->over_step = true;
        tr_fmu_list_add(&w->notes,
                        "from t = %.6g s on, compliance over the whole step, by repeating "
                        "it: its response to loads differs from that at constant state",
                        w->t);
    }
}
