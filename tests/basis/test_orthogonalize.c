// SPDX-License-Identifier: MIT
// Vectors that are added one by one become orthonormal to rounding, also where they nearly lie in
// the span of those before: parts along these are removed twice.

#include <float.h>
#include <math.h>

#include "basis/orthogonalize.h"
#include "support/random.h"
#include "support/test.h"

#define N 7

static void assert_orthonormal(const trOrthogonal *o, const char *what) {
    for (int i = 0; i < o->count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < N; k++) {
                sum += o->V[i * N + k] * o->V[j * N + k];
            }
            if (!(fabs(sum) <= 4.0 * N * DBL_EPSILON)) {
                fail_msg("%s: columns %d and %d are off by %.3g", what, i, j, sum);
            }
        }
    }
}

static void nearly_dependent_vectors_become_orthonormal(void **state) {
    for (double apart = 1.0; apart > 1e-9; apart *= 0.03) {
        trRandom     random = {11};
        trOrthogonal o;
        trArena     *arena = tr_arena_create();
        tr_orthogonal_plan(arena, N, 1, &o);
        double x[N] = {0.0};
        for (int k = 0; k < 5; k++) {
            for (int i = 0; i < N; i++) {
                x[i] = k == 0 ? random_real(&random) : x[i] + apart * random_real(&random);
            }
            assert_true(tr_orthogonal_add(&o, x, 1e-3 * apart));
        }
        assert_orthonormal(&o, "added");
        assert_false(tr_orthogonal_add(&o, x, 1e-12));  // the last one again
        tr_orthogonal_complete(&o);
        assert_int_equal(o.count, N);
        assert_orthonormal(&o, "completed");
        assert_false(tr_orthogonal_add(&o, x, 0.0));  // there is no room for more
        tr_arena_destroy(arena);
    }
}

// Rows are taken by the size of what is left of them, until that is below the threshold.
static void rows_become_orthonormal_as_far_as_they_are_independent(void **state) {
    for (double apart = 1.0; apart > 1e-9; apart *= 0.03) {
        trRandom     random = {12};
        trOrthogonal o;
        double       A[3 * N];
        trArena     *arena = tr_arena_create();
        tr_orthogonal_plan(arena, N, 3, &o);
        for (int j = 0; j < N; j++) {
            A[3 * j] = random_real(&random);
            A[3 * j + 1] = A[3 * j] + apart * random_real(&random);
            A[3 * j + 2] = 0.5 * (A[3 * j] + A[3 * j + 1]);
        }
        tr_orthogonal_rows(&o, A, 1e-3 * apart);
        assert_int_equal(o.count, 2);
        assert_orthonormal(&o, "rows");
        tr_arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_dependent_vectors_become_orthonormal),
        cmocka_unit_test(rows_become_orthonormal_as_far_as_they_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
