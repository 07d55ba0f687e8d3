// SPDX-License-Identifier: MIT
// Mechanisms that swing through flat poses pass them with nothing but the defaults, at every
// tolerance, under every method that claims it. N-four-bars and the parallelogram have one degree
// of freedom, the angle theta of their cranks from the x axis:
//
//     (n (J + m/4) + N m) theta'' = -g cos(theta) m (n/2 + N),    n = N + 1 cranks, N couplers
//
// with bars of 1 m, which is integrated here apart from the library.
//
// Without arguments a choice of cases, with "long" all, and a table.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/traits.h"
#include "scenario/scenario.h"
#include "sim/def.h"
#include "support/test.h"

#define DURATION 10.0  // [s]
#define G 9.81         // [m/s^2]

// Errors of all steps add up, as they do for a pendulum with the same motion; in passing a pose
// rounding is divided by the distance to it.
#define PER_TOLERANCE 100.0
#define PASSING 5e-8

typedef struct Mechanism {
    const char *file;  // from the root of the sources
    int         N;
    double      inertia;  // J of a crank [kg m^2]
    const char *start;    // a setting of the model, or NULL
} Mechanism;

typedef struct Swing {
    double theta, omega;  // [rad, rad/s]
} Swing;

static Swing rate(const Mechanism *m, Swing s) {
    double cranks = m->N + 1, couplers = m->N;
    double inertia = cranks * (m->inertia + 0.25) + couplers;
    return (Swing){s.omega, -G * cos(s.theta) * (0.5 * cranks + couplers) / inertia};
}

static Swing ahead(Swing s, double h, Swing k) {
    return (Swing){s.theta + h * k.theta, s.omega + h * k.omega};
}

// The classical method of order 4; with these steps its error is below 1e-12.
static Swing swing(const Mechanism *m, Swing s, double duration) {
    const int    steps = 10 + (int)(4000.0 * duration);
    const double h = duration / steps;
    for (int i = 0; i < steps; i++) {
        Swing k1 = rate(m, s), k2 = rate(m, ahead(s, 0.5 * h, k1));
        Swing k3 = rate(m, ahead(s, 0.5 * h, k2)), k4 = rate(m, ahead(s, h, k3));
        s.theta += h / 6.0 * (k1.theta + 2.0 * (k2.theta + k3.theta) + k4.theta);
        s.omega += h / 6.0 * (k1.omega + 2.0 * (k2.omega + k3.omega) + k4.omega);
    }
    return s;
}

static void load(const Mechanism *m, Run *run) {
    char              path[1024], value[32];
    const char *const set[] = {value, m->start, NULL};
    trSimDef          def = tr_sim_def_default();
    bool              bars = strstr(m->file, "n_four_bar") != NULL;
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, m->file);
    snprintf(value, sizeof value, "N=%d", m->N);
    memset(run, 0, sizeof *run);
    if (tr_lua_load(path, bars ? set : NULL, &run->model, &def) != TR_OK ||
        tr_system_build(run->model, &run->system) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

// The error at the end, or infinity; the settings are the defaults but for those given.
static double error_of(const Mechanism *m, const trSimDef *wanted) {
    Run      run;
    trSim   *sim = NULL;
    trSimDef def = *wanted;
    double   error = INFINITY;
    load(m, &run);
    trStatus status = tr_sim_create(run.system, &def, &sim);
    if (status == TR_OK) {
        trBodyState first = tr_sim_body(sim, 0);
        Swing       end = swing(m, (Swing){first.angle, first.omega}, DURATION);
        status = tr_sim_run_to(sim, DURATION);
        trBodyState last = tr_sim_body(sim, 0);
        error = status == TR_OK ? fabs(last.angle - end.theta) : INFINITY;
    }
    if (status != TR_OK) {
        print_message("  %s\n", tr_last_error());
    }
    tr_sim_destroy(sim);
    run_free(&run);
    return error;
}

static int try_tolerance(const Mechanism *m, const char *method, const char *integrator,
                         double tolerance) {
    trSimDef def = tr_sim_def_default();
    def.method = method;
    def.integrator = integrator;
    def.rtol = def.atol = tolerance;
    double error = error_of(m, &def);
    bool   good = error <= PER_TOLERANCE * tolerance + PASSING;
    print_message("  N = %2d  %-18s %-7s %.0e  error %.1e%s\n", m->N, method != NULL ? method : "",
                  integrator, tolerance, error, good ? "" : "  WRONG");
    return good ? 0 : 1;
}

static bool everything;

static const double exponents[] = {4, 5, 6, 7, 8, 9, 10, 11, 12};

static Mechanism n_four_bar(int N) {
    return (Mechanism){"models/benchmark/n_four_bar.lua", N, 1.0 / 12.0, NULL};
}

static const Mechanism parallelogram = {"tests/scenario/turned/parallelogram.lua", 1, 0.1, NULL};

// Methods with dop853 that claim to pass.
static int try_methods(const Mechanism *m, int stride) {
    int bad = 0;
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *method = tr_method_at(i);
        bool            passes = (tr_method_traits(method) & TR_COPES_SINGULAR_POSE) != 0;
        for (int k = 0; passes && method->integrator == NULL && k < 9; k += stride) {
            bad += try_tolerance(m, method->name, "dop853", pow(10.0, -exponents[k]));
        }
    }
    return bad;
}

