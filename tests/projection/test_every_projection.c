// SPDX-License-Identifier: MIT
// What every projection owes, with every formulation: it ends on the constraints and stays there,
// leaves states alone that are consistent, says which row it cannot satisfy. With W = M it never
// adds kinetic energy. Kinds that pick their steps themselves (test_held.c says how) do without a
// metric and without a formulation; some of them hold velocities alone.

#include <math.h>
#include <string.h>

#include "formulation/golden.h"
#include "projection/held.h"
#include "support/allocations.h"
#include "support/test.h"

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

// Sparse formulations want a diagonal metric; W = I always is, and positive definite.
static bool takes(const trFormulationKind *formulation, const trProjectionKind *kind,
                  const Golden *g) {
    if (kind->pick != NULL) {  // the formulation plays no part: one is enough
        return formulation == tr_formulation_at(0);
    }
    bool metric = kind->weight == TR_WEIGHT_IDENTITY ||
                  ((g->diagonal || (formulation->traits & TR_DENSE) != 0) &&
                   (g->q_M != NULL || (formulation->traits & TR_COPES_SINGULAR_MASS) != 0));
    return metric && (g->rank == g->m || (formulation->traits & TR_COPES_REDUNDANT) != 0);
}

// What a correction may leave of itself: the error that a formulation states.
static double left_of(const trFormulationKind *formulation, double correction) {
    return formulation->error > 1e-12 ? formulation->error * correction : 0.0;
}

static double left_by(const trFormulationKind *formulation, const trProjectionKind *kind,
                      double correction) {
    return kind->pick == NULL ? left_of(formulation, correction) : 0.0;
}

typedef void Check(const trFormulationKind *formulation, const trProjectionKind *kind,
                   const Golden *g);

static void for_all(Check *check) {
    for (int i = 0; i < tr_projection_count(); i++) {
        for (int k = 0; k < tr_formulation_count(); k++) {
            for (int j = 0; j < golden_count(); j++) {
                if (takes(tr_formulation_at(k), tr_projection_at(i), golden_at(j))) {
                    check(tr_formulation_at(k), tr_projection_at(i), golden_at(j));
                }
            }
        }
    }
}

typedef struct Setting {
    GoldenSystem system;
    trArena     *arena;
    trProjector  projector;
    double       q[GOLDEN_N], v[GOLDEN_N];
} Setting;

// Kinds that pick keep what they chose at an accepted state, and its rank with it. Redundant rows
// are independent far off the constraints, and contradict each other, so the state comes nearer;
// all the way where positions stay as they are.
static void accept_before(Setting *s, const Golden *g) {
    const double near = s->projector.kind->velocities_only ? 0.0 : 0.01;
    for (int i = 0; g->rank < g->m && i < g->n; i++) {
        s->q[i] = g->q[i] + near * (s->q[i] - g->q[i]);
    }
    assert_int_equal(
        tr_projector_accept(&s->projector, golden_equations(&s->system, g->t, g->q, g->v)), TR_OK);
}

static void begin(Setting *s, const trFormulationKind *formulation, const trProjectionKind *kind,
                  const Golden *g, const double *q, const double *v) {
    golden_begin(&s->system, g);
    s->arena = tr_arena_create();
    assert_int_equal(tr_projector_plan(s->arena, kind, formulation, NULL, &s->system.equations,
                                       NULL, &s->projector),
                     TR_OK);
    tr_arena_seal(s->arena);
    memcpy(s->q, q, (size_t)g->n * sizeof *q);
    memcpy(s->v, v, (size_t)g->n * sizeof *v);
    if (kind->pick != NULL) {
        accept_before(s, g);
    }
}

// A formulation that drops no rows may be lost off the constraints, where redundant rows contradict
// each other: it says which.
static bool is_lost(const Setting *s, const trFormulationKind *formulation, trStatus status) {
    const Golden *g = s->system.golden;
    return status == TR_SINGULAR && s->projector.kind->pick == NULL && g->rank < g->m &&
           (formulation->traits & TR_JUDGES_NO_RANK) != 0 &&
           strstr(tr_last_error(), "constraint row ") != NULL;
}

