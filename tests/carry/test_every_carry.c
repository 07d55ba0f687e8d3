// SPDX-License-Identifier: MIT
// What every carry owes: velocities come back from what was entered, satisfy the rows whatever is
// carried, are the same every time, and cost no heap request. The systems are those of the golden
// tables, at random consistent states, where the carry can take them.

#include <math.h>
#include <string.h>

#include "carry/carry.h"
#include "formulation/golden.h"
#include "support/allocations.h"
#include "support/random.h"
#include "support/test.h"

#define STATES 10    // random ones of each system
#define NEARBY 0.02  // how far they are from the one of the tables [m, rad]

// Rounding, times the condition of M and A together: 5e3 at most (heli, whose inertias are 417 and
// 0.09).
#define SAME 1e-12

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

typedef struct Setting {
    GoldenSystem       system;
    const Golden      *golden;
    const trCarryKind *kind;
    trArena           *arena;
    trKernel           kernel;
    void              *work;
    trProjector        projector;
    double             q[GOLDEN_N], v[GOLDEN_N], y[GOLDEN_N];
} Setting;

static bool takes(const trCarryKind *kind, const Golden *g) {
    bool independent = g->rank == g->m || (kind->traits & TR_COPES_REDUNDANT) != 0;
    bool massive = g->q_M != NULL || (kind->traits & TR_COPES_SINGULAR_MASS) != 0;
    return independent && massive && (g->holonomic || (kind->traits & TR_COPES_NONHOLONOMIC) != 0);
}

static void begin(Setting *s, const trCarryKind *kind, const Golden *g) {
    memset(s, 0, sizeof *s);
    golden_begin(&s->system, g);
    s->golden = g;
    s->kind = kind;
    s->arena = tr_arena_create();
    s->kernel.kind = tr_formulation_find(g->diagonal ? "lagrange" : "lagrange_dense");
    const trEquations *e = &s->system.equations;
    assert_int_equal(s->kernel.kind->plan(s->arena, e, NULL, &s->kernel.work), TR_OK);
    assert_int_equal(kind->plan(s->arena, e, &s->kernel, &s->work), TR_OK);
    assert_int_equal(tr_projector_plan(s->arena, tr_projection_find("direct"), s->kernel.kind, NULL,
                                       e, NULL, &s->projector),
                     TR_OK);
    tr_arena_seal(s->arena);
}

static void require(const Setting *s, trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s, %s: %s", s->kind->name, s->golden->name, tr_last_error());
    }
}

// A consistent state near that of the tables; the equations are left there.
static const trEquations *draw_state(Setting *s, trRandom *random) {
    const Golden *g = s->golden;
    for (int i = 0; i < g->n; i++) {
        s->q[i] = g->q[i] + NEARBY * random_real(random);
        s->v[i] = g->v[i] + random_real(random);
    }
    s->projector.tolerance = 0.0;
    require(s, tr_project(&s->projector, &s->system.manifold, g->t, s->q, s->v, NULL));
    return golden_equations(&s->system, g->t, s->q, s->v);
}

static void assert_small(const Setting *s, const char *what, double off, double allowed) {
    if (!(off <= allowed)) {
        fail_msg("%s, %s: %s is off by %.3g, allowed %.3g", s->kind->name, s->golden->name, what,
                 off, allowed);
    }
}

typedef void Check(Setting *s, trRandom *random);

static void for_all(Check *check) {
    static Setting s;
    for (int i = 0; i < tr_carry_count(); i++) {
        int checked = 0;
        for (int k = 0; k < golden_count(); k++) {
            trRandom random = {.state = 7};
            if (takes(tr_carry_at(i), golden_at(k))) {
                begin(&s, tr_carry_at(i), golden_at(k));
                check(&s, &random);
                tr_arena_destroy(s.arena);
                checked++;
            }
        }
        assert_true(checked >= 7);
    }
}

static void check_return(Setting *s, trRandom *random) {
    double v[GOLDEN_N];
    for (int k = 0; k < STATES; k++) {
        const trEquations *e = draw_state(s, random);
        require(s, s->kind->enter(s->work, e, s->v, s->y));
        require(s, s->kind->leave(s->work, e, s->y, v));
        assert_small(s, "v", largest_difference(e->nv, v, s->v),
                     SAME * (1.0 + largest(e->nv, s->v)));
    }
}

static void velocities_come_back_from_what_was_entered(void **state) {
    for_all(check_return);
}

// Entered at one state, left at another, after y has moved by as much as it is.
static void check_rows(Setting *s, trRandom *random) {
    double v[GOLDEN_N], reached[GOLDEN_M];
    for (int k = 0; k < STATES; k++) {
        const trEquations *e = draw_state(s, random);
        require(s, s->kind->enter(s->work, e, s->v, s->y));
        double size = 1.0 + largest(e->nv, s->y);
        for (int i = 0; i < e->nv; i++) {
            s->y[i] += size * random_real(random);
        }
        e = draw_state(s, random);
        require(s, s->kind->leave(s->work, e, s->y, v));
        tr_rows_mul(&e->A, v, reached);
        assert_small(s, "A v", largest_difference(e->m, reached, e->b1),
                     SAME * (1.0 + largest(e->nv, v)));
    }
}

static void velocities_satisfy_the_rows_whatever_is_carried(void **state) {
    for_all(check_rows);
}

