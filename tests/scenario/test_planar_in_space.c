// SPDX-License-Identifier: MIT
// Planar benchmarks move in space as they do in the plane. Each is made spatial by model_in_space,
// in the plane of x and y and in a plane that lies askew, and run as the planar one is: dop853 at
// rtol = atol = 1e-10. The knife edge lies on a plane that is inclined by 30 degrees, so that its
// weight is vertical.
//
// A benchmark's tolerance bounds the distance of a run of this accuracy from the reference,
// relative to 1 + |value|. The error of a step is a mean square over the numbers of a body: 13 in
// space, of which 6 to 7 move, 6 in the plane. So that of the spatial run may be sqrt(13 / 6) = 1.5
// times as large, and the two are APART tolerances from each other at most.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenario/benchmarks.h"
#include "support/in_space.h"
#include "support/test.h"

#define PI 3.14159265358979323846
#define ROWS 100
#define FLAT 1e-9  // motion out of the plane, relative to 1 + the largest value in it
#define APART 2.5
// Loads are right to ten times what motions are right to, as in the benchmarks that have both.
#define LOADS 10.0

typedef struct Case {
    const char *benchmark;
    trVec3      turn;     // of the plane, axis times angle [rad]
    double      gravity;  // along its normal [m/s^2]
    bool        unique;   // reactions in the plane are
} Case;

#define ASKEW \
    { 0.9, -1.7, 0.6 }
#define FLAT_PLANE \
    { 0.0, 0.0, 0.0 }

static const Case cases[] = {
    {"A01 pendulum", FLAT_PLANE, -3.0, true},
    {"A01 pendulum", ASKEW, -3.0, true},
    {"A02 N-four-bar, N = 2", FLAT_PLANE, 0.0, true},
    {"A02 N-four-bar, N = 2", ASKEW, 0.0, true},
    {"A02 N-four-bar, N = 10", FLAT_PLANE, 0.0, true},
    {"A02 N-four-bar, N = 10", ASKEW, 0.0, true},
    {"A03 Andrews' squeezer", FLAT_PLANE, 0.0, true},
    {"A03 Andrews' squeezer", ASKEW, 0.0, true},
    {"S4a four-bar", FLAT_PLANE, -9.0, true},
    {"S4a four-bar", ASKEW, -9.0, true},
    {"P6.9 four-bar with a massless coupler", FLAT_PLANE, 2.0, true},
    {"P6.9 four-bar with a massless coupler", ASKEW, 2.0, true},
    {"S2 parallel four-bar", FLAT_PLANE, 0.0, true},
    {"S2 parallel four-bar", ASKEW, 0.0, true},
    {"P6.10 redundant parallelogram", FLAT_PLANE, 5.0, false},
    {"P6.10 redundant parallelogram", ASKEW, 5.0, false},
    {"T2b driven slider crank", FLAT_PLANE, 1.0, true},
    {"T2b driven slider crank", ASKEW, 1.0, true},
    // x of the plane points down the slope: 9.81 = |(9.81 sin 30, 0, -9.81 cos 30)|.
    {"P6.1 knife edge", {0.0, PI / 6.0, 0.0}, -8.4957092111253444, true},
};

static const Benchmark *find(const char *name) {
    for (int i = 0; i < benchmark_count(); i++) {
        if (strcmp(benchmark_at(i)->name, name) == 0) {
            return benchmark_at(i);
        }
    }
    fail_msg("there is no benchmark '%s'", name);
    return NULL;
}

