// SPDX-License-Identifier: MIT
// Problems as a user would write them by hand for IDA, without Trammel: M(q) v' = f(t, q, v) - G'
// l, g(t, q) = 0, in the form of Gear, Gupta and Leimkuhler, with IDA's own dense Jacobian by
// differences.

#ifndef TR_PAPERS_HAND_WRITTEN_H
#define TR_PAPERS_HAND_WRITTEN_H

#include <stdint.h>

#define HAND_N 7  // coordinates, at most
#define HAND_M 6  // constraints, at most

typedef struct HandProblem {
    const char *name;
    int         n, m;
    double      duration;              // [s]
    double      q[HAND_N], v[HAND_N];  // at the start, consistent to rounding
    void (*mass)(const double *q, double M[HAND_N][HAND_N]);
    void (*force)(double t, const double *q, const double *v, double *f);
    void (*phi)(double t, const double *q, double *g);
    void (*rows)(double t, const double *q, double G[HAND_M][HAND_N]);  // dg/dq
    void (*rate)(double t, const double *q, double *g_t);               // dg/dt; NULL: zero
} HandProblem;

extern const HandProblem hand_andrews, hand_car_axis, hand_slider_crank;

typedef struct HandResult {
    double  q[HAND_N], v[HAND_N];  // at the end
    int64_t steps, evaluations;    // all of them, those for Jacobians included
    int64_t jacobians;
    int     flag;  // of IDASolve; negative: it failed
} HandResult;

HandResult hand_run(const HandProblem *problem, double tolerance);

#endif
