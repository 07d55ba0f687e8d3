// SPDX-License-Identifier: MIT
// Matrices of Newton's method that turn with the mechanism; see newton_matrix.h.
//
// With F the rotation of the leader since the parts were made, translations (world axes) turn by F
// and rotations (axes of each body) by R(now)' F R(then). The rows of a joint, as they are now in
// turned directions, are A U; what of the rows then they are is the best fit,
//
//     P = A(then) (A U)' ((A U) (A U)')^-1
//
// which is a rotation where rows are components of a vector that turns with the mechanism.

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "la/dense.h"
#include "system/tangent.h"

#define CANDIDATES 8  // for the leader
#define MOST 0.5      // of the angular velocities that must be left without the leader's

static double *pose_of(const trTangent *t, int body) {
    return t->pose + 4 * body;
}

// Angular velocity in world axes; ground has none.
static trVec3 spin(const trEval *e, int body) {
    if (e->motion2 != NULL) {
        return (trVec3){0.0, 0.0, e->motion2[body + 1].omega};
    }
    return e->motion3[body + 1].w;
}

// How much of the turning is left if everything is seen from a body; forces to ground do not turn.
static double left_over(const trSystem *s, const trEval *e, int leader) {
    trVec3 w = leader < 0 ? (trVec3){0.0, 0.0, 0.0} : spin(e, leader);
    double sum = 0.0;
    for (int i = 0; i < s->bodies; i++) {
        sum += tr_length3(tr_sub3(spin(e, i), w));
    }
    for (int i = 0; i < s->varying; i++) {
        bool ground = s->force[i].body1 == TR_GROUND || s->force[i].body2 == TR_GROUND;
        sum += ground ? tr_length3(w) : 0.0;
    }
    return sum;
}

// Some bodies, evenly chosen, so that the cost stays linear.
static int choose_leader(const trSystem *s, const trEval *e) {
    int    leader = -1, stride = s->bodies / CANDIDATES + 1;
    double least = MOST * left_over(s, e, -1);
    for (int i = 0; least > 0.0 && i < s->bodies; i += stride) {
        double left = left_over(s, e, i);
        if (left < least) {
            least = left;
            leader = i;
        }
    }
    return leader;
}

void tr_swing_note(trTangent *t, const trEval *e) {
    const trSystem *s = t->system;
    t->leader = -1;
    if (s->space->dim == 0 || s->space->widen != NULL) {
        return;
    }
    t->leader = choose_leader(s, e);
    for (int i = 0; t->leader >= 0 && i < s->bodies; i++) {
        if (e->motion2 != NULL) {
            pose_of(t, i)[0] = e->motion2[i + 1].angle;
        } else {
            tr_quat_put(e->motion3[i + 1].u, pose_of(t, i));
        }
    }
    if (t->leader >= 0) {
        memcpy(t->A, e->value, (size_t)s->values * sizeof *t->A);
    }
}

trStatus tr_swing_plan(trArena *arena, const trTangent *t, trSwing *out) {
    const trSystem *s = t->system;
    int             numbers = 0;
    for (int g = 0; g < s->joints; g++) {
        numbers += s->joint[g].kind->rows * s->joint[g].kind->rows;
    }
    *out = (trSwing){.body = tr_new_array(arena, double, 4 * s->bodies),
                     .P = tr_new_array(arena, double, numbers)};
    tr_keep_bool(arena, &out->on);
    tr_keep_doubles(arena, out->all, 4);
    return tr_arena_status(arena);
}

// x of one body, by U or by U'.
static void turn_body(const trSystem *s, const trSwing *swing, int body, bool back, double *x) {
    if (s->space->dim == 2) {
        double c = swing->all[0], sine = back ? -swing->all[1] : swing->all[1];
        double old[2] = {x[0], x[1]};
        x[0] = c * old[0] - sine * old[1];
        x[1] = sine * old[0] + c * old[1];
        return;
    }
    const trQuat by[2] = {tr_quat_of(swing->all), tr_quat_of(swing->body + 4 * body)};
    for (int k = 0; k < 2; k++) {
        trVec3 old = tr_vec3_of(x + 3 * k);
        tr_vec3_put(back ? tr_quat_unrotate(by[k], old) : tr_quat_rotate(by[k], old), x + 3 * k);
    }
}

static void turn_rows(const trTangent *t, const trSwing *swing, bool transposed, double *g) {
    const trSystem *s = t->system;
    const double   *P = swing->P;
    for (int j = 0; j < s->joints; j++) {
        int     rows = s->joint[j].kind->rows;
        double *x = g + s->pattern.group_row[j], old[TR_JOINT_ROWS];
        memcpy(old, x, (size_t)rows * sizeof *old);
        for (int i = 0; i < rows; i++) {
            x[i] = 0.0;
            for (int k = 0; k < rows; k++) {
                x[i] += P[transposed ? k * rows + i : i * rows + k] * old[k];
            }
        }
        P += rows * rows;
    }
}

