// SPDX-License-Identifier: MIT
// A mechanism that turns as a whole: the matrix made before the turn, turned with it, solves what
// the matrix made after it solves.

#include <math.h>
#include <string.h>

#include "lua/lua_case.h"
#include "support/machines.h"
#include "support/random.h"
#include "system/tangent.h"

#define ROOM 64
#define ANGLE 0.7  // of the turn, about z [rad]

typedef struct Problem {
    Machine        machine;
    trArena       *arena;
    trEval         eval;
    trTangent      tangent;
    trNewtonMatrix matrix;
    trSwing        swing;
    double         q[ROOM], v[ROOM], a[ROOM], lambda[ROOM];
} Problem;

static void open_problem(Problem *p, const char *text) {
    *p = (Problem){.machine = {.model = model_of(text, NULL)}, .arena = tr_arena_create()};
    machine_build(&p->machine);
    const trSystem *s = p->machine.system;
    assert_true(s->nq <= ROOM && s->m <= ROOM);
    assert_int_equal(tr_eval_plan(p->arena, s, 1e-4, &p->eval), TR_OK);
    assert_int_equal(tr_tangent_plan(p->arena, s, &p->tangent), TR_OK);
    assert_int_equal(tr_swing_plan(p->arena, &p->tangent, &p->swing), TR_OK);
    memcpy(p->q, s->q0, (size_t)s->nq * sizeof *p->q);
    memcpy(p->v, s->v0, (size_t)s->nv * sizeof *p->v);
    const trPlacement place[] = {{TR_PART_M, 0, 0},     {TR_PART_D, 0, 0},
                                 {TR_PART_K, 0, 0},     {TR_PART_AT, 0, s->nv},
                                 {TR_PART_A, s->nv, 0}, {TR_PART_E, s->nv, s->nv}};
    assert_int_equal(tr_newton_plan(p->arena, &p->tangent, s->nv + s->m, 6, place, &p->matrix),
                     TR_OK);
}

static void factor(Problem *p) {
    const double         one[] = {1.0, 0.1, 0.01, 1.0, 1.0, 1.0};
    const trTangentState state = {.v = p->v, .a = p->a, .lambda = p->lambda};
    tr_tangent_evaluate(&p->tangent, &p->eval, &state);
    tr_newton_fill(&p->matrix, one);
    assert_int_equal(tr_newton_factor(&p->matrix), TR_OK);
}

static void evaluate(Problem *p) {
    assert_int_equal(tr_system_eval(p->machine.system, 0.0, p->q, p->v, &p->eval), TR_OK);
}

// Everything about the z axis, velocities with it. In space angular velocities are in body axes.
static void turn(Problem *p) {
    const trSystem *s = p->machine.system;
    double          c = cos(ANGLE), sine = sin(ANGLE);
    trQuat          by = {cos(0.5 * ANGLE), 0.0, 0.0, sin(0.5 * ANGLE)};
    for (int i = 0; i < s->bodies; i++) {
        double *at[2] = {p->q + s->space->nq * i, p->v + s->space->nv * i};
        for (int k = 0; k < 2; k++) {
            double x = at[k][0], y = at[k][1];
            at[k][0] = c * x - sine * y;
            at[k][1] = sine * x + c * y;
        }
        if (s->space->dim == 2) {
            at[0][2] += ANGLE;
            continue;
        }
        trQuat u = tr_quat_mul(by, (trQuat){at[0][3], at[0][4], at[0][5], at[0][6]});
        memcpy(at[0] + 3, (const double[]){u.w, u.x, u.y, u.z}, 4 * sizeof(double));
    }
}

static void solve_turned(Problem *p, double *x) {
    int nv = p->machine.system->nv;
    tr_swing_evaluate(&p->tangent, &p->eval, &p->swing);
    assert_true(p->swing.on);
    tr_swing_back(&p->tangent, &p->swing, x, x + nv);
    tr_newton_solve(&p->matrix, x);
    tr_swing_forth(&p->tangent, &p->swing, x, x + nv);
}

