// SPDX-License-Identifier: MIT
// The motion of bodies, recorded: functions of users see body frames, the tape's inputs belong to
// centers of mass and principal axes.
//
//     origin  r = center - R com        velocity  v - omega x (R com)        R = R(u) P'
//     u' = u W / 2 (quaternions)        omega = R(u) W
//
// where P takes principal axes to the frame.

#include "base/vec3.h"
#include "model/traced.h"
#include "tape/derive.h"

static int op(trTape *tape, trTapeOp code, int a, int b) {
    return tr_tape_op(tape, code, a, b, -1);
}

static int number(trTape *tape, double value) {
    return tr_tape_constant(tape, value);
}

static void vector(trTape *tape, trVec3 a, int *out) {
    out[0] = number(tape, a.x);
    out[1] = number(tape, a.y);
    out[2] = number(tape, a.z);
}

int tr_trace_dot(trTape *tape, int count, const int *a, const int *b) {
    int sum = number(tape, 0.0);
    for (int k = 0; k < count; k++) {
        sum = op(tape, TR_OP_ADD, sum, op(tape, TR_OP_MUL, a[k], b[k]));
    }
    return sum;
}

void tr_trace_cross(trTape *tape, const int *a, const int *b, int *out) {
    int product[3];  // `out` may be a or b
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        product[k] =
            op(tape, TR_OP_SUB, op(tape, TR_OP_MUL, a[i], b[j]), op(tape, TR_OP_MUL, a[j], b[i]));
    }
    for (int k = 0; k < 3; k++) {
        out[k] = product[k];
    }
}

void tr_trace_add(trTape *tape, const int *a, const int *b, int *out) {
    for (int k = 0; k < 3; k++) {
        out[k] = op(tape, TR_OP_ADD, a[k], b[k]);
    }
}

void tr_trace_sub(trTape *tape, const int *a, const int *b, int *out) {
    for (int k = 0; k < 3; k++) {
        out[k] = op(tape, TR_OP_SUB, a[k], b[k]);
    }
}

void tr_trace_rotate(trTape *tape, int R[3][3], const int *a, int *out) {
    int turned[3];
    for (int k = 0; k < 3; k++) {
        turned[k] = tr_trace_dot(tape, 3, R[k], a);
    }
    for (int k = 0; k < 3; k++) {
        out[k] = turned[k];
    }
}

// --- quaternions of nodes ---

static void quat_mul(trTape *tape, const int *p, const int *q, int *out) {
    // w = pw qw - pv.qv        v = pw qv + qw pv + pv x qv
    int turned[3];
    int w =
        op(tape, TR_OP_SUB, op(tape, TR_OP_MUL, p[0], q[0]), tr_trace_dot(tape, 3, p + 1, q + 1));
    tr_trace_cross(tape, p + 1, q + 1, turned);
    for (int k = 0; k < 3; k++) {
        int plain = op(tape, TR_OP_ADD, op(tape, TR_OP_MUL, p[0], q[k + 1]),
                       op(tape, TR_OP_MUL, q[0], p[k + 1]));
        out[k + 1] = op(tape, TR_OP_ADD, plain, turned[k]);
    }
    out[0] = w;
}

// R_ii = 1 - 2 (u_j^2 + u_k^2),  R_ij = 2 (u_i u_j - w u_k),  R_ji = 2 (u_i u_j + w u_k), with
// (i, j, k) cyclic and u of unit length.
static void quat_matrix(trTape *tape, const int *u, int R[3][3]) {
    int two = number(tape, 2.0), one = number(tape, 1.0);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int square = op(tape, TR_OP_ADD, op(tape, TR_OP_MUL, u[j + 1], u[j + 1]),
                        op(tape, TR_OP_MUL, u[k + 1], u[k + 1]));
        int product = op(tape, TR_OP_MUL, u[i + 1], u[j + 1]);
        int turn = op(tape, TR_OP_MUL, u[0], u[k + 1]);
        R[i][i] = op(tape, TR_OP_SUB, one, op(tape, TR_OP_MUL, two, square));
        R[i][j] = op(tape, TR_OP_MUL, two, op(tape, TR_OP_SUB, product, turn));
        R[j][i] = op(tape, TR_OP_MUL, two, op(tape, TR_OP_ADD, product, turn));
    }
}

// --- bodies ---

static void inputs(trTape *tape, trInput kind, int first, int count, int *out) {
    for (int k = 0; k < count; k++) {
        out[k] = tr_tape_input(tape, tr_input_number(kind, first + k));
    }
}

// From the center of mass to the origin of the frame.
static void place_frame(trTape *tape, trVec3 com, const int *v, trTracedBody *b) {
    int arm[3], turning[3];
    vector(tape, com, arm);
    tr_trace_rotate(tape, b->R, arm, arm);
    tr_trace_sub(tape, b->center, arm, b->r);
    tr_trace_cross(tape, b->omega, arm, turning);
    tr_trace_sub(tape, v, turning, b->v);
}

