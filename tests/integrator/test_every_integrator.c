// SPDX-License-Identifier: MIT
// What every integrator owes: its order, an error estimate and an interpolation that behave as
// claimed, a start that is left alone, no heap request, the same bits every time.
//
// The problem is the Kepler orbit of eccentricity 0.3, which is nonlinear and has a closed form:
//     r'' = -r / |r|^3,   r = (cos E - e, sqrt(1 - e^2) sin E),   t = E - e sin E
// Its state is observed from a moving place, x = (r, r') + 0.2 sin(2 t) (1, 1, 1, 1), so that the
// right side depends on time, too.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrator/explicit.h"
#include "support/allocations.h"
#include "support/test.h"

#define NX 4
#define ECCENTRICITY 0.3

static trStatus kepler(void *context, double t, const double *x, double *xdot) {
    double place = 0.2 * sin(2.0 * t), motion = 0.4 * cos(2.0 * t);
    double r[2] = {x[0] - place, x[1] - place};
    double cube = pow(r[0] * r[0] + r[1] * r[1], 1.5);
    xdot[0] = x[2] - place + motion;
    xdot[1] = x[3] - place + motion;
    xdot[2] = -r[0] / cube + motion;
    xdot[3] = -r[1] / cube + motion;
    (*(long *)context)++;
    return TR_OK;
}

static void exact(double t, double *x) {
    const double e = ECCENTRICITY, b = sqrt(1.0 - e * e), place = 0.2 * sin(2.0 * t);
    double       E = t;
    for (int i = 0; i < 50; i++) {
        E -= (E - e * sin(E) - t) / (1.0 - e * cos(E));
    }
    double rate = 1.0 / (1.0 - e * cos(E));
    x[0] = cos(E) - e + place;
    x[1] = b * sin(E) + place;
    x[2] = -sin(E) * rate + place;
    x[3] = b * cos(E) * rate + place;
}

static double distance(const double *x, const double *y) {
    double largest = 0.0;
    for (int i = 0; i < NX; i++) {
        largest = fmax(largest, fabs(x[i] - y[i]));
    }
    return largest;
}

typedef struct Run {
    const trIntegratorKind *kind;
    trArena                *arena;
    void                   *work;
    long                    evaluations;
    trOde                   ode;
    double                  x[NX], x_new[NX], error;
} Run;

// atol = 1 and rtol = 0 make the error norm that of the plain error. The run must not move: the
// equation points into it.
static void start(Run *run, const trIntegratorKind *kind, double t) {
    const trTolerance tolerance = {.rtol = 0.0, .atol = 1.0};
    *run = (Run){.kind = kind, .arena = tr_arena_create()};
    run->ode = (trOde){.nx = NX, .nerror = NX, .context = &run->evaluations, .rhs = kepler};
    assert_non_null(run->arena);
    assert_int_equal(kind->plan(run->arena, NX, &tolerance, &run->work), TR_OK);
    tr_arena_seal(run->arena);
    exact(t, run->x);
}

static void one_step(Run *run, double t, double h) {
    assert_int_equal(run->kind->begin(run->work, &run->ode, t, run->x), TR_OK);
    assert_int_equal(
        run->kind->attempt(run->work, &run->ode, t, h, run->x, run->x_new, &run->error), TR_OK);
}

static void finish(Run *run) {
    tr_arena_destroy(run->arena);
}

static double error_with(const trIntegratorKind *kind, double duration, int steps) {
    Run    run;
    double h = duration / steps, end[NX];
    start(&run, kind, 0.0);
    for (int i = 0; i < steps; i++) {
        one_step(&run, i * h, h);
        memcpy(run.x, run.x_new, sizeof run.x);
    }
    exact(duration, end);
    double error = distance(run.x, end);
    finish(&run);
    return error;
}

static void assert_rate(const trIntegratorKind *kind, const char *what, double coarse, double fine,
                        double expected, double within) {
    double rate = log2(coarse / fine);
    if (!(fabs(rate - expected) <= within)) {
        fail_msg("%s: %s falls from %g to %g, order %.3f instead of %g", kind->name, what, coarse,
                 fine, rate, expected);
    }
}