static void flat_poses_are_passed_at_every_tolerance(void **state) {
    static const int few[] = {1, 3, 10}, many[] = {1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40};
    const int       *N = everything ? many : few;
    int              count = everything ? 11 : 3, bad = try_methods(&parallelogram, 1);
    for (int i = 0; i < count; i++) {
        Mechanism m = n_four_bar(N[i]);
        bad += try_methods(&m, everything ? 1 : 4);
    }
    assert_int_equal(bad, 0);
}

// Down to 1e-10.
static void radau5_passes_flat_poses(void **state) {
    static const int few[] = {2, 5}, many[] = {1, 2, 3, 5, 7, 10, 15, 20, 30, 40};
    const int       *N = everything ? many : few;
    int              count = everything ? 10 : 2, bad = 0;
    for (int i = -1; i < count; i++) {
        Mechanism m = i < 0 ? parallelogram : n_four_bar(N[i]);
        int       stride = !everything && m.N > 2 ? 3 : 1;
        for (int k = 0; k < 7; k += stride) {
            bad += try_tolerance(&m, NULL, "radau5", pow(10.0, -exponents[k]));
        }
    }
    assert_int_equal(bad, 0);
}

// A tenth of the step leaves 1e-4 of the error of rk4, and 1e-2 of that of methods of order 2; half
// of that is asked for, down to what passing leaves.
static int try_steps(const Mechanism *m, const trMethod *method) {
    trSimDef def = tr_sim_def_default();
    double   error[2];
    def.method = method->name;
    def.integrator = method->integrator == NULL ? "rk4" : NULL;
    for (int k = 0; k < 2; k++) {
        def.step = k == 0 ? 1e-2 : 1e-3;
        error[k] = error_of(m, &def);
    }
    double factor = method->integrator == NULL ? 2e-4 : 2e-2;
    bool   good = isfinite(error[0]) && error[1] <= factor * error[0] + PASSING;
    print_message("  N = %2d  %-18s error %.1e, %.1e%s\n", m->N, method->name, error[0], error[1],
                  good ? "" : "  WRONG");
    return good ? 0 : 1;
}

static void fixed_steps_pass_flat_poses_with_their_order(void **state) {
    int       bad = 0;
    Mechanism other = n_four_bar(everything ? 10 : 3);
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *method = tr_method_at(i);
        if ((tr_method_traits(method) & TR_COPES_SINGULAR_POSE) != 0) {
            bad += try_steps(&parallelogram, method);
            bad += try_steps(&other, method);
        }
    }
    assert_int_equal(bad, 0);
}

// With this start a stage of a step of 1e-2 s falls on the pose, where a row is dropped. A pendulum
// with the same steps has an error of 2e-7 rad, and masarati one of 2e-6; where the dropped row was
// not noticed, direct_mass had 1.7e-2.
static void fixed_steps_with_a_stage_in_a_pose_keep_their_order(void **state) {
    Mechanism m = n_four_bar(2);
    trSimDef  def = tr_sim_def_default();
    m.start = "angle=-0.55076395952057178";
    def.method = "direct_mass";
    def.integrator = "rk4";
    def.step = 1e-2;
    double error = error_of(&m, &def);
    print_message("  error %.1e\n", error);
    assert_true(error <= 1e-5);
}

// A run that starts in a flat pose, or before or behind one [rad], has not seen another pose with
// which to compare. In the pose rows are dropped, next to it by rounding in part.
static void starts_beside_flat_poses_are_passed(void **state) {
    static const double beside[] = {0.0, 1e-6, 2e-5, 1e-4, 2e-4, 8e-4, -8e-4, 4.8e-3};
    static const struct {
        int         N;
        const char *integrator;
        double      tolerance;
    } run[] = {
        {5, "dop853", 1e-8}, {10, "dop853", 1e-12}, {2, "radau5", 1e-8}, {2, "radau5", 1e-10}};
    int bad = 0;
    for (int i = 0; i < 32; i++) {
        const int k = i / 8;
        char      start[40];
        Mechanism m = n_four_bar(run[k].N);
        m.start = start;
        snprintf(start, sizeof start, "angle=%.17g", acos(0.0) - beside[i % 8]);
        print_message("  %g rad before the pose:\n", beside[i % 8]);
        bad += try_tolerance(&m, NULL, run[k].integrator, run[k].tolerance);
    }
    assert_int_equal(bad, 0);
}

