// SPDX-License-Identifier: MIT
// Matrices of Newton's method where rows depend on each other: a row that is left out changes
// nothing for the rest, and in a pose where rows become dependent corrections stay bounded.

#include "lua/lua_case.h"
#include "support/machines.h"
#include "support/random.h"
#include "system/tangent.h"

#define ROOM 40

// [M + K, A'; A, E] of a system at its start with random multipliers, and what is solved for.
typedef struct Problem {
    Machine        machine;
    trArena       *arena;
    trEval         eval;
    trTangent      tangent;
    trNewtonMatrix matrix;
    double         lambda[ROOM], a[ROOM];
    double         x[2 * ROOM];  // dq, then multipliers
} Problem;

static void open_problem(Problem *p, const char *text) {
    *p = (Problem){.machine = {.model = model_of(text, NULL)}, .arena = tr_arena_create()};
    machine_build(&p->machine);
    const trSystem *s = p->machine.system;
    assert_true(s->nv <= ROOM && s->m <= ROOM);
    assert_int_equal(tr_eval_plan(p->arena, s, 1e-4, &p->eval), TR_OK);
    assert_int_equal(tr_tangent_plan(p->arena, s, &p->tangent), TR_OK);
    assert_int_equal(tr_system_eval(s, 0.0, s->q0, s->v0, &p->eval), TR_OK);
}

static void factor(Problem *p) {
    const trSystem      *s = p->machine.system;
    const trPlacement    place[] = {{TR_PART_M, 0, 0},
                                    {TR_PART_K, 0, 0},
                                    {TR_PART_AT, 0, s->nv},
                                    {TR_PART_A, s->nv, 0},
                                    {TR_PART_E, s->nv, s->nv}};
    const double         one[] = {1.0, 1.0, 1.0, 1.0, 1.0};
    const trTangentState state = {.v = s->v0, .a = p->a, .lambda = p->lambda};
    tr_tangent_evaluate(&p->tangent, &p->eval, &state);
    assert_int_equal(tr_newton_plan(p->arena, &p->tangent, s->nv + s->m, 5, place, &p->matrix),
                     TR_OK);
    tr_newton_fill(&p->matrix, one);
    assert_int_equal(tr_newton_factor(&p->matrix), TR_OK);
}

static void close_problem(Problem *p) {
    tr_arena_destroy(p->arena);
    machine_free(&p->machine);
}

#define PENDULUM                                                                             \
    "local m = model { gravity = { 0, -9.81 } }\n"                                           \
    "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { 1, 0 } }\n"              \
    "local b = m:body { name = 'b', mass = 2, inertia = 0.3, at = { 1, 1 }, angle = 0.3 }\n" \
    "m:joint { 'revolute', name = 'O', m.ground, a, point = { 0, 0 } }\n"                    \
    "m:joint { 'revolute', name = 'A', a, b, point = { 1, 0.5 } }\n"
#define AGAIN "m:joint { 'revolute', name = 'A2', a, b, point = { 1, 0.5 } }\n"

// The same right side with and without a joint that repeats another. Condition numbers are about
// 1e2: 1e-13 of the solution is rounding.
static void a_row_left_out_changes_nothing_for_the_rest(void **state) {
    Problem  one, two;
    trRandom random = {3};
    open_problem(&one, PENDULUM "return m");
    open_problem(&two, PENDULUM AGAIN "return m");
    int nv = one.machine.system->nv, m = one.machine.system->m;
    assert_int_equal(two.machine.system->m, m + 2);
    for (int i = 0; i < m; i++) {
        one.lambda[i] = two.lambda[i] = random_real(&random);
    }
    for (int i = 0; i < nv + m; i++) {
        one.x[i] = two.x[i] = random_real(&random);
    }
    two.x[nv + m] = 0.5;  // -1 on the diagonal: the row asks for dlambda alone
    two.tangent.left_out[m] = two.tangent.left_out[m + 1] = true;
    factor(&one);
    factor(&two);
    tr_newton_solve(&one.matrix, one.x);
    tr_newton_solve(&two.matrix, two.x);
    for (int i = 0; i < nv + m; i++) {
        assert_true(fabs(one.x[i] - two.x[i]) <= 1e-13 * (1.0 + fabs(one.x[i])));
    }
    assert_true(two.x[nv + m] == -0.5 && two.x[nv + m + 1] == 0.0);
    close_problem(&one);
    close_problem(&two);
}

