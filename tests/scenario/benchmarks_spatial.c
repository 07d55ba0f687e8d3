// SPDX-License-Identifier: MIT
// The spatial benchmarks: how the quantities of each reference follow from the columns of a run.

#include <math.h>

#include "scenario/balance.h"
#include "scenario/benchmarks.h"

static const double half_turn = 3.14159265358979323846;
static const trVec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0}, z_axis = {0.0, 0.0, 1.0};

static double *put(double *out, trVec3 a) {
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
    return out + 3;
}

static double *put_turn(double *out, trQuat u) {
    out[0] = u.w;
    return put(out + 1, tr_quat_vector(u));
}

static double energy(const Run *run, long row) {
    return run_value(run, row, "energy.kinetic") + run_value(run, row, "energy.potential");
}

// An angle that is known up to a period, followed through the rows from the first one on. Between
// two rows it must change by less than half a period.
typedef double Angle(const Run *run, long row);

static double follow(const Run *run, long row, Angle *angle, double period) {
    double now = angle(run, 0);
    for (long i = 1; i <= row; i++) {
        double next = angle(run, i);
        now = next + period * round((now - next) / period);
    }
    return now;
}

// A turn about x, of which the quaternion, being continuous, repeats after two.
static double angle_about_x(const Run *run, long row, const char *body) {
    trQuat u = run_turn(run, row, body);
    return 2.0 * atan2(u.x, u.w);
}

static void bricard_motion(const Run *run, long row, double *out) {
    out = put(out, run_vector(run, row, "P2", ""));
    out = put(out, run_vector(run, row, "P3", ""));
    out = put(out, run_vector(run, row, "P2", "v"));
    out[0] = energy(run, row);
}

static void flyball_motion(const Run *run, long row, double *out) {
    trVec3 rod = tr_quat_rotate(run_turn(run, row, "rod1"), x_axis);
    out[0] = run_value(run, row, "slider.z");
    out[1] = run_value(run, row, "slider.vz");
    out[2] = atan2(-rod.z, hypot(rod.x, rod.y));
    out[3] = run_value(run, row, "shaft.wz");
    out[4] = 0.0;
    for (int i = 0; i < run->system->bodies; i++) {
        const trBody *body = &run->system->body[i];
        trMotion3     m = balance_motion3(run, row, i);
        trVec3        J = body->spatial.place.inertia, W = tr_unrotate3(&m.R, m.w);
        trVec3        L = tr_rotate3(&m.R, (trVec3){J.x * W.x, J.y * W.y, J.z * W.z});
        out[4] += L.z + body->mass * tr_cross3(m.r, m.v).z;
    }
}

static double crank_angle(const Run *run, long row) {
    return angle_about_x(run, row, "crank");
}

static void iftomm_slider_crank_motion(const Run *run, long row, double *out) {
    out[0] = follow(run, row, crank_angle, 4.0 * half_turn);
    out[1] = run_value(run, row, "crank.wx");
    out[2] = run_value(run, row, "slider.x");
    out[3] = run_value(run, row, "slider.vx");
    out[4] = energy(run, row);
}

static void five_bar_motion(const Run *run, long row, double *out) {
    char frame[] = "E0";
    for (int i = 1; i <= 5; i++) {
        frame[1] = (char)('0' + i);
        out = put(out, run_vector(run, row, frame, ""));
    }
}

static void five_bar_rates(const Run *run, long row, double *out) {
    out = put(out, run_vector(run, row, "E5", "v"));
    out[0] = energy(run, row);
}

static void slider_crank_motion(const Run *run, long row, double *out) {
    out[0] = run_value(run, row, "tip.x");
    out[1] = run_value(run, row, "tip.z");
    out[2] = run_value(run, row, "slider.y");
    out[3] = run_value(run, row, "slider.vy");
    out[4] = run_value(run, row, "crank.wy");
    out = put_turn(out + 5, run_turn(run, row, "rod"));
    out = put(out, run_vector(run, row, "rod", "w"));
    out[0] = energy(run, row);
}

// The tire's force from the bump itself, of which the model has a polynomial.
static double tire_force(double x, double z) {
    double bump = x > 10.0 && x < 15.0 ? 0.1 * (1.0 - cos(2.0 * half_turn * (x - 10.0) / 5.0)) : 0;
    return 460000.0 * fmax(0.0, 0.364325 + bump - z);
}

static void iltis_motion(const Run *run, long row, double *out) {
    trVec3 wheel = run_vector(run, row, "hub", "");
    trVec3 shock =
        tr_sub3(run_vector(run, row, "shock end", ""), run_vector(run, row, "shock mount", ""));
    out = put(out, wheel);
    out = put_turn(out, run_turn(run, row, "hub"));
    out[0] = angle_about_x(run, row, "arm") - angle_about_x(run, 0, "arm");
    out[1] = run_value(run, row, "U.z") - 0.455;
    out[2] = tr_length3(shock);
    out[3] = tire_force(5.0 * run_value(run, row, "t") + wheel.x, wheel.z);
}