// The instant of the first flat pose, theta = 0, before 1 s.
static double first_pose(const Mechanism *m, Swing start) {
    double before = 0.0, after = 1.0;
    for (int i = 0; i < 52; i++) {
        double t = 0.5 * (before + after);
        *(swing(m, start, t).theta > 0.0 ? &before : &after) = t;
    }
    return 0.5 * (before + after);
}

// Cranks come first; couplers do not turn. Velocities may have ten times the error of angles: they
// are about as much larger, and rounding is divided by the square of the distance to the pose.
static double error_at(const trSim *sim, const Mechanism *m, Swing right) {
    double error = 0.0;
    for (int i = 0; i < 2 * m->N + 1; i++) {
        trBodyState b = tr_sim_body(sim, i);
        bool        crank = i <= m->N;
        error = fmax(error, fabs(b.angle - (crank ? right.theta : 0.0)));
        error = fmax(error, fabs(b.omega - (crank ? right.omega : 0.0)) / 10.0);
    }
    return error;
}

// Stops `off` seconds beside the pose, then goes on to 3 s. A goal is as accurate as any other
// instant. The run begins anew there with accelerations that lack rows, in steps so short that
// their errors are allowed; there are some more of them.
static int try_goal(const Mechanism *m, const trSimDef *def, double off) {
    Run    run;
    trSim *sim = NULL;
    double error[2] = {INFINITY, INFINITY};
    load(m, &run);
    assert_int_equal(tr_sim_create(run.system, def, &sim), TR_OK);
    trBodyState  first = tr_sim_body(sim, 0);
    const Swing  start = {first.angle, first.omega};
    const double pose = first_pose(m, start) + off;
    for (int k = 0; k < 2; k++) {
        double t = k == 0 ? pose : 3.0;
        if (tr_sim_run_to(sim, t) != TR_OK) {
            print_message("  %s\n", tr_last_error());
            break;
        }
        error[k] = error_at(sim, m, swing(m, start, t));
    }
    double most = PER_TOLERANCE * def->rtol + PASSING;
    bool   good = error[0] <= most && error[1] <= 10.0 * most;
    print_message("  N = %d  %-11s %-7s %.0e  %g s  error %.1e, then %.1e%s\n", m->N, def->method,
                  def->integrator, def->rtol, off, error[0], error[1], good ? "" : "  WRONG");
    tr_sim_destroy(sim);
    run_free(&run);
    return good ? 0 : 1;
}

static void goals_in_flat_poses_are_reached(void **state) {
    static const char *const method[] = {"direct_mass", "masarati"};
    static const char *const integrator[] = {"dop853", "dopri5", "rk4"};
    static const double      off[] = {0.0, 1e-6, -1e-5};
    const Mechanism          other = n_four_bar(3);
    int                      bad = 0;
    for (int i = 0; i < 18; i++) {
        trSimDef def = tr_sim_def_default();
        def.method = method[i % 2];
        def.integrator = integrator[i / 2 % 3];
        def.step = 2e-3;  // rk4: less than 1e-7 in 3 s
        def.rtol = def.atol = 1e-8;
        bad += try_goal(&other, &def, off[i / 6]);
        bad += try_goal(&parallelogram, &def, off[i / 6]);
        def.rtol = def.atol = 1e-10;
        bad += i / 2 % 3 < 2 ? try_goal(&parallelogram, &def, off[i / 6]) : 0;
    }
    assert_int_equal(bad, 0);
}

// Goals that follow each other closely, as in a co-simulation, leave no choice of steps: some are
// in a pose, or just behind one. The steps are far shorter than the tolerance asks for.
static int try_close_goals(const Mechanism *m, const trSimDef *def, double interval) {
    Run      run;
    trSim   *sim = NULL;
    trStatus status = TR_OK;
    load(m, &run);
    assert_int_equal(tr_sim_create(run.system, def, &sim), TR_OK);
    trBodyState first = tr_sim_body(sim, 0);
    const Swing right = swing(m, (Swing){first.angle, first.omega}, 3.0);
    for (int i = 1; status == TR_OK && (i - 0.5) * interval < 3.0; i++) {
        status = tr_sim_run_to(sim, fmin(i * interval, 3.0));
    }
    double error = error_at(sim, m, right);
    bool   good = status == TR_OK && error <= PER_TOLERANCE * def->rtol + PASSING;
    print_message("  N = %d  %-11s %-7s %.0e  every %g s  error %.1e%s\n", m->N, def->method,
                  def->integrator, def->rtol, interval, error, good ? "" : "  WRONG");
    tr_sim_destroy(sim);
    run_free(&run);
    return good ? 0 : 1;
}

