// SPDX-License-Identifier: MIT
// The handle behind trammel/constrain.h: callbacks of a user's own, seen as trEquations.
//
// Two spaces: callbacks speak of x (n), the state is q (size), and x = X q where Ritz forms are
// given, otherwise x = q:
//
//     M = X' Mx X      A = Ax X      f = X' fx      phi, b1, b: the same rows in both
//
// Rows of phi come first, rows of psi after them. A row of psi has A = d psi / dv and
// b1 = A v - psi, so that A v = b1 is one step of Newton's method for psi = 0, and exact where psi
// is linear in v.
//
// Reference: Masarati, Comput. Mech. 47 (2011) 187-203, sections 3.1 to 3.5.

#ifndef TR_CONSTRAIN_CONSTRAIN_H
#define TR_CONSTRAIN_CONSTRAIN_H

#include "la/symmetric.h"
#include "projection/projection.h"
#include "trammel/constrain.h"

// The pattern of a matrix that is one dense block, row after row.
typedef struct trOneGroup {
    int row[2], side[2], column[1], width[1], value[1];
} trOneGroup;

trRows tr_one_group(trOneGroup *group, int m, int n, const double *value);

struct trConstrain {
    trArena       *arena;
    trConstrainDef def;            // its arrays are copies
    int            n, size, m, k;  // of x; of q; rows in all; of them nonholonomic
    const char   **names;          // m
    double        *unit;           // size: over what q_j phi changes, where q = 0

    // What was evaluated last. Callbacks are asked once in a public call for the same state.
    bool    current;    // in this public call
    bool    positions;  // are all that it is about: psi is not asked, its rows are zero
    double  t;
    double *q_at, *v_at;  // size
    double *x, *xdot;     // n

    // The reduced equations.
    double       *M, *W;         // size x size; W: NULL where it is M
    double       *A;             // m x size, row after row
    double       *phi, *b1, *b;  // m + 1
    bool         *holonomic;     // m
    double       *row_scale;     // m
    double       *weight_scale;  // m: the same in the metric W
    bool         *spare;         // m
    trOneGroup    group;
    trEquations   equations;
    trEquations   weighted;  // with W in place of M
    trKernel      kernel;
    trProjector   projector;
    trRowExchange exchange;  // of rows that are kept
    int           rank;      // where they were last chosen; -1: nowhere yet
    trManifold    manifold;
    int64_t       stamps;  // given out so far
    const double *zero;    // size
    const double *still;   // n zeros: what does not move along a path

    // Scratch. What a callback writes to has one more entry, a guard.
    double *x_moved, *xdot_moved, *direction;  // n
    double *raw_M;                             // n x n + 1; none with mass_solve
    double *raw_A;                             // m x n + 1
    double *fresh;                             // size x max(size, m): before it replaces M or A
    double *product;                           // n: a row of a product
    double *plus, *minus, *middle;             // m + 1
    double *tableau;                           // m x TR_DIFFERENCE_LEVELS
    double *doubt;                             // m: how well b by differences has settled
    double *q_new, *v_new, *q_kept, *v_kept;   // size
    double *a, *lambda, *rate;                 // size, m, m
};

// Callbacks (ask.c).
typedef enum trAsk {
    TR_ASK_MASS,
    TR_ASK_MASS_SOLVE,
    TR_ASK_PHI,
    TR_ASK_JACOBIAN,
    TR_ASK_B1,
    TR_ASK_B,
    TR_ASK_PSI,
    TR_ASK_PSI_JACOBIAN,
    TR_ASK_PSI_B,
} trAsk;

// Calls one and looks at what it wrote. `second` is v, or what mass_solve solves for. `out` has
// room for a guard behind its entries; psi and its kin write rows of their own, from `out` on.
trStatus tr_constrain_ask(const trConstrain *c, trAsk ask, double t, const double *x,
                          const double *second, double *out);
bool     tr_constrain_gives(const trConstrain *c, trAsk ask);
// TR_NOT_FINITE, with the names, if one of m x columns derivatives is not a number.
trStatus tr_constrain_look(const trConstrain *c, const char *what, int columns, const double *rows);
trStatus tr_constrain_finite(const char *what, int count, const double *values);

// Derivatives by differences (differences.c), at the state x, xdot of the handle.
typedef struct trPath {
    double        dt;
    const double *dx, *dv;  // n
} trPath;

// out = d/ds of phi or psi along the path, by central differences with the step s.
trStatus tr_difference_first(trConstrain *c, trAsk ask, trPath path, double s, double *out);
// out = the second derivative of phi along (1, xdot), and c->doubt: how far neighbors differ.
trStatus tr_difference_second(trConstrain *c, double *out);

#define TR_DIFFERENCE_LEVELS 7
// The path on which a direction (n) moves x, or xdot for psi, and how far it goes before scales are
// exceeded.
trPath tr_difference_along(const trConstrain *c, trAsk ask, const double *direction, double *reach);
double tr_difference_reach_path(const trConstrain *c);  // along (1, xdot) [s]
#define TR_DIFFERENCE_STEP 6.0554544523933429e-6        // eps^(1/3), times the reach

// Equations (evaluate.c).
void     tr_constrain_place(trConstrain *c, double t, const double *q, const double *v);
trStatus tr_constrain_evaluate(trConstrain *c, double t, const double *q, const double *v);
trStatus tr_constrain_evaluate_b(trConstrain *c);  // at the evaluated state

// Where the evaluated state is factored, nominal norms of rows grow to what they are there.
void tr_constrain_accept(trConstrain *c);

// Chooses which rows are kept, at the evaluated state in the metric of a kernel.
trStatus tr_constrain_choose(trConstrain *c, trKernel *kernel, const trEquations *e);

// Checks of all callbacks at one state (check.c).
trStatus tr_constrain_check(trConstrain *c, double t, const double *q, const double *v);

// The kernel that knows M by its solves only (by_solves.c).
extern const trFormulationKind tr_formulation_by_solves;
trStatus                       tr_by_solves_plan(trConstrain *c, void **work);

#endif
