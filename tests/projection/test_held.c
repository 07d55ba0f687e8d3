// SPDX-License-Identifier: MIT
// Projections that hold rows B over steps: basis, frozen and partition. A step satisfies A with
// B step = 0, for the B of the last accepted state; each kind renews B by a rule of its own.
// Positions answer to holonomic rows alone. Where B is no complement any more, a row is named.

#include <math.h>
#include <string.h>

#include "basis/basis.h"
#include "formulation/golden.h"
#include "projection/held.h"
#include "support/test.h"

static const char *const kinds[] = {"basis", "frozen", "partition"};
#define KINDS (int)(sizeof kinds / sizeof *kinds)

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static trProjector *plan(trArena *arena, const char *kind, const char *basis,
                         const trEquations *e) {
    const trParam one[] = {TR_WORD("basis", basis), {0}}, *given = basis != NULL ? one : NULL;
    trProjector  *p = tr_new(arena, trProjector);
    assert_non_null(p);
    assert_int_equal(tr_projector_plan(arena, tr_projection_find(kind),
                                       tr_formulation_find("lagrange_dense"), NULL, e, given, p),
                     TR_OK);
    return p;
}

static trStatus step(trProjector *p, const trEquations *e, bool positions, const double *right,
                     double *out) {
    return tr_held_step(p->held, e, positions, right, out);
}

static int64_t renewals(const trProjector *p) {
    return p->held->renewals;
}

// --- steps, on the golden systems ---

// right = b1 - A v
static void gap(const trEquations *e, const double *v, double *right) {
    tr_rows_mul(&e->A, v, right);
    for (int i = 0; i < e->m; i++) {
        right[i] = e->b1[i] - right[i];
    }
}

typedef struct Stepped {
    GoldenSystem system;
    trArena     *arena;
    trProjector *p;
    double       dv[GOLDEN_N];
} Stepped;

// frozen measures steps by nominal masses: by M where it is diagonal, else by one mass for all.
static bool is_by_mass(const char *kind, const Golden *g) {
    static GoldenSystem system;
    golden_begin(&system, g);
    const trMass *M = &golden_equations(&system, g->t, g->q, g->v_off)->M;
    bool          diagonal = true;
    for (int k = 0; M->dense != NULL && k < M->n * M->n; k++) {
        diagonal = diagonal && (k % M->n == k / M->n || M->dense[k] == 0.0);
    }
    return diagonal && strcmp(kind, "frozen") == 0;
}

// Bodies without mass have one that their rows give, which is not tabulated.
static bool is_tabulated(const char *kind, const Golden *g) {
    return !is_by_mass(kind, g) || g->v_M != NULL;
}

static const double *nearest_q(const char *kind, const Golden *g) {
    return is_by_mass(kind, g) && g->q_M != NULL ? g->q_M : g->q_I;
}

// B is chosen at `accepted`, the velocities v_off are then corrected at the nearest positions.
static void correct(Stepped *s, const char *kind, const char *basis, const Golden *g,
                    const double *accepted) {
    double right[GOLDEN_M], left[GOLDEN_M];
    golden_begin(&s->system, g);
    s->arena = tr_arena_create();
    s->p = plan(s->arena, kind, basis, &s->system.equations);
    const trEquations *e = golden_equations(&s->system, g->t, accepted, g->v_off);
    assert_int_equal(tr_projector_accept(s->p, e), TR_OK);
    e = golden_equations(&s->system, g->t, nearest_q(kind, g), g->v_off);
    gap(e, g->v_off, right);
    assert_int_equal(step(s->p, e, false, right, s->dv), TR_OK);
    tr_rows_mul(&e->A, s->dv, left);
    for (int i = 0; i < g->m; i++) {
        left[i] -= right[i];
    }
    // Rounding, times the condition of [A; B], which is below 100 on all of these.
    if (!(largest(g->m, left) <= 1e-13 * (1.0 + largest(g->n, g->v_off)))) {
        fail_msg("%s %s, %s: A v is off by %.3g", kind, basis != NULL ? basis : "", g->name,
                 largest(g->m, left));
    }
}

