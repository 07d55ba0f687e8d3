// SPDX-License-Identifier: MIT
// An independent twin of every joint: its constraint written once more, from the frame origins and
// without a thought about speed, in jets. A jet is a number with its first two derivatives in time,
// so the twin has exact derivatives along a motion, up to rounding.

#ifndef TR_TESTS_JOINT_TWINS_H
#define TR_TESTS_JOINT_TWINS_H

#include <math.h>

#include "joint/joint.h"
#include "tape/tape.h"

typedef struct Jet {
    double value, first, second;
} Jet;

static inline Jet jet_constant(double k) {
    return (Jet){k, 0.0, 0.0};
}

static inline Jet jet_add(Jet a, Jet b) {
    return (Jet){a.value + b.value, a.first + b.first, a.second + b.second};
}

static inline Jet jet_mul(Jet a, Jet b) {
    return (Jet){a.value * b.value, a.first * b.value + a.value * b.first,
                 a.second * b.value + 2.0 * a.first * b.first + a.value * b.second};
}

static inline Jet jet_sub(Jet a, Jet b) {
    return jet_add(a, jet_mul(jet_constant(-1.0), b));
}

// g(a), from the values g, g', g'' there.
static inline Jet jet_chain(Jet a, double g, double g1, double g2) {
    return (Jet){g, g1 * a.first, g2 * a.first * a.first + g1 * a.second};
}

static inline Jet jet_sin(Jet a) {
    return jet_chain(a, sin(a.value), cos(a.value), -sin(a.value));
}

static inline Jet jet_cos(Jet a) {
    return jet_chain(a, cos(a.value), -sin(a.value), -cos(a.value));
}

static inline Jet jet_sqrt(Jet a) {
    double root = sqrt(a.value);
    return jet_chain(a, root, 0.5 / root, -0.25 / (root * a.value));
}

// The derivative of a jet, one order poorer.
static inline Jet jet_rate(Jet a) {
    return (Jet){a.first, a.second, 0.0};
}

typedef struct JetVec {
    Jet x, y;
} JetVec;

static inline JetVec jet_between(JetVec from, JetVec to) {
    return (JetVec){jet_sub(to.x, from.x), jet_sub(to.y, from.y)};
}

static inline Jet jet_dot(JetVec a, JetVec b) {
    return jet_add(jet_mul(a.x, b.x), jet_mul(a.y, b.y));
}

// A body along a motion: position of the center of mass and angle.
typedef struct TwinBody {
    JetVec r;
    Jet    angle;
    trVec2 com;  // in body axes
} TwinBody;

// A vector fixed in the body, in the world.
static inline JetVec twin_vector(const TwinBody *body, trVec2 a) {
    Jet c = jet_cos(body->angle), s = jet_sin(body->angle);
    Jet x = jet_constant(a.x), y = jet_constant(a.y);
    return (JetVec){jet_sub(jet_mul(c, x), jet_mul(s, y)), jet_add(jet_mul(s, x), jet_mul(c, y))};
}

// A point fixed in the body, given from the frame origin, in the world.
static inline JetVec twin_point(const TwinBody *body, trVec2 point) {
    JetVec arm = twin_vector(body, (trVec2){point.x - body->com.x, point.y - body->com.y});
    return (JetVec){jet_add(body->r.x, arm.x), jet_add(body->r.y, arm.y)};
}

// What the joint is made of, as a user thinks of it.
typedef struct Setup {
    trVec2        point1, point2;  // from the frame origins, in body axes
    trVec2        axis1, axis2;    // in body axes, of any length
    double        angle, length;   // the angle and the length to be kept
    double        ratio;           // of a gear
    double        angle_0[3];      // angles at the start
    double        apart;           // of a rack, along its axis at the start
    const trTape *function;        // of a driver; twin_driver computes the same
} Setup;

// Further bodies stand behind b2.
typedef void (*Twin)(const Setup *setup, Jet t, const TwinBody *b1, const TwinBody *b2, Jet *phi);

// 1.2 + 0.3 sin(2 t) + 0.1 t^2
static inline Jet twin_driver(Jet t) {
    Jet wave = jet_mul(jet_constant(0.3), jet_sin(jet_mul(jet_constant(2.0), t)));
    Jet growth = jet_mul(jet_constant(0.1), jet_mul(t, t));
    return jet_add(jet_constant(1.2), jet_add(wave, growth));
}

static inline trVec2 unit(trVec2 a) {
    double length = sqrt(a.x * a.x + a.y * a.y);
    return (trVec2){a.x / length, a.y / length};
}

static inline trVec2 normal(trVec2 a) {
    trVec2 u = unit(a);
    return (trVec2){-u.y, u.x};
}

static inline Jet twin_turn(const TwinBody *b1, const TwinBody *b2, Jet angle) {
    return jet_sub(jet_sub(b2->angle, b1->angle), angle);
}

