// SPDX-License-Identifier: MIT
// The block factorization against dense elimination: definite, quasi-definite and rank-deficient
// matrices with mixed blocks.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "la/blockldl.h"
#include "support/random.h"

#define MAX_NODES 12
#define MAX_N (MAX_NODES * TR_BLOCK_MAX)
#define TRIALS 200

// Rounding of an elimination is about eps times n times the condition number. The definite
// matrices here are dominated by their diagonals and have condition numbers below 10.
#define ROUNDING 1e-13

// A symmetric matrix by nodes, dense, with the pattern of a graph.
typedef struct Matrix {
    int    nodes, n;
    int    size[MAX_NODES], first[MAX_NODES];  // in the order of nodes
    bool   edge[MAX_NODES][MAX_NODES];
    bool   firm[MAX_NODES];
    double at[MAX_N][MAX_N];
} Matrix;

typedef struct Sparse {
    trArena   *arena;
    trBlockLdl ldl;
} Sparse;

static void draw_sizes(trRandom *random, Matrix *m) {
    memset(m, 0, sizeof *m);
    m->nodes = random_int(random, 1, MAX_NODES);
    for (int i = 0; i < m->nodes; i++) {
        m->size[i] = random_int(random, 1, TR_BLOCK_MAX);
    }
}

static void number_unknowns(Matrix *m) {
    m->n = 0;
    for (int i = 0; i < m->nodes; i++) {
        m->first[i] = m->n;
        m->n += m->size[i];
    }
}

static void draw_edges(trRandom *random, Matrix *m) {
    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < i; j++) {
            bool waiting = m->firm[i] && m->firm[j];
            m->edge[i][j] = m->edge[j][i] = !waiting && random_real(random) > 0.2;
        }
    }
}

// Off-diagonal blocks where there are edges; diagonals as large as their rows, with the sign of
// the node: negative for firm ones.
static void draw_values(trRandom *random, Matrix *m) {
    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < m->size[i] * m->size[j]; k++) {
                int    row = m->first[i] + k / m->size[j], column = m->first[j] + k % m->size[j];
                double value = i == j || m->edge[i][j] ? random_real(random) : 0.0;
                if (row > column) {
                    m->at[row][column] = m->at[column][row] = value;
                }
            }
        }
    }
    for (int i = 0; i < m->nodes; i++) {
        for (int row = m->first[i]; row < m->first[i] + m->size[i]; row++) {
            double sum = 1.0;
            for (int j = 0; j < m->n; j++) {
                sum += j == row ? 0.0 : fabs(m->at[row][j]);
            }
            m->at[row][row] = m->firm[i] ? -sum : sum;
        }
    }
}

static Sparse plan(const Matrix *m) {
    Sparse  s = {.arena = tr_arena_create()};
    int     start[MAX_NODES + 1], neighbor[MAX_NODES * MAX_NODES], count = 0;
    trGraph graph = {
        .nodes = m->nodes, .start = start, .neighbor = neighbor, .late = m->firm};
    for (int i = 0; i < m->nodes; i++) {
        start[i] = count;
        for (int j = 0; j < m->nodes; j++) {
            if (m->edge[i][j]) {
                neighbor[count++] = j;
            }
        }
    }
    start[m->nodes] = count;
    assert_int_equal(tr_block_plan(s.arena, &graph, m->size, m->firm, &s.ldl), TR_OK);
    assert_int_equal(s.ldl.n, m->n);
    return s;
}

static void put_values(const Matrix *m, trBlockLdl *ldl) {
    memset(ldl->value, 0, (size_t)ldl->values * sizeof *ldl->value);
    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < m->nodes; j++) {
            if (i != j && !m->edge[i][j]) {
                continue;
            }
            bool    swapped = false;
            double *block = ldl->value + tr_block_find(ldl, i, j, &swapped);
            for (int k = 0; k < m->size[i] * m->size[j]; k++) {
                int row = k / m->size[j], column = k % m->size[j];
                block[swapped ? column * m->size[i] + row : k] =
                    m->at[m->first[i] + row][m->first[j] + column];
            }
        }
    }
}

