// SPDX-License-Identifier: MIT
// A mass on a spring and a damper, m a = -k q - c v + f, as a module: f is the force on its port.
// trammel/module.h is all that it knows of Trammel. Build it as a shared library:
//     cc -shared -fPIC -I include mass_spring.c -o mass_spring.so

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trammel/module.h"

typedef struct Oscillator {
    double       m, k, c;  // [kg], [N/m], [N s/m]
    trCoordinate x;        // q, v, a [m, m/s, m/s^2], carried through steps by trammel/module.h
    trGlueStep   step;
    double f, da, largest;  // force on the port [N]; the trial [m/s^2]; the largest term so far
} Oscillator;

// K of the scheme: how the residual changes with a, where v and q follow it. [kg]
static double K(const Oscillator *o) {
    return o->m + o->step.c_v * o->c + o->step.c_q * o->k;
}

static int predict(void *self, const trGlueStep *step) {
    Oscillator *o = self;
    o->step = *step;
    tr_coordinate_predict(&o->x, step);
    return 0;
}

static int residual(void *self, double *size) {
    Oscillator *o = self;
    double      inertia = o->m * o->x.a, spring = o->k * o->x.q, damper = o->c * o->x.v;
    double      r = inertia + spring + damper - o->f;
    double      largest = fmax(fmax(fabs(inertia), fabs(spring)), fmax(fabs(damper), fabs(o->f)));
    o->da = -r / K(o), o->largest = fmax(o->largest, largest);
    *size = o->largest > 0.0 ? fabs(r) / o->largest : 0.0;
    return 0;
}

// The port is on the mass: it moves along x alone, and its frame does not turn.
static int port_motion(void *self, double *x, double *v, double *a) {
    const Oscillator *o = self;
    memset(x, 0, 3 * sizeof *x), memset(v, 0, 3 * sizeof *v), memset(a, 0, 3 * sizeof *a);
    x[0] = o->x.q, v[0] = o->x.v, a[0] = o->x.a + o->da;
    return 0;
}

static int compliance(void *self, double *W) {
    memset(W, 0, 9 * sizeof *W);
    W[0] = 1.0 / K(self);
    return 0;
}

static int apply(void *self, trLevel level, const double *w) {
    Oscillator *o = self;
    o->f += level == TR_LEVEL_LOAD || level == TR_LEVEL_FORCE ? w[0] : 0.0;
    o->x.q += level == TR_LEVEL_POSITION ? w[0] / K(o) : 0.0;
    o->x.v += level == TR_LEVEL_VELOCITY ? w[0] / K(o) : 0.0;
    if (level == TR_LEVEL_FORCE) {
        tr_coordinate_accelerate(&o->x, &o->step, o->da + w[0] / K(o)), o->da = 0.0;
    }
    return 0;
}

static int accept(void *self) {
    return self == NULL;  // nothing is left to be done
}

static size_t state_size(void *self) {
    return self != NULL ? sizeof(Oscillator) : 0;
}

static int save(void *self, void *state) {
    return memcpy(state, self, sizeof(Oscillator)) == NULL;
}

static int restore(void *self, const void *state) {
    return memcpy(self, state, sizeof(Oscillator)) == NULL;
}

// Arguments come from the assembly file: set = { m = 2, k = 100, c = 0.5, q = 0.1, v = 0 }.
int tr_module_open(int arguments, const char *const *argument, trModule *out) {
    static const char *const port[] = {"mass"};
    Oscillator               given = {0};
    for (const char *const *a = argument; a < argument + arguments; a++) {
        sscanf(*a, "m=%lf", &given.m), sscanf(*a, "k=%lf", &given.k), sscanf(*a, "c=%lf", &given.c);
        sscanf(*a, "q=%lf", &given.x.q), sscanf(*a, "v=%lf", &given.x.v);
    }
    Oscillator *o = given.m > 0.0 ? malloc(sizeof *o) : NULL;
    *out = (trModule){.version = TR_MODULE_VERSION, .dim = 2, .ports = 1, .port_name = port};
    out->name = o != NULL ? "mass_spring" : given.m > 0.0 ? "out of memory" : "m > 0 is needed";
    out->takes = TR_TAKES_POSITION | TR_TAKES_VELOCITY, out->self = o, out->accept = accept;
    out->predict = predict, out->residual = residual, out->port_motion = port_motion;
    out->compliance = compliance, out->apply = apply, out->state_size = state_size;
    out->save = save, out->restore = restore, out->close = free;
    return o == NULL || memcpy(o, &given, sizeof *o) == NULL;  // not 0: `name` is the reason
}
