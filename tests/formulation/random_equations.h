// SPDX-License-Identifier: MIT
// Random equations M a + A' lambda = Q, A a = b with a given pattern: bodies of three columns,
// groups of one to three rows that join two of them.

#ifndef TR_TESTS_RANDOM_EQUATIONS_H
#define TR_TESTS_RANDOM_EQUATIONS_H

#include <stdint.h>

#include "formulation/formulation.h"

#define WIDTH 3  // columns of a body
#define MAX_BODIES 8
#define MAX_N (WIDTH * MAX_BODIES)
#define MAX_GROUPS 12
#define MAX_M (3 * MAX_GROUPS)

typedef struct Case {
    const char *name;
    int         bodies;
    int         groups;
    int         rows[MAX_GROUPS];  // of each group
    int         copied;            // groups at the end that repeat the first ones, times a number
    int         massless;          // bodies without mass, counted from the last
    bool        floating;          // not joined to the ground
    bool        dense;             // M couples all bodies that have mass
    unsigned    needs;             // traits a formulation must have to be given this case
} Case;

typedef struct Random {
    uint64_t state;
} Random;

typedef struct Problem {
    trEquations e;
    double      mass[MAX_N], Q[MAX_N], b[MAX_M], value[MAX_M * 2 * WIDTH];
    int         group_row[MAX_GROUPS + 1], group_side[MAX_GROUPS + 1];
    int         side_column[2 * MAX_GROUPS], side_width[2 * MAX_GROUPS];
    int         side_value[2 * MAX_GROUPS];
    double      row_scale[MAX_M];
    double      M[MAX_N * MAX_N];  // where it is dense
} Problem;

// Pattern and sizes. A problem must not move afterwards.
void random_lay_out(Problem *p, const Case *c);

// Values. b is A times something, so that dependent rows do not contradict each other.
void random_fill(Problem *p, const Case *c, Random *random);

#endif
