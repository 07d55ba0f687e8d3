// SPDX-License-Identifier: MIT
// Angles that count turns, from row to row. A pose tells them but for periods of two turns, after
// which a quaternion is the same again.
//
// Where rows are close, cubics through both are followed:
//
//     q0 + s h q0' + s^2 (3 d - 2 h q0' - h q1') + s^3 (h q0' + h q1' - 2 d)        d = q1 - q0
//
// The quaternion of a body that turns by w h moves on a circle, by 2 x = w h / 2. In the middle the
// cubic stands at the angle x, at cos x + x / 2 sin x from the center, which is positive up to x =
// 2.46, w h = 9.8 rad; beyond that it passes on the wrong side and has lost a period.
//
// Where something turns farther, the periods are those with which the row agrees with itself best:
// the load of a spring with its column, phi of a joint with zero. They are looked for around
//
//     turn0 + h (turn0' + turn1') / 2
//
// as far as the rates of both rows reach, twice over. All periods of one spring but the right one
// are wrong by its load over two turns, so that an altered number is found as before; whole periods
// alone are not judged there, and a note says so.

#include <math.h>
#include <string.h>

#include "joint/spatial.h"
#include "verify/verify.h"

#define MOST_STEPS 1000    // between two rows
#define STEP_ANGLE 1.0     // [rad]
#define FAR 10.0           // twice the largest w h of an axis, 8.7 rad about any [rad]
#define ALONG 1e-3         // by which turns are moved to find their rates [rad]
#define MOST_PERIODS 1000  // of a single angle, to either side
#define MOST_PAIRS 3       // of each of two, likewise

trStatus tr_turns_plan(trVerifier *V) {
    V->turn_rate = tr_new_array(V->arena, double, 2 * (ptrdiff_t)V->system->turns);
    V->turn_near = tr_new_array(V->arena, double, V->system->turns);
    return tr_arena_status(V->arena);
}

// The largest angular velocity of a body about an axis of its own, of both rows. [rad/s]
static double fastest(const trVerifier *V) {
    const trSpace *space = V->system->space;
    const double  *v0 = V->before + V->system->nq;
    double         most = 0.0;
    for (int i = 0; i < V->system->nv; i++) {
        if (tr_space_turns(space, i % space->nv)) {
            most = fmax(most, fmax(fabs(v0[i]), fabs(V->v[i])));
        }
    }
    return most;
}

static void follow_cubics(trVerifier *V, double h, double turned) {
    const trSystem *s = V->system;
    double         *q = V->beside, *rate0 = V->work2, *rate1 = V->work2 + s->nq;
    int             count = (int)fmin(ceil(turned / STEP_ANGLE), MOST_STEPS);
    tr_system_rate(s, V->before, V->before + s->nq, rate0);
    tr_system_rate(s, V->q, V->v, rate1);
    for (int k = 1; k < count; k++) {
        double z = (double)k / count;
        for (int i = 0; i < s->nq; i++) {
            double q0 = V->before[i], d = V->q[i] - q0, r0 = h * rate0[i], r1 = h * rate1[i];
            q[i] = q0 + z * (r0 + z * (3.0 * d - 2.0 * r0 - r1 + z * (r0 + r1 - 2.0 * d)));
        }
        tr_system_normalize(s, q);
        if (tr_system_eval(s, V->t_before + z * h, q, V->v, &V->eval) == TR_OK) {
            tr_eval_accept(&V->eval);
        }
    }
}

// --- rows that are far apart ---

// Evaluates at the row with angles nearest to those of `turn_near`, however far that is.
static bool eval_near(trVerifier *V) {
    V->eval.counting = false;
    memcpy(V->eval.near, V->turn_near, (size_t)V->system->turns * sizeof *V->eval.near);
    return tr_system_eval(V->system, V->row[0], V->q, V->v, &V->eval) == TR_OK;
}

// Angles at q moved by e v, nearest to `near`.
static bool turns_along(trVerifier *V, const double *q, const double *v, double e,
                        const double *near) {
    const trSystem *s = V->system;
    double         *dv = V->work2;
    memcpy(V->beside, q, (size_t)s->nq * sizeof *q);
    for (int i = 0; i < s->nv; i++) {
        dv[i] = e * v[i];
    }
    tr_system_retract(s, dv, V->beside);
    V->nudged.counting = false;
    V->nudged.z = V->eval.z;
    memcpy(V->nudged.near, near, (size_t)s->turns * sizeof *near);
    return tr_system_eval(s, V->row[0], V->beside, v, &V->nudged) == TR_OK;
}

// Rates of the angles at q, v, where they are `turn`: differences along v.
static void find_rates(trVerifier *V, const double *q, const double *v, const double *turn,
                       double e, double *rate) {
    int  turns = V->system->turns;
    bool known = turns_along(V, q, v, -e, turn);
    for (int i = 0; i < turns; i++) {
        rate[i] = -V->nudged.turn[i] / (2.0 * e);
    }
    known = known && turns_along(V, q, v, e, turn);
    for (int i = 0; i < turns; i++) {
        rate[i] = known ? rate[i] + V->nudged.turn[i] / (2.0 * e) : 0.0;
    }
}

