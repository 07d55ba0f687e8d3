// SPDX-License-Identifier: MIT
// Weights of rows beside masses, by their formula: weight_i = 1 / sum of A_ij^2 / mass_j, whatever
// the units of rows and masses.

#include <math.h>
#include <string.h>

#include "formulation/row_weights.h"
#include "support/test.h"

#define COLUMNS 4
#define ROWS 3

// Two groups: rows 0 and 1 touch columns 0 and 1, and 2 to 3; row 2 touches columns 1 to 3.
static const int group_row[] = {0, 2, 3}, group_side[] = {0, 2, 3}, column[] = {0, 2, 1},
                 width[] = {2, 2, 3}, at[] = {0, 4, 8};
static const double entries[11] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0};
static const double A[ROWS][COLUMNS] = {
    {1.0, 2.0, 5.0, 6.0}, {3.0, 4.0, 7.0, 8.0}, {0.0, 9.0, 10.0, 11.0}};
static const double masses[COLUMNS] = {2.0, 0.5, 3.0, 7.0};

static trEquations equations(const double *value, const double *mass) {
    return (trEquations){.nv = COLUMNS,
                         .m = ROWS,
                         .M = {.n = COLUMNS, .diagonal = mass},
                         .A = {ROWS, COLUMNS, 2, group_row, group_side, column, width, at, value}};
}

static double mobility(int row, const double *mass) {
    double sum = 0.0;
    for (int j = 0; j < COLUMNS; j++) {
        sum += A[row][j] * A[row][j] / mass[j];
    }
    return sum;
}

static void assert_near(const char *what, int i, double x, double y) {
    if (!(fabs(x - y) <= 1e-14 * fabs(y))) {
        fail_msg("%s %d is %.17g, should be %.17g", what, i, x, y);
    }
}

// Rows times anything, in any units of mass: each weight is that of its own row.
static void weights_are_inverse_mobilities_at_every_scale(void **state) {
    static const double scales[] = {1e-15, 1e-6, 1.0, 1e6, 1e15};
    for (int r = 0; r < 5; r++) {
        for (int u = 0; u < 5; u++) {
            double value[11], mass[COLUMNS], found[COLUMNS], weight[ROWS];
            for (int k = 0; k < 11; k++) {
                value[k] = scales[r] * entries[k];
            }
            for (int j = 0; j < COLUMNS; j++) {
                mass[j] = scales[u] * masses[j];
            }
            trEquations e = equations(value, mass);
            tr_row_weights(&e, found, weight);
            for (int i = 0; i < ROWS; i++) {
                double wanted = scales[u] / (scales[r] * scales[r] * mobility(i, masses));
                assert_near("weight", i, weight[i], wanted);
            }
            for (int j = 0; j < COLUMNS; j++) {
                assert_near("mass", j, found[j], mass[j]);
            }
        }
    }
}

// A row counts by its nominal norm where that is larger; one that never was anything has none.
static void rows_that_vanish_keep_their_nominal_weight(void **state) {
    const double nominal[ROWS] = {0.0, 0.0, 20.0};
    double       value[11], mass[COLUMNS], weight[ROWS];
    memcpy(value, entries, sizeof value);
    value[8] = value[9] = value[10] = 0.0;
    trEquations e = equations(value, masses);
    tr_row_weights(&e, mass, weight);
    assert_near("weight", 1, weight[1], 1.0 / mobility(1, masses));
    assert_true(weight[2] == 0.0);
    e.row_scale = nominal;
    tr_row_weights(&e, mass, weight);
    assert_near("weight", 0, weight[0], 1.0 / mobility(0, masses));
    assert_near("weight", 2, weight[2], 1.0 / 400.0);
}

// A column without mass gets the largest A_ij^2 weight_i of its rows, made from the other columns;
// one much lighter than the mean counts as a millionth of it.
static void columns_without_mass_move_rows_as_the_others_do(void **state) {
    const double light[COLUMNS] = {2.0, 0.0, 3.0, 7.0}, dust[COLUMNS] = {2.0, 1e-9, 3.0, 7.0};
    double       mass[COLUMNS], weight[ROWS], largest = 0.0, filled[COLUMNS];
    for (int i = 0; i < ROWS; i++) {
        double others = mobility(i, masses) - A[i][1] * A[i][1] / masses[1];
        largest = fmax(largest, A[i][1] * A[i][1] / others);
    }
    trEquations e = equations(entries, light);
    tr_row_weights(&e, mass, weight);
    memcpy(filled, light, sizeof filled);
    filled[1] = largest;
    assert_true(fabs(mass[1] - largest) <= 1e-13 * largest);
    for (int i = 0; i < ROWS; i++) {
        assert_true(fabs(weight[i] * mobility(i, filled) - 1.0) <= 1e-13);
    }
    e = equations(entries, dust);
    tr_row_weights(&e, mass, weight);
    filled[1] = 1e-6 * (2.0 + 1e-9 + 3.0 + 7.0) / 4.0;
    assert_near("mass", 1, mass[1], filled[1]);
    assert_near("weight", 2, weight[2], 1.0 / mobility(2, filled));
}

// One that the others nearly leave alone in this pose has their mean mass, and so has one in no
// row.
static void columns_without_mass_have_the_mean_at_most(void **state) {
    static const double alone[] = {0.0, 1e-6};
    const double        light[COLUMNS] = {2.0, 0.0, 3.0, 7.0};
    for (int k = 0; k < 3; k++) {
        double value[11], mass[COLUMNS], weight[ROWS];
        memcpy(value, entries, sizeof value);
        value[1] = value[3] = 0.0;
        value[8] = k == 2 ? 0.0 : 9.0;
        value[9] = value[10] = alone[k % 2];
        trEquations e = equations(value, light);
        tr_row_weights(&e, mass, weight);
        assert_near("mass", 1, mass[1], 4.0);
    }
}

// Where M is not diagonal, all columns have the mean of its diagonal.
static void masses_that_are_coupled_count_as_their_mean(void **state) {
    double       dense[COLUMNS * COLUMNS] = {0.0}, mass[COLUMNS], weight[ROWS];
    const double mean[COLUMNS] = {3.125, 3.125, 3.125, 3.125};
    for (int j = 0; j < COLUMNS; j++) {
        dense[j * (COLUMNS + 1)] = masses[j];
    }
    trEquations e = equations(entries, NULL);
    e.M.dense = dense;
    tr_row_weights(&e, mass, weight);
    assert_near("weight", 0, weight[0], 1.0 / mobility(0, masses));
    dense[1] = dense[COLUMNS] = 0.1;
    tr_row_weights(&e, mass, weight);
    for (int i = 0; i < ROWS; i++) {
        assert_near("weight", i, weight[i], 1.0 / mobility(i, mean));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_inverse_mobilities_at_every_scale),
        cmocka_unit_test(rows_that_vanish_keep_their_nominal_weight),
        cmocka_unit_test(columns_without_mass_move_rows_as_the_others_do),
        cmocka_unit_test(columns_without_mass_have_the_mean_at_most),
        cmocka_unit_test(masses_that_are_coupled_count_as_their_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
