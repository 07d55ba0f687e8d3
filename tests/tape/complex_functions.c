// SPDX-License-Identifier: MIT
#include "tape/complex_functions.h"

#include <math.h>

typedef long double complex Complex;

#define PI 3.14159265358979323846264338327950288L
#define LARGEST_POWER 64  // whole exponents are worked out by products

long double real_function(trTapeOp op, long double x) {
    switch (op) {
    case TR_OP_SIN:
        return sinl(x);
    case TR_OP_COS:
        return cosl(x);
    case TR_OP_TAN:
        return tanl(x);
    case TR_OP_ASIN:
        return asinl(x);
    case TR_OP_ACOS:
        return acosl(x);
    case TR_OP_ATAN:
        return atanl(x);
    case TR_OP_SINH:
        return sinhl(x);
    case TR_OP_COSH:
        return coshl(x);
    case TR_OP_TANH:
        return tanhl(x);
    case TR_OP_EXP:
        return expl(x);
    case TR_OP_LOG:
        return logl(x);
    case TR_OP_SQRT:
        return sqrtl(x);
    case TR_OP_ABS:
        return fabsl(x);
    case TR_OP_SIGN:
        return x > 0.0L ? 1.0L : x < 0.0L ? -1.0L : x == 0.0L ? 0.0L : x;
    default:  // NEG
        return -x;
    }
}

Complex complex_function(trTapeOp op, Complex z) {
    switch (op) {
    case TR_OP_SIN:
        return csinl(z);
    case TR_OP_COS:
        return ccosl(z);
    case TR_OP_TAN:
        return ctanl(z);
    case TR_OP_ASIN:
        return casinl(z);
    case TR_OP_ACOS:
        return cacosl(z);
    case TR_OP_ATAN:
        return catanl(z);
    case TR_OP_SINH:
        return csinhl(z);
    case TR_OP_COSH:
        return ccoshl(z);
    case TR_OP_TANH:
        return ctanhl(z);
    case TR_OP_EXP:
        return cexpl(z);
    case TR_OP_LOG:
        return clogl(z);
    case TR_OP_SQRT:
        return csqrtl(z);
    case TR_OP_ABS:
        return creall(z) < 0.0L ? -z : z;
    default:  // NEG
        return -z;
    }
}

Complex complex_slope(trTapeOp op, Complex z) {
    switch (op) {
    case TR_OP_SIN:
        return ccosl(z);
    case TR_OP_COS:
        return -csinl(z);
    case TR_OP_TAN:
        return 1.0L / (ccosl(z) * ccosl(z));
    case TR_OP_ASIN:
        return 1.0L / csqrtl((1.0L - z) * (1.0L + z));
    case TR_OP_ACOS:
        return -1.0L / csqrtl((1.0L - z) * (1.0L + z));
    case TR_OP_ATAN:
        return 1.0L / (1.0L + z * z);
    case TR_OP_SINH:
        return ccoshl(z);
    case TR_OP_COSH:
        return csinhl(z);
    case TR_OP_TANH:
        return 1.0L / (ccoshl(z) * ccoshl(z));
    case TR_OP_EXP:
        return cexpl(z);
    case TR_OP_LOG:
        return 1.0L / z;
    case TR_OP_SQRT:
        return csqrtl(z) / (2.0L * z);
    case TR_OP_ABS:
        return creall(z) < 0.0L ? -1.0L : 1.0L;
    default:  // NEG
        return -1.0L;
    }
}

// By the arc tangent of what is below 1.
Complex complex_angle(Complex y, Complex x) {
    if (fabsl(creall(y)) <= fabsl(creall(x))) {
        long double turn = creall(x) > 0.0L ? 0.0L : creall(y) < 0.0L ? -PI : PI;
        return catanl(y / x) + turn;
    }
    return (creall(y) > 0.0L ? PI / 2.0L : -PI / 2.0L) - catanl(x / y);
}

Complex complex_power(Complex z, long double p) {
    Complex product = 1.0L;
    if (p != floorl(p) || fabsl(p) > LARGEST_POWER) {
        return cexpl(p * clogl(z));
    }
    for (int k = 0; k < (int)fabsl(p); k++) {
        product *= z;
    }
    return p < 0.0L ? 1.0L / product : product;
}
