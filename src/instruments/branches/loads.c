// SPDX-License-Identifier: MIT
// Loads that a start on a branch cannot have. Where the joints hold a velocity x to second order
// only, all along the branch, x is in the null space of A and no reaction A' lambda has a part
// along it: what acts on it, x' Q, would take infinite ones.

#include <math.h>

#include "branches/branches.h"

#define NO_LOAD 1e-9  // of the sum of parts of a power that vanishes

trStatus tr_branch_refuse_loads(const trFork *pose, const trBranch *branch, int number, double t,
                                const double *q, const double *v) {
    const double *x = branch->loose_velocity;
    double        power = 0.0, size = 0.0;
    if (x == NULL) {
        return TR_OK;
    }
    TR_TRY(tr_eval_at(pose->eval, t, q, v, NULL));
    const double *Q = tr_eval_Q(pose->eval);
    for (int i = 0; i < pose->nv; i++) {
        power += x[i] * Q[i];
        size += fabs(x[i] * Q[i]);
    }
    if (fabs(power) <= NO_LOAD * size) {
        return TR_OK;
    }
    return tr_fail(
        TR_E_MODEL,
        "all along branch %d the joints hold one velocity (%s) to second order only, and "
        "forces act on it: reactions would be infinite; remove these forces, or choose another "
        "branch",
        number, branch->loose_words);
}
