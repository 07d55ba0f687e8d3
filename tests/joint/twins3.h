// SPDX-License-Identifier: MIT
// An independent twin of the spatial joints that are made of points and orientations. Rows that
// keep an orientation are written with the quaternion that space.h takes out of rotation matrices.

#ifndef TR_TESTS_JOINT_TWINS3_H
#define TR_TESTS_JOINT_TWINS3_H

#include "joint/space.h"

static inline JetVec3 twin_gap3(const Setup3 *p, const TwinBody3 *b1, const TwinBody3 *b2) {
    return jet_between3(twin_point3(b1, p->point1), twin_point3(b2, p->point2));
}

// The gap along axis 0, 1 or 2 of marker 1.
static inline Jet twin_along3(const Setup3 *p, const TwinBody3 *b1, const TwinBody3 *b2, int axis) {
    JetVec3 marker[3];
    twin_marker_axes3(b1, p->marker1, marker);
    return jet_dot3(marker[axis], twin_gap3(p, b1, b2));
}

// Twice the vector part of the relative rotation, components 0, 1, 2.
static inline Jet twin_turn3(const Setup3 *p, const TwinBody3 *b1, const TwinBody3 *b2, int axis) {
    Jet turn[4];
    twin_relative3(p, b1, b2, turn);
    return jet_mul(jet_constant(2.0), turn[1 + axis]);
}

static inline void twin_spherical3(const Setup3 *p, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                                   Jet *phi) {
    JetVec3 d = twin_gap3(p, b1, b2);
    (void)t;
    phi[0] = d.at[0];
    phi[1] = d.at[1];
    phi[2] = d.at[2];
}

static inline void twin_revolute3(const Setup3 *p, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                                  Jet *phi) {
    twin_spherical3(p, t, b1, b2, phi);
    phi[3] = twin_turn3(p, b1, b2, 0);
    phi[4] = twin_turn3(p, b1, b2, 1);
}

static inline void twin_fixed3(const Setup3 *p, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                               Jet *phi) {
    twin_revolute3(p, t, b1, b2, phi);
    phi[5] = twin_turn3(p, b1, b2, 2);
}

static inline void twin_constant_velocity3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                           const TwinBody3 *b2, Jet *phi) {
    twin_spherical3(p, t, b1, b2, phi);
    phi[3] = twin_turn3(p, b1, b2, 2);
}

static inline void twin_universal3(const Setup3 *p, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                                   Jet *phi) {
    twin_spherical3(p, t, b1, b2, phi);
    phi[3] = jet_dot3(twin_vector3(b1, unit3(p->axis1)), twin_vector3(b2, unit3(p->axis2)));
}

static inline void twin_cylindrical3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                     const TwinBody3 *b2, Jet *phi) {
    (void)t;
    phi[0] = twin_along3(p, b1, b2, 0);
    phi[1] = twin_along3(p, b1, b2, 1);
    phi[2] = twin_turn3(p, b1, b2, 0);
    phi[3] = twin_turn3(p, b1, b2, 1);
}

static inline void twin_prismatic3(const Setup3 *p, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                                   Jet *phi) {
    twin_cylindrical3(p, t, b1, b2, phi);
    phi[4] = twin_turn3(p, b1, b2, 2);
}

static inline void twin_screw3(const Setup3 *p, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                               Jet *phi) {
    const double turn = 2.0 * 3.14159265358979323846;
    Jet          turns = jet_mul(jet_constant(1.0 / turn), twin_twist3(p, b1, b2, p->near[0]));
    twin_cylindrical3(p, t, b1, b2, phi);
    phi[4] = jet_sub(twin_along3(p, b1, b2, 2), jet_mul(jet_constant(p->pitch), turns));
}

static inline void twin_planar3(const Setup3 *p, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                                Jet *phi) {
    (void)t;
    phi[0] = twin_along3(p, b1, b2, 2);
    phi[1] = twin_turn3(p, b1, b2, 0);
    phi[2] = twin_turn3(p, b1, b2, 1);
}

#endif
