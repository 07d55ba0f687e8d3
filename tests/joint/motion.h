// SPDX-License-Identifier: MIT
// Random bodies and motions for the families of joints and forces.

#ifndef TR_TESTS_JOINT_MOTION_H
#define TR_TESTS_JOINT_MOTION_H

#include <math.h>
#include <stdint.h>

#include "joint/joint.h"

typedef struct Random {
    uint64_t state;
} Random;

// Uniform in [low, high]: the upper bits of a linear congruential generator (Knuth's MMIX).
static inline double random_in(Random *random, double low, double high) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random->state >> 11) / 9007199254740992.0;
}

static inline trVec2 random_vec(Random *random, double size) {
    double x = random_in(random, -size, size);
    return (trVec2){x, random_in(random, -size, size)};
}

// A body at a place: body 2 stands four meters beside body 1, so that points of the two, which lie
// within a meter of the origins, are never near each other.
static inline trPlace2 random_place(Random *random, int number) {
    trPlace2 place = {.at = random_vec(random, 0.5)};
    place.at.x += number == 2 ? 4.0 : 0.0;
    place.angle = random_in(random, -3.0, 3.0);
    place.com = random_vec(random, 0.2);
    place.mass = random_in(random, 0.5, 2.0);
    place.inertia = random_in(random, 0.1, 1.0);
    return place;
}

static inline trMotion2 motion_of(trVec2 r, double angle, trVec2 v, double omega) {
    return (trMotion2){r, angle, cos(angle), sin(angle), v, omega};
}

// Some motion of a body, near its place.
static inline trMotion2 random_motion(Random *random, const trPlace2 *place) {
    trVec2 r = tr_add2(place->at, random_vec(random, 0.5));
    double angle = random_in(random, -4.0, 4.0);
    trVec2 v = random_vec(random, 2.0);
    return motion_of(r, angle, v, random_in(random, -2.0, 2.0));
}

// At rest where it stands at the start.
static inline trMotion2 motion_at(const trPlace2 *place) {
    double c = cos(place->angle), s = sin(place->angle);
    trVec2 r = tr_add2(place->at, tr_rotate2(c, s, place->com));
    return motion_of(r, place->angle, (trVec2){0.0, 0.0}, 0.0);
}

#endif
