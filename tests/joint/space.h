// SPDX-License-Identifier: MIT
// Random bodies and motions of space, and what twins of spatial joints are made of: jets along a
// motion, as in twins.h. A twin thinks as a user does, in body frames and from their origins; that
// the library works in principal axes and from centers of mass is none of its business.

#ifndef TR_TESTS_JOINT_SPACE_H
#define TR_TESTS_JOINT_SPACE_H

#include "joint/motion.h"
#include "joint/twins.h"

// --- random bodies and motions ---

static inline trVec3 random_vec3(Random *random, double size) {
    double x = random_in(random, -size, size), y = random_in(random, -size, size);
    return (trVec3){x, y, random_in(random, -size, size)};
}

// A unit vector: the first point of the cube that lies in the ball and not near its center.
static inline trVec3 random_direction3(Random *random) {
    for (;;) {
        trVec3 a = random_vec3(random, 1.0);
        double length = tr_length3(a);
        if (length > 0.1 && length < 1.0) {
            return tr_scale3(1.0 / length, a);
        }
    }
}

// Some rotation, with either sign of the quaternion.
static inline trQuat random_quat(Random *random) {
    return tr_quat_exp(tr_scale3(random_in(random, -6.2, 6.2), random_direction3(random)));
}

// A body at a place: body 2 stands four meters beside body 1, so that points of the two, which lie
// within a meter of the origins, are never near each other.
static inline trPlace3 random_place3(Random *random, int number) {
    trPlace3 place = {.at = random_vec3(random, 0.5)};
    place.at.x += number == 2 ? 4.0 : 0.0;
    place.orientation = random_quat(random);
    place.com = random_vec3(random, 0.2);
    place.principal = random_quat(random);
    place.mass = random_in(random, 0.5, 2.0);
    place.inertia = (trVec3){0.3, 0.4, random_in(random, 0.5, 0.7)};
    return place;
}

static inline trPlace3 ground_place3(void) {
    return (trPlace3){.orientation = {1.0, 0.0, 0.0, 0.0}, .principal = {1.0, 0.0, 0.0, 0.0}};
}

// r, v of the center of mass; u from principal axes to the world; w in world axes.
static inline trMotion3 motion_of3(trVec3 r, trQuat u, trVec3 v, trVec3 w) {
    return (trMotion3){r, u, tr_quat_matrix(u), v, w};
}

// Some motion of a body, near its place and turned anyhow.
static inline trMotion3 random_motion3(Random *random, const trPlace3 *place) {
    trVec3 r = tr_add3(place->at, random_vec3(random, 0.5)), v = random_vec3(random, 2.0);
    trQuat u = random_quat(random);
    return motion_of3(r, u, v, random_vec3(random, 2.0));
}

// At rest where it stands at the start.
static inline trMotion3 motion_at3(const trPlace3 *place) {
    trVec3 r = tr_add3(place->at, tr_quat_rotate(place->orientation, place->com));
    trQuat u = tr_quat_mul(place->orientation, place->principal);
    return motion_of3(r, u, (trVec3){0.0, 0.0, 0.0}, (trVec3){0.0, 0.0, 0.0});
}

// From the world into the body frame at the start, and back: directions.
static inline trVec3 into3(const trPlace3 *place, trVec3 a) {
    return tr_quat_unrotate(place->orientation, a);
}

static inline trVec3 out_of3(const trPlace3 *place, trVec3 a) {
    return tr_quat_rotate(place->orientation, a);
}

// --- vectors of jets ---

typedef struct JetVec3 {
    Jet at[3];
} JetVec3;

static inline JetVec3 jet_constant3(trVec3 a) {
    return (JetVec3){{jet_constant(a.x), jet_constant(a.y), jet_constant(a.z)}};
}

static inline JetVec3 jet_add3(JetVec3 a, JetVec3 b) {
    return (JetVec3){
        {jet_add(a.at[0], b.at[0]), jet_add(a.at[1], b.at[1]), jet_add(a.at[2], b.at[2])}};
}

static inline JetVec3 jet_between3(JetVec3 from, JetVec3 to) {
    return (JetVec3){{jet_sub(to.at[0], from.at[0]), jet_sub(to.at[1], from.at[1]),
                      jet_sub(to.at[2], from.at[2])}};
}

static inline JetVec3 jet_scale3(Jet k, JetVec3 a) {
    return (JetVec3){{jet_mul(k, a.at[0]), jet_mul(k, a.at[1]), jet_mul(k, a.at[2])}};
}

