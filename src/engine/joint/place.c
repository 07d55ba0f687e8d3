// SPDX-License-Identifier: MIT
// From what a user writes (points and directions in the world at the start, or in body axes from
// the frame origin) to what evaluations need (points relative to centers of mass, in body axes).
//
//     point of the frame p:    world = at + R p        relative to the center of mass: p - com

#include <math.h>
#include <stdbool.h>

#include "joint/shared.h"

// Ends nearer than this, relative to where the bodies stand, are the same point up to rounding.
#define COINCIDENT 1e-12

static bool given(trVec2 a) {
    return !isnan(a.x) && !isnan(a.y);
}

static trVec2 world_of(trVec2 point, const trPlace2 *place) {
    return tr_add2(place->at, tr_rotate2(cos(place->angle), sin(place->angle), point));
}

static trVec2 point_of(trVec2 world, const trPlace2 *place) {
    return tr_unrotate2(cos(place->angle), sin(place->angle), tr_sub2(world, place->at));
}

static trStatus refuse_both(const char *world, const char *body) {
    return tr_fail(TR_E_MODEL, "'%s' and '%s' are both given; keep one of them", world, body);
}

trStatus tr_place_point(trVec2 world, trVec2 *p1, trVec2 *p2, const trPlace2 *place1,
                        const trPlace2 *place2) {
    if (given(world) && (given(*p1) || given(*p2))) {
        return refuse_both("point", given(*p1) ? "point1" : "point2");
    }
    if (!given(world)) {
        world = given(*p2)   ? world_of(*p2, place2)
                : given(*p1) ? world_of(*p1, place1)
                             : place2->at;
    }
    *p1 = tr_sub2(given(*p1) ? *p1 : point_of(world, place1), place1->com);
    *p2 = tr_sub2(given(*p2) ? *p2 : point_of(world, place2), place2->com);
    return TR_OK;
}

trStatus tr_place_axis(trVec2 world, trVec2 *axis1, const trPlace2 *place1, const char *what) {
    trVec2 axis = {1.0, 0.0};
    if (given(world) && given(*axis1)) {
        return refuse_both("axis", what);
    }
    if (given(world)) {
        axis = tr_unrotate2(cos(place1->angle), sin(place1->angle), world);
    } else if (given(*axis1)) {
        axis = *axis1;
    }
    double length = hypot(axis.x, axis.y);
    if (!(length > 0.0 && isfinite(length))) {
        return tr_fail(TR_E_MODEL, "'%s' must have a direction, not {%g, %g}",
                       given(world) ? "axis" : what, axis.x, axis.y);
    }
    *axis1 = (trVec2){axis.x / length, axis.y / length};
    return TR_OK;
}

// One end: from the frame origin in body axes, whichever way it was given.
static trStatus place_end(trVec2 world, trVec2 *point, const trPlace2 *place, int number) {
    if (given(world) && given(*point)) {
        return number == 1 ? refuse_both("world1", "point1") : refuse_both("world2", "point2");
    }
    if (given(world)) {
        *point = point_of(world, place);
    } else if (!given(*point)) {
        *point = (trVec2){0.0, 0.0};
    }
    return TR_OK;
}

trStatus tr_place_ends(trVec2 world1, trVec2 world2, trVec2 *p1, trVec2 *p2, const trPlace2 *place1,
                       const trPlace2 *place2, double *length) {
    TR_TRY(place_end(world1, p1, place1, 1));
    TR_TRY(place_end(world2, p2, place2, 2));
    trVec2 d = tr_sub2(world_of(*p2, place2), world_of(*p1, place1));
    *length = hypot(d.x, d.y);
    *p1 = tr_sub2(*p1, place1->com);
    *p2 = tr_sub2(*p2, place2->com);
    return TR_OK;
}

trStatus tr_place_rod(trVec2 world1, trVec2 world2, trVec2 *p1, trVec2 *p2, const trPlace2 *place1,
                      const trPlace2 *place2, double *length) {
    TR_TRY(tr_place_ends(world1, world2, p1, p2, place1, place2, length));
    double size = hypot(place1->at.x, place1->at.y) + hypot(place2->at.x, place2->at.y);
    if (*length <= COINCIDENT * (1.0 + size)) {
        return tr_fail(TR_E_MODEL, "the two points coincide; use a revolute joint");
    }
    return TR_OK;
}

trVec2 tr_joint_reaction_point(const trJointKind *kind, const void *params,
                               const trMotion2 *const *m) {
    const trVec2 *p = (const trVec2 *)((const char *)params + kind->reaction_point);
    return kind->reaction_point == 0 ? m[1]->r : tr_add2(m[1]->r, tr_arm2(m[1], *p));
}
