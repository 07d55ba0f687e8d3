// SPDX-License-Identifier: MIT
#include "integrator/sundials_ode.h"

#include <math.h>
#include <string.h>

// A number that does not count, the work W, must have some weight: iterations divide by it.
#define LEAST_WEIGHT 1e-6
#define LEAST_RTOL 1e-14  // that the libraries can be asked for
#define VERY_FAR 1e300    // [s]

// The library's norm is that of all nx numbers together. A number of a group of n is multiplied by
// sqrt(nx / n): the squares of one group then have the sum that its own mean square has.
static void plan_weights(const trOde *ode, double sharper, double *count) {
    for (int i = 0; i < ode->nx; i++) {
        count[i] = LEAST_WEIGHT;
    }
    for (int g = 0; g < tr_error_groups(ode); g++) {
        trErrorGroup group = tr_error_group(ode, g);
        double       factor = sharper * sqrt((double)ode->nx / group.count);
        for (int k = 0; k < group.count; k++) {
            int    i = tr_error_component(&group, k);
            double weight = ode->weight == NULL ? 1.0 : ode->weight[i];
            count[i] = fmax(LEAST_WEIGHT, factor * weight);
        }
    }
}

// What a call at t means. Numerical trouble that the library cannot overcome stays positive.
static trStatus end(const trSundialsOde *s, int flag, double t) {
    return tr_sundials_status(&s->base, s->name, flag, t);
}

int tr_sundials_ode_start(trSundialsOde *s, double t, const double *x, double first) {
    trIntegratorCounts since = s->library->count(s);
    s->counts.iterations += since.iterations;
    s->counts.rejected += since.rejected;
    memmove(N_VGetArrayPointer(s->y), x, (size_t)s->ode->nx * sizeof *x);
    s->fresh = true;
    return s->library->start(s, t, first);
}

static trStatus start_again(void *work) {
    trSundialsOde *s = work;
    return end(s, tr_sundials_ode_start(s, s->start_t, s->start, s->start_step), s->start_t);
}

static void keep(trArena *arena, int nx, trSundialsOde *s) {
    s->start = tr_new_array(arena, double, nx);
    tr_keep_double(arena, &s->start_t);
    tr_keep_double(arena, &s->start_step);
    tr_keep_double(arena, &s->first);
    tr_keep_bool(arena, &s->fresh);
    tr_keep_double(arena, &s->gamma);
    tr_integrator_keep_counts(arena, &s->counts);
    tr_keep_remake(arena, start_again, s);
}

trStatus tr_sundials_ode_plan(trArena *arena, const trOde *ode,
                              const trIntegratorSettings *settings, double sharper,
                              trSundialsOde *s) {
    s->name = settings->kind->name;
    s->ode = ode;
    s->tolerance = settings->tolerance;
    s->first = settings->step;
    s->max_step = settings->max_step;
    keep(arena, ode->nx, s);
    TR_TRY(tr_sundials_plan(arena, &s->base));
    double *count = tr_new_array(arena, double, ode->nx);
    s->y = tr_sundials_vector(arena, &s->base, ode->nx);
    s->row = tr_sundials_vector(arena, &s->base, ode->nx);
    if (s->y == NULL || s->row == NULL) {
        return tr_fail(TR_E_MEMORY, "SUNDIALS has no memory for a state");
    }
    TR_TRY(tr_arena_status(arena));
    double most = fmax(1.0, settings->tolerance.rtol / LEAST_RTOL);
    plan_weights(ode, fmin(sharper, most), count);
    s->count = count;
    return TR_OK;
}

int tr_sundials_ode_rhs(sunrealtype t, N_Vector x, N_Vector xdot, void *data) {
    trSundialsOde *s = data;
    return tr_sundials_flag(
        &s->base, s->ode->rhs(s->ode->context, t, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot)));
}

int tr_sundials_ode_weights(N_Vector x, N_Vector weight, void *data) {
    const trSundialsOde *s = data;
    const double        *at = N_VGetArrayPointer(x);
    double              *w = N_VGetArrayPointer(weight);
    for (int i = 0; i < s->ode->nx; i++) {
        w[i] = s->count[i] / (s->tolerance.atol + s->tolerance.rtol * fabs(at[i]));
        if (!isfinite(w[i])) {
            return -1;
        }
    }
    return 0;
}

// The parts of J are kept where the library says that they are still good.
int tr_sundials_ode_prepare(sunrealtype t, N_Vector x, N_Vector xdot, sunbooleantype keep,
                            sunbooleantype *renewed, sunrealtype gamma, void *data) {
    trSundialsOde *s = data;
    const double  *at = keep ? NULL : N_VGetArrayPointer(x);
    s->counts.jacobians += keep ? 0 : 1;
    s->counts.factorizations++;
    s->gamma = gamma;
    *renewed = keep ? SUNFALSE : SUNTRUE;
    return tr_sundials_flag(&s->base, s->ode->prepare(s->ode->context, t, at, gamma));
}

// Factors of another gamma are replaced: no evaluation is needed.
// NOLINTNEXTLINE(readability-function-size): the parameters are those of the library.
int tr_sundials_ode_solve(sunrealtype t, N_Vector x, N_Vector xdot, N_Vector r, N_Vector y,
                          sunrealtype gamma, sunrealtype tolerance, int side, void *data) {
    trSundialsOde *s = data;
    double        *out = N_VGetArrayPointer(y);
    if (gamma != s->gamma) {
        trStatus status = s->ode->prepare(s->ode->context, t, NULL, gamma);
        s->counts.factorizations++;
        if (status != TR_OK) {
            return tr_sundials_flag(&s->base, status);
        }
        s->gamma = gamma;
    }
    memcpy(out, N_VGetArrayPointer(r), (size_t)s->ode->nx * sizeof *out);
    return tr_sundials_flag(&s->base, s->ode->solve(s->ode->context, out));
}

// Before calls of the library: nothing has failed yet.
static void begin(trSundialsOde *s, const trOde *ode) {
    s->ode = ode;
    tr_sundials_begin(&s->base);
}

trStatus tr_sundials_ode_restart(void *work, const trOde *ode, double t, const double *x) {
    trSundialsOde *s = work;
    begin(s, ode);
    memcpy(s->start, x, (size_t)ode->nx * sizeof *x);
    s->start_t = t;
    s->start_step = s->first;
    s->first = 0.0;  // only once
    return start_again(s);
}

trStatus tr_sundials_ode_step(void *work, const trOde *ode, double t, double *h, double *x_new) {
    trSundialsOde *s = work;
    double         stop = fmin(t + *h, VERY_FAR), reached = t;
    begin(s, ode);
    int flag =
        s->library->step(s, t, s->fresh ? fmin(stop, t + s->max_step) : stop, stop, &reached);
    TR_TRY(end(s, flag, t));
    s->fresh = false;
    memcpy(x_new, N_VGetArrayPointer(s->y), (size_t)ode->nx * sizeof *x_new);
    if (flag != s->library->stopped) {
        *h = reached - t;
    }
    return TR_OK;
}

trStatus tr_sundials_ode_interpolate(void *work, double t, double *x) {
    trSundialsOde *s = work;
    int            flag = s->library->look(s, t);
    memcpy(x, N_VGetArrayPointer(s->row), (size_t)s->ode->nx * sizeof *x);
    return end(s, flag, t);
}

void tr_sundials_ode_count(const void *work, trIntegratorCounts *counts) {
    const trSundialsOde *s = work;
    trIntegratorCounts   since = s->library->count(s);
    *counts = s->counts;
    counts->iterations += since.iterations;
    counts->rejected += since.rejected;
}
