// SPDX-License-Identifier: MIT
// Bodies that cannot move although their joints, one by one, would let them.
//
//     A N = 0:   the rows of N that belong to the body are zero
//
// A is without drives, which hold on purpose, and without constraints of the user's own, which may
// be drives. A slider at dead center has zero rows too and yet moves: what is still here must be so
// in a pose nearby.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "check/check.h"

#define STILL 1e-6         // part of a unit velocity of the null space that is none
#define STEP 0.1           // to the pose nearby, in sizes of a body
#define CLOSED 1e-8        // gap there, in sizes of a body
#define NEAR_ANGLE 0.1745  // between axes that were meant to be in line: 10 degrees [rad]
#define NEAR_LINE 0.1      // their distance, in sizes of a body

typedef struct Rest {
    bool   *still;   // bodies: has not moved so far
    bool   *held;    // m: independent rows of those that count
    double *way;     // n: some motion of all, scaled
    bool   *welded;  // bodies: to ground
    int     count;   // of bodies that are still
} Rest;

// --- what moves ---

// Bodies that move in x (n) are not still.
static void mark(const trCheckWork *w, const double *x, Rest *rest) {
    for (int i = 0; i < w->here.n; i++) {
        int body = i / w->width;
        if (fabs(x[i]) > STILL && rest->still[body]) {
            rest->still[body] = false;
            rest->count--;
        }
    }
}

// Of the pose p. The way takes of each motion another amount, so that they do not cancel.
static trStatus look_at(const trCheckWork *w, const trPose *p, Rest *rest) {
    trRrqr  qr;
    int     count = 0, *from = tr_new_array(p->arena, int, p->m);
    double *x = tr_new_array(p->arena, double, p->n);
    TR_TRY(tr_arena_status(p->arena));
    for (int i = 0; i < p->m; i++) {
        if (tr_check_is_passive(w, w->row[p->row[i]].group)) {
            from[count++] = i;
        }
    }
    if (count > 0) {
        TR_TRY(tr_pose_factor_some(p, count, from, w->rank_tolerance, &qr));
    }
    int rank = count > 0 ? qr.rank : 0;
    for (int k = 0; k < rank; k++) {
        rest->held[p->row[from[qr.pivot[k]]]] = true;
    }
    for (int k = rank; k < p->n && rest->count > 0; k++) {
        memset(x, 0, (size_t)p->n * sizeof *x);
        x[k] = 1.0;
        if (count > 0) {
            tr_rrqr_mul_q(&qr, x);
        }
        mark(w, x, rest);
        tr_add_scaled(p->n, 0.5 + fmod(0.618 * k, 1.0), x, rest->way);
    }
    return TR_OK;
}

// Where no pose nearby is reached nothing is known, and nothing counts as still.
static trStatus look_nearby(trCheckWork *w, trArena *arena, Rest *rest) {
    trPose p = {0};
    bool   done = false;
    double largest = tr_largest(w->here.n, rest->way), *q = tr_new_array(arena, double, w->nq);
    TR_TRY(tr_arena_status(arena));
    if (largest == 0.0) {  // no body moves at all: there is no pose nearby
        return TR_OK;
    }
    for (int i = 0; i < w->here.n; i++) {
        rest->way[i] *= STEP * w->size / largest;
    }
    tr_copy(w->nq, w->q, q);
    tr_check_unscale(w, rest->way, w->dv);
    tr_system_move(w->system, w->dv, q);
    tr_system_normalize(w->system, q);
    TR_TRY(tr_check_settle(w, rest->held, q, &done));  // `done` asks for drives as well
    trStatus status = tr_pose_at(w, arena, q, &p);
    if (status > 0 || (status == TR_OK && !(tr_pose_gap(w, &p, true) <= CLOSED * w->size))) {
        rest->count = 0;
        return TR_OK;
    }
    return status == TR_OK ? look_at(w, &p, rest) : status;
}

// --- what was meant ---

// The other body of a joint of this one, -1 for ground; -2 if the joint is of others.
static int partner(const trJointInfo *joint, int body) {
    return joint->body1 == body ? joint->body2 : joint->body2 == body ? joint->body1 : -2;
}

static bool is_full(const trCheckWork *w, int joint) {
    return w->joint[joint].rows == w->width;
}