// With B orthogonal to the rows of A, both at one state, a step has no part along B: it is the
// smallest there is, which is tabulated.
static void assert_smallest(const char *kind, const char *basis, const Golden *g) {
    static Stepped s;
    if (!is_tabulated(kind, g)) {
        return;
    }
    const double *v = is_by_mass(kind, g) ? g->v_M : g->v_I;
    correct(&s, kind, basis, g, nearest_q(kind, g));
    for (int i = 0; i < g->n; i++) {
        double difference = g->v_off[i] + s.dv[i] - v[i];
        if (!(fabs(difference) <= 1e-12 * (1.0 + largest(g->n, v)))) {
            fail_msg("%s %s, %s: v[%d] differs by %.3g from the nearest", kind,
                     basis != NULL ? basis : "", g->name, i, difference);
        }
    }
    tr_arena_destroy(s.arena);
}

static void steps_with_an_orthogonal_complement_are_the_smallest(void **state) {
    for (int j = 0; j < golden_count(); j++) {
        assert_smallest("frozen", NULL, golden_at(j));
        assert_smallest("basis", NULL, golden_at(j));
        for (int k = 0; k < tr_basis_count(); k++) {
            if (!tr_basis_at(k)->extracts) {
                assert_smallest("basis", tr_basis_at(k)->name, golden_at(j));
            }
        }
    }
}

// What is free at q of `step`: what the kind's metric leaves of it as a velocity, where b1 = 0.
static double free_part(const char *kind, const Golden *g, const double *along) {
    static GoldenSystem system;
    double              v[GOLDEN_N], q[GOLDEN_N];
    trArena            *arena = tr_arena_create();
    golden_begin(&system, g);
    memcpy(v, along, (size_t)g->n * sizeof *v);
    memcpy(q, g->q, (size_t)g->n * sizeof *q);
    const char  *nearest = is_by_mass(kind, g) ? "mass_orthogonal" : "direct";
    trProjector *p = plan(arena, nearest, NULL, &system.equations);
    assert_int_equal(tr_project_velocity(p, &system.manifold, g->t, q, v), TR_OK);
    tr_arena_destroy(arena);
    return largest(g->n, v);
}

// B is that of the last accepted state, q, while A is that of q_I, 0.001 to 0.01 away.
static void steps_have_no_part_along_what_is_held(void **state) {
    static Stepped s;
    bool           apart = false;
    for (int j = 0; j < golden_count(); j++) {
        const Golden *g = golden_at(j);
        if (g->b1 != NULL) {
            continue;
        }
        for (int i = 0; i < 2 && is_tabulated(kinds[i], g); i++) {
            correct(&s, kinds[i], NULL, g, g->q);
            assert_true(free_part(kinds[i], g, s.dv) <= 1e-13 * (1.0 + largest(g->n, s.dv)));
            tr_arena_destroy(s.arena);
        }
        // Chosen at q_I instead, the step has such a part: the test can tell.
        correct(&s, "basis", NULL, g, g->q_I);
        apart |= free_part("basis", g, s.dv) > 1e-8;
        tr_arena_destroy(s.arena);
    }
    assert_true(apart);
}

static int count_zeros(int n, const double *x) {
    int zeros = 0;
    for (int i = 0; i < n; i++) {
        zeros += fabs(x[i]) <= 1e-15 ? 1 : 0;
    }
    return zeros;
}

static void independent_coordinates_are_left_alone(void **state) {
    static Stepped s;
    for (int j = 0; j < golden_count(); j++) {
        const Golden *g = golden_at(j);
        correct(&s, "partition", NULL, g, g->q);
        assert_true(count_zeros(g->n, s.dv) >= g->n - g->rank);
        tr_arena_destroy(s.arena);
        correct(&s, "basis", "extraction", g, g->q);
        assert_true(count_zeros(g->n, s.dv) >= g->n - g->rank);
        tr_arena_destroy(s.arena);
    }
}

// --- renewal, on rows made up: two rows on three columns ---

typedef struct Rows {
    trEquations e;
    double      value[6], zero[2];
    bool        holonomic[2];
} Rows;

static const int    one_group[2] = {0, 2}, one_side[2] = {0, 1}, at_zero[1] = {0}, three[1] = {3};
static const double unit_mass[3] = {1.0, 1.0, 1.0};

