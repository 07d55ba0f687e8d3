// SPDX-License-Identifier: MIT
// What a part of a method can take. A method can take what all of its parts can.

#ifndef TR_BASE_TRAITS_H
#define TR_BASE_TRAITS_H

enum {
    TR_COPES_REDUNDANT = 1 << 0,      // rows of A may depend on each other in every pose
    TR_COPES_SINGULAR_MASS = 1 << 1,  // M may be only semidefinite
    TR_COPES_NONHOLONOMIC = 1 << 2,   // rows that hold velocities alone
    TR_COPES_NONIDEAL = 1 << 3,       // forces C that depend on reactions
    TR_COPES_SINGULAR_POSE = 1 << 4,  // steps may land where rows become dependent
    TR_COPES_ALL = (1 << 5) - 1,
    TR_DENSE = 1 << 5,           // cost grows with the cube of the size
    TR_JUDGES_NO_RANK = 1 << 6,  // rows are never dropped
    TR_BY_UNITS = 1 << 7,        // the result depends on units by definition: W = I, epsilon
};

#endif
