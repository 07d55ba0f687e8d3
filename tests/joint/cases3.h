// SPDX-License-Identifier: MIT
// Spatial joints of random parameters between random bodies, with their twins. Include after
// cmocka.h. Wordings, drivers and the names of parameters are those of cases.h.

#ifndef TR_TESTS_JOINT_CASES3_H
#define TR_TESTS_JOINT_CASES3_H

#include <stdbool.h>
#include <string.h>

#include "joint/cases.h"
#include "joint/twins3.h"

#define UNTOUCHED3 1234.5

// What a spatial kind is made of, besides the words of cases.h (POINT, POINT2, ENDS, LENGTH, RATIO,
// AXIS1, AXIS2, AT_CENTER).
enum {
    SHARED_AXIS = 1 << 16,    // axis | axis1, axis2
    OWN_AXES = 1 << 17,       // world_axis1, world_axis2 | axis1, axis2
    PERPENDICULAR = 1 << 18,  // ... which are nearly perpendicular at the start, or exactly
    PITCH = 1 << 19,          // pitch
    AT_CONTACT = 1 << 20,     // reaction at twin_disk_contact3
};

typedef struct Case3 Case3;

typedef struct Family3 {
    const char *name;
    Twin3       twin;
    unsigned    uses;
    const char *driver;  // the key of its function of time, or NULL
    // How far a closed pose is from those that a user wants; NULL where every closed pose is.
    double (*wrongness)(const Case3 *c, const trMotion3 m[2]);
    // Parameters that the flags do not describe, or NULL.
    void (*give)(Case3 *c, Random *random, Wording wording);
} Family3;

// One joint of random parameters between two random bodies.
struct Case3 {
    const Family3     *family;
    const trJointKind *kind;
    trArena           *arena;
    Setup3             setup;  // with the places of the bodies
    void              *params;
    double             number[8][3];  // vectors among the parameters
    trParam            list[12];
    int                count;  // of list, and of number
    int                vectors;
};

// --- what is wanted of a closed pose, from directions alone ---

// A vector fixed in a body and given in its frame, in the world.
static inline trVec3 vector_of3(const Case3 *c, const trMotion3 m[2], int body, trVec3 a) {
    return tr_rotate3(&m[body].R, tr_quat_unrotate(c->setup.place[body].principal, a));
}

// The axes point the same way: |axis 2 - axis 1|.
static inline double axes_apart(const Case3 *c, const trMotion3 m[2]) {
    trVec3 a1 = vector_of3(c, m, 0, unit3(c->setup.axis1));
    trVec3 a2 = vector_of3(c, m, 1, unit3(c->setup.axis2));
    return tr_length3(tr_sub3(a2, a1));
}

// Every axis of marker 2 points along that of marker 1.
static inline double markers_apart(const Case3 *c, const trMotion3 m[2]) {
    trMat3 one = tr_quat_matrix(c->setup.marker1), two = tr_quat_matrix(c->setup.marker2);
    trVec3 x = tr_sub3(vector_of3(c, m, 0, one.x), vector_of3(c, m, 1, two.x));
    trVec3 y = tr_sub3(vector_of3(c, m, 0, one.y), vector_of3(c, m, 1, two.y));
    trVec3 z = tr_sub3(vector_of3(c, m, 0, one.z), vector_of3(c, m, 1, two.z));
    return tr_length3(x) + tr_length3(y) + tr_length3(z);
}

// Shaft 2 is bent against shaft 1 and not twisted: with C the matrix of the markers' axes and beta
// the bend, C10 - C01 = (1 + cos(beta)) sin(twist) is zero and C00 + C11 = (1 + cos(beta))
// cos(twist) is not negative.
static inline double shafts_twisted(const Case3 *c, const trMotion3 m[2]) {
    trMat3 one = tr_quat_matrix(c->setup.marker1), two = tr_quat_matrix(c->setup.marker2);
    trVec3 x1 = vector_of3(c, m, 0, one.x), y1 = vector_of3(c, m, 0, one.y);
    trVec3 x2 = vector_of3(c, m, 1, two.x), y2 = vector_of3(c, m, 1, two.y);
    double sine = tr_dot3(y1, x2) - tr_dot3(x1, y2), cosine = tr_dot3(x1, x2) + tr_dot3(y1, y2);
    return fabs(sine) + fmax(0.0, -cosine);
}