static trStatus try_project(Setting *s, const trFormulationKind *formulation) {
    const Golden *g = s->system.golden;
    trStatus      status = tr_project(&s->projector, &s->system.manifold, g->t, s->q, s->v, NULL);
    if (status != TR_OK && !is_lost(s, formulation, status)) {
        fail_msg("%s, %s, %s: %s", formulation->name, s->projector.kind->name, g->name,
                 tr_last_error());
    }
    return status;
}

static void project(Setting *s, const trFormulationKind *formulation) {
    assert_int_equal(try_project(s, formulation), TR_OK);
}

static void check_result(const trFormulationKind *formulation, const trProjectionKind *kind,
                         const Golden *g) {
    static Setting s;
    double         q[GOLDEN_N], v[GOLDEN_N], reached[GOLDEN_M];
    begin(&s, formulation, kind, g, g->q_off, g->v_off);
    memcpy(q, s.q, sizeof q);
    long     before = allocations;
    trStatus status = try_project(&s, formulation);
    assert_int_equal(allocations, before);
    if (status != TR_OK) {
        tr_arena_destroy(s.arena);
        return;
    }
    bool moves = g->holonomic && !kind->velocities_only;
    assert_true(moves ? largest_difference(g->n, s.q, q) > 1e-6
                      : memcmp(s.q, q, (size_t)g->n * sizeof *s.q) == 0);
    assert_true(largest_difference(g->n, s.v, g->v_off) > 1e-6);

    const trEquations *e = golden_equations(&s.system, g->t, s.q, s.v);
    tr_rows_mul(&e->A, s.v, reached);
    assert_true(!moves || largest(g->m, e->phi) <= 1e-12 * (1.0 + largest(g->n, s.q)));
    double left = left_by(formulation, kind, largest_difference(g->n, s.v, g->v_off));
    double within = 2e-14 * (1.0 + largest(g->n, s.v)) + left;
    if (!(largest_difference(g->m, reached, e->b1) <= within)) {
        fail_msg("%s, %s, %s: A v is off by %.3g, allowed %.3g", formulation->name, kind->name,
                 g->name, largest_difference(g->m, reached, e->b1), within);
    }

    // Once more: both stay, to rounding.
    memcpy(q, s.q, sizeof q);
    memcpy(v, s.v, sizeof v);
    project(&s, formulation);
    assert_true(largest_difference(g->n, q, s.q) <= 1e-14 * (1.0 + largest(g->n, q)));
    assert_true(largest_difference(g->n, v, s.v) <= 1e-13 * (1.0 + largest(g->n, v)) + left);
    tr_arena_destroy(s.arena);
}

static void results_satisfy_the_constraints_and_stay_without_heap_requests(void **state) {
    for_all(check_result);
}

// The tables hold consistent states; what is changed is their rounding.
static void check_tangent(const trFormulationKind *formulation, const trProjectionKind *kind,
                          const Golden *g) {
    static Setting s;
    begin(&s, formulation, kind, g, g->q, g->v);
    project(&s, formulation);
    assert_memory_equal(g->q, s.q, (size_t)g->n * sizeof *g->q);
    assert_true(largest_difference(g->n, g->v, s.v) <= 1e-13 * (1.0 + largest(g->n, g->v)));
    assert_int_equal(s.projector.iterations, 0);
    tr_arena_destroy(s.arena);
}

static void consistent_states_are_left_alone(void **state) {
    for_all(check_tangent);
}

static double kinetic_energy(const trEquations *e, const double *v) {
    double momentum[GOLDEN_N], sum = 0.0;
    tr_mass_mul(&e->M, v, momentum);
    for (int i = 0; i < e->nv; i++) {
        sum += 0.5 * momentum[i] * v[i];
    }
    return sum;
}

