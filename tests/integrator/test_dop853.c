// SPDX-License-Identifier: MIT
// The error estimate of dop853 as documented. For x' = f(t) the stages are f at known times, so
// that the estimate can be computed from the published coefficients alone:
//
//     e5 = sum_j er_j f(t + c_j h),   e3 = sum_j (b_j - bhh_j) f(t + c_j h)
//     error = |h| |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2)
//     |e|^2 = mean over the counted components of (e_i / (atol + rtol max(|x_i|, |x_new_i|)))^2

#include <math.h>

#include "integrator/integrator.h"
#include "support/test.h"

#define NX 4
#define COUNTED 3
#define NODES 8

// The coefficients of stages 1 and 6 to 12, which alone enter.
static const double node[NODES] = {0.0,           1.0 / 3.0, 0.25,      4.0 / 13.0,
                                   127.0 / 195.0, 0.6,       6.0 / 7.0, 1.0};
static const double er[NODES] = {
    0.1312004499419488073250102996e-01,  -0.1225156446376204440720569753e+01,
    -0.4957589496572501915214079952e+00, 0.1664377182454986536961530415e+01,
    -0.3503288487499736816886487290e+00, 0.3341791187130174790297318841e+00,
    0.8192320648511571246570742613e-01,  -0.2235530786388629525884427845e-01};
static const double b[NODES] = {
    5.42937341165687622380535766363e-2, 4.45031289275240888144113950566e0,
    1.89151789931450038304281599044e0,  -5.8012039600105847814672114227e0,
    3.1116436695781989440891606237e-1,  -1.52160949662516078556178806805e-1,
    2.01365400804030348374776537501e-1, 4.47106157277725905176885569043e-2};
static const double bhh[NODES] = {
    0.244094488188976377952755905512, 0.0, 0.0, 0.0,
    0.733846688281611857341361741547, 0.0, 0.0, 0.220588235294117647058823529412e-01};

static double rate(int i, double t) {
    return (1.0 + 4.0 * i) * exp(-(1.0 + 0.3 * i) * t) - (i == 2 ? 40.0 : 0.0);
}

static trStatus rates(void *context, double t, const double *x, double *xdot) {
    (void)context;
    (void)x;
    for (int i = 0; i < NX; i++) {
        xdot[i] = rate(i, t);
    }
    return TR_OK;
}

static double expected_error(double t, double h, const double *x, const double *x_new,
                             const trTolerance *tolerance) {
    double mean5 = 0.0, mean3 = 0.0;
    for (int i = 0; i < COUNTED; i++) {
        double e5 = 0.0, e3 = 0.0;
        double scale = tolerance->atol + tolerance->rtol * fmax(fabs(x[i]), fabs(x_new[i]));
        for (int j = 0; j < NODES; j++) {
            e5 += er[j] * rate(i, t + node[j] * h);
            e3 += (b[j] - bhh[j]) * rate(i, t + node[j] * h);
        }
        mean5 += e5 * e5 / (scale * scale) / COUNTED;
        mean3 += e3 * e3 / (scale * scale) / COUNTED;
    }
    return fabs(h) * mean5 / sqrt(mean5 + 0.01 * mean3);
}

// Components grow, shrink, and are negative; scales are mostly relative, then mostly absolute. Sums
// of a few rates cancel to about 1e-4 of them, so that 1e-10 of the estimate is rounding.
static void the_error_estimate_is_the_documented_number(void **state) {
    static const trTolerance tolerances[] = {{1e-3, 1e-6}, {1e-6, 1e-2}, {1e-2, 1e-2}};
    const trIntegratorKind  *kind = tr_integrator_find("dop853");
    const double             x[NX] = {0.02, -3.0, 30.0, 1.0};
    for (int k = 0; k < 3; k++) {
        const trOde ode = {.nx = NX, .nerror = COUNTED, .rhs = rates};
        trArena    *arena = tr_arena_create();
        void       *work = NULL;
        double      x_new[NX], error = 0.0, t = 0.3, h = 1.3;
        assert_int_equal(kind->plan(arena, NX, &tolerances[k], &work), TR_OK);
        assert_int_equal(kind->begin(work, &ode, t, x), TR_OK);
        assert_int_equal(kind->attempt(work, &ode, t, h, x, x_new, &error), TR_OK);
        assert_true(fabs(x_new[0]) > 2.0 * fabs(x[0]));  // so that |x| and |x_new| both count
        assert_true(fabs(x_new[1]) < 0.9 * fabs(x[1]));
        double wanted = expected_error(t, h, x, x_new, &tolerances[k]);
        if (!(wanted > 0.0) || !(fabs(error - wanted) <= 1e-10 * wanted)) {
            fail_msg("%.15g is not %.15g", error, wanted);
        }
        tr_arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_estimate_is_the_documented_number),
    };
    return cmocka_run_group_tests_name("dop853", tests, NULL, NULL);
}
