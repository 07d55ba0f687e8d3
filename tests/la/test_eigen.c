// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of matrices without structure.

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "la/eigen.h"
#include "support/random.h"
#include "support/test.h"

#define N 7

// X v = s v for every pair, real or complex, to some units in the last place of the entries.
static void vectors_belong_to_values(void **state) {
    trArena *arena = tr_arena_create();
    trEigen  eigen;
    double   X[N * N], pairs = 0.0;
    trRandom random = {7};
    tr_eigen_plan(arena, N, &eigen);
    for (int i = 0; i < N * N; i++) {
        X[i] = random_real(&random);
    }
    memcpy(eigen.X, X, sizeof X);
    assert_int_equal(tr_eigen_factor(&eigen), TR_OK);
    for (int k = 0; k < N; k++) {
        bool          pair = eigen.im[k] != 0.0;
        const double *v = eigen.V + (ptrdiff_t)k * N, *w = v + N;
        for (int i = 0; i < N; i++) {
            double re = -eigen.re[k] * v[i], im = 0.0;
            for (int j = 0; j < N; j++) {
                re += X[i + N * j] * v[j];
                im += pair ? X[i + N * j] * w[j] : 0.0;
            }
            re += pair ? eigen.im[k] * w[i] : 0.0;
            im -= pair ? eigen.re[k] * w[i] + eigen.im[k] * v[i] : 0.0;
            assert_true(fabs(re) < 1e-13 && fabs(im) < 1e-13);
        }
        assert_true(!pair || (eigen.im[k] > 0.0 && eigen.im[k + 1] == -eigen.im[k]));
        pairs += pair;
        k += pair;
    }
    assert_true(pairs > 0.0 && 2.0 * pairs < N);  // both kinds were there
    tr_arena_destroy(arena);
}

static void what_is_no_number_is_refused(void **state) {
    trArena *arena = tr_arena_create();
    trEigen  eigen;
    tr_eigen_plan(arena, 2, &eigen);
    eigen.X[1] = NAN;
    assert_int_equal(tr_eigen_factor(&eigen), TR_NO_CONVERGENCE);
    tr_eigen_plan(arena, 0, &eigen);
    assert_int_equal(tr_eigen_factor(&eigen), TR_OK);
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_belong_to_values),
        cmocka_unit_test(what_is_no_number_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
