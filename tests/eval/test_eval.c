// SPDX-License-Identifier: MIT
// Evaluation by handles, against closed forms of a pendulum and differences of other machines.

#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"

#define MOST 40    // velocities, rows or positions of the machines here
#define STEP 1e-6  // of central differences: what they leave is about 1e-9

static void near(double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", actual, expected, tolerance);
    }
}

static trEval *handle(const Machine *machine) {
    trEval *e = NULL;
    assert_int_equal(tr_eval_create(machine->system, &e), TR_OK);
    return e;
}

// --- the pendulum: a rod of 1 m and 2 kg, I = m/12 ---

#define MASS 2.0

// At angle p and rate w, about the pin at the origin.
static void set_pendulum(double p, double w, double q[3], double v[3]) {
    const double x = 0.5 * cos(p), y = 0.5 * sin(p);
    memcpy(q, (double[3]){x, y, p}, 3 * sizeof *q);
    memcpy(v, (double[3]){-y * w, x * w, w}, 3 * sizeof *v);
}

static void a_pendulum_accelerates_and_pulls_as_in_books(void **state) {
    const double p = -0.7, w = 1.3, inertia = MASS / 3.0;
    Machine      machine = machine_pendulum(p);
    trEval      *e = handle(&machine);
    double       q[3], v[3], a[3], lambda[2];
    set_pendulum(p, w, q, v);
    assert_int_equal(tr_eval_at(e, 0.0, q, v, NULL), TR_OK);
    assert_int_equal(tr_eval_solve(e, NULL, NULL, a, lambda), TR_OK);
    const double alpha = -MASS * GRAVITY * 0.5 * cos(p) / inertia;
    const double ax = 0.5 * (-sin(p) * alpha - cos(p) * w * w);
    const double ay = 0.5 * (cos(p) * alpha - sin(p) * w * w);
    near(a[0], ax, 1e-12);
    near(a[1], ay, 1e-12);
    near(a[2], alpha, 1e-12);
    trReaction pin = tr_eval_reaction(e, 0, lambda);
    near(pin.fx, MASS * ax, 1e-12);
    near(pin.fy, MASS * (ay + GRAVITY), 1e-12);
    near(pin.moment, 0.0, 1e-12);
    assert_string_equal(pin.on, "rod");
    trEnergy energy = tr_eval_energy(e);
    near(energy.kinetic, 0.5 * inertia * w * w, 1e-12);
    near(energy.potential, MASS * GRAVITY * 0.5 * sin(p), 1e-12);
    trLoad weight = tr_eval_force_load(e, 0, 0);
    near(weight.fy, -MASS * GRAVITY, 1e-12);
    // With F and b of the caller: at rest, pushed by a moment alone.
    const double F[3] = {0.0, 0.0, 1.0}, b[2] = {0.0, 0.0};
    assert_int_equal(tr_eval_solve(e, F, b, a, NULL), TR_OK);
    near(a[2], 1.0 / inertia, 1e-12);
    tr_eval_destroy(e);
    machine_free(&machine);
}

// theta'' = -(m g c / I) theta about the pose in which it hangs.
static void linearized_it_swings_with_its_frequency(void **state) {
    const double          p = -acos(0.0), inertia = MASS / 3.0;
    Machine               machine = machine_pendulum(p);
    trEval               *e = handle(&machine);
    double                q[3], v[3], a[3], lambda[2], M[9], K[9], D[9], A[6], weight[3];
    const trLinearization out = {.M = M, .K = K, .D = D, .A = A, .weight = weight};
    set_pendulum(p, 0.0, q, v);
    assert_int_equal(tr_eval_at(e, 0.0, q, v, NULL), TR_OK);
    assert_int_equal(tr_eval_solve(e, NULL, NULL, a, lambda), TR_OK);
    assert_int_equal(tr_eval_linearize(e, a, lambda, &out), TR_OK);
    const double u[3] = {-q[1], q[0], 1.0};  // the free motion: A u = 0
    double       mass = 0.0, stiffness = 0.0;
    for (int i = 0; i < 9; i++) {
        mass += u[i / 3] * M[i] * u[i % 3];
        stiffness += u[i / 3] * K[i] * u[i % 3];
        near(D[i], 0.0, 0.0);
    }
    for (int i = 0; i < 2; i++) {
        near(A[3 * i] * u[0] + A[3 * i + 1] * u[1] + A[3 * i + 2] * u[2], 0.0, 1e-15);
    }
    near(mass, inertia, 1e-12);
    near(stiffness, MASS * GRAVITY * 0.5, 1e-12);
    near(weight[0], MASS, 0.0);
    tr_eval_destroy(e);
    machine_free(&machine);
}

