// SPDX-License-Identifier: MIT
// The tangent in quaternion coordinates, v = q', by the chain rule from what joints and forces say
// for (v, W) and small rotations (see quaternion.c):
//
//     W = P u'      d(rotation) = P du      dW = P du' + G(u') du
//     G(x) = d(P x)/du = -2 E(x) / n - (2/n) (P x) u'        n = u.u
//
// With B = diag(1, P), and r6 what r is for (v, W): r = B' r6 + (row of the norm), so that
//
//     D = B' D6 B        K = B' (K6 B + D6 G) + d(P' y)/du        y: moments of r6
//
// in which y follows from r itself, because P P' = 4 / n and the norm's row pushes along u, P u =
// 0.

#include <string.h>

#include "system/tangent_parts.h"

// G(x), with P of the quaternion u.
static void slope(const trLift *l, const double *u, const double *x, double G[3][4]) {
    double       n = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3];
    const double E[3][4] = {
        {-x[1], x[0], x[3], -x[2]}, {-x[2], -x[3], x[0], x[1]}, {-x[3], x[2], -x[1], x[0]}};
    for (int i = 0; i < 3; i++) {
        const double *P = l->P[i];
        double        Px = P[0] * x[0] + P[1] * x[1] + P[2] * x[2] + P[3] * x[3];
        for (int j = 0; j < 4; j++) {
            G[i][j] = -2.0 / n * (E[i][j] + Px * u[j]);
        }
    }
}

// out (4) = x' S for a row x of three and a matrix S of 3 x 4, row after row, added.
static void add_product(const double *x, const double *S, double *out) {
    for (int j = 0; j < 4; j++) {
        out[j] += x[0] * S[j] + x[1] * S[4 + j] + x[2] * S[8 + j];
    }
}

// --- blocks of joints, forces and recorded equations ---

void tr_quaternion_widen_rows(const trEval *e, int body, int rows, int stride, const double *N,
                              const double *J, double *wide) {
    const trLift *l = &e->lift[body];
    const double *u = e->q + 7 * body + 3;
    double        G[3][4], n = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3];
    slope(l, u, e->v + 7 * body + 3, G);
    for (int i = 0; i < rows; i++) {
        double *to = wide + 7 * i, c[3] = {0.0, 0.0, 0.0};
        memset(to, 0, 7 * sizeof *to);
        if (N != NULL) {
            memcpy(to, N + i * stride, 3 * sizeof *to);
            add_product(N + i * stride + 3, l->P[0], to + 3);
        }
        for (int k = 0; J != NULL && k < 12; k++) {  // c = (c P) P' n / 4
            c[k / 4] += 0.25 * n * J[7 * i + 3 + k % 4] * l->P[k / 4][k % 4];
        }
        add_product(c, G[0], to + 3);
    }
}

void tr_quaternion_widen(const trEval *e, const int body[2], int stride, const double *K,
                         const double *D, double *wide) {
    const trLift *from = &e->lift[body[0]], *to = &e->lift[body[1]];
    double        X[6][7], G[3][4];
    slope(to, e->q + 7 * body[1] + 3, e->v + 7 * body[1] + 3, G);
    for (int i = 0; i < 6; i++) {
        memcpy(X[i], K + i * stride, 3 * sizeof *K);
        memset(X[i] + 3, 0, 4 * sizeof *K);
        add_product(K + i * stride + 3, to->P[0], X[i] + 3);
        if (D != NULL) {
            add_product(D + i * stride + 3, G[0], X[i] + 3);
        }
    }
    memcpy(wide, X, 21 * sizeof *wide);
    for (int i = 0; i < 28; i++) {
        int row = i / 7, j = i % 7;
        wide[21 + i] =
            from->P[0][row] * X[3][j] + from->P[1][row] * X[4][j] + from->P[2][row] * X[5][j];
    }
}

// --- bodies ---

// Q - A' lambda
void tr_quaternion_begin(trTangent *t, const trEval *e, const trTangentState *state) {
    memcpy(t->load, e->Q, (size_t)t->system->nv * sizeof *t->load);
    tr_rows_tmul_sub(&e->equations.A, state->lambda, t->load);
}

// One body while its own blocks are made.
typedef struct Turning {
    const trLift *l;
    const double *u, *u_dot, *u_ddot;  // 4
    double        n, J[3], W[3];
    double        gyro[3][3];            // [W]x J - [J W]x: of W x J W by W
    double        G[3][4];               // of W by u
    double        M[4][4];               // P'JP
    double        moment[3];             // y
    double        y_u[3][4], y_v[3][4];  // of J W' + W x J W
} Turning;

