// SPDX-License-Identifier: MIT
// The model inside the FMUs of these tests, for both versions of FMI: a plate on springs.
//
//     m x'' = -k x - c x' + tip.fx + tail.fx       m y'' = -k y - c y' - m g + tip.fy
//     J angle'' = tip.moment
//
// In space, it turns about z and about nothing else.
// Ports "tip" (x, y, angle) and "tail", one meter behind along x, which has only x. It checks in
// which order it is called, as far as the standards say so. `trouble` makes it misbehave.

#ifndef TESTS_FMI_OSCILLATOR_H
#define TESTS_FMI_OSCILLATOR_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define OSCILLATOR_TOKEN "{plate-on-springs}"

enum {  // value references
    TIP_X,
    TIP_Y,
    TIP_ANGLE,
    TIP_VX,
    TIP_VY,
    TIP_OMEGA,
    TIP_AX,
    TIP_AY,
    TIP_ALPHA,
    TIP_FX,
    TIP_FY,
    TIP_MOMENT,
    TAIL_X,
    TAIL_VX,
    TAIL_AX,
    TAIL_FX,
    MASS,
    INERTIA,
    STIFFNESS,
    DAMPING,
    GRAVITY,
    FLOOR,
    KICK_TIME,
    ENERGY,
    E0,
    E1,
    E2,
    E3,
    WX,
    WY,
    ALPHAX,
    ALPHAY,
    MX,
    MY,
    REALS,
    TROUBLE = REALS,
    HEAVY,
    LABEL
};

enum {  // values of `trouble`
    GOOD,
    STEP_FAILS,
    NO_NUMBER,
    DERIVATIVES_FAIL,
    STEP_IS_FATAL,
    PROJECTS,
    STEP_IS_DISCARDED,
    NEVER_SETTLES,
    ENDS_ITSELF,
    KEEPS_MODE  // of states, the mode is no part
};

typedef enum Mode { INSTANTIATED, INITIALIZATION, EVENT, CONTINUOUS, STEPPING } Mode;

typedef struct Oscillator {
    double t;
    double r[REALS];
    int    trouble;
    bool   heavy, kicked, exchange;
    char   label[32];
    Mode   mode;
    bool   unanswered;  // inputs were set, and no step was taken since
} Oscillator;

static inline void oscillator_start(Oscillator *o, bool exchange) {
    *o = (Oscillator){.exchange = exchange};
    o->r[MASS] = 2.0;
    o->r[INERTIA] = 0.5;
    o->r[STIFFNESS] = 8.0;
    o->r[FLOOR] = -1e30;
    o->r[KICK_TIME] = 1e30;
}

static inline double oscillator_mass(const Oscillator *o) {
    return o->heavy ? 2.0 * o->r[MASS] : o->r[MASS];
}

static inline void oscillator_answer(Oscillator *o) {
    double *r = o->r, m = oscillator_mass(o);
    r[TIP_AX] = (-r[STIFFNESS] * r[TIP_X] - r[DAMPING] * r[TIP_VX] + r[TIP_FX] + r[TAIL_FX]) / m;
    r[TIP_AY] = (-r[STIFFNESS] * r[TIP_Y] - r[DAMPING] * r[TIP_VY] + r[TIP_FY]) / m - r[GRAVITY];
    r[TIP_ALPHA] = r[TIP_MOMENT] / r[INERTIA];
    r[E0] = cos(0.5 * r[TIP_ANGLE]);
    r[E3] = sin(0.5 * r[TIP_ANGLE]);
    r[TAIL_X] = r[TIP_X] - 1.0;
    r[TAIL_VX] = r[TIP_VX];
    r[TAIL_AX] = r[TIP_AX];
    r[ENERGY] = 0.5 * m * (r[TIP_VX] * r[TIP_VX] + r[TIP_VY] * r[TIP_VY]) +
                0.5 * r[STIFFNESS] * (r[TIP_X] * r[TIP_X] + r[TIP_Y] * r[TIP_Y]);
}

// The first six numbers are the states; their rates.
static inline void oscillator_rates(Oscillator *o, double *dx) {
    oscillator_answer(o);
    for (int i = 0; i < 3; i++) {
        dx[i] = o->r[TIP_VX + i];
        dx[3 + i] = o->r[TIP_AX + i];
    }
}

static inline bool oscillator_get(Oscillator *o, unsigned reference, double *out) {
    oscillator_answer(o);
    if (reference >= REALS || o->mode == INSTANTIATED) {
        return false;
    }
    *out = o->trouble == NO_NUMBER && reference == TIP_AY ? NAN : o->r[reference];
    return true;
}

static inline bool oscillator_set(Oscillator *o, unsigned reference, double value) {
    bool input = (reference >= TIP_FX && reference <= TIP_MOMENT) || reference == TAIL_FX ||
                 reference == MX || reference == MY;
    if (reference >= REALS || (!input && o->mode != INSTANTIATED && o->mode != INITIALIZATION)) {
        return false;
    }
    o->r[reference] = value;
    return true;
}

// d(unknown)/d(known) with the state held.
static inline double oscillator_derive(const Oscillator *o, unsigned unknown, unsigned known) {
    bool along_x =
        (unknown == TIP_AX || unknown == TAIL_AX) && (known == TIP_FX || known == TAIL_FX);
    if (along_x || (unknown == TIP_AY && known == TIP_FY)) {
        return 1.0 / oscillator_mass(o);
    }
    return unknown == TIP_ALPHA && known == TIP_MOMENT ? 1.0 / o->r[INERTIA] : 0.0;
}

// The classical method of Runge and Kutta, 20 substeps, with inputs held.
static inline void oscillator_step(Oscillator *o, double h) {
    enum { SUBSTEPS = 20 };
    for (int n = 0; n < SUBSTEPS; n++) {
        static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
        double              d = h / SUBSTEPS, start[6], sum[6] = {0}, k[6] = {0};
        memcpy(start, o->r, sizeof start);
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < 6; i++) {
                o->r[i] = start[i] + at[stage] * d * k[i];
            }
            oscillator_rates(o, k);
            for (int i = 0; i < 6; i++) {
                sum[i] += weight[stage] * k[i];
            }
        }
        for (int i = 0; i < 6; i++) {
            o->r[i] = start[i] + d / 6.0 * sum[i];
        }
    }
    o->t += h;
}

static inline void oscillator_restore(Oscillator *o, const Oscillator *from) {
    Mode mode = from->trouble == KEEPS_MODE ? o->mode : from->mode;
    *o = *from;
    o->mode = mode;
}

// An event: it is thrown back by the floor, or kicked once.
static inline void oscillator_event(Oscillator *o) {
    if (o->r[TIP_Y] <= o->r[FLOOR] && o->r[TIP_VY] < 0.0) {
        o->r[TIP_VY] = -o->r[TIP_VY];
    }
    if (!o->kicked && o->t >= o->r[KICK_TIME]) {
        o->kicked = true;
        o->r[TIP_VX] += 1.0;
    }
}

#endif
