// SPDX-License-Identifier: MIT
// The planar benchmarks: how the quantities of each reference follow from the columns of a run.

#include "scenario/benchmarks.h"

#include <math.h>

static const double half_turn = 3.14159265358979323846;

// The bob stands at (sin theta, -cos theta), theta from the downward vertical.
static void pendulum_motion(const Run *run, long row, double *out) {
    double angle = run_value(run, row, "rod.angle"), rate = run_value(run, row, "rod.omega");
    out[0] = cos(angle);
    out[1] = sin(angle);
    out[2] = -rate * sin(angle);
    out[3] = rate * cos(angle);
    out[4] = angle + half_turn / 2.0;
    out[5] = rate;
}

// The pivot pulls along the rod, towards itself.
static void pendulum_reactions(const Run *run, long row, double *out) {
    double angle = run_value(run, row, "rod.angle");
    out[0] = -(run_value(run, row, "pivot.Fx") * cos(angle) +
               run_value(run, row, "pivot.Fy") * sin(angle));
}

static void rod_pendulum_motion(const Run *run, long row, double *out) {
    out[0] = run_value(run, row, "bob.x");
    out[1] = run_value(run, row, "bob.y");
    out[2] = run_value(run, row, "bob.vx");
    out[3] = run_value(run, row, "bob.vy");
}

static void rod_pendulum_reactions(const Run *run, long row, double *out) {
    out[0] = -(run_value(run, row, "rod.Fx") * run_value(run, row, "bob.x") +
               run_value(run, row, "rod.Fy") * run_value(run, row, "bob.y"));
}

static void n_four_bar_motion(const Run *run, long row, double *out) {
    double angle = run_value(run, row, "crank0.angle"), rate = run_value(run, row, "crank0.omega");
    out[0] = half_turn / 2.0 - angle;
    out[1] = -rate;
    out[2] = run_value(run, row, "coupler1.x");
    out[3] = run_value(run, row, "coupler1.y");
    out[4] = run_value(run, row, "coupler1.vx");
    out[5] = run_value(run, row, "coupler1.vy");
}

// Angles of the Test Set from those of the bodies, then their rates in the same way, then F.
static void andrews_motion(const Run *run, long row, double *out) {
    static const char *const part[2] = {"angle", "omega"};
    for (int level = 0; level < 2; level++) {
        double k[8] = {0.0};
        char   body[] = "K0";
        for (int i = 1; i < 8; i++) {
            body[1] = (char)('0' + i);
            k[i] = run_part(run, row, body, part[level]);
        }
        double *angle = out + 7 * level;
        angle[0] = k[1];
        angle[1] = k[2] - k[1];
        angle[2] = k[3];
        angle[3] = k[4] - k[5];
        angle[4] = k[5];
        angle[5] = k[6] - k[7];
        angle[6] = k[7];
    }
    out[14] = run_value(run, row, "K2.x");
    out[15] = run_value(run, row, "K2.y");
}

// The pins A and B, B by way of the follower, the angles modulo 2 pi as the reference has them,
// and the rates.
static void four_bar_motion(const Run *run, long row, double *out) {
    static const char *const body[3] = {"crank", "coupler", "follower"};
    double                   phi3 = run_value(run, row, "follower.angle");
    out[0] = run_value(run, row, "coupler.x");
    out[1] = run_value(run, row, "coupler.y");
    out[2] = run_value(run, row, "follower.x") + 4.0 * cos(phi3);
    out[3] = run_value(run, row, "follower.y") + 4.0 * sin(phi3);
    for (int i = 0; i < 3; i++) {
        out[4 + i] = remainder(run_part(run, row, body[i], "angle"), 2.0 * half_turn);
        out[7 + i] = run_part(run, row, body[i], "omega");
    }
}

