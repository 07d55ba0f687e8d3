// SPDX-License-Identifier: MIT
// Margins are fractions of the range in u. They are left out along x where a chart has lines only:
// a run from 0 to 10 s should fill its axis.

#include <math.h>

#include "plot/plot.h"

#define HUGE_VALUE 1e300
#define TINY_SPAN 1e-290
#define FARTHEST_PX 1e7
#define EQUAL 1e-12      // points that differ by less, relative to their size, are one value
#define EQUAL_LOG 1e-11  // the same in u of a logarithmic scale
#define Y_MARGIN 0.05
#define X_MARGIN 0.04   // where there are markers
#define FEW_POINTS 200  // of a series that is more than a curve

typedef struct Extent {
    bool   any;
    double lo, hi;
} Extent;

bool tr_scale_has(const trScale *scale, double value) {
    return fabs(value) <= HUGE_VALUE && (!scale->log || value > 0.0);
}

double tr_scale_px_of_u(const trScale *scale, double u) {
    double part = (u - scale->lo) / (scale->hi - scale->lo);
    double px = scale->at_lo + part * (scale->at_hi - scale->at_lo);
    return fmin(fmax(px, -FARTHEST_PX), FARTHEST_PX);
}

double tr_scale_px(const trScale *scale, double value) {
    return tr_scale_px_of_u(scale, scale->log ? log10(value) : value);
}

static void include(Extent *extent, double u) {
    extent->lo = extent->any ? fmin(extent->lo, u) : u;
    extent->hi = extent->any ? fmax(extent->hi, u) : u;
    extent->any = true;
}

// Whether u lies in a range that is fixed already; every u lies in one that is not.
static bool inside(const trScale *scale, double u) {
    return scale->lo == scale->hi || (u >= scale->lo && u <= scale->hi);
}

// Points count for the range of one axis only if they are shown on the other.
static void include_series(const trSeries *series, const trScale *x, const trScale *y,
                           Extent extent[2], trPointCount *count) {
    for (int i = 0; i < series->n; i++) {
        double a = series->x[i], b = series->y[i];
        if (!(fabs(a) <= HUGE_VALUE && fabs(b) <= HUGE_VALUE)) {
            continue;
        }
        if (!tr_scale_has(x, a) || !tr_scale_has(y, b)) {
            count->hidden++;
            continue;
        }
        double u = x->log ? log10(a) : a, w = y->log ? log10(b) : b;
        count->shown += inside(x, u) && inside(y, w);
        if (inside(y, w)) {
            include(&extent[0], u);
        }
        if (inside(x, u)) {
            include(&extent[1], w);
        }
    }
}

static void widen(const Extent *extent, double margin, trScale *scale) {
    double lo = extent->lo, hi = extent->hi;
    double equal = scale->log ? EQUAL_LOG : fmax(EQUAL * fmax(fabs(lo), fabs(hi)), TINY_SPAN);
    if (!extent->any) {
        scale->lo = scale->log ? -1.0 : 0.0;
        scale->hi = 1.0;
    } else if (hi - lo <= equal) {
        double middle = 0.5 * lo + 0.5 * hi;
        double half = scale->log ? 0.5 : fabs(middle) > TINY_SPAN ? 0.1 * fabs(middle) : 1.0;
        scale->lo = middle - half;
        scale->hi = middle + half;
    } else {
        double more = margin * (hi - lo);
        // A margin that crosses zero would suggest values of the other sign.
        bool stop_lo = !scale->log && lo >= 0.0 && lo - more < 0.0;
        bool stop_hi = !scale->log && hi <= 0.0 && hi + more > 0.0;
        scale->lo = stop_lo ? 0.0 : lo - more;
        scale->hi = stop_hi ? 0.0 : hi + more;
    }
}

// Whether each point of a series matters by itself.
static bool has_markers(const trChart *chart) {
    for (int i = 0; i < chart->series_count; i++) {
        const trSeries *series = &chart->series[i];
        if (series->marker != TR_MARKER_NONE && series->n <= FEW_POINTS) {
            return true;
        }
    }
    return false;
}

// Takes a fixed range over. `fixed` becomes false where the axis has none.
static trStatus take_range(const trAxis *axis, char letter, trScale *scale, bool *fixed) {
    bool log = axis->scale == TR_SCALE_LOG;
    *scale = (trScale){.log = log};
    *fixed = !(axis->from == 0.0 && axis->to == 0.0);
    if (!*fixed) {
        return TR_OK;
    }
    if (!tr_scale_has(scale, axis->from) || !tr_scale_has(scale, axis->to)) {
        return tr_fail(TR_E_ARGUMENT, "chart: the range of axis %c is %g to %g; %s", letter,
                       axis->from, axis->to,
                       log ? "a logarithmic axis needs positive numbers" : "it must be finite");
    }
    scale->lo = log ? log10(axis->from) : axis->from;
    scale->hi = log ? log10(axis->to) : axis->to;
    double size = fmax(fabs(scale->lo), fabs(scale->hi));
    if (!(scale->hi - scale->lo > (log ? EQUAL_LOG : fmax(EQUAL * size, TINY_SPAN)))) {
        return tr_fail(TR_E_ARGUMENT,
                       "chart: the range of axis %c is %.17g to %.17g; from must be less than to",
                       letter, axis->from, axis->to);
    }
    return TR_OK;
}

trStatus tr_scale_fit(const trChart *chart, trScale scales[2], trPointCount *count) {
    Extent extent[2] = {{0}, {0}};
    double margin[2] = {has_markers(chart) ? X_MARGIN : 0.0, Y_MARGIN};
    bool   fixed[2];
    TR_TRY(take_range(&chart->x, 'x', &scales[0], &fixed[0]));
    TR_TRY(take_range(&chart->y, 'y', &scales[1], &fixed[1]));
    *count = (trPointCount){0};
    for (int i = 0; i < chart->series_count; i++) {
        include_series(&chart->series[i], &scales[0], &scales[1], extent, count);
    }
    for (int axis = 0; axis < 2; axis++) {
        if (!fixed[axis]) {
            widen(&extent[axis], margin[axis], &scales[axis]);
        }
    }
    return TR_OK;
}