static void close_goals_pass_flat_poses(void **state) {
    static const double interval[] = {5e-4, 1e-3, 2e-3};
    const Mechanism     other = n_four_bar(2);
    int                 bad = 0;
    for (int i = 0; i < 12; i++) {
        trSimDef def = tr_sim_def_default();
        def.method = "direct_mass";
        def.integrator = i % 2 == 0 ? "dop853" : "dopri5";
        def.rtol = def.atol = i / 2 % 2 == 0 ? 1e-6 : 1e-10;
        bad += try_close_goals(&parallelogram, &def, interval[i / 4]);
        bad += try_close_goals(&other, &def, interval[i / 4]);
    }
    assert_int_equal(bad, 0);
}

// A swing that turns around 1e-4 rad beyond a flat pose is so slow there that every step has a
// stage where rows are dropped. Where a run stops, it does not advise the method that it has, and
// what it advises helps.
static void slow_passages_are_passed_as_advised(void **state) {
    Mechanism m = n_four_bar(1);
    int       bad = 0;
    m.start = "angle=1.6131936569396";
    for (int e = 7; e <= 12; e++) {
        Run      run;
        trSim   *sim = NULL;
        trSimDef def = tr_sim_def_default();
        def.rtol = def.atol = pow(10.0, -e);
        load(&m, &run);
        assert_int_equal(tr_sim_create(run.system, &def, &sim), TR_OK);
        if (tr_sim_run_to(sim, 3.0) != TR_OK) {
            const char *words = tr_last_error();
            print_message("  %s\n", words);
            assert_null(strstr(words, "direct_mass"));
            assert_non_null(strstr(words, "'ground0', 'ground1', 'left1' and 'right1'"));
            assert_non_null(strstr(words, "rank_tolerance = 1e-6"));
        }
        tr_sim_destroy(sim);
        run_free(&run);
        def.rank_tolerance = 1e-6;
        double error = error_of(&m, &def);
        print_message("  %.0e  error with rank_tolerance = 1e-6: %.1e\n", def.rtol, error);
        bad += !(error <= PER_TOLERANCE * def.rtol + PASSING);
    }
    assert_int_equal(bad, 0);
}

// What a method that does not claim to pass has to say where it stops: the time, joints, and a
// method that helps.
static bool explains_the_pose(const char *words) {
    bool joint = strstr(words, "joint 'A'") != NULL || strstr(words, "joint 'B'") != NULL ||
                 strstr(words, "joint 'C'") != NULL || strstr(words, "joint 'D'") != NULL ||
                 strstr(words, "joints 'A', 'B', 'C' and 'D'") != NULL;
    return joint && strstr(words, "t = ") != NULL && strstr(words, "direct_mass") != NULL &&
           strstr(words, "steep force") == NULL;
}

static void methods_that_cannot_pass_name_the_pose_and_a_remedy(void **state) {
    int stopped = 0, bad = 0;
    for (int i = 0; i < tr_method_count(); i++) {
        Run      run;
        trSim   *sim = NULL;
        trSimDef def = tr_sim_def_default();
        def.method = tr_method_at(i)->name;
        def.step = 1e-3;
        load(&parallelogram, &run);
        assert_int_equal(tr_sim_create(run.system, &def, &sim), TR_OK);
        if (tr_sim_run_to(sim, 6.0) != TR_OK) {
            bool good = (tr_method_traits(tr_method_at(i)) & TR_COPES_SINGULAR_POSE) == 0 &&
                        explains_the_pose(tr_last_error());
            print_message("%s  %s: %s\n", good ? "" : "  WRONG", def.method, tr_last_error());
            stopped++;
            bad += !good;
        }
        tr_sim_destroy(sim);
        run_free(&run);
    }
    assert_int_equal(bad, 0);
    assert_true(stopped > 10);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_poses_are_passed_at_every_tolerance),
        cmocka_unit_test(radau5_passes_flat_poses),
        cmocka_unit_test(methods_that_cannot_pass_name_the_pose_and_a_remedy),
        cmocka_unit_test(fixed_steps_pass_flat_poses_with_their_order),
        cmocka_unit_test(fixed_steps_with_a_stage_in_a_pose_keep_their_order),
        cmocka_unit_test(starts_beside_flat_poses_are_passed),
        cmocka_unit_test(goals_in_flat_poses_are_reached),
        cmocka_unit_test(close_goals_pass_flat_poses),
        cmocka_unit_test(slow_passages_are_passed_as_advised),
    };
    everything = argc > 1 && strcmp(argv[1], "long") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
