// SPDX-License-Identifier: MIT
// What `prepare` of joints and forces takes and refuses, between bodies that are turned: geometry
// counts in the world, not in the numbers of body axes. Every kind that compares directions or
// points has rows in a table; all others are tried with two wordings of one direction or point.

#include <stdio.h>
#include <string.h>

#include "force/force.h"
#include "support/test.h"
#include "trammel/trammel.h"

// In space body a is turned by a third about (1, 1, 1): its x, y, z are y, z, x of the world. Body
// b is turned by a quarter about x: its x, y, z are x, z, -y of the world. No turn is its own
// inverse, and principal axes are others than both.
static const char spatial[] =
    "local m = model { dim = 3 }\n"
    "local third = 2 * math.pi / 3 / math.sqrt(3)\n"
    "local a = m:body { name = 'a', mass = 1, inertia = { 3, 2, 2.5, 0.3, -0.2, 0.4 },\n"
    "    at = { 0.3, -0.2, 0.5 }, rotation = { third, third, third }, com = { 0.1, 0.2, 0.3 } }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = { 2, 2.2, 3, -0.1, 0.4, 0.2 },\n"
    "    at = { 1, 2, 3 }, rotation = { math.pi / 2, 0, 0 }, com = { -0.2, 0.1, 0.4 } }\n";

// In the plane body a is turned by a quarter: its x, y are y, -x of the world; body b by a half.
static const char planar[] =
    "local m = model { }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 1, at = { 0.3, -0.2 },\n"
    "    angle = math.pi / 2, com = { 0.1, 0.2 } }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = 1, at = { 1, 2 }, angle = math.pi,\n"
    "    com = { -0.2, 0.1 } }\n";

// Loads a model with one joint or force between a and b, and builds its system.
static trStatus make(bool joint, int dim, const char *kind, const char *params) {
    char      text[2000];
    trModel  *model = NULL;
    trSystem *system = NULL;
    trSimDef  def = tr_sim_def_default();
    bool      alone = !joint && (tr_force_find(kind, dim)->traits & TR_ONE_BODY) != 0;
    int size = snprintf(text, sizeof text, "%sm:%s { '%s', name = 'it', %sb, %s }\nreturn m\n",
                        dim == 3 ? spatial : planar, joint ? "joint" : "force", kind,
                        alone ? "" : "a, ", params);
    assert_in_range(size, 1, sizeof text - 1);
    trStatus status = tr_lua_load_text("turned.lua", text, (size_t)size, NULL, &model, &def);
    status = status == TR_OK ? tr_system_build(model, &system) : status;
    tr_system_destroy(system);
    tr_model_destroy(model);
    return status;
}

static void assert_made(bool joint, int dim, const char *kind, const char *params,
                        const char *refused) {
    trStatus status = make(joint, dim, kind, params);
    if (refused == NULL && status != TR_OK) {
        fail_msg("%s { %s } is refused: %s", kind, params, tr_last_error());
    }
    if (refused != NULL && status != TR_E_MODEL) {
        fail_msg("%s { %s } is taken", kind, params);
    }
    if (refused != NULL && strstr(tr_last_error(), refused) == NULL) {
        fail_msg("%s { %s } is refused with '%s', not '%s'", kind, params, tr_last_error(),
                 refused);
    }
}

// --- geometry ---

typedef struct Row {
    bool        joint;
    int         dim;
    const char *kind;
    const char *params;
    const char *refused;  // a part of the words; NULL: taken
} Row;

#define JOINT true
#define FORCE false
#define BLADE "the blade is normal to the plane"
#define FLAT "the disk lies flat on the plane"
#define CROSS(degrees) "they are at " degrees " degrees"
#define COINCIDE "the two points coincide"

