// SPDX-License-Identifier: MIT
// What spatial forces share: a point of body 2 as body 1 sees it, one-sided laws, and tangents.
//
// Tangents are made by differentiating the loads in one direction after the other. A kind writes
// one function, the change of its loads for small moves of its bodies, in world axes; what does not
// depend on the direction it computes once and finds in `state`:
//
//     r + dr,    R (turned by dtheta),    v + dv,    omega + domega
//
// With the angular velocity W kept in body axes, a turn changes omega = R W by dtheta x omega. The
// moment in body axes R'm changes by R'(dm - dtheta x m).

#ifndef TR_FORCE_SPATIAL_H
#define TR_FORCE_SPATIAL_H

#include "force/parameters.h"
#include "joint/spatial.h"

static inline trVec3 tr_functions_value3(const trFunction f[3], double t) {
    return (trVec3){tr_function_jet(&f[0], t).value, tr_function_jet(&f[1], t).value,
                    tr_function_jet(&f[2], t).value};
}

// --- a point of body 2 as body 1 sees it ---

// In world axes. For a direction n fixed in body 1, the coordinate x = n.d has x' = n.rate.
typedef struct trSight3 {
    trVec3 s1, s2;  // arms of P1 on body 1 and of P2 on body 2 [m]
    trVec3 reach;   // P2 - r1, from the center of mass of body 1 [m]
    trVec3 d;       // P2 - P1 [m]
    trVec3 rate;    // d' - omega1 x d = P2' - v1 - omega1 x reach [m/s]
} trSight3;

static inline trSight3 tr_sight3(const trMotion3 *m1, const trMotion3 *m2, trVec3 p1, trVec3 p2) {
    trSight3 see = {.s1 = tr_arm3(m1, p1), .s2 = tr_arm3(m2, p2)};
    see.reach = tr_sub3(tr_add3(m2->r, see.s2), m1->r);
    see.d = tr_sub3(see.reach, see.s1);
    see.rate = tr_sub3(tr_arm_velocity3(m2, see.s2), tr_arm_velocity3(m1, see.reach));
    return see;
}

// The force F on body 2 at P2, and -F on body 1 at the same place.
static inline void tr_push3(const trSight3 *see, trVec3 F, trForceOut *out) {
    out->at2.force = tr_add3(out->at2.force, F);
    out->at2.moment = tr_add3(out->at2.moment, tr_cross3(see->s2, F));
    out->at1.force = tr_sub3(out->at1.force, F);
    out->at1.moment = tr_sub3(out->at1.moment, tr_cross3(see->reach, F));
}

// The moment c on body 2, and -c on body 1.
static inline void tr_twist_bodies3(trVec3 c, trForceOut *out) {
    out->at2.moment = tr_add3(out->at2.moment, c);
    out->at1.moment = tr_sub3(out->at1.moment, c);
}

// --- one-sided laws ---

// A spring k(x) with a damper c x' that act in contact only, x > 0, and never pull:
//
//     f = max(0, k(x) + c x')
typedef struct trOneSided {
    double force;          // f [N]
    double spring;         // k(x) alone, the part that has a potential [N]
    double potential;      // integral of k from 0 to x [J]
    double by_x, by_rate;  // df/dx [N/m], df/dx' [N s/m]
} trOneSided;

static inline trOneSided tr_one_sided(const trLaw *k, double c, double x, double rate) {
    if (!(x > 0.0)) {
        return (trOneSided){0};
    }
    trOneSided side = {.spring = tr_law_value(k, x), .potential = tr_law_integral(k, x)};
    double     force = side.spring + c * rate;
    if (force > 0.0) {
        side.force = force;
        side.by_x = tr_law_slope(k, x);
        side.by_rate = c;
    }
    return side;
}

// --- tangents ---

// Small moves of a body, in world axes.
typedef struct trMove3 {
    trVec3 r, turn;  // dr [m], dtheta [rad]
    trVec3 v, w;     // dv [m/s], domega [rad/s]
} trMove3;

// One direction in which the loads are differentiated, and their change.
typedef struct trProbe3 {
    const trMotion3 *m1, *m2;
    trMove3          d1, d2;
    const void      *state;     // what the kind has computed for this instant
    trLoad3          at1, at2;  // receive the changes; zeroed
} trProbe3;

typedef void (*trEval3)(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                        trForceOut *out);
typedef void (*trChange3)(const void *params, trProbe3 *probe);

// The change of an arm, and of the velocity of the point with this arm.
static inline trVec3 tr_arm_change3(const trMove3 *d, trVec3 arm) {
    return tr_cross3(d->turn, arm);
}

static inline trVec3 tr_arm_velocity_change3(const trMotion3 *m, const trMove3 *d, trVec3 arm) {
    trVec3 change = tr_add3(d->v, tr_cross3(d->w, arm));
    return tr_add3(change, tr_cross3(m->w, tr_arm_change3(d, arm)));
}

