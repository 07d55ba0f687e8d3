// SPDX-License-Identifier: MIT
// What every formulation owes: solutions of M a + A' lambda = F, A a = b on random systems of the
// shapes that occur, a rank, no memory of what was factored before, no heap request.

#include <math.h>
#include <string.h>

#include "formulation/random_equations.h"
#include "support/allocations.h"
#include "support/test.h"

static const Case cases[] = {
    {.name = "free body", .bodies = 2},
    {.name = "few rows", .bodies = 4, .groups = 3, .rows = {2, 1, 2}},
    {.name = "as many rows as columns", .bodies = 3, .groups = 4, .rows = {3, 3, 1, 2}},
    {.name = "large", .bodies = 8, .groups = 9, .rows = {2, 2, 1, 3, 2, 2, 2, 1, 3}},
    {.name = "dependent rows",
     .bodies = 4,
     .groups = 5,
     .rows = {2, 2, 1, 2, 2},
     .copied = 2,
     .needs = TR_COPES_REDUNDANT},
    {.name = "massless columns",
     .bodies = 4,
     .groups = 5,
     .rows = {3, 2, 2, 1, 2},
     .massless = 1,
     .needs = TR_COPES_SINGULAR_MASS},
    {.name = "massless link of a loop",
     .bodies = 4,
     .groups = 4,
     .rows = {2, 2, 2, 2},
     .massless = 1,
     .floating = true,
     .needs = TR_COPES_SINGULAR_MASS},
    {.name = "massless columns and dependent rows",
     .bodies = 5,
     .groups = 6,
     .rows = {3, 2, 3, 2, 3, 2},
     .copied = 2,
     .massless = 1,
     .needs = TR_COPES_SINGULAR_MASS | TR_COPES_REDUNDANT},
    {.name = "free bodies, dense", .bodies = 2, .dense = true, .needs = TR_DENSE},
    {.name = "few rows, dense",
     .bodies = 4,
     .groups = 3,
     .rows = {2, 1, 2},
     .dense = true,
     .needs = TR_DENSE},
    {.name = "as many rows as columns, dense",
     .bodies = 3,
     .groups = 4,
     .rows = {3, 3, 1, 2},
     .dense = true,
     .needs = TR_DENSE},
    {.name = "massless columns and dependent rows, dense",
     .bodies = 5,
     .groups = 6,
     .rows = {3, 2, 3, 2, 3, 2},
     .copied = 2,
     .massless = 1,
     .dense = true,
     .needs = TR_COPES_SINGULAR_MASS | TR_COPES_REDUNDANT | TR_DENSE},
};

// What a formulation is held to: `rounding`, or the error that it states where that is more than
// rounding.
static double allowed(const trFormulationKind *kind, double rounding) {
    return kind->error > 1e-12 ? kind->error : rounding;
}

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// Residuals of a backward stable solution are rounding of the terms that are added. Random systems
// of this size have condition numbers up to 1e3.
static void check_residuals(const trFormulationKind *kind, const char *name, const trEquations *e,
                            const double *a, const double *lambda) {
    double force[MAX_N], reached[MAX_M];
    double size = 1.0 + largest(e->nv, a) + largest(e->m, lambda);
    tr_mass_mul(&e->M, a, force);
    for (int i = 0; i < e->nv; i++) {
        force[i] = e->Q[i] - force[i];
    }
    tr_rows_tmul_sub(&e->A, lambda, force);  // Q - M a - A' lambda
    tr_rows_mul(&e->A, a, reached);
    for (int i = 0; i < e->m; i++) {
        reached[i] -= e->b[i];
    }
    const double within = allowed(kind, 1e-13) * size;
    if (!(largest(e->nv, force) <= within) || !(largest(e->m, reached) <= within)) {
        fail_msg("%s, %s: residuals %.3g and %.3g at size %.3g", kind->name, name,
                 largest(e->nv, force), largest(e->m, reached), size);
    }
}

