// SPDX-License-Identifier: MIT
// Joints about an axis that both bodies share: their parameters, and rows along and about the axes
// of their markers.

#ifndef TR_JOINT_AXIS3_H
#define TR_JOINT_AXIS3_H

#include "joint/tangents3.h"

// The first member of the parameters of these kinds.
typedef struct trAxis3 {
    trVec3    point;               // in the world, at the start [m]
    trVec3    point1, point2;      // in body frames; prepared: from the centers of mass [m]
    trVec3    axis, axis1, axis2;  // in the world, and in the bodies
    trMarker3 marker1, marker2;    // z along the axis
} trAxis3;

#define TR_FIELDS_OF_AXIS3(what)                                                                 \
    TR_FIELD(trAxis3, axis, TR_FIELD_VEC3, 0, NAN, "",                                           \
             what " in the world at the start; default: that of axis1 or axis2, one is needed"), \
        TR_FIELD(trAxis3, axis1, TR_FIELD_VEC3, 0, NAN, "",                                      \
                 what " in the frame of body 1; default: where axis2 is at the start"),          \
        TR_FIELD(trAxis3, axis2, TR_FIELD_VEC3, 0, NAN, "",                                      \
                 what " in the frame of body 2; default: where axis1 is at the start")

static inline trStatus tr_prepare_axis3(void *params, const trPlace3 *place) {
    trAxis3 *p = params;
    TR_TRY(tr_place_axes3(p->axis, &p->axis1, &p->axis2, &place[0], &place[1]));
    tr_place_markers3(p->axis1, p->axis2, &place[0], &place[1], &p->marker1, &p->marker2);
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

// The components of P2 - P1 along axes first ... end - 1 of marker 1: rows from `row` on.
static inline void tr_rows_along_axes3(const trAxis3 *p, const trMotion3 *const *m, int first,
                                       int end, int row, trJointRows *out) {
    const trVec3 axes[3] = {p->marker1.K.x, p->marker1.K.y, p->marker1.K.z};
    for (int i = first; i < end; i++) {
        trJointRows along = tr_rows_from(out, row + i - first);
        tr_row_along3(m[0], m[1], p->point1, p->point2, axes[i], &along);
    }
}

// The turn about z, not counted.
static inline void tr_row_about_axis3(const trAxis3 *p, const trMotion3 *const *m,
                                      trJointRows *out) {
    tr_row_angle3(m[0], m[1], &p->marker1, &p->marker2, out);
}

#endif