static void require(trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static trVec3 triple(const Run *run, long row, const char *owner, const char *const part[3]) {
    return (trVec3){run_part(run, row, owner, part[0]), run_part(run, row, owner, part[1]),
                    run_part(run, row, owner, part[2])};
}

// Largest differences found: in the plane relative to 1 + |value|, out of it absolutely.
typedef struct Found {
    double in, out, largest;
    double load, largest_load;
} Found;

// `space` is a triple of the spatial run in axes of the plane.
static void note(Found *found, trVec3 space, double x, double y) {
    found->in = fmax(found->in, fabs(space.x - x) / (1.0 + fabs(x)));
    found->in = fmax(found->in, fabs(space.y - y) / (1.0 + fabs(y)));
    found->out = fmax(found->out, fabs(space.z));
    found->largest = fmax(found->largest, fmax(fabs(x), fabs(y)));
}

// Positions, velocities, angular velocity and orientation of one body in one row.
static void compare_body(const Run *planar, const Run *space, long row, const char *name,
                         trQuat turn, Found *found) {
    static const char *const at[3] = {"x", "y", "z"}, *const rate[3] = {"vx", "vy", "vz"};
    static const char *const omega[3] = {"wx", "wy", "wz"};
    trVec3                   r = tr_quat_unrotate(turn, triple(space, row, name, at));
    trVec3                   v = tr_quat_unrotate(turn, triple(space, row, name, rate));
    trVec3                   w = tr_quat_unrotate(turn, triple(space, row, name, omega));
    note(found, r, run_part(planar, row, name, "x"), run_part(planar, row, name, "y"));
    note(found, v, run_part(planar, row, name, "vx"), run_part(planar, row, name, "vy"));
    note(found, (trVec3){w.z, 0.0, w.x}, run_part(planar, row, name, "omega"), 0.0);
    found->out = fmax(found->out, fabs(w.y));
    // What is left of the rotation when that of the planar body is taken away.
    double angle = run_part(planar, row, name, "angle");
    trQuat u = {run_part(space, row, name, "e0"), run_part(space, row, name, "e1"),
                run_part(space, row, name, "e2"), run_part(space, row, name, "e3")};
    trQuat expected = tr_quat_mul(turn, tr_quat_exp((trVec3){0.0, 0.0, angle}));
    trVec3 left = tr_quat_log(tr_quat_mul(tr_quat_conjugate(expected), u));
    found->in = fmax(found->in, fabs(left.z) / (1.0 + fabs(angle)));
    found->out = fmax(found->out, fmax(fabs(left.x), fabs(left.y)));
}

static void compare_joint(const Run *planar, const Run *space, long row, const char *name,
                          trQuat turn, Found *found) {
    static const char *const force[3] = {"Fx", "Fy", "Fz"}, *const moment[3] = {"Mx", "My", "Mz"};
    trVec3 F = tr_quat_unrotate(turn, triple(space, row, name, force));
    trVec3 M = tr_quat_unrotate(turn, triple(space, row, name, moment));
    double fx = run_part(planar, row, name, "Fx"), fy = run_part(planar, row, name, "Fy");
    double m = run_part(planar, row, name, "M");
    found->load = fmax(found->load, fmax(fabs(F.x - fx), fmax(fabs(F.y - fy), fabs(M.z - m))));
    found->largest_load = fmax(found->largest_load, fmax(fabs(fx), fmax(fabs(fy), fabs(m))));
}

static void compare(const Case *c, const Benchmark *b, const Run *planar, const Run *space) {
    trQuat turn = tr_quat_exp(c->turn);
    Found  found = {0};
    assert_int_equal(planar->rows, ROWS + 1);
    assert_int_equal(space->rows, ROWS + 1);
    for (long row = 0; row < planar->rows; row++) {
        for (int i = 0; i < planar->system->bodies; i++) {
            compare_body(planar, space, row, planar->system->body[i].name, turn, &found);
        }
        for (int i = 0; c->unique && i < planar->system->joints; i++) {
            compare_joint(planar, space, row, planar->system->joint[i].name, turn, &found);
        }
    }
    trSimStats one = tr_sim_stats(planar->sim), two = tr_sim_stats(space->sim);
    double     load = found.load / (1.0 + found.largest_load);
    double     out = found.out / (1.0 + found.largest);
    print_message("  motion %.1e, out of the plane %.1e, loads %.1e; steps %lld and %lld, %d "
                  "dependent rows\n",
                  found.in, out, load, (long long)one.steps, (long long)two.steps,
                  two.redundant_rows);
    assert_int_equal(two.degrees_of_freedom, one.degrees_of_freedom);
    assert_true(found.in <= APART * b->motion.tolerance);
    assert_true(out <= FLAT);
    assert_true(load <= APART * LOADS * b->motion.tolerance);
    assert_true(!c->unique || found.largest_load > 0.1);
}

static void it_moves_as_in_the_plane(void **state) {
    const Case      *c = *state;
    const Benchmark *b = find(c->benchmark);
    const Plane      plane = {tr_quat_exp(c->turn), c->gravity};
    Run              planar, space = {0};
    trSimDef         def;
    require(run_load(b->model, b->set, &def, &planar));
    def.integrator = "dop853";
    def.rtol = def.atol = 1e-10;
    def.sample = def.duration / ROWS;
    require(run_simulate(&planar, &def));
    require(model_in_space(planar.model, &plane, &space.model));
    require(tr_system_build(space.model, &space.system));
    require(run_simulate(&space, &def));
    compare(c, b, &planar, &space);
    run_free(&space);
    run_free(&planar);
}

#define CASES (sizeof cases / sizeof *cases)

int main(void) {
    struct CMUnitTest tests[CASES];
    char              name[CASES][80];
    for (size_t i = 0; i < CASES; i++) {
        bool askew = tr_length3(cases[i].turn) > 0.0;
        snprintf(name[i], sizeof name[i], "%s%s", cases[i].benchmark, askew ? ", askew" : "");
        tests[i] = (struct CMUnitTest){name[i], it_moves_as_in_the_plane, NULL, NULL,
                                       (void *)(uintptr_t)&cases[i]};
    }
    return cmocka_run_group_tests_name("planar models in space", tests, NULL, NULL);
}
