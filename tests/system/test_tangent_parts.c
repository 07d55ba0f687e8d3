// SPDX-License-Identifier: MIT
// All parts of the tangent, with every kind of joint and of force that there is, planar and in
// space, and in space for both sets of coordinates.

#include "lua/lua_case.h"
#include "support/machines.h"
#include "support/tangent_check.h"

#define EXACT 1e-9   // of differences; see tangent_check.c
#define ALMOST 1e-7  // where the tangent is made by differences itself

// A kind and parameters for it, as model files have them.
typedef struct Example {
    const char *kind, *params;
} Example;

static const Example planar_joints[] = {
    {"distance", "point1 = { 0.1, 0.2 }, point2 = { -0.3, 0.1 }"},
    {"driven_angle", "angle = function(t) return 0.2 + t ^ 2 end"},
    {"driven_coordinate", "point1 = { 0.1, 0.4 }, axis = { 1, 0.3 }, value = function(t) return "
                          "sin(2 * t) end"},
    {"driven_distance", "point1 = { 0.1, 0.2 }, length = function(t) return 1 + t ^ 2 end"},
    {"fixed", "point = { 0.4, 0.1 }"},
    {"gear", "ratio = -1.7, carrier = c"},
    {"knife_edge", "point2 = { 0.2, 0.1 }, axis2 = { 1, 0.4 }"},
    {"point_on_line", "point2 = { 0.2, 0.1 }, axis = { 1, 0.4 }"},
    {"prismatic", "point = { 0.4, 0.1 }, axis = { 1, 0.4 }"},
    {"rack_and_pinion", "world_axis1 = { 1, 0.4 }, radius = 0.3, carrier = c"},
    {"revolute", "point = { 0.4, 0.1 }"},
};

static const Example planar_forces[] = {
    {"gravity", "acceleration = { 1, -2 }"},
    {"point_force", "point2 = { 0.2, 0.3 }, fx = 3, fy = function(t) return sin(t) end, "
                    "frame = 'body'"},
    {"spring", "point1 = { 0.1, 0.2 }, point2 = { 0.3, -0.1 }, stiffness = 7, damping = 0.8, "
               "length = 0.5"},
    {"torque", "moment = function(t) return cos(t) end"},
    {"torsion_spring", "stiffness = 3, damping = 0.4, angle = 0.1"},
};

static const Example spatial_joints[] = {
    {"constant_velocity", "point = { 0.4, 0.1, 0.2 }, world_axis1 = { 1, 0.2, 0 }, "
                          "world_axis2 = { 1, 0, 0.4 }"},
    {"cylindrical", "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }"},
    {"distance", "point1 = { 0.1, 0.2, 0.3 }, point2 = { -0.3, 0.1, 0 }"},
    {"driven_angle", "axis = { 1, 0.2, 0.3 }, angle = function(t) return 0.2 + t ^ 2 end"},
    {"driven_coordinate", "point1 = { 0.1, 0.4, 0 }, axis = { 1, 0.3, 0.2 }, "
                          "value = function(t) return sin(2 * t) end"},
    {"driven_distance", "point1 = { 0.1, 0.2, 0.3 }, length = function(t) return 1 + t ^ 2 end"},
    {"fixed", "point = { 0.4, 0.1, 0.2 }"},
    {"gear", "world_axis1 = { 1, 0.2, 0.1 }, world_axis2 = { 0.8, 0, 0.3 }, ratio = -1.7, "
             "carrier = c"},
    {"knife_edge", "point2 = { 0.2, 0.1, 0 }, axis = { 1, 0.4, 0 }, normal = { 0.1, 0.2, 1 }"},
    {"planar", "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }"},
    {"point_on_line", "point2 = { 0.2, 0.1, 0 }, axis = { 1, 0.4, 0.3 }"},
    {"point_on_plane", "point2 = { 0.2, 0.1, 0 }, axis = { 1, 0.4, 0.3 }"},
    {"prismatic", "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }"},
    {"rack_and_pinion",
     "world_axis1 = { 1, 0.4, 0.2 }, world_axis2 = { 0.1, 0.3, 1 }, radius = 0.3, "
     "carrier = c"},
    {"revolute", "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }"},
    {"rolling_disk", "radius = 0.4, axis = { 0.1, 1, 0.2 }, normal = { 0.2, 0.1, 1 }"},
    {"screw", "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }, pitch = 0.3"},
    {"spherical", "point = { 0.4, 0.1, 0.2 }"},
    {"universal", "point = { 0.4, 0.1, 0.2 }, world_axis1 = { 1, 0.2, 0 }, "
                  "world_axis2 = { -0.2, 1, 0 }"},
};

