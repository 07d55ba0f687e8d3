// SPDX-License-Identifier: MIT
// A planar model as a spatial one: its plane lies in space at any angle, pins become hinges about
// the normal of the plane, slides stay slides. Loops of hinges are then redundant out of the plane.

#ifndef TR_TESTS_SUPPORT_IN_SPACE_H
#define TR_TESTS_SUPPORT_IN_SPACE_H

#include "model/model.h"

// Where the plane lies.
typedef struct Plane {
    trQuat turn;     // from the axes of the plane (z its normal) to the world
    double gravity;  // along the normal, besides the planar model's own [m/s^2]
} Plane;

// Knows the joints revolute, prismatic, driven_angle (from a start at zero) and knife_edge, which
// gets a spatial joint `planar` beside it, and the forces torque and spring; others are
// TR_E_UNSUPPORTED. Bodies and joints keep names and numbers, but for a `planar` joint, which comes
// right after its knife edge. Functions and laws are shared: `planar` must outlive `out`.
trStatus model_in_space(const trModel *planar, const Plane *plane, trModel **out);

#endif
