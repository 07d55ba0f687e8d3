// SPDX-License-Identifier: MIT
// How the loads of force functions change. For every direction of q and v of a body the motion of
// its frame changes by
//
//     dp = dx + dO x r    dO    du = dv + dw x r + w x (dO x r)    dw = R dW + dO x w
//
// with r from the center of mass to the frame's origin p, u the velocity of the origin, and W the
// angular velocity in principal axes, which stays as q changes. The loads F and M at the origin
// change by the function's own tangent, or by central differences. Then, with the moment about the
// center of mass in principal axes, R'(M + r x F),
//
//     d = R'(dM + dr x F + r x dF - dO x (M + r x F))        dr = dO x r

#include <math.h>
#include <string.h>

#include "system/functions.h"

#define STEP 1e-6  // as in tangent_differences.c

// How the frame of a body moves.
typedef struct Change {
    int    body;  // among those of the force
    trVec3 dp, dO, du, dw;
    bool   rates;  // v changes, not q
} Change;

// One force at one state, with memory of the stack of its evaluation.
typedef struct At {
    const trEval          *e;
    const trFunctionForce *f;
    trForceAt              at;
    const trBodyState     *body;   // as it is
    trBodyState           *moved;  // bodies
    const trLoad          *given;  // loads as they are
    trLoad                *plus, *minus;
    double                *K, *D;  // of the function, or NULL
} At;

static double *put3(double *to, int dim, trVec3 x, trVec3 y) {
    const double spatial[] = {x.x, x.y, x.z, y.x, y.y, y.z}, planar[] = {x.x, x.y, y.z};
    memcpy(to, dim == 3 ? spatial : planar, (dim == 3 ? 6 : 3) * sizeof *to);
    return to;
}

static trBodyState move(const trBodyState *b, const Change *c, double h) {
    const trQuat turn = tr_quat_mul(tr_quat_exp(tr_scale3(h, c->dO)), tr_quat_of(b->quaternion));
    trBodyState  m = *b;
    m.x += h * c->dp.x;
    m.y += h * c->dp.y;
    m.z += h * c->dp.z;
    m.angle += h * c->dO.z;
    tr_quat_put(turn, m.quaternion);
    m.vx += h * c->du.x;
    m.vy += h * c->du.y;
    m.vz += h * c->du.z;
    m.omega += h * c->dw.z;
    m.wx += h * c->dw.x;
    m.wy += h * c->dw.y;
    m.wz += h * c->dw.z;
    return m;
}

static void by_differences(const At *a, const Change *c, trLoad *out) {
    const trBodyState *b = &a->body[c->body];
    const double       speed = fmax(tr_length3((trVec3){b->vx, b->vy, b->vz}),
                                    fmax(fabs(b->omega), tr_length3((trVec3){b->wx, b->wy, b->wz})));
    const double       h = STEP * (c->rates ? 1.0 + speed : 1.0);
    trForceAt          at = a->at;
    double             potential = 0.0;
    const size_t       size = (size_t)a->f->bodies * sizeof *out;
    at.body = a->moved;
    for (int side = 0; side < 2; side++) {
        trLoad *load = side == 0 ? a->plus : a->minus;
        memcpy(a->moved, a->body, (size_t)a->f->bodies * sizeof *a->moved);
        a->moved[c->body] = move(b, c, side == 0 ? h : -h);
        memset(load, 0, size);
        a->f->function.load(a->f->function.context, &at, load, &potential);
    }
    for (int k = 0; k < a->f->bodies; k++) {
        const trLoad *p = &a->plus[k], *m = &a->minus[k];
        out[k] = (trLoad){(p->fx - m->fx) / (2.0 * h), (p->fy - m->fy) / (2.0 * h),
                          (p->fz - m->fz) / (2.0 * h), (p->mx - m->mx) / (2.0 * h),
                          (p->my - m->my) / (2.0 * h), (p->mz - m->mz) / (2.0 * h)};
    }
}