// The change of what tr_sight3 gives. Seen from body 1, whose axes turn:
//
//     D = d(d) - dtheta1 x d,    Y = d(rate) - dtheta1 x rate
//
// so that x = n.d and x' = n.rate change by n.D and n.Y.
typedef struct trSightChange3 {
    trVec3 s2, reach;  // changes of the members [m]
    trVec3 D, Y;       // [m], [m/s]
} trSightChange3;

static inline trSightChange3 tr_sight_change3(const trProbe3 *probe, const trSight3 *see) {
    const trMotion3 *m1 = probe->m1, *m2 = probe->m2;
    const trMove3   *d1 = &probe->d1, *d2 = &probe->d2;
    trSightChange3   change = {.s2 = tr_arm_change3(d2, see->s2)};
    change.reach = tr_sub3(tr_add3(d2->r, change.s2), d1->r);
    change.D = tr_sub3(change.reach, tr_cross3(d1->turn, see->reach));
    // rate = P2' - v1 - omega1 x reach
    trVec3 rate = tr_sub3(tr_arm_velocity_change3(m2, d2, see->s2), d1->v);
    rate = tr_sub3(rate, tr_cross3(d1->w, see->reach));
    rate = tr_sub3(rate, tr_cross3(m1->w, change.reach));
    change.Y = tr_sub3(rate, tr_cross3(d1->turn, see->rate));
    return change;
}

// The change of what tr_push3 writes, for the change dF of F.
static inline void tr_push_change3(const trSight3 *see, const trSightChange3 *change, trVec3 F,
                                   trVec3 dF, trProbe3 *probe) {
    trVec3 on2 = tr_add3(tr_cross3(change->s2, F), tr_cross3(see->s2, dF));
    trVec3 on1 = tr_add3(tr_cross3(change->reach, F), tr_cross3(see->reach, dF));
    probe->at2.force = tr_add3(probe->at2.force, dF);
    probe->at2.moment = tr_add3(probe->at2.moment, on2);
    probe->at1.force = tr_sub3(probe->at1.force, dF);
    probe->at1.moment = tr_sub3(probe->at1.moment, on1);
}

// The change of what tr_twist_bodies3 writes.
static inline void tr_twist_change3(trVec3 dc, trProbe3 *probe) {
    probe->at2.moment = tr_add3(probe->at2.moment, dc);
    probe->at1.moment = tr_sub3(probe->at1.moment, dc);
}

// A unit move of one of the six coordinates of a body, or of one of its six velocities. Turns and
// angular velocities are in body axes.
static inline trMove3 tr_unit_move3(const trMotion3 *m, int coordinate, bool of_velocity) {
    const trVec3  unit[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const trVec3 *axis[3] = {&m->R.x, &m->R.y, &m->R.z};
    if (of_velocity) {
        return coordinate < 3 ? (trMove3){.v = unit[coordinate]}
                              : (trMove3){.w = *axis[coordinate - 3]};
    }
    if (coordinate < 3) {
        return (trMove3){.r = unit[coordinate]};
    }
    trVec3 turn = *axis[coordinate - 3];
    return (trMove3){.turn = turn, .w = tr_cross3(turn, m->w)};
}

// Six rows of one column of K or D: -(dF, R'(dm - dtheta x m)).
static inline void tr_write_change3(const trMotion3 *m, const trMove3 *d, trVec3 moment,
                                    const trLoad3 *change, double *column) {
    trVec3 M = tr_sub3(change->moment, tr_cross3(d->turn, moment));
    M = tr_unrotate3(&m->R, M);
    column[0] -= change->force.x;
    column[12] -= change->force.y;
    column[24] -= change->force.z;
    column[36] -= M.x;
    column[48] -= M.y;
    column[60] -= M.z;
}

// K and D of a kind from its changes of loads. `now` has the bodies and the state of the instant.
static inline void tr_tangent_by_changes3(trEval3 eval, trChange3 change, const void *params,
                                          double t, const trProbe3 *now, trForceTangent *out) {
    const trMotion3 *m1 = now->m1, *m2 = now->m2;
    double           turn[TR_JOINT_TURNS];
    trForceOut       loads = {.near = out->near, .turn = turn};
    eval(params, t, m1, m2, &loads);
    for (int i = 0; i < 24; i++) {
        int      column = i % 12;
        bool     of_velocity = i >= 12;
        trProbe3 probe = *now;
        double  *X = of_velocity ? out->D : out->K;
        if (column < 6) {
            probe.d1 = tr_unit_move3(m1, column, of_velocity);
        } else {
            probe.d2 = tr_unit_move3(m2, column - 6, of_velocity);
        }
        change(params, &probe);
        tr_write_change3(m1, &probe.d1, loads.at1.moment, &probe.at1, X + column);
        tr_write_change3(m2, &probe.d2, loads.at2.moment, &probe.at2, X + 72 + column);
    }
}

#endif