static void trace_planar(const trBody *body, trTape *tape, int number_of_body, trTracedBody *b) {
    int zero = number(tape, 0.0), one = number(tape, 1.0), q[3], v[3];
    inputs(tape, TR_INPUT_Q, 3 * number_of_body, 3, q);
    inputs(tape, TR_INPUT_V, 3 * number_of_body, 3, v);
    int c = op(tape, TR_OP_COS, q[2], -1), s = op(tape, TR_OP_SIN, q[2], -1);
    int half = op(tape, TR_OP_MUL, number(tape, 0.5), q[2]);
    *b = (trTracedBody){
        .center = {q[0], q[1], zero},
        .R = {{c, op(tape, TR_OP_NEG, s, -1), zero}, {s, c, zero}, {zero, zero, one}},
        .quaternion = {op(tape, TR_OP_COS, half, -1), zero, zero, op(tape, TR_OP_SIN, half, -1)},
        .omega = {zero, zero, v[2]},
        .angle = q[2]};
    const int velocity[3] = {v[0], v[1], zero};
    place_frame(tape, (trVec3){body->com.x, body->com.y, 0.0}, velocity, b);
}

static void trace_spatial(const trBody *body, trTape *tape, int number_of_body, trTracedBody *b) {
    const trPlace3 *place = &body->spatial.place;
    trQuat          back = tr_quat_conjugate(place->principal);
    const int       turn[4] = {number(tape, back.w), number(tape, back.x), number(tape, back.y),
                               number(tape, back.z)};
    int             q[7], v[6], principal[3][3];
    inputs(tape, TR_INPUT_Q, 7 * number_of_body, 7, q);
    inputs(tape, TR_INPUT_V, 6 * number_of_body, 6, v);
    *b = (trTracedBody){.center = {q[0], q[1], q[2]}, .angle = -1};
    quat_mul(tape, q + 3, turn, b->quaternion);
    quat_matrix(tape, b->quaternion, b->R);
    quat_matrix(tape, q + 3, principal);
    tr_trace_rotate(tape, principal, v + 3, b->omega);
    place_frame(tape, place->com, v, b);
}

void tr_trace_body(const trModel *model, trTape *tape, int body, trTracedBody *out) {
    int zero = number(tape, 0.0), one = number(tape, 1.0);
    if (body == TR_GROUND) {
        *out = (trTracedBody){.center = {zero, zero, zero},
                              .r = {zero, zero, zero},
                              .v = {zero, zero, zero},
                              .R = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}},
                              .quaternion = {one, zero, zero, zero},
                              .omega = {zero, zero, zero},
                              .angle = model->dim == 2 ? zero : -1};
    } else if (model->dim == 2) {
        trace_planar(&model->body[body], tape, body, out);
    } else {
        trace_spatial(&model->body[body], tape, body, out);
    }
}

int tr_trace_rates(const trModel *model, trTape *tape, int body, trInput velocity, int *rate) {
    if (model->dim != 3) {
        int count = model->dim == 2 ? 3 : 1;
        inputs(tape, velocity, count * body, count, rate);
        return count;
    }
    int W[4] = {number(tape, 0.0), -1, -1, -1}, u[4], half = number(tape, 0.5);
    inputs(tape, velocity, 6 * body, 3, rate);
    inputs(tape, velocity, 6 * body + 3, 3, W + 1);
    inputs(tape, TR_INPUT_Q, 7 * body + 3, 4, u);
    quat_mul(tape, u, W, rate + 3);
    for (int k = 3; k < 7; k++) {
        rate[k] = op(tape, TR_OP_MUL, half, rate[k]);
    }
    return 7;
}

// --- loads ---

void tr_trace_load(const trModel *model, trTape *tape, int body1, int body2, const int *force,
                   const int *moment, trTracedForce *out) {
    const int    body[2] = {body1, body2};
    trTracedBody at;
    *out = (trTracedForce){.potential = -1, .explicit_rate = -1};
    tr_trace_body(model, tape, body2, &at);
    for (int side = 0; side < 2; side++) {
        trTracedBody b;
        int          arm[3], turning[3], load[6];
        tr_trace_body(model, tape, body[side], &b);
        tr_trace_sub(tape, at.r, b.center, arm);
        tr_trace_cross(tape, arm, force, turning);
        tr_trace_add(tape, moment, turning, load + 3);
        for (int k = 0; k < 6; k++) {
            int  part = k < 3 ? force[k] : load[k];
            bool none = body[side] == TR_GROUND;
            out->load[side][k] = none ? -1 : (side == 0 ? op(tape, TR_OP_NEG, part, -1) : part);
        }
    }
}

