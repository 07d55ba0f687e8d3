// SPDX-License-Identifier: MIT
// Laws as piecewise polynomials with exact integrals.
//
//     Y_i(u) = c[i][0] u + c[i][1] u^2/2 + c[i][2] u^3/3 + ...      antiderivative of piece i
//     integral from 0 to x = integrals[i] + Y_i(x - breaks[i])
//
// The integrals at the breaks grow outwards from the piece that holds x = 0, so that the integral
// is exactly zero there and has no cancellation near it.

#include "base/law.h"

#include <math.h>
#include <stdbool.h>

// The last piece that starts at or before x; the first one for what lies before all.
static int piece_of(const trLaw *law, double x) {
    int low = 0, high = law->pieces - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (law->breaks[middle] <= x) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static const double *piece(const trLaw *law, int i) {
    return law->coefficients + (size_t)i * (size_t)law->order;
}

// Y_i(u) by Horner's rule.
static double antiderivative(const trLaw *law, int i, double u) {
    const double *c = piece(law, i);
    double        sum = 0.0;
    for (int k = law->order - 1; k >= 0; k--) {
        sum = sum * u + c[k] / (k + 1);
    }
    return sum * u;
}

// By Horner's rule, with k (k - 1) ... (k - order + 1) for the derivative of u^k.
double tr_law_derivative(const trLaw *law, int order, double x) {
    int           i = piece_of(law, x);
    const double *c = piece(law, i);
    double        u = x - law->breaks[i], sum = 0.0;
    for (int k = law->order - 1; k >= order; k--) {
        double factor = 1.0;
        for (int j = 0; j < order; j++) {
            factor *= k - j;
        }
        sum = sum * u + factor * c[k];
    }
    return sum;
}

double tr_law_value(const trLaw *law, double x) {
    return tr_law_derivative(law, 0, x);
}

double tr_law_slope(const trLaw *law, double x) {
    return tr_law_derivative(law, 1, x);
}

double tr_law_curvature(const trLaw *law, double x) {
    return tr_law_derivative(law, 2, x);
}

double tr_law_integral(const trLaw *law, double x) {
    int i = piece_of(law, x);
    return law->integrals[i] + antiderivative(law, i, x - law->breaks[i]);
}

static void fill_integrals(const trLaw *law, double *integrals) {
    const double *breaks = law->breaks;
    int           home = piece_of(law, 0.0);
    integrals[home] = -antiderivative(law, home, -breaks[home]);
    for (int i = home + 1; i < law->pieces; i++) {
        integrals[i] = integrals[i - 1] + antiderivative(law, i - 1, breaks[i] - breaks[i - 1]);
    }
    for (int i = home - 1; i >= 0; i--) {
        integrals[i] = integrals[i + 1] - antiderivative(law, i, breaks[i + 1] - breaks[i]);
    }
}

static trStatus check_increasing(int count, const double *x, const char *what) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return tr_fail(TR_E_ARGUMENT, "%s %d is not finite", what, i + 1);
        }
        if (i > 0 && x[i] <= x[i - 1]) {
            return tr_fail(TR_E_ARGUMENT, "%s must increase, but %.10g follows %.10g", what, x[i],
                           x[i - 1]);
        }
    }
    return TR_OK;
}

trStatus tr_law_pieces(trArena *arena, int pieces, const double *breaks, int order,
                       const double *coefficients, const trLaw **out) {
    if (pieces < 1 || order < 1) {
        return tr_fail(TR_E_ARGUMENT, "a law needs at least one piece with one coefficient");
    }
    TR_TRY(check_increasing(pieces, breaks, "break"));
    size_t count = (size_t)pieces * (size_t)order;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(coefficients[i])) {
            return tr_fail(TR_E_ARGUMENT, "a coefficient of piece %zu is not finite",
                           i / (size_t)order + 1);
        }
    }

    trLaw  *law = tr_new(arena, trLaw);
    double *integrals = tr_new_array(arena, double, pieces);
    TR_TRY(tr_arena_status(arena));
    *law = (trLaw){.pieces = pieces,
                   .order = order,
                   .breaks = tr_arena_copy(arena, breaks, (size_t)pieces, sizeof *breaks),
                   .coefficients = tr_arena_copy(arena, coefficients, count, sizeof *coefficients),
                   .integrals = integrals};
    TR_TRY(tr_arena_status(arena));
    fill_integrals(law, integrals);
    *out = law;
    return TR_OK;
}

