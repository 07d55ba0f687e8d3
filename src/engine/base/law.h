// SPDX-License-Identifier: MIT
// A law y(x) as a piecewise polynomial, with its exact integral. Linear, polynomial, piecewise and
// tabulated laws are all compiled to this one form.
//
//     piece i:  y(x) = c[i][0] + c[i][1] u + c[i][2] u^2 + ... ,  u = x - breaks[i]

#ifndef TR_BASE_LAW_H
#define TR_BASE_LAW_H

#include "base/arena.h"
#include "trammel/model.h"

struct trLaw {
    int           pieces;
    int           order;         // coefficients per piece
    const double *breaks;        // pieces
    const double *coefficients;  // pieces x order
    const double *integrals;     // pieces: the integral of y from x = 0 to breaks[i]
};

// TR_E_ARGUMENT if breaks do not increase or a number is not finite.
trStatus tr_law_pieces(trArena *arena, int pieces, const double *breaks, int order,
                       const double *coefficients, const trLaw **out);

// Cubic Hermite pieces with slopes that keep the data's monotony (Fritsch and Carlson 1980);
// outside the table the law continues along its end slopes.
trStatus tr_law_table(trArena *arena, int points, const double *x, const double *y,
                      const trLaw **out);

trStatus tr_law_linear(trArena *arena, double slope, const trLaw **out);  // y = slope x

double tr_law_value(const trLaw *law, double x) TR_SHARED;
double tr_law_slope(const trLaw *law, double x);                  // dy/dx
double tr_law_curvature(const trLaw *law, double x);              // d2y/dx2
double tr_law_derivative(const trLaw *law, int order, double x);  // order 0: the value
double tr_law_integral(const trLaw *law, double x);               // from 0 to x

#endif
