// SPDX-License-Identifier: MIT
// Where gluing algorithms diverge, and by how much: against the numbers of theory.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glue/scenes.h"
#include "support/test.h"

int chain_open(int arguments, const char *const *argument, trModule *out);

#define OK(call) assert_int_equal((call), TR_OK)

static trGlueDef def_of(const char *gluing, double h) {
    trGlueDef def = tr_glue_def_default();
    def.gluing = gluing;
    def.step = h;
    return def;
}

// --- naive: the factor is mu - 1 ---

// x = M \ x, positive definite, 3 x 3.
static void solve(double M[3][3], double x[3]) {
    for (int k = 0; k < 3; k++) {
        for (int i = k + 1; i < 3; i++) {
            double factor = M[i][k] / M[k][k];
            for (int j = k; j < 3; j++) {
                M[i][j] -= factor * M[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = 2; k >= 0; k--) {
        for (int j = k + 1; j < 3; j++) {
            x[k] -= M[k][j] * x[j];
        }
        x[k] /= M[k][k];
    }
}

// M of the open chain in relative angles, from the velocities of its centers.
static void chain_mass(const double q[3], double M[3][3]) {
    const double mass[] = {10, 20, 10}, inertia[] = {1, 2, 1}, length[] = {1, 2, 1};
    memset(M, 0, 9 * sizeof(double));
    for (int body = 0; body < 3; body++) {
        double J[2][3] = {{0}}, theta = 0.0;
        for (int link = 0; link <= body; link++) {
            double arm = link < body ? length[link] : 0.5 * length[link];
            theta += q[link];
            for (int a = 0; a <= link; a++) {
                J[0][a] -= arm * sin(theta);
                J[1][a] += arm * cos(theta);
            }
        }
        for (int a = 0; a <= body; a++) {
            for (int b = 0; b <= body; b++) {
                M[a][b] += mass[body] * (J[0][a] * J[0][b] + J[1][a] * J[1][b]) + inertia[body];
            }
        }
    }
}

// The chain has one free motion on its joint, U = (1, -1, 1) / sqrt(3).
static double chain_mu(const double q[3]) {
    double M[3][3], U[3], V[3], forth = 0.0, back = 0.0;
    chain_mass(q, M);
    for (int i = 0; i < 3; i++) {
        U[i] = V[i] = (i == 1 ? -1.0 : 1.0) / sqrt(3.0);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            forth += U[i] * M[i][j] * U[j];
        }
    }
    solve(M, V);
    for (int i = 0; i < 3; i++) {
        back += U[i] * V[i];
    }
    return forth * back;
}

// The last step's residuals: the growth from the last but one to the last.
static double growth(const trGlue *glue, int residual) {
    const double(*history)[4];
    int n = tr_glue_history(glue, &history);
    assert_true(n > 2);
    return history[n - 1][residual] / history[n - 2][residual];
}

static void glue_chain(const trGlueDef *def, Scene *s) {
    static const char *const name[] = {"chain"};
    int                      body = 0;
    memset(s, 0, sizeof *s);
    OK(tr_model_create(TR_PARAMS(TR_NUM("dim", 2), TR_VEC("gravity", 0.0, 0.0)), &s->model));
    OK(tr_model_add_body(s->model, "chain.end",
                         TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1), TR_VEC("at", 2.0, 0.0)),
                         &body));
    OK(tr_model_add_joint(s->model, "revolute", "cut", TR_GROUND, body,
                          TR_PARAMS(TR_VEC("point", 2.0, 0.0)), NULL));
    OK(tr_system_build(s->model, &s->system));
    assert_int_equal(chain_open(0, NULL, &s->module[0]), 0);
    OK(tr_carrier_create_local(1, name, s->module, &s->carrier));
    OK(tr_glue_create(s->system, s->carrier, def, &s->glue));
}

// Steps of 1e-4 s end before the motion, 6e-4 rad, has changed what mu is made of; with those of
// the paper, 0.4 s, M is that of some other pose.
static void naive_diverges_by_mu_less_one(void **state) {
    const double pi = acos(-1.0), q[3] = {0.5 * pi, -0.5 * pi, 1.5 * pi}, mu = chain_mu(q);
    const double step[] = {1e-4, 0.4}, allowed[] = {1e-3, 0.05};
    assert_true(fabs(mu - 2.389) < 1e-3);
    for (int k = 0; k < 2; k++) {
        trGlueDef def = def_of("naive", step[k]);
        Scene     s;
        def.duration = 16.0;
        glue_chain(&def, &s);
        assert_int_equal(tr_glue_step(s.glue), TR_NO_CONVERGENCE);
        assert_non_null(strstr(tr_last_error(), "gluing 'naive' diverges"));
        assert_true(fabs(growth(s.glue, 0) - (mu - 1.0)) < allowed[k]);
        scene_free(&s);
    }
}

