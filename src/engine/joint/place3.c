// SPDX-License-Identifier: MIT
// From what a user writes (points and directions in the world at the start, or in the body frame)
// to what evaluations need (points relative to centers of mass, in principal axes).
//
//     a direction d of the frame:   world = orientation d       principal axes: principal^-1 d
//     a point p of the frame:       world = at + orientation p  principal axes: principal^-1 (p -
//     com)

#include <stdbool.h>

#include "joint/spatial.h"

// Ends nearer than this, relative to where the bodies stand, are the same point up to rounding.
#define COINCIDENT 1e-12

static bool given(trVec3 a) {
    return !isnan(a.x) && !isnan(a.y) && !isnan(a.z);
}

static trVec3 world_of(trVec3 point, const trPlace3 *place) {
    return tr_add3(place->at, tr_quat_rotate(place->orientation, point));
}

static trVec3 point_of(trVec3 world, const trPlace3 *place) {
    return tr_quat_unrotate(place->orientation, tr_sub3(world, place->at));
}

// A point of the frame, from the center of mass and in principal axes.
static trVec3 from_center(trVec3 point, const trPlace3 *place) {
    return tr_quat_unrotate(place->principal, tr_sub3(point, place->com));
}

static trStatus refuse_both(const char *world, const char *body) {
    return tr_fail(TR_E_MODEL, "'%s' and '%s' are both given; keep one of them", world, body);
}

trMarker3 tr_marker3(trQuat k) {
    return (trMarker3){k, tr_quat_matrix(k)};
}

trStatus tr_place_point3(trVec3 world, trVec3 *p1, trVec3 *p2, const trPlace3 *place1,
                         const trPlace3 *place2) {
    if (given(world) && (given(*p1) || given(*p2))) {
        return refuse_both("point", given(*p1) ? "point1" : "point2");
    }
    if (!given(world)) {
        world = given(*p2)   ? world_of(*p2, place2)
                : given(*p1) ? world_of(*p1, place1)
                             : place2->at;
    }
    *p1 = from_center(given(*p1) ? *p1 : point_of(world, place1), place1);
    *p2 = from_center(given(*p2) ? *p2 : point_of(world, place2), place2);
    return TR_OK;
}

// One end, in the body frame, whichever way it was given.
static trStatus place_end(trVec3 world, trVec3 *point, const trPlace3 *place, int number) {
    if (given(world) && given(*point)) {
        return number == 1 ? refuse_both("world1", "point1") : refuse_both("world2", "point2");
    }
    if (given(world)) {
        *point = point_of(world, place);
    } else if (!given(*point)) {
        *point = (trVec3){0.0, 0.0, 0.0};
    }
    return TR_OK;
}

trStatus tr_place_ends3(trVec3 world1, trVec3 world2, trVec3 *p1, trVec3 *p2,
                        const trPlace3 *place1, const trPlace3 *place2, double *length) {
    TR_TRY(place_end(world1, p1, place1, 1));
    TR_TRY(place_end(world2, p2, place2, 2));
    *length = tr_length3(tr_sub3(world_of(*p2, place2), world_of(*p1, place1)));
    *p1 = from_center(*p1, place1);
    *p2 = from_center(*p2, place2);
    return TR_OK;
}

trStatus tr_place_rod3(trVec3 world1, trVec3 world2, trVec3 *p1, trVec3 *p2, const trPlace3 *place1,
                       const trPlace3 *place2, double *length) {
    TR_TRY(tr_place_ends3(world1, world2, p1, p2, place1, place2, length));
    if (*length <= COINCIDENT * (1.0 + tr_length3(place1->at) + tr_length3(place2->at))) {
        return tr_fail(TR_E_MODEL, "the two points coincide; use a spherical joint");
    }
    return TR_OK;
}

static trStatus normalize(trVec3 *axis, const char *name) {
    double length = tr_length3(*axis);
    if (!(length > 0.0 && isfinite(length))) {
        return tr_fail(TR_E_MODEL, "'%s' must have a direction, not {%g, %g, %g}", name, axis->x,
                       axis->y, axis->z);
    }
    *axis = tr_scale3(1.0 / length, *axis);
    return TR_OK;
}

trStatus tr_place_axis3(trVec3 world, trVec3 *own, const trPlace3 *place, const char *world_name,
                        const char *own_name) {
    if (given(world) && given(*own)) {
        return refuse_both(world_name, own_name);
    }
    if (!given(world) && !given(*own)) {
        return tr_fail(TR_E_MODEL,
                       "'%s' is missing: a direction in the world at the start, e.g. {0, 0, 1}",
                       world_name);
    }
    trVec3 axis = given(world) ? tr_quat_unrotate(place->orientation, world) : *own;
    TR_TRY(normalize(&axis, given(world) ? world_name : own_name));
    *own = tr_quat_unrotate(place->principal, axis);
    return TR_OK;
}

trStatus tr_place_axes3(trVec3 world, trVec3 *axis1, trVec3 *axis2, const trPlace3 *place1,
                        const trPlace3 *place2) {
    if (given(world) && given(*axis1)) {
        return refuse_both("axis", "axis1");
    }
    trVec3 at_start = world, not_given = {NAN, NAN, NAN};
    if (!given(world) && given(*axis1)) {
        at_start = tr_quat_rotate(place1->orientation, *axis1);
    } else if (!given(world) && given(*axis2)) {
        at_start = tr_quat_rotate(place2->orientation, *axis2);
    }
    bool        own1 = given(*axis1), own2 = given(*axis2);
    const char *from = own2 && !given(world) ? "axis2" : "axis";
    TR_TRY(tr_place_axis3(own1 ? not_given : at_start, axis1, place1, from, "axis1"));
    return tr_place_axis3(own2 && !given(world) ? not_given : at_start, axis2, place2, "axis",
                          "axis2");
}

void tr_place_markers3(trVec3 axis1, trVec3 axis2, const trPlace3 *place1, const trPlace3 *place2,
                       trMarker3 *k1, trMarker3 *k2) {
    const trVec3 z = {0.0, 0.0, 1.0};
    trQuat       u1 = tr_place_turn3(place1), u2 = tr_place_turn3(place2);
    trVec3       a1 = tr_quat_rotate(u1, axis1), a2 = tr_quat_rotate(u2, axis2);
    trQuat       marker1 = tr_quat_between(z, a1);
    trQuat       marker2 = tr_quat_mul(tr_quat_between(a1, a2), marker1);
    *k1 = tr_marker3(tr_quat_mul(tr_quat_conjugate(u1), marker1));
    *k2 = tr_marker3(tr_quat_mul(tr_quat_conjugate(u2), marker2));
}

void tr_place_coincident3(trVec3 axis1, const trPlace3 *place1, const trPlace3 *place2,
                          trMarker3 *k1, trMarker3 *k2) {
    trQuat u1 = tr_place_turn3(place1), u2 = tr_place_turn3(place2);
    trVec3 a1 = tr_quat_rotate(u1, axis1);
    tr_place_markers3(axis1, tr_quat_unrotate(u2, a1), place1, place2, k1, k2);
}

trVec3 tr_joint_reaction_point3(const trJointKind *kind, const void *params,
                                const trMotion3 *const *m) {
    const trVec3 *p = (const trVec3 *)((const char *)params + kind->reaction_point);
    if (kind->contact3 != NULL) {
        return kind->contact3(params, m);
    }
    return kind->reaction_point == 0 ? m[1]->r : tr_point3(m[1], *p);
}
