// SPDX-License-Identifier: MIT
// Planar equations M a + A' lambda = Q, A a = b for the tests of the sparse kernel: bodies that may
// lack mass or inertia, and joints that may repeat others.

#ifndef TR_TESTS_FORMULATION_PLANAR_EQUATIONS_H
#define TR_TESTS_FORMULATION_PLANAR_EQUATIONS_H

#include "formulation/formulation.h"
#include "support/random.h"

#define MAX_BODIES 8
#define MAX_JOINTS 12
#define MAX_N (3 * MAX_BODIES)
#define MAX_M (3 * MAX_JOINTS)
#define GROUND (-1)

typedef struct Joint {
    int rows, body1, body2;
    int copy;  // not 0: rows are those of the joint this many before, times a number
} Joint;

typedef struct Case {
    const char *name;
    const char *mass;  // a letter for each body: m all masses, J no inertia, - neither
    Joint       joint[MAX_JOINTS];
    int         dropped;  // rows that are found dependent
} Case;

typedef struct Problem {
    trEquations e;
    double      mass[MAX_N], Q[MAX_N], b[MAX_M], value[MAX_M * 6];
    int         group_row[MAX_JOINTS + 1], group_side[MAX_JOINTS + 1];
    int         side_column[2 * MAX_JOINTS], side_width[2 * MAX_JOINTS], side_value[2 * MAX_JOINTS];
} Problem;

// Pattern and sizes. A problem must not move afterwards.
void planar_lay_out(Problem *p, const Case *c);

// Values. Row i of a joint holds above all coordinate i of its last body, so that conditions stay
// small. b is A times something, so that dependent rows do not contradict each other.
void planar_draw(Problem *p, const Case *c, trRandom *random);

// Every joint becomes a pin between the end of a link of length 2 and the start of the next:
// J1 = (-I, -z x s), J2 = (I, -z x s) with s half of the link.
void planar_make_pins(Problem *p, trRandom *random);

#endif
