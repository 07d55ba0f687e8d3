// SPDX-License-Identifier: MIT
// The sparse kernel: M a + A' lambda = F, A a = b, by blocks, with symbolic work done once.
//
// With M diagonal and positive, the multipliers solve
//
//     S lambda = A M^-1 F - b,    S = A M^-1 A',    a = M^-1 (F - A' lambda),
//
// and S has a small block for each pair of joints that share a body. A body that lacks mass in some
// direction, or has almost none, is *kept*: its accelerations a0 stay unknown, with their columns
// A0 of A and their part M0 of M (index 1: all other columns),
//
//     [ S1 + E   -A0 ] [ lambda ]   [ A1 M1^-1 F1 - b ]
//     [  -A0'    -M0 ] [   a0   ] = [      -F0        ]
//
// where the compliance E > 0 stands only in rows that touch a kept body. Refinement against the
// equations with E = 0 removes it again: a combination of rows with mobility tau (an eigenvalue of
// A M^-1 A') keeps E / (E + tau) of its error in each sweep.
//
// Rank: a pivot of S not above rank_tolerance^2 row_scale^2 is dropped, its multiplier is zero;
// then one sweep of refinement follows. What is spare (row_exchange.h) is dropped whatever its
// pivot is. Rows with compliance are eliminated after all others, whose rank they would otherwise
// disturb, and are not dropped by their pivots: where tau is far below E sweeps change nothing, and
// they end when they become slow. What dependent rows contradict each other by is divided by E
// there, so that those found dependent by another kernel are to be spare. See
// docs/theory/lagrange.md.

#ifndef TR_FORMULATION_SCHUR_H
#define TR_FORMULATION_SCHUR_H

#include "formulation/formulation.h"
#include "la/blockldl.h"

// A block of A as the kernel sees it.
typedef struct trSide {
    int group;  // whose rows it has
    int column, width;
    int value;  // where it starts in A's values
    int kept;   // where -A0' goes in S, or -1 if the body is eliminated
} trSide;

// Shapes of joints that are frequent: their loops have constant bounds.
typedef enum trShape {
    TR_ANY,
    TR_PIN,    // planar revolute: two rows, three columns on each side
    TR_HINGE,  // spatial revolute: five rows, six columns on each side
} trShape;

// The rows of one joint.
typedef struct trGroup {
    int     row, rows;
    int     first;       // first unknown of its multipliers
    int     block;       // its diagonal block in S
    int     begin, end;  // its sides
    trShape shape;
} trGroup;

// S(block) gets (left side) M^-1 (right side)'; width 0 for blocks that only fill in.
typedef struct trGather {
    int block;
    int column;                 // first one of the body
    int first;                  // not 0: the first product of its block
    int left, right;            // where the sides start in A's values
    int rows_left, rows_right;  // of the sides
    int width;
} trGather;

typedef struct trSchur {
    trBlockLdl    ldl;
    int           n, m, groups, sides, gathers;
    trGroup      *group;        // groups
    trSide       *side;         // sides
    trGather     *gather;       // gathers, in the order of their blocks
    int           kept;         // bodies that are kept
    int          *kept_column;  // kept: first column
    int          *kept_width;   // kept
    int          *kept_first;   // kept: first unknown
    int          *kept_block;   // kept: its diagonal block in S
    bool         *soft;         // m: the row touches a kept body
    double       *minv;         // n: 1 / M, 0 in kept columns
    bool         *light;        // n: has almost no mass
    double       *size;         // n: of velocities (unit_sizes.h)
    double        mean_mass;    // geometric, of M_jj / size_j^2 that are not light
    double        compliance;   // E, relative to the mobility of its row
    double       *x;            // unknowns of the factorization
    double       *row_norm;     // m: diag(S)
    const double *row_scale;    // m: that of the last factorization
    double       *r_a, *r_lambda, *d_a, *d_lambda;  // n, m, n, m: refinement
    double       *pivot;                            // unknowns
    int          *dropped;                          // m: rows
    bool          determined;                       // bodies without mass were found to be held
    int           lone_column;  // a column without mass that no row touches, or -1
    int           free_column;  // after a failure, or -1
} trSchur;

trStatus tr_schur_plan(trArena *arena, const trEquations *e, trSchur *out);
// Of a trSchur as `work`, for the table of a formulation.
trStatus tr_schur_factor(void *work, const trEquations *e);
trStatus tr_schur_solve(void *work, const trEquations *e, const double *F, const double *b,
                        double *a, double *lambda);
trRank   tr_schur_rank(void *work);

// A column of a kept body in which nothing determines the acceleration, or -1. Chooses the
// compliance and uses up what is factored. The first factorization asks this, in its pose; later
// ones see only what vanishes inside one body.
int tr_schur_find_free(trSchur *s, const trEquations *e);
// The square of row i of a group, in velocities of one unit.
double tr_schur_row_square(const trSchur *s, const trGroup *group, const double *A, int i);

// The bodies behind the columns of A, for planning. Sides sorted by the body they touch.
typedef struct trSchurBodies {
    int  count;
    int *column;  // count: first column of each
    int *width;   // count
    int *start;   // count + 1: first of its sides in `side`
    int *side;    // sides
    int *kept;    // count: number among the kept bodies, or -1
} trSchurBodies;

// Finds them and chooses which are kept. Memory from `scratch`; s->kept and its lists are filled.
trStatus tr_schur_find_bodies(trArena *scratch, const trEquations *e, trSchur *s,
                              trSchurBodies *out);

#endif