static void a_state_beside_the_constraints_is_put_on_them(void **state) {
    Machine machine = machine_pendulum(0.3);
    trEval *e = handle(&machine);
    double  q[3], v[3];
    set_pendulum(0.3, 1.0, q, v);
    q[0] += 1e-2;
    v[1] -= 0.2;
    assert_int_equal(tr_eval_at(e, 0.0, q, v, NULL), TR_OK);
    assert_int_equal(tr_eval_project(e, q, v), TR_OK);
    near(hypot(q[0], q[1]), 0.5, 1e-12);
    near(q[0], 0.5 * cos(q[2]), 1e-12);
    near(v[0], -q[1] * v[2], 1e-12);
    near(v[1], q[0] * v[2], 1e-12);
    near(tr_eval_phi(e)[0], 0.0, 1e-12);  // it is evaluated there
    q[1] += 0.1;
    assert_int_equal(tr_eval_project(e, q, NULL), TR_OK);  // positions alone
    near(hypot(q[0], q[1]), 0.5, 1e-12);
    tr_eval_destroy(e);
    machine_free(&machine);
}

// --- a four-bar and a driven crank: A, b1 and b are derivatives of phi ---

// phi (m) moved from q by h v in time h.
static void phi_beside(trEval *e, const trSystem *s, double t, const double *q, const double *v,
                       double h, double *phi) {
    double moved[MOST], dv[MOST];
    memcpy(moved, q, (size_t)tr_system_nq(s) * sizeof *q);
    for (int i = 0; i < tr_system_nv(s); i++) {
        dv[i] = h * v[i];
    }
    tr_system_move(s, dv, moved);
    assert_int_equal(tr_eval_at(e, t, moved, v, NULL), TR_OK);
    memcpy(phi, tr_eval_phi(e), (size_t)tr_system_m(s) * sizeof *phi);
}

static void check_derivatives(Machine *machine, double t) {
    const trSystem *s = machine->system;
    const int       nv = tr_system_nv(s), m = tr_system_m(s);
    trEval         *e = handle(machine);
    double q[MOST], v[MOST], v0[MOST], A[MOST * MOST], Av[MOST], more[MOST], less[MOST], b[MOST];
    tr_system_start(s, q, v0);
    for (int i = 0; i < nv; i++) {
        v[i] = cos(1.0 + i);
    }
    assert_int_equal(tr_eval_at(e, t, q, v, NULL), TR_OK);
    tr_eval_dense_A(e, A);
    tr_eval_mul_A(e, v, Av);
    memcpy(b, tr_eval_b(e), (size_t)m * sizeof *b);
    for (int j = 0; j < nv; j++) {
        double unit[MOST] = {0.0}, column[MOST], row[MOST] = {0.0};
        unit[j] = 1.0;
        phi_beside(e, s, t, q, unit, STEP, more);
        phi_beside(e, s, t, q, unit, -STEP, less);
        assert_int_equal(tr_eval_at(e, t, q, v, NULL), TR_OK);
        tr_eval_mul_A(e, unit, column);
        for (int i = 0; i < m; i++) {
            near(A[i * nv + j], (more[i] - less[i]) / (2.0 * STEP), 1e-8);
            near(A[i * nv + j], column[i], 0.0);
            row[i] = 1.0;
            tr_eval_mul_At(e, row, unit);
            near(A[i * nv + j], unit[j], 0.0);
            row[i] = 0.0;
        }
    }
    // phi' = A v - b1 and, at a = 0, phi'' = -b: at q +- h v and t +- h
    double at[MOST], h = 1e-4;
    phi_beside(e, s, t, q, v, 0.0, at);
    phi_beside(e, s, t + h, q, v, h, more);
    phi_beside(e, s, t - h, q, v, -h, less);
    assert_int_equal(tr_eval_at(e, t, q, v, NULL), TR_OK);
    for (int i = 0; i < m; i++) {
        near(Av[i] - tr_eval_b1(e)[i], (more[i] - less[i]) / (2.0 * h), 1e-6);
        near(-b[i], (more[i] - 2.0 * at[i] + less[i]) / (h * h), 1e-5);
    }
    tr_eval_destroy(e);
}

