// SPDX-License-Identifier: MIT
// What tests of the plate (oscillator.h) as a module share. It has m = 2, J = 0.5, k = 8, so
// omega = 2 rad/s.

#ifndef TESTS_FMI_PLATE_H
#define TESTS_FMI_PLATE_H

#include <stdbool.h>

#include "fmi/make_fmu.h"
#include "fmi/oscillator.h"
#include "trammel/fmi.h"
#include "trammel/module.h"

// Runge-Kutta with substeps of 2.5e-3 s errs by about (omega h)^4 / 120 omega t = 1e-11, the plate
// itself by less: this is ten times that.
#define CLOSE 1e-10
#define H 0.01
#define NW 6  // loads: tip fx, fy, moment; tail fx, fy, moment

enum { FX, FY, MOMENT, TAIL };  // of the loads

typedef struct Kind {
    const char *name;
    int         version;
    trFmuKind   kind;
} Kind;

#define KINDS 4
extern const Kind kinds[KINDS];

typedef struct Motion {
    double x[6], v[6], a[6];
} Motion;

#define NEAR(actual, expected, tolerance) near(actual, expected, tolerance, __LINE__)
void near(double actual, double expected, double tolerance, int line);

Plan     whole(int version);  // an FMU of both kinds that can do all but directional derivatives
trFmuDef def_of(trFmuKind kind);
trModule open_plan(const Plan *plan, trFmuDef def, int sets, const trFmuSet *set);

// Calls that must succeed.
void   good(const trModule *m, int code);
Motion motion_of(const trModule *m);
void   begin(const trModule *m);  // the start, h = 0
void   load(const trModule *m, trLevel level, int which, double value);
void   predict(const trModule *m, int step);  // from 1
void   accept(const trModule *m);

bool has_note(const trModule *m, const char *part);

#endif