int tr_trace_generalized(const trModel *model, trTape *tape, int body, const int *load, int *out) {
    if (model->dim == 2) {
        out[0] = load[0];
        out[1] = load[1];
        out[2] = load[5];
        return 3;
    }
    int u[4], R[3][3];
    inputs(tape, TR_INPUT_Q, 7 * body + 3, 4, u);
    quat_matrix(tape, u, R);
    for (int k = 0; k < 3; k++) {
        const int column[3] = {R[0][k], R[1][k], R[2][k]};
        out[k] = load[k];
        out[3 + k] = tr_trace_dot(tape, 3, column, load + 3);
    }
    return 6;
}

// The load -dV in the directions of a body's virtual velocity: dV = (dV/dq) q'(virtual).
static trStatus potential_load(const trModel *model, trDerive *d, int body, int rate, int *load) {
    trTape *tape = d->tape;
    int     width = model->dim == 2 ? 3 : 6, input[6], part[6], zero = number(tape, 0.0);
    for (int k = 0; k < width; k++) {
        input[k] = tr_input_number(TR_INPUT_VIRTUAL, width * body + k);
    }
    TR_TRY(tr_derive_gradient(d, rate, width, input, part));
    for (int k = 0; k < width; k++) {
        part[k] = op(tape, TR_OP_NEG, part[k], -1);
    }
    if (model->dim == 2) {
        const int planar[6] = {part[0], part[1], zero, zero, zero, part[2]};
        for (int k = 0; k < 6; k++) {
            load[k] = planar[k];
        }
        return tr_tape_room(tape);
    }
    // The moment comes in principal axes.
    int u[4], R[3][3];
    inputs(tape, TR_INPUT_Q, 7 * body + 3, 4, u);
    quat_matrix(tape, u, R);
    for (int k = 0; k < 3; k++) {
        load[k] = part[k];
    }
    tr_trace_rotate(tape, R, part + 3, load + 3);
    return tr_tape_room(tape);
}

// Rates of all inputs where the two bodies move with their virtual velocities.
static trStatus virtual_rates(const trModel *model, trTape *tape, trArena *scratch,
                              const int body[2], int *count, int **rate) {
    int per_body = model->dim == 2 ? 3 : 7;
    *count = tr_input_number(TR_INPUTS, per_body * model->bodies);
    *rate = tr_new_array(scratch, int, *count);
    TR_TRY(tr_arena_status(scratch));
    for (int i = 0; i < *count; i++) {
        (*rate)[i] = -1;
    }
    for (int side = 0; side < 2; side++) {
        int own[7], numbers = 0;
        if (body[side] != TR_GROUND) {
            numbers = tr_trace_rates(model, tape, body[side], TR_INPUT_VIRTUAL, own);
        }
        for (int k = 0; k < numbers; k++) {
            (*rate)[tr_input_number(TR_INPUT_Q, per_body * body[side] + k)] = own[k];
        }
    }
    return TR_OK;
}

// A potential is a function of positions and time.
static trStatus refuse_velocities(trDerive *d, trArena *scratch, int potential) {
    int  count = tr_derive_inputs(d, potential, 0, NULL);
    int *input = tr_new_array(scratch, int, count);
    TR_TRY(tr_arena_status(scratch));
    tr_derive_inputs(d, potential, count, input);
    for (int i = 0; i < count; i++) {
        if (tr_input_kind(input[i]) == TR_INPUT_V) {
            return tr_fail(TR_E_MODEL,
                           "potential depends on velocities; give the force and moment instead");
        }
    }
    return TR_OK;
}

static trStatus derive_potential(const trModel *model, trTape *tape, trArena *scratch,
                                 const int body[2], trTracedForce *out) {
    trDerive d, alone;
    int      count = 0, *rate = NULL, change = -1, unit = number(tape, 1.0);
    TR_TRY(virtual_rates(model, tape, scratch, body, &count, &rate));
    tr_derive_begin(&d, tape, scratch);
    TR_TRY(refuse_velocities(&d, scratch, out->potential));
    tr_derive_set_rates(&d, count, rate);
    TR_TRY(tr_derive_rate(&d, out->potential, &change));
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 6; k++) {
            out->load[side][k] = -1;
        }
        if (body[side] != TR_GROUND) {
            TR_TRY(potential_load(model, &d, body[side], change, out->load[side]));
        }
    }
    tr_derive_begin(&alone, tape, scratch);  // time alone
    tr_derive_set_rates(&alone, 1, &unit);
    return tr_derive_rate(&alone, out->potential, &out->explicit_rate);
}

trStatus tr_trace_potential(const trModel *model, trTape *tape, int body1, int body2, int potential,
                            trTracedForce *out) {
    const int body[2] = {body1, body2};
    trArena  *scratch = tr_arena_create();
    *out = (trTracedForce){.potential = potential};
    trStatus status = derive_potential(model, tape, scratch, body, out);
    tr_arena_destroy(scratch);
    return status;
}