static void rows_are_derivatives(void **state) {
    Machine machine[] = {machine_four_bar(1.0), machine_driven(0.1, 0.3, 0.2)};
    for (int i = 0; i < 2; i++) {
        check_derivatives(&machine[i], 0.4);
        machine_free(&machine[i]);
    }
}

// r = M a + A' lambda - Q, by its parts.
static void residual(const trEval *e, const double *a, const double *lambda, double *r) {
    double reaction[MOST];
    tr_eval_mul_M(e, a, r);
    tr_eval_mul_At(e, lambda, reaction);
    for (int i = 0; i < tr_system_nv(e->system); i++) {
        r[i] += reaction[i] - tr_eval_Q(e)[i];
    }
}

static void solutions_satisfy_the_equations_and_their_changes_the_linear_ones(void **state) {
    Machine machine = machine_new();
    int     rod = machine_body(
            &machine, "rod",
            TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 0.4), TR_VEC("at", 0.5, 0.1)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, rod,
                  TR_PARAMS(TR_VEC("point", 0.0, 0.0)));
    machine_force(&machine, "spring", "spring", TR_GROUND, rod,
                  TR_PARAMS(TR_NUM("stiffness", 30.0), TR_NUM("damping", 2.0),
                            TR_VEC("world1", 1.0, 1.0), TR_VEC("world2", 1.0, 0.0)));
    machine_build(&machine);
    const trSystem *s = machine.system;
    const int       nv = tr_system_nv(s);
    trEval         *e = handle(&machine);
    double          q[MOST], v[MOST], v0[MOST], a[MOST], lambda[MOST], r[MOST];
    double          K[MOST], D[MOST], M[MOST], Mx[MOST];
    tr_system_start(s, q, v0);
    for (int i = 0; i < nv; i++) {
        v[i] = 0.5 * cos(2.0 + i);
    }
    assert_int_equal(tr_eval_at(e, 0.0, q, v, NULL), TR_OK);
    assert_int_equal(tr_eval_solve(e, NULL, NULL, a, lambda), TR_OK);
    residual(e, a, lambda, r);
    tr_eval_dense_M(e, M);
    tr_eval_mul_M(e, v, Mx);
    for (int i = 0; i < nv; i++) {
        near(r[i], 0.0, 1e-12);
        near(Mx[i], M[nv * i + i] * v[i], 1e-15);
    }
    const trLinearization out = {.K = K, .D = D};
    assert_int_equal(tr_eval_linearize(e, a, lambda, &out), TR_OK);
    for (int j = 0; j < nv; j++) {
        for (int of_v = 0; of_v < 2; of_v++) {
            double side[2][MOST];
            for (int k = 0; k < 2; k++) {
                double moved[MOST], other[MOST], dv[MOST] = {0.0}, h = k == 0 ? STEP : -STEP;
                memcpy(moved, q, sizeof q);
                memcpy(other, v, sizeof v);
                dv[j] = h;
                other[j] += of_v ? h : 0.0;
                dv[j] = of_v ? 0.0 : h;
                tr_system_move(s, dv, moved);
                assert_int_equal(tr_eval_at(e, 0.0, moved, other, NULL), TR_OK);
                residual(e, a, lambda, side[k]);
            }
            for (int i = 0; i < nv; i++) {
                near((of_v ? D : K)[nv * i + j], (side[0][i] - side[1][i]) / (2.0 * STEP), 1e-6);
            }
        }
    }
    tr_eval_destroy(e);
    machine_free(&machine);
}

