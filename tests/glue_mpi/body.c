// SPDX-License-Identifier: MIT
// One body in the plane as a module, with faults on demand. Arguments: mass, inertia, x, y, angle,
// vx, vy, omega; torque (of this times t); and a fault at a time: hang_at, die_at, fail_at, nan_at.
//
//     M a = Q + f,   M = diag(mass, mass, inertia),   Q = (0, 0, torque t),   J = 1,   K = M

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trammel/module.h"

#define N 3

typedef struct Body {
    trCoordinate c[N];  // x, y [m], angle [rad]
    trGlueStep   step;
    double       M[N], f[N], da[N];
    double       torque;                            // [N m / s]
    double       hang_at, die_at, fail_at, nan_at;  // [s]
} Body;

static int predict(void *self, const trGlueStep *step) {
    Body *s = self;
    s->step = *step;
    if (step->t >= s->hang_at) {
        for (;;) {
            pause();
        }
    }
    if (step->t >= s->die_at) {
        raise(SIGKILL);
    }
    for (int i = 0; i < N; i++) {
        tr_coordinate_predict(&s->c[i], step);
    }
    return step->t >= s->fail_at;
}

static int residual(void *self, double *size) {
    Body  *s = self;
    double most = 0.0, largest = 0.0;
    for (int i = 0; i < N; i++) {
        double inertial = s->M[i] * s->c[i].a, Q = i == 2 ? s->torque * s->step.t : 0.0;
        double r = inertial - Q - s->f[i];
        s->da[i] = -r / s->M[i];
        most = fmax(most, fabs(r));
        largest = fmax(largest, fmax(fabs(inertial), fmax(fabs(Q), fabs(s->f[i]))));
    }
    *size = largest > 0.0 ? most / largest : 0.0;
    return 0;
}

static int port_motion(void *self, double *x, double *v, double *a) {
    const Body *s = self;
    for (int i = 0; i < N; i++) {
        x[i] = s->c[i].q;
        v[i] = s->c[i].v;
        a[i] = s->step.t >= s->nan_at ? (double)NAN : s->c[i].a + s->da[i];
    }
    return 0;
}

static int compliance(void *self, double *W) {
    const Body *s = self;
    memset(W, 0, sizeof(double) * N * N);
    for (int i = 0; i < N; i++) {
        W[N * i + i] = 1.0 / s->M[i];
    }
    return 0;
}

static int apply(void *self, trLevel level, const double *w) {
    Body *s = self;
    for (int i = 0; i < N; i++) {
        double moved = w[i] / s->M[i];
        if (level == TR_LEVEL_FORCE) {
            tr_coordinate_accelerate(&s->c[i], &s->step, s->da[i] + moved);
            s->da[i] = 0.0;
        }
        s->c[i].q += level == TR_LEVEL_POSITION ? moved : 0.0;
        s->c[i].v += level == TR_LEVEL_VELOCITY ? moved : 0.0;
        s->f[i] += level == TR_LEVEL_FORCE || level == TR_LEVEL_LOAD ? w[i] : 0.0;
    }
    return 0;
}

static int accept(void *self) {
    (void)self;
    return 0;
}

static size_t state_size(void *self) {
    (void)self;
    return sizeof(Body);
}

static int save(void *self, void *state) {
    memcpy(state, self, sizeof(Body));
    return 0;
}

static int restore(void *self, const void *state) {
    memcpy(self, state, sizeof(Body));
    return 0;
}

static const char *error(void *self) {
    (void)self;
    return "the spring is broken";
}

static void read_arguments(Body *s, int arguments, const char *const *argument) {
    static const char *const key[] = {"mass",   "inertia", "x",     "y",      "angle",
                                      "vx",     "vy",      "omega", "torque", "hang_at",
                                      "die_at", "fail_at", "nan_at"};
    double *const            value[] = {&s->M[0],   &s->M[2],    &s->c[0].q, &s->c[1].q, &s->c[2].q,
                                        &s->c[0].v, &s->c[1].v,  &s->c[2].v, &s->torque, &s->hang_at,
                                        &s->die_at, &s->fail_at, &s->nan_at};
    for (int i = 0; i < arguments; i++) {
        for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
            size_t length = strlen(key[k]);
            if (strncmp(argument[i], key[k], length) == 0 && argument[i][length] == '=') {
                *value[k] = strtod(argument[i] + length + 1, NULL);
            }
        }
    }
    s->M[1] = s->M[0];
}

int body_open(int arguments, const char *const *argument, trModule *out);

int body_open(int arguments, const char *const *argument, trModule *out) {
    static const char *const port[] = {"center"};
    Body                    *s = calloc(1, sizeof *s);
    *out = (trModule){.version = TR_MODULE_VERSION,
                      .name = "body",
                      .dim = 2,
                      .ports = 1,
                      .port_name = port,
                      .takes = TR_TAKES_POSITION | TR_TAKES_VELOCITY,
                      .self = s,
                      .predict = predict,
                      .residual = residual,
                      .port_motion = port_motion,
                      .compliance = compliance,
                      .apply = apply,
                      .accept = accept,
                      .state_size = state_size,
                      .save = save,
                      .restore = restore,
                      .error = error,
                      .close = free};
    if (s != NULL) {
        s->M[0] = s->M[2] = 1.0;
        s->hang_at = s->die_at = s->fail_at = s->nan_at = (double)INFINITY;
        read_arguments(s, arguments, argument);
    }
    return s == NULL;
}

#ifdef MODULE_LIBRARY
int tr_module_open(int arguments, const char *const *argument, trModule *out);

int tr_module_open(int arguments, const char *const *argument, trModule *out) {
    return body_open(arguments, argument, out);
}
#endif