static int independent_rows(const Case *c) {
    int rows = 0;
    for (int g = 0; g < c->groups - c->copied; g++) {
        rows += c->rows[g];
    }
    return rows;
}

static bool judges_no_rank(const trFormulationKind *kind, void *work) {
    trRank rank = kind->rank(work);
    return rank.unjudged > 0 && rank.unjudged == rank.rank;
}

static void check_rank(const trFormulationKind *kind, void *work, const Case *c, int m) {
    trRank rank = kind->rank(work);
    bool   seen[MAX_M] = {false};
    assert_int_equal(rank.rank + rank.dropped, m);
    assert_int_equal(rank.free_column, -1);
    if (judges_no_rank(kind, work)) {
        assert_true(rank.rank == m && rank.unjudged == m && rank.gap > 1e300 && rank.gap_row == -1);
        return;
    }
    // Rows that hold massless bodies may be kept although they are dependent.
    if (c->massless == 0) {
        assert_int_equal(rank.rank, independent_rows(c));
    }
    for (int i = 0; i < rank.dropped; i++) {
        assert_in_range(rank.rows[i], 0, m - 1);
        assert_false(seen[rank.rows[i]]);
        seen[rank.rows[i]] = true;
    }
    if (rank.rank > 0 && c->massless == 0) {
        assert_true(rank.gap > 1e-8 && rank.gap <= 1.0 + 1e-12);
        assert_in_range(rank.gap_row, 0, m - 1);
    }
}

// A formulation may say at once that it wants a diagonal M. Which of Trammel's own do not is held
// by test_golden.c.
static bool refuses(const Case *c, trStatus status) {
    return c->dense && status == TR_E_UNSUPPORTED;
}

static void try_case(const trFormulationKind *kind, const Case *c) {
    static Problem p, other;
    trArena       *arena = tr_arena_create();
    Random         random = {7};
    void          *work = NULL;
    double         a[MAX_N], lambda[MAX_M], a_again[MAX_N], lambda_again[MAX_M];

    random_lay_out(&p, c);
    random_lay_out(&other, c);
    random_fill(&p, c, &random);
    random_fill(&other, c, &random);
    memcpy(other.mass, p.mass, sizeof p.mass);
    trStatus planned = kind->plan(arena, &p.e, NULL, &work);
    if (refuses(c, planned)) {
        tr_arena_destroy(arena);
        return;
    }
    assert_int_equal(planned, TR_OK);
    tr_arena_seal(arena);

    long before = allocations;
    for (int repeat = 0; repeat < 2; repeat++) {  // a solve must not remember the last one
        trStatus status = kind->factor(work, &other.e);
        if (status == TR_OK) {
            status = kind->solve(work, &other.e, other.Q, other.b, a_again, lambda_again);
        }
        if (status == TR_OK) {
            check_residuals(kind, c->name, &other.e, a_again, lambda_again);
            status = kind->factor(work, &p.e);
        }
        if (status == TR_OK) {
            status = kind->solve(work, &p.e, p.Q, p.b, a_again, lambda_again);
        }
        if (status != TR_OK) {
            fail_msg("%s, %s: %s", kind->name, c->name, tr_last_error());
        }
        if (repeat > 0) {
            assert_memory_equal(a, a_again, (size_t)p.e.nv * sizeof *a);
            assert_memory_equal(lambda, lambda_again, (size_t)p.e.m * sizeof *lambda);
        }
        memcpy(a, a_again, sizeof a);
        memcpy(lambda, lambda_again, sizeof lambda);
    }
    assert_int_equal(allocations, before);
    check_residuals(kind, c->name, &p.e, a, lambda);
    check_rank(kind, work, c, p.e.m);
    tr_arena_destroy(arena);
}

static bool may_take(const trFormulationKind *kind, const Case *c) {
    return (c->needs & ~kind->traits) == 0;
}