// y_u and y_v, with W' = P u'' - k W and k = 2 u.u' / n.
static void change_inertia(Turning *b) {
    double G[3][4], k = b->l->k;
    slope(b->l, b->u, b->u_ddot, G);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            double k_u = 2.0 / b->n * (b->u_dot[j] - k * b->u[j]), k_v = 2.0 / b->n * b->u[j];
            b->y_u[i][j] = b->J[i] * (G[i][j] - b->W[i] * k_u - k * b->G[i][j]);
            b->y_v[i][j] = -b->J[i] * (b->W[i] * k_v + k * b->l->P[i][j]);
        }
        add_product(b->gyro[i], b->G[0], b->y_u[i]);
        add_product(b->gyro[i], b->l->P[0], b->y_v[i]);
    }
}

// y = (n/4) P (M a + A' lambda - Q), of rotations.
static void find_moment(Turning *b, const double *load) {
    for (int i = 0; i < 3; i++) {
        b->moment[i] = 0.0;
        for (int j = 0; j < 4; j++) {
            double r = -load[j];
            for (int k = 0; k < 4; k++) {
                r += b->M[j][k] * b->u_ddot[k];
            }
            b->moment[i] += 0.25 * b->n * b->l->P[i][j] * r;
        }
    }
}

static Turning turning(const trTangent *t, const trEval *e, const trTangentState *state, int i) {
    const trSystem *s = t->system;
    const trVec3    J = s->body[i].spatial.place.inertia, W = e->lift[i].W;
    const double   *u = e->q + 7 * i + 3, *M = e->M + (ptrdiff_t)(7 * i + 3) * (s->nv + 1);
    Turning         b = {.l = &e->lift[i],
                         .u = u,
                         .u_dot = e->v + 7 * i + 3,
                         .u_ddot = state->a + 7 * i + 3,
                         .n = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3],
                         .J = {J.x, J.y, J.z},
                         .W = {W.x, W.y, W.z},
                         .gyro = {{0.0, (J.z - J.y) * W.z, (J.z - J.y) * W.y},
                                  {(J.x - J.z) * W.z, 0.0, (J.x - J.z) * W.x},
                                  {(J.y - J.x) * W.y, (J.y - J.x) * W.x, 0.0}}};
    for (int k = 0; k < 16; k++) {
        b.M[k / 4][k % 4] = M[(ptrdiff_t)(k / 4) * s->nv + k % 4];
    }
    slope(b.l, b.u, b.u_dot, b.G);
    find_moment(&b, t->load + 7 * i + 3);
    change_inertia(&b);
    return b;
}

// P'Y, and for K d(P' y)/du = 2 H(y) / n - (2/n) (P' y) u' and the norm's row, lambda u.
static void change_moments(const Turning *b, double lambda, double K[4][4], double D[4][4]) {
    const double *y = b->moment;
    const double  H[4][4] = {{0.0, -y[0], -y[1], -y[2]},
                             {y[0], 0.0, y[2], -y[1]},
                             {y[1], -y[2], 0.0, y[0]},
                             {y[2], y[1], -y[0], 0.0}};
    for (int i = 0; i < 4; i++) {
        const double P[3] = {b->l->P[0][i], b->l->P[1][i], b->l->P[2][i]};
        double       Py = P[0] * y[0] + P[1] * y[1] + P[2] * y[2];
        for (int j = 0; j < 4; j++) {
            K[i][j] = 2.0 / b->n * (H[i][j] - Py * b->u[j]) + (i == j ? lambda : 0.0);
            D[i][j] = 0.0;
        }
        add_product(P, b->y_u[0], K[i]);
        add_product(P, b->y_v[0], D[i]);
    }
}

void tr_quaternion_put(trTangent *t, const trEval *e, const trTangentState *state, int i) {
    const trSystem *s = t->system;
    const int       group = s->joints + i, norm = s->pattern.group_row[group];
    const int       row = 7 * i, turn = row + 3;
    Turning         b = {.u = NULL};
    double          K[4][4] = {{0.0}}, D[4][4] = {{0.0}}, push[4] = {0.0};
    if (e != NULL) {
        b = turning(t, e, state, i);
        change_moments(&b, state->lambda[norm], K, D);
    }
    for (int k = 0; e != NULL && k < 4; k++) {
        push[k] = t->scale[group] * b.u[k];
    }
    tr_put_block(t, tr_part_block(TR_PART_M, row, row, 3, 0), 0, &s->body[i].mass);
    tr_put_block(t, tr_part_block(TR_PART_M, turn, turn, 4, 4), 4, b.M[0]);
    tr_put_block(t, tr_part_block(TR_PART_D, turn, turn, 4, 4), 4, D[0]);
    tr_put_block(t, tr_part_block(TR_PART_K, turn, turn, 4, 4), 4, K[0]);
    tr_put_block(t, tr_part_block(TR_PART_A, norm, turn, 1, 4), 4, b.u);
    tr_put_block(t, tr_part_block(TR_PART_V, norm, turn, 1, 4), 4, b.u);
    tr_put_block(t, tr_part_block(TR_PART_N, norm, turn, 1, 4), 4, b.u_dot);
    tr_put_block(t, tr_part_block(TR_PART_AT, turn, norm, 4, 1), 1, push);
}
