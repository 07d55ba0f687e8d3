// SPDX-License-Identifier: MIT
// Bodies that are nearly points and may spin about the line through their joints.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrator/integrator.h"
#include "support/test.h"
#include "system/system.h"
#include "trammel/trammel.h"

// Point masses at the ends of links, or in their middles. `u` is a meter in units of length, `w` a
// kilogram in units of mass. With kind "distance" masses are tied to each other, so that turns of
// bodies have no part in their motion: the limit J = 0.
static const char chain[] =
    "local J, kind, mid = parameter('J', 0), parameter('kind', 'spherical'), parameter('mid', 0)\n"
    "local u, w, spin = parameter('u', 1), parameter('w', 1), parameter('spin', 0)\n"
    "local m = model { name = 'links', dim = 3, gravity = { 0, 0, -9.81 * u } }\n"
    "local function end_of(i)\n"
    "    return vec { i * u, 0.3 * math.sin(2.3 * i) * u, 0.4 * math.cos(1.7 * i) * u }\n"
    "end\n"
    "local last, I = m.ground, J * w * u * u\n"
    "for i = 1, 3 do\n"
    "    local p, q = end_of(i - 1), end_of(i)\n"
    "    local moments = mid == 0 and { I, I, I } or { I, 1.5 * I, 0.7 * I }\n"
    "    local b = m:body { name = 'b' .. i, mass = w, inertia = moments,\n"
    "                       at = mid == 0 and q or (p + q) / 2,\n"
    "                       angular_velocity = (q - p) * (spin / u) }\n"
    "    local k = kind == 'mixed' and (i == 2 and 'universal' or 'spherical') or kind\n"
    "    m:joint { k, name = 'j' .. i, last, b, point = k ~= 'distance' and p or nil,\n"
    "              point1 = k == 'distance' and (i == 1 and p or { 0, 0, 0 }) or nil,\n"
    "              point2 = k == 'distance' and { 0, 0, 0 } or nil,\n"
    "              axis = k == 'revolute' and { 0, 1, 0 } or nil,\n"
    "              axis1 = k == 'universal' and { 0, 1, 0 } or nil,\n"
    "              axis2 = k == 'universal' and { 0, 0, 1 } or nil }\n"
    "    last = b\n"
    "end\n"
    "m:simulate { duration = 1, atol = 1e-8 * u, max_steps = 20000 }\n"
    "return m\n";

// A mass on a ball joint, at rest where x = 0, and a moment about the vertical.
static const char pendulum[] =
    "local J, M, x = parameter('J', 0), parameter('M', 0), parameter('x', 0)\n"
    "local m = model { dim = 3, gravity = { 0, 0, -9.81 } }\n"
    "local b = m:body { name = 'bob', mass = 1, inertia = { J, J, J }, at = { x, 2 * x, -1 } }\n"
    "m:joint { 'spherical', name = 'hook', m.ground, b, point = { 0, 0, 0 } }\n"
    "if M > 0 then m:force { 'torque', name = 'motor', m.ground, b, mz = M } end\n"
    "m:simulate { duration = 1 }\n"
    "return m\n";

// A planar mass of 2 kg, pinned at `x` from its center of mass, with a port at the arm 0.5 m.
static const char pinned[] =
    "local J, x, M, w = parameter('J', 0), parameter('x', 0), parameter('M', 0), parameter('w', "
    "0)\n"
    "local m = model { dim = 2, gravity = { 0, -9.81 } }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = J, at = { 3, 1 }, com = { 0.1, 0 },\n"
    "                   angle = 0.7, angular_velocity = w }\n"
    "local p = { 3 + (0.1 + x) * math.cos(0.7), 1 + (0.1 + x) * math.sin(0.7) }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b, point = p }\n"
    "if M > 0 then m:force { 'torque', name = 'motor', m.ground, b, moment = M } end\n"
    "if parameter('port', 1) > 0 then m:port { b, name = 'tip', at = { 0.4, 0.4 } } end\n"
    "m:simulate { duration = 1 }\n"
    "return m\n";