trStatus tr_law_linear(trArena *arena, double slope, const trLaw **out) {
    const double origin = 0.0, line[2] = {0.0, slope};
    return tr_law_pieces(arena, 1, &origin, 2, line, out);
}

static double secant(const double *x, const double *y, int i) {
    return (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
}

// Slope at the end of a parabola through three points: the secant `near` over the width
// `near_width` at the end, the next one `far`. Zero where the parabola turns before the end.
static double end_slope(double near, double near_width, double far, double far_width) {
    double slope =
        ((2.0 * near_width + far_width) * near - near_width * far) / (near_width + far_width);
    return slope * near > 0.0 ? slope : 0.0;
}

// Slopes of Fritsch and Carlson (1980): parabolas through three neighbors, zero at extrema of the
// data, and then, piece by piece with the secant s and the slopes d0, d1 at its ends, shortened
// to (d0/s)^2 + (d1/s)^2 <= 9, where the cubic is monotone.
static void monotone_slopes(int points, const double *x, const double *y, double *d) {
    int last = points - 1;
    d[0] = d[last] = secant(x, y, 0);
    if (points > 2) {
        d[0] = end_slope(secant(x, y, 0), x[1] - x[0], secant(x, y, 1), x[2] - x[1]);
        d[last] = end_slope(secant(x, y, last - 1), x[last] - x[last - 1], secant(x, y, last - 2),
                            x[last - 1] - x[last - 2]);
    }
    for (int i = 1; i < last; i++) {
        double left = secant(x, y, i - 1), right = secant(x, y, i);
        double h_left = x[i] - x[i - 1], h_right = x[i + 1] - x[i];
        bool   extremum = !((left > 0.0 && right > 0.0) || (left < 0.0 && right < 0.0));
        d[i] = extremum ? 0.0 : (h_right * left + h_left * right) / (h_left + h_right);
    }
    for (int i = 0; i < last; i++) {
        double s = secant(x, y, i);
        if (s == 0.0) {
            d[i] = d[i + 1] = 0.0;
            continue;
        }
        double size = hypot(d[i] / s, d[i + 1] / s);
        if (size > 3.0) {
            d[i] *= 3.0 / size;
            d[i + 1] *= 3.0 / size;
        }
    }
}

trStatus tr_law_table(trArena *arena, int points, const double *x, const double *y,
                      const trLaw **out) {
    if (points < 2) {
        return tr_fail(TR_E_ARGUMENT, "a table needs at least two points");
    }
    TR_TRY(check_increasing(points, x, "x of point"));
    for (int i = 0; i < points; i++) {
        if (!isfinite(y[i])) {
            return tr_fail(TR_E_ARGUMENT, "y of point %d is not finite", i + 1);
        }
    }

    double *d = tr_new_array(arena, double, points);           // slopes
    double *breaks = tr_new_array(arena, double, points + 1);  // one piece before the table
    double *c = tr_new_array(arena, double, 4 * ((size_t)points + 1));
    TR_TRY(tr_arena_status(arena));
    monotone_slopes(points, x, y, d);

    int    last = points - 1;
    double before = x[1] - x[0];
    breaks[0] = x[0] - before;
    c[0] = y[0] - d[0] * before;
    c[1] = d[0];
    for (int i = 0; i < last; i++) {
        double  h = x[i + 1] - x[i], s = secant(x, y, i);
        double *piece_c = c + 4 * (i + 1);
        breaks[i + 1] = x[i];
        piece_c[0] = y[i];
        piece_c[1] = d[i];
        piece_c[2] = (3.0 * s - 2.0 * d[i] - d[i + 1]) / h;
        piece_c[3] = (d[i] + d[i + 1] - 2.0 * s) / (h * h);
    }
    breaks[points] = x[last];
    c[4 * points] = y[last];
    c[4 * points + 1] = d[last];
    return tr_law_pieces(arena, points + 1, breaks, 4, c, out);
}