// The next term of the error expansion changes the measured order by a multiple of h. Methods of
// order 4 and 5 can take steps so small that 0.15 is enough; with order 8 the error reaches
// rounding (1e-15) before that: from 8 and 16 steps over 1 s it is 4e-11 and 2e-13, and 0.3 is
// allowed.
static void order_is_as_claimed(void **state) {
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        if (kind->order > 5) {
            assert_rate(kind, "the error", error_with(kind, 1.0, 8), error_with(kind, 1.0, 16),
                        kind->order, 0.3);
        } else {
            assert_rate(kind, "the error", error_with(kind, 2.0, 200), error_with(kind, 2.0, 400),
                        kind->order, 0.15);
        }
    }
}

static double estimate_with(const trIntegratorKind *kind, double h) {
    Run run;
    start(&run, kind, 1.0);
    one_step(&run, 1.0, h);
    finish(&run);
    return run.error;
}

static void error_estimate_behaves_as_claimed(void **state) {
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        if (kind->error_order == 0) {
            assert_true(estimate_with(kind, 0.1) == 0.0);
            continue;
        }
        double h = kind->error_order > 5 ? 0.1 : 0.02;
        assert_rate(kind, "the estimate", estimate_with(kind, h), estimate_with(kind, 0.5 * h),
                    kind->error_order, kind->error_order > 5 ? 0.3 : 0.15);
    }
}

// The estimate belongs to the result, too. It estimates a result of lower order and is a mean, not
// a maximum: at this step it is between a tenth and a thousand times the true error.
static void error_estimate_has_the_size_of_the_error(void **state) {
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        if (kind->error_order == 0) {
            continue;
        }
        Run    run;
        double h = 0.3, end[NX];
        start(&run, kind, 1.0);
        one_step(&run, 1.0, h);
        exact(1.0 + h, end);
        double error = distance(run.x_new, end);
        finish(&run);
        if (!(run.error > 0.1 * error && run.error < 1000.0 * error)) {
            fail_msg("%s: estimate %g, error %g", kind->name, run.error, error);
        }
    }
}

static double dense_error_with(const trIntegratorKind *kind, double h) {
    Run    run;
    double largest = 0.0, between[NX], truth[NX];
    start(&run, kind, 1.0);
    one_step(&run, 1.0, h);
    assert_int_equal(kind->prepare_dense(run.work, &run.ode, 1.0, h, run.x, run.x_new), TR_OK);
    for (int j = 1; j < 20; j++) {
        double theta = j / 20.0;
        kind->interpolate(run.work, h, theta, between);
        exact(1.0 + theta * h, truth);
        largest = fmax(largest, distance(between, truth));
    }
    finish(&run);
    return largest;
}

static void interpolation_order_is_as_claimed(void **state) {
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        double                  h = kind->dense_order > 5 ? 0.2 : 0.04;
        assert_rate(kind, "the interpolation error", dense_error_with(kind, h),
                    dense_error_with(kind, 0.5 * h), kind->dense_order,
                    kind->dense_order > 5 ? 0.3 : 0.15);
    }
}

static void interpolation_meets_both_ends_with_their_slopes(void **state) {
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        Run                     run;
        double                  h = 0.2, at[NX], near[NX], slope_end[NX];
        start(&run, kind, 0.5);
        one_step(&run, 0.5, h);
        assert_int_equal(kind->prepare_dense(run.work, &run.ode, 0.5, h, run.x, run.x_new), TR_OK);
        kepler(&run.evaluations, 0.5 + h, run.x_new, slope_end);

        // A difference over 1e-6 of the step: its own error is the second derivative times that.
        const double part = 1e-6;
        kind->interpolate(run.work, h, 0.0, at);
        kind->interpolate(run.work, h, part, near);
        for (int j = 0; j < NX; j++) {
            assert_true(fabs(at[j] - run.x[j]) <= 1e-15);
            assert_true(fabs((near[j] - at[j]) / (part * h) - kind->slope(run.work)[j]) < 1e-5);
        }
        kind->interpolate(run.work, h, 1.0, at);
        kind->interpolate(run.work, h, 1.0 - part, near);
        for (int j = 0; j < NX; j++) {
            assert_true(fabs(at[j] - run.x_new[j]) <= 4e-15);
            assert_true(fabs((at[j] - near[j]) / (part * h) - slope_end[j]) < 1e-5);
        }
        finish(&run);
    }
}

