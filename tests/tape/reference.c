// SPDX-License-Identifier: MIT
#include "tape/reference.h"

#include <complex.h>
#include <float.h>
#include <math.h>

#include "tape/complex_functions.h"
#include "tape/majorant.h"

#define H 1e-30L  // the complex step
#define SMALLEST 1e-300L
#define LARGEST 1e300L    // beyond, double and long double differ
#define LARGEST_POWER 64  // whole exponents are worked out by products

typedef long double complex Complex;

// Real parts of values are those of real arithmetic, so that h^2 decides no comparison.
typedef struct Number {
    Complex  value, dual;
    Majorant bound;
    unsigned depends, singular;  // inputs, as bits
    bool     constant;           // made of constants only, so that the tape knows it
    bool     undecided;
} Number;

static long double real(const Number *a) {
    return creall(a->value);
}

static double margin(const Number *a) {
    return DBL_EPSILON * a->bound.part[4];
}

static bool is_finite(const Number *a) {
    return isfinite(real(a)) && fabsl(real(a)) < LARGEST;
}

// Double may overflow or underflow there, long double does not.
static bool is_out_of_range(long double x) {
    return isfinite(x) && x != 0.0L && (fabsl(x) < SMALLEST || fabsl(x) > LARGEST);
}

// Whether rounding may put the number on the other side of a border.
static bool is_near(const Number *a, long double border) {
    return margin(a) > 0.0 && fabsl(real(a) - border) <= margin(a);
}

static Number constant(double value) {
    return (Number){.value = value, .bound = {{fabs(value)}}, .constant = true};
}

static bool is_zero(const Number *a) {
    return a->constant && real(a) == 0.0L;
}

// What a result takes over from its operands.
static Number inherit(const Number *a, const Number *b) {
    return (Number){.depends = a->depends | b->depends,
                    .singular = a->singular | b->singular,
                    .constant = a->constant && b->constant,
                    .undecided = a->undecided || b->undecided};
}

// Without derivatives: there is none, or there is no number.
static Number without_slope(Number result, long double value) {
    result.value = value;
    result.singular |= result.depends;
    result.bound = majorant_sum(&result.bound, &result.bound, fabs((double)value));
    return result;
}

// --- one argument ---

static bool is_edge(trTapeOp op, long double x) {
    switch (op) {
    case TR_OP_SQRT:
    case TR_OP_LOG:
        return x <= 0.0L;
    case TR_OP_ASIN:
    case TR_OP_ACOS:
        return fabsl(x) >= 1.0L;
    default:
        return false;
    }
}

static bool is_near_edge(trTapeOp op, const Number *a) {
    switch (op) {
    case TR_OP_SQRT:
    case TR_OP_LOG:
    case TR_OP_ABS:
    case TR_OP_SIGN:
        return is_near(a, 0.0L);
    case TR_OP_TAN:
        return fabsl(cosl(real(a))) <= margin(a);
    case TR_OP_ASIN:
    case TR_OP_ACOS:
        return is_near(a, 1.0L) || is_near(a, -1.0L);
    default:
        return false;
    }
}

static Number function(trTapeOp op, const Number *a) {
    Number      result = inherit(a, a);
    long double value = real_function(op, real(a));
    double      g[4];
    result.undecided = result.undecided || is_near_edge(op, a);
    if (op == TR_OP_SIGN) {
        result.value = value;
        result.bound.part[0] = fabs((double)value);
        return result;
    }
    if (!isfinite(value) || !is_finite(a) || is_edge(op, real(a))) {
        return without_slope(result, value);
    }
    majorant_slopes(op, (double)real(a), g);
    result.value = CMPLXL(value, cimagl(complex_function(op, a->value)));
    result.dual = complex_slope(op, a->value) * a->dual;
    result.bound = majorant_function(&a->bound, g);
    return result;
}

// The piece is chosen by the real part. Horner's rule adds terms whose magnitudes count.
static Number law(const trLaw *l, const Number *a) {
    Number result = inherit(a, a);
    int    piece = 0;
    double g[4] = {0.0};
    for (int i = 1; i < l->pieces; i++) {
        piece = real(a) >= l->breaks[i] ? i : piece;
        result.undecided = result.undecided || is_near(a, l->breaks[i]);
    }
    const double *c = l->coefficients + (size_t)piece * (size_t)l->order;
    Complex       u = a->value - l->breaks[piece], power[4] = {1.0L, u, u * u, u * u * u};
    Complex       slope = 0.0L;
    long double   value = 0.0L;
    if (!is_finite(a)) {
        return without_slope(result, NAN);
    }
    for (int k = 0; k < l->order; k++) {
        double factor = 1.0;
        value += c[k] * powl(creall(u), k);
        result.value += c[k] * power[k];
        slope += k > 0 ? k * c[k] * power[k - 1] : 0.0L;
        for (int j = 0; j <= k && j < 4; j++) {
            g[j] += fabs(factor * c[k]) * (double)fabsl(creall(power[k - j]));
            factor *= k - j;
        }
    }
    result.value = CMPLXL(value, cimagl(result.value));
    result.dual = slope * a->dual;
    result.bound = majorant_function(&a->bound, g);
    return result;
}