// --- what users ask for ---

static void arguments_are_copied(void **state) {
    Machine machine = machine_pendulum(0.2);
    trEval *e = handle(&machine);
    double  q[3], v[3], a[3];
    set_pendulum(0.2, 1.0, q, v);
    assert_int_equal(tr_eval_at(e, 0.0, q, v, NULL), TR_OK);
    const trEnergy before = tr_eval_energy(e);
    memset(q, 0, sizeof q);
    memset(v, 0, sizeof v);
    near(tr_eval_energy(e).kinetic, before.kinetic, 0.0);
    near(tr_eval_body(e, 0).omega, 1.0, 0.0);
    assert_int_equal(tr_eval_solve(e, NULL, NULL, a, NULL), TR_OK);
    const trBodyAcceleration of_rod = tr_eval_body_acceleration(e, 0, a);
    near(of_rod.wz, a[2], 0.0);
    near(of_rod.ax, 0.0, 1e-12);  // the frame of the rod is at the pin
    tr_eval_destroy(e);
    machine_free(&machine);
}

static void things_have_numbers_names_and_units(void **state) {
    Machine         machine = machine_four_bar(1.0);
    const trSystem *s = machine.system;
    int             number = 0;
    assert_int_equal(tr_system_count(s, TR_THING_JOINT), 4);
    assert_int_equal(tr_system_find(s, TR_THING_JOINT, "B", &number), TR_OK);
    assert_int_equal(number, 2);
    assert_string_equal(tr_system_thing_name(s, TR_THING_JOINT, number), "B");
    assert_int_equal(tr_system_find(s, TR_THING_BODY, "ground", &number), TR_OK);
    assert_int_equal(number, TR_GROUND);
    assert_int_equal(tr_system_find(s, TR_THING_BODY, "copuler", &number), TR_E_MODEL);
    assert_string_equal(tr_last_error(), "there is no body 'copuler'; did you mean 'coupler'?");
    assert_int_equal(tr_system_find(s, TR_THING_STATE, "z", &number), TR_E_MODEL);
    const trJointInfo joint = tr_system_joint(s, 2);
    assert_string_equal(joint.kind, "revolute");
    assert_int_equal(joint.row, 4);
    assert_int_equal(joint.rows, 2);
    const trRowInfo row = tr_system_row(s, 5);
    assert_int_equal(row.joint, 2);
    assert_int_equal(row.constraint, -1);
    assert_string_equal(row.unit, "m");
    assert_string_equal(row.multiplier, "N");
    assert_true(row.holonomic);
    const trCoordinateInfo turn = tr_system_velocity(s, 5), place = tr_system_position(s, 3);
    assert_string_equal(turn.name, "coupler");
    assert_string_equal(turn.unit, "rad");
    assert_true(turn.turns);
    assert_string_equal(place.motion, "x");
    assert_string_equal(place.unit, "m");
    assert_string_equal(tr_system_force(s, 0).kind, "gravity");
    machine_free(&machine);
}

