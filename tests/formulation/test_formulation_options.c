// SPDX-License-Identifier: MIT
// What users may choose inside a formulation: inverses, gauges and penalties change rounding, cost
// and what is detected, not the motion.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formulation/golden.h"
#include "formulation/random_equations.h"
#include "support/test.h"

typedef struct Answer {
    trStatus status;
    trRank   rank;
    int64_t  iterations;
    int      dropped[GOLDEN_M];
    double   a[GOLDEN_N], lambda[GOLDEN_M], force[GOLDEN_N];  // force = A' lambda
} Answer;

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static double largest_difference(int n, const double *x, const double *y) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

static Answer ask_for(const char *name, const trParam *options, const trEquations *e,
                      const double *F, const double *b) {
    const trFormulationKind *kind = tr_formulation_find(name);
    trArena                 *arena = tr_arena_create();
    void                    *work = NULL, *own = NULL;
    Answer answer = {.status = tr_options_bind(arena, kind->size, kind->fields, options, &own)};
    if (answer.status == TR_OK) {
        answer.status = kind->plan(arena, e, own, &work);
    }
    if (answer.status == TR_OK) {
        answer.status = kind->factor(work, e);
    }
    if (work != NULL) {
        answer.rank = kind->rank(work);
    }
    if (answer.status == TR_OK) {
        answer.status = kind->solve(work, e, F, b, answer.a, answer.lambda);
        memcpy(answer.dropped, answer.rank.rows, (size_t)answer.rank.dropped * sizeof(int));
        answer.rank = kind->rank(work);
        answer.iterations = kind->iterations != NULL ? kind->iterations(work) : 0;
        tr_rows_tmul_sub(&e->A, answer.lambda, answer.force);
        for (int i = 0; i < e->nv; i++) {
            answer.force[i] = -answer.force[i];
        }
    }
    tr_arena_destroy(arena);
    return answer;
}

static Answer ask(const char *name, const trParam *options, const trEquations *e) {
    return ask_for(name, options, e, e->Q, e->b);
}

// How far a and A' lambda are from the tables, relative to the larger of them and of Q.
static double error_of(const Answer *answer, const Golden *g) {
    double of_force = 0.0;
    for (int i = 0; i < g->n; i++) {
        of_force = fmax(of_force, fabs(answer->force[i] + g->Fc[i]));
    }
    double of_a = largest_difference(g->n, answer->a, g->a);
    return fmax(of_a / (1.0 + largest(g->n, g->a)),
                of_force / (1.0 + largest(g->n, g->Fc) + largest(g->n, g->Q)));
}

static bool is_positive_definite(const Golden *g) {
    return g->q_M != NULL;
}

// Both find the same rank. On systems of modest condition they differ by rounding.
static void both_inverses_give_the_same_motion(void **state) {
    static GoldenSystem s;
    for (int k = 0; k < golden_count(); k++) {
        const Golden *g = golden_at(k);
        if (!is_positive_definite(g)) {
            continue;
        }
        golden_begin(&s, g);
        const trParam svd[] = {TR_WORD("inverse", "svd"), {0}},
                      gs[] = {TR_WORD("inverse", "gram_schmidt"), {0}};
        Answer first = ask("udwadia_kalaba", svd, &s.equations);
        Answer second = ask("udwadia_kalaba", gs, &s.equations);
        assert_int_equal(first.status, TR_OK);
        assert_int_equal(second.status, TR_OK);
        assert_int_equal(first.rank.rank, g->rank);
        assert_int_equal(second.rank.rank, g->rank);
        // Of dependent rows one keeps the first, the other those with the largest pivots.
        if (first.rank.dropped == 0) {
            assert_true(fabs(first.rank.gap - second.rank.gap) <= 1e-12);
            assert_int_equal(first.rank.gap_row, second.rank.gap_row);
        }
        assert_true(error_of(&first, g) <= 1e-12 && error_of(&second, g) <= 1e-12);
        for (int i = 0; i < second.rank.dropped; i++) {
            assert_true(second.lambda[second.dropped[i]] == 0.0);
        }
        // Of all lambda with the same force that of singular values is the smallest, rows scaled.
        if (g->rank < g->m) {
            assert_true(largest_difference(g->m, first.lambda, second.lambda) > 1e-3);
        }
    }
}