static void equations_are_solved_the_same_way_every_time_without_heap_requests(void **state) {
    for (int k = 0; k < tr_formulation_count(); k++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (may_take(tr_formulation_at(k), &cases[i])) {
                try_case(tr_formulation_at(k), &cases[i]);
            }
        }
    }
}

static bool solve_alone(const trFormulationKind *kind, const Case *c, Problem *p, double *a,
                        double *force) {
    trArena *arena = tr_arena_create();
    void    *work = NULL;
    double   lambda[MAX_M];
    trStatus planned = kind->plan(arena, &p->e, NULL, &work);
    if (refuses(c, planned)) {
        tr_arena_destroy(arena);
        return false;
    }
    assert_int_equal(planned, TR_OK);
    assert_int_equal(kind->factor(work, &p->e), TR_OK);
    assert_int_equal(kind->solve(work, &p->e, p->Q, p->b, a, lambda), TR_OK);
    memset(force, 0, (size_t)p->e.nv * sizeof *force);
    tr_rows_tmul_sub(&p->e.A, lambda, force);
    tr_arena_destroy(arena);
    return true;
}

// Both are within rounding times the condition number (up to 1e3 here) of the solution. Of the
// multipliers only A' lambda is compared: with dependent rows they are not unique.
static void formulations_agree_with_the_dense_one(void **state) {
    static Problem           p;
    const trFormulationKind *dense = tr_formulation_find("lagrange_dense");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double a[MAX_N], force[MAX_N], a_dense[MAX_N], force_dense[MAX_N];
        Random random = {11};
        random_lay_out(&p, &cases[i]);
        random_fill(&p, &cases[i], &random);
        assert_true(solve_alone(dense, &cases[i], &p, a_dense, force_dense));
        double size = 1.0 + largest(p.e.nv, a_dense) + largest(p.e.nv, force_dense);
        for (int k = 0; k < tr_formulation_count(); k++) {
            if (!may_take(tr_formulation_at(k), &cases[i]) ||
                !solve_alone(tr_formulation_at(k), &cases[i], &p, a, force)) {
                continue;
            }
            for (int j = 0; j < p.e.nv; j++) {
                const double within = allowed(tr_formulation_at(k), 1e-11) * size;
                if (!(fabs(a[j] - a_dense[j]) <= within) ||
                    !(fabs(force[j] - force_dense[j]) <= within)) {
                    fail_msg("%s, %s: velocity %d: %.17g, %.17g; dense %.17g, %.17g",
                             tr_formulation_at(k)->name, cases[i].name, j, a[j], force[j],
                             a_dense[j], force_dense[j]);
                }
            }
        }
    }
}

static void row_norms_do_not_depend_on_row_scale_and_are_positive(void **state) {
    static Problem p;
    for (int k = 0; k < tr_formulation_count(); k++) {
        const trFormulationKind *kind = tr_formulation_at(k);
        trArena                 *arena = tr_arena_create();
        Random                   random = {3};
        void                    *work = NULL;
        double                   first[MAX_M];
        random_lay_out(&p, &cases[3]);
        random_fill(&p, &cases[3], &random);
        assert_int_equal(kind->plan(arena, &p.e, NULL, &work), TR_OK);
        assert_int_equal(kind->factor(work, &p.e), TR_OK);
        memcpy(first, kind->row_norms(work), (size_t)p.e.m * sizeof *first);
        for (int i = 0; i < p.e.m; i++) {
            assert_true(first[i] > 0.0);
            p.row_scale[i] = 3.0 * sqrt(first[i]);
        }
        p.e.row_scale = p.row_scale;
        assert_int_equal(kind->factor(work, &p.e), TR_OK);
        assert_memory_equal(first, kind->row_norms(work), (size_t)p.e.m * sizeof *first);
        tr_arena_destroy(arena);
    }
}