// What is lost is the energy of the correction, T(v + dv) = T(v) - T(dv): it is orthogonal, in the
// metric M, to motions that the constraints allow. True where they do not depend on time.
static void check_energy(const trFormulationKind *formulation, const trProjectionKind *kind,
                         const Golden *g) {
    static Setting s;
    double         dv[GOLDEN_N];
    if (kind->weight != TR_WEIGHT_MASS || g->b1 != NULL) {
        return;
    }
    begin(&s, formulation, kind, g, g->q, g->v_off);
    double before = kinetic_energy(&s.system.equations, s.v);
    assert_int_equal(tr_project_velocity(&s.projector, &s.system.manifold, g->t, s.q, s.v), TR_OK);
    for (int i = 0; i < g->n; i++) {
        dv[i] = s.v[i] - g->v_off[i];
    }
    double after = kinetic_energy(&s.system.equations, s.v);
    double lost = kinetic_energy(&s.system.equations, dv);
    // A singular mass matrix may give the whole correction no energy.
    assert_true(g->q_M == NULL || (lost > 0.0 && after < before));
    assert_true(fabs(before - after - lost) <= 1e-13 * before + left_of(formulation, before));
    tr_arena_destroy(s.arena);
}

static void mass_orthogonal_corrections_lose_their_own_energy(void **state) {
    for_all(check_energy);
}

static void rows_on_velocities_alone_do_not_move_positions(void **state) {
    static Setting s;
    for (int j = 0; j < golden_count(); j++) {
        const Golden *g = golden_at(j);
        if (g->holonomic) {
            continue;
        }
        begin(&s, tr_formulation_find("lagrange_dense"), tr_projection_find("direct"), g, g->q_off,
              g->v_off);
        project(&s, tr_formulation_find("lagrange_dense"));
        assert_memory_equal(g->q_off, s.q, (size_t)g->n * sizeof *g->q_off);
        tr_arena_destroy(s.arena);
    }
}

// A made-up manifold of one body with up to three rows, each on one column.
typedef struct Maker {
    trEquations e;
    double      value[9], phi[3], b1[3];
    bool        holonomic[3];
    int         evaluations;
    void (*phi_of)(const double *q, double *phi, double *value);
} Maker;

static trStatus make(void *context, double t, const double *q, const double *v,
                     const trEquations **out) {
    Maker *maker = context;
    (void)t;
    (void)v;
    maker->evaluations++;
    maker->phi_of(q, maker->phi, maker->value);
    *out = &maker->e;
    return TR_OK;
}

static void move(void *context, const double *dv, double *q) {
    (void)context;
    for (int i = 0; i < 3; i++) {
        q[i] += dv[i];
    }
}

static const int    one_group[2] = {0, 2}, one_side[2] = {0, 1}, at_zero[1] = {0}, three[1] = {3};
static const double unit_mass[3] = {1.0, 1.0, 1.0};

static void begin_maker(Maker *maker, void (*phi_of)(const double *, double *, double *)) {
    *maker = (Maker){.holonomic = {true, true, true}, .phi_of = phi_of};
    maker->e = (trEquations){
        .nv = 3,
        .m = 2,
        .M = {.n = 3, .diagonal = unit_mass},
        .A = {.m = 2,
              .n = 3,
              .groups = 1,
              .group_row = one_group,
              .group_side = one_side,
              .side_column = at_zero,
              .side_width = three,
              .side_value = at_zero,
              .value = maker->value},
        .b1 = maker->b1,
        .phi = maker->phi,
        .holonomic = maker->holonomic,
        .rank_tolerance = 1e-4,
    };
}

// x = 0 and x = 0.001: the rows depend on each other and contradict.
static void contradiction(const double *q, double *phi, double *value) {
    phi[0] = q[0];
    phi[1] = 2.0 * (q[0] - 0.001);
    value[0] = 1.0;
    value[3] = 2.0;
}