static void find_welded(const trCheckWork *w, Rest *rest) {
    for (bool more = true; more;) {
        more = false;
        for (int j = 0; j < w->joints; j++) {
            const int body[2] = {w->joint[j].body1, w->joint[j].body2};
            for (int k = 0; is_full(w, j) && tr_check_is_passive(w, j) && k < 2; k++) {
                int one = body[k], other = body[1 - k];
                if (one >= 0 && !rest->welded[one] && (other < 0 || rest->welded[other])) {
                    more = rest->welded[one] = true;
                }
            }
        }
    }
}

// Some joint leaves it a freedom against something that is still itself.
static bool is_hindered(const trCheckWork *w, const Rest *rest, int body) {
    for (int j = 0; j < w->joints; j++) {
        int other = partner(&w->joint[j], body);
        if (other >= -1 && !is_full(w, j) && tr_check_is_passive(w, j) &&
            (other < 0 || rest->still[other])) {
            return true;
        }
    }
    return false;
}

// --- words ---

static bool is_hinge(const trCheckWork *w, int joint) {
    return w->dim == 3 && strcmp(w->joint[joint].kind, "revolute") == 0;
}

// "; the axes of 'lower' and 'upper' are off by 10 mm, 2.9 deg" if two hinges i and j between the
// same bodies are nearly in line, else NULL.
static const char *off_line(trCheckWork *w, int i, int j) {
    trVec3 a, b, d = tr_sub3(w->point[j], w->point[i]);
    if (!is_hinge(w, i) || !is_hinge(w, j) || !tr_check_joint_axis(w, i, &a) ||
        !tr_check_joint_axis(w, j, &b)) {
        return NULL;
    }
    double angle = atan2(tr_length3(tr_cross3(a, b)), fabs(tr_dot3(a, b)));
    double apart = tr_length3(tr_cross3(d, a)) / tr_length3(a);
    if (angle > NEAR_ANGLE || apart > NEAR_LINE * w->size) {
        return NULL;
    }
    return tr_arena_format(w->arena, "; the axes of '%s' and '%s' are off by %.3g mm, %.2g deg",
                           w->group[i].name, w->group[j].name,
                           apart < STILL * w->size ? 0.0 : 1e3 * apart,
                           angle < STILL ? 0.0 : angle * 57.29577951308232);
}

static const char *first_off_line(trCheckWork *w, int body) {
    for (int i = 0; i < w->joints; i++) {
        int other = partner(&w->joint[i], body);
        for (int j = i + 1; other >= -1 && j < w->joints; j++) {
            const char *text = partner(&w->joint[j], body) == other ? off_line(w, i, j) : NULL;
            if (text != NULL) {
                return text;
            }
        }
    }
    return NULL;
}

static trStatus tell(trCheckWork *w, int body) {
    const char *off = first_off_line(w, body);
    const char *remedy = w->dim == 2
                             ? "if it should move: use joints that constrain less, or leave one out"
                             : "if it should move: see that the axes of its hinges coincide, or "
                               "use joints that constrain less";
    return tr_check_find(w, TR_WARNING, "immobile", tr_check_body(w, body),
                         tr_arena_format(w->arena, "cannot move: its joints hold all of it%s",
                                         off != NULL ? off : ""),
                         off != NULL ? "if it should turn: let these axes coincide" : remedy);
}

static trStatus look(trCheckWork *w, trArena *arena, Rest *rest) {
    trPose here = w->here;
    here.arena = arena;
    rest->still = tr_new_array(arena, bool, w->bodies);
    rest->welded = tr_new_array(arena, bool, w->bodies);
    rest->held = tr_new_array(arena, bool, w->m);
    rest->way = tr_new_array(arena, double, w->here.n);
    TR_TRY(tr_arena_status(arena));
    rest->count = w->bodies;
    for (int i = 0; i < w->bodies; i++) {
        rest->still[i] = true;
    }
    TR_TRY(look_at(w, &here, rest));
    TR_TRY(rest->count > 0 ? look_nearby(w, arena, rest) : TR_OK);
    TR_TRY(tr_check_evaluate(w, w->t, w->q));
    find_welded(w, rest);
    for (int i = 0; rest->count > 0 && i < w->bodies; i++) {
        if (rest->still[i] && !rest->welded[i] && is_hindered(w, rest, i)) {
            TR_TRY(tell(w, i));
        }
    }
    return TR_OK;
}

trStatus tr_check_immobile(trCheckWork *w) {
    Rest rest = {0};
    if (w->dim == 0 || !w->out->assembled || w->bodies == 0) {
        return TR_OK;
    }
    trArena *arena = tr_arena_create();
    trStatus status = arena != NULL ? look(w, arena, &rest) : TR_E_MEMORY;
    tr_arena_destroy(arena);
    return status;
}
