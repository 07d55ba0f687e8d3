// SPDX-License-Identifier: MIT

#include <math.h>

#include "la/semidefinite.h"
#include "support/test.h"

#define N 4

// S = G W G' with W = [2 1 0; -1 3 0.5; 0 -0.5 1], whose symmetric part is positive, and the last
// row of G the sum of the first two.
static void fill(trSemidefinite *s, double G[N][3]) {
    static const double W[3][3] = {{2.0, 1.0, 0.0}, {-1.0, 3.0, 0.5}, {0.0, -0.5, 1.0}};
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) {
                for (int l = 0; l < 3; l++) {
                    sum += G[i][k] * W[k][l] * G[j][l];
                }
            }
            s->S[N * i + j] = sum;
            s->nominal[i] = i == j ? sum : s->nominal[i];
        }
    }
}

// Rows that are kept are solved, whether S is symmetric or not, and the dependent one holds with
// them if the right side is possible.
static void unsymmetric_and_redundant(void **state) {
    trArena       *arena = tr_arena_create();
    trSemidefinite s;
    double         G[N][3] = {{1.0, 0.2, 0.0}, {0.0, 1.0, -0.3}, {0.5, 0.0, 1.0}, {1.0, 1.2, -0.3}};
    const double   z[N] = {1.0, -2.0, 0.5, 0.7};
    double         right[N], x[N];
    int            dropped = 0;
    tr_semidefinite_plan(arena, N, &s);
    assert_int_equal(tr_arena_status(arena), TR_OK);
    fill(&s, G);
    for (int i = 0; i < N; i++) {
        right[i] = 0.0;
        for (int j = 0; j < N; j++) {
            right[i] += s.S[N * i + j] * z[j];
        }
    }
    tr_semidefinite_factor(&s, 1e-4);
    assert_int_equal(s.rank, 3);
    tr_semidefinite_solve(&s, right, x);
    for (int i = 0; i < N; i++) {
        double rest = right[i];
        for (int j = 0; j < N; j++) {
            rest -= s.S[N * i + j] * x[j];
        }
        assert_true(fabs(rest) < 1e-14);  // numbers are of order 1 to 10
        dropped += tr_semidefinite_dropped(&s, i);
        assert_true(!tr_semidefinite_dropped(&s, i) || x[i] == 0.0);
    }
    assert_int_equal(dropped, 1);
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(unsymmetric_and_redundant)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
