// SPDX-License-Identifier: MIT
// Formulas of papers that are misprinted: as printed they fail, corrected they are what the library
// does. The algebra is written out here, with M^-1 of a diagonal mass matrix and plain elimination.

#include <math.h>
#include <string.h>

#include "formulation/golden.h"
#include "support/test.h"

#define COLUMNS GOLDEN_N
#define ROWS GOLDEN_M

static const Golden *find_golden(const char *name) {
    for (int i = 0; i < golden_count(); i++) {
        if (strcmp(golden_at(i)->name, name) == 0) {
            return golden_at(i);
        }
    }
    fail_msg("no system '%s'", name);
    return NULL;
}

static double length(int n, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static double apart(int n, const double *x, const double *y) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

// K x = x in place; K, n x n with rows of COLUMNS entries, is destroyed.
static void eliminate(int n, double K[COLUMNS][COLUMNS], double *x) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(K[i][k]) > fabs(K[best][k]) ? i : best;
        }
        for (int j = 0; j < n; j++) {
            double other = K[k][j];
            K[k][j] = K[best][j];
            K[best][j] = other;
        }
        double other = x[k];
        x[k] = x[best];
        x[best] = other;
        for (int i = k + 1; i < n; i++) {
            double factor = K[i][k] / K[k][k];
            for (int j = k; j < n; j++) {
                K[i][j] -= factor * K[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            x[k] -= K[k][j] * x[j];
        }
        x[k] /= K[k][k];
    }
}

// out = left_i (A' (A diag(inner) A')^-1 gap)_i
static void correction(const GoldenSystem *s, const double *left, const double *inner,
                       const double *gap, double *out) {
    static double K[COLUMNS][COLUMNS];
    double        y[ROWS];
    int           n = s->golden->n, m = s->golden->m;
    const double *A = s->numbers.A;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            K[i][j] = 0.0;
            for (int k = 0; k < n; k++) {
                K[i][j] += A[i * n + k] * inner[k] * A[j * n + k];
            }
        }
        y[i] = gap[i];
    }
    eliminate(m, K, y);
    for (int k = 0; k < n; k++) {
        out[k] = 0.0;
        for (int i = 0; i < m; i++) {
            out[k] += left[k] * A[i * n + k] * y[i];
        }
    }
}

// gap = A x - b
static void gap_of(const GoldenSystem *s, const double *x, const double *b, double *gap) {
    int n = s->golden->n;
    for (int i = 0; i < s->golden->m; i++) {
        gap[i] = -b[i];
        for (int k = 0; k < n; k++) {
            gap[i] += s->numbers.A[i * n + k] * x[k];
        }
    }
}

static void invert_masses(const GoldenSystem *s, double *inverse) {
    for (int i = 0; i < s->golden->n; i++) {
        inverse[i] = 1.0 / s->diagonal[i];
    }
}

// Masarati 2011, eq. (8): x'' = a0 - M^-1 A' (A M^-1 A')^-1 (b - A a0) is printed; in (11b) the
// sign is right, (A a0 - b).
static void the_sign_of_the_constraint_force_in_masarati_8(void **state) {
    static GoldenSystem      s;
    static const char *const names[] = {"pendulum", "dp3", "fourbar"};
    for (int j = 0; j < 3; j++) {
        const Golden *g = find_golden(names[j]);
        double        inverse[COLUMNS], a0[COLUMNS], a[COLUMNS], printed[COLUMNS], change[COLUMNS],
            gap[ROWS], left[ROWS];
        golden_begin(&s, g);
        invert_masses(&s, inverse);
        for (int i = 0; i < g->n; i++) {
            a0[i] = inverse[i] * s.numbers.Q[i];
        }
        gap_of(&s, a0, s.numbers.b, gap);
        correction(&s, inverse, inverse, gap, change);
        for (int i = 0; i < g->n; i++) {
            a[i] = a0[i] - change[i];
            printed[i] = a0[i] + change[i];
        }
        assert_true(apart(g->n, a, g->a) <= 1e-12 * (1.0 + length(g->n, g->a)));
        gap_of(&s, printed, s.numbers.b, left);
        assert_true(length(g->m, left) > 1.9 * length(g->m, gap));  // twice what it was to remove
    }
}

// |phi| after one step from the disturbed positions, by left and inner matrices.
static double phi_after(GoldenSystem *s, const double *left, const double *inner, double *q) {
    const Golden *g = s->golden;
    double        change[COLUMNS];
    golden_equations(s, g->t, g->q_off, g->v);
    correction(s, left, inner, s->numbers.phi, change);
    for (int i = 0; i < g->n; i++) {
        q[i] = g->q_off[i] - change[i];
    }
    golden_equations(s, g->t, q, g->v);
    return length(g->m, s->numbers.phi);
}

