// SPDX-License-Identifier: MIT
// The block factorization against dense elimination: definite, quasi-definite and rank-deficient
// matrices with mixed blocks.

#include <math.h>
#include <string.h>

#include "la/block_matrix.h"
#include "support/test.h"

#define TRIALS 200

// The rounding error of an elimination is about eps times the condition number. By Gershgorin's
// circles the eigenvalues here lie between 1 and twice the largest diagonal entry, which is below
// n = 72, and the solutions are smaller than 1.
#define ROUNDING 1e-13

static void draw_vector(trRandom *random, int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = random_real(random);
    }
}

static void assert_near(int n, const double *x, const double *y, double tolerance) {
    for (int i = 0; i < n; i++) {
        if (!(fabs(x[i] - y[i]) <= tolerance)) {
            fail_msg("unknown %d: %.17g is not %.17g", i, x[i], y[i]);
        }
    }
}

// Solves twice, because a factorization must not live off what the last one left.
static void check_solution(trRandom *random, const Matrix *m, Sparse *s) {
    double right[MAX_N], x[MAX_N], expected[MAX_N], pivot[MAX_N], product = 1.0;
    int    negative = 0, firm = 0;
    for (int repeat = 0; repeat < 2; repeat++) {
        draw_vector(random, m->n, right);
        double determinant = matrix_solve_dense(m, right, expected);
        matrix_put(m, &s->ldl);
        assert_int_equal(tr_block_factor(&s->ldl), -1);
        assert_int_equal(s->ldl.dropped, 0);
        matrix_solve_sparse(m, &s->ldl, right, x);
        assert_near(m->n, x, expected, ROUNDING);
        tr_block_pivots(&s->ldl, pivot);
        product = 1.0 / determinant;
        negative = firm = 0;
        for (int i = 0; i < m->n; i++) {
            product *= pivot[i];
            negative += pivot[i] < 0.0;
        }
        // Each of n factors has a rounding error, and the determinant has the same.
        assert_true(fabs(product - 1.0) <= ROUNDING * m->n);
    }
    for (int i = 0; i < m->nodes; i++) {
        firm += m->firm[i] ? m->size[i] : 0;
    }
    assert_int_equal(negative, firm);  // Sylvester's law of inertia
}

static void definite_matrices_are_solved_and_pivots_multiply_to_the_determinant(void **state) {
    static Matrix m;
    trRandom      random = {5};
    for (int trial = 0; trial < TRIALS; trial++) {
        matrix_draw_sizes(&random, &m);
        matrix_number(&m);
        matrix_draw_edges(&random, &m);
        matrix_draw_values(&random, &m);
        Sparse s = matrix_plan(&m);
        check_solution(&random, &m, &s);
        tr_arena_destroy(s.arena);
    }
}

static void quasidefinite_matrices_are_solved_with_firm_negative_pivots(void **state) {
    static Matrix m;
    trRandom      random = {6};
    for (int trial = 0; trial < TRIALS; trial++) {
        matrix_draw_sizes(&random, &m);
        matrix_number(&m);
        for (int i = 0; i < m.nodes; i++) {
            m.firm[i] = random_real(&random) > 0.3;
        }
        matrix_draw_edges(&random, &m);
        matrix_draw_values(&random, &m);
        Sparse s = matrix_plan(&m);
        check_solution(&random, &m, &s);
        tr_arena_destroy(s.arena);
    }
}

// The same matrix with every unknown as a node of its own: no pairs anywhere.
static void split_nodes(const Matrix *m, Matrix *out) {
    *out = *m;
    out->nodes = m->n;
    memset(out->edge, 0, sizeof out->edge);
    for (int i = 0; i < m->n; i++) {
        out->size[i] = 1;
        for (int j = 0; j < m->n; j++) {
            out->edge[i][j] = i != j && (i / 2 == j / 2 || m->edge[i / 2][j / 2]);
        }
    }
    matrix_number(out);
}

static void pairs_of_rows_give_what_the_general_way_gives(void **state) {
    static Matrix pairs, single, firm;
    trRandom      random = {7};
    for (int trial = 0; trial < TRIALS; trial++) {
        double right[MAX_N], x[MAX_N], y[MAX_N], z[MAX_N];
        memset(&pairs, 0, sizeof pairs);
        pairs.nodes = random_int(&random, 1, MAX_NODES / 2);
        for (int i = 0; i < pairs.nodes; i++) {
            pairs.size[i] = 2;
        }
        matrix_number(&pairs);
        matrix_draw_edges(&random, &pairs);
        matrix_draw_values(&random, &pairs);
        draw_vector(&random, pairs.n, right);
        split_nodes(&pairs, &single);
        firm = pairs;
        memset(firm.edge, 0, sizeof firm.edge);  // firm nodes wait for their neighbors
        Sparse a = matrix_plan(&pairs), b = matrix_plan(&single);
        matrix_put(&pairs, &a.ldl);
        matrix_put(&single, &b.ldl);
        assert_int_equal(tr_block_factor(&a.ldl), -1);
        assert_int_equal(tr_block_factor(&b.ldl), -1);
        matrix_solve_sparse(&pairs, &a.ldl, right, x);
        matrix_solve_sparse(&single, &b.ldl, right, y);
        assert_near(pairs.n, x, y, ROUNDING);
        // And block by block: a firm node never takes the short way.
        Sparse c = matrix_plan(&firm);
        matrix_put(&firm, &c.ldl);
        assert_int_equal(tr_block_factor(&c.ldl), -1);
        matrix_solve_sparse(&firm, &c.ldl, right, z);
        for (int i = 0; i < pairs.nodes; i++) {
            firm.firm[i] = true;
        }
        Sparse d = matrix_plan(&firm);
        matrix_put(&firm, &d.ldl);
        assert_int_equal(tr_block_factor(&d.ldl), -1);
        matrix_solve_sparse(&firm, &d.ldl, right, y);
        assert_near(pairs.n, z, y, ROUNDING);
        tr_arena_destroy(a.arena);
        tr_arena_destroy(b.arena);
        tr_arena_destroy(c.arena);
        tr_arena_destroy(d.arena);
    }
}