// Links with masses at their ends. What is turned freely is not nearly a singular pose, although
// the rows of a pin have mobilities from 1 / m to 1 / m + r^2 / J.
static const char masses[] =
    "local J, dim, n = parameter('J', 1), parameter('dim', 2), parameter('n', 1)\n"
    "local a = math.rad(parameter('turn', 0))\n"
    "local c, s = math.cos(a), math.sin(a)\n"
    "local function at(x, y)\n"
    "    return dim == 2 and { c * x - s * y, s * x + c * y }\n"
    "        or { c * x - s * y, s * x + c * y, 0 }\n"
    "end\n"
    "local m = model { dim = dim, gravity = at(0, -9.81) }\n"
    "local last = m.ground\n"
    "for i = 1, n do\n"
    "    local b = m:body { name = 'b' .. i, mass = 1, inertia = dim == 2 and J or { J, J, J },\n"
    "                       at = at(i, 0) }\n"
    "    m:joint { dim == 2 and 'revolute' or 'spherical', name = 'j' .. i, last, b,\n"
    "              point = at(i - 1, 0) }\n"
    "    last = b\n"
    "end\n"
    "m:simulate { duration = 1, step = 2e-3 }\n"
    "return m\n";

typedef struct Setting {
    const char *kind, *mid, *u, *w;
    double      meter;
    const char *method, *integrator;  // NULL: the default
} Setting;

typedef struct Run {
    trModel  *model;
    trSystem *system;
    trSim    *sim;
} Run;

static trStatus run(const char *text, const char *const *given, const Setting *set, Run *out) {
    trSimDef def = tr_sim_def_default();
    *out = (Run){0};
    assert_int_equal(tr_lua_load_text("links.lua", text, strlen(text), given, &out->model, &def),
                     TR_OK);
    assert_int_equal(tr_system_build(out->model, &out->system), TR_OK);
    def.method = set != NULL ? set->method : def.method;
    def.integrator = set != NULL && set->integrator != NULL ? set->integrator : def.integrator;
    TR_TRY(tr_sim_create(out->system, &def, &out->sim));
    return tr_sim_run(out->sim, NULL, NULL);
}

static void end(Run *run) {
    tr_sim_destroy(run->sim);
    tr_system_destroy(run->system);
    tr_model_destroy(run->model);
}

static trBodyState run_chain(const Setting *set, const char *kind, const char *J, const char *spin,
                             double *steps) {
    char        text[6][32];
    const char *given[] = {text[0], text[1], text[2], text[3], text[4], text[5], NULL};
    Run         r;
    snprintf(text[0], sizeof text[0], "J=%s", J);
    snprintf(text[1], sizeof text[1], "kind=%s", kind);
    snprintf(text[2], sizeof text[2], "mid=%s", set->mid);
    snprintf(text[3], sizeof text[3], "u=%s", set->u);
    snprintf(text[4], sizeof text[4], "w=%s", set->w);
    snprintf(text[5], sizeof text[5], "spin=%s", spin);
    if (run(chain, given, set, &r) != TR_OK) {
        fail_msg("%s, J = %s, %s, %s: %s", kind, J, set->method != NULL ? set->method : "default",
                 set->integrator != NULL ? set->integrator : "default", tr_last_error());
    }
    trBodyState state = tr_sim_body(r.sim, 2);
    *steps = (double)tr_sim_stats(r.sim).steps;
    end(&r);
    return state;
}

static double distance(const trBodyState *a, const trBodyState *b, const Setting *set) {
    return (fabs(a->x - b->x) + fabs(a->y - b->y) + fabs(a->z - b->z)) / set->meter;
}

