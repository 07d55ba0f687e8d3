// SPDX-License-Identifier: MIT
// The functions of one argument, for real numbers and, beside the real axis, for complex ones.
// Slopes are written otherwise than a tape writes them where there is a choice.

#ifndef TR_TESTS_TAPE_COMPLEX_FUNCTIONS_H
#define TR_TESTS_TAPE_COMPLEX_FUNCTIONS_H

#include <complex.h>

#include "tape/tape.h"

long double         real_function(trTapeOp op, long double x);
long double complex complex_function(trTapeOp op, long double complex z);
long double complex complex_slope(trTapeOp op, long double complex z);
long double complex complex_angle(long double complex y, long double complex x);
long double complex complex_power(long double complex z, long double p);  // real p

#endif