static inline Jet jet_dot3(JetVec3 a, JetVec3 b) {
    return jet_add(jet_mul(a.at[0], b.at[0]),
                   jet_add(jet_mul(a.at[1], b.at[1]), jet_mul(a.at[2], b.at[2])));
}

static inline JetVec3 jet_cross3(JetVec3 a, JetVec3 b) {
    JetVec3 n;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n.at[i] = jet_sub(jet_mul(a.at[j], b.at[k]), jet_mul(a.at[k], b.at[j]));
    }
    return n;
}

// The derivative, one order poorer.
static inline JetVec3 jet_rate3(JetVec3 a) {
    return (JetVec3){{jet_rate(a.at[0]), jet_rate(a.at[1]), jet_rate(a.at[2])}};
}

static inline Jet jet_div(Jet a, Jet b) {
    double k = 1.0 / b.value;
    return jet_mul(a, jet_chain(b, k, -k * k, 2.0 * k * k * k));
}

// The angle of (x, y), in (-pi, pi]: angle' = (x y' - y x') / (x^2 + y^2).
static inline Jet jet_atan2(Jet y, Jet x) {
    Jet rate = jet_div(jet_sub(jet_mul(x, jet_rate(y)), jet_mul(y, jet_rate(x))),
                       jet_add(jet_mul(x, x), jet_mul(y, y)));
    return (Jet){atan2(y.value, x.value), rate.value, rate.first};
}

// --- bodies along a motion ---

// R is from the user's body frame to the world, R[row][column]; r is the center of mass. The frame
// quaternion serves to tell p from -p, which matrices cannot.
typedef struct TwinBody3 {
    Jet    r[3];       // center of mass, in the world [m]
    Jet    R[3][3];    // body frame to world
    Jet    omega[3];   // angular velocity in world axes, with alpha; its second derivative is zero
    trVec3 com;        // center of mass, from the frame origin, in the body frame [m]
    trQuat principal;  // from principal axes to the body frame
    trQuat u;          // body frame to world, with the sign that the motion has
} TwinBody3;

// a, alpha: accelerations, in world axes. R' = [w]x R, R'' = ([alpha]x + [w]x [w]x) R.
static inline TwinBody3 twin_body3(const trMotion3 *m, const trPlace3 *place, trVec3 a,
                                   trVec3 alpha) {
    TwinBody3 body = {.com = place->com, .principal = place->principal};
    body.u = tr_quat_mul(m->u, tr_quat_conjugate(place->principal));
    body.r[0] = (Jet){m->r.x, m->v.x, a.x};
    body.r[1] = (Jet){m->r.y, m->v.y, a.y};
    body.r[2] = (Jet){m->r.z, m->v.z, a.z};
    body.omega[0] = (Jet){m->w.x, alpha.x, 0.0};
    body.omega[1] = (Jet){m->w.y, alpha.y, 0.0};
    body.omega[2] = (Jet){m->w.z, alpha.z, 0.0};
    const trVec3 unit_vector[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int j = 0; j < 3; j++) {
        trVec3 column = tr_rotate3(&m->R, tr_quat_unrotate(place->principal, unit_vector[j]));
        trVec3 first = tr_cross3(m->w, column);
        trVec3 second = tr_add3(tr_cross3(alpha, column), tr_cross3(m->w, first));
        body.R[0][j] = (Jet){column.x, first.x, second.x};
        body.R[1][j] = (Jet){column.y, first.y, second.y};
        body.R[2][j] = (Jet){column.z, first.z, second.z};
    }
    return body;
}

static inline JetVec3 twin_omega3(const TwinBody3 *body) {
    return (JetVec3){{body->omega[0], body->omega[1], body->omega[2]}};
}

static inline JetVec3 twin_center3(const TwinBody3 *body) {
    return (JetVec3){{body->r[0], body->r[1], body->r[2]}};
}

// A vector fixed in the body, given in its frame, in the world.
static inline JetVec3 twin_vector3(const TwinBody3 *body, trVec3 a) {
    JetVec3 result, fixed = jet_constant3(a);
    for (int i = 0; i < 3; i++) {
        JetVec3 row = {{body->R[i][0], body->R[i][1], body->R[i][2]}};
        result.at[i] = jet_dot3(row, fixed);
    }
    return result;
}

// A point fixed in the body, given in its frame from the frame origin, in the world.
static inline JetVec3 twin_point3(const TwinBody3 *body, trVec3 point) {
    return jet_add3(twin_center3(body), twin_vector3(body, tr_sub3(point, body->com)));
}