// J changes where the last mass ends by some meters per kg m^2, and what counts as J = 1e-8 m r^2
// by some 1e-8 m; the tolerance of 1e-8 leaves about as much.
static void a_free_spin_costs_no_steps(void **state) {
    static const char *const J[] = {"1e-300", "1e-15", "1e-12", "1e-9", "1e-8", "1e-6", "1e-3"};
    static const Setting     settings[] = {
            {"spherical", "0", "1", "1", 1.0, NULL, NULL},
            {"spherical", "1", "1", "1", 1.0, NULL, NULL},
            {"mixed", "0", "1", "1", 1.0, NULL, NULL},
            {"spherical", "0", "1000", "1e6", 1e3, NULL, NULL},
            {"spherical", "0", "1e-3", "1e-6", 1e-3, NULL, NULL},
            {"spherical", "0", "1", "1", 1.0, "masarati", NULL},
            {"spherical", "0", "1", "1", 1.0, "nullspace", NULL},
            {"spherical", "0", "1", "1", 1.0, "maggi", NULL},
            {"spherical", "0", "1", "1", 1.0, "partition", NULL},
            {"spherical", "0", "1", "1", 1.0, "udwadia_schutte", NULL},
            {"spherical", "0", "1", "1", 1.0, NULL, "dopri5"},
            {"spherical", "0", "1", "1", 1.0, NULL, "radau5"},
            {"spherical", "0", "1", "1", 1.0, NULL, "arkode"},
            {"spherical", "0", "1", "1", 1.0, NULL, "cvode"},
            {"spherical", "0", "1", "1", 1.0, NULL, "ida"},
    };
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const Setting *set = &settings[k];
        if (set->integrator != NULL && tr_integrator_find(set->integrator) == NULL) {
            continue;
        }
        bool        tied = set->mid[0] == '0';
        double      least, most;
        trBodyState none =
            run_chain(set, tied ? "distance" : set->kind, tied ? "1" : "2e-8", "0", &least);
        (void)run_chain(set, set->kind, "1e-4", "0", &most);
        most = fmax(least, most);
        for (size_t i = 0; i < sizeof J / sizeof *J; i++) {
            double      steps;
            trBodyState at = run_chain(set, set->kind, J[i], "0", &steps);
            double      off = distance(&at, &none, set);
            if (steps > 3.0 * most || (i < 4 && off > 1e-6)) {
                fail_msg("setting %zu, J = %s: %g steps, %g at most before; %g m off", k, J[i],
                         steps, most, off);
            }
        }
    }
}

static double steps_of_masses(const char *const *given, const Setting *set) {
    Run r;
    if (run(masses, given, set, &r) != TR_OK) {
        fail_msg("%s, %s, %s, turn %s: %s", set->method, given[0], given[1], given[3],
                 tr_last_error());
    }
    double steps = (double)tr_sim_stats(r.sim).steps;
    end(&r);
    return steps;
}

static void a_nearly_point_body_shows_no_singular_pose(void **state) {
    static const char *const methods[] = {"lagrange",       "lagrange_schur", "projective",
                                          "udwadia_kalaba", "baumgarte",      "borri_phase_space",
                                          "park_chiou",     "udwadia_schutte"};
    static const char *const J[] = {"J=1e-2", "J=3e-3", "J=1e-4", "J=1e-6"};
    static const char *const dim[] = {"dim=2", "dim=3"}, *const n[] = {"n=1", "n=2"};
    static const char *const turn[] = {"turn=0", "turn=45"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const Setting set = {.method = methods[i]};
        for (int k = 0; k < 32; k++) {
            const char *given[] = {J[k / 8], dim[k / 4 % 2], n[k / 2 % 2], turn[k % 2], NULL};
            const char *large[] = {"J=0.05", dim[k / 4 % 2], n[k / 2 % 2], turn[k % 2], NULL};
            double      most = 3.0 * steps_of_masses(large, &set);
            double      steps = steps_of_masses(given, &set);
            if (steps > most) {
                fail_msg("%s, %s, %s, %s, %s: %g steps, at most %g", methods[i], given[0], given[1],
                         given[2], given[3], steps, most);
            }
        }
    }
}

// The spin of a free body depends on ratios of its moments only. With the larger J here other
// motion changes by some 1e-7, and the spin with it.
static void a_small_inertia_spins_as_a_larger_one_of_the_same_shape(void **state) {
    static const Setting set = {"spherical", "1", "1", "1", 1.0, NULL, NULL};
    static const char   *J[] = {"1e-300", "1e-14", "1e-10"};
    double               steps;
    trBodyState          large = run_chain(&set, set.kind, "1e-7", "4", &steps);
    for (int i = 0; i < 3; i++) {
        trBodyState small = run_chain(&set, set.kind, J[i], "4", &steps);
        for (int k = 0; k < 4; k++) {
            assert_true(fabs(small.quaternion[k] - large.quaternion[k]) <= 2e-5);
        }
        assert_true(fabs(small.wx - large.wx) <= 1e-4 && fabs(small.wy - large.wy) <= 1e-4 &&
                    fabs(small.wz - large.wz) <= 1e-4);
    }
}