static void unknown_inverses_are_refused_with_those_that_are_known(void **state) {
    static GoldenSystem s;
    const trParam       options[] = {TR_WORD("inverse", "magic"), {0}};
    golden_begin(&s, golden_at(0));
    Answer answer = ask("udwadia_kalaba", options, &s.equations);
    assert_int_equal(answer.status, TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "magic"));
    assert_non_null(strstr(tr_last_error(), "svd, gram_schmidt"));
}

static const Case doubled = {.bodies = 4, .groups = 5, .rows = {2, 2, 1, 2, 2}, .copied = 2};

static void contradictions_are_named_by_gram_schmidt(void **state) {
    static Problem p;
    const trParam  svd[] = {TR_WORD("inverse", "svd"), {0}},
                  gs[] = {TR_WORD("inverse", "gram_schmidt"), {0}};
    const double zero[MAX_N] = {0.0};
    Random       random = {13};
    random_lay_out(&p, &doubled);
    random_fill(&p, &doubled, &random);
    Answer fine = ask("udwadia_kalaba", gs, &p.e);
    assert_int_equal(fine.status, TR_OK);
    assert_int_equal(fine.rank.dropped, 4);

    int  row = fine.dropped[1];
    char text[32];
    snprintf(text, sizeof text, "row %d contradicts", row);
    p.b[row] += 0.01;
    Answer wrong = ask("udwadia_kalaba", gs, &p.e);
    assert_int_equal(wrong.status, TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), text));
    assert_int_equal(wrong.rank.contradicts, row + 1);
    assert_int_equal(ask("udwadia_kalaba", svd, &p.e).status, TR_OK);
    // A projection: what it corrects may contradict itself.
    assert_int_equal(ask_for("udwadia_kalaba", gs, &p.e, zero, p.b).status, TR_OK);
}

// Three parallel cranks. Off the constraints by 1e-5, rows contradict each other by about that.
static void drift_is_no_contradiction(void **state) {
    static GoldenSystem s;
    const trParam       gs[] = {TR_WORD("inverse", "gram_schmidt"), {0}};
    int                 seen = 0;
    for (int k = 0; k < golden_count(); k++) {
        const Golden *g = golden_at(k);
        if (g->rank == g->m || !is_positive_definite(g)) {
            continue;
        }
        double q[GOLDEN_N];
        golden_begin(&s, g);
        for (int i = 0; i < g->n; i++) {
            q[i] = g->q[i] + 1e-5 * sin(1.0 + 3.0 * i);
        }
        Answer answer = ask("udwadia_kalaba", gs, golden_equations(&s, g->t, q, g->v));
        if (answer.status != TR_OK) {
            fail_msg("%s: %s", g->name, tr_last_error());
        }
        assert_int_equal(answer.rank.rank, g->rank);
        seen++;
    }
    assert_true(seen > 0);
}

typedef struct Gauge {
    double  G[GOLDEN_M], z[GOLDEN_M];
    trParam options[4];
} Gauge;

static trParam list_of(const char *key, int count, const double *numbers) {
    return (trParam){.key = key, .kind = TR_PARAM_NUMBERS, .count = count, .numbers = numbers};
}

// Weights between 1/2 and 2, z between -1 and 1.
static void draw_gauge(Gauge *gauge, double alpha, int rows, int seed) {
    for (int i = 0; i < GOLDEN_M; i++) {
        gauge->G[i] = exp2(sin(1.0 + seed + 7.0 * i));
        gauge->z[i] = sin(2.0 + 5.0 * seed + 3.0 * i);
    }
    memset(gauge->options, 0, sizeof gauge->options);
    gauge->options[0] = (trParam)TR_NUM("gauge", alpha);
    gauge->options[1] = list_of("gauge_weights", rows, gauge->G);
    gauge->options[2] = list_of("gauge_z", rows, gauge->z);
}

