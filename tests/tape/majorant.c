// SPDX-License-Identifier: MIT
#include "tape/majorant.h"

#include <float.h>
#include <math.h>

#define ROUNDING 4  // the unit e4

// Roundings of one operation and of the terms of its slopes, each of eps / 2 or, in functions of
// the C library, of 1 eps; and of the sums of what reaches a step on several paths.
#define ROUNDINGS 16.0

// Magnitudes count with their errors, which are all that is left after a cancellation.
static void add_rounding(Majorant *a) {
    for (int m = 0; m < ROUNDING; m++) {
        a->part[m | ROUNDING] += ROUNDINGS * a->part[m];
        a->part[m] += DBL_EPSILON * a->part[m | ROUNDING];
    }
}

static Majorant multiply(const Majorant *a, const Majorant *b) {
    Majorant product = {{0.0}};
    for (int m = 0; m < 8; m++) {
        for (int s = 0; s < 8; s++) {
            if ((s & m) == s && a->part[s] != 0.0 && b->part[m ^ s] != 0.0) {
                product.part[m] += a->part[s] * b->part[m ^ s];
            }
        }
    }
    return product;
}

Majorant majorant_sum(const Majorant *a, const Majorant *b, double value) {
    Majorant sum = {{0.0}};
    for (int m = 0; m < 8; m++) {
        sum.part[m] = a->part[m] + b->part[m];
    }
    sum.part[0] = value;
    add_rounding(&sum);
    return sum;
}

Majorant majorant_product(const Majorant *a, const Majorant *b) {
    Majorant product = multiply(a, b);
    add_rounding(&product);
    return product;
}

// g(a0 + n) = g + g' n + g'' n^2 / 2 + g''' n^3 / 6, for n^4 = 0.
Majorant majorant_function(const Majorant *a, const double g[4]) {
    Majorant n = *a, result = {{g[0]}};
    n.part[0] = 0.0;
    Majorant square = multiply(&n, &n), cube = multiply(&square, &n);
    for (int m = 1; m < 8; m++) {
        const double term[3] = {n.part[m], square.part[m] / 2.0, cube.part[m] / 6.0};
        for (int k = 0; k < 3; k++) {
            result.part[m] += term[k] == 0.0 ? 0.0 : g[k + 1] * term[k];
        }
    }
    add_rounding(&result);
    return result;
}

static void set(double g[4], double g0, double g1, double g2, double g3) {
    g[0] = fabs(g0);
    g[1] = fabs(g1);
    g[2] = fabs(g2);
    g[3] = fabs(g3);
}

void majorant_slopes(trTapeOp op, double x, double g[4]) {
    double y = 0.0, w = 0.0;
    switch (op) {
    case TR_OP_SIN:
        set(g, sin(x), cos(x), sin(x), cos(x));
        break;
    case TR_OP_COS:
        set(g, cos(x), sin(x), cos(x), sin(x));
        break;
    case TR_OP_TAN:
        y = tan(x), w = 1.0 + y * y;
        set(g, y, w, 2.0 * y * w, 2.0 * w * w + 4.0 * y * y * w);
        break;
    case TR_OP_ASIN:
    case TR_OP_ACOS:
        w = (1.0 - x) * (1.0 + x);
        set(g, 2.0, pow(w, -0.5), pow(w, -1.5), 3.0 * pow(w, -2.5));
        break;
    case TR_OP_ATAN:
        w = 1.0 + x * x;
        set(g, atan(x), 1.0 / w, 2.0 * x / (w * w), 2.0 / (w * w) + 8.0 * x * x / (w * w * w));
        break;
    case TR_OP_SINH:
        set(g, sinh(x), cosh(x), sinh(x), cosh(x));
        break;
    case TR_OP_COSH:
        set(g, cosh(x), sinh(x), cosh(x), sinh(x));
        break;
    case TR_OP_TANH:
        y = tanh(x), w = 1.0 / (cosh(x) * cosh(x));
        set(g, y, w, 4.0 * w, 16.0 * w);
        break;
    case TR_OP_EXP:
        set(g, exp(x), exp(x), exp(x), exp(x));
        break;
    case TR_OP_LOG:
        set(g, log(x), 1.0 / x, 1.0 / (x * x), 2.0 / (x * x * x));
        break;
    case TR_OP_SQRT:
        majorant_power_slopes(x, 0.5, g);
        break;
    default:  // NEG, ABS
        set(g, x, 1.0, 0.0, 0.0);
        break;
    }
}

void majorant_power_slopes(double x, double p, double g[4]) {
    double factor = 1.0;
    for (int k = 0; k < 4; k++) {
        g[k] = factor == 0.0 ? 0.0 : fabs(factor * pow(fabs(x), p - k));
        factor *= p - k;
    }
}

// Derivatives of order k of the angle, the imaginary part of log(x + iy), are (k - 1)! / r^k; the
// formula x / (x^2 + y^2) has three terms of that size after one derivation, 14 after two.
void majorant_angle_slopes(double angle, double r, double g[4]) {
    set(g, angle, 1.0 / r, 3.0 / (r * r), 14.0 / (r * r * r));
}
