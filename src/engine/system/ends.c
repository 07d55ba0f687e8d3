// SPDX-License-Identifier: MIT
// Forces along the line between two ends that do not vanish with the line, such as a spring with a
// free length. Where the ends meet, such a force has no direction. In a run they rarely meet at the
// end of a step; between d0 and d1, at the ends of one, they have passed through each other if
//
//     d0.d1 < 0,    -d0.d0' > c |d0||d0'|,    d1.d1' > c |d1||d1'|,    |d0 x d1| / |d1 - d0| ~ 0
//
// that is if they came straight at each other and now move straight apart on the other side. Ends
// that turn about each other by half a turn do not.

#include "system/system.h"

#define MEET 1e-6  // a distance, of the free length: no spring is compressed that far
#define PASS 1e-2  // the least distance along the chord of a step, of the free length
#define STRAIGHT 0.9

static bool meet(const trEnds *now) {
    return now->length > 0.0 && tr_length3(now->d) <= MEET * now->length;
}

static bool have_passed(const trEnds *before, const trEnds *now) {
    const trVec3 d0 = before->d, d1 = now->d, r0 = before->d_dot, r1 = now->d_dot;
    if (!(now->length > 0.0 && tr_dot3(d0, d1) < 0.0)) {
        return false;
    }
    bool come = -tr_dot3(d0, r0) > STRAIGHT * tr_length3(d0) * tr_length3(r0);
    bool go = tr_dot3(d1, r1) > STRAIGHT * tr_length3(d1) * tr_length3(r1);
    return come && go &&
           tr_length3(tr_cross3(d0, d1)) <= PASS * now->length * tr_length3(tr_sub3(d1, d0));
}

trStatus tr_eval_check_ends(const trEval *e) {
    for (int i = 0; i < e->system->varying; i++) {
        bool together = meet(&e->ends[i]);
        if (together || (e->counting && have_passed(&e->ends_near[i], &e->ends[i]))) {
            tr_fail(TR_NOT_FINITE,
                    "its ends %s at t = %.9g s, where its force has no direction; keep them "
                    "apart, or let it vanish there (length = 0)",
                    together ? "coincide" : "have passed through each other", e->t);
            return tr_blame_force(TR_NOT_FINITE, &e->system->force[i]);
        }
    }
    return TR_OK;
}