static void check(const char *text) {
    Problem  p;
    trRandom random = {7};
    double   turned[2 * ROOM], fresh[2 * ROOM], old[2 * ROOM], far = 0.0;
    open_problem(&p, text);
    int n = p.machine.system->nv + p.machine.system->m;
    for (int i = 0; i < n; i++) {
        turned[i] = fresh[i] = old[i] = random_real(&random) - 0.5;
    }
    evaluate(&p);
    factor(&p);
    turn(&p);
    evaluate(&p);
    solve_turned(&p, turned);
    tr_newton_solve(&p.matrix, old);
    factor(&p);
    tr_newton_solve(&p.matrix, fresh);
    for (int i = 0; i < n; i++) {
        // KLU and the turns round by some 1e-15 of the largest; conditions are below 1e3.
        assert_true(fabs(turned[i] - fresh[i]) <= 1e-10);
        far = fmax(far, fabs(old[i] - fresh[i]));
    }
    assert_true(far > 0.1);  // without the turn it is another matrix
    tr_arena_destroy(p.arena);
    machine_free(&p.machine);
}

static const char planar[] =
    "local m = model { gravity = { 0, 0 } }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { 1, 0 },\n"
    "    velocity = { 0, 2 }, angular_velocity = 2 }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = 0.3, at = { 2, 1 }, angle = 0.3,\n"
    "    velocity = { -2, 4 }, angular_velocity = 2 }\n"
    "m:joint { 'revolute', name = 'O', m.ground, a, point = { 0, 0 } }\n"
    "m:joint { 'prismatic', name = 'A', a, b, point = { 1.5, 0.5 }, axis = { 1, 0 } }\n"
    "m:force { 'spring', name = 'S', a, b, point1 = { 0, 0.2 }, point2 = { 0.1, 0 },\n"
    "    stiffness = 500, damping = 70, length = 0.3 }\n"
    "return m\n";

// Multipliers are zero: those of a fresh matrix would have to be turned, too.
static void planar_mechanism(void **state) {
    check(planar);
}

// A row that is left out says that its own multiplier stays: it must not be mixed with those of the
// same joint that are held.
static void rows_of_a_joint_that_is_not_whole_stay(void **state) {
    for (int left_out = 0; left_out < 2; left_out++) {
        Problem p;
        double  g[ROOM];
        open_problem(&p, planar);
        p.tangent.left_out[1] = left_out == 1;  // the second of O
        evaluate(&p);
        factor(&p);
        turn(&p);
        evaluate(&p);
        tr_swing_evaluate(&p.tangent, &p.eval, &p.swing);
        for (int i = 0; i < p.machine.system->m; i++) {
            g[i] = 1.0 + i;
        }
        tr_swing_back(&p.tangent, &p.swing, NULL, g);
        assert_true((g[0] == 1.0 && g[1] == 2.0) == (left_out == 1));
        tr_arena_destroy(p.arena);
        machine_free(&p.machine);
    }
}

static void spatial_mechanism(void **state) {
    check(
        "local m = model { dim = 3, gravity = { 0, 0, 0 } }\n"
        "local a = m:body { name = 'a', mass = 1, inertia = { 0.1, 0.2, 0.25 }, at = { 1, 0, 0 },\n"
        "    velocity = { 0, 3, 0 }, angular_velocity = { 0, 0, 3 } }\n"
        "local b = m:body { name = 'b', mass = 2, inertia = { 0.3, 0.2, 0.4 }, at = { 2, 1, 1 },\n"
        "    quaternion = { 0.9, 0.3, -0.2, 0.1 }, velocity = { -3, 6, 0 },\n"
        "    angular_velocity = { 0, 0, 3 } }\n"
        "m:joint { 'revolute', name = 'O', m.ground, a, point = { 0, 0, 0 }, axis = { 0, 0, 1 } }\n"
        "m:joint { 'spherical', name = 'A', a, b, point = { 1.5, 0.5, 0.2 } }\n"
        "m:force { 'spring', name = 'S', a, b, point1 = { 0, 0.2, 0 }, point2 = { 0.1, 0, 0.1 },\n"
        "    stiffness = 500, damping = 70, length = 0.3 }\n"
        "return m\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(planar_mechanism),
                                       cmocka_unit_test(rows_of_a_joint_that_is_not_whole_stay),
                                       cmocka_unit_test(spatial_mechanism)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