// Where the angles are about, by the rates of both rows; at the start of a file by its pose alone.
static bool predict(trVerifier *V, double h, double w) {
    const trSystem *s = V->system;
    double         *near = V->turn_near, *rate0 = V->turn_rate, *rate1 = V->turn_rate + s->turns;
    memcpy(near, V->eval.near, (size_t)s->turns * sizeof *near);
    if (V->index == 0) {
        return eval_near(V);
    }
    find_rates(V, V->before, V->before + s->nq, near, ALONG / w, rate0);
    if (!eval_near(V)) {
        return false;
    }
    find_rates(V, V->q, V->v, V->eval.turn, ALONG / w, rate1);
    for (int i = 0; i < s->turns; i++) {
        near[i] += 0.5 * h * (rate0[i] + rate1[i]);
    }
    return eval_near(V);
}

// By how much the load of a force differs from its column, near the angle of which it is asked for.
static double misfit_of_force(trVerifier *V, int i) {
    const double *c = V->row + V->layout.force + V->layout.per_load * i;
    trLoad3       load = tr_eval_force(&V->eval, i);
    return tr_length3(tr_sub3(tr_columns3(c), load.force)) +
           tr_length3(tr_sub3(tr_columns3(c + 3), load.moment));
}

// By how much a joint is open there.
static double misfit_of_joint(trVerifier *V, int j) {
    const trSystem *s = V->system;
    double          sum = eval_near(V) ? 0.0 : INFINITY;
    for (int i = s->pattern.group_row[j]; i < s->pattern.group_row[j + 1]; i++) {
        sum += fabs(V->eval.phi[i]);
    }
    return sum;
}

// 0, 1, -1, 2, -2, ...: what is near comes first, and stays where others are no better.
static double period(int k) {
    return TR_TWIST_PERIOD * (k % 2 == 0 ? -k / 2 : (k + 1) / 2);
}

static void choose_of_force(trVerifier *V, int i, int reach) {
    double *near = V->eval.near + V->system->force_turn[i], start = *near, best = start;
    double  least = INFINITY;
    for (int k = 0; k <= 2 * reach; k++) {
        *near = start + period(k);
        double own = misfit_of_force(V, i);
        best = own < least ? *near : best;
        least = fmin(least, own);
    }
    V->turn_near[V->system->force_turn[i]] = *near = best;
}

// Of one angle, or of two.
static void choose_of_joint(trVerifier *V, int j, int reach) {
    int     turns = V->system->joint[j].kind->turns;
    double *near = V->turn_near + V->system->joint_turn[j], least = INFINITY;
    double  start[2] = {near[0], turns > 1 ? near[1] : 0.0}, best[2] = {near[0], start[1]};
    int first = turns > 1 ? (int)fmin(reach, MOST_PAIRS) : reach, second = turns > 1 ? first : 0;
    for (int k = 0; k <= 2 * first; k++) {
        for (int l = 0; l <= 2 * second; l++) {
            near[0] = start[0] + period(k);
            near[turns - 1] = turns > 1 ? start[1] + period(l) : near[0];
            double own = misfit_of_joint(V, j);
            bool   better = own < least;
            best[0] = better ? near[0] : best[0];
            best[1] = better ? near[turns - 1] : best[1];
            least = fmin(least, own);
        }
    }
    near[0] = best[0];
    near[turns - 1] = best[turns - 1];
}

static void choose_periods(trVerifier *V, double h, double w) {
    const trSystem *s = V->system;
    int             reach = (int)fmin(1.0 + ceil(2.0 * w * h / TR_TWIST_PERIOD), MOST_PERIODS);
    if (!predict(V, h, w)) {
        return;
    }
    for (int j = 0; j < s->joints; j++) {
        if (s->joint[j].kind->turns > 0) {
            choose_of_joint(V, j, reach);
        }
    }
    bool known = eval_near(V);
    for (int i = 0; known && i < s->varying; i++) {
        if (s->force[i].kind->turns == 1) {
            choose_of_force(V, i, reach);
        }
    }
    if (eval_near(V)) {
        tr_eval_accept(&V->eval);
    }
    V->uncounted = true;
}

void tr_follow_turns(trVerifier *V) {
    bool   later = V->index == 0 && V->planned.offset > 0.0;
    double h = V->row[0] - V->t_before, w = fastest(V);
    if (V->system->turns == 0 || (V->index > 0 ? !(h > 0.0) : !later)) {
        return;
    }
    if (later) {
        choose_periods(V, INFINITY, fmax(w, 1.0));
    } else if (2.0 * w * h > FAR) {
        choose_periods(V, h, w);
    } else {
        follow_cubics(V, h, 2.0 * w * h);
    }
}
