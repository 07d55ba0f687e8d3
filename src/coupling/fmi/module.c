// SPDX-License-Identifier: MIT
// An FMU by the contract of trammel/module.h. It takes forces alone, and answers them by repeating
// its step.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fmi/work.h"

#define SAME_TIME 1e-9  // relative

static int predict(void *self, const trGlueStep *step) {
    trFmuWork *w = self;
    if (fabs(step->t - step->h - w->t) > SAME_TIME * fmax(1.0, fabs(step->t))) {
        return tr_fail(TR_E_SIMULATION,
                       "the FMU '%s' is at t = %.10g s, but must step from t = %.10g s",
                       w->info.name, w->t, step->t - step->h);
    }
    if (step->h > 0.0 && w->initializing) {
        if (w->once && !w->derives) {
            TR_TRY(tr_fmu_settle(w));
            TR_TRY(tr_fmu_compliance_held(w, w->W_fixed));
        }
        TR_TRY(tr_fmu_leave_initialization(w));
    }
    if (!w->accepted && w->once) {
        return tr_fail(TR_E_SIMULATION, "the FMU '%s' cannot repeat its step at t = %.10g s",
                       w->info.name, w->t);
    }
    TR_TRY(tr_fmu_keep_corrections(w));
    if (w->accepted) {
        memcpy(w->f_begin, w->f, (size_t)w->nw * sizeof *w->f);
        memcpy(w->v_begin, w->v, (size_t)w->nw * sizeof *w->v);
    }
    w->step = *step;
    return tr_fmu_advance(w);
}

// It solves its equations by itself.
static int residual(void *self, double *size) {
    *size = 0.0;
    return tr_fmu_settle(self);
}

// What was read stands, wherever the FMU was taken since.
static trStatus renew(trFmuWork *w) {
    return w->dirty ? tr_fmu_advance(w) : TR_OK;
}

static int port_motion(void *self, double *x, double *v, double *a) {
    trFmuWork *w = self;
    TR_TRY(renew(w));
    memcpy(x, w->x, (size_t)w->nx_port * sizeof *x);
    memcpy(v, w->v, (size_t)w->nw * sizeof *v);
    memcpy(a, w->a, (size_t)w->nw * sizeof *a);
    return TR_OK;
}

// x += W w or v += W w, by writing states: what is inside and not at a port stays.
static trStatus correct(trFmuWork *w, double *change, const double *impulse) {
    if (!w->corrects || !w->has_W) {
        return tr_fail(TR_E_UNSUPPORTED, "the FMU '%s' accepts forces only", w->info.name);
    }
    for (int i = 0; i < w->nw; i++) {
        for (int k = 0; k < w->nw; k++) {
            change[i] += w->W[w->nw * i + k] * impulse[k];
        }
    }
    w->dirty = true;
    return TR_OK;
}

static int apply(void *self, trLevel level, const double *change) {
    trFmuWork *w = self;
    if (level != TR_LEVEL_LOAD && level != TR_LEVEL_FORCE) {
        return correct(w, level == TR_LEVEL_POSITION ? w->x_change : w->v_change, change);
    }
    for (int i = 0; i < w->nw; i++) {
        if (!isfinite(change[i])) {
            return tr_fail(TR_NOT_FINITE, "the FMU '%s' got a load that is not finite",
                           w->info.name);
        }
        w->f[i] += w->v_at[i] >= 0 ? change[i] : 0.0;
    }
    if (level == TR_LEVEL_LOAD) {
        w->dirty = true;
        return TR_OK;
    }
    double *before = w->kept;
    memcpy(before, w->a, (size_t)w->nw * sizeof *before);
    bool comparable = !w->dirty;
    TR_TRY(tr_fmu_advance(w));
    if (comparable) {
        tr_fmu_judge_compliance(w, change, before);
    }
    return TR_OK;
}

static int accept(void *self) {
    trFmuWork *w = self;
    TR_TRY(tr_fmu_settle(w));
    w->t = w->step.t;
    if (w->instance.kind == TR_FMU_MODEL_EXCHANGE && w->step.h > 0.0) {
        TR_TRY(tr_fmu_complete_step(w));
    } else {
        TR_TRY(tr_fmu_keep_corrections(w));
    }
    w->accepted = true;
    w->begin_old = w->begin_old || w->step.h > 0.0;
    return TR_OK;
}

static int output(void *self, double *value) {
    trFmuWork *w = self;
    TR_TRY(renew(w));
    for (int i = 0; i < w->outputs; i++) {
        value[i] = w->r[w->o_at[i]];
    }
    return TR_OK;
}

static const char *error(void *self) {
    return tr_last_error();
}

void tr_fmu_close(void *self) {
    trFmuWork *w = self;
    if (w->begin != NULL && !w->instance.fatal) {
        (void)w->instance.call->free_state(w->instance.component, &w->begin);
    }
    tr_arena_destroy(w->arena);
}

static const char *about(void *self) {
    trFmuWork *w = self;
    size_t     used = 0;
    w->about[0] = '\0';
    for (int i = 0; i < w->notes.count && used < sizeof w->about; i++) {
        int more = snprintf(w->about + used, sizeof w->about - used, "%s%s", i > 0 ? "; " : "",
                            w->notes.text[i]);
        used += more > 0 ? (size_t)more : 0;
    }
    return w->about;
}

void tr_fmu_fill_module(trFmuWork *w, trModule *out) {
    *out = (trModule){
        .version = TR_MODULE_VERSION,
        .name = w->info.name,
        .dim = w->dim,
        .ports = w->ports,
        .port_name = w->port_name,
        .takes = w->corrects ? TR_TAKES_POSITION | TR_TAKES_VELOCITY : 0,
        .outputs = w->outputs,
        .output_name = w->output_name,
        .output_unit = w->output_unit,
        .self = w,
        .predict = predict,
        .residual = residual,
        .port_motion = port_motion,
        .compliance = tr_fmu_compliance,
        .apply = apply,
        .accept = accept,
        .state_size = tr_fmu_kept_size,
        .save = tr_fmu_save,
        .restore = tr_fmu_restore,
        .output = output,
        .error = error,
        .about = about,
        .close = tr_fmu_close,
    };
}
