// SPDX-License-Identifier: MIT
// Newton's method with a wrong matrix, accelerated. On a linear problem the iteration is GMRES:
// with a matrix that is wrong in d directions it ends after d + 2 corrections, however wrong.

#include <math.h>

#include "integrator/accelerate.h"
#include "support/random.h"
#include "support/test.h"

#define N 20

// The residual of (1 + sum_k u_k w_k') x = b; its matrix is taken for 1.
typedef struct Problem {
    double b[N], u[3][N], w[3][N], x[N];
    int    wrong;
} Problem;

static void residual(const Problem *p, double *f) {
    for (int i = 0; i < N; i++) {
        f[i] = p->b[i] - p->x[i];
    }
    for (int k = 0; k < p->wrong; k++) {
        double sum = 0.0;
        for (int i = 0; i < N; i++) {
            sum += p->w[k][i] * p->x[i];
        }
        for (int i = 0; i < N; i++) {
            f[i] -= sum * p->u[k][i];
        }
    }
}

static Problem choose(int wrong, double size, trRandom *random) {
    Problem p = {.wrong = wrong};
    for (int i = 0; i < N; i++) {
        p.b[i] = random_real(random) - 0.5;
        for (int k = 0; k < wrong; k++) {
            p.u[k][i] = size * (random_real(random) - 0.5);
            p.w[k][i] = random_real(random) - 0.5;
        }
    }
    return p;
}

static double norm(const double *x) {
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static double iterate(Problem *p, trAccelerator *a, int corrections) {
    double f[N];
    for (int k = 0; k < corrections; k++) {
        residual(p, f);
        if (a != NULL) {
            tr_accelerate(a, f);
        }
        for (int i = 0; i < N; i++) {
            p->x[i] += f[i];
        }
    }
    residual(p, f);
    return norm(f) / norm(p->b);
}

static void few_wrong_directions_are_found(void **state) {
    trRandom random = {3};
    trArena *arena = tr_arena_create();
    for (int wrong = 0; wrong <= 3; wrong++) {
        trAccelerator a;
        Problem       p = choose(wrong, 20.0, &random), plain = p;
        assert_int_equal(tr_accelerator_plan(arena, N, TR_ACCELERATE_DEPTH, &a), TR_OK);
        for (int i = 0; i < N; i++) {
            a.weight[i] = 1.0;
        }
        // Changes that are nearly dependent, up to 1e-3, lose three digits, the problem as many.
        assert_true(iterate(&p, &a, wrong + 2) <= 1e-9);
        assert_true(wrong == 0 || iterate(&plain, NULL, wrong + 2) > 1.0);
    }
    tr_arena_destroy(arena);
}

// What was learned serves the next problem with the same matrix, if it is of the same kind: steps
// are then known in the directions that count, and two corrections are enough.
static void what_was_learned_is_kept(void **state) {
    trRandom      random = {4};
    trArena      *arena = tr_arena_create();
    trAccelerator a;
    Problem       p = choose(2, 20.0, &random);
    assert_int_equal(tr_accelerator_plan(arena, N, TR_ACCELERATE_DEPTH, &a), TR_OK);
    for (int i = 0; i < N; i++) {
        a.weight[i] = 1.0;
    }
    iterate(&p, &a, 5);  // the fifth tells what the fourth has done
    for (int i = 0; i < N; i++) {
        p.b[i] *= 1.1;
    }
    Problem again = p;
    tr_accelerator_begin(&a);
    double learned = iterate(&p, &a, 2);
    tr_accelerator_forget(&a);
    double anew = iterate(&again, &a, 2);
    assert_true(learned <= 1e-10 && anew > 1.0);
    tr_arena_destroy(arena);
}

// Numbers without weight have no say in what is taken of earlier steps: the others come out the
// same to the last bit, whatever stands there.
static void only_weighted_numbers_count(void **state) {
    double   result[2][N];
    trArena *arena = tr_arena_create();
    for (int noisy = 0; noisy < 2; noisy++) {
        trRandom      random = {5}, noise = {6};
        trAccelerator a;
        Problem       p = choose(2, 20.0, &random);
        assert_int_equal(tr_accelerator_plan(arena, 2 * N, TR_ACCELERATE_DEPTH, &a), TR_OK);
        for (int i = 0; i < 2 * N; i++) {
            a.weight[i] = i < N ? 1.0 : 0.0;
        }
        for (int k = 0; k < 5; k++) {
            double f[2 * N];
            residual(&p, f);
            for (int i = 0; i < N; i++) {
                f[N + i] = noisy * 1e6 * random_real(&noise);
            }
            tr_accelerate(&a, f);
            for (int i = 0; i < N; i++) {
                p.x[i] += f[i];
            }
        }
        for (int i = 0; i < N; i++) {
            result[noisy][i] = p.x[i];
        }
    }
    assert_memory_equal(result[0], result[1], sizeof result[0]);
    tr_arena_destroy(arena);
}

// By how much a correction became shorter, in weighted numbers; one that became longer counts as 1.
static void shortened_corrections_are_reported(void **state) {
    trRandom      random = {7};
    trArena      *arena = tr_arena_create();
    trAccelerator a;
    Problem       p = choose(2, 20.0, &random);
    int           shorter = 0;
    assert_int_equal(tr_accelerator_plan(arena, N, TR_ACCELERATE_DEPTH, &a), TR_OK);
    for (int i = 0; i < N; i++) {
        a.weight[i] = 3.0;
    }
    for (int k = 0; k < 6; k++) {
        double f[N];
        residual(&p, f);
        double given = norm(f), ratio = tr_accelerate(&a, f), taken = norm(f);
        shorter += given > taken;
        assert_true(fabs(ratio - fmax(given / taken, 1.0)) <= 1e-12 * ratio);
        for (int i = 0; i < N; i++) {
            p.x[i] += f[i];
        }
    }
    assert_true(shorter > 0);
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_wrong_directions_are_found),
                                       cmocka_unit_test(shortened_corrections_are_reported),
                                       cmocka_unit_test(what_was_learned_is_kept),
                                       cmocka_unit_test(only_weighted_numbers_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