// y = 0 and x^2 + 1 = 0, which has no solution.
static void nowhere(const double *q, double *phi, double *value) {
    phi[0] = q[1];
    phi[1] = q[0] * q[0] + 1.0;
    value[1] = 1.0;
    value[3] = 2.0 * q[0];
}

static void no_number(const double *q, double *phi, double *value) {
    phi[0] = q[1];
    phi[1] = (double)NAN;
    value[1] = 1.0;
    value[3] = 1.0;
}

// Rows that depend on each other, or vanish, may be as far as it can go; they are named.
static bool is_as_far_as_it_can_go(const trProjector *p, trStatus status) {
    const unsigned pose = TR_COPES_REDUNDANT | TR_COPES_SINGULAR_POSE;
    if (status != TR_SINGULAR) {
        return false;
    }
    if (p->kind->pick != NULL) {
        assert_in_range(p->held->lost_row, 0, 1);
        return (p->kind->traits & TR_COPES_SINGULAR_POSE) == 0;
    }
    assert_non_null(strstr(tr_last_error(), "constraint row "));
    return (p->own.kind->traits & pose) != pose;
}

static void assert_hopeless(void (*phi_of)(const double *, double *, double *), double start,
                            int row_expected, int evaluations) {
    for (int i = 0; i < tr_projection_count(); i++) {
        const bool picks = tr_projection_at(i)->pick != NULL;
        for (int k = 0; k < (picks ? 1 : tr_formulation_count()); k++) {
            if (tr_projection_at(i)->velocities_only) {
                continue;
            }
            Maker       maker;
            trProjector p;
            trArena    *arena = tr_arena_create();
            double      q[3] = {start, 0.2, 0.3}, v[3] = {0.0, 0.0, 0.0};
            int         worst = -1;
            begin_maker(&maker, phi_of);
            trManifold manifold = {3, 3, &maker, make, move, NULL};
            assert_int_equal(tr_projector_plan(arena, tr_projection_at(i), tr_formulation_at(k),
                                               NULL, &maker.e, NULL, &p),
                             TR_OK);
            trStatus status = tr_project(&p, &manifold, 0.0, q, v, &worst);
            if (is_as_far_as_it_can_go(&p, status)) {
                tr_arena_destroy(arena);
                continue;
            }
            assert_int_equal(status, TR_NO_CONVERGENCE);
            assert_true(row_expected < 0 || worst == row_expected);
            assert_in_range(worst, 0, 1);
            assert_true(maker.evaluations <= evaluations);
            assert_non_null(strstr(tr_last_error(), worst == 0 ? "row 0" : "row 1"));
            tr_arena_destroy(arena);
        }
    }
}

static void rows_that_cannot_be_satisfied_are_named(void **state) {
    // The first step satisfies one row; five more that change nothing are enough to see it.
    assert_hopeless(contradiction, 0.5, -1, 8);
    assert_hopeless(nowhere, 0.7, 1, 26);
    assert_hopeless(no_number, 0.7, 1, 1);
}

// x = 0 and z = 0, with a stamp that never changes: A is constant.
static void plane(const double *q, double *phi, double *value) {
    phi[0] = q[0];
    phi[1] = q[2];
    value[0] = 1.0;
    value[5] = 1.0;
}