static void massless_coupler_motion(const Run *run, long row, double *out) {
    out[0] = run_value(run, row, "crank.angle");
    out[1] = run_value(run, row, "coupler.angle");
    out[2] = run_value(run, row, "follower.angle");
    out[3] = run_value(run, row, "crank.omega");
    out[4] = run_value(run, row, "coupler.omega");
    out[5] = run_value(run, row, "follower.omega");
}

static void parallel_motion(const Run *run, long row, double *out) {
    double angle = run_value(run, row, "body2.angle"), rate = run_value(run, row, "body2.omega");
    out[0] = angle;
    out[1] = rate;
    out[2] = 0.5 * cos(angle);
    out[3] = -0.5 * rate * sin(angle);
}

// The moment about the pivot of all that the pins exert on body 2, and the acceleration.
static void parallel_reactions(const Run *run, long row, double *out) {
    double angle = run_value(run, row, "body2.angle");
    double fx = -run_value(run, row, "pin23.Fx"), fy = -run_value(run, row, "pin23.Fy");
    out[0] = run_value(run, row, "body2.alpha");
    out[1] = run_value(run, row, "pivot2.M") - run_value(run, row, "pin23.M") + cos(angle) * fy -
             sin(angle) * fx;
}

static void slider_crank_motion(const Run *run, long row, double *out) {
    out[0] = run_value(run, row, "crank.angle");
    out[1] = run_value(run, row, "rod.angle");
    out[2] = run_value(run, row, "slider.x");
    out[3] = run_value(run, row, "crank.omega");
    out[4] = run_value(run, row, "rod.omega");
    out[5] = run_value(run, row, "slider.vx");
}

// With M a + G' lambda = f, the multipliers are the opposites of the guide's cross force, of the
// wrist pin's force along the guide and of the motor's torque.
static void slider_crank_reactions(const Run *run, long row, double *out) {
    out[0] = run_value(run, row, "rod.alpha");
    out[1] = run_value(run, row, "slider.ax");
    out[2] = -run_value(run, row, "guide.Fy");
    out[3] = -run_value(run, row, "wristpin.Fx");
    out[4] = -run_value(run, row, "motor.M");
}

static void knife_edge_motion(const Run *run, long row, double *out) {
    out[0] = run_value(run, row, "blade.x");
    out[1] = run_value(run, row, "blade.y");
    out[2] = run_value(run, row, "blade.angle");
    out[3] = run_value(run, row, "blade.vx");
    out[4] = run_value(run, row, "blade.vy");
}

// The component along the blade's y axis.
static void knife_edge_reactions(const Run *run, long row, double *out) {
    double angle = run_value(run, row, "blade.angle");
    out[0] =
        run_value(run, row, "edge.Fy") * cos(angle) - run_value(run, row, "edge.Fx") * sin(angle);
}

static void parallelogram_motion(const Run *run, long row, double *out) {
    out[0] = run_value(run, row, "crank1.angle") + half_turn / 2.0;
    out[1] = run_value(run, row, "crank1.omega");
    out[2] = run_value(run, row, "coupler.x");
    out[3] = run_value(run, row, "coupler.y");
}

#define N_FOUR_BAR(n)                                                                   \
    {                                                                                   \
        .name = "A02 N-four-bar, N = " #n, .model = "n_four_bar.lua", .set = {"N=" #n}, \
        .reference = "A02_N" #n ".csv", .freedom = 1,                                   \
        .motion = {{"theta_from_up", "thetadot", "B0x", "B0y", "B0vx", "B0vy"},         \
                   n_four_bar_motion,                                                   \
                   1e-6},                                                               \
        .most_steps = 1000,                                                             \
    }