static void by_tangent(const At *a, const Change *c, trLoad *out) {
    const int dim = a->e->motion3 != NULL ? 3 : 2, width = dim == 3 ? 6 : 3;
    const int n = width * a->f->bodies;
    double    motion[6], velocity[6];
    put3(motion, dim, c->dp, c->dO);
    put3(velocity, dim, c->du, c->dw);
    for (int k = 0; k < a->f->bodies; k++) {
        double sum[6] = {0.0};
        for (int i = 0; i < width; i++) {
            const ptrdiff_t from = (ptrdiff_t)(width * k + i) * n + width * c->body;
            for (int j = 0; j < width; j++) {
                sum[i] -= a->K[from + j] * motion[j] + a->D[from + j] * velocity[j];
            }
        }
        out[k] = dim == 3 ? (trLoad){sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]}
                          : (trLoad){.fx = sum[0], .fy = sum[1], .mz = sum[2]};
    }
}

// Direction `column` of q or v of a body.
static Change change_of(const At *a, int k, int column, bool rates) {
    const trBodyState *b = &a->body[k];
    const bool         planar = a->e->motion2 != NULL;
    const int          turn = planar ? 2 : 3;
    const trVec3       unit[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const trVec3       r = tr_function_arm(a->e, a->f->body[k], &a->body[k]),
                 w = {b->wx, b->wy, planar ? b->omega : b->wz};
    trVec3 dx = {0.0, 0.0, 0.0}, dO = dx;
    if (column < turn) {
        dx = unit[column];
    } else {
        dO =
            planar ? unit[2] : tr_rotate3(&a->e->motion3[a->f->body[k] + 1].R, unit[column - turn]);
    }
    if (rates) {
        return (Change){k, .du = tr_add3(dx, tr_cross3(dO, r)), .dw = dO, .rates = true};
    }
    const trVec3 dr = tr_cross3(dO, r), dw = tr_cross3(dO, w);
    return (Change){k, tr_add3(dx, dr), dO, tr_add3(tr_cross3(dw, r), tr_cross3(w, dr)), dw, false};
}

// -dQ of body k.
static void put_change(const At *a, int k, const Change *c, const trLoad *d, double *to) {
    const trLoad *l = &a->given[k];
    const trVec3  r = tr_function_arm(a->e, a->f->body[k], &a->body[k]), F = {l->fx, l->fy, l->fz},
                 M = {l->mx, l->my, l->mz};
    const trVec3 dF = {d->fx, d->fy, d->fz};
    trVec3       dM = tr_add3((trVec3){d->mx, d->my, d->mz}, tr_cross3(r, dF));
    if (k == c->body && !c->rates) {
        const trVec3 about = tr_add3(M, tr_cross3(r, F));
        dM = tr_add3(dM, tr_cross3(tr_cross3(c->dO, r), F));
        dM = a->e->motion3 != NULL ? tr_sub3(dM, tr_cross3(c->dO, about)) : dM;
    }
    dM = a->e->motion3 != NULL ? tr_unrotate3(&a->e->motion3[a->f->body[k] + 1].R, dM) : dM;
    put3(to, a->e->motion3 != NULL ? 3 : 2, tr_scale3(-1.0, dF), tr_scale3(-1.0, dM));
}

static void add_columns(const At *a, int width, bool rates, trLoad *change, double *out) {
    const int n = width * a->f->bodies;
    for (int j = 0; j < n; j++) {
        const Change c = change_of(a, j / width, j % width, rates);
        (a->K != NULL && a->D != NULL ? by_tangent : by_differences)(a, &c, change);
        for (int k = 0; k < a->f->bodies; k++) {
            double column[6];
            put_change(a, k, &c, &change[k], column);
            for (int i = 0; i < width; i++) {
                out[(ptrdiff_t)(width * k + i) * n + j] += column[i];
            }
        }
    }
}

void tr_function_tangent(const trEval *e, int i, int width, double *K, double *D) {
    const trFunctionForce *f = e->system->force[i].params;
    const trFunctionWork  *w = e->function_work;
    const size_t           square = (size_t)(width * f->bodies) * (size_t)(width * f->bodies);
    (void)tr_function_loads(e, i);
    At a = {.e = e,
            .f = f,
            .at = {e->t, f->bodies, w->body, e->u},
            .body = w->body,
            .moved = w->moved,
            .given = w->given,
            .plus = w->plus,
            .minus = w->minus};
    if (f->function.tangent != NULL) {
        memset(w->K, 0, square * sizeof *K);
        memset(w->D, 0, square * sizeof *D);
        if (f->function.tangent(f->function.context, &a.at, w->K, w->D) == 0) {
            a.K = w->K;
            a.D = w->D;
        }
    }
    add_columns(&a, width, false, w->change, K);
    add_columns(&a, width, true, w->change, D);
}
