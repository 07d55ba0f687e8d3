// SPDX-License-Identifier: MIT
// The numbers of Radau IIA belong together: T makes blocks of A^-1, A satisfies the conditions of
// order 5 with nodes c, and the error estimate has the order that step control counts on.

#include <math.h>

#include "integrator/radau5_tableau.h"
#include "support/test.h"

// Constants have 20 digits; sums of three products round by a few DBL_EPSILON of at most 50.
#define SAME 1e-13

// Matrices row after row.
static void multiply(const double *a, const double *b, double *out) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

static void assert_same(const char *what, const double *a, const double *b) {
    for (int i = 0; i < 9; i++) {
        if (!(fabs(a[i] - b[i]) <= SAME)) {
            fail_msg("%s, entry %d: %.17g, should be %.17g", what, i, a[i], b[i]);
        }
    }
}

static void the_transformation_makes_blocks(void **state) {
    static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double        blocks[9] = {radau_gamma, 0.0, 0.0,        0.0,        radau_alpha,
                                     -radau_beta, 0.0, radau_beta, radau_alpha};
    double              product[9], left[9];
    multiply(radau_T[0], radau_T_inverse[0], product);
    assert_same("T T^-1", product, one);
    multiply(radau_T_inverse[0], radau_inverse[0], left);
    multiply(left, radau_T[0], product);
    assert_same("T^-1 A^-1 T", product, blocks);
}

// A c^(k-1) = c^k / k, written with A^-1.
static void the_stages_have_order_three(void **state) {
    for (int k = 1; k <= 3; k++) {
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int j = 0; j < 3; j++) {
                sum += radau_inverse[i][j] * pow(radau_c[j], k) / k;
            }
            if (!(fabs(sum - pow(radau_c[i], k - 1)) <= SAME)) {
                fail_msg("stage %d, power %d: %.17g", i, k, sum);
            }
        }
    }
}

// err = gamma0 h y'_n + sum of e_i z_i with gamma0 = 1 / radau_gamma vanishes for y = t, t^2 and
// t^3; z_i = y(c_i h) - y(0). Here everything is multiplied with radau_gamma.
static void the_error_estimate_vanishes_up_to_order_three(void **state) {
    for (int k = 1; k <= 3; k++) {
        double sum = k == 1 ? 1.0 : 0.0;
        for (int i = 0; i < 3; i++) {
            sum += radau_e[i] * pow(radau_c[i], k);
        }
        if (!(fabs(sum) <= SAME)) {
            fail_msg("power %d: %.17g", k, sum);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_transformation_makes_blocks),
        cmocka_unit_test(the_stages_have_order_three),
        cmocka_unit_test(the_error_estimate_vanishes_up_to_order_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
