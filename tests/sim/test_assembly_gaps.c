// SPDX-License-Identifier: MIT
// How far every joint is open in the report of an assembly, before and after: positions and
// velocities, lengths, angles and other units, from closed forms.

#include "assembly_case.h"

#define SAME 1e-13    // rounding of a few operations on numbers below 10
#define CLOSED 1e-11  // what one solve leaves: rounding times the condition of A M^-1 A'

typedef struct Gap {
    const char *name;
    trOpening   position, velocity;  // before
} Gap;

static void assert_opening(const char *name, const char *what, trOpening found, trOpening wanted,
                           double most) {
    if (!(fabs(found.length - wanted.length) <= most && fabs(found.angle - wanted.angle) <= most &&
          fabs(found.other - wanted.other) <= most)) {
        fail_msg("%s, %s: %.15g %.15g %.15g, should be %.15g %.15g %.15g", name, what, found.length,
                 found.angle, found.other, wanted.length, wanted.angle, wanted.other);
    }
}

static void check_gaps(const char *text, int count, const Gap *gap) {
    const trOpening none = {0.0, 0.0, 0.0};
    Case            c = case_of_text(text);
    trAssembly      a;
    require(assemble(&c, NULL, 0, NULL, &a));
    assert_true(a.assembled && !a.untouched);
    assert_int_equal(a.joints, count);
    for (int i = 0; i < count; i++) {
        const trJointGap *found = &a.joint[i];
        assert_string_equal(found->name, gap[i].name);
        assert_opening(gap[i].name, "position before", found->position_before, gap[i].position,
                       SAME);
        assert_opening(gap[i].name, "velocity before", found->velocity_before, gap[i].velocity,
                       SAME);
        assert_opening(gap[i].name, "position after", found->position_after, none, CLOSED);
        assert_opening(gap[i].name, "velocity after", found->velocity_after, none, CLOSED);
        assert_true(found->angle == (gap[i].velocity.angle > 0.0));
        assert_true(found->length == (gap[i].velocity.length > 0.0));
        assert_true((found->unit != NULL) == (gap[i].velocity.other > 0.0));
    }
    tr_assembly_free(&a);
    case_free(&c);
}

// Bodies stand where they should, and move as they should not. At a point p of a body, given from
// its origin: v + omega z x p.
static void velocities_of_planar_joints(void **state) {
    static const char text[] =
        "local m = model { name = 'moving' }\n"
        "local function body(name, x, vx, vy, w, angle)\n"
        "    return m:body { name = name, mass = 2, inertia = 0.3, at = { x, 0 }, angle = angle,\n"
        "                    com = { 0.2, 0.1 }, velocity = { vx, vy }, angular_velocity = w }\n"
        "end\n"
        "local a = body('a', 1, 0.3, -0.4, 0.5, 0)\n"
        "local b = body('b', 3, -0.2, 0.7, -1.5, 0)\n"
        "local c = body('c', 6, 0.6, 0.8, 0.25, math.pi / 2)\n"
        "m:joint { 'revolute', name = 'pin', m.ground, a, point = { 0, 2 } }\n"
        "m:joint { 'fixed', name = 'weld', a, b, point = { 2, 0 } }\n"
        "m:joint { 'driven_angle', name = 'motor', m.ground, b, angle = function(t) return 2 * t "
        "end }\n"
        "m:joint { 'knife_edge', name = 'blade', m.ground, c }\n"
        "m:constraint { name = 'own', c, unit = 'V', phi = function(c, t)\n"
        "    return 3 * c.y - 5 * t end }\n"
        "return m\n";
    // pin: a at (-1, 2). weld: a at (1, 0) and b at (-1, 0).
    const Gap gap[] = {
        {"pin", {0.0, 0.0, 0.0}, {hypot(0.3 - 0.5 * 2.0, -0.4 - 0.5), 0.0, 0.0}},
        {"weld", {0.0, 0.0, 0.0}, {hypot(-0.2 - 0.3, (0.7 + 1.5) - (-0.4 + 0.5)), 2.0, 0.0}},
        {"motor", {0.0, 0.0, 0.0}, {0.0, 3.5, 0.0}},
        {"blade", {0.0, 0.0, 0.0}, {0.6, 0.0, 0.0}},
        {"own", {0.0, 0.0, 0.0}, {0.0, 0.0, fabs(3.0 * 0.8 - 5.0)}},
    };
    check_gaps(text, 5, gap);
}

// Positions and velocities off at the same time: turned by a quarter, a point 1 m from the origin
// is 1 m above it.
static void positions_and_velocities_together(void **state) {
    static const char text[] =
        "local m = model { name = 'both' }\n"
        "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { 0.3, 0.4 },\n"
        "                   angle = math.pi / 2, velocity = { 1, 2 }, angular_velocity = 3 }\n"
        "m:joint { 'revolute', name = 'pin', m.ground, a, point1 = { 0, 0 }, point2 = { 1, 0 } }\n"
        "return m\n";
    const Gap gap[] = {{"pin", {hypot(0.3, 1.4), 0.0, 0.0}, {hypot(1.0 - 3.0, 2.0), 0.0, 0.0}}};
    check_gaps(text, 1, gap);
}

// In space: across the axis z of a hinge angular velocities are not free.
static void velocities_of_spatial_joints(void **state) {
    static const char text[] =
        "local m = model { dim = 3 }\n"
        "local a = m:body { name = 'a', mass = 2, inertia = { 1, 2, 2.5 }, at = { 1, 0, 0 },\n"
        "                   com = { 0.1, 0.2, 0 }, velocity = { 0.3, -0.4, 0.2 },\n"
        "                   angular_velocity = { 0.6, -0.8, 5 } }\n"
        "local b = m:body { name = 'b', mass = 1, inertia = { 1, 1.5, 1 }, at = { 3, 0, 0 },\n"
        "                   velocity = { 0.1, 0.9, -0.7 }, angular_velocity = { 2, -1, 3 } }\n"
        "m:joint { 'revolute', name = 'hinge', m.ground, a, point = { 1, 0, 2 },\n"
        "          axis = { 0, 0, 1 } }\n"
        "m:joint { 'spherical', name = 'ball', a, b, point = { 2, 0, 0 } }\n"
        "return m\n";
    // hinge: w x (0, 0, 2) = (2 wy, -2 wx, 0). ball: w x (1, 0, 0) = (0, wz, -wy).
    const double x = 0.3 - 1.6, y = -0.4 - 1.2, z = 0.2;
    const double dx = 0.1 - 0.3, dy = (0.9 - 3.0) - (-0.4 + 5.0), dz = (-0.7 - 1.0) - (0.2 + 0.8);
    const Gap    gap[] = {
           {"hinge", {0.0, 0.0, 0.0}, {sqrt(x * x + y * y + z * z), 1.0, 0.0}},
           {"ball", {0.0, 0.0, 0.0}, {sqrt(dx * dx + dy * dy + dz * dz), 0.0, 0.0}},
    };
    check_gaps(text, 2, gap);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_of_planar_joints),
        cmocka_unit_test(positions_and_velocities_together),
        cmocka_unit_test(velocities_of_spatial_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