static const Example spatial_forces[] = {
    {"bump_stop", "point1 = { 0.3, -0.2, 0.1 }, axis = { 1.5, 0.3, 0.2 }, limit = 0.2, "
                  "stiffness = 20, damping = 5"},
    {"bushing", "point = { 0.4, 0.1, 0.2 }, stiffness = { 20, 30, 40, 5, 6, 7 }, "
                "damping = { 2, 3, 4, 0.5, 0.6, 0.7 }, preload = { 1, -2, 3, 0.5, 0.4, -0.3 }"},
    {"contact", "point1 = { 0.3, -0.2, 0.1 }, up = { 1.5, 0.3, 0.2 }, forward = { 0.2, 1, 0 }, "
                "radius = 3, stiffness = 20, damping = 5"},
    {"gravity", "acceleration = { 1, -2, 3 }"},
    {"joint_friction", "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }, damping = 0.3, "
                       "friction = 4, rate = 2, slide_damping = 0.2, slide_friction = 5, "
                       "slide_rate = 3"},
    {"point_force", "point2 = { 0.2, 0.3, 0.1 }, fx = 3, fy = function(t) return sin(t) end, "
                    "frame = 'body'"},
    {"spring", "point1 = { 0.1, 0.2, 0 }, point2 = { 0.3, -0.1, 0.2 }, stiffness = 7, "
               "damping = 0.8, length = 0.5"},
    {"torque", "mx = function(t) return cos(t) end, my = 1, frame = 'body'"},
    {"torsion_spring", "axis = { 1, 0.2, 0.3 }, stiffness = 3, damping = 0.4, angle = 0.1"},
};

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const char *params_of(const Example *table, int count, const char *kind) {
    for (int i = 0; i < count; i++) {
        if (strcmp(table[i].kind, kind) == 0) {
            return table[i].params;
        }
    }
    fail_msg("'%s' has no example here; add one", kind);
    return NULL;
}

// Two bodies of every inertia, and one line that joins them.
static Machine built(const char *coordinates, const char *word, const char *kind,
                     const char *bodies, const char *params) {
    const char *planar =
        "local m = model { gravity = { 0, -9.81 } }\n"
        "local a = m:body { name = 'a', mass = 1, inertia = 0.1, com = { 0.1, 0.2 } }\n"
        "local b = m:body { name = 'b', mass = 2, inertia = 0.3, at = { 1, 0.2 }, angle = 0.3 }\n"
        "local c = m:body { name = 'c', mass = 1.5, inertia = 0.2, at = { -0.5, 0.3 }, angle = "
        "0.4, com = { 0.1, -0.3 } }\n";
    const char *spatial =
        "local m = model { dim = 3, gravity = { 0, 0, -9.81 }, coordinates = '%s' }\n"
        "local a = m:body { name = 'a', mass = 1, inertia = { 0.1, 0.2, 0.15, 0.02, 0.01, 0.03 },\n"
        "    com = { 0.1, 0.2, 0.05 }, rotation = { 0.1, 0.2, 0.3 } }\n"
        "local b = m:body { name = 'b', mass = 2, inertia = { 0.3, 0.2, 0.25 },\n"
        "    at = { 1, 0.2, 0.1 } }\n"
        "local c = m:body { name = 'c', mass = 1.5, inertia = { 0.2, 0.25, 0.3 },\n"
        "    at = { -0.5, 0.3, 0.2 }, rotation = { 0.3, -0.1, 0.2 }, com = { 0.1, -0.2, 0.3 } }\n";
    char text[2000], head[1000];
    snprintf(head, sizeof head, coordinates == NULL ? "%s" : spatial,
             coordinates == NULL ? planar : coordinates);
    snprintf(text, sizeof text, "%sm:%s { '%s', %s, %s }\nreturn m", head, word, kind, bodies,
             params);
    Machine machine = {.model = model_of(text, NULL)};
    machine_build(&machine);
    return machine;
}

