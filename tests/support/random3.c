// SPDX-License-Identifier: MIT
#include "support/random3.h"

#include <stdio.h>

#include "base/status.h"
#include "base/vec3.h"

#define NAME_ROOM 16
#define VECTOR(key, a) TR_VEC(key, (a).x, (a).y, (a).z)

// Joints by the words they take in the world.
typedef enum Words { AT_POINT, WITH_AXIS, WITH_AXES, BETWEEN_ENDS } Words;

typedef struct Kind {
    const char *name;
    Words       words;
} Kind;

static const Kind kinds[] = {
    {"revolute", WITH_AXIS},    {"spherical", AT_POINT},          {"universal", WITH_AXES},
    {"distance", BETWEEN_ENDS}, {"point_on_plane", WITH_AXIS},    {"point_on_line", WITH_AXIS},
    {"cylindrical", WITH_AXIS}, {"prismatic", WITH_AXIS},         {"fixed", AT_POINT},
    {"planar", WITH_AXIS},      {"constant_velocity", WITH_AXES},
};

#define KINDS ((int)(sizeof kinds / sizeof *kinds))
#define LOOP_KINDS 6  // of them, the first

static trVec3 random_vector(trRandom *random, double size) {
    double x = random_real(random), y = random_real(random), z = random_real(random);
    return (trVec3){size * x, size * y, size * z};
}

static trVec3 random_direction(trRandom *random) {
    trVec3 a = random_vector(random, 1.0);
    while (tr_length3(a) < 0.2) {
        a = random_vector(random, 1.0);
    }
    return tr_scale3(1.0 / tr_length3(a), a);
}

// Sixty of a hundred bodies have full inertia.
static trStatus add_body(trRandom *random, int index, trModel *model) {
    int    sort = random_int(random, 0, 99), number = 0;
    double mass = sort >= 90 ? 0.0 : 1.25 + 0.75 * random_real(random);
    double axial = sort < 60 ? 0.1 : 0.0, across = sort < 75 ? 0.2 + axial : 0.0;
    trVec3 at = random_vector(random, 1.5), turn = random_vector(random, 2.0);
    trVec3 v = random_vector(random, 2.0), w = random_vector(random, 2.0);
    trVec3 com = random_vector(random, 0.3);
    char   name[NAME_ROOM];
    snprintf(name, sizeof name, "b%d", index);
    return tr_model_add_body(
        model, name,
        TR_PARAMS(TR_NUM("mass", mass), TR_VEC("inertia", axial, across, across + 0.5 * axial),
                  VECTOR("at", at), VECTOR("rotation", turn), VECTOR("com", com),
                  VECTOR("velocity", v), VECTOR("angular_velocity", w)),
        &number);
}

static trStatus add_joint(trRandom *random, const Kind *kind, int body1, int body2,
                          trModel *model) {
    trVec3 p = random_vector(random, 1.5), far = tr_add3(p, random_direction(random));
    trVec3 a = random_direction(random), b = random_direction(random);
    // The axes of a cross are perpendicular, those of shafts not opposite.
    trVec3 c = tr_cross3(a, b);
    c = tr_scale3(1.0 / tr_length3(c), c);
    switch (kind->words) {
    case AT_POINT:
        return tr_model_add_joint(model, kind->name, NULL, body1, body2,
                                  TR_PARAMS(VECTOR("point", p)), NULL);
    case WITH_AXIS:
        return tr_model_add_joint(model, kind->name, NULL, body1, body2,
                                  TR_PARAMS(VECTOR("point", p), VECTOR("axis", a)), NULL);
    case WITH_AXES:
        return tr_model_add_joint(
            model, kind->name, NULL, body1, body2,
            TR_PARAMS(VECTOR("point", p), VECTOR("world_axis1", a), VECTOR("world_axis2", c)),
            NULL);
    default:
        return tr_model_add_joint(model, kind->name, NULL, body1, body2,
                                  TR_PARAMS(VECTOR("world1", p), VECTOR("world2", far)), NULL);
    }
}

static trStatus add_spring(trRandom *random, int body1, int body2, trModel *model) {
    trVec3 p1 = random_vector(random, 0.5), p2 = random_vector(random, 0.5);
    return tr_model_add_force(model, "spring", NULL, body1, body2,
                              TR_PARAMS(VECTOR("point1", p1), VECTOR("point2", p2),
                                        TR_NUM("stiffness", 30.0), TR_NUM("damping", 1.0),
                                        TR_NUM("length", 1.0)),
                              NULL);
}

trStatus random3_model(trRandom *random, int bodies, int loops, trModel **out) {
    TR_TRY(tr_model_create(TR_PARAMS(TR_NUM("dim", 3), TR_VEC("gravity", 1.0, -2.0, -9.0)), out));
    for (int i = 0; i < bodies; i++) {
        TR_TRY(add_body(random, i, *out));
    }
    for (int i = 0; i < bodies; i++) {
        const Kind *kind = &kinds[random_int(random, 0, KINDS - 1)];
        TR_TRY(add_joint(random, kind, random_int(random, TR_GROUND, i - 1), i, *out));
        TR_TRY(add_spring(random, random_int(random, TR_GROUND, i - 1), i, *out));
    }
    for (int i = 0; i < loops; i++) {
        const Kind *kind = &kinds[random_int(random, 0, LOOP_KINDS - 1)];
        int         body2 = random_int(random, 0, bodies - 1);
        int         body1 = random_int(random, TR_GROUND, body2 - 1);
        TR_TRY(add_joint(random, kind, body1, body2, *out));
    }
    return TR_OK;
}
