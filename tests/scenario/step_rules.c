// SPDX-License-Identifier: MIT
// Steps by the rules of other codes.
//
// References: Dormand and Prince, J. Comp. Appl. Math. 6 (1980), 19-26. Fehlberg, NASA TR R-315
// (1969); Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, table II.5.1.

#include "scenario/step_rules.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "support/test.h"

#define NX_ROOM 8
#define MAX_ATTEMPTS 20000
#define ORDER_OF_ERROR 5

// --- the Fehlberg pair as an integrator ---

#define FEHLBERG_STAGES 6

static const double fehlberg_a[FEHLBERG_STAGES][FEHLBERG_STAGES - 1] = {
    {0.0},
    {1.0 / 4.0},
    {3.0 / 32.0, 9.0 / 32.0},
    {1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0},
    {439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0},
    {-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0},
};
static const double fehlberg_c[FEHLBERG_STAGES] = {0.0,         1.0 / 4.0, 3.0 / 8.0,
                                                   12.0 / 13.0, 1.0,       1.0 / 2.0};
static const double fehlberg_b[FEHLBERG_STAGES] = {16.0 / 135.0,      0.0,         6656.0 / 12825.0,
                                                   28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0};

typedef struct Fehlberg {
    int    nx;
    double k[FEHLBERG_STAGES][NX_ROOM];
} Fehlberg;

static trStatus fehlberg_plan(trArena *arena, int nx, const trTolerance *tolerance, void **work) {
    (void)tolerance;
    Fehlberg *w = tr_new(arena, Fehlberg);
    if (w != NULL) {
        w->nx = nx;
    }
    *work = w;
    return tr_arena_status(arena);
}

static trStatus fehlberg_begin(void *work, const trOde *ode, double t, const double *x) {
    Fehlberg *w = work;
    return ode->rhs(ode->context, t, x, w->k[0]);
}

// x + h sum_j weight_j k_j over the first `stages` slopes
static void combine(const Fehlberg *w, double h, const double *weight, int stages, const double *x,
                    double *out) {
    for (int i = 0; i < w->nx; i++) {
        double sum = 0.0;
        for (int j = 0; j < stages; j++) {
            sum += weight[j] * w->k[j][i];
        }
        out[i] = x[i] + h * sum;
    }
}

static trStatus fehlberg_attempt(void *work, const trOde *ode, double t, double h, const double *x,
                                 double *x_new, double *error) {
    Fehlberg *w = work;
    double    y[NX_ROOM];
    for (int j = 1; j < FEHLBERG_STAGES; j++) {
        combine(w, h, fehlberg_a[j], j, x, y);
        TR_TRY(ode->rhs(ode->context, t + fehlberg_c[j] * h, y, w->k[j]));
    }
    combine(w, h, fehlberg_b, FEHLBERG_STAGES, x, x_new);
    *error = 0.0;
    return TR_OK;
}

static const trIntegratorKind fehlberg = {
    .name = "fehlberg",
    .plan = fehlberg_plan,
    .begin = fehlberg_begin,
    .attempt = fehlberg_attempt,
};

Pair pair_fehlberg(void) {
    return (Pair){
        .kind = &fehlberg,
        .stages = FEHLBERG_STAGES,
        .estimate = {1.0 / 360.0, 0.0, -128.0 / 4275.0, -2197.0 / 75240.0, 1.0 / 50.0, 2.0 / 55.0}};
}

Pair pair_dormand_prince(void) {
    return (Pair){.kind = tr_integrator_find("dopri5"),
                  .stages = 7,
                  .estimate = {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0,
                               -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0}};
}

// --- rules ---

static double relative_to_larger(const trTolerance *given, double x, double x_new) {
    return given->atol + given->rtol * fmax(fabs(x), fabs(x_new));
}

static double relative_to_signed_end(const trTolerance *given, double x, double x_new) {
    (void)x;
    return fmax(given->rtol * x_new, given->atol);
}

static double relative_to_signed_start(const trTolerance *given, double x, double x_new) {
    (void)x_new;
    return fmax(given->rtol * x, given->atol);
}

StepRule rule_plain(void) {
    return (StepRule){.tolerance = relative_to_larger, .safety = 0.9, .shrink = 0.2, .grow = 5.0};
}

StepRule rule_without_absolute(void) {
    return (StepRule){.tolerance = relative_to_signed_end, .safety = 0.8, .grow = INFINITY};
}

StepRule rule_signed(void) {
    return (StepRule){.tolerance = relative_to_signed_start,
                      .signed_error = true,
                      .safety = 0.8,
                      .grow = INFINITY};
}

// --- the run ---