// S = B B' for a chain of nodes that share columns, two each, with some rows of B made
// combinations of others. Returns how many.
static int draw_deficient(trRandom *random, Matrix *m) {
    static double B[MAX_N][2 * MAX_N];
    int           dependent = 0, width = 2 * TR_BLOCK_MAX;
    memset(B, 0, sizeof B);
    matrix_draw_sizes(random, m);
    matrix_number(m);
    for (int i = 0; i < m->nodes; i++) {
        for (int row = m->first[i]; row < m->first[i] + m->size[i]; row++) {
            for (int j = 0; j < width; j++) {
                B[row][i * TR_BLOCK_MAX + j] = random_real(random);
            }
            B[row][i * TR_BLOCK_MAX + row - m->first[i]] += 3.0;
            int before = row - m->first[i];
            if (before > 0 && random_real(random) > 0.5) {  // of two rows of the same node
                int one = random_int(random, 0, before - 1),
                    two = random_int(random, 0, before - 1);
                for (int j = 0; j < 2 * MAX_N; j++) {
                    B[row][j] = B[m->first[i] + one][j] - 1.5 * B[m->first[i] + two][j];
                }
                dependent++;
            }
        }
        if (i > 0) {
            m->edge[i][i - 1] = m->edge[i - 1][i] = true;
        }
    }
    for (int i = 0; i < m->n; i++) {
        for (int j = 0; j < m->n; j++) {
            for (int k = 0; k < 2 * MAX_N; k++) {
                m->at[i][j] += B[i][k] * B[j][k];
            }
        }
    }
    return dependent;
}

// Right sides in the range of S have solutions, and what is found is one of them. The independent
// rows of B have condition numbers below 1e2, so those of S are below 1e4.
static void dependent_rows_are_dropped_and_all_equations_hold(void **state) {
    static Matrix m;
    trRandom      random = {8};
    int           most = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double y[MAX_N], right[MAX_N], x[MAX_N], pivot[MAX_N], by_node[MAX_N];
        int    dependent = draw_deficient(&random, &m), zeros = 0;
        Sparse s = matrix_plan(&m);
        draw_vector(&random, m.n, y);
        for (int i = 0; i < m.n; i++) {
            right[i] = 0.0;
            for (int j = 0; j < m.n; j++) {
                right[i] += m.at[i][j] * y[j];
            }
        }
        matrix_put(&m, &s.ldl);
        for (int i = 0; i < m.nodes; i++) {
            for (int k = 0; k < m.size[i]; k++) {
                s.ldl.limit[s.ldl.first[i] + k] = 1e-8 * m.at[m.first[i] + k][m.first[i] + k];
            }
        }
        assert_int_equal(tr_block_factor(&s.ldl), -1);
        assert_int_equal(s.ldl.dropped, dependent);
        matrix_solve_sparse(&m, &s.ldl, right, x);
        tr_block_pivots(&s.ldl, pivot);
        matrix_reorder(&m, &s.ldl, true, pivot, by_node);
        for (int i = 0; i < m.n; i++) {
            double left = -right[i];
            for (int j = 0; j < m.n; j++) {
                left += m.at[i][j] * x[j];
            }
            if (!(fabs(left) <= 1e-10 * m.at[i][i])) {
                fail_msg("trial %d: equation %d is off by %g", trial, i, left);
            }
            assert_true(by_node[i] >= 0.0);
            assert_true(by_node[i] > 0.0 || x[i] == 0.0);
            zeros += by_node[i] == 0.0;
        }
        assert_int_equal(zeros, dependent);
        most = dependent > most ? dependent : most;
        tr_arena_destroy(s.arena);
    }
    assert_true(most > 10);
}