static void iltis_rates(const Run *run, long row, double *out) {
    out[0] = run_value(run, row, "hub.vz");
    out[1] = run_value(run, row, "arm.wx");
}

// The axle is y of the coin, and its heading is axle x z. In a frame with x along the heading the
// spin takes x of the coin to (cos, 0, -sin).
static trVec3 coin_heading(const Run *run, long row) {
    return tr_cross3(tr_quat_rotate(run_turn(run, row, "coin"), y_axis), z_axis);
}

static double coin_course(const Run *run, long row) {
    trVec3 heading = coin_heading(run, row);
    return atan2(heading.y, heading.x);
}

static double coin_spin(const Run *run, long row) {
    trVec3 x = tr_quat_rotate(run_turn(run, row, "coin"), x_axis);
    return atan2(-x.z, tr_dot3(x, coin_heading(run, row)));
}

static void coin_motion(const Run *run, long row, double *out) {
    out[0] = run_value(run, row, "coin.x");
    out[1] = run_value(run, row, "coin.y");
    out[2] = follow(run, row, coin_course, 2.0 * half_turn);
    out[3] = follow(run, row, coin_spin, 2.0 * half_turn);
}

// e1 = (cos phi, sin phi, 0) in the plane, e3 = (sin phi sin th, -cos phi sin th, cos th) along the
// axis, e2 = e3 x e1; the disk is turned against them by psi about e3.
typedef struct Wobble {
    trVec3 e1, e2, e3;
} Wobble;

static double disk_phi(const Run *run, long row) {
    trVec3 axis = tr_quat_rotate(run_turn(run, row, "disk"), z_axis);
    return atan2(axis.x, -axis.y);
}

static Wobble disk_axes(const Run *run, long row) {
    double phi = disk_phi(run, row);
    Wobble w = {.e1 = {cos(phi), sin(phi), 0.0},
                .e3 = tr_quat_rotate(run_turn(run, row, "disk"), z_axis)};
    w.e2 = tr_cross3(w.e3, w.e1);
    return w;
}

static double disk_psi(const Run *run, long row) {
    Wobble w = disk_axes(run, row);
    trVec3 x = tr_quat_rotate(run_turn(run, row, "disk"), x_axis);
    return atan2(tr_dot3(x, w.e2), tr_dot3(x, w.e1));
}

static void disk_motion(const Run *run, long row, double *out) {
    Wobble w = disk_axes(run, row);
    trVec3 omega = run_vector(run, row, "disk", "w");
    out[0] = follow(run, row, disk_phi, 2.0 * half_turn);
    out[1] = acos(w.e3.z);
    out[2] = follow(run, row, disk_psi, 2.0 * half_turn);
    out[3] = tr_dot3(omega, w.e1);
    out[4] = tr_dot3(omega, w.e2);
    out[5] = tr_dot3(omega, w.e3);
    out = put(out + 6, run_vector(run, row, "disk", ""));
    out[0] = energy(run, row);
}

static void free_body_motion(const Run *run, long row, double *out) {
    trQuat u = run_turn(run, row, "body");
    out = put_turn(out, u);
    put(out, tr_quat_unrotate(u, run_vector(run, row, "body", "w")));
}

static void heavy_top_motion(const Run *run, long row, double *out) {
    trQuat u = run_turn(run, row, "top");
    out = put(out, run_vector(run, row, "center", ""));
    out = put_turn(out, u);
    out = put(out, tr_quat_unrotate(u, run_vector(run, row, "top", "w")));
    out = put(out, run_vector(run, row, "center", "v"));
    out[0] = energy(run, row);
}

#define BRICARD(words, within, error, joules)                                                \
    {                                                                                        \
        .name = "A04 Bricard" words, .model = "bricard.lua", .reference = "A04_bricard.csv", \
        .freedom = 1, .redundant = 1, .tolerance = (within), .drift = (joules),              \
        .motion = {                                                                          \
            {"P2x", "P2y", "P2z", "P3x", "P3y", "P3z", "P2vx", "P2vy", "P2vz", "E"},         \
            bricard_motion,                                                                  \
            error,                                                                           \
        },                                                                                   \
    }

