// SPDX-License-Identifier: MIT
// The equations of motion integrated from one row to the next, where rates at rows do not explain
// what happens between them.

#ifndef TR_VERIFY_BETWEEN_H
#define TR_VERIFY_BETWEEN_H

#include "verify/verify.h"

trStatus tr_again_plan(trVerifier *verifier);

// The integration may begin at this row next. `first`: no row before it is known.
void tr_again_reach(trVerifier *verifier, const trMoment *from, bool first);

// The state at t and the work done until then. NULL: it was not found.
const trMoment *tr_again(trVerifier *verifier, const trMoment *from, double t, double *work);

#endif