static const Row rows[] = {
    // Across: y and -y of the world, in all four wordings; z and z.
    {JOINT, 3, "knife_edge", "normal1 = { 1, 0, 0 }, axis2 = { 0, 0, 1 }", BLADE},
    {JOINT, 3, "knife_edge", "normal = { 0, 1, 0 }, axis2 = { 0, 0, 1 }", BLADE},
    {JOINT, 3, "knife_edge", "normal1 = { 2, 0, 0 }, axis = { 0, 1, 0 }", BLADE},
    {JOINT, 3, "knife_edge", "normal = { 0, 1, 0 }, axis = { 0, -3, 0 }", BLADE},
    {JOINT, 3, "knife_edge", "normal1 = { 0, 1, 0 }, axis2 = { 0, 1, 0 }", BLADE},
    // The same numbers in body axes, other directions in the world.
    {JOINT, 3, "knife_edge", "normal1 = { 1, 0, 0 }, axis2 = { 1, 0, 0 }", NULL},
    {JOINT, 3, "knife_edge", "normal1 = { 0, 0, 1 }, axis2 = { 0, 0, 1 }", NULL},
    {JOINT, 3, "knife_edge", "normal1 = { 0, 1, 0 }, axis = { 0, 1, 0 }", NULL},
    {JOINT, 3, "knife_edge", "normal = { 0, 0, 1 }, axis2 = { 0, 0, 1 }", NULL},
    {JOINT, 3, "knife_edge", "normal1 = { 1, 0, 0 }, axis2 = { 1e-6, 0, 1 }", NULL},

    {JOINT, 3, "rolling_disk", "radius = 0.3, normal1 = { 1, 0, 0 }, axis2 = { 0, 0, 1 }", FLAT},
    {JOINT, 3, "rolling_disk", "radius = 0.3, normal = { 0, 1, 0 }, axis2 = { 0, 0, 1 }", FLAT},
    {JOINT, 3, "rolling_disk", "radius = 0.3, normal1 = { 2, 0, 0 }, axis = { 0, 1, 0 }", FLAT},
    {JOINT, 3, "rolling_disk", "radius = 0.3, normal1 = { 0, 1, 0 }, axis2 = { 0, 1, 0 }", FLAT},
    {JOINT, 3, "rolling_disk", "radius = 0.3, normal1 = { 1, 0, 0 }, axis2 = { 1, 0, 0 }", NULL},
    {JOINT, 3, "rolling_disk", "radius = 0.3, normal1 = { 0, 0, 1 }, axis2 = { 0, 0, 1 }", NULL},
    {JOINT, 3, "rolling_disk", "radius = 0.3, normal1 = { 1, 0, 0 }, axis2 = { 1e-6, 0, 1 }", NULL},

    {JOINT, 3, "universal", "axis1 = { 1, 0, 0 }, axis2 = { 0, 0, 1 }", CROSS("180.0")},
    {JOINT, 3, "universal", "axis1 = { 0, 1, 0 }, axis2 = { 0, 1, 0 }", CROSS("0.0")},
    {JOINT, 3, "universal", "world_axis1 = { 0, 1, 0 }, axis2 = { 0, 0, 1 }", CROSS("180.0")},
    {JOINT, 3, "universal", "axis1 = { 1, 0, 0 }, world_axis2 = { 0, 1, 0 }", CROSS("0.0")},
    {JOINT, 3, "universal", "axis1 = { 1, 0, 0 }, axis2 = { 1, 0, 0 }", NULL},
    {JOINT, 3, "universal", "axis1 = { 0, 0, 1 }, axis2 = { 0, 0, 1 }", NULL},
    // 45 degrees from a right angle are taken: tan(46), tan(44), and beyond it likewise.
    {JOINT, 3, "universal", "axis1 = { 1, 0, 0 }, axis2 = { 1.0355, 0, -1 }", NULL},
    {JOINT, 3, "universal", "axis1 = { 1, 0, 0 }, axis2 = { 0.9657, 0, -1 }", CROSS("44.0")},
    {JOINT, 3, "universal", "axis1 = { 1, 0, 0 }, axis2 = { 1.0355, 0, 1 }", NULL},
    {JOINT, 3, "universal", "axis1 = { 1, 0, 0 }, axis2 = { 0.9657, 0, 1 }", CROSS("136.0")},

    // The origin of b from that of a is (0.7, 2.2, 2.5) in the world, (2.2, 2.5, 0.7) in a.
    {JOINT, 3, "distance", "point1 = { 2.2, 2.5, 0.7 }", COINCIDE},
    {JOINT, 3, "distance", "point1 = { 2.2, 2.5, 0.7 }, world2 = { 1, 2, 3 }", COINCIDE},
    {JOINT, 3, "distance", "world1 = { 1, 2, 3 }, point2 = { 0, 0, 0 }", COINCIDE},
    {JOINT, 3, "distance", "world1 = { 1, 3, 3 }, point2 = { 0, 0, -1 }", COINCIDE},
    {JOINT, 3, "distance", "point1 = { 0.7, 2.2, 2.5 }", NULL},
    {JOINT, 3, "distance", "point1 = { 2.5, 0.7, 2.2 }", NULL},
    {JOINT, 3, "distance", "world1 = { 1, 3, 3 }, point2 = { 0, 1, 0 }", NULL},
    {JOINT, 3, "distance", "point1 = { 2.2, 2.5, 0.700000001 }", NULL},
    {JOINT, 3, "driven_distance", "length = 1, point1 = { 2.2, 2.5, 0.7 }", COINCIDE},
    {JOINT, 3, "driven_distance", "length = 1, world1 = { 1, 3, 3 }, point2 = { 0, 0, -1 }",
     COINCIDE},
    {JOINT, 3, "driven_distance", "length = 1, point1 = { 0.7, 2.2, 2.5 }", NULL},
    {JOINT, 3, "driven_distance", "length = 1, point1 = { 2.2, 2.5, 0.700000001 }", NULL},

    // (0.7, 2.2) in the world is (2.2, -0.7) in a; (1, 2) from the origin of b is (-1, -2) in it.
    {JOINT, 2, "distance", "point1 = { 2.2, -0.7 }", COINCIDE},
    {JOINT, 2, "distance", "world1 = { 2, 4 }, point2 = { -1, -2 }", COINCIDE},
    {JOINT, 2, "distance", "point1 = { 0.7, 2.2 }", NULL},
    {JOINT, 2, "distance", "point1 = { -2.2, 0.7 }", NULL},
    {JOINT, 2, "distance", "world1 = { 2, 4 }, point2 = { 1, 2 }", NULL},
    {JOINT, 2, "distance", "point1 = { 2.2, -0.700000001 }", NULL},
    {JOINT, 2, "driven_distance", "length = 1, point1 = { 2.2, -0.7 }", COINCIDE},
    {JOINT, 2, "driven_distance", "length = 1, point1 = { 0.7, 2.2 }", NULL},

    {FORCE, 3, "contact", "stiffness = 1, up = { 0, 1, 0 }, forward = { 0, -2, 0 }", "parallel"},
    {FORCE, 3, "contact", "stiffness = 1, up = { 0, 1, 0 }, forward = { 0, -2, 1e-5 }", NULL},
    {FORCE, 3, "contact", "stiffness = 1, up = { 0, 1, 0 }, forward = { 0, 0, 1 }", NULL},
    {FORCE, 3, "bushing",
     "stiffness = { 1, 1, 1, 1, 1, 1 }, x_axis = { 0, 0, 2 }, "
     "y_axis = { 0, 0, -3 }",
     "not parallel"},
    {FORCE, 3, "bushing",
     "stiffness = { 1, 1, 1, 1, 1, 1 }, x_axis = { 0, 0, 2 }, "
     "y_axis = { 0, 1e-5, -3 }",
     NULL},
};