static void a_pivot_is_dropped_at_its_limit_and_kept_above_it(void **state) {
    static Matrix m;
    memset(&m, 0, sizeof m);
    m.nodes = 1;
    for (int size = 1; size <= TR_BLOCK_MAX; size++) {
        m.size[0] = size;
        matrix_number(&m);
        for (int i = 0; i < size; i++) {
            m.at[i][i] = 2.0;
        }
        m.at[size - 1][size - 1] = 1.0;
        Sparse s = matrix_plan(&m);
        for (int keep = 0; keep < 2; keep++) {
            double x[MAX_N];
            matrix_put(&m, &s.ldl);
            s.ldl.limit[size - 1] = keep ? nextafter(1.0, 0.0) : 1.0;
            assert_int_equal(tr_block_factor(&s.ldl), -1);
            assert_int_equal(s.ldl.dropped, 1 - keep);
            for (int i = 0; i < size; i++) {
                x[i] = 6.0;
            }
            tr_block_solve(&s.ldl, x);
            for (int i = 0; i < size - 1; i++) {
                assert_true(x[i] == 3.0);
            }
            assert_true(x[size - 1] == (keep ? 6.0 : 0.0));
        }
        tr_arena_destroy(s.arena);
    }
}

// Next to dependent rows rounding leaves a pivot of either sign, of any size against the limit.
static void a_negative_pivot_is_dropped_where_a_limit_is_given(void **state) {
    static Matrix m;
    memset(&m, 0, sizeof m);
    m.nodes = 1;
    for (int size = 2; size <= TR_BLOCK_MAX; size++) {
        m.size[0] = size;
        matrix_number(&m);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                m.at[i][j] = i == j ? 1.0 : 0.0;
            }
        }
        m.at[size - 1][size - 2] = m.at[size - 2][size - 1] = 1.0;
        m.at[size - 1][size - 1] = 1.0 - 1e-7;
        Sparse s = matrix_plan(&m);
        for (int limited = 0; limited < 2; limited++) {
            double pivot[MAX_N];
            matrix_put(&m, &s.ldl);
            s.ldl.limit[size - 1] = limited ? 1e-8 : 0.0;
            assert_int_equal(tr_block_factor(&s.ldl), -1);
            assert_int_equal(s.ldl.dropped, limited);
            tr_block_pivots(&s.ldl, pivot);
            assert_true(limited ? pivot[size - 1] == 0.0 : pivot[size - 1] < 0.0);
        }
        tr_arena_destroy(s.arena);
    }
}

// Node 1 waits for node 0. Its last row repeats the one before, so its pivot vanishes; or it is
// zero from the start.
static void a_firm_pivot_that_vanishes_is_reported_by_its_unknown(void **state) {
    static Matrix m;
    trRandom      random = {9};
    for (int size = 1; size <= TR_BLOCK_MAX; size++) {
        for (int zero = 0; zero < size; zero++) {
            memset(&m, 0, sizeof m);
            m.nodes = 2;
            m.size[0] = 3;
            m.size[1] = size;
            m.firm[1] = true;
            m.edge[0][1] = m.edge[1][0] = true;
            matrix_number(&m);
            matrix_draw_values(&random, &m);
            for (int j = 0; j < m.n; j++) {
                int from = zero == 0 ? -1 : m.first[1] + zero - 1, to = m.first[1] + zero;
                m.at[to][j] = from < 0 ? 0.0 : m.at[from][j];
            }
            for (int j = 0; j < m.n; j++) {
                m.at[j][m.first[1] + zero] = m.at[m.first[1] + zero][j];
            }
            if (zero > 0) {
                int last = m.first[1] + zero;
                m.at[last][last] = m.at[last - 1][last - 1];
            }
            Sparse s = matrix_plan(&m);
            matrix_put(&m, &s.ldl);
            assert_int_equal(tr_block_factor(&s.ldl), s.ldl.first[1] + zero);
            tr_arena_destroy(s.arena);
        }
    }
}

static void groups_that_are_too_large_or_empty_are_refused(void **state) {
    static const int sizes[] = {0, -1, TR_BLOCK_MAX + 1};
    static const int start[] = {0, 0};
    for (int i = 0; i < 3; i++) {
        trArena   *arena = tr_arena_create();
        trGraph    graph = {.nodes = 1, .start = start, .neighbor = start};
        trBlockLdl ldl;
        assert_int_equal(tr_block_plan(arena, &graph, &sizes[i], NULL, &ldl), TR_E_UNSUPPORTED);
        assert_non_null(strstr(tr_last_error(), "1 to 6"));
        tr_arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definite_matrices_are_solved_and_pivots_multiply_to_the_determinant),
        cmocka_unit_test(quasidefinite_matrices_are_solved_with_firm_negative_pivots),
        cmocka_unit_test(pairs_of_rows_give_what_the_general_way_gives),
        cmocka_unit_test(dependent_rows_are_dropped_and_all_equations_hold),
        cmocka_unit_test(a_pivot_is_dropped_at_its_limit_and_kept_above_it),
        cmocka_unit_test(a_negative_pivot_is_dropped_where_a_limit_is_given),
        cmocka_unit_test(a_firm_pivot_that_vanishes_is_reported_by_its_unknown),
        cmocka_unit_test(groups_that_are_too_large_or_empty_are_refused),
    };
    return cmocka_run_group_tests_name("blockldl", tests, NULL, NULL);
}
