// SPDX-License-Identifier: MIT
// A rigid body in the plane as a module, with a spring and a damper to ground, and two ports. It
// knows nothing of Trammel but trammel/module.h.
//
//     M a = Q + J' f        M = (mass, mass, inertia)        Q = mass g - k (x - x0) - c v
//
// Arguments, "key=value", all optional:
//
//     mass [kg], inertia [kg m^2]         1, 1
//     x, y [m], angle [rad]               where it starts: its center, 0
//     vx, vy [m/s], omega [rad/s]         how fast, 0
//     gx, gy [m/s^2]                      gravity, 0
//     k [N/m], c [N s/m]                  spring to where it starts, damper to ground, 0
//     ax, ay, bx, by [m]                  ports "a" and "b" in axes of the body, 0: its center
//
// Build as a shared library: cc -shared -fPIC -DMODULE_LIBRARY -I include body.c -o body.so -lm

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trammel/module.h"

#define N 3  // x, y, angle
#define PORTS 2

enum { MASS, INERTIA, X, Y, ANGLE, VX, VY, OMEGA, GX, GY, SPRING, DAMPER, AX, AY, BX, BY, KEYS };

static const char *const keys[KEYS] = {"mass", "inertia", "x", "y", "angle", "vx", "vy", "omega",
                                       "gx",   "gy",      "k", "c", "ax",    "ay", "bx", "by"};

typedef struct Body {
    double       set[KEYS];
    trCoordinate c[N];
    trGlueStep   step;
    double       f[PORTS][3];     // loads on the ports
    double       r[N], da[N];     // the residual, and the trial
    double       largest;         // of all terms of r so far [N, N m]
    double       J[PORTS][3][N];  // velocities of ports by rates of the coordinates
} Body;

// --- the mechanics ---

static double mass_of(const Body *s, int i) {
    return i == 2 ? s->set[INERTIA] : s->set[MASS];
}

// K, which is diagonal and constant in a step.
static double stiff_mass_of(const Body *s, int i) {
    return i == 2 ? s->set[INERTIA]
                  : s->set[MASS] + s->step.c_v * s->set[DAMPER] + s->step.c_q * s->set[SPRING];
}

// What K^-1 does, or nothing if the step is plain.
static double spread_of(const Body *s, int i) {
    return s->step.plain ? 1.0 : 1.0 / stiff_mass_of(s, i);
}

static double force_of(const Body *s, int i) {
    return i == 2 ? 0.0
                  : s->set[MASS] * s->set[GX + i] - s->set[SPRING] * (s->c[i].q - s->set[X + i]) -
                        s->set[DAMPER] * s->c[i].v;
}

// From the center to a port, in axes of the world. [m]
static void arm(const Body *s, int port, double d[2]) {
    double        co = cos(s->c[2].q), si = sin(s->c[2].q);
    const double *p = s->set + (port == 0 ? AX : BX);
    d[0] = co * p[0] - si * p[1];
    d[1] = si * p[0] + co * p[1];
}

static void jacobian(Body *s) {
    memset(s->J, 0, sizeof s->J);
    for (int p = 0; p < PORTS; p++) {
        double d[2];
        arm(s, p, d);
        s->J[p][0][0] = s->J[p][1][1] = s->J[p][2][2] = 1.0;
        s->J[p][0][2] = -d[1];
        s->J[p][1][2] = d[0];
    }
}

// J' w of one coordinate.
static double gather(const Body *s, int i, const double *w) {
    double sum = 0.0;
    for (int p = 0; p < PORTS; p++) {
        for (int k = 0; k < 3; k++) {
            sum += s->J[p][k][i] * w[3 * p + k];
        }
    }
    return sum;
}

// --- the contract ---

static int predict(void *self, const trGlueStep *step) {
    Body *s = self;
    s->step = *step;
    for (int i = 0; i < N; i++) {
        tr_coordinate_predict(&s->c[i], step);
    }
    return 0;
}

// Against the largest term so far: once a body is at rest, what is left is rounding of its ports'
// positions, and all terms are as small.
static int residual(void *self, double *size) {
    Body  *s = self;
    double most = 0.0;
    jacobian(s);
    for (int i = 0; i < N; i++) {
        double inertial = mass_of(s, i) * s->c[i].a, Q = force_of(s, i);
        double load = gather(s, i, &s->f[0][0]);
        s->r[i] = inertial - Q - load;
        s->da[i] = -s->r[i] / stiff_mass_of(s, i);
        most = fmax(most, fabs(s->r[i]));
        s->largest = fmax(s->largest, fmax(fabs(inertial), fmax(fabs(Q), fabs(load))));
    }
    *size = s->largest > 0.0 ? most / s->largest : 0.0;
    return 0;
}

static int port_motion(void *self, double *x, double *v, double *a) {
    Body  *s = self;
    double omega = s->c[2].v, alpha = s->c[2].a + s->da[2];
    for (int p = 0; p < PORTS; p++, x += 3, v += 3, a += 3) {
        double d[2];
        arm(s, p, d);
        for (int i = 0; i < 2; i++) {
            double turned = i == 0 ? -d[1] : d[0];
            x[i] = s->c[i].q + d[i];
            v[i] = s->c[i].v + omega * turned;
            a[i] = s->c[i].a + s->da[i] + alpha * turned - omega * omega * d[i];
        }
        x[2] = s->c[2].q;
        v[2] = omega;
        a[2] = alpha;
    }
    return 0;
}

