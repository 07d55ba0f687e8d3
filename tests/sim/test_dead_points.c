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
    (void)state;
    check_all(pulled, 2.0 * (3.0 - (0.5 + sqrt(3.25))));
}

static void a_spatial_dead_point_is_named_by_all(void **state) {
    (void)state;
    check_all(spatial, end_of_spatial());
}

static void min_step_does_not_hide_it(void **state) {
    (void)state;
    Case c = case_of_text(pulled);
    c.def.min_step = 1e-3;
    check_dead(&c, "direct_mass", NULL, 2.0 * (3.0 - (0.5 + sqrt(3.25))));
    case_free(&c);
}

static void a_pose_that_can_be_passed_is_none(void **state) {
    (void)state;
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
        cmocka_unit_test(min_step_does_not_hide_it),
        cmocka_unit_test(a_pose_that_can_be_passed_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