// --- two arguments ---

static Number sum(const Number *a, const Number *b, long double sign) {
    Number      result = inherit(a, b);
    long double value = real(a) + sign * real(b);
    if (!isfinite(value)) {
        return without_slope(result, value);
    }
    result.value = a->value + sign * b->value;
    result.dual = a->dual + sign * b->dual;
    result.bound = majorant_sum(&a->bound, &b->bound, fabs((double)value));
    result.undecided = result.undecided || (result.constant && is_near(&result, 0.0L));
    return result;
}

// A constant 0 is the product; 0 on a branch may be, for the tape moves factors into branches.
static Number product(const Number *a, const Number *b) {
    Number      result = inherit(a, b);
    long double value = real(a) * real(b);
    if ((is_zero(a) || is_zero(b)) && !result.constant) {
        return constant(0.0);
    }
    if (!is_finite(a) || !is_finite(b)) {
        result.undecided = result.undecided || real(a) == 0.0L || real(b) == 0.0L;
        return without_slope(result, value);
    }
    result.value = CMPLXL(value, cimagl(a->value * b->value));
    result.dual = a->dual * b->value + a->value * b->dual;
    result.bound = majorant_product(&a->bound, &b->bound);
    return result;
}

static Number quotient(const Number *a, const Number *b) {
    Number      result = inherit(a, b);
    long double value = real(a) / real(b);
    double      g[4];
    if (is_zero(a) && !result.constant) {
        return constant(0.0);
    }
    result.undecided = result.undecided || is_near(b, 0.0L);
    if (!isfinite(value) || !is_finite(a) || !is_finite(b)) {
        return without_slope(result, value);
    }
    majorant_power_slopes((double)real(b), -1.0, g);
    Majorant inverse = majorant_function(&b->bound, g);
    result.value = CMPLXL(value, cimagl(a->value / b->value));
    result.dual = (a->dual * b->value - a->value * b->dual) / (b->value * b->value);
    result.bound = majorant_product(&a->bound, &inverse);
    return result;
}

static Number angle(const Number *y, const Number *x) {
    Number      result = inherit(y, x);
    long double value = atan2l(real(y), real(x)), r = hypotl(real(x), real(y));
    Majorant    both = majorant_sum(&y->bound, &x->bound, 0.0);
    double      g[4];
    // The angle jumps where x < 0 and y = 0, and there the sign of a zero tells its side.
    result.undecided = result.undecided || (r <= margin(x) + margin(y) && r > 0.0L) ||
                       (real(x) <= margin(x) && (real(y) == 0.0L || is_near(y, 0.0L)));
    if (!isfinite(value) || !is_finite(x) || !is_finite(y) || r == 0.0L) {
        return without_slope(result, value);
    }
    majorant_angle_slopes((double)value, (double)r, g);
    result.value = CMPLXL(value, cimagl(complex_angle(y->value, x->value)));
    result.dual =
        (x->value * y->dual - y->value * x->dual) / (x->value * x->value + y->value * y->value);
    result.bound = majorant_function(&both, g);
    return result;
}

// a^b for a constant b.
static Number constant_power(Number result, const Number *a, long double b) {
    bool   whole = b == floorl(b) && fabsl(b) <= LARGEST_POWER;
    double g[4];
    if (real(a) == 0.0L && !(whole && b > 0.0L) && b < 3.0L) {
        return without_slope(result, powl(real(a), b));
    }
    majorant_power_slopes((double)real(a), (double)b, g);
    result.value = CMPLXL(powl(real(a), b), cimagl(complex_power(a->value, b)));
    result.dual = b * complex_power(a->value, b - 1.0L) * a->dual;
    result.bound = majorant_function(&a->bound, g);
    return result;
}

// exp(b log a)
static Number general_power(Number result, const Number *a, const Number *b) {
    double g[4];
    if (real(a) <= 0.0L) {
        return without_slope(result, powl(real(a), real(b)));
    }
    majorant_slopes(TR_OP_LOG, (double)real(a), g);
    Majorant logarithm = majorant_function(&a->bound, g);
    Majorant exponent = majorant_product(&b->bound, &logarithm);
    majorant_slopes(TR_OP_EXP, (double)(real(b) * logl(real(a))), g);
    result.value = cexpl(b->value * clogl(a->value));
    result.value = CMPLXL(powl(real(a), real(b)), cimagl(result.value));
    result.dual = result.value * (b->dual * clogl(a->value) + b->value * a->dual / a->value);
    result.bound = majorant_function(&exponent, g);
    return result;
}