static inline void give_vec3(Case3 *c, const char *key, trVec3 a) {
    double *at = c->number[c->vectors++];
    at[0] = a.x;
    at[1] = a.y;
    at[2] = a.z;
    c->list[c->count++] =
        (trParam){.key = key, .kind = TR_PARAM_NUMBERS, .count = 3, .numbers = at};
}

static inline void give_number3(Case3 *c, const char *key, double number) {
    c->list[c->count++] = (trParam)TR_NUM(key, number);
}

#include "joint/twins3_contact.h"
#include "support/test.h"

static const Family3 families3[] = {
    {"constant_velocity", twin_constant_velocity3, POINT | OWN_AXES, NULL, shafts_twisted, NULL},
    {"cylindrical", twin_cylindrical3, POINT | SHARED_AXIS, NULL, axes_apart, NULL},
    {"distance", twin_distance3, ENDS | LENGTH, NULL, NULL, NULL},
    {"driven_angle", twin_driven_angle3, SHARED_AXIS | AT_CENTER, "angle", NULL, NULL},
    {"driven_coordinate", twin_driven_coordinate3, POINT | FROM_ORIGIN | AXIS1, "value", NULL,
     NULL},
    {"driven_distance", twin_driven_distance3, ENDS, "length", NULL, NULL},
    {"fixed", twin_fixed3, POINT, NULL, markers_apart, NULL},
    {"rack_and_pinion", twin_rack_and_pinion3, AT_CENTER, NULL, NULL, give_rack3},
    {"gear", twin_gear3, RATIO | AT_CENTER, NULL, NULL, give_gear3},
    {"knife_edge", twin_knife_edge3, POINT2 | AXIS2, NULL, NULL, give_knife_edge3},
    {"planar", twin_planar3, POINT | SHARED_AXIS, NULL, axes_apart, NULL},
    {"point_on_line", twin_point_on_line3, POINT | AXIS1, NULL, NULL, NULL},
    {"point_on_plane", twin_point_on_plane3, POINT | AXIS1, NULL, NULL, NULL},
    {"prismatic", twin_prismatic3, POINT | SHARED_AXIS, NULL, markers_apart, NULL},
    {"revolute", twin_revolute3, POINT | SHARED_AXIS, NULL, axes_apart, NULL},
    {"rolling_disk", twin_rolling_disk3, POINT2 | AXIS2 | AT_CONTACT, NULL, NULL,
     give_rolling_disk3},
    {"screw", twin_screw3, POINT | SHARED_AXIS | PITCH, NULL, axes_apart, NULL},
    {"spherical", twin_spherical3, POINT, NULL, NULL, NULL},
    {"universal", twin_universal3, POINT | OWN_AXES | PERPENDICULAR, NULL, NULL, NULL},
};

static inline const Family3 *family_of3(const char *name) {
    for (size_t i = 0; i < sizeof families3 / sizeof *families3; i++) {
        if (strcmp(families3[i].name, name) == 0) {
            return &families3[i];
        }
    }
    return NULL;
}

// Kinds without one have their rows tested by differences (system/test_examples.c).
static inline bool has_twin3(const trJointKind *kind) {
    return family_of3(kind->name) != NULL;
}