static void accelerations_and_forces_do_not_depend_on_gauges(void **state) {
    static GoldenSystem s;
    static const double alphas[] = {0.1, 0.3, 1.0, 3.0, 10.0};
    for (int k = 0; k < golden_count(); k++) {
        const Golden *g = golden_at(k);
        golden_begin(&s, g);
        for (int i = 0; i < 5; i++) {
            Gauge gauge;
            draw_gauge(&gauge, alphas[i], g->m, k + i);
            Answer        full = ask("udwadia_wanichanon", gauge.options, &s.equations);
            const trParam alone[] = {TR_NUM("gauge", alphas[i]), {0}};
            Answer        plain = ask("udwadia_wanichanon", alone, &s.equations);
            Answer        other = ask("udwadia_schutte", alone, &s.equations);
            assert_true(full.status == TR_OK && plain.status == TR_OK && other.status == TR_OK);
            double worst = fmax(fmax(error_of(&full, g), error_of(&plain, g)), error_of(&other, g));
            if (!(worst <= 1e-12)) {
                fail_msg("%s, alpha %g: %.3g, %.3g, %.3g", g->name, alphas[i], error_of(&full, g),
                         error_of(&plain, g), error_of(&other, g));
            }
        }
    }
}

// The worst error over all systems, among them two with a singular mass matrix.
static double worst_error(double alpha) {
    static GoldenSystem s;
    const trParam       options[] = {TR_NUM("gauge", alpha), {0}};
    double              worst = 0.0;
    for (int k = 0; k < golden_count(); k++) {
        golden_begin(&s, golden_at(k));
        Answer answer = ask("udwadia_wanichanon", options, &s.equations);
        assert_int_equal(answer.status, TR_OK);
        worst = fmax(worst, error_of(&answer, golden_at(k)));
    }
    return worst;
}

// The condition of M + alpha^2 A'A grows with alpha^2 and, where M is singular, with 1 / alpha^2.
// Errors measured elsewhere with a Cholesky factor: 3e-9 for 1e-3, 1e-8 for 1e3, 1e-3 for 1e6; ten
// times that is allowed. That they grow at all shows that nothing hides them.
static void rounding_grows_with_gauges_far_from_balance(void **state) {
    double balanced = worst_error(0.0), small = worst_error(1e-3);
    double large = worst_error(1e3), huge = worst_error(1e6);
    assert_true(balanced <= 1e-13);
    assert_true(small > 1e3 * balanced && small <= 3e-8);
    assert_true(large > 1e3 * balanced && large <= 1e-7);
    assert_true(huge > 1e3 * large && huge <= 1e-2);
}