static void a_shared_kernel_is_not_factored_twice_for_equal_stamps(void **state) {
    for (int k = 0; k < tr_formulation_count(); k++) {
        Maker       maker;
        trProjector p;
        trArena    *arena = tr_arena_create();
        trKernel    kernel = {.kind = tr_formulation_at(k)};
        double      q[3] = {0.1, 0.2, 0.3}, v[3] = {1.0, 2.0, 3.0};
        begin_maker(&maker, plane);
        maker.e.stamp = 1;
        trManifold manifold = {3, 3, &maker, make, move, NULL};
        assert_int_equal(kernel.kind->plan(arena, &maker.e, NULL, &kernel.work), TR_OK);
        assert_int_equal(tr_projector_plan(arena, tr_projection_find("mass_orthogonal"),
                                           kernel.kind, &kernel, &maker.e, NULL, &p),
                         TR_OK);
        assert_int_equal(tr_project(&p, &manifold, 0.0, q, v, NULL), TR_OK);
        assert_int_equal(kernel.factorizations, 1);
        // Rows along axes and masses of one: those that are exact are so to the last digit or two.
        const double within = 4e-16 + left_of(kernel.kind, 3.0);
        assert_true(p.iterations == 1 || (within > 1e-12 && p.iterations == 2));
        assert_true(fabs(q[0]) <= within && fabs(q[1] - 0.2) <= within && fabs(q[2]) <= within);
        assert_true(fabs(v[0]) <= 4.0 * within && fabs(v[1] - 2.0) <= 4.0 * within &&
                    fabs(v[2]) <= 4.0 * within);
        tr_arena_destroy(arena);
    }
}

// Rows are 1 and 2 long at first, then, where the state is accepted, 3 and 1.
static double stretch[2];

static void stretched(const double *q, double *phi, double *value) {
    phi[0] = stretch[0] * q[0];
    phi[1] = stretch[1] * q[2];
    value[0] = stretch[0];
    value[5] = stretch[1];
}

static void nominal_row_norms_grow_when_states_are_accepted_only(void **state) {
    // The dense kernel measures rows in M + a^2 A'A, so that norms of 1 and 2 become different
    // numbers; what counts is that they grow and never shrink.
    for (int k = 0; k < tr_formulation_count(); k++) {
        Maker       maker;
        trProjector p;
        trArena    *arena = tr_arena_create();
        double      q[3] = {0.1, 0.2, 0.3}, v[3] = {1.0, 2.0, 3.0}, first[2];
        begin_maker(&maker, stretched);
        trManifold manifold = {3, 3, &maker, make, move, NULL};
        assert_int_equal(tr_projector_plan(arena, tr_projection_find("direct"),
                                           tr_formulation_at(k), NULL, &maker.e, NULL, &p),
                         TR_OK);
        stretch[0] = 1.0;
        stretch[1] = 2.0;
        assert_int_equal(tr_project_velocity(&p, &manifold, 0.0, q, v), TR_OK);
        memcpy(first, p.row_scale, sizeof first);
        assert_true(first[0] > 0.0 && first[1] > first[0]);
        for (int i = 0; i < 2; i++) {
            double squared = p.kernel->kind->row_norms(p.kernel->work)[i];
            assert_true(fabs(first[i] * first[i] - squared) <= 1e-15 * squared);
        }

        stretch[0] = 3.0;
        stretch[1] = 1.0;
        assert_int_equal(tr_project_velocity(&p, &manifold, 0.0, q, v), TR_OK);
        assert_memory_equal(first, p.row_scale, sizeof first);
        assert_int_equal(tr_projector_accept(&p, &maker.e), TR_OK);
        assert_true(p.row_scale[0] > first[0] && p.row_scale[1] == first[1]);
        tr_arena_destroy(arena);
    }
}

static void projections_are_found_by_name(void **state) {
    for (int i = 0; i < tr_projection_count(); i++) {
        const trProjectionKind *kind = tr_projection_at(i);
        assert_ptr_equal(tr_projection_find(kind->name), kind);
        assert_true(strlen(kind->summary) > 0 && strlen(kind->source) > 0);
    }
    assert_null(tr_projection_find("none"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_satisfy_the_constraints_and_stay_without_heap_requests),
        cmocka_unit_test(consistent_states_are_left_alone),
        cmocka_unit_test(mass_orthogonal_corrections_lose_their_own_energy),
        cmocka_unit_test(rows_on_velocities_alone_do_not_move_positions),
        cmocka_unit_test(rows_that_cannot_be_satisfied_are_named),
        cmocka_unit_test(a_shared_kernel_is_not_factored_twice_for_equal_stamps),
        cmocka_unit_test(nominal_row_norms_grow_when_states_are_accepted_only),
        cmocka_unit_test(projections_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