static Number power(const Number *a, const Number *b) {
    Number      result = inherit(a, b);
    long double value = powl(real(a), real(b));
    if (is_zero(b)) {
        return constant(1.0);
    }
    if (b->constant && real(b) == 1.0L) {
        return *a;
    }
    result.undecided = result.undecided || is_near(a, 0.0L) || is_near(b, roundl(real(b)));
    if (!isfinite(value) || !is_finite(a) || !is_finite(b)) {
        return without_slope(result, value);
    }
    return b->constant ? constant_power(result, a, real(b)) : general_power(result, a, b);
}

// --- choices ---

// The difference of a and b is near zero, but they are not known to be equal.
static bool is_close(const Number *a, const Number *b) {
    double width = margin(a) + margin(b);
    return width > 0.0 && fabsl(real(a) - real(b)) <= width;
}

static Number chosen(const Number *from, const Number *a, const Number *b, bool undecided) {
    Number result = *from;
    result.depends = a->depends | b->depends;
    result.constant = a->constant && b->constant;
    result.undecided = result.undecided || undecided;
    return result;
}

static Number extreme(trTapeOp op, const Number *a, const Number *b) {
    bool second = op == TR_OP_MIN ? real(b) < real(a) : real(b) > real(a);
    bool undecided = is_close(a, b) || a->undecided || b->undecided;
    return chosen(isnan(real(b)) || second ? b : a, a, b, undecided);
}

static Number less(const Number *a, const Number *b) {
    Number result = inherit(a, b);
    bool   unknown = isnan(real(a)) || isnan(real(b));
    result.value = unknown ? NAN : real(a) < real(b) ? 1.0L : 0.0L;
    result.singular = 0;
    result.undecided = result.undecided || is_close(a, b);
    result.bound.part[0] = (double)creall(result.value);
    return result;
}

static Number where(const Number *condition, const Number *yes, const Number *no) {
    Number result = chosen(real(condition) != 0.0L ? yes : no, yes, no, condition->undecided);
    result.depends |= condition->depends;
    result.constant = result.constant && condition->constant;
    result.undecided = result.undecided || is_near(condition, 0.0L);
    return isnan(real(condition)) ? without_slope(result, NAN) : result;
}

// --- all of it ---

static Number result_of(const Expression *e, const Step *s, const Number *a, const Number *b,
                        const Number *c) {
    switch (s->op) {
    case TR_OP_ADD:
        return sum(a, b, 1.0L);
    case TR_OP_SUB:
        return sum(a, b, -1.0L);
    case TR_OP_MUL:
        return product(a, b);
    case TR_OP_DIV:
        return quotient(a, b);
    case TR_OP_POW:
        return power(a, b);
    case TR_OP_ATAN2:
        return angle(a, b);
    case TR_OP_MIN:
    case TR_OP_MAX:
        return extreme(s->op, a, b);
    case TR_OP_LESS:
        return less(a, b);
    case TR_OP_WHERE:
        return where(a, b, c);
    case TR_OP_LAW:
        return law(e->law[s->which], a);
    default:
        return function(s->op, a);
    }
}

Reference reference_at(const Expression *e, const double *dual_direction,
                       const double *complex_direction) {
    Number number[STEPS];
    for (int i = 0; i < e->count; i++) {
        const Step *s = &e->step[i];
        int         k = s->which;
        if (s->op == TR_OP_CONSTANT) {
            number[i] = constant(s->value);
        } else if (s->op == TR_OP_INPUT) {
            number[i] = (Number){
                .value = CMPLXL(e->x[k], H * complex_direction[k]),
                .dual = dual_direction[k],
                .bound = {{fabs(e->x[k]), fabs(dual_direction[k]), fabs(complex_direction[k])}},
                .depends = 1u << k};
        } else {
            number[i] = result_of(e, s, &number[s->operand[0]], &number[s->operand[1]],
                                  &number[s->operand[2]]);
        }
        number[i].undecided = number[i].undecided || is_out_of_range(real(&number[i]));
    }
    const Number *f = &number[e->count - 1];
    return (Reference){.value = (double)real(f),
                       .value_bound = margin(f),
                       .first = (double)(cimagl(f->value) / H),
                       .first_bound = DBL_EPSILON * f->bound.part[6],
                       .second = (double)(cimagl(f->dual) / H),
                       .second_bound = DBL_EPSILON * f->bound.part[7],
                       .undecided = f->undecided,
                       .defined = is_finite(f),
                       .singular = f->singular};
}