static void geometry_counts_in_the_world(void **state) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_made(rows[i].joint, rows[i].dim, rows[i].kind, rows[i].params, rows[i].refused);
    }
}

// --- every kind ---

// What a kind needs besides points and directions.
static const char *const needs[][3] = {
    {"2", "driven_angle", "angle = 1, "},
    {"2", "driven_coordinate", "value = 1, "},
    {"2", "driven_distance", "length = 1, "},
    {"2", "gear", "ratio = 2, "},
    {"3", "driven_angle", "angle = 1, "},
    {"3", "driven_coordinate", "value = 1, "},
    {"3", "driven_distance", "length = 1, "},
    {"3", "gear", "ratio = 2, "},
    {"3", "rolling_disk", "radius = 0.3, "},
    {"3", "screw", "pitch = 0.1, "},
    {"2", "point_force", "fx = 1, "},
    {"2", "spring", "stiffness = 1, "},
    {"2", "torque", "moment = 1, "},
    {"2", "torsion_spring", "stiffness = 1, "},
    {"3", "bump_stop", "limit = 1, stiffness = 1, "},
    {"3", "bushing", "stiffness = { 1, 1, 1, 1, 1, 1 }, "},
    {"3", "contact", "stiffness = 1, "},
    {"3", "joint_friction", "damping = 1, "},
    {"3", "point_force", "fx = 1, "},
    {"3", "spring", "stiffness = 1, "},
    {"3", "torque", "mx = 1, "},
    {"3", "torsion_spring", "stiffness = 1, "},
};