// Three bodies: M is diagonal, and the free motion is that of the crank with the rate 1,
//
//     U U' = 1/4 + 1 + 1 + 1/4 + 1     U M U' = 3.5 + 20 + 3.5     U M^-1 U' = 2 (1/40 + 1) + 1/20
static void naive_diverges_at_every_step(void **state) {
    const double mu = 27.0 * (2.0 * (1.0 / 40.0 + 1.0) + 1.0 / 20.0) / (3.5 * 3.5);
    const double step[] = {1e-2, 1e-4, 1e-6};
    assert_true(fabs(mu - 4.63) < 0.005);
    for (int k = 0; k < 3; k++) {
        trGlueDef def = def_of("naive", step[k]);
        Scene     s;
        def.duration = 0.1;
        OK(scene_four_bar(&def, &s));
        assert_int_equal(tr_glue_step(s.glue), TR_NO_CONVERGENCE);
        // Relative residuals end at 1, which large steps are at soon.
        assert_true(k == 0 || fabs(growth(s.glue, 0) - (mu - 1.0)) < 1e-2);
        scene_free(&s);
    }
}

// The free motion of the crank-rocker with the rate 1 of its crank, from
//
//     2 n1 + 4 n2 theta2' = 4 n3 theta3'        n across each link
static double crank_rocker_mu(void) {
    const double angle[] = {acos(-1.0) / 3.0, 0.4232455982985229, 1.004203159591008};
    const double mass[] = {1.0, 2.25, 2.2}, inertia[] = {0.3, 2.0, 1.35};
    double       s[3], c[3], forth = 0.0, back = 0.0, length = 0.0;
    for (int i = 0; i < 3; i++) {
        s[i] = sin(angle[i]);
        c[i] = cos(angle[i]);
    }
    double sine = sin(angle[2] - angle[1]);
    double rate[] = {1.0, 0.5 * sin(angle[0] - angle[2]) / sine,
                     0.5 * sin(angle[0] - angle[1]) / sine};
    double U[3][3] = {
        {-s[0], c[0], 1.0},
        {-2.0 * s[0] - 2.0 * s[1] * rate[1], 2.0 * c[0] + 2.0 * c[1] * rate[1], rate[1]},
        {-2.0 * s[2] * rate[2], 2.0 * c[2] * rate[2], rate[2]}};
    for (int i = 0; i < 9; i++) {
        double m = i % 3 == 2 ? inertia[i / 3] : mass[i / 3],
               u2 = U[i / 3][i % 3] * U[i / 3][i % 3];
        forth += m * u2;
        back += u2 / m;
        length += u2;
    }
    return forth * back / (length * length);
}

// Where mu is below 2 it converges, by mu - 1 in an iteration.
static void naive_converges_slowly_below_two(void **state) {
    double    mu = crank_rocker_mu();
    trGlueDef def = def_of("naive", 1e-3);
    Scene     s;
    const double(*history)[4];
    assert_true(mu > 1.6 && mu < 1.8);
    def.max_iterations = 200;
    OK(scene_crank_rocker(&def, &s));
    OK(tr_glue_step(s.glue));
    int n = tr_glue_history(s.glue, &history);
    assert_true(n > 20);
    assert_true(fabs(pow(history[15][0] / history[5][0], 0.1) - (mu - 1.0)) < 0.01);
    scene_free(&s);
    def.gluing = "gauss";
    OK(scene_crank_rocker(&def, &s));
    OK(tr_glue_step(s.glue));
    assert_true(tr_glue_iterations(s.glue) <= 4);
    scene_free(&s);
}

// --- weak couplings through a joint: the factor is that of the masses ---

// Link 1, hinged, yields at its end by 3/m1 across itself. Link 2, free, resists there with
// m2 (1 - 3/4 n n'), n across itself.
static double follower_factor(const Links *l) {
    double c = cos(l->angle[1] - l->angle[0]);
    return 3.0 * l->mass[1] / l->mass[0] * (1.0 - 0.75 * c * c);
}

// Accelerations of joints, from sweep to sweep.
static double sweep_growth(const trGlue *glue, int apart) {
    const double(*history)[4];
    int n = tr_glue_history(glue, &history);
    assert_true(n > apart);
    return history[n - 1][1] / history[n - 1 - apart][1];
}