// What free motions carry is seen: y moved so that v should differ gives another v.
static void check_content(Setting *s, trRandom *random) {
    const Golden *g = s->golden;
    double        v[GOLDEN_N], y[GOLDEN_N], back[GOLDEN_N];
    if (g->rank == g->n) {
        return;
    }
    const trEquations *e = draw_state(s, random);
    require(s, s->kind->enter(s->work, e, s->v, s->y));
    memcpy(v, s->v, sizeof v);
    for (int i = 0; i < g->n; i++) {
        v[i] += random_real(random);
    }
    require(s, tr_project_velocity(&s->projector, &s->system.manifold, g->t, s->q, v));
    e = golden_equations(&s->system, g->t, s->q, v);
    require(s, s->kind->enter(s->work, e, v, y));
    require(s, s->kind->leave(s->work, e, y, back));
    assert_true(largest_difference(g->n, s->v, v) > 1e-3);
    assert_true(largest_difference(g->n, s->y, y) > 1e-3);
    assert_small(s, "v", largest_difference(g->n, back, v), SAME * (1.0 + largest(g->n, v)));
}

static void other_velocities_are_carried_by_other_numbers(void **state) {
    for_all(check_content);
}

// Twice in the same memory, and once more in other memory.
static void check_repetition(Setting *s, trRandom *random) {
    static Setting other;
    double         first[3][GOLDEN_N], again[3][GOLDEN_N], force[GOLDEN_N];
    size_t         size = (size_t)s->golden->n * sizeof(double);
    begin(&other, s->kind, s->golden);
    const trEquations *e = draw_state(s, random);
    require(s, s->kind->enter(s->work, e, s->v, s->y));
    require(s, other.kind->enter(other.work, e, s->v, other.y));
    assert_memory_equal(s->y, other.y, size);

    long before = allocations;
    require(s, s->kind->leave(s->work, e, s->y, first[0]));
    s->kind->rate(s->work, e->Q, s->v, first[1]);
    require(s, s->kind->image(s->work, e, s->v, first[2]));
    require(s, s->kind->leave(s->work, e, s->y, again[0]));
    require(s, s->kind->image(s->work, e, s->v, again[2]));
    require(s, s->kind->enter(s->work, e, s->v, s->y));
    assert_int_equal(allocations, before);
    assert_memory_equal(first[0], again[0], size);

    // An image elsewhere does not change the rate at the state that was left.
    require(s, other.kind->leave(other.work, e, other.y, again[0]));
    assert_memory_equal(first[0], again[0], size);
    memcpy(force, e->Q, size);
    e = golden_equations(&s->system, s->golden->t, s->golden->q_off, s->v);
    require(s, other.kind->image(other.work, e, s->v, again[0]));
    other.kind->rate(other.work, force, s->v, again[1]);
    for (int i = 1; i < 3; i++) {
        assert_memory_equal(first[i], again[i], size);
    }
    tr_arena_destroy(other.arena);
}

static void answers_repeat_without_heap_requests(void **state) {
    for_all(check_repetition);
}

// The image at the state that was left is what was carried.
static void check_image(Setting *s, trRandom *random) {
    double             v[GOLDEN_N], image[GOLDEN_N];
    const trEquations *e = draw_state(s, random);
    require(s, s->kind->enter(s->work, e, s->v, s->y));
    e = draw_state(s, random);
    require(s, s->kind->leave(s->work, e, s->y, v));
    require(s, s->kind->image(s->work, e, v, image));
    assert_small(s, "image", largest_difference(e->nv, image, s->y),
                 SAME * (1.0 + largest(e->nv, s->y)));
}

static void images_of_what_was_left_are_what_was_carried(void **state) {
    for_all(check_image);
}

// Dependent rows are an error with words, not a wrong answer, where the carry does not claim them.
static void what_is_not_claimed_is_refused(void **state) {
    static Setting s;
    int            refused = 0;
    for (int i = 0; i < tr_carry_count(); i++) {
        for (int k = 0; k < golden_count(); k++) {
            const Golden *g = golden_at(k);
            if (g->rank == g->m || takes(tr_carry_at(i), g)) {
                continue;
            }
            trRandom random = {.state = 7};
            begin(&s, tr_carry_at(i), g);
            const trEquations *e = draw_state(&s, &random);
            assert_int_equal(s.kind->enter(s.work, e, s.v, s.y), TR_SINGULAR);
            assert_non_null(strstr(tr_last_error(), s.kind->name));
            tr_arena_destroy(s.arena);
            refused++;
        }
    }
    assert_true(refused > 0);
}

static void carries_are_found_by_name(void **state) {
    for (int i = 0; i < tr_carry_count(); i++) {
        const trCarryKind *kind = tr_carry_at(i);
        assert_ptr_equal(tr_carry_find(kind->name), kind);
        assert_true(strlen(kind->summary) > 0 && strlen(kind->source) > 0);
    }
    assert_null(tr_carry_find("none"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_come_back_from_what_was_entered),
        cmocka_unit_test(velocities_satisfy_the_rows_whatever_is_carried),
        cmocka_unit_test(other_velocities_are_carried_by_other_numbers),
        cmocka_unit_test(answers_repeat_without_heap_requests),
        cmocka_unit_test(images_of_what_was_left_are_what_was_carried),
        cmocka_unit_test(what_is_not_claimed_is_refused),
        cmocka_unit_test(carries_are_found_by_name),
    };
    return cmocka_run_group_tests_name("every carry", tests, NULL, NULL);
}
