// SPDX-License-Identifier: MIT
#include "glue/free_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

#define MOST 6
#define GRAVITY 9.81  // along -y [m/s^2]

typedef struct Body {
    int          dim, n;         // n: velocities
    double       inertia[MOST];  // of each velocity
    trCoordinate c[MOST];        // of rotations in space, q is the turn within the step
    trQuat       u;
    trGlueStep   step;
    double       f[MOST], da[MOST];
} Body;

static void turn(Body *b, double x, double y, double z) {
    b->u = tr_quat_unit(tr_quat_mul(tr_quat_exp((trVec3){x, y, z}), b->u));
}

static int predict(void *self, const trGlueStep *step) {
    Body *b = self;
    b->step = *step;
    for (int i = 0; i < b->n; i++) {
        b->c[i].q = i < 3 ? b->c[i].q : 0.0;
        tr_coordinate_predict(&b->c[i], step);
    }
    if (b->dim == 3) {
        turn(b, b->c[3].q, b->c[4].q, b->c[5].q);
    }
    return 0;
}

static int residual(void *self, double *size) {
    Body  *b = self;
    double most = 0.0, largest = 0.0;
    for (int i = 0; i < b->n; i++) {
        double weight = i == 1 ? -GRAVITY * b->inertia[i] : 0.0;
        double inertial = b->inertia[i] * b->c[i].a, r = inertial - b->f[i] - weight;
        b->da[i] = -r / b->inertia[i];
        most = fmax(most, fabs(r));
        largest = fmax(fmax(largest, fabs(weight)), fmax(fabs(inertial), fabs(b->f[i])));
    }
    *size = largest > 0.0 ? most / largest : 0.0;
    return 0;
}

static int port_motion(void *self, double *x, double *v, double *a) {
    const Body *b = self;
    for (int i = 0; i < 3; i++) {
        x[i] = b->c[i].q;
    }
    if (b->dim == 3) {
        x[3] = b->u.w, x[4] = b->u.x, x[5] = b->u.y, x[6] = b->u.z;
    }
    for (int i = 0; i < b->n; i++) {
        v[i] = b->c[i].v;
        a[i] = b->c[i].a + b->da[i];
    }
    return 0;
}

static int compliance(void *self, double *W) {
    const Body *b = self;
    for (int i = 0; i < b->n * b->n; i++) {
        W[i] = i % (b->n + 1) == 0 ? 1.0 / b->inertia[i / b->n] : 0.0;
    }
    return 0;
}

static int apply(void *self, trLevel level, const double *w) {
    Body  *b = self;
    double moved[MOST] = {0};
    for (int i = 0; i < b->n; i++) {
        double change = w[i] / b->inertia[i];
        b->f[i] += level == TR_LEVEL_LOAD || level == TR_LEVEL_FORCE ? w[i] : 0.0;
        if (level == TR_LEVEL_FORCE) {
            moved[i] = b->step.c_q * (b->da[i] + change);
            tr_coordinate_accelerate(&b->c[i], &b->step, b->da[i] + change);
            b->da[i] = 0.0;
        } else if (level == TR_LEVEL_POSITION) {
            moved[i] = change;
            b->c[i].q += change;
        } else if (level == TR_LEVEL_VELOCITY) {
            b->c[i].v += change;
        } else if (level == TR_LEVEL_ACCELERATION) {
            tr_coordinate_push(&b->c[i], &b->step, change);
        }
    }
    if (b->dim == 3) {
        turn(b, moved[3], moved[4], moved[5]);
    }
    return 0;
}

static int accept(void *self) {
    (void)self;
    return 0;
}

int free_body_open(const FreeBodyStart *start, trModule *out) {
    static const char *const port[] = {"frame"};
    Body                    *b = calloc(1, sizeof *b);
    *out = (trModule){.version = TR_MODULE_VERSION,
                      .name = "free body",
                      .dim = start->dim,
                      .ports = 1,
                      .port_name = port,
                      .takes = TR_TAKES_POSITION | TR_TAKES_VELOCITY | TR_TAKES_ACCELERATION,
                      .self = b,
                      .predict = predict,
                      .residual = residual,
                      .port_motion = port_motion,
                      .compliance = compliance,
                      .apply = apply,
                      .accept = accept,
                      .close = free};
    if (b == NULL) {
        return 1;
    }
    b->dim = start->dim;
    b->n = TR_PORT_V(b->dim);
    b->u = (trQuat){start->x[3], start->x[4], start->x[5], start->x[6]};
    for (int i = 0; i < b->n; i++) {
        b->inertia[i] = i < b->dim ? start->mass : start->inertia;
        b->c[i].q = i < 3 ? start->x[i] : 0.0;
        b->c[i].v = start->v[i];
    }
    return 0;
}
