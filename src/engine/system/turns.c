// SPDX-License-Identifier: MIT
// Angles that count turns. They are counted from the last accepted state, by the nearest of what is
// possible every two full turns (torsion springs, screws, gears) or every full turn (bushings).

#include <math.h>

#include "joint/spatial.h"
#include "system/system.h"

// Of things whose angles begin at first[i], one after another, the one to which an angle belongs.
static int owner_of(int things, const int *first, int turn) {
    while (things > 0 && first[things - 1] > turn) {
        things--;
    }
    return things - 1;
}

// The joint or the force to which a counted angle belongs: its number, or -1.
static int joint_of_turn(const trSystem *s, int turn) {
    int j = owner_of(s->joints, s->joint_turn, turn);
    return j >= 0 && turn < s->joint_turn[j] + s->joint[j].kind->turns ? j : -1;
}

static int force_of_turn(const trSystem *s, int turn) {
    return owner_of(s->forces, s->force_turn, turn);
}

// The most that a counted angle may turn within a step. [rad]
static double most_turn(const trSystem *s, int turn) {
    int  i = joint_of_turn(s, turn) >= 0 ? -1 : force_of_turn(s, turn);
    bool repeats = i >= 0 && (s->force[i].kind->traits & TR_REPEATS) != 0;
    return repeats ? 0.5 * TR_MOST_TURN : TR_MOST_TURN;
}

trStatus tr_system_refuse_turn(const trSystem *s, double t, int turn) {
    int joint = joint_of_turn(s, turn);
    tr_fail(TR_NO_CONVERGENCE,
            "t = %.9g s: a counted angle turns by more than %g rad within a step; take a smaller "
            "step or max_step",
            t, most_turn(s, turn));
    return joint >= 0 ? tr_blame_joint(TR_NO_CONVERGENCE, &s->joint[joint])
                      : tr_blame_force(TR_NO_CONVERGENCE, &s->force[force_of_turn(s, turn)]);
}

trStatus tr_eval_check_turns(const trEval *e) {
    for (int i = 0; e->counting && i < e->system->turns; i++) {
        if (!(fabs(e->turn[i] - e->near[i]) <= most_turn(e->system, i))) {
            return tr_system_refuse_turn(e->system, e->t, i);
        }
    }
    return TR_OK;
}

// How fast the bodies turn against each other; where there are more than two, each turns against
// the last.
static double speed_of(const trEval *e, int turn) {
    const trSystem *s = e->system;
    int             j = joint_of_turn(s, turn), i = j >= 0 ? -1 : force_of_turn(s, turn);
    int             one = j >= 0 ? s->joint[j].body1 : s->force[i].body1;
    int             two = j >= 0 ? s->joint[j].body2 : s->force[i].body2;
    if (j >= 0 && s->joint[j].bodies > 2) {
        two = s->joint[j].body[turn - s->joint_turn[j]];
        one = s->joint[j].body[s->joint[j].bodies - 1];
    }
    return tr_length3(tr_sub3(e->motion3[two + 1].w, e->motion3[one + 1].w));
}

double tr_eval_turn_speed(const trEval *e, int *turn) {
    double fastest = 0.0;
    *turn = 0;
    for (int i = 0; i < e->system->turns; i++) {
        double speed = speed_of(e, i) * TR_MOST_TURN / most_turn(e->system, i);
        *turn = speed > fastest ? i : *turn;
        fastest = fmax(fastest, speed);
    }
    return fastest;
}

trStatus tr_eval_check_turn_speed(const trEval *e, double h) {
    int fastest = 0;
    return tr_eval_turn_speed(e, &fastest) * h > TR_MOST_TURN
               ? tr_system_refuse_turn(e->system, e->t, fastest)
               : TR_OK;
}

void tr_eval_accept(trEval *e) {
    tr_eval_count(e);
    e->counting = true;
    e->refused = -1;
    for (int i = 0; i < e->system->turns; i++) {
        e->near[i] = e->turn[i];
    }
    for (int i = 0; i < e->system->varying; i++) {
        e->ends_near[i] = e->ends[i];
    }
}