// (3.39) of the paper, with lambda_z of the auxiliary system from another formulation.
static void forces_of_the_auxiliary_system_are_those_of_the_paper(void **state) {
    static GoldenSystem s;
    for (int k = 0; k < golden_count(); k++) {
        const Golden *g = golden_at(k);
        static double M[GOLDEN_N * GOLDEN_N];
        double        F[GOLDEN_N], expected[GOLDEN_N];
        const double  weight = 0.7 * 0.7;
        Gauge         gauge;
        golden_begin(&s, g);
        draw_gauge(&gauge, 0.7, g->m, k);
        memcpy(M, s.numbers.M, sizeof M);
        for (int i = 0; i < g->n; i++) {
            F[i] = s.numbers.Q[i];
            expected[i] = 0.0;
            for (int r = 0; r < g->m; r++) {
                double row = s.numbers.A[r * g->n + i] * gauge.G[r];
                F[i] += row * gauge.z[r];
                expected[i] += row * (weight * s.numbers.b[r] - gauge.z[r]);
                for (int j = 0; j < g->n; j++) {
                    M[i * g->n + j] += weight * row * s.numbers.A[r * g->n + j];
                }
            }
        }
        trEquations auxiliary = s.equations;
        auxiliary.M = (trMass){.n = g->n, .dense = M};
        Answer of_auxiliary = ask_for("lagrange_dense", NULL, &auxiliary, F, s.numbers.b);
        Answer answer = ask("udwadia_wanichanon", gauge.options, &s.equations);
        assert_true(of_auxiliary.status == TR_OK && answer.status == TR_OK);
        for (int i = 0; i < g->n; i++) {
            expected[i] += of_auxiliary.force[i];
        }
        double size = 1.0 + largest(g->n, expected) + largest(g->n, of_auxiliary.force);
        assert_true(largest_difference(g->n, answer.force, expected) <= 1e-12 * size);
        assert_true(largest_difference(g->n, answer.a, of_auxiliary.a) <=
                    1e-12 * (1.0 + largest(g->n, g->a)));
    }
}

// (3.24), and for every formulation: a force along rows is taken up by them and moves nothing.
static void forces_along_rows_move_nothing(void **state) {
    static GoldenSystem s;
    const double        zero[GOLDEN_M] = {0.0};
    const Golden       *g = golden_at(0);
    for (int k = 0; k < golden_count(); k++) {
        g = golden_at(k)->n > g->n ? golden_at(k) : g;  // the five-bar, with a singular M
    }
    golden_begin(&s, g);
    for (int i = 0; i < tr_formulation_count(); i++) {
        const trFormulationKind *kind = tr_formulation_at(i);
        if ((kind->traits & TR_COPES_SINGULAR_MASS) == 0 || (kind->traits & TR_DENSE) == 0) {
            continue;
        }
        for (int row = 0; row < g->m; row++) {
            const double *A = s.numbers.A + row * g->n;
            Answer        answer = ask_for(kind->name, NULL, &s.equations, A, zero);
            double        within = fmax(1e-12, kind->error) * (1.0 + largest(g->n, A));
            assert_int_equal(answer.status, TR_OK);
            if (!(largest(g->n, answer.a) <= within) ||
                !(largest_difference(g->n, answer.force, A) <= within)) {
                fail_msg("%s, row %d: a %.3g, force %.3g", kind->name, row, largest(g->n, answer.a),
                         largest_difference(g->n, answer.force, A));
            }
        }
    }
}

static void gauges_that_are_none_are_refused(void **state) {
    static GoldenSystem s;
    double              G[GOLDEN_M], z[GOLDEN_M] = {0.0};
    golden_begin(&s, golden_at(0));
    for (int i = 0; i < GOLDEN_M; i++) {
        G[i] = 1.0;
    }
    const trParam nan_gauge[] = {TR_NUM("gauge", (double)NAN), {0}};
    assert_int_equal(ask("udwadia_wanichanon", nan_gauge, &s.equations).status, TR_E_ARGUMENT);
    assert_int_equal(ask("udwadia_schutte", nan_gauge, &s.equations).status, TR_E_ARGUMENT);
    const int     m = s.equations.m;
    const trParam options[] = {list_of("gauge_weights", m, G), list_of("gauge_z", m, z), {0}};
    assert_int_equal(ask("udwadia_wanichanon", options, &s.equations).status, TR_OK);
    G[0] = 0.0;
    assert_int_equal(ask("udwadia_wanichanon", options, &s.equations).status, TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "number 1 of gauge_weights"));
    G[0] = 1.0;
    z[0] = (double)INFINITY;
    assert_int_equal(ask("udwadia_wanichanon", options, &s.equations).status, TR_E_ARGUMENT);
}