// What the joint is made of, as a user thinks of it.
typedef struct Setup3 {
    trVec3        point1, point2;    // from the frame origins, in body frames [m]
    trVec3        axis1, axis2;      // in body frames, of any length
    trVec3        normal1;           // of a plane, in the frame of body 1, of any length
    trQuat        marker1, marker2;  // z along axis1 and axis2, from marker axes to body frames
    trPlace3      place[TR_JOINT_BODIES];  // the bodies at the start
    double        length, radius;          // [m]
    double        ratio;                   // of a gear
    double        pitch;                   // of a screw [m per turn]
    double        near[2];                 // where counted angles were last [rad]
    const trTape *function;                // of a driver; twin_driver computes the same
} Setup3;

// Further bodies stand behind b2.
typedef void (*Twin3)(const Setup3 *setup, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                      Jet *phi);

static inline trVec3 unit3(trVec3 a) {
    return tr_scale3(1.0 / tr_length3(a), a);
}

// The three axes of a marker, in the world.
static inline void twin_marker_axes3(const TwinBody3 *body, trQuat marker, JetVec3 axis[3]) {
    trMat3 K = tr_quat_matrix(marker);
    axis[0] = twin_vector3(body, K.x);
    axis[1] = twin_vector3(body, K.y);
    axis[2] = twin_vector3(body, K.z);
}

// The unit quaternion (w, x, y, z) of marker 2 against marker 1, from the matrix C of their axes'
// dot products: the largest of the four by a root, the others by division,
//
//     4 w^2 = 1 + C00 + C11 + C22,    4 x^2 = 1 + C00 - C11 - C22,    4 w x = C21 - C12,
//     4 x y = C01 + C10,              and so on,
//
// with the sign of the bodies' quaternions.
static inline void twin_relative3(const Setup3 *setup, const TwinBody3 *b1, const TwinBody3 *b2,
                                  Jet p[4]) {
    JetVec3 one[3], two[3];
    Jet     C[3][3], four[4][4];
    twin_marker_axes3(b1, setup->marker1, one);
    twin_marker_axes3(b2, setup->marker2, two);
    for (int i = 0; i < 9; i++) {
        C[i / 3][i % 3] = jet_dot3(one[i / 3], two[i % 3]);
    }
    Jet trace = jet_add(C[0][0], jet_add(C[1][1], C[2][2]));
    four[0][0] = jet_add(jet_constant(1.0), trace);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        four[i + 1][i + 1] =
            jet_sub(jet_add(jet_constant(1.0), jet_mul(jet_constant(2.0), C[i][i])), trace);
        four[0][i + 1] = four[i + 1][0] = jet_sub(C[k][j], C[j][k]);
        four[j + 1][k + 1] = four[k + 1][j + 1] = jet_add(C[j][k], C[k][j]);
    }
    int largest = 0;
    for (int i = 1; i < 4; i++) {
        largest = four[i][i].value > four[largest][largest].value ? i : largest;
    }
    trQuat turn1 = tr_quat_mul(b1->u, setup->marker1), turn2 = tr_quat_mul(b2->u, setup->marker2);
    trQuat sign = tr_quat_mul(tr_quat_conjugate(turn1), turn2);
    const double sign_of[4] = {sign.w, sign.x, sign.y, sign.z};
    Jet          twice = jet_mul(jet_constant(sign_of[largest] < 0.0 ? -1.0 : 1.0),
                                 jet_sqrt(four[largest][largest]));
    for (int i = 0; i < 4; i++) {
        p[i] = jet_div(jet_mul(jet_constant(0.5), four[largest][i]), twice);
    }
}

// The angle by which marker 2 is turned against marker 1 about z, 2 atan2(p_z, p_w), which repeats
// after two turns; of its values the one nearest to `near`.
static inline Jet twin_twist3(const Setup3 *setup, const TwinBody3 *b1, const TwinBody3 *b2,
                              double near) {
    const double two_turns = 4.0 * 3.14159265358979323846;
    Jet          p[4];
    twin_relative3(setup, b1, b2, p);
    Jet angle = jet_mul(jet_constant(2.0), jet_atan2(p[3], p[0]));
    while (angle.value > near + 0.5 * two_turns) {
        angle.value -= two_turns;
    }
    while (angle.value < near - 0.5 * two_turns) {
        angle.value += two_turns;
    }
    return angle;
}

#endif