static inline void give_points3(Case3 *c, Random *random, Wording wording) {
    Setup3         *setup = &c->setup;
    const trPlace3 *place = setup->place;
    unsigned        uses = c->family->uses;
    if ((uses & (POINT | POINT2)) != 0 && wording != IN_BODY_AXES) {
        trVec3 pin = tr_add3(place[1].at, random_vec3(random, 0.4));
        setup->point1 = into3(&place[0], tr_sub3(pin, place[0].at));
        setup->point2 = into3(&place[1], tr_sub3(pin, place[1].at));
        if ((uses & FROM_ORIGIN) != 0) {
            setup->point1 = (trVec3){0.0, 0.0, 0.0};
        }
        give_vec3(c, "point", pin);
    } else if ((uses & ENDS) != 0 && wording != IN_BODY_AXES) {
        give_vec3(c, "world1", tr_add3(place[0].at, out_of3(&place[0], setup->point1)));
        give_vec3(c, "world2", tr_add3(place[1].at, out_of3(&place[1], setup->point2)));
        setup->length =
            tr_length3(tr_sub3(tr_add3(place[1].at, out_of3(&place[1], setup->point2)),
                               tr_add3(place[0].at, out_of3(&place[0], setup->point1))));
    } else {
        if ((uses & (POINT | ENDS)) != 0) {
            give_vec3(c, "point1", setup->point1);
        }
        if ((uses & (POINT | POINT2 | ENDS)) != 0) {
            give_vec3(c, "point2", setup->point2);
        }
    }
}

// The shortest rotation of one unit vector to another, by its axis and angle.
static inline trQuat shortest3(trVec3 from, trVec3 to) {
    trVec3 n = tr_cross3(from, to);
    double sine = tr_length3(n), angle = atan2(sine, tr_dot3(from, to));
    return sine > 0.0 ? tr_quat_exp(tr_scale3(angle / sine, n)) : (trQuat){1.0, 0.0, 0.0, 0.0};
}

// A direction of random length that is not opposite to a given one, or nearly: there the shortest
// rotation is not determined.
static inline trVec3 random_axis3(Random *random, trVec3 other) {
    trVec3 axis = random_direction3(random);
    while (tr_dot3(axis, unit3(other)) < -0.9) {
        axis = random_direction3(random);
    }
    return tr_scale3(random_in(random, 0.5, 2.0), axis);
}

// Axes, and the markers that stand on them at the start: z along axis 1, and axis 2 reached from
// there by the shortest way.
static inline void give_axes3(Case3 *c, Random *random, Wording wording) {
    const trVec3 z = {0.0, 0.0, 1.0};
    Setup3      *setup = &c->setup;
    unsigned     uses = c->family->uses;
    trVec3       world1 = random_axis3(random, z), world2 = random_axis3(random, world1);
    if ((uses & PERPENDICULAR) != 0) {
        double tilt = wording == AS_AT_THE_START ? 0.0 : random_in(random, -0.5, 0.5);
        world2 = tr_add_scaled3(unit3(tr_cross3(world1, world2)), tilt, unit3(world1));
    } else if ((uses & OWN_AXES) == 0 && wording != IN_BODY_AXES) {
        world2 = world1;
    }
    setup->axis1 = into3(&setup->place[0], world1);
    setup->axis2 = into3(&setup->place[1], world2);
    if ((uses & OWN_AXES) != 0 && wording != IN_BODY_AXES) {
        give_vec3(c, "world_axis1", world1);
        give_vec3(c, "world_axis2", world2);
    } else if ((uses & (SHARED_AXIS | AXIS1 | AXIS2)) != 0 && wording != IN_BODY_AXES) {
        give_vec3(c, "axis", world1);
    } else {
        if ((uses & (SHARED_AXIS | OWN_AXES | AXIS1)) != 0) {
            give_vec3(c, "axis1", setup->axis1);
        }
        if ((uses & (SHARED_AXIS | OWN_AXES | AXIS2)) != 0) {
            give_vec3(c, "axis2", setup->axis2);
        }
    }
    trQuat marker1 = shortest3(z, unit3(world1));
    trQuat marker2 = tr_quat_mul(shortest3(unit3(world1), unit3(world2)), marker1);
    setup->marker1 = tr_quat_mul(tr_quat_conjugate(setup->place[0].orientation), marker1);
    setup->marker2 = tr_quat_mul(tr_quat_conjugate(setup->place[1].orientation), marker2);
}

