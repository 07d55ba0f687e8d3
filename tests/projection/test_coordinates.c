// SPDX-License-Identifier: MIT
// Independent coordinates in the metric of the masses: N of two links in any unit, and sets that
// are nearly the best.

#include <math.h>

#include "projection/coordinates.h"
#include "support/test.h"

#define N_LINKS 6

// Two links stretched along x, (x, y, angle) each, with `L` units of length to the meter: free are
// the turns of the first link with the second, and of the second.
static void links(double L, double G[2 * N_LINKS]) {
    const double mass[N_LINKS] = {2.0, 2.0, 0.3 * L * L, 1.0, 1.0, 0.2 * L * L};
    const double turn[2][N_LINKS] = {{0.0, 0.5 * L, 1.0, 0.0, L, 0.0},
                                     {0.0, 0.0, 0.0, 0.0, 0.5 * L, 1.0}};
    for (int k = 0; k < 2; k++) {
        double along = 0.0, sum = 0.0, *column = G + k * N_LINKS;
        for (int i = 0; i < N_LINKS; i++) {
            column[i] = sqrt(mass[i]) * turn[k][i];
            along += k == 1 ? G[i] * column[i] : 0.0;
        }
        for (int i = 0; i < N_LINKS; i++) {
            column[i] -= along * (k == 1 ? G[i] : 0.0);
            sum += column[i] * column[i];
        }
        for (int i = 0; i < N_LINKS; i++) {
            column[i] /= sqrt(sum);
        }
    }
}

// Values of an independent computation.
static void cosines_have_no_units(void **state) {
    static const double expected[N_LINKS] = {0.0, 0.401785714286, 0.241071428571,
                                             0.0, 0.714285714286, 0.642857142857};
    static const double units[] = {1.0, 1e3, 1e-3};
    for (int u = 0; u < 3; u++) {
        double G[2 * N_LINKS], N[N_LINKS * N_LINKS], memory[N_LINKS * N_LINKS];
        int    chosen[2];
        links(units[u], G);
        tr_coordinates_fill(N_LINKS, 2, G, N);
        for (int i = 0; i < N_LINKS; i++) {
            assert_true(fabs(N[i * (N_LINKS + 1)] - expected[i]) <= 1e-12);
        }
        tr_coordinates_choose(N_LINKS, 2, N, memory, chosen);
        assert_int_equal(chosen[0], 4);
        assert_int_equal(chosen[1], 5);
    }
}

// det N of two coordinates.
static double minor(const double *N, int i, int j) {
    return N[i * (N_LINKS + 1)] * N[j * (N_LINKS + 1)] - N[i * N_LINKS + j] * N[j * N_LINKS + i];
}

static void quality_is_the_logarithm_of_the_minor(void **state) {
    double G[2 * N_LINKS], N[N_LINKS * N_LINKS], memory[N_LINKS * N_LINKS], best = 0.0;
    int    chosen[2];
    links(1.0, G);
    tr_coordinates_fill(N_LINKS, 2, G, N);
    for (int i = 0; i < N_LINKS; i++) {
        for (int j = 0; j < i; j++) {
            double det = minor(N, i, j);
            double found = tr_coordinates_quality(N_LINKS, 2, N, memory, (const int[2]){i, j});
            // The place and the angle of the first link move together; along x nothing moves.
            assert_true(det <= 1e-12 ? found <= log(1e-12) : fabs(found - log(det)) <= 1e-12);
            best = fmax(best, det);
        }
    }
    double found = tr_coordinates_choose(N_LINKS, 2, N, memory, chosen);
    assert_true(fabs(found - log(minor(N, chosen[0], chosen[1]))) <= 1e-12);
    assert_true(exp(found) >= best / 4.0);  // (k!)^2, the bound of pivoting
}

// Rounding must not choose between equals.
static void of_equals_the_first_is_chosen(void **state) {
    double N[9] = {0.5, 0.0, 0.0, 0.0, 0.5 + 1e-12, 0.0, 0.0, 0.0, 0.4}, memory[9];
    int    chosen[2];
    tr_coordinates_choose(3, 2, N, memory, chosen);
    assert_int_equal(chosen[0], 0);
    assert_int_equal(chosen[1], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cosines_have_no_units),
        cmocka_unit_test(quality_is_the_logarithm_of_the_minor),
        cmocka_unit_test(of_equals_the_first_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
