// SPDX-License-Identifier: MIT
// Coordinates of all bodies, by the space of each.

#include <math.h>

#include "system/system.h"

bool tr_space_turns(const trSpace *space, int column) {
    return space->dim != 0 && column >= space->dim;
}

int tr_space_measure(const trSpace *space, int column) {
    const int turning = space->dim == 2 ? TR_MEASURE_ANGLE : 2;
    return tr_space_turns(space, column) ? turning : 1;
}

const char *tr_space_motion(const trSpace *space, int column) {
    static const char *const along[] = {"its motion along x", "its motion along y",
                                        "its motion along z"};
    if (space->dim == 0) {
        return "its motion";
    }
    const char *turn = space->dim == 2 ? "its rotation" : "a rotation of it";
    return column < space->dim ? along[column] : turn;
}

void tr_space_retract(const trSpace *space, const double *dv, double *q) {
    if (space->retract != NULL) {
        space->retract(dv, q);
        return;
    }
    for (int k = 0; k < space->nv; k++) {
        q[k] += dv[k];
    }
}

void tr_space_difference(const trSpace *space, const double *q1, const double *q0, double *dv) {
    if (space->difference != NULL) {
        space->difference(q1, q0, dv);
        return;
    }
    for (int k = 0; k < space->nv; k++) {
        dv[k] = q1[k] - q0[k];
    }
}

void tr_system_rate(const trSystem *s, const double *q, const double *v, double *q_dot) {
    const trSpace *space = s->space;
    for (int i = 0; space->rate == NULL && i < s->nq; i++) {
        q_dot[i] = v[i];
    }
    for (int i = 0; space->rate != NULL && i < s->bodies; i++) {
        space->rate(q + space->nq * i, v + space->nv * i, q_dot + space->nq * i);
    }
}

void tr_system_pull(const trSystem *s, const double *q, const double *q_dot, double *v) {
    const trSpace *space = s->space;
    for (int i = 0; space->pull == NULL && i < s->nv; i++) {
        v[i] = q_dot[i];
    }
    for (int i = 0; space->pull != NULL && i < s->bodies; i++) {
        space->pull(q + space->nq * i, q_dot + space->nq * i, v + space->nv * i);
    }
}

void tr_system_retract(const trSystem *s, const double *dv, double *q) {
    const trSpace *space = s->space;
    for (int i = 0; i < s->bodies; i++) {
        tr_space_retract(space, dv + space->nv * i, q + space->nq * i);
    }
}

#define NEWTON_TURN 0.5  // of a spatial body in one step of Newton's method [rad]

double tr_system_reach(const trSystem *s, const double *dv) {
    const trSpace *space = s->space;
    double         most = 0.0;
    for (int i = 0; space->dim == 3 && i < s->bodies; i++) {
        const double *turn = dv + space->nv * i + 3;
        for (int k = 0; k < space->nv - 3; k++) {
            most = fmax(most, fabs(turn[k]));
        }
    }
    return most > NEWTON_TURN ? NEWTON_TURN / most : 1.0;
}

void tr_system_difference(const trSystem *s, const double *q1, const double *q0, double *dv) {
    const trSpace *space = s->space;
    for (int i = 0; i < s->bodies; i++) {
        tr_space_difference(space, q1 + space->nq * i, q0 + space->nq * i, dv + space->nv * i);
    }
}

void tr_system_compose(const trSystem *s, const double *dq, double *x) {
    const trSpace *space = s->space;
    for (int i = 0; space->compose == NULL && i < s->nv; i++) {
        x[i] += dq[i];
    }
    for (int i = 0; space->compose != NULL && i < s->bodies; i++) {
        space->compose(dq + space->nv * i, x + space->nv * i);
    }
}

// T^-1 v: the columns of T^-1 are what chain makes of the unit matrix.
void tr_system_x_rate(const trSystem *s, const double *x, const double *v, double *x_dot) {
    const trSpace *space = s->space;
    int            nv = space->nv;
    for (int i = 0; space->chain == NULL && i < s->nv; i++) {
        x_dot[i] = v[i];
    }
    for (int i = 0; space->chain != NULL && i < s->bodies; i++) {
        double T[36];
        for (int k = 0; k < nv * nv; k++) {
            T[k] = k % (nv + 1) == 0 ? 1.0 : 0.0;
        }
        space->chain(x + nv * i, nv, nv, T);
        for (int k = 0; k < nv; k++) {
            x_dot[nv * i + k] = 0.0;
            for (int j = 0; j < nv; j++) {
                x_dot[nv * i + k] += T[nv * k + j] * v[nv * i + j];
            }
        }
    }
}

// Errors e of all four numbers of a quaternion turn a body by 2 |(e, e, e, e)| = 4 e, and likewise
// for their rates. Tolerances are meant for angles.
#define QUATERNION_WEIGHT 4.0

void tr_system_weights(const trSystem *s, double *weight) {
    const int size[2] = {s->space->nq, s->space->nv};
    for (int level = 0; level < 2; level++) {
        for (int i = 0; i < s->bodies * size[level]; i++) {
            bool quaternion = size[level] == 7 && i % 7 >= 3;
            *weight++ = quaternion ? QUATERNION_WEIGHT : 1.0;
        }
    }
    for (int i = 0; i < s->states; i++) {
        *weight++ = 1.0;
    }
}

void tr_system_normalize(const trSystem *s, double *q) {
    const trSpace *space = s->space;
    for (int i = 0; space->normalize != NULL && i < s->bodies; i++) {
        space->normalize(q + space->nq * i);
    }
}

double tr_eval_kinetic(const trEval *e, const double *q, const double *v) {
    const trSystem *s = e->system;
    const trSpace  *space = s->space;
    double          sum = 0.0;
    for (int i = 0; space->kinetic != NULL && i < s->bodies; i++) {
        sum += space->kinetic(&s->body[i], q + space->nq * i, v + space->nv * i);
    }
    return space->kinetic != NULL ? sum : 0.5 * tr_mass_form(&e->equations.M, v);
}