static const char *needs_of(int dim, const char *kind) {
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (needs[i][0][0] - '0' == dim && strcmp(needs[i][1], kind) == 0) {
            return needs[i][2];
        }
    }
    return "";
}

// Two wordings of one thing, of which a kind takes one.
static const char *const wordings[][2] = {
    {"point", "point1"},      {"point", "point2"},
    {"world1", "point1"},     {"world2", "point2"},
    {"axis", "axis1"},        {"axis", "axis2"},
    {"world_axis1", "axis1"}, {"normal", "normal1"},
    {"world_axis2", "axis2"}, {"plane_point", "plane_point1"},
};
#define WORDINGS (sizeof wordings / sizeof *wordings)

static bool has(const trField *fields, const char *name) {
    for (; fields->name != NULL; fields++) {
        if (strcmp(fields->name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Directions that are no multiples of each other and of no axis, in the words that hold in the
// world; with one of them left out.
static void add_directions(const trField *fields, int dim, const char *left_out, char *text,
                           size_t size) {
    static const char *const names[] = {"axis", "world_axis1", "world_axis2", "normal"};
    static const char *const values[] = {"1, 2", "2, -1", "1, 2", "-2, 1"};
    for (int i = 0; i < 4; i++) {
        if (has(fields, names[i]) && (left_out == NULL || strcmp(left_out, names[i]) != 0)) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s = { %s%s }, ", names[i], values[i],
                     dim == 3 ? ", 0" : "");
        }
    }
}

static void try_wordings(bool joint, int dim, const char *kind, const trField *fields) {
    for (size_t i = 0; i < WORDINGS; i++) {
        const char *world = wordings[i][0], *own = wordings[i][1];
        const char *some = dim == 3 ? "{ 0.1, 0.2, 0.7 }" : "{ 0.1, 0.2 }";
        const char *zero = dim == 3 ? "{ 0, 0, 0 }" : "{ 0, 0 }";
        bool        direction = strstr(own, "axis") != NULL || strstr(own, "normal") != NULL;
        char        base[400], text[600], words[100];
        // point1 of driven_coordinate is where its coordinate is counted from: another point
        bool other = strcmp(kind, "driven_coordinate") == 0 && strcmp(own, "point1") == 0;
        if (other || !has(fields, world) || !has(fields, own)) {
            continue;
        }
        snprintf(base, sizeof base, "%s", needs_of(dim, kind));
        add_directions(fields, dim, world, base, sizeof base);
        for (int k = 0; k < 2; k++) {
            snprintf(text, sizeof text, "%s%s = %s", base, wordings[i][k], some);
            assert_made(joint, dim, kind, text, NULL);
            snprintf(text, sizeof text, "%s%s = %s", base, wordings[i][k], zero);
            snprintf(words, sizeof words, "'%s' must have a direction", wordings[i][k]);
            assert_made(joint, dim, kind, text, direction ? words : NULL);
        }
        snprintf(text, sizeof text, "%s%s = %s, %s = %s", base, world, some, own, some);
        snprintf(words, sizeof words, "'%s' and '%s' are both given", world, own);
        assert_made(joint, dim, kind, text, words);
    }
}

static void one_wording_is_taken_and_two_are_refused(void **state) {
    for (int i = 0; i < tr_joint_count(); i++) {
        const trJointKind *kind = tr_joint_at(i);
        try_wordings(JOINT, kind->dim, kind->name, kind->fields);
    }
    for (int i = 0; i < tr_force_count(); i++) {
        const trForceKind *kind = tr_force_at(i);
        try_wordings(FORCE, kind->dim, kind->name, kind->fields);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometry_counts_in_the_world),
        cmocka_unit_test(one_wording_is_taken_and_two_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