// All four bars on one line, one of eight rows depends on the others there. `A moved` is right side
// that A can reach; `apart` is what it cannot.
static void check_flat(double apart) {
    Problem  p;
    trRandom random = {7};
    double   moved[ROOM], want[ROOM], got[ROOM];
    open_problem(&p, "local m = model {}\n"
                     "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { 0.5, 0 } }\n"
                     "local b = m:body { name = 'b', mass = 1, inertia = 0.1, at = { 1.5, 0 } }\n"
                     "local c = m:body { name = 'c', mass = 1, inertia = 0.1, at = { 1.5, 0 } }\n"
                     "m:joint { 'revolute', m.ground, a, point = { 0, 0 } }\n"
                     "m:joint { 'revolute', a, b, point = { 1, 0 } }\n"
                     "m:joint { 'revolute', b, c, point = { 2, 0 } }\n"
                     "m:joint { 'revolute', c, m.ground, point = { 1, 0 } }\n"
                     "return m");
    int nv = p.machine.system->nv, m = p.machine.system->m;
    for (int i = 0; i < nv; i++) {
        moved[i] = random_real(&random);
        p.x[i] = random_real(&random);
    }
    tr_rows_mul(&p.eval.equations.A, moved, want);
    for (int i = 0; i < m; i++) {
        p.x[nv + i] = want[i];
    }
    p.x[nv] += apart;  // along the line: only the sum over the loop counts
    factor(&p);
    tr_newton_solve(&p.matrix, p.x);
    tr_rows_mul(&p.eval.equations.A, p.x, got);
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < m; i++) {
        worst = fmax(worst, fabs(got[i] - want[i]));
    }
    for (int i = 0; i < nv; i++) {
        largest = fmax(largest, fabs(p.x[i]));
    }
    // What was asked is below 2; bars of 1 m turn it into angles of some times that. What cannot be
    // reached is missed, what can be is met to NEXT_TO_NOTHING times multipliers of about 1.
    assert_true(largest < 20.0);
    assert_true(worst <= 1e-10 + fabs(apart));
    close_problem(&p);
}

static void a_flat_four_bar_is_corrected_by_bounded_steps(void **state) {
    check_flat(0.0);
    check_flat(1e-3);
}

// 1 - g_z = 0 for z' = z.
static void a_state_that_is_not_determined_is_named(void **state) {
    Problem           p;
    const trPlacement place[] = {{TR_PART_ONE_Z, 0, 0}, {TR_PART_G_Z, 0, 0}};
    const double      one[] = {1.0, 1.0};
    open_problem(&p, "local s = system { coordinates = { 'x' } }\n"
                     "s:mass(function(q, t) return { { 1 } } end)\n"
                     "s:state { 'heat', rate = function(q, v, t, p, z) return z.heat end }\n"
                     "return s");
    const trSystem      *s = p.machine.system;
    const trTangentState at = {.v = s->v0, .a = p.a, .lambda = p.lambda};
    tr_tangent_evaluate(&p.tangent, &p.eval, &at);
    assert_int_equal(tr_newton_plan(p.arena, &p.tangent, 1, 2, place, &p.matrix), TR_OK);
    tr_newton_fill(&p.matrix, one);
    assert_int_equal(tr_newton_factor(&p.matrix), TR_SINGULAR);
    assert_non_null(strstr(tr_last_error(), "state 'heat'"));
    close_problem(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_left_out_changes_nothing_for_the_rest),
        cmocka_unit_test(a_flat_four_bar_is_corrected_by_bounded_steps),
        cmocka_unit_test(a_state_that_is_not_determined_is_named),
    };
    return cmocka_run_group_tests_name("Newton's matrix", tests, enter_folder, leave_folder);
}