// Where hinges hold all spins J = 1e-12 counts as that much, and not as 1e-8.
static void a_spin_that_is_held_keeps_its_inertia(void **state) {
    static const Setting set = {"revolute", "0", "1", "1", 1.0, NULL, NULL};
    double               steps;
    trBodyState          none = run_chain(&set, set.kind, "0", "0", &steps);
    trBodyState          some = run_chain(&set, set.kind, "1e-12", "0", &steps);
    assert_true(distance(&some, &none, &set) <= 1e-10);
}

// w = M t / J, with the moments of inertia of the model.
static void a_moment_turns_a_free_body_by_its_own_inertia(void **state) {
    const char *const given[] = {"J=1e-10", "M=2e-10", NULL};
    Run               r;
    assert_int_equal(run(pendulum, given, NULL, &r), TR_OK);
    assert_true(fabs(tr_sim_body(r.sim, 0).wz - 2.0) <= 1e-6);
    end(&r);
}

static void a_refusal_tells_no_inertia_from_too_little(void **state) {
    static const char *const none[] = {"J=0", NULL}, *const little[] = {"J=1e-16", "M=1", "x=0.3",
                                                                        NULL};
    Run r;
    assert_int_not_equal(run(pendulum, none, NULL, &r), TR_OK);
    assert_non_null(strstr(tr_last_error(), "body 'bob'"));
    assert_non_null(strstr(tr_last_error(), "neither inertia nor a joint"));
    end(&r);
    assert_int_not_equal(run(pendulum, little, NULL, &r), TR_OK);
    assert_non_null(strstr(tr_last_error(), "body 'bob'"));
    assert_non_null(strstr(tr_last_error(), "next to no inertia and no joint"));
    end(&r);
}

static double inertia_of_pinned(const char *J, const char *more) {
    const char *given[] = {J, more, NULL};
    trSimDef    def = tr_sim_def_default();
    trModel    *model = NULL;
    trSystem   *system = NULL;
    assert_int_equal(tr_lua_load_text("pinned.lua", pinned, strlen(pinned), given, &model, &def),
                     TR_OK);
    assert_int_equal(tr_system_build(model, &system), TR_OK);
    double inertia = system->body[0].inertia;
    assert_true(system->mass[2] == inertia);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return inertia;
}

// 1e-7 m r^2 = 5e-8 kg m^2 where J alone resists loads at the port, to rounding of r.
static void a_planar_body_that_turns_freely_at_a_port_is_no_point(void **state) {
    static const char *const held[] = {"x=1e-6", "M=1e-9", "w=20", "port=0"};
    assert_true(fabs(inertia_of_pinned("J=1e-300", NULL) - 5e-8) < 1e-20);
    assert_true(fabs(inertia_of_pinned("J=4e-8", NULL) - 5e-8) < 1e-20);
    assert_true(inertia_of_pinned("J=6e-8", NULL) == 6e-8);
    assert_true(inertia_of_pinned("J=0", NULL) == 0.0);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        assert_true(inertia_of_pinned("J=1e-12", held[i]) == 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_spin_costs_no_steps),
        cmocka_unit_test(a_nearly_point_body_shows_no_singular_pose),
        cmocka_unit_test(a_small_inertia_spins_as_a_larger_one_of_the_same_shape),
        cmocka_unit_test(a_spin_that_is_held_keeps_its_inertia),
        cmocka_unit_test(a_moment_turns_a_free_body_by_its_own_inertia),
        cmocka_unit_test(a_planar_body_that_turns_freely_at_a_port_is_no_point),
        cmocka_unit_test(a_refusal_tells_no_inertia_from_too_little),
    };
    return cmocka_run_group_tests_name("free spins", tests, NULL, NULL);
}