static void what_is_not_there_is_null_or_zero(void **state) {
    Machine      machine = machine_pendulum(0.2);
    trEval      *e = handle(&machine);
    double       a[3];
    const double lambda[2] = {0.0, 0.0};
    assert_null(tr_eval_Q(NULL));
    near(tr_eval_energy(NULL).kinetic, 0.0, 0.0);
    assert_int_equal(tr_eval_solve(e, NULL, NULL, a, NULL), TR_E_ARGUMENT);
    assert_string_equal(tr_last_error(), "nothing has been evaluated yet; call tr_eval_at first");
    assert_int_equal(tr_eval_at(e, NAN, NULL, NULL, NULL), TR_E_ARGUMENT);
    assert_int_equal(tr_eval_at(e, 0.0, NULL, NULL, NULL), TR_OK);  // the model's start
    near(tr_eval_body(e, 0).angle, 0.2, 0.0);
    assert_null(tr_eval_reaction(e, 7, lambda).on);
    assert_null(tr_eval_C(e));
    near(tr_eval_force_load(e, 9, 0).fy, 0.0, 0.0);
    near(tr_eval_force_load(e, 0, TR_GROUND).fy, 0.0, 0.0);
    assert_null(tr_system_row(machine.system, 99).name);
    assert_null(tr_system_joint(machine.system, -1).name);
    assert_null(tr_system_force(machine.system, 5).name);
    assert_int_equal(tr_system_velocity(machine.system, 3).body, -1);
    tr_eval_destroy(e);
    tr_eval_destroy(NULL);
    machine_free(&machine);
}

// Rows body by body make A; groups follow each other.
static void rows_come_in_groups_and_by_body(void **state) {
    Machine         machine = machine_four_bar(1.0);
    const trSystem *s = machine.system;
    trEval         *e = handle(&machine);
    const int       nv = tr_system_nv(s);
    double          A[MOST * MOST], J[3];
    int             body[3], next = 0;
    assert_int_equal(tr_eval_at(e, 0.0, NULL, NULL, NULL), TR_OK);
    tr_eval_dense_A(e, A);
    for (int g = 0; g < tr_system_groups(s); g++) {
        const trGroupInfo group = tr_system_group(s, g);
        assert_int_equal(group.row, next);
        assert_string_equal(group.name, tr_system_joint(s, group.joint).name);
        next = group.row + group.rows;
    }
    assert_int_equal(next, tr_system_m(s));
    for (int i = 0; i < tr_system_m(s); i++) {
        const int count = tr_system_row_bodies(s, i, 3, body);
        assert_int_equal(count, i < 2 || i > 5 ? 1 : 2);  // joints to ground, and between bodies
        for (int b = 0; b < 3; b++) {
            tr_eval_row(e, i, b, J);
            for (int k = 0; k < 3; k++) {
                near(J[k], A[nv * i + 3 * b + k], 0.0);
            }
        }
    }
    assert_null(tr_system_group(s, 9).name);
    tr_eval_destroy(e);
    machine_free(&machine);
}

// w = R P u is the angular velocity in both kinds of coordinates.
static void velocities_turn_bodies_in_space(void **state) {
    for (int kind = 0; kind < 2; kind++) {
        Machine machine = {0};
        double  R[9], P[12], q[7], v[7], w[3] = {0.0};
        assert_int_equal(
            tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0),
                                      TR_WORD("coordinates", kind == 0 ? "body" : "quaternion")),
                            &machine.model),
            TR_OK);
        machine_body(&machine, "top",
                     TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 1.0, 2.0, 2.5),
                               TR_VEC("rotation", 0.3, -0.8, 1.1),
                               TR_VEC("angular_velocity", 0.7, 0.2, -1.3)));
        machine_build(&machine);
        trEval *e = handle(&machine);
        assert_int_equal(tr_eval_at(e, 0.0, NULL, NULL, NULL), TR_OK);
        tr_system_start(machine.system, q, v);
        const int columns = tr_eval_turning(e, 0, R, P);
        assert_int_equal(columns, 3 + kind);
        for (int i = 0; i < 9; i++) {
            for (int k = 0; k < columns; k++) {
                w[i / 3] += R[i] * P[columns * (i % 3) + k] * v[3 + k];
            }
        }
        near(w[0], 0.7, 1e-14);
        near(w[1], 0.2, 1e-14);
        near(w[2], -1.3, 1e-14);
        tr_eval_destroy(e);
        machine_free(&machine);
    }
}