static Machine joined(const trJointKind *kind, const char *coordinates) {
    const char *params = kind->dim == 2
                             ? params_of(planar_joints, COUNT(planar_joints), kind->name)
                             : params_of(spatial_joints, COUNT(spatial_joints), kind->name);
    return built(kind->dim == 2 ? NULL : coordinates, "joint", kind->name, "a, b", params);
}

static Machine loaded(const trForceKind *kind, const char *coordinates) {
    const char *params = kind->dim == 2
                             ? params_of(planar_forces, COUNT(planar_forces), kind->name)
                             : params_of(spatial_forces, COUNT(spatial_forces), kind->name);
    const char *bodies = (kind->traits & TR_ONE_BODY) != 0 ? "b" : "a, b";
    return built(kind->dim == 2 ? NULL : coordinates, "force", kind->name, bodies, params);
}

static void every_joint(const char *coordinates) {
    for (int i = 0; i < tr_joint_count(); i++) {
        const trJointKind *kind = tr_joint_at(i);
        Machine            machine = joined(kind, coordinates);
        tangent_check(machine.system, kind->name, EXACT);
        machine_free(&machine);
    }
}

// Its load does not change with positions.
static bool has_none(const trForceKind *kind) {
    return strcmp(kind->name, "gravity") == 0 ||
           (strcmp(kind->name, "torque") == 0 && kind->dim == 2);
}

static void every_force(const char *coordinates) {
    for (int i = 0; i < tr_force_count(); i++) {
        const trForceKind *kind = tr_force_at(i);
        Machine            machine = loaded(kind, coordinates);
        double             stiffest = tangent_check(machine.system, kind->name, EXACT);
        if (!has_none(kind) && !(stiffest > 0.0)) {
            fail_msg("%s does not act in this test", kind->name);
        }
        machine_free(&machine);
    }
}

static void every_joint_has_all_parts(void **state) {
    (void)state;
    every_joint("body");
}

static void every_force_has_all_parts(void **state) {
    (void)state;
    every_force("body");
}

static void every_joint_has_them_in_rates_of_quaternions(void **state) {
    (void)state;
    every_joint("quaternion");
}

static void every_force_has_them_in_rates_of_quaternions(void **state) {
    (void)state;
    every_force("quaternion");
}

// A user's kind may have no tangents: here every kind loses its own.
static void joints_without_tangents_are_differentiated(void **state) {
    (void)state;
    for (int i = 0; i < tr_joint_count(); i++) {
        trJointKind kind = *tr_joint_at(i);
        Machine     machine = joined(&kind, i % 2 == 0 ? "body" : "quaternion");
        kind.tangent = NULL;
        kind.tangent3 = NULL;
        kind.rate_tangent = NULL;
        kind.rate_tangent3 = NULL;
        ((trJoint *)machine.system->joint)[0].kind = &kind;
        tangent_check(machine.system, kind.name, ALMOST);
        machine_free(&machine);
    }
}

static void forces_without_tangents_are_differentiated(void **state) {
    (void)state;
    for (int i = 0; i < tr_force_count(); i++) {
        trForceKind kind = *tr_force_at(i);
        Machine     machine = loaded(&kind, i % 2 == 0 ? "body" : "quaternion");
        kind.tangent = NULL;
        kind.tangent3 = NULL;
        ((trForce *)machine.system->force)[0].kind = &kind;
        tangent_check(machine.system, kind.name, ALMOST);
        machine_free(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_has_all_parts),
        cmocka_unit_test(every_force_has_all_parts),
        cmocka_unit_test(every_joint_has_them_in_rates_of_quaternions),
        cmocka_unit_test(every_force_has_them_in_rates_of_quaternions),
        cmocka_unit_test(joints_without_tangents_are_differentiated),
        cmocka_unit_test(forces_without_tangents_are_differentiated),
    };
    return cmocka_run_group_tests_name("tangent parts", tests, enter_folder, leave_folder);
}