// One after the other, errors have this factor in a sweep; side by side, in two. In steps of 1e-4 s
// nothing moves meanwhile.
static void weak_coupling_diverges_by_the_ratio_of_masses(void **state) {
    const double mass[] = {10.0, 1.0, 0.1};
    for (int k = 0; k < 3; k++) {
        const Links l = {.count = 2, .mass = {mass[k], 1.0}, .angle = {0.0, -0.5}, .gravity = 9.81};
        double      factor = follower_factor(&l);
        for (int side = 0; side < 2; side++) {
            trGlueDef def = def_of(side == 0 ? "gauss_seidel" : "jacobi", 1e-4);
            Scene     s;
            OK(scene_links(&l, &def, &s));
            trStatus status = tr_glue_step(s.glue);
            assert_int_equal(status, factor < 1.0 ? TR_OK : TR_NO_CONVERGENCE);
            if (status != TR_OK) {
                assert_non_null(strstr(tr_last_error(), "diverges at t = 0.0001 s"));
                assert_non_null(strstr(tr_last_error(), "joint 'hinge"));
                assert_true(fabs(sweep_growth(s.glue, 1 + side) / factor - 1.0) < 0.02);
            }
            scene_free(&s);
        }
    }
}

// Gauss's principle does not see the ratio of masses.
static void gauss_takes_any_ratio_of_masses(void **state) {
    const double mass[] = {1e3, 1.0, 1e-3};
    for (int k = 0; k < 3; k++) {
        const Links l = {.count = 2, .mass = {mass[k], 1.0}, .angle = {0.0, -0.5}, .gravity = 9.81};
        trGlueDef   def = def_of("gauss", 1e-2);
        Scene       s;
        OK(scene_links(&l, &def, &s));
        OK(scene_run(&s, &def));
        assert_true(tr_glue_stats(s.glue).max_iterations <= 8);
        assert_true(tr_glue_stats(s.glue).position.length < 1e-13);
        scene_free(&s);
    }
}

// --- springs between ports: the factor is c_q k (1/m1 + 1/m2) ---

// Under Newmark's formulas c_q = h^2 / 4: errors die out for h < 2 / omega. Gauss's principle is of
// no help, as it is one for joints.
static void springs_between_ports_limit_the_step(void **state) {
    static const char *const kinds[] = {"gauss", "jacobi", "bdf"};
    const TwoMasses          m = {.mass = {1.0, 3.0}, .coupling = 300.0, .start = {1e-3, 0.0}};
    double                   limit = 2.0 / sqrt(m.coupling * (1.0 + 1.0 / 3.0));
    for (int k = 0; k < 3; k++) {
        // Of bdf1 c_q is h^2.
        double at_limit = k == 2 ? 0.5 * limit : limit;
        for (int side = 0; side < 2; side++) {
            trGlueDef def = def_of(kinds[k], (side == 0 ? 0.9 : 1.1) * at_limit);
            Scene     s;
            def.scheme = k == 2 ? "bdf1" : "newmark";
            def.duration = def.step;
            def.max_iterations = 500;
            def.tolerance = 1e-8;  // forces of 1e-2 N come from lengths of 1 m
            OK(scene_two_masses(&m, &def, &s));
            assert_int_equal(tr_glue_step(s.glue), side == 0 ? TR_OK : TR_NO_CONVERGENCE);
            scene_free(&s);
        }
    }
}

// Errors travel through a window and grow on the way: a shorter one converges, with the same step.
static void a_window_that_is_too_long_is_named(void **state) {
    const TwoMasses m = {.mass = {1.0, 1.0}, .coupling = 1e5, .start = {1e-3, -1e-3}};
    for (int side = 0; side < 2; side++) {
        trGlueDef def = def_of("waveform", 1e-3);
        Scene     s;
        def.duration = 0.2;
        def.window = side == 0 ? 200 : 10;
        def.tolerance = 1e-8;  // forces of 1e2 N come from lengths of 1 m
        OK(scene_two_masses(&m, &def, &s));
        assert_int_equal(tr_glue_step(s.glue), side == 0 ? TR_NO_CONVERGENCE : TR_OK);
        if (side == 0) {
            assert_non_null(strstr(tr_last_error(), "; use a shorter window than 200 steps, or"));
        }
        scene_free(&s);
    }
}