static int compliance(void *self, double *W) {
    Body *s = self;
    for (int k = 0; k < 3 * PORTS; k++) {
        for (int l = 0; l < 3 * PORTS; l++) {
            double sum = 0.0;
            for (int i = 0; i < N; i++) {
                sum += s->J[k / 3][k % 3][i] * spread_of(s, i) * s->J[l / 3][l % 3][i];
            }
            W[3 * PORTS * k + l] = sum;
        }
    }
    return 0;
}

static int apply(void *self, trLevel level, const double *w) {
    Body *s = self;
    for (int i = 0; i < N && level != TR_LEVEL_LOAD; i++) {
        double moved = spread_of(s, i) * gather(s, i, w);
        if (level == TR_LEVEL_FORCE) {
            tr_coordinate_accelerate(&s->c[i], &s->step, s->da[i] + moved);
            s->da[i] = 0.0;
        } else if (level == TR_LEVEL_POSITION) {
            s->c[i].q += moved;
        } else if (level == TR_LEVEL_VELOCITY) {
            s->c[i].v += moved;
        } else {
            tr_coordinate_push(&s->c[i], &s->step, moved);
        }
    }
    if (level == TR_LEVEL_LOAD || (level == TR_LEVEL_FORCE && !s->step.plain)) {
        for (int k = 0; k < 3 * PORTS; k++) {
            s->f[k / 3][k % 3] += w[k];
        }
    }
    return 0;
}

static int port_residual(void *self, double *y) {
    Body *s = self;
    for (int k = 0; k < 3 * PORTS; k++) {
        y[k] = 0.0;
        for (int i = 0; i < N; i++) {
            y[k] += s->J[k / 3][k % 3][i] * s->r[i];
        }
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

static int output(void *self, double *value) {
    Body *s = self;
    for (int i = 0; i < N; i++) {
        value[i] = s->c[i].q;
        value[N + i] = s->c[i].v;
    }
    return 0;
}

// --- opening ---

// A reason, or NULL.
static const char *read_argument(Body *s, const char *text) {
    const char *equals = strchr(text, '=');
    for (int i = 0; equals != NULL && i < KEYS; i++) {
        if (strlen(keys[i]) == (size_t)(equals - text) &&
            strncmp(keys[i], text, strlen(keys[i])) == 0) {
            char *end = NULL;
            s->set[i] = strtod(equals + 1, &end);
            return end == equals + 1 || *end != '\0' || !isfinite(s->set[i])
                       ? "an argument has a value that is not a number"
                       : NULL;
        }
    }
    return "arguments are mass=, inertia=, x=, y=, angle=, vx=, vy=, omega=, gx=, gy=, k=, c=, "
           "ax=, ay=, bx= and by=";
}

static const char *read_arguments(Body *s, int arguments, const char *const *argument) {
    const char *reason = NULL;
    s->set[MASS] = s->set[INERTIA] = 1.0;
    for (int i = 0; i < arguments && reason == NULL; i++) {
        reason = read_argument(s, argument[i]);
    }
    if (reason == NULL && !(s->set[MASS] > 0.0 && s->set[INERTIA] > 0.0)) {
        reason = "mass and inertia must be positive";
    }
    for (int i = 0; i < N; i++) {
        s->c[i].q = s->set[X + i];
        s->c[i].v = s->set[VX + i];
    }
    return reason;
}

int body_open(int arguments, const char *const *argument, trModule *out);

int body_open(int arguments, const char *const *argument, trModule *out) {
    static const char *const port[] = {"a", "b"};
    static const char *const name[] = {"x", "y", "angle", "vx", "vy", "omega"};
    static const char *const unit[] = {"m", "m", "rad", "m/s", "m/s", "rad/s"};
    Body                    *s = calloc(1, sizeof *s);
    const char              *reason = s == NULL ? "out of memory" : NULL;
    *out = (trModule){.version = TR_MODULE_VERSION,
                      .name = "body",
                      .dim = 2,
                      .ports = PORTS,
                      .port_name = port,
                      .outputs = 2 * N,
                      .output_name = name,
                      .output_unit = unit,
                      .takes = TR_TAKES_POSITION | TR_TAKES_VELOCITY | TR_TAKES_ACCELERATION |
                               TR_TAKES_PLAIN,
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
                      .port_residual = port_residual,
                      .output = output,
                      .close = free};
    reason = reason == NULL ? read_arguments(s, arguments, argument) : reason;
    if (reason != NULL) {
        free(s);
        *out = (trModule){.name = reason};
    }
    return reason != NULL;
}

#ifdef MODULE_LIBRARY
int tr_module_open(int arguments, const char *const *argument, trModule *out);

int tr_module_open(int arguments, const char *const *argument, trModule *out) {
    return body_open(arguments, argument, out);
}
#endif