// M = diag(1, 0, 0) and A = [1 0 0]: M + alpha A'A is singular, whatever alpha. With rows on the
// other two velocities it is not.
static void penalty_matrices_that_are_singular_are_reported(void **state) {
    static const double mass[3] = {1.0, 0.0, 0.0}, Q[3] = {1.0, 2.0, 3.0}, b[2] = {0.5, 0.0};
    static const double one[3] = {1.0, 0.0, 0.0}, others[6] = {0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    static const int    sides[2] = {0, 1}, at[1] = {0}, width[1] = {3};
    static const char  *names[] = {"penalty", "augmented_lagrangian"};
    for (int k = 0; k < 2; k++) {
        for (int rows = 1; rows <= 2; rows++) {
            const int   group[2] = {0, rows};
            trEquations e = {.nv = 3,
                             .m = rows,
                             .M = {.n = 3, .diagonal = mass},
                             .A = {.m = rows,
                                   .n = 3,
                                   .groups = 1,
                                   .group_row = group,
                                   .group_side = sides,
                                   .side_column = at,
                                   .side_width = width,
                                   .side_value = at,
                                   .value = rows == 1 ? one : others},
                             .rank_tolerance = 1e-4};
            Answer      answer = ask_for(names[k], NULL, &e, Q, b);
            if (rows == 1) {
                assert_int_equal(answer.status, TR_SINGULAR);
                assert_non_null(strstr(tr_last_error(), "inertia"));
                assert_int_equal(answer.rank.free_column, 1);
            } else {
                assert_int_equal(answer.status, TR_OK);
                assert_true(fabs(answer.a[0] - 1.0) <= 1e-6 && fabs(answer.a[1] - 0.5) <= 1e-6);
                assert_true(fabs(answer.lambda[0] - 2.0) <= 1e-6);
                assert_true(fabs(answer.lambda[1] - 3.0) <= 1e-6);
            }
        }
    }
}

// The violation is lambda / alpha, so that ten times the penalty has a tenth of the error.
static void errors_of_penalties_are_as_large_as_their_inverse(void **state) {
    static GoldenSystem s;
    const Golden       *g = NULL;
    for (int k = 0; k < golden_count(); k++) {
        g = strcmp(golden_at(k)->name, "fourbar") == 0 ? golden_at(k) : g;
    }
    assert_non_null(g);
    golden_begin(&s, g);
    const trParam soft[] = {TR_NUM("penalty", 1e4), {0}}, stiff[] = {TR_NUM("penalty", 1e5), {0}};
    const trParam none[] = {TR_NUM("penalty", -1.0), {0}},
                  absurd[] = {TR_NUM("penalty", 1e25), {0}};
    Answer first = ask("penalty", soft, &s.equations);
    Answer second = ask("penalty", stiff, &s.equations);
    double ratio = error_of(&first, g) / error_of(&second, g);
    assert_true(ratio > 9.5 && ratio < 10.5);
    assert_int_equal(ask("penalty", none, &s.equations).status, TR_E_ARGUMENT);
    assert_int_equal(ask("penalty", absurd, &s.equations).status, TR_SINGULAR);
    assert_non_null(strstr(tr_last_error(), "too large"));

    double reached[GOLDEN_M];
    tr_rows_mul(&s.equations.A, first.a, reached);
    for (int i = 0; i < g->m; i++) {
        double violation = 1e4 * (reached[i] - s.numbers.b[i]);
        assert_true(fabs(first.lambda[i] - violation) <= 1e-9 * (1.0 + fabs(violation)));
    }
}

// Each round divides what is left by about alpha: few are needed, and more where it is small.
static void augmented_lagrangians_iterate_until_the_constraints_hold(void **state) {
    static GoldenSystem s;
    int64_t             rounds = 0;  // that a small penalty takes more
    for (int k = 0; k < golden_count(); k++) {
        const Golden *g = golden_at(k);
        golden_begin(&s, g);
        Answer        usual = ask("augmented_lagrangian", NULL, &s.equations);
        const trParam soft[] = {TR_NUM("penalty", 1e2), {0}},
                      stiff[] = {TR_NUM("penalty", 1e7), {0}};
        Answer slow = ask("augmented_lagrangian", soft, &s.equations);
        Answer quick = ask("augmented_lagrangian", stiff, &s.equations);
        // A penalty that is far too small is told.
        assert_true(usual.status == TR_OK && quick.status == TR_OK);
        assert_true(slow.status == TR_OK || (slow.status == TR_SINGULAR && slow.iterations == 10));
        assert_in_range(usual.iterations, 2, 4);
        assert_true(error_of(&usual, g) <= 1e-10);
        assert_in_range(quick.iterations, 2, 3);
        assert_true(error_of(&quick, g) <= 1e-8);
        assert_in_range(slow.iterations, usual.iterations, 10);
        rounds += slow.iterations - usual.iterations;
    }
    assert_true(rounds > golden_count());
}

// Rows at an angle of 1e-3, ten times what counts as dependent. A M^-1 A' has a condition of 1e6,
// whose rounding must not be seen in a: (b2 - b1) / 1e-3 may lose three digits, not six.
static void nearly_parallel_rows_cost_no_more_digits_than_they_must(void **state) {
    static const double mass[3] = {1.0, 2.0, 3.0}, Q[3] = {1.0, 2.0, 3.0}, b[2] = {0.5, 0.6};
    static const double rows[6] = {1.0, 0.0, 0.0, 1.0, 1e-3, 0.0};
    static const int    group[2] = {0, 2}, sides[2] = {0, 1}, at[1] = {0}, width[1] = {3};
    const double        a1 = (0.6 - 0.5) / 1e-3;
    const double        a[3] = {0.5, a1, 1.0}, force[3] = {0.5, 2.0 - 2.0 * a1, 0.0};
    const trEquations   e = {.nv = 3,
                             .m = 2,
                             .M = {.n = 3, .diagonal = mass},
                             .A = {.m = 2,
                                   .n = 3,
                                   .groups = 1,
                                   .group_row = group,
                                   .group_side = sides,
                                   .side_column = at,
                                   .side_width = width,
                                   .side_value = at,
                                   .value = rows},
                             .rank_tolerance = 1e-4};
    for (int i = 0; i < tr_formulation_count(); i++) {
        const trFormulationKind *kind = tr_formulation_at(i);
        if (kind->error > 1e-12 || (kind->traits & TR_DENSE) == 0) {
            continue;  // the sparse one refines where rows were dropped only
        }
        Answer answer = ask_for(kind->name, NULL, &e, Q, b);
        assert_int_equal(answer.status, TR_OK);
        double of_a = largest_difference(3, answer.a, a) / a1;
        double of_force = largest_difference(3, answer.force, force) / (2.0 * a1);
        if (!(fmax(of_a, of_force) <= 2e-12)) {
            fail_msg("%s: a %.3g, force %.3g", kind->name, of_a, of_force);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_inverses_give_the_same_motion),
        cmocka_unit_test(unknown_inverses_are_refused_with_those_that_are_known),
        cmocka_unit_test(contradictions_are_named_by_gram_schmidt),
        cmocka_unit_test(drift_is_no_contradiction),
        cmocka_unit_test(accelerations_and_forces_do_not_depend_on_gauges),
        cmocka_unit_test(rounding_grows_with_gauges_far_from_balance),
        cmocka_unit_test(forces_of_the_auxiliary_system_are_those_of_the_paper),
        cmocka_unit_test(forces_along_rows_move_nothing),
        cmocka_unit_test(gauges_that_are_none_are_refused),
        cmocka_unit_test(penalty_matrices_that_are_singular_are_reported),
        cmocka_unit_test(errors_of_penalties_are_as_large_as_their_inverse),
        cmocka_unit_test(nearly_parallel_rows_cost_no_more_digits_than_they_must),
        cmocka_unit_test(augmented_lagrangians_iterate_until_the_constraints_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