static inline void give_the_rest3(Case3 *c, Random *random, Wording wording) {
    Setup3  *setup = &c->setup;
    unsigned uses = c->family->uses;
    if ((uses & (SHARED_AXIS | OWN_AXES | AXIS1 | AXIS2)) != 0) {
        give_axes3(c, random, wording);
    } else {  // markers that have the world's axes at the start
        setup->marker1 = tr_quat_conjugate(setup->place[0].orientation);
        setup->marker2 = tr_quat_conjugate(setup->place[1].orientation);
    }
    if ((uses & LENGTH) != 0 && wording != AS_AT_THE_START) {
        setup->length = random_in(random, 1.0, 3.0);
        give_number3(c, "length", setup->length);
    }
    if ((uses & RATIO) != 0) {
        give_number3(c, "ratio", setup->ratio);
    }
    if ((uses & PITCH) != 0) {
        give_number3(c, "pitch", setup->pitch);
    }
    if (c->family->driver != NULL) {
        c->list[c->count++] = (trParam){
            .key = c->family->driver, .kind = TR_PARAM_FUNCTION, .function = setup->function};
    }
    if (c->family->give != NULL) {
        c->family->give(c, random, wording);
    }
}

// Between the given bodies, one for each of the kind; places are those of random_place3 or
// ground_place3.
static inline void open_case3(Case3 *c, const trJointKind *kind, const trPlace3 *place,
                              Random *random, Wording wording) {
    *c = (Case3){.family = family_of3(kind->name), .kind = kind, .arena = tr_arena_create()};
    c->setup = (Setup3){.point1 = random_vec3(random, 0.4), .point2 = random_vec3(random, 0.4)};
    memcpy(c->setup.place, place, (size_t)tr_joint_bodies(kind) * sizeof *place);
    c->setup.radius = random_in(random, 0.5, 1.0);
    c->setup.ratio = random_in(random, -3.0, -1.0);
    c->setup.pitch = random_in(random, 0.2, 2.0);
    c->setup.function = driver_tape(c->arena);
    give_points3(c, random, wording);
    give_the_rest3(c, random, wording);
    c->params = tr_arena_take(c->arena, 1, kind->size);
    if (tr_fields_bind(c->arena, kind->fields, c->list, c->params) != TR_OK ||
        kind->prepare3(c->params, place) != TR_OK) {
        fail_msg("%s: %s", kind->name, tr_last_error());
    }
}

static inline void open_random_case3(Case3 *c, const trJointKind *kind, Random *random,
                                     Wording wording) {
    trPlace3 place[TR_JOINT_BODIES];
    for (int k = 0; k < TR_JOINT_BODIES; k++) {
        place[k] = random_place3(random, k + 1);
    }
    open_case3(c, kind, place, random, wording);
}

static inline void close_case3(Case3 *c) {
    tr_arena_destroy(c->arena);
}

// --- evaluations ---

// Spatial kinds stand last in the registry.
static inline int first_spatial_kind(void) {
    int first = 0;
    while (first < tr_joint_count() && tr_joint_at(first)->dim == 2) {
        first++;
    }
    return first;
}

// What an evaluation wrote, with one row and one turn more than any joint has.
typedef struct Rows3 {
    double J[TR_JOINT_BODIES][6 * (TR_JOINT_ROWS + 1)];
    double phi[TR_JOINT_ROWS + 1], b1[TR_JOINT_ROWS + 1], b[TR_JOINT_ROWS + 1];
    double turn[TR_JOINT_TURNS + 1];
} Rows3;

// m: of the bodies of the kind.
static inline Rows3 evaluate3(const Case3 *c, double t, const trMotion3 *m) {
    Rows3   rows;
    double *all = (double *)&rows;
    for (size_t i = 0; i < sizeof rows / sizeof *all; i++) {
        all[i] = UNTOUCHED3;
    }
    trJointRows      out = {.t = t,
                            .phi = rows.phi,
                            .b1 = rows.b1,
                            .b = rows.b,
                            .near = c->setup.near,
                            .turn = rows.turn};
    const trMotion3 *motion[TR_JOINT_BODIES];
    for (int k = 0; k < tr_joint_bodies(c->kind); k++) {
        out.J[k] = rows.J[k];
        motion[k] = &m[k];
    }
    c->kind->eval3(c->params, motion, &out);
    return rows;
}

#endif