static void begin_rows(Rows *r, const double value[6]) {
    *r = (Rows){.holonomic = {true, true}};
    memcpy(r->value, value, sizeof r->value);
    r->e = (trEquations){
        .nv = 3,
        .m = 2,
        .M = {.n = 3, .diagonal = unit_mass},
        .A = {2, 3, 1, one_group, one_side, at_zero, three, at_zero, r->value},
        .b1 = r->zero,
        .phi = r->zero,
        .holonomic = r->holonomic,
        .rank_tolerance = 1e-4,
    };
}

// The free motion of z' = 0 and cos(angle) x' + sin(angle) y' = 0 is turned by `angle`.
static void turn(Rows *r, double angle) {
    begin_rows(r, (const double[6]){cos(angle), sin(angle), 0.0, 0.0, 0.0, 1.0});
}

// Whether B is renewed at `angle` after it was chosen at `first`.
static bool is_renewed(const char *kind, double first, double angle) {
    Rows     r;
    trArena *arena = tr_arena_create();
    turn(&r, first);
    trProjector *p = plan(arena, kind, NULL, &r.e);
    assert_int_equal(tr_projector_accept(p, &r.e), TR_OK);
    assert_int_equal(renewals(p), 1);
    turn(&r, angle);
    assert_int_equal(tr_projector_accept(p, &r.e), TR_OK);
    bool renewed = renewals(p) == 2;
    // Renewed or not, what is kept is a choice that the same state leaves alone.
    bool again = strcmp(kind, "basis") == 0;
    assert_int_equal(tr_projector_accept(p, &r.e), TR_OK);
    assert_int_equal(renewals(p), 1 + (renewed ? 1 : 0) + (again ? 1 : 0));
    tr_arena_destroy(arena);
    return renewed;
}

// acos(0.9) = 0.451
static void a_frozen_basis_is_renewed_where_the_cosine_falls_below_nine_tenths(void **state) {
    const double border = acos(0.9);
    for (double first = -2.0; first < 2.0; first += 0.37) {
        assert_false(is_renewed("frozen", first, first + border - 1e-6));
        assert_true(is_renewed("frozen", first, first + border + 1e-6));
        assert_false(is_renewed("frozen", first, first - border + 1e-6));
        assert_true(is_renewed("frozen", first, first - border - 1e-6));
    }
    assert_true(is_renewed("basis", 0.3, 0.3));
}

// y is free with N_yy = cos^2, x with N_xx = sin^2: until the one in use has less than 0.8 of the
// other.
static void a_partition_is_renewed_where_other_coordinates_are_clearly_better(void **state) {
    const double border = atan(sqrt(1.0 / 0.8));
    for (double first = 0.0; first < 0.75; first += 0.1) {
        assert_false(is_renewed("partition", first, border - 1e-6));
        assert_true(is_renewed("partition", first, border + 1e-6));
    }
    assert_false(is_renewed("partition", 1.2, atan(sqrt(0.8)) + 1e-6));
    assert_true(is_renewed("partition", 1.2, atan(sqrt(0.8)) - 1e-6));
}

// The same with y in a unit 1000 times as small, its mass 1e-6 of what it was.
static void a_partition_does_not_depend_on_units(void **state) {
    static const double in_meters[3] = {1.0, 1.0, 1.0}, in_mixed[3] = {1.0, 1e-6, 1.0};
    static const int    measure[3] = {1, 2, 1};
    const double        right[2] = {0.1, 0.2};
    for (double angle = -1.5; angle < 1.5; angle += 0.1) {
        Rows     r;
        double   one[3], other[3];
        trArena *arena = tr_arena_create();
        for (int k = 0; k < 2; k++) {
            turn(&r, angle);
            r.value[1] *= k == 0 ? 1.0 : 1e-3;
            r.e.M.diagonal = k == 0 ? in_meters : in_mixed;
            r.e.measure = measure;
            for (int i = 1; i < KINDS; i++) {
                trProjector *p = plan(arena, kinds[i], NULL, &r.e);
                assert_int_equal(tr_projector_accept(p, &r.e), TR_OK);
                assert_int_equal(step(p, &r.e, false, right, k == 0 ? one : other), TR_OK);
            }
        }
        assert_true(fabs(one[0] - other[0]) <= 1e-14);
        assert_true(fabs(one[1] - 1e-3 * other[1]) <= 1e-14);
        tr_arena_destroy(arena);
    }
}

// --- rows on velocities alone ---