// Slopes are kept as the integrator asks for them: their weighted sum is the error with its sign,
// of which an attempt tells the size alone.
typedef struct Drive {
    trSim          *sim;
    const Pair     *pair;
    const StepRule *rule;
    trTolerance     tolerance;
    trOde           ode;
    void           *work;
    int             asked;                    // slopes so far
    double          k[STAGES_ROOM][NX_ROOM];  // the slopes of an attempt
    double          x[NX_ROOM], x_new[NX_ROOM];
    double          t, h;  // [s]
} Drive;

static trStatus keep_slope(void *context, double t, const double *x, double *xdot) {
    Drive *d = context;
    TR_TRY(d->sim->ode.rhs(d->sim->ode.context, t, x, xdot));
    assert_true(d->asked < d->pair->stages);
    memcpy(d->k[d->asked++], xdot, (size_t)d->ode.nx * sizeof *xdot);
    return TR_OK;
}

// Positions and velocities count, the work of forces does not.
static trStatus prepare(Drive *d, trArena *arena) {
    const trSim      *s = d->sim;
    const trTolerance plain = {.rtol = 0.0, .atol = 1.0};
    assert_true(s->nx <= NX_ROOM && s->nz == 0);
    d->ode = (trOde){.nx = s->nx, .nerror = s->nq + s->nv, .context = d, .rhs = keep_slope};
    d->tolerance = (trTolerance){s->def.rtol, s->def.atol};
    memcpy(d->x, s->x, (size_t)s->nx * sizeof *s->x);
    d->t = s->def.start;
    d->h = s->def.step;
    TR_TRY(d->pair->kind->plan(arena, s->nx, &plain, &d->work));
    return d->pair->kind->begin(d->work, &d->ode, d->t, d->x);
}

// The largest error / tolerance. A rule that keeps signs takes errors below zero as rounding.
static double judge(const Drive *d, double h, double size) {
    double most = 0.0, sum = 0.0;
    for (int i = 0; i < d->ode.nerror; i++) {
        double e = 0.0;
        for (int j = 0; j < d->pair->stages; j++) {
            e += d->pair->estimate[j] * d->k[j][i];
        }
        e *= h;
        sum += e * e;
        e = d->rule->signed_error ? fmax(e, DBL_EPSILON) : fabs(e);
        most = fmax(most, e / d->rule->tolerance(&d->tolerance, d->x[i], d->x_new[i]));
    }
    if (d->pair->kind != &fehlberg) {  // the library's own estimate, a mean with atol = 1
        double mean = sqrt(sum / d->ode.nerror);
        assert_true(fabs(mean - size) <= 1e-12 * size);
    }
    return most;
}

static trStatus accept(Drive *d, double h) {
    trSim *s = d->sim;
    d->t += h;
    memcpy(d->x, d->x_new, sizeof d->x);
    if (s->methods.step != NULL) {
        TR_TRY(tr_project(s->methods.step, &s->methods.manifold, d->t, d->x, d->x + s->nq, NULL));
    }
    d->asked = 0;
    return d->pair->kind->begin(d->work, &d->ode, d->t, d->x);
}

static trStatus steps(Drive *d, double (*measure)(const double *x), double bound, Tally *out) {
    const StepRule *rule = d->rule;
    const trSimDef *def = &d->sim->def;
    const double    end = def->start + def->duration;
    for (int i = 0; d->t < end * (1.0 - 1e-14) && out->most <= bound; i++) {
        double h = fmin(d->h, end - d->t), size = 0.0;
        if (i == MAX_ATTEMPTS) {
            return TR_NO_CONVERGENCE;
        }
        d->asked = 1;
        TR_TRY(d->pair->kind->attempt(d->work, &d->ode, d->t, h, d->x, d->x_new, &size));
        double error = judge(d, h, size);
        double factor = rule->safety * pow(error, -1.0 / ORDER_OF_ERROR);
        d->h = fmin(def->max_step, h * fmin(rule->grow, fmax(rule->shrink, factor)));
        if (error <= 1.0) {
            TR_TRY(accept(d, h));
            out->accepted++;
            out->longest = fmax(out->longest, h);
            out->last = measure(d->x);
            out->most = fmax(out->most, fabs(out->last));
        } else {
            out->rejected++;
        }
    }
    return TR_OK;
}

trStatus drive(trSim *sim, const Pair *pair, const StepRule *rule,
               double (*measure)(const double *x), double bound, Tally *out) {
    Drive    d = {.sim = sim, .pair = pair, .rule = rule};
    trArena *arena = tr_arena_create();
    assert_non_null(arena);
    *out = (Tally){0};
    trStatus status = prepare(&d, arena);
    status = status == TR_OK ? steps(&d, measure, bound, out) : status;
    tr_arena_destroy(arena);
    return status;
}
