// SPDX-License-Identifier: MIT
// One spatial mechanism with many kinds of joints, and the many ways to write it down: units, axes
// of the world, frames of the bodies, orders, words.
//
// An arm (revolute) moves a slider (prismatic) by a tie rod without mass (spherical, universal).
// The arm carries a link (universal) and a ball (spherical, bushing); a puck on a plane
// (point_on_plane) hangs on the ball (distance). On the slider a collar (cylindrical) is driven
// along and about its axis. A four-bar of hinges, redundant out of its plane, is tied to the puck
// by a spring and damper, and to ground by a torsion spring.

#ifndef TR_TESTS_SUPPORT_MECHANISM3_H
#define TR_TESTS_SUPPORT_MECHANISM3_H

#include <stdbool.h>

#include "model/model.h"
#include "trammel/system.h"

#define MECHANISM_BODIES 10
#define MECHANISM_JOINTS 15
#define MECHANISM_REDUNDANT 3  // rows

// How the mechanism, which is given in m, kg, s, is written down. All zero but for the units is
// as given.
typedef struct View3 {
    double      length, mass, time;  // how many of its units make 1 m, 1 kg, 1 s
    trVec3      turn;                // of the world, axis times angle [rad], then
    trVec3      shift;               // of the world [m]
    bool        other_order;         // bodies and joints stand in another order
    bool        swapped;             // joints that allow it name their bodies the other way round
    bool        other_frames;        // body frames have other origins and axes
    bool        own_words;           // points and axes are given in body frames, not in the world
    bool        massless_coupler;    // of the four-bar: another mechanism
    const char *coordinates;         // NULL: those of the model
} View3;

#define VIEW3_SI .length = 1.0, .mass = 1.0, .time = 1.0

// The model, with the frame "tip" on the ball, in which the joint "knee" reports its reaction.
trStatus mechanism3_model(const View3 *view, trModel **out);

const char *mechanism3_body(int index);
const char *mechanism3_joint(int index);
bool        mechanism3_is_swapped(const View3 *view, int joint);
bool        mechanism3_is_unique(int joint);  // its reaction does not depend on redundant rows

// What a run in this view says about body `index` or, with MECHANISM_BODIES, the frame: from its
// recorded state to that of the plain view.
trBodyState mechanism3_plain_state(const View3 *view, int index, trBodyState seen);
// Likewise a force in world axes, or in those of a frame.
trVec3 mechanism3_plain_force(const View3 *view, bool in_world, trVec3 seen);

#endif