static void turn(const trTangent *t, const trSwing *swing, bool back, double *v, double *rows) {
    for (int i = 0; swing->on && v != NULL && i < t->system->bodies; i++) {
        turn_body(t->system, swing, i, back, v + t->system->space->nv * i);
    }
    if (swing->on && rows != NULL) {
        turn_rows(t, swing, !back, rows);
    }
}

void tr_swing_back(const trTangent *t, const trSwing *swing, double *r, double *g) {
    turn(t, swing, true, r, g);
}

void tr_swing_forth(const trTangent *t, const trSwing *swing, double *v, double *dl) {
    turn(t, swing, false, v, dl);
}

// Adds to (A U) (A U)' and to A(then) (A U)' what one body contributes.
static void add_side(const trTangent *t, const trEval *e, const trSwing *swing, int joint, int side,
                     double *gram, double *cross) {
    const trSystem *s = t->system;
    const trJoint  *j = &s->joint[joint];
    int             body = j->body[side], nv = s->space->nv;
    int             value = s->side[joint][side], rows = j->kind->rows;
    double          AU[TR_JOINT_ROWS * 6];
    if (body == TR_GROUND) {
        return;
    }
    memcpy(AU, e->value + value, (size_t)(rows * nv) * sizeof *AU);
    for (int i = 0; i < rows; i++) {
        turn_body(s, swing, body, true, AU + i * nv);
    }
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < rows; k++) {
            for (int c = 0; c < nv; c++) {
                gram[i + k * rows] += AU[i * nv + c] * AU[k * nv + c];
                cross[i * rows + k] += t->A[value + i * nv + c] * AU[k * nv + c];
            }
        }
    }
}

static bool is_whole(const trTangent *t, int joint) {
    const trSystem *s = t->system;
    int             first = s->pattern.group_row[joint];
    bool            whole = s->joint[joint].kind->nonholonomic == 0;
    for (int i = 0; i < s->joint[joint].kind->rows; i++) {
        whole &= !t->left_out[first + i];
    }
    return whole;
}

// P of one joint; 1 where rows are left out or hold velocities, or nothing fits.
static void fit_rows(const trTangent *t, const trEval *e, const trSwing *swing, int joint,
                     double *P) {
    int    rows = t->system->joint[joint].kind->rows, column = 0;
    double gram[TR_JOINT_ROWS * TR_JOINT_ROWS] = {0.0}, memory[TR_JOINT_ROWS];
    for (int i = 0; i < rows * rows; i++) {
        P[i] = 0.0;
    }
    for (int k = 0; k < t->system->joint[joint].bodies; k++) {
        add_side(t, e, swing, joint, k, gram, P);
    }
    if (is_whole(t, joint) && tr_cholesky_factor(rows, gram, memory, &column) == TR_OK) {
        for (int i = 0; i < rows; i++) {  // a row of P solves the symmetric system
            tr_cholesky_forward(rows, gram, 1, P + i * rows);
            tr_cholesky_backward(rows, gram, P + i * rows);
        }
        return;
    }
    for (int i = 0; i < rows * rows; i++) {
        P[i] = i % (rows + 1) == 0 ? 1.0 : 0.0;
    }
}

void tr_swing_evaluate(const trTangent *t, const trEval *e, trSwing *out) {
    const trSystem *s = t->system;
    double         *P = out->P;
    out->on = t->leader >= 0;
    if (!out->on) {
        return;
    }
    if (s->space->dim == 2) {
        double angle = e->motion2[t->leader + 1].angle - pose_of(t, t->leader)[0];
        out->all[0] = cos(angle);
        out->all[1] = sin(angle);
    } else {
        trQuat then = tr_quat_of(pose_of(t, t->leader));
        trQuat F = tr_quat_mul(e->motion3[t->leader + 1].u, tr_quat_conjugate(then));
        tr_quat_put(F, out->all);
        for (int i = 0; i < s->bodies; i++) {
            trQuat u = tr_quat_mul(tr_quat_conjugate(e->motion3[i + 1].u),
                                   tr_quat_mul(F, tr_quat_of(pose_of(t, i))));
            tr_quat_put(u, out->body + 4 * i);
        }
    }
    for (int j = 0; j < s->joints; j++) {
        fit_rows(t, e, out, j, P);
        P += s->joint[j].kind->rows * s->joint[j].kind->rows;
    }
}
