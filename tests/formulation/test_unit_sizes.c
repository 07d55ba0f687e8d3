// SPDX-License-Identifier: MIT
// Sizes of velocities with different units: the median arm of rows, or what masses tell.

#include <math.h>

#include "formulation/unit_sizes.h"
#include "support/test.h"

#define COLUMNS 6
#define ROWS 3

// Two planar bodies; a row each holds the first, the second, and both.
static const int measure[COLUMNS] = {1, 1, 2, 1, 1, 2};
static const int group_row[] = {0, 1, 2, 3}, group_side[] = {0, 1, 2, 4}, column[] = {0, 3, 0, 3},
                 width[] = {3, 3, 3, 3}, at[] = {0, 3, 6, 9};
static const double mass[COLUMNS] = {2.0, 2.0, 8.0, 4.0, 4.0, 19.0};

// The arms of the rows; 0 leaves a row without one.
static void sizes_of(const double arm[ROWS], double unit, double *size) {
    double value[12] = {0.0}, work[ROWS], scaled[COLUMNS];
    for (int i = 0; i < ROWS; i++) {
        value[3 * i] = -0.6;
        value[3 * i + 1] = 0.8;
        value[3 * i + 2] = unit * arm[i];
    }
    for (int j = 0; j < COLUMNS; j++) {
        scaled[j] = mass[j] * (measure[j] == 2 ? unit * unit : 1.0);
    }
    const trEquations e = {
        .nv = COLUMNS,
        .m = ROWS,
        .M = {.n = COLUMNS, .diagonal = scaled},
        .A = {ROWS, COLUMNS, 3, group_row, group_side, column, width, at, value},
        .measure = measure,
    };
    tr_unit_sizes(&e, size, work);
}

static void assert_size(const double arm[ROWS], double expected) {
    static const double units[] = {1e-6, 1e-3, 1.0, 1e3, 1e6};
    for (int k = 0; k < 5; k++) {
        double size[COLUMNS];
        sizes_of(arm, units[k], size);
        for (int j = 0; j < COLUMNS; j++) {
            double wanted = measure[j] == 2 ? units[k] * expected : 1.0;
            if (!(fabs(size[j] - wanted) <= 1e-14 * wanted)) {
                fail_msg("size %d is %.17g, should be %.17g", j, size[j], wanted);
            }
        }
    }
}

static void turns_have_the_size_of_the_median_arm(void **state) {
    assert_size((const double[]){0.5, 3.0, 2.0}, 2.0);
    assert_size((const double[]){0.5, 1e16, 2.0}, 2.0);   // one beyond bounds
    assert_size((const double[]){1e-17, 3.0, 2.0}, 2.0);  // one that rounding has left
    assert_size((const double[]){0.0, 3.0, 1e-17}, 3.0);  // none, and one that rounding has left
}

static void without_arms_masses_tell(void **state) {
    assert_size((const double[]){0.0, 0.0, 0.0}, sqrt(13.5 / 3.0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_have_the_size_of_the_median_arm),
        cmocka_unit_test(without_arms_masses_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
