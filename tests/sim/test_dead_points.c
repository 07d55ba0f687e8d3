// SPDX-License-Identifier: MIT
// A drive that takes a linkage to its limit is reported as such, with the drive, the time and the
// joints, under every method and integrator. A singular pose that can be passed never is.

#include "assembly_case.h"

#define FIXED_STEP 5e-3  // of integrators that need one [s]

// A slider at (x0 + t / 2, 0) pulls a crank of 1 m by a rod of 2 m until both are stretched.
static const char pulled[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local x, y = 0.5, math.sqrt(0.75)\n"
    "local x0 = x + math.sqrt(4 - y * y)\n"
    "local crank = m:body { name = 'crank', mass = 1, inertia = 0.1, at = { x / 2, y / 2 },\n"
    "                       angle = math.atan(y, x) }\n"
    "local rod = m:body { name = 'rod', mass = 2, inertia = 0.7, at = { (x + x0) / 2, y / 2 },\n"
    "                     angle = math.atan(-y, x0 - x) }\n"
    "local slider = m:body { name = 'slider', mass = 1, inertia = 0.1, at = { x0, 0 } }\n"
    "m:joint { 'revolute', name = 'O', m.ground, crank, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'A', crank, rod, point = { x, y } }\n"
    "m:joint { 'revolute', name = 'B', rod, slider, point = { x0, 0 } }\n"
    "m:joint { 'prismatic', name = 'guide', m.ground, slider, axis = { 1, 0 } }\n"
    "m:joint { 'driven_coordinate', name = 'motor', m.ground, slider, point = { x0, 0 },\n"
    "          axis = { 1, 0 }, value = function(t) return x0 + 0.5 * t end }\n"
    "m:simulate { duration = 3 }\n"
    "return m\n";

// Of a spatial four-bar (revolute, spherical, spherical, revolute) the rocker is driven.
static const char spatial[] =
    "local m = model { dim = 3, gravity = { 0, 0, -9.81 } }\n"
    "local function body(name, at)\n"
    "    return m:body { name = name, mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = at }\n"
    "end\n"
    "local crank, rod = body('crank', { 0, 0, 0.25 }), body('rod', { 0.75, 0.4, 0.4 })\n"
    "local rocker = body('rocker', { 1.5, 0.4, 0.3 })\n"
    "m:joint { 'revolute', name = 'O', m.ground, crank, point = { 0, 0, 0 }, axis = { 1, 0, 0 } }\n"
    "m:joint { 'spherical', name = 'A', crank, rod, point = { 0, 0, 0.5 } }\n"
    "m:joint { 'spherical', name = 'B', rod, rocker, point = { 1.5, 0.8, 0.3 } }\n"
    "m:joint { 'revolute', name = 'Q', m.ground, rocker, point = { 1.5, 0, 0.3 },\n"
    "          axis = { 0, 0, 1 } }\n"
    "m:joint { 'driven_angle', name = 'motor', m.ground, rocker, axis = { 0, 0, 1 },\n"
    "          angle = function(t) return t end }\n"
    "m:simulate { duration = 1 }\n"
    "return m\n";

// The slider of a crank is given a speed. Crank and rod are stretched at sqrt(5) - 1 s.
static const char pushed[] =
    "local m = model {}\n"
    "local crank = m:body { name = 'crank', mass = 1, inertia = 0.1, at = { 0, 0.5 } }\n"
    "local rod = m:body { name = 'rod', mass = 1, inertia = 0.1, at = { 1, 0.5 } }\n"
    "local slider = m:body { name = 'slider', mass = 1, inertia = 0.1, at = { 2, 0 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, crank, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'B', crank, rod, point = { 0, 1 } }\n"
    "m:joint { 'revolute', name = 'C', rod, slider, point = { 2, 0 } }\n"
    "m:joint { 'prismatic', name = 'S', m.ground, slider, axis = { 1, 0 } }\n"
    "m:nonholonomic { name = 'push', slider, psi = function(b, t) return b.vx - 1 end }\n"
    "m:simulate { duration = 5 }\n"
    "return m\n";

// A parallelogram is driven through both of its flat poses, where it could turn into another
// linkage.
static const char parallelogram[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local x, y = math.cos(1), math.sin(1)\n"
    "local function bar(name, at, angle)\n"
    "    return m:body { name = name, mass = 1, inertia = 0.1, at = at, angle = angle }\n"
    "end\n"
    "local c1, c2 = bar('c1', { x / 2, y / 2 }, 1), bar('c2', { 2 + x / 2, y / 2 }, 1)\n"
    "local k = bar('k', { x + 1, y })\n"
    "m:joint { 'revolute', name = 'O', m.ground, c1, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'A', c1, k, point = { x, y } }\n"
    "m:joint { 'revolute', name = 'B', k, c2, point = { 2 + x, y } }\n"
    "m:joint { 'revolute', name = 'C', m.ground, c2, point = { 2, 0 } }\n"
    "m:joint { 'driven_angle', name = 'motor', m.ground, c1,\n"
    "          angle = function(t) return 1 + 2 * t end }\n"
    "m:simulate { duration = 3 }\n"
    "return m\n";

// Crank from (0, 0) to (x, y), rod to (u, v), rocker from (2, 0) to there.
#define FOUR_BAR                                                                                 \
    "local function bar(name, x1, y1, x2, y2)\n"                                                 \
    "    return m:body { name = name, mass = 1, inertia = 0.1,\n"                                \
    "                    at = { (x1 + x2) / 2, (y1 + y2) / 2 },\n"                               \
    "                    angle = math.atan(y2 - y1, x2 - x1) }\n"                                \
    "end\n"                                                                                      \
    "local c1, rod, c2 = bar('c1', 0, 0, x, y), bar('rod', x, y, u, v), bar('c2', 2, 0, u, v)\n" \
    "m:joint { 'revolute', name = 'O', m.ground, c1, point = { 0, 0 } }\n"                       \
    "m:joint { 'revolute', name = 'A', c1, rod, point = { x, y } }\n"                            \
    "m:joint { 'revolute', name = 'B', rod, c2, point = { u, v } }\n"                            \
    "m:joint { 'revolute', name = 'Q', m.ground, c2, point = { 2, 0 } }\n"

// The rod of a parallelogram that is longer or shorter by 1e-6 m than the ground between its pins,
// from a crank angle of 1 rad.
static const char nearly[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local L = 2 + (OFF)\n"
    "local x, y = math.cos(1), math.sin(1)\n"
    "local dx, dy = 2 - x, -y\n"
    "local d = math.sqrt(dx * dx + dy * dy)\n"
    "local u = (d * d + L * L - 1) / (2 * d)\n"
    "local w = math.sqrt(L * L - u * u)\n"
    "local u, v = x + (dx * u - dy * w) / d, y + (dy * u + dx * w) / d\n" FOUR_BAR
    "m:joint { 'driven_angle', name = 'motor', m.ground, c1,\n"
    "          angle = function(t) return 1 + 2 * t end }\n"
    "m:simulate { duration = 3, max_steps = 100000 }\n"
    "return m\n";

// Of a planar four-bar (crank 0.5 m, rod 1.8 m, rocker 1.2 m, ground 2 m) the rocker is driven from
// 2 rad backwards until crank and rod are stretched.
static const char rocker[] = "local m = model { gravity = { 0, -9.81 } }\n"
                             "local u, v = 2 + 1.2 * math.cos(2), 1.2 * math.sin(2)\n"
                             "local d = math.sqrt(u * u + v * v)\n"
                             "local s = (d * d + 0.25 - 3.24) / (2 * d)\n"
                             "local w = math.sqrt(0.25 - s * s)\n"
                             "local x, y = (u * s - v * w) / d, (v * s + u * w) / d\n" FOUR_BAR
                             "m:joint { 'driven_angle', name = 'motor', m.ground, c2,\n"
                             "          angle = function(t) return 2 - t end }\n"
                             "m:simulate { duration = 1 }\n"
                             "return m\n";

// The crank's end is 0.5 m from the x axis. With B the rocker's end and L the rod,
// |B|^2 + 1/4 - L^2 = By sin f + Bz cos f must have a solution f: up to sqrt(By^2 + Bz^2).
static double rest_of_spatial(double t) {
    const double L2 = 1.5 * 1.5 + 0.8 * 0.8 + 0.2 * 0.2;
    const double x = 1.5 - 0.8 * sin(t), y = 0.8 * cos(t), z = 0.3;
    return sqrt(y * y + z * z) - fabs(x * x + y * y + z * z + 0.25 - L2);
}

static double end_of_spatial(void) {
    double low = 0.0, high = 1.0;  // it has one there
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(rest_of_spatial(middle) > 0.0 ? &low : &high) = middle;
    }
    return low;
}

// Runs with a method or an integrator; false: it cannot take the model, or its settings.
static bool run(const Case *c, const char *method, const char *integrator, trStatus *status) {
    trSimDef def = c->def;
    trSim   *sim = NULL;
    def.method = method;
    def.integrator = integrator;
    if (tr_sim_create(c->system, &def, &sim) != TR_OK) {
        def.step = FIXED_STEP;
        if (tr_sim_create(c->system, &def, &sim) != TR_OK) {
            return false;
        }
    }
    *status = tr_sim_run(sim, NULL, NULL);
    tr_sim_destroy(sim);
    return true;
}

static void check_dead(const Case *c, const char *method, const char *integrator, double end) {
    trStatus    status = TR_OK;
    char        expected[96];
    const char *name = method != NULL ? method : integrator;
    if (!run(c, method, integrator, &status)) {
        return;
    }
    snprintf(expected, sizeof expected,
             "joint 'motor': drives the mechanism into a dead point at t = %.6g s: joints '", end);
    const char *words = strstr(tr_last_error(), expected);
    if (status != TR_E_SIMULATION || words == NULL) {
        fail_msg("%s: %s", name, tr_last_error());
    }
    if (strstr(words, "'A'") == NULL || strstr(words, "'B'") == NULL) {
        fail_msg("%s: names other joints: %s", name, words);
    }
}

// Times are printed with six digits; each way to them is good to more, also where a method stops
// with open joints.
static void check_all(const char *text, double end) {
    Case c = case_of_text(text);
    for (int i = 0; i < tr_method_count(); i++) {
        check_dead(&c, tr_method_at(i)->name, NULL, end);
    }
    for (int i = 0; i < tr_integrator_count(); i++) {
        check_dead(&c, NULL, tr_integrator_at(i)->name, end);
    }
    case_free(&c);
}

static void a_planar_dead_point_is_named_by_all(void **state) {
    check_all(pulled, 2.0 * (3.0 - (0.5 + sqrt(3.25))));
}

static void a_spatial_dead_point_is_named_by_all(void **state) {
    check_all(spatial, end_of_spatial());
}

// |B|^2 = 4 + 1.44 + 4.8 cos(2 - t) is 2.3^2 where crank and rod are stretched.
static void a_driven_rocker_is_named_by_all(void **state) {
    check_all(rocker, 2.0 - acos((5.29 - 5.44) / 4.8));
}

// A rope from (0, 0) to the end of two links becomes longer than they are together. The penalty
// method does not fail: it opens the joints.
static const char rope[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local function bar(name, at, angle)\n"
    "    return m:body { name = name, mass = 1, inertia = 0.1, at = at, angle = angle }\n"
    "end\n"
    "local upper, lower = bar('upper', { 0.5, 0 }), bar('lower', { 1.3, 0.3 }, math.pi / 4)\n"
    "local L = math.sqrt(1.6 ^ 2 + 0.6 ^ 2)\n"
    "m:joint { 'revolute', name = 'A', m.ground, upper, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'B', upper, lower, point = { 1, 0 } }\n"
    "m:joint { 'driven_distance', name = 'motor', m.ground, lower, world1 = { 0, 0 },\n"
    "          world2 = { 1.6, 0.6 }, length = function(t) return L + 0.1 * t end }\n"
    "m:simulate { duration = 2 }\n"
    "return m\n";

static void a_dead_point_that_opens_soft_joints_is_named_by_all(void **state) {
    check_all(rope, 10.0 * (1.0 + sqrt(0.72) - sqrt(2.92)));
}

// The end of the crank at the angle a is sqrt(5 - 4 cos a) from the other pin: at most the rod and
// 1 m, at least the rod less 1 m. A rod that is too short ends the motion before a = pi, one that
// is too long before a = 2 pi, each 2 mrad before. Steps may go over that; a run that fails there
// says why, and one that fails in the first flat pose, which a long rod passes, does not blame the
// drive.
static void a_length_off_by_a_micrometer_makes_a_dead_point(void **state) {
    for (int k = 0; k < 2; k++) {
        char         text[2048];
        const double L = k == 0 ? 2.0 - 1e-6 : 2.0 + 1e-6, reach = k == 0 ? L + 1.0 : L - 1.0;
        const double angle = acos((5.0 - reach * reach) / 4.0);
        const double end = 0.5 * ((k == 0 ? angle : 2.0 * PI - angle) - 1.0);
        const char  *at = strstr(nearly, "OFF");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - nearly), nearly,
                 k == 0 ? "-1e-6" : "1e-6", at + 3);
        Case c = case_of_text(text);
        int  named = 0;
        for (int i = 0; i < tr_integrator_count(); i++) {
            const char *name = tr_integrator_at(i)->name;
            trStatus    status = TR_OK;
            char        expected[64];
            assert_true(run(&c, NULL, name, &status));
            const char *said = status != TR_OK ? tr_last_error() : "";
            const char *last = strstr(said, " after t = ");
            bool        there = last != NULL && fabs(strtod(last + 11, NULL) - end) < 0.02;
            snprintf(expected, sizeof expected, "into a dead point at t = %.6g s", end);
            if (status != TR_OK && there != (strstr(said, expected) != NULL)) {
                fail_msg("%s, %g m: %s", name, L, said);
            }
            named += there;
        }
        assert_true(named >= 4);
        case_free(&c);
    }
}

// Positions that a speed asks for are nowhere held: a projection would put them elsewhere.
static void a_given_speed_does_not_take_a_linkage_beyond_its_limit(void **state) {
    static const char *const integrators[] = {"dop853", "dopri5", "rk4", "radau5"};
    Case                     c = case_of_text(pushed);
    for (int i = 0; i < 4; i++) {
        trSim   *sim = NULL;
        trSimDef def = c.def;
        def.integrator = integrators[i];
        def.step = strcmp(integrators[i], "rk4") == 0 ? 1e-3 : 0.0;
        assert_int_equal(tr_sim_create(c.system, &def, &sim), TR_OK);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
        if (fabs(tr_sim_time(sim) - (sqrt(5.0) - 1.0)) > FIXED_STEP) {
            fail_msg("%s: stops at %.9g s: %s", integrators[i], tr_sim_time(sim), tr_last_error());
        }
        tr_sim_destroy(sim);
    }
    case_free(&c);
}

static void min_step_does_not_hide_it(void **state) {
    Case c = case_of_text(pulled);
    c.def.min_step = 1e-3;
    check_dead(&c, "direct_mass", NULL, 2.0 * (3.0 - (0.5 + sqrt(3.25))));
    case_free(&c);
}

static void a_pose_that_can_be_passed_is_none(void **state) {
    Case c = case_of_text(parallelogram);
    int  failed = 0, passed = 0;
    for (int i = 0; i < tr_method_count() + tr_integrator_count(); i++) {
        bool        is_method = i < tr_method_count();
        const char *name =
            is_method ? tr_method_at(i)->name : tr_integrator_at(i - tr_method_count())->name;
        trStatus status = TR_OK;
        if (!run(&c, is_method ? name : NULL, is_method ? NULL : name, &status)) {
            continue;
        }
        passed += status == TR_OK;
        failed += status != TR_OK;
        if (status != TR_OK && strstr(tr_last_error(), "dead point") != NULL) {
            fail_msg("%s: %s", name, tr_last_error());
        }
    }
    assert_true(passed > 0 && failed > 0);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planar_dead_point_is_named_by_all),
        cmocka_unit_test(a_spatial_dead_point_is_named_by_all),
        cmocka_unit_test(a_driven_rocker_is_named_by_all),
        cmocka_unit_test(a_dead_point_that_opens_soft_joints_is_named_by_all),
        cmocka_unit_test(a_length_off_by_a_micrometer_makes_a_dead_point),
        cmocka_unit_test(a_given_speed_does_not_take_a_linkage_beyond_its_limit),
        cmocka_unit_test(min_step_does_not_hide_it),
        cmocka_unit_test(a_pose_that_can_be_passed_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