// From the numbering of nodes to elimination order, or back.
static void reorder(const Matrix *m, const trBlockLdl *ldl, bool back, const double *x, double *y) {
    for (int i = 0; i < m->nodes; i++) {
        for (int k = 0; k < m->size[i]; k++) {
            int mine = m->first[i] + k, theirs = ldl->first[i] + k;
            y[back ? mine : theirs] = x[back ? theirs : mine];
        }
    }
}

static void solve_sparse(const Matrix *m, const trBlockLdl *ldl, const double *right, double *x) {
    double y[MAX_N];
    reorder(m, ldl, false, right, y);
    tr_block_solve(ldl, y);
    reorder(m, ldl, true, y, x);
}

// Gauss with row exchanges; returns the determinant.
static double solve_dense(const Matrix *m, const double *right, double *x) {
    static double at[MAX_N][MAX_N];
    double        determinant = 1.0;
    memcpy(at, m->at, sizeof at);
    memcpy(x, right, (size_t)m->n * sizeof *x);
    for (int k = 0; k < m->n; k++) {
        int best = k;
        for (int i = k; i < m->n; i++) {
            best = fabs(at[i][k]) > fabs(at[best][k]) ? i : best;
        }
        for (int j = 0; j < m->n; j++) {
            double kept = at[k][j];
            at[k][j] = at[best][j];
            at[best][j] = kept;
        }
        double kept = x[k];
        x[k] = x[best];
        x[best] = kept;
        determinant *= best == k ? at[k][k] : -at[k][k];
        for (int i = k + 1; i < m->n; i++) {
            double factor = at[i][k] / at[k][k];
            for (int j = k; j < m->n; j++) {
                at[i][j] -= factor * at[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = m->n - 1; k >= 0; k--) {
        for (int j = k + 1; j < m->n; j++) {
            x[k] -= at[k][j] * x[j];
        }
        x[k] /= at[k][k];
    }
    return determinant;
}

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
        double determinant = solve_dense(m, right, expected);
        put_values(m, &s->ldl);
        assert_int_equal(tr_block_factor(&s->ldl), -1);
        assert_int_equal(s->ldl.dropped, 0);
        solve_sparse(m, &s->ldl, right, x);
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
    (void)state;
    static Matrix m;
    trRandom      random = {5};
    for (int trial = 0; trial < TRIALS; trial++) {
        draw_sizes(&random, &m);
        number_unknowns(&m);
        draw_edges(&random, &m);
        draw_values(&random, &m);
        Sparse s = plan(&m);
        check_solution(&random, &m, &s);
        tr_arena_destroy(s.arena);
    }
}

static void quasidefinite_matrices_are_solved_with_firm_negative_pivots(void **state) {
    (void)state;
    static Matrix m;
    trRandom      random = {6};
    for (int trial = 0; trial < TRIALS; trial++) {
        draw_sizes(&random, &m);
        number_unknowns(&m);
        for (int i = 0; i < m.nodes; i++) {
            m.firm[i] = random_real(&random) > 0.3;
        }
        draw_edges(&random, &m);
        draw_values(&random, &m);
        Sparse s = plan(&m);
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
    number_unknowns(out);
}

static void pairs_of_rows_give_what_the_general_way_gives(void **state) {
    (void)state;
    static Matrix pairs, single, firm;
    trRandom      random = {7};
    for (int trial = 0; trial < TRIALS; trial++) {
        double right[MAX_N], x[MAX_N], y[MAX_N], z[MAX_N];
        memset(&pairs, 0, sizeof pairs);
        pairs.nodes = random_int(&random, 1, MAX_NODES / 2);
        for (int i = 0; i < pairs.nodes; i++) {
            pairs.size[i] = 2;
        }
        number_unknowns(&pairs);
        draw_edges(&random, &pairs);
        draw_values(&random, &pairs);
        draw_vector(&random, pairs.n, right);
        split_nodes(&pairs, &single);
        firm = pairs;
        memset(firm.edge, 0, sizeof firm.edge);  // firm nodes wait for their neighbors
        Sparse a = plan(&pairs), b = plan(&single);
        put_values(&pairs, &a.ldl);
        put_values(&single, &b.ldl);
        assert_int_equal(tr_block_factor(&a.ldl), -1);
        assert_int_equal(tr_block_factor(&b.ldl), -1);
        solve_sparse(&pairs, &a.ldl, right, x);
        solve_sparse(&single, &b.ldl, right, y);
        assert_near(pairs.n, x, y, ROUNDING);
        // And block by block: a firm node never takes the short way.
        Sparse c = plan(&firm);
        put_values(&firm, &c.ldl);
        assert_int_equal(tr_block_factor(&c.ldl), -1);
        solve_sparse(&firm, &c.ldl, right, z);
        for (int i = 0; i < pairs.nodes; i++) {
            firm.firm[i] = true;
        }
        Sparse d = plan(&firm);
        put_values(&firm, &d.ldl);
        assert_int_equal(tr_block_factor(&d.ldl), -1);
        solve_sparse(&firm, &d.ldl, right, y);
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
    draw_sizes(random, m);
    number_unknowns(m);
    for (int i = 0; i < m->nodes; i++) {
        for (int row = m->first[i]; row < m->first[i] + m->size[i]; row++) {
            for (int j = 0; j < width; j++) {
                B[row][i * TR_BLOCK_MAX + j] = random_real(random);
            }
            B[row][i * TR_BLOCK_MAX + row - m->first[i]] += 3.0;
            int before = row - m->first[i];
            if (before > 0 && random_real(random) > 0.5) {  // of two rows of the same node
                int one = random_int(random, 0, before - 1), two = random_int(random, 0, before - 1);
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
    (void)state;
    static Matrix m;
    trRandom      random = {8};
    int           most = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double y[MAX_N], right[MAX_N], x[MAX_N], pivot[MAX_N], by_node[MAX_N];
        int    dependent = draw_deficient(&random, &m), zeros = 0;
        Sparse s = plan(&m);
        draw_vector(&random, m.n, y);
        for (int i = 0; i < m.n; i++) {
            right[i] = 0.0;
            for (int j = 0; j < m.n; j++) {
                right[i] += m.at[i][j] * y[j];
            }
        }
        put_values(&m, &s.ldl);
        for (int i = 0; i < m.nodes; i++) {
            for (int k = 0; k < m.size[i]; k++) {
                s.ldl.limit[s.ldl.first[i] + k] = 1e-8 * m.at[m.first[i] + k][m.first[i] + k];
            }
        }
        assert_int_equal(tr_block_factor(&s.ldl), -1);
        assert_int_equal(s.ldl.dropped, dependent);
        solve_sparse(&m, &s.ldl, right, x);
        tr_block_pivots(&s.ldl, pivot);
        reorder(&m, &s.ldl, true, pivot, by_node);
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
    (void)state;
    static Matrix m;
    memset(&m, 0, sizeof m);
    m.nodes = 1;
    for (int size = 1; size <= TR_BLOCK_MAX; size++) {
        m.size[0] = size;
        number_unknowns(&m);
        for (int i = 0; i < size; i++) {
            m.at[i][i] = 2.0;
        }
        m.at[size - 1][size - 1] = 1.0;
        Sparse s = plan(&m);
        for (int keep = 0; keep < 2; keep++) {
            double x[MAX_N];
            put_values(&m, &s.ldl);
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

// Node 1 waits for node 0. Its last row repeats the one before, so its pivot vanishes; or it is
// zero from the start.
static void a_firm_pivot_that_vanishes_is_reported_by_its_unknown(void **state) {
    (void)state;
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
            number_unknowns(&m);
            draw_values(&random, &m);
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
            Sparse s = plan(&m);
            put_values(&m, &s.ldl);
            assert_int_equal(tr_block_factor(&s.ldl), s.ldl.first[1] + zero);
            tr_arena_destroy(s.arena);
        }
    }
}

static void groups_that_are_too_large_or_empty_are_refused(void **state) {
    (void)state;
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
        cmocka_unit_test(a_firm_pivot_that_vanishes_is_reported_by_its_unknown),
        cmocka_unit_test(groups_that_are_too_large_or_empty_are_refused),
    };
    return cmocka_run_group_tests_name("blockldl", tests, NULL, NULL);
}
