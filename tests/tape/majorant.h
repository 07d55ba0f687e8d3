// SPDX-License-Identifier: MIT
// How large rounding errors of a value and of its derivatives can be, to first order.
//
// A majorant is an element of the algebra of three units e1, e2, e4 with e1^2 = e2^2 = e4^2 = 0,
// all coefficients being magnitudes: part[1] and part[2] bound the derivatives in two directions as
// sums of magnitudes over all paths through the expression, part[3] the mixed second one, and e4 is
// the direction of rounding. Every operation moves its result, its slope and its curvature by a few
// units of rounding, so
//
//     error of the value <= eps part[4]     of a slope <= eps part[5], eps part[6]
//     of the second derivative <= eps part[7]
//
// in whatever order the products along the paths are multiplied and added: forwards or backwards.

#ifndef TR_TESTS_TAPE_MAJORANT_H
#define TR_TESTS_TAPE_MAJORANT_H

#include "tape/tape.h"

typedef struct Majorant {
    double part[8];
} Majorant;

Majorant majorant_sum(const Majorant *a, const Majorant *b, double value);  // value: |a + b|
Majorant majorant_product(const Majorant *a, const Majorant *b);

// Of g(a), with bounds of |g|, |g'|, |g''|, |g'''| there.
Majorant majorant_function(const Majorant *a, const double g[4]);

// Such bounds of the functions of one argument, and of x^p, 1/x, and the angle at the distance r.
// They are those of the formulas term by term, where these may cancel.
void majorant_slopes(trTapeOp op, double x, double g[4]);
void majorant_power_slopes(double x, double p, double g[4]);
void majorant_angle_slopes(double angle, double r, double g[4]);

#endif