// Chaotic: between 1 s and 7 s errors grow by about ten every second, and rates have more than
// places.
#define FIVE_BAR(words, within, error, rate_error)                                                 \
    {                                                                                              \
        .name = "S4b five-bar pendulum" words, .model = "five_bar.lua",                            \
        .reference = "S4_fivebar_proposed.csv", .freedom = 5, .tolerance = (within), .until = 5.0, \
        .motion = {{"E1x", "E1y", "E1z", "E2x", "E2y", "E2z", "E3x", "E3y", "E3z", "E4x", "E4y",   \
                    "E4z", "E5x", "E5y", "E5z"},                                                   \
                   five_bar_motion,                                                                \
                   error},                                                                         \
        .rates = {{"E5vx", "E5vy", "E5vz", "E"}, five_bar_rates, rate_error},                      \
    }

// Near the separatrix the motion is sensitive to L^2 - 2 T J2, which is 0.11, a small difference of
// invariants: its error moves the instants at which the body turns over. Where velocities are rates
// of the quaternion it drifts more than where they are angular velocities, which change slowly.
#define FREE_BODY(words, chosen, within, error)                                                   \
    {                                                                                             \
        .name = "P6.7 free body, " words, .model = "free_body.lua",                               \
        .set = {"coordinates=" chosen}, .reference = "P6_free_body_quaternion.csv", .freedom = 6, \
        .tolerance = (within),                                                                    \
        .motion = {{"e0", "e1", "e2", "e3", "W1", "W2", "W3"}, free_body_motion, error},          \
    }

static const Benchmark benchmarks[] = {
    BRICARD("", 1e-10, 1e-8, 1e-8),
    BRICARD(" at 1e-6", 1e-6, 1e-4, 0.0),
    FIVE_BAR("", 1e-10, 1e-6, 1e-5),
    FIVE_BAR(" at 1e-12", 1e-12, 1e-8, 1e-7),
    {
        .name = "A05 flyball governor",
        .model = "flyball.lua",
        .reference = "A05_flyball.csv",
        .freedom = 4,
        .motion = {{"s", "sdot", "rod_angle_below_horizontal", "shaft_omega_z", "Lz"},
                   flyball_motion,
                   1e-7},
    },
    {
        .name = "A06 spatial slider-crank",
        .model = "spatial_slider_crank_iftomm.lua",
        .reference = "A06_iftomm_spatial_slider_crank.csv",
        .freedom = 1,
        .motion = {{"crank_angle", "crank_wx", "slider_x", "slider_vx", "E"},
                   iftomm_slider_crank_motion,
                   1e-7},
    },
    {
        .name = "S4c spatial slider-crank",
        .model = "spatial_slider_crank.lua",
        .reference = "S4_spatial_slider_crank_universal.csv",
        .freedom = 1,
        .motion = {{"tipx", "tipz", "slider_y", "slider_vy", "crank_wy", "rod_e0", "rod_e1",
                    "rod_e2", "rod_e3", "rod_wx_glob", "rod_wy_glob", "rod_wz_glob", "E"},
                   slider_crank_motion,
                   1e-7},
    },
    // V has 4e5 J of the shock absorber's law, counted from the length 0. The motion changes 5e3 J,
    // and 1e-7 of these may drift.
    {
        .name = "S4d Iltis suspension",
        .model = "iltis.lua",
        .reference = "S4_iltis_completed.csv",
        .freedom = 1,
        .drift = 5e-4,
        .motion = {{"wheel_x", "wheel_y", "wheel_z", "e0", "e1", "e2", "e3", "Aarm_angle",
                    "leaf_defl", "shock_len", "tyre_force"},
                   iltis_motion,
                   1e-7},
        .rates = {{"wheel_vz", "Aarm_rate"}, iltis_rates, 1e-6},
    },
    {
        .name = "P6.2 vertical coin",
        .model = "vertical_coin.lua",
        .reference = "P6_vertical_rolling_coin.csv",
        .freedom = 2,
        .motion = {{"x", "y", "heading", "spin_angle"}, coin_motion, 1e-7},
    },
    {
        .name = "P6.3 rolling disk",
        .model = "rolling_disk.lua",
        .reference = "P6_rolling_disk.csv",
        .freedom = 3,
        .motion = {{"phi", "theta", "psi", "w1", "w2", "w3", "xC", "yC", "zC", "E"},
                   disk_motion,
                   1e-7},
    },
    FREE_BODY("body", "body", 1e-10, 1e-7),
    FREE_BODY("quaternion", "quaternion", 1e-10, 1e-7),
    {
        .name = "P6.8 heavy top",
        .model = "heavy_top.lua",
        .reference = "P6_heavy_top.csv",
        .freedom = 3,
        .motion = {{"x", "y", "z", "e0", "e1", "e2", "e3", "W1", "W2", "W3", "vx", "vy", "vz", "E"},
                   heavy_top_motion,
                   1e-7},
    },
};

int spatial_benchmark_count(void) {
    return (int)(sizeof benchmarks / sizeof *benchmarks);
}

const Benchmark *spatial_benchmark_at(int index) {
    return &benchmarks[index];
}
