// SPDX-License-Identifier: MIT
// Ten systems with known accelerations, constraint forces and projections. Each is written here
// from its definition, so that it can be evaluated anywhere; the numbers are tables.

#ifndef TR_TESTS_GOLDEN_H
#define TR_TESTS_GOLDEN_H

#include "projection/projection.h"

#define GOLDEN_N 35  // velocities at most
#define GOLDEN_M 30  // rows at most

// What a system computes at one instant. Zeroed before the call.
typedef struct GoldenNumbers {
    double M[GOLDEN_N * GOLDEN_N];  // n x n
    double A[GOLDEN_M * GOLDEN_N];  // m x n, row after row
    double Q[GOLDEN_N];
    double b[GOLDEN_M], b1[GOLDEN_M], phi[GOLDEN_M];
} GoldenNumbers;

// Rows that stand together, and the bodies they touch.
typedef struct GoldenGroup {
    int rows;
    int body1, body2;  // body2 is -1 if there is one only
} GoldenGroup;

typedef struct GoldenEntries {
    int           count;
    const int    *at;     // count: places, row after row
    const double *value;  // count
} GoldenEntries;

typedef struct Golden {
    const char *name;
    int         n, m, rank;
    bool        holonomic;  // all rows, or none
    bool        diagonal;   // M is
    int         width;      // columns of one body
    int         groups;
    GoldenGroup group[18];
    double      t;
    void (*evaluate)(double t, const double *q, const double *v, GoldenNumbers *out);

    const double *q, *v;  // n: the test point
    GoldenEntries M, A;
    const double *Q;              // n
    const double *b, *b1;         // m; b1 is NULL where it is zero
    const double *a, *Fc;         // n
    const double *q_off, *v_off;  // n: a disturbed state
    const double *q_I, *v_I;      // n: projected with W = I
    const double *q_M, *v_M;      // n: projected with W = M; NULL where M is singular
} Golden;

int           golden_count(void);
const Golden *golden_at(int index);

// A system ready to be evaluated as equations. It must not move.
typedef struct GoldenSystem {
    const Golden *golden;
    GoldenNumbers numbers;
    double        diagonal[GOLDEN_N];
    double        value[GOLDEN_M * GOLDEN_N];
    bool          holonomic[GOLDEN_M];
    int           group_row[GOLDEN_M + 1], group_side[GOLDEN_M + 1];
    int           side_column[2 * GOLDEN_M], side_width[2 * GOLDEN_M], side_value[2 * GOLDEN_M];
    trEquations   equations;
    trManifold    manifold;
} GoldenSystem;

void golden_begin(GoldenSystem *system, const Golden *golden);

// The equations at a state, with nominal row norms left to the formulation.
const trEquations *golden_equations(GoldenSystem *system, double t, const double *q,
                                    const double *v);

// --- the systems, by file ---

void golden_pendulum(double t, const double *q, const double *v, GoldenNumbers *out);
void golden_dp3(double t, const double *q, const double *v, GoldenNumbers *out);
void golden_knife(double t, const double *q, const double *v, GoldenNumbers *out);
void golden_heli(double t, const double *q, const double *v, GoldenNumbers *out);
void golden_parjoint(double t, const double *q, const double *v, GoldenNumbers *out);
void golden_parcart(double t, const double *q, const double *v, GoldenNumbers *out);
void golden_fourbar(double t, const double *q, const double *v, GoldenNumbers *out);
void golden_triple(double t, const double *q, const double *v, GoldenNumbers *out);
void golden_quat(double t, const double *q, const double *v, GoldenNumbers *out);
void golden_fivebar(double t, const double *q, const double *v, GoldenNumbers *out);

#endif
