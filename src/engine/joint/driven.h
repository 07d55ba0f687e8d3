// SPDX-License-Identifier: MIT
// Joint variables that follow a function of time.

#ifndef TR_JOINT_DRIVEN_H
#define TR_JOINT_DRIVEN_H

#include "joint/joint.h"
#include "tape/tape.h"

// The row of a variable becomes
//
//     phi = value - f(t)      b1 = f'      b = (that of the variable) + f''
static inline void tr_row_follow(const trFunction *function, trJointRows *out) {
    const trJet f = tr_function_jet(function, out->t);
    out->phi[0] -= f.value;
    out->b1[0] = f.first;
    out->b[0] += f.second;
}

#endif