static inline JetVec twin_gap(const Setup *p, const TwinBody *b1, const TwinBody *b2) {
    return jet_between(twin_point(b1, p->point1), twin_point(b2, p->point2));
}

static inline void twin_revolute(const Setup *p, Jet t, const TwinBody *b1, const TwinBody *b2,
                                 Jet *phi) {
    JetVec d = twin_gap(p, b1, b2);
    (void)t;
    phi[0] = d.x;
    phi[1] = d.y;
}

static inline void twin_fixed(const Setup *p, Jet t, const TwinBody *b1, const TwinBody *b2,
                              Jet *phi) {
    twin_revolute(p, t, b1, b2, phi);
    phi[2] = twin_turn(b1, b2, jet_constant(p->angle));
}

static inline void twin_point_on_line(const Setup *p, Jet t, const TwinBody *b1, const TwinBody *b2,
                                      Jet *phi) {
    (void)t;
    phi[0] = jet_dot(twin_vector(b1, normal(p->axis1)), twin_gap(p, b1, b2));
}

static inline void twin_prismatic(const Setup *p, Jet t, const TwinBody *b1, const TwinBody *b2,
                                  Jet *phi) {
    twin_point_on_line(p, t, b1, b2, phi);
    phi[1] = twin_turn(b1, b2, jet_constant(p->angle));
}

static inline void twin_distance(const Setup *p, Jet t, const TwinBody *b1, const TwinBody *b2,
                                 Jet *phi) {
    JetVec d = twin_gap(p, b1, b2);
    (void)t;
    phi[0] = jet_sub(jet_sqrt(jet_dot(d, d)), jet_constant(p->length));
}

static inline void twin_gear(const Setup *p, Jet t, const TwinBody *b1, const TwinBody *b2,
                             Jet *phi) {
    Jet carrier = jet_sub(b2[1].angle, jet_constant(p->angle_0[2]));
    Jet turned1 = jet_sub(jet_sub(b1->angle, jet_constant(p->angle_0[0])), carrier);
    Jet turned2 = jet_sub(jet_sub(b2->angle, jet_constant(p->angle_0[1])), carrier);
    (void)t;
    phi[0] = jet_sub(turned2, jet_mul(jet_constant(p->ratio), turned1));
}

static inline void twin_rack_and_pinion(const Setup *p, Jet t, const TwinBody *b1,
                                        const TwinBody *b2, Jet *phi) {
    const TwinBody *carrier = b2 + 1;
    JetVec          axis = twin_vector(carrier, p->axis1);
    JetVec          d = {jet_sub(b1->r.x, carrier->r.x), jet_sub(b1->r.y, carrier->r.y)};
    Jet             back = jet_constant(1.0 / hypot(p->axis1.x, p->axis1.y));
    Jet             turned = jet_sub(jet_sub(b2->angle, jet_constant(p->angle_0[1])),
                                     jet_sub(carrier->angle, jet_constant(p->angle_0[2])));
    (void)t;
    phi[0] = jet_sub(jet_mul(jet_dot(axis, d), back),
                     jet_add(jet_constant(p->apart), jet_mul(jet_constant(p->ratio), turned)));
}

static inline void twin_driven_angle(const Setup *p, Jet t, const TwinBody *b1, const TwinBody *b2,
                                     Jet *phi) {
    (void)p;
    phi[0] = twin_turn(b1, b2, twin_driver(t));
}

static inline void twin_driven_distance(const Setup *p, Jet t, const TwinBody *b1,
                                        const TwinBody *b2, Jet *phi) {
    JetVec d = twin_gap(p, b1, b2);
    phi[0] = jet_sub(jet_sqrt(jet_dot(d, d)), twin_driver(t));
}

static inline void twin_driven_coordinate(const Setup *p, Jet t, const TwinBody *b1,
                                          const TwinBody *b2, Jet *phi) {
    JetVec w = twin_vector(b1, unit(p->axis1));
    phi[0] = jet_sub(jet_dot(w, twin_gap(p, b1, b2)), twin_driver(t));
}

// psi with psi': the velocity of the blade's point less that of body 1's material at the same
// place, across the blade.
static inline void twin_knife_edge(const Setup *p, Jet t, const TwinBody *b1, const TwinBody *b2,
                                   Jet *psi) {
    JetVec P = twin_point(b2, p->point2), e = jet_between(b1->r, P);
    Jet    omega1 = jet_rate(b1->angle);
    Jet    carried_x = jet_sub(jet_rate(b1->r.x), jet_mul(omega1, e.y));
    Jet    carried_y = jet_add(jet_rate(b1->r.y), jet_mul(omega1, e.x));
    JetVec slip = {jet_sub(jet_rate(P.x), carried_x), jet_sub(jet_rate(P.y), carried_y)};
    (void)t;
    psi[0] = jet_dot(twin_vector(b2, normal(p->axis2)), slip);
}

#endif