static void attempts_leave_the_start_alone_and_repeat_to_the_bit(void **state) {
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        Run                     run;
        double                  before[NX], first[NX], slope[NX], first_error;
        start(&run, kind, 2.0);
        memcpy(before, run.x, sizeof before);
        one_step(&run, 2.0, 0.1);
        memcpy(first, run.x_new, sizeof first);
        memcpy(slope, kind->slope(run.work), sizeof slope);
        first_error = run.error;

        // Another attempt of another length, its interpolation, then the first again.
        assert_int_equal(kind->attempt(run.work, &run.ode, 2.0, 0.37, run.x, run.x_new, &run.error),
                         TR_OK);
        assert_int_equal(kind->prepare_dense(run.work, &run.ode, 2.0, 0.37, run.x, run.x_new),
                         TR_OK);
        assert_true(memcmp(first, run.x_new, sizeof first) != 0);
        assert_int_equal(kind->attempt(run.work, &run.ode, 2.0, 0.1, run.x, run.x_new, &run.error),
                         TR_OK);
        assert_memory_equal(before, run.x, sizeof before);
        assert_memory_equal(first, run.x_new, sizeof first);
        assert_memory_equal(slope, kind->slope(run.work), sizeof slope);
        assert_true(first_error == run.error);
        finish(&run);
    }
}

static void steps_cost_the_evaluations_claimed_and_no_heap_request(void **state) {
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        Run                     run;
        start(&run, kind, 0.0);
        long before = allocations;
        for (int step = 0; step < 3; step++) {
            run.evaluations = 0;
            one_step(&run, 0.1 * step, 0.1);
            assert_int_equal(run.evaluations, kind->evaluations);
            assert_int_equal(
                kind->prepare_dense(run.work, &run.ode, 0.1 * step, 0.1, run.x, run.x_new), TR_OK);
            kind->interpolate(run.work, 0.1, 0.5, run.x);
        }
        assert_int_equal(allocations, before);
        finish(&run);
    }
}

static void a_result_that_is_not_finite_is_reported(void **state) {
    const trTolerance tolerance = {.rtol = 1e-6, .atol = 1e-6};
    double            rate = 1e300;
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        if (kind->error_order == 0) {
            continue;
        }
        const trOde ode = {.nx = 1, .nerror = 1, .context = &rate, .rhs = linear};
        trArena    *arena = tr_arena_create();
        void       *work = NULL;
        double      x = 1.0, x_new, error;
        assert_int_equal(kind->plan(arena, 1, &tolerance, &work), TR_OK);
        assert_int_equal(kind->begin(work, &ode, 0.0, &x), TR_OK);
        assert_int_equal(kind->attempt(work, &ode, 0.0, 1.0, &x, &x_new, &error), TR_NOT_FINITE);
        tr_arena_destroy(arena);
    }
}

static trStatus refuse(void *context, double t, const double *x, double *xdot) {
    int *left = context;
    (void)t;
    xdot[0] = x[0];
    return (*left)-- > 0 ? TR_OK : TR_SINGULAR;
}

static void failures_of_the_right_side_come_back(void **state) {
    const trTolerance tolerance = {.rtol = 1e-6, .atol = 1e-6};
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        for (int allowed = 0; allowed < kind->evaluations; allowed++) {
            int         left = allowed;
            const trOde ode = {.nx = 1, .nerror = 1, .context = &left, .rhs = refuse};
            trArena    *arena = tr_arena_create();
            void       *work = NULL;
            double      x = 1.0, x_new, error;
            assert_int_equal(kind->plan(arena, 1, &tolerance, &work), TR_OK);
            trStatus status = kind->begin(work, &ode, 0.0, &x);
            if (status == TR_OK) {
                status = kind->attempt(work, &ode, 0.0, 0.1, &x, &x_new, &error);
            }
            assert_int_equal(status, TR_SINGULAR);
            tr_arena_destroy(arena);
        }
    }
}

static void integrators_are_found_by_name(void **state) {
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        assert_ptr_equal(tr_integrator_find(kind->name), kind);
        assert_true(strlen(kind->summary) > 0 && strlen(kind->source) > 0);
    }
    assert_null(tr_integrator_find("euler"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_as_claimed),
        cmocka_unit_test(error_estimate_behaves_as_claimed),
        cmocka_unit_test(error_estimate_has_the_size_of_the_error),
        cmocka_unit_test(interpolation_order_is_as_claimed),
        cmocka_unit_test(interpolation_meets_both_ends_with_their_slopes),
        cmocka_unit_test(attempts_leave_the_start_alone_and_repeat_to_the_bit),
        cmocka_unit_test(steps_cost_the_evaluations_claimed_and_no_heap_request),
        cmocka_unit_test(a_result_that_is_not_finite_is_reported),
        cmocka_unit_test(failures_of_the_right_side_come_back),
        cmocka_unit_test(integrators_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