static int moved(const double x[3]) {
    return 3 - count_zeros(3, x);
}

// Positions answer to one row, so two coordinates are independent; velocities answer to both.
static void positions_and_velocities_have_partitions_of_their_own(void **state) {
    Rows         r;
    double       dq[3], dv[3];
    const double right[2] = {0.25, 0.0}, both[2] = {0.25, -0.5};
    trArena     *arena = tr_arena_create();
    begin_rows(&r, (const double[6]){0.8, 0.3, 0.4, 0.2, 0.9, 0.5});
    r.holonomic[1] = false;
    for (int i = 0; i < KINDS; i++) {
        trProjector *p = plan(arena, kinds[i], NULL, &r.e);
        assert_int_equal(tr_projector_accept(p, &r.e), TR_OK);
        assert_int_equal(renewals(p), 2);
        assert_int_equal(step(p, &r.e, true, right, dq), TR_OK);
        assert_int_equal(step(p, &r.e, false, both, dv), TR_OK);
        assert_true(fabs(0.8 * dq[0] + 0.3 * dq[1] + 0.4 * dq[2] - 0.25) <= 1e-15);
        assert_true(fabs(0.8 * dv[0] + 0.3 * dv[1] + 0.4 * dv[2] - 0.25) <= 1e-15);
        assert_true(fabs(0.2 * dv[0] + 0.9 * dv[1] + 0.5 * dv[2] + 0.5) <= 1e-15);
        // The second row does not hold positions back.
        assert_true(fabs(0.2 * dq[0] + 0.9 * dq[1] + 0.5 * dq[2]) > 0.01);
        if (strcmp(kinds[i], "partition") == 0) {
            assert_int_equal(moved(dq), 1);
            assert_int_equal(moved(dv), 2);
        }
    }
    tr_arena_destroy(arena);
}

// --- what cannot be done ---

static void lost_rank_names_a_row(void **state) {
    const double right[2] = {0.1, 0.1};
    double       dv[3];
    for (int i = 0; i < KINDS; i++) {
        Rows     r;
        trArena *arena = tr_arena_create();
        begin_rows(&r, (const double[6]){1.0, 0.0, 0.0, 0.0, 1.0, 0.0});
        trProjector *p = plan(arena, kinds[i], NULL, &r.e);
        assert_int_equal(tr_projector_accept(p, &r.e), TR_OK);
        // The second row becomes short, but points the same way: it counts by its nominal norm.
        r.value[4] = 1e-5;
        assert_int_equal(step(p, &r.e, false, right, dv), TR_SINGULAR);
        assert_int_equal(p->held->lost_row, 1);
        assert_non_null(strstr(tr_last_error(), "1 of 2 constraint rows"));
        // One that is found again: there was a row more at the choice than there is now.
        trProjector *later = plan(arena, kinds[i], NULL, &r.e);
        r.value[4] = 0.0;
        assert_int_equal(tr_projector_accept(later, &r.e), TR_OK);
        r.value[4] = 1.0;
        assert_int_equal(step(later, &r.e, false, right, dv), TR_SINGULAR);
        assert_int_equal(later->held->lost_row, 1);
        tr_arena_destroy(arena);
    }
}

static void unknown_bases_are_refused(void **state) {
    Rows        r;
    trProjector p;
    trArena    *arena = tr_arena_create();
    turn(&r, 0.3);
    assert_int_equal(tr_projector_plan(arena, tr_projection_find("basis"), tr_formulation_at(0),
                                       NULL, &r.e, TR_PARAMS(TR_WORD("basis", "husholder")), &p),
                     TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "unknown basis 'husholder'"));
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_with_an_orthogonal_complement_are_the_smallest),
        cmocka_unit_test(steps_have_no_part_along_what_is_held),
        cmocka_unit_test(independent_coordinates_are_left_alone),
        cmocka_unit_test(a_frozen_basis_is_renewed_where_the_cosine_falls_below_nine_tenths),
        cmocka_unit_test(a_partition_is_renewed_where_other_coordinates_are_clearly_better),
        cmocka_unit_test(a_partition_does_not_depend_on_units),
        cmocka_unit_test(positions_and_velocities_have_partitions_of_their_own),
        cmocka_unit_test(lost_rank_names_a_row),
        cmocka_unit_test(unknown_bases_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