// M is full in coordinates of the user's own.
static void systems_of_equations_are_solved_too(void **state) {
    Machine  machine = {0};
    trSimDef def = tr_sim_def_default();
    double   a[MOST], lambda[MOST], r[MOST], M[MOST * MOST];
    assert_int_equal(tr_lua_load(SOURCE_DIR "/models/benchmark/helicopter_pitch_link.lua", NULL,
                                 &machine.model, &def),
                     TR_OK);
    machine_build(&machine);
    trEval   *e = handle(&machine);
    const int nv = tr_system_nv(machine.system);
    assert_int_equal(tr_eval_at(e, 0.0, NULL, NULL, NULL), TR_OK);
    assert_int_equal(tr_eval_solve(e, NULL, NULL, a, lambda), TR_OK);
    residual(e, a, lambda, r);
    tr_eval_dense_M(e, M);
    for (int i = 0; i < nv; i++) {
        near(r[i], 0.0, 1e-10);
        for (int j = 0; j < i; j++) {
            near(M[nv * i + j], M[nv * j + i], 1e-15);
        }
    }
    tr_eval_destroy(e);
    machine_free(&machine);
}

// A simulation shows its equations at the state it has reached, and hands out handles that solve
// as it does.
static void a_simulation_shows_its_equations(void **state) {
    Machine       machine = machine_four_bar(1.0);
    trSimDef      def = tr_sim_def_default();
    trSim        *sim = machine_sim(&machine, &def);
    const trEval *at = NULL;
    trEval       *own = NULL;
    const double *lambda = NULL;
    double        r[MOST], a[MOST], multipliers[MOST];
    assert_int_equal(tr_sim_run_to(sim, 0.5), TR_OK);
    assert_int_equal(tr_sim_eval(sim, &at), TR_OK);
    near(tr_eval_time(at), 0.5, 0.0);
    assert_memory_equal(tr_eval_q(at), tr_sim_q(sim), 9 * sizeof(double));
    assert_int_equal(tr_sim_lambda(sim, &lambda), TR_OK);
    residual(at, tr_sim_acceleration(sim), lambda, r);
    assert_int_equal(tr_sim_new_eval(sim, &own), TR_OK);
    assert_int_equal(tr_eval_at(own, 0.5, tr_sim_q(sim), tr_sim_v(sim), NULL), TR_OK);
    assert_int_equal(tr_eval_solve(own, NULL, NULL, a, multipliers), TR_OK);
    for (int i = 0; i < 9; i++) {
        near(r[i], 0.0, 1e-10);
        near(a[i], tr_sim_acceleration(sim)[i], 1e-10);
    }
    tr_eval_destroy(own);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_accelerates_and_pulls_as_in_books),
        cmocka_unit_test(linearized_it_swings_with_its_frequency),
        cmocka_unit_test(a_state_beside_the_constraints_is_put_on_them),
        cmocka_unit_test(rows_are_derivatives),
        cmocka_unit_test(solutions_satisfy_the_equations_and_their_changes_the_linear_ones),
        cmocka_unit_test(arguments_are_copied),
        cmocka_unit_test(things_have_numbers_names_and_units),
        cmocka_unit_test(what_is_not_there_is_null_or_zero),
        cmocka_unit_test(rows_come_in_groups_and_by_body),
        cmocka_unit_test(velocities_turn_bodies_in_space),
        cmocka_unit_test(systems_of_equations_are_solved_too),
        cmocka_unit_test(a_simulation_shows_its_equations),
    };
    return cmocka_run_group_tests_name("eval", tests, NULL, NULL);
}