// Marques, Souto and Flores 2017, eq. (50): q - M D' (D D')^-1 phi is printed. M^-1 in place of M
// is not enough: it belongs into the bracket as well, as the library's first step of Newton has it.
static void the_weight_of_the_direct_correction_in_marques_50(void **state) {
    static GoldenSystem s;
    const Golden       *g = find_golden("fourbar");
    double inverse[COLUMNS], masses[COLUMNS], ones[COLUMNS], q[COLUMNS], right[ROWS], step[COLUMNS];
    golden_begin(&s, g);
    invert_masses(&s, inverse);
    for (int i = 0; i < g->n; i++) {
        ones[i] = 1.0;
        masses[i] = s.diagonal[i];
    }
    golden_equations(&s, g->t, g->q_off, g->v);
    double before = length(g->m, s.numbers.phi);
    assert_true(before > 1e-4);
    assert_true(phi_after(&s, masses, ones, q) > before);
    assert_true(phi_after(&s, inverse, ones, q) > 0.9 * before);
    assert_true(phi_after(&s, inverse, inverse, q) < 10.0 * before * before);

    const trFormulationKind *kind = tr_formulation_find("lagrange");
    const trEquations       *e = golden_equations(&s, g->t, g->q_off, g->v);
    trArena                 *arena = tr_arena_create();
    void                    *work = NULL;
    double                   zero[COLUMNS] = {0.0}, lambda[ROWS];
    for (int i = 0; i < g->m; i++) {
        right[i] = -e->phi[i];
    }
    assert_int_equal(kind->plan(arena, e, NULL, &work), TR_OK);
    assert_int_equal(kind->factor(work, e), TR_OK);
    assert_int_equal(kind->solve(work, e, zero, right, step, lambda), TR_OK);
    for (int i = 0; i < g->n; i++) {
        step[i] += g->q_off[i];
    }
    assert_true(apart(g->n, step, q) <= 1e-13);
    tr_arena_destroy(arena);
}

// (M + alpha D'D) dq = -M (q - q0) - D' (lambda + share alpha phi),  lambda = lambda + alpha phi
// |phi| after a number of rounds.
static double augmented_phi(GoldenSystem *s, double share, double first, int rounds) {
    static double K[COLUMNS][COLUMNS];
    const Golden *g = s->golden;
    const double  alpha = 1e4, *A = s->numbers.A;
    double        q[COLUMNS], dq[COLUMNS], lambda[ROWS];
    memcpy(q, g->q_off, (size_t)g->n * sizeof *q);
    golden_equations(s, g->t, q, g->v);
    for (int i = 0; i < g->m; i++) {
        lambda[i] = first * alpha * s->numbers.phi[i];
    }
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < g->n; k++) {
            dq[k] = -s->diagonal[k] * (q[k] - g->q_off[k]);
            for (int l = 0; l < g->n; l++) {
                K[k][l] = k == l ? s->diagonal[k] : 0.0;
                for (int i = 0; i < g->m; i++) {
                    K[k][l] += alpha * A[i * g->n + k] * A[i * g->n + l];
                }
            }
            for (int i = 0; i < g->m; i++) {
                dq[k] -= A[i * g->n + k] * (lambda[i] + share * alpha * s->numbers.phi[i]);
            }
        }
        eliminate(g->n, K, dq);
        for (int k = 0; k < g->n; k++) {
            q[k] += dq[k];
        }
        golden_equations(s, g->t, q, g->v);
        for (int i = 0; i < g->m; i++) {
            lambda[i] += alpha * s->numbers.phi[i];
        }
    }
    return length(g->m, s->numbers.phi);
}

// Marques, Souto and Flores 2017, eqs. (26) to (28): the right side lacks alpha phi. Without it the
// first correction is none, where lambda starts from zero.
static void the_right_side_of_the_augmented_correction_in_marques_26(void **state) {
    static GoldenSystem s;
    golden_begin(&s, find_golden("fourbar"));
    double before = augmented_phi(&s, 1.0, 0.0, 0);
    assert_true(augmented_phi(&s, 0.0, 0.0, 1) == before);        // printed: nothing happens
    assert_true(augmented_phi(&s, 0.0, 1.0, 20) > 0.1 * before);  // or it goes back and forth
    assert_true(augmented_phi(&s, 1.0, 0.0, 5) <= 1e-11);
}

