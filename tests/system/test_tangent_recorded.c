// SPDX-License-Identifier: MIT
// All parts of the tangent of recorded equations: further states, constraints that are not ideal,
// rows and loads on bodies; and of bodies without mass.

#include "lua/lua_case.h"
#include "support/machines.h"
#include "support/tangent_check.h"

#define EXACT 1e-9  // of differences; see tangent_check.c

static void check(const char *what, const char *text) {
    Machine machine = {.model = model_of(text, NULL)};
    machine_build(&machine);
    tangent_check(machine.system, what, EXACT);
    machine_free(&machine);
}

#define MASS                                                 \
    "local s = system { coordinates = { 'x', 'y', 'w' } }\n" \
    "s:mass(function(q, t) local c = 0.3 * cos(q.x - q.y)\n" \
    "    return { { 2 + q.w ^ 2, c, 0 }, { c, 1.5 + 0.1 * sin(t), 0 }, { 0, 0, 0.8 } } end)\n"
#define ROWS                                                                        \
    "s:constraint { name = 'a', phi = function(q, t)\n"                             \
    "    return sqrt((q.x - 2) ^ 2 + q.y ^ 2) - 2 - 0.1 * sin(t) + q.w ^ 2 end }\n" \
    "s:nonholonomic { name = 'b', psi = function(q, v, t)\n"                        \
    "    return v.w * (1 + q.x ^ 2) - v.y ^ 2 - v.x * q.y - 0.2 * t end }\n"

static void further_states_have_all_parts(void **state) {
    check("states", MASS
          "s:state { 'e', 'f', start = { 0.1, 0.2 }, rate = function(q, v, t, p, z)\n"
          "    return { q.x * v.y - z.e ^ 2 + sin(z.f) + t, 3 * cos(q.w) - 2 * z.f } end }\n"
          "s:state { 'alone', start = 0.2, rate = function(q, v, t, p, z) return 1 end }\n"
          "s:force(function(q, v, t, p, z)\n"
          "    return { -3 * q.x * v.y - z.e * q.x, exp(-z.f) * v.w, -q.w + z.e * z.f } end)\n" ROWS
          "return s");
}

static void constraints_that_are_not_ideal_have_all_parts(void **state) {
    check("nonideal",
          MASS "s:state { 'e', start = 0.1, rate = function(q, v, t, p, z) return v.x end }\n"
               "s:force(function(q, v, t, p, z) return { -3 * q.x, v.w, -q.w } end)\n" ROWS
               "s:nonideal(function(q, v, t, p, lambda, z)\n"
               "    local size = sqrt(lambda.a ^ 2 + 1)\n"
               "    return { -0.3 * size * v.x * cos(q.y), -0.2 * lambda.a * lambda.b + z.e,\n"
               "             -0.1 * v.w * lambda.b ^ 2 + sin(t) } end)\n"
               "return s");
}

static const char planar_text[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 0.1, com = { 0.1, 0.2 } }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = 0.3, at = { 1, 0 }, angle = 0.3 }\n"
    "m:joint { 'distance', m.ground, a, point1 = { 0, 2 } }\n"
    "m:constraint { name = 'pin', a, b, phi = function(a, b, t)\n"
    "    return a:point { 0.5, 0 } - b:point { -0.5, 0.1 } end }\n"
    "m:nonholonomic { name = 'skate', b, a, psi = function(b, a, t)\n"
    "    return cross(b.v, vec(cos(b.angle), sin(b.angle))) + 0.1 * a.x * t end }\n"
    "m:force { name = 'drag', a, b, force = function(a, b, t)\n"
    "    return -0.3 * norm(b.v - a.v + vec(1, 0)) * (b.v - a.v) end,\n"
    "    moment = function(a, b, t) return -0.1 * (b.omega - a.omega) ^ 3 end }\n"
    "return m";