// Held forces that are unstable grow until modules cannot go on with them, which is no fault of a
// module.
static void growing_loads_are_a_divergence_of_the_coupling(void **state) {
    static const char *const kinds[] = {"jacobi", "gauss_seidel"};
    const TwoMasses          m = {.mass = {1.0, 1.0}, .coupling = 1e9, .start = {1e-3, -1e-3}};
    for (int k = 0; k < 2; k++) {
        trGlueDef def = def_of(kinds[k], 1e-3);
        trStatus  status = TR_OK;
        Scene     s;
        def.duration = 2.0;
        def.sweeps = 1 + k;
        OK(scene_two_masses(&m, &def, &s));
        for (int n = 0; n < 2000 && status == TR_OK; n++) {
            status = tr_glue_step(s.glue);
        }
        assert_int_not_equal(status, TR_OK);
        assert_non_null(strstr(tr_last_error(), kinds[k]));
        assert_non_null(strstr(tr_last_error(), "diverge"));
        assert_non_null(strstr(tr_last_error(), "leave sweeps out"));
        assert_null(strstr(tr_last_error(), "not a number"));
        scene_free(&s);
    }
}

// --- without iteration: stable up to some step ---

#define SPRING 50.0  // between the masses [N/m]
#define DAMPER 1.0   // of each mass to ground [N s/m]

// Half the distance of two masses of 1 kg, d'' + c d' = -2 k d, under Newmark's formulas with the
// force of the beginning of each step: growth in many steps, as a rate per step.
static double held_growth(double h) {
    double d = 1.0, v = 0.3, a = 0.0, log_size = 0.0;
    for (int n = 0; n < 20000; n++) {
        double next = (-2.0 * SPRING * d - DAMPER * (v + 0.5 * h * a)) / (1.0 + 0.5 * h * DAMPER);
        double change = h * v + 0.25 * h * h * (a + next);
        v += 0.5 * h * (a + next);
        d += change;
        a = next;
        double size = fabs(d) + fabs(v) * h + fabs(a) * h * h;
        d /= size;
        v /= size;
        a /= size;
        log_size += log(size);
    }
    return log_size / 20000.0;
}

// Where growth turns to decay.
static double held_limit(void) {
    double low = 1e-4, high = 1.0;
    assert_true(held_growth(low) < 0.0 && held_growth(high) > 0.0);
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        *(held_growth(middle) < 0.0 ? &low : &high) = middle;
    }
    return low;
}

// The growth of the distance, as a rate per step: from the first to the last of four quarters of
// 400 steps, by its largest value in each.
// Small, as a spring is linear only as long as its ends do not meet.
static double rate_of(const char *gluing, int sweeps, double h) {
    const TwoMasses m = {
        .mass = {1.0, 1.0}, .c = DAMPER, .coupling = SPRING, .start = {1e-3, -1e-3}};
    trGlueDef def = def_of(gluing, h);
    Scene     s;
    double    most[4] = {0.0};
    def.duration = 400.0 * h;
    def.sweeps = sweeps;
    def.tolerance = 1e-8;  // forces of 1e-4 N come from lengths of 1 m
    OK(scene_two_masses(&m, &def, &s));
    for (int n = 0; n < 400; n++) {
        double one[6], two[6];
        OK(tr_glue_step(s.glue));
        scene_state(&s, 0, one);
        scene_state(&s, 1, two);
        most[n / 100] = fmax(most[n / 100], fabs(two[0] - one[0] - 1.0));
    }
    scene_free(&s);
    return log(most[3] / most[0]) / 300.0;
}

// Largest values are met within half a swing, 0.3 s of the 400 steps of 0.01 s or more.
static void held_forces_are_unstable_above_some_step(void **state) {
    double h = held_limit();
    assert_true(h > 0.005 && h < 0.05);
    for (int k = 0; k < 2; k++) {
        double at = (k == 0 ? 0.5 : 2.0) * h, wanted = held_growth(at);
        assert_true(k == 0 ? wanted < 0.0 : wanted > 0.0);
        assert_true(fabs(rate_of("jacobi", 1, at) / wanted - 1.0) < 0.1);
        assert_true(rate_of("jacobi", 0, at) < 0.0 && rate_of("gauss", 0, at) < 0.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naive_diverges_by_mu_less_one),
        cmocka_unit_test(naive_diverges_at_every_step),
        cmocka_unit_test(naive_converges_slowly_below_two),
        cmocka_unit_test(weak_coupling_diverges_by_the_ratio_of_masses),
        cmocka_unit_test(gauss_takes_any_ratio_of_masses),
        cmocka_unit_test(springs_between_ports_limit_the_step),
        cmocka_unit_test(a_window_that_is_too_long_is_named),
        cmocka_unit_test(growing_loads_are_a_divergence_of_the_coupling),
        cmocka_unit_test(held_forces_are_unstable_above_some_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