// A row that is 1e-5 of what it has been at other states is a singular position and is dropped; at
// 1e-3 it counts. Measured by its present norm it would always count.
static void rank_is_decided_by_nominal_row_norms(void **state) {
    static Problem      p;
    static const double shrinks[] = {1e-3, 1e-5};
    const Case         *c = &cases[1];
    for (int k = 0; k < tr_formulation_count(); k++) {
        const trFormulationKind *kind = tr_formulation_at(k);
        for (int i = 0; i < 2; i++) {
            trArena *arena = tr_arena_create();
            Random   random = {5};
            void    *work = NULL;
            random_lay_out(&p, c);
            random_fill(&p, c, &random);
            assert_int_equal(kind->plan(arena, &p.e, NULL, &work), TR_OK);
            assert_int_equal(kind->factor(work, &p.e), TR_OK);
            for (int row = 0; row < p.e.m; row++) {
                p.row_scale[row] = sqrt(kind->row_norms(work)[row]);
            }
            p.e.row_scale = p.row_scale;
            // Group 1 has one row, row 2.
            for (int s = p.group_side[1]; s < p.group_side[2]; s++) {
                for (int j = 0; j < WIDTH; j++) {
                    p.value[p.side_value[s] + j] *= shrinks[i];
                }
            }
            bool takes = i == 0 || (kind->traits & TR_COPES_REDUNDANT) != 0;
            assert_int_equal(kind->factor(work, &p.e), takes ? TR_OK : TR_SINGULAR);
            assert_int_equal(kind->rank(work).dropped, judges_no_rank(kind, work) ? 0 : i);
            if (kind->rank(work).dropped == 1) {
                assert_int_equal(kind->rank(work).rows[0], 2);
            }
            if (!takes) {
                assert_non_null(strstr(tr_last_error(), "constraint row 2 depends on others"));
                assert_int_equal(kind->rank(work).free_column, -1);
            }
            tr_arena_destroy(arena);
        }
    }
}

// Rows that are obeyed and rows that are not, when row m - 1 contradicts others by 1.
static void check_compromise(const trFormulationKind *kind, void *work, const Problem *p,
                             const double *a, const double *lambda) {
    double       off[MAX_M];
    bool         is_dropped[MAX_M] = {false}, obeyed = true;
    const trRank rank = kind->rank(work);
    tr_rows_mul(&p->e.A, a, off);
    for (int i = 0; i < rank.dropped; i++) {
        is_dropped[rank.rows[i]] = true;
    }
    for (int i = 0; i < p->e.m; i++) {
        off[i] -= p->b[i];
        obeyed = obeyed && (is_dropped[i] || fabs(off[i]) <= 1e-11);
    }
    for (int i = 0; i < p->e.m; i++) {
        assert_true(!obeyed || !is_dropped[i] || lambda[i] == 0.0);
    }
    // Where no row is obeyed to the letter the smallest sum of squares is reached: not one row
    // takes the whole contradiction.
    assert_true(obeyed || largest(p->e.m, off) < 0.99);
}

// Dependent rows that ask for different accelerations: M a + A' lambda = Q holds as it is. Either
// rows that are dropped are not obeyed and exert no force, or all give way.
static void rows_that_contradict_others_do_not_disturb_the_balance(void **state) {
    static Problem p;
    const Case    *c = &cases[4];
    for (int k = 0; k < tr_formulation_count(); k++) {
        const trFormulationKind *kind = tr_formulation_at(k);
        trArena                 *arena = tr_arena_create();
        Random                   random = {13};
        void                    *work = NULL;
        double                   a[MAX_N], lambda[MAX_M], residual[MAX_N];
        if ((kind->traits & TR_COPES_REDUNDANT) == 0) {
            tr_arena_destroy(arena);
            continue;
        }
        random_lay_out(&p, c);
        random_fill(&p, c, &random);
        p.b[p.e.m - 1] += 1.0;
        assert_int_equal(kind->plan(arena, &p.e, NULL, &work), TR_OK);
        assert_int_equal(kind->factor(work, &p.e), TR_OK);
        assert_int_equal(kind->solve(work, &p.e, p.Q, p.b, a, lambda), TR_OK);
        tr_mass_mul(&p.e.M, a, residual);
        for (int i = 0; i < p.e.nv; i++) {
            residual[i] = p.Q[i] - residual[i];
        }
        tr_rows_tmul_sub(&p.e.A, lambda, residual);
        double size = 1.0 + largest(p.e.nv, a) + largest(p.e.m, lambda);
        if (!(largest(p.e.nv, residual) <= allowed(kind, 1e-13) * size)) {
            fail_msg("%s: %.3g is left of Q at size %.3g", kind->name, largest(p.e.nv, residual),
                     size);
        }
        check_compromise(kind, work, &p, a, lambda);
        tr_arena_destroy(arena);
    }
}