static const char spatial_text[] =
    "local m = model { dim = 3, gravity = { 0, 0, -9.81 }, coordinates = '%s' }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = { 0.1, 0.2, 0.15, 0.02, 0.01, 0.03 },\n"
    "    com = { 0.1, 0.2, 0.05 }, rotation = { 0.1, 0.2, 0.3 } }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = { 0.3, 0.2, 0.25 }, at = { 1, 0, 0 } }\n"
    "m:joint { 'rolling_disk', m.ground, a, radius = 0.4, axis = { 0.1, 1, 0.2 },\n"
    "    normal = { 0.2, 0.1, 1 } }\n"
    "m:constraint { name = 'ball', a, b, phi = function(a, b, t)\n"
    "    return a:point { 0.5, 0, 0 } - b:point { -0.5, 0.1, 0 } end }\n"
    "m:constraint { name = 'square', a, b, unit = 'rad', phi = function(a, b, t)\n"
    "    return dot(a.R * vec(0, 0, 1), b.R * vec(1, 0, 0)) - 0.1 * sin(t) end }\n"
    "m:nonholonomic { name = 'roll', b, a, psi = function(b, a, t)\n"
    "    return dot(b:velocity { 0, 0.2, -0.5 }, b.R * vec(1, 0, 0)) + a.omega.x ^ 2 end }\n"
    "m:force { name = 'drag', a, b, force = function(a, b, t)\n"
    "    return -0.3 * b:velocity { 0.1, 0, 0 } end,\n"
    "    moment = function(a, b, t) return -0.1 * norm(b.omega + vec(0, 0, 3)) * a.omega end }\n"
    "m:force { name = 'field', a, b, potential = function(a, b, t)\n"
    "    return 5 * (norm(a:point { 0, 0.3, 0 } - b:point { 0, 0.2, 0.1 }) - 1) ^ 2 end }\n"
    "return m";

static void rows_and_loads_on_bodies_have_all_parts(void **state) {
    char text[3000];
    check("recorded, planar", planar_text);
    snprintf(text, sizeof text, spatial_text, "body");
    check("recorded, body", text);
    snprintf(text, sizeof text, spatial_text, "quaternion");
    check("recorded, quaternion", text);
}

// S of what has no inertia is positive, and SPIN belongs to it.
static void bodies_without_mass_have_all_parts(void **state) {
    check("massless, planar",
          "local m = model { gravity = { 0, -9.81 } }\n"
          "local a = m:body { name = 'a', mass = 0, inertia = 0 }\n"
          "local b = m:body { name = 'b', mass = 2, inertia = 0.3, at = { 1, 0 }, angle = 0.3 }\n"
          "m:joint { 'revolute', m.ground, a, point = { 0, 0 } }\n"
          "m:joint { 'revolute', a, b, point = { 0.5, 0 } }\n"
          "return m");
    check("massless, in space",
          "local m = model { dim = 3, gravity = { 0, 0, -9.81 } }\n"
          "local a = m:body { name = 'a', mass = 0, inertia = { 0, 0, 0 } }\n"
          "local b = m:body { name = 'b', mass = 2, inertia = { 0.3, 0.2, 0.25 }, at = { 1, 0, 0 } "
          "}\n"
          "m:joint { 'universal', m.ground, a, point = { 0, 0, 0 }, world_axis1 = { 1, 0, 0 },\n"
          "    world_axis2 = { 0, 1, 0 } }\n"
          "m:joint { 'revolute', a, b, point = { 0.5, 0, 0 }, axis = { 0, 0, 1 } }\n"
          "return m");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(further_states_have_all_parts),
        cmocka_unit_test(constraints_that_are_not_ideal_have_all_parts),
        cmocka_unit_test(rows_and_loads_on_bodies_have_all_parts),
        cmocka_unit_test(bodies_without_mass_have_all_parts),
    };
    return cmocka_run_group_tests_name("recorded tangent", tests, enter_folder, leave_folder);
}