static const Benchmark benchmarks[] = {
    {
        .name = "A01 pendulum",
        .model = "pendulum.lua",
        .reference = "A01_pendulum.csv",
        .freedom = 1,
        .motion = {{"x", "y", "vx", "vy", "theta_from_down", "thetadot"}, pendulum_motion, 1e-8},
        .reactions = {{"rod_tension_per_mass"}, pendulum_reactions, 1e-7},
    },
    {
        .name = "A01 pendulum on a rod",
        .model = "pendulum_rod.lua",
        .reference = "A01_pendulum.csv",
        .freedom = 2,
        .motion = {{"x", "y", "vx", "vy"}, rod_pendulum_motion, 1e-8},
        .reactions = {{"rod_tension_per_mass"}, rod_pendulum_reactions, 1e-7},
    },
    N_FOUR_BAR(2),
    N_FOUR_BAR(10),
    N_FOUR_BAR(40),
    {
        .name = "A03 Andrews' squeezer",
        .model = "andrews.lua",
        .reference = "A03_andrews.csv",
        .freedom = 1,
        .motion = {{"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon", "betad", "thetad",
                    "gammad", "phid", "deltad", "omegad", "epsilond", "Fx", "Fy"},
                   andrews_motion,
                   1e-7},
    },
    {
        .name = "S4a four-bar",
        .model = "four_bar.lua",
        .reference = "S4_fourbar.csv",
        .freedom = 1,
        .motion = {{"Ax", "Ay", "Bx", "By", "phi1_mod", "phi2_mod", "phi3_mod", "w1", "w2", "w3"},
                   four_bar_motion,
                   1e-8},
    },
    {
        .name = "P6.9 four-bar with a massless coupler",
        .model = "four_bar_massless_coupler.lua",
        .reference = "P6_massless_coupler_fourbar.csv",
        .freedom = 1,
        .motion = {{"phi1", "phi2", "phi3", "w1", "w2", "w3"}, massless_coupler_motion, 1e-8},
    },
    {
        .name = "S2 parallel four-bar",
        .model = "parallel_four_bar.lua",
        .reference = "S2_parallel_fourbar.csv",
        .freedom = 1,
        .motion = {{"q1", "q1dot", "x_com2", "xdot_com2"}, parallel_motion, 1e-7},
        .reactions = {{"q1ddot", "constraint_moment_on_body2_about_pivot"},
                      parallel_reactions,
                      1e-7},
    },
    {
        .name = "T2b driven slider crank",
        .model = "slider_crank_driven.lua",
        .reference = "T2_slider_crank_rigid.csv",
        .freedom = 0,
        .motion = {{"phi1", "phi2", "x3", "phi1d", "phi2d", "x3d"}, slider_crank_motion, 1e-8},
        .reactions = {{"phi2dd", "x3dd", "lambda1", "lambda2", "lambda3"},
                      slider_crank_reactions,
                      1e-7},
    },
    {
        .name = "P6.1 knife edge",
        .model = "knife_edge.lua",
        .reference = "P6_knife_edge.csv",
        .freedom = 2,
        .motion = {{"x", "y", "phi", "xdot", "ydot"}, knife_edge_motion, 1e-8},
        .reactions = {{"lateral_constraint_force_per_mass_magnitude_signed"},
                      knife_edge_reactions,
                      1e-7},
    },
    {
        .name = "P6.10 redundant parallelogram",
        .model = "redundant_parallelogram.lua",
        .reference = "P6_redundant_parallelogram.csv",
        .freedom = 1,
        .redundant = 1,
        .motion = {{"theta_from_down", "thetadot", "coupler_left_x", "coupler_left_y"},
                   parallelogram_motion,
                   1e-8},
    },
};

#define PLANAR ((int)(sizeof benchmarks / sizeof *benchmarks))

int benchmark_count(void) {
    return PLANAR + spatial_benchmark_count() + equations_benchmark_count();
}

const Benchmark *benchmark_at(int index) {
    int spatial = index - PLANAR, equations = spatial - spatial_benchmark_count();
    return spatial < 0     ? &benchmarks[index]
           : equations < 0 ? spatial_benchmark_at(spatial)
                           : equations_benchmark_at(equations);
}