// Rows that repeat others, in formulations that need independent ones: an error that names one.
static void dependent_rows_are_refused_by_those_that_cannot_take_them(void **state) {
    static Problem p;
    int            refused = 0;
    for (int k = 0; k < tr_formulation_count(); k++) {
        const trFormulationKind *kind = tr_formulation_at(k);
        if ((kind->traits & TR_COPES_REDUNDANT) != 0) {
            continue;
        }
        trArena *arena = tr_arena_create();
        Random   random = {13};
        void    *work = NULL;
        random_lay_out(&p, &cases[4]);
        random_fill(&p, &cases[4], &random);
        assert_int_equal(kind->plan(arena, &p.e, NULL, &work), TR_OK);
        assert_int_equal(kind->factor(work, &p.e), TR_SINGULAR);
        assert_non_null(strstr(tr_last_error(), kind->name));
        assert_non_null(strstr(tr_last_error(), "depends on others"));
        assert_int_equal(kind->rank(work).dropped, 4);
        assert_int_equal(kind->rank(work).free_column, -1);
        tr_arena_destroy(arena);
        refused++;
    }
    assert_true(refused > 0);
}

// The last body has no mass and only one of its three directions is held.
static void motion_without_inertia_is_reported(void **state) {
    static Problem p;
    const Case     c = {.bodies = 3, .groups = 2, .rows = {1, 1}, .massless = 1};
    for (int k = 0; k < tr_formulation_count(); k++) {
        const trFormulationKind *kind = tr_formulation_at(k);
        trArena                 *arena = tr_arena_create();
        Random                   random = {9};
        void                    *work = NULL;
        random_lay_out(&p, &c);
        random_fill(&p, &c, &random);
        trStatus status = kind->plan(arena, &p.e, NULL, &work);
        if (status == TR_OK) {
            status = kind->factor(work, &p.e);
        }
        if ((kind->traits & TR_COPES_SINGULAR_MASS) != 0) {
            assert_int_equal(status, TR_SINGULAR);
            assert_non_null(strstr(tr_last_error(), "inertia"));
            assert_in_range(kind->rank(work).free_column, 6, 8);
        } else {
            assert_true(status != TR_OK);
        }
        tr_arena_destroy(arena);
    }
}

static void formulations_are_found_by_name(void **state) {
    for (int k = 0; k < tr_formulation_count(); k++) {
        const trFormulationKind *kind = tr_formulation_at(k);
        assert_ptr_equal(tr_formulation_find(kind->name), kind);
        assert_true(strlen(kind->summary) > 0 && strlen(kind->source) > 0);
    }
    assert_null(tr_formulation_find("magic"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_are_solved_the_same_way_every_time_without_heap_requests),
        cmocka_unit_test(formulations_agree_with_the_dense_one),
        cmocka_unit_test(row_norms_do_not_depend_on_row_scale_and_are_positive),
        cmocka_unit_test(rank_is_decided_by_nominal_row_norms),
        cmocka_unit_test(rows_that_contradict_others_do_not_disturb_the_balance),
        cmocka_unit_test(dependent_rows_are_refused_by_those_that_cannot_take_them),
        cmocka_unit_test(motion_without_inertia_is_reported),
        cmocka_unit_test(formulations_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
