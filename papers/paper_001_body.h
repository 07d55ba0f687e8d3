// SPDX-License-Identifier: MIT
// The rigid body of Udwadia and Wanichanon, section 4: rotation in the four numbers u of a unit
// quaternion.
//
//     w = 2 E(u) u'     M = 4 E'J E     Q = -8 E(u')'J E(u) u' + 2 E'Gamma     A = u'     b =
//     -u'.u'
//
// with the closed form (4.6), whose N(w) is printed as the norm of w and must be its square:
//
//     u'' = -1/2 E' J^-1 (w x J w) - 1/4 N u + 1/2 E' J^-1 Gamma

#ifndef TR_PAPERS_PAPER_001_BODY_H
#define TR_PAPERS_PAPER_001_BODY_H

#include <stdbool.h>

#include "system/equations.h"

typedef struct Body {
    double J[3];       // principal moments of inertia [kg m^2]
    double torque[3];  // about body axes [N m]
    double u[4], v[4];
    // the equations, after body_evaluate
    double      M[16], A[4], Q[4], b[1];
    trEquations equations;
} Body;

// Fills the equations, which point into the body: it must not move.
void body_evaluate(Body *body);

// The state of all examples: |u| = 1, turned by an angle [rad] about (1, -2, 0.5), with the angular
// velocity (0.3, 2, -0.1) rad/s in body axes.
void body_place(Body *body, double angle);

// (4.6), with N = |w|^2, or N = |w| as printed.
void body_closed_form(const Body *body, bool printed, double a[4]);

double body_energy(const Body *body);                  // 1/2 w'J w [J]
void   body_step(Body *body, double h, bool printed);  // of rk4, by the closed form

#endif