// Marques, Souto and Flores 2017, after (24): M + alpha D'D is positive definite where [M; D] has
// full rank only (Udwadia and Wanichanon 2013, lemma 3.1). Nothing else can be asked of the rest.
static void penalties_do_not_make_every_mass_matrix_definite(void **state) {
    static const int group_row[2] = {0, 1}, group_side[2] = {0, 1}, zero[1] = {0}, width[1] = {3};
    static const double mass[3] = {1.0, 0.0, 0.0}, A[3] = {1.0, 0.0, 0.0}, none[3] = {0.0};
    static const bool   holonomic[1] = {true};
    const trEquations   e = {.nv = 3,
                             .m = 1,
                             .M = {.n = 3, .diagonal = mass},
                             .A = {1, 3, 1, group_row, group_side, zero, width, zero, A},
                             .Q = none,
                             .b = none,
                             .b1 = none,
                             .phi = none,
                             .holonomic = holonomic,
                             .rank_tolerance = 1e-4};
    for (int k = 0; k < tr_formulation_count(); k++) {
        const trFormulationKind *kind = tr_formulation_at(k);
        trArena                 *arena = tr_arena_create();
        void                    *work = NULL;
        trStatus                 status = kind->plan(arena, &e, NULL, &work);
        status = status == TR_OK ? kind->factor(work, &e) : status;
        assert_true(status != TR_OK);
        if ((kind->traits & TR_COPES_SINGULAR_MASS) != 0) {
            assert_int_equal(status, TR_SINGULAR);
            assert_in_range(kind->rank(work).free_column, 1, 2);
        }
        tr_arena_destroy(arena);
    }
}

// u'' = G' w' / 2 - power(w) u / 4 of a body that turns freely: J w' = -w x J w, w = 2 G u'.
static void acceleration_of_quaternion(const Golden *g, double power, double *out) {
    static const double J[3] = {1.0, 2.0, 3.0};
    const double       *u = g->q, *v = g->v;
    const double        G[3][4] = {
               {-u[1], u[0], u[3], -u[2]}, {-u[2], -u[3], u[0], u[1]}, {-u[3], u[2], -u[1], u[0]}};
    double w[3], rate[3];
    for (int i = 0; i < 3; i++) {
        w[i] = 2.0 * (G[i][0] * v[0] + G[i][1] * v[1] + G[i][2] * v[2] + G[i][3] * v[3]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        rate[i] = (J[j] - J[k]) * w[j] * w[k] / J[i];
    }
    for (int k = 0; k < 4; k++) {
        out[k] = -pow(length(3, w), power) * u[k] / 4.0;
        for (int i = 0; i < 3; i++) {
            out[k] += G[i][k] * rate[i] / 2.0;
        }
    }
}

// Udwadia and Wanichanon 2013, eq. (4.6): N(w) is said to be the norm of w; it is its square.
static void the_norm_of_angular_velocity_in_udwadia_4_6(void **state) {
    const Golden *g = find_golden("quat");
    double        squared[4], printed[4];
    acceleration_of_quaternion(g, 2.0, squared);
    acceleration_of_quaternion(g, 1.0, printed);
    assert_true(apart(4, squared, g->a) <= 1e-12);
    assert_true(apart(4, printed, g->a) > 0.1 * length(4, g->a));
}

// --- rank and drift ---

// Accelerations of the triple crank, whose rows have rank 11 of 12, at positions off by `drift`.
static double error_at(const char *name, double drift, double tolerance) {
    static GoldenSystem      s;
    const Golden            *g = find_golden("triple");
    const trFormulationKind *kind = tr_formulation_find(name);
    double q[COLUMNS], a[COLUMNS], lambda[ROWS], most = apart(g->n, g->q_off, g->q);
    golden_begin(&s, g);
    for (int i = 0; i < g->n; i++) {
        q[i] = g->q[i] + drift * (g->q_off[i] - g->q[i]) / most;
    }
    const trEquations *e = golden_equations(&s, g->t, q, g->v);
    s.equations.rank_tolerance = tolerance;
    trArena *arena = tr_arena_create();
    void    *work = NULL;
    assert_int_equal(kind->plan(arena, e, NULL, &work), TR_OK);
    assert_int_equal(kind->factor(work, e), TR_OK);
    assert_int_equal(kind->solve(work, e, e->Q, e->b, a, lambda), TR_OK);
    tr_arena_destroy(arena);
    return apart(g->n, a, g->a) / length(g->n, g->a);
}

// The twelfth singular value is about a hundredth of the drift: where it counts as a row, it is one
// that holds nothing real, and accelerations are nonsense. Else they are off by the drift.
static void rank_must_be_judged_more_coarsely_than_positions_drift(void **state) {
    static const char *const names[] = {"udwadia_kalaba", "lagrange_dense", "udwadia_wanichanon"};
    for (int j = 0; j < 3; j++) {
        for (double drift = 1e-8; drift < 2e-5; drift *= 10.0) {
            assert_true(error_at(names[j], drift, 1e-4 * drift) > 0.05);
            for (double tolerance = drift; tolerance < 2e-3; tolerance *= 10.0) {
                assert_true(error_at(names[j], drift, tolerance) < 10.0 * drift);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sign_of_the_constraint_force_in_masarati_8),
        cmocka_unit_test(the_weight_of_the_direct_correction_in_marques_50),
        cmocka_unit_test(the_right_side_of_the_augmented_correction_in_marques_26),
        cmocka_unit_test(penalties_do_not_make_every_mass_matrix_definite),
        cmocka_unit_test(the_norm_of_angular_velocity_in_udwadia_4_6),
        cmocka_unit_test(rank_must_be_judged_more_coarsely_than_positions_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
