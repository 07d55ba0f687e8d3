// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

#define X_PITCH 64.0       // least distance that linear ticks aim at [px]
#define Y_PITCH 38.0       // the same for labels above each other
#define X_GAP 12.0         // least white space between labels [px]
#define Y_LEAST 18.0       // least distance of labels above each other [px]
#define MINOR_DECADE 24.0  // least size of a decade with 2 ... 9 ticked [px]
#define MINOR_DECADES 10   // most decades with 2 ... 9 ticked
#define MINOR_LEAST 3.0    // least distance of powers of ten that are ticked without label [px]
#define ROUNDING 1e-6      // of a step: a tick at the end of the range belongs to it
#define PLAIN_LO 1e-2      // from here
#define PLAIN_HI 1e5       // to below here, numbers need no power of ten
#define LABELS 48          // most labels of an axis
#define TIMES_TEN \
    "\xc2\xb7"    \
    "10"

double tr_tick_width(const trTick *tick) {
    char power[16] = "";
    if (tick->has_power) {
        snprintf(power, sizeof power, "%d", tick->power);
    }
    return tr_text_width(tick->text, strlen(tick->text), TR_TICK_SIZE) +
           tr_text_width(power, strlen(power), 0.7 * TR_TICK_SIZE);
}

static bool labels_fit(const trScale *scale, bool horizontal, const trTicks *ticks) {
    const trTick *last = NULL;
    for (int i = 0; i < ticks->count; i++) {
        const trTick *tick = &ticks->tick[i];
        if (last != NULL) {
            double apart =
                fabs(tr_scale_px_of_u(scale, tick->u) - tr_scale_px_of_u(scale, last->u));
            double half = 0.5 * (tr_tick_width(tick) + tr_tick_width(last));
            if (apart < (horizontal ? half + X_GAP : Y_LEAST)) {
                return false;
            }
        }
        last = tick;
    }
    return true;
}

static double length(const trScale *scale) {
    return fabs(scale->at_hi - scale->at_lo);
}

// digits 10^power with one rounding where the power is exact.
static double decimal_value(int64_t digits, int power) {
    double size = pow(10.0, abs(power));
    return power < 0 ? (double)digits / size : (double)digits * size;
}

// The common power of ten of numbers up to `largest` in size.
static int common_exponent(double largest) {
    if (largest >= PLAIN_LO && largest < PLAIN_HI) {
        return 0;
    }
    return 3 * (int)floor(log10(largest) / 3.0 + ROUNDING);
}

// Ticks at whole multiples of factor 10^power between the values lo and hi. False if there are too
// many.
static bool step_ticks(const trScale *scale, const double range[2], int factor, int power,
                       trTicks *out) {
    double  step = decimal_value(factor, power);
    int64_t first = (int64_t)ceil(range[0] / step - ROUNDING);
    int64_t last = (int64_t)floor(range[1] / step + ROUNDING);
    out->exponent = common_exponent(fmax(fabs(range[0]), fabs(range[1])));
    out->count = 0;
    if (last - first >= LABELS) {
        return false;
    }
    for (int64_t i = first; i <= last; i++) {
        trTick *tick = &out->tick[out->count++];
        double  value = decimal_value(i * factor, power);
        *tick = (trTick){.u = scale->log ? log10(value) : value};
        tr_text_decimal(i * factor, power - out->exponent, tick->text);
    }
    return true;
}

// The smallest step whose labels fit, tried from what the pitch would like.
static void linear_ticks(const trScale *scale, bool horizontal, trTicks *out) {
    static const int factors[] = {1, 2, 5};
    double           range[2] = {scale->log ? pow(10.0, scale->lo) : scale->lo,
                       scale->log ? pow(10.0, scale->hi) : scale->hi};
    double pitch = horizontal ? X_PITCH : Y_PITCH;
    double wish = (range[1] - range[0]) * fmin(pitch / length(scale), 0.5);
    int    power = (int)floor(log10(wish));
    for (int i = 0; i < 9; i++) {
        int factor = factors[i % 3], p = power + i / 3;
        if (decimal_value(factor, p) >= wish && step_ticks(scale, range, factor, p, out) &&
            labels_fit(scale, horizontal, out)) {
            return;
        }
    }
}

static void label_product(int64_t factor, int power, bool plain, trTick *tick) {
    if (plain) {
        tr_text_decimal(factor, power, tick->text);
    } else if (factor == 1) {
        snprintf(tick->text, sizeof tick->text, "10");
    } else {
        snprintf(tick->text, sizeof tick->text, "%d" TIMES_TEN, (int)factor);
    }
    tick->has_power = !plain;
    tick->power = power;
}

// Ticks at powers of ten times the factors, a list that ends with 0. False if there are fewer than
// `least` or they do not fit.
static bool product_ticks(const trScale *scale, bool horizontal, const int *factors, int least,
                          trTicks *out) {
    bool plain = scale->lo >= log10(PLAIN_LO) - ROUNDING && scale->hi < log10(PLAIN_HI);
    out->count = out->exponent = 0;
    for (int power = (int)floor(scale->lo); power <= (int)floor(scale->hi + ROUNDING); power++) {
        for (const int *factor = factors; *factor != 0; factor++) {
            double u = power + log10(*factor);
            if (u >= scale->lo - ROUNDING && u <= scale->hi + ROUNDING && out->count < LABELS) {
                trTick *tick = &out->tick[out->count++];
                *tick = (trTick){.u = u};
                label_product(*factor, power, plain, tick);
            }
        }
    }
    return out->count >= least && labels_fit(scale, horizontal, out);
}

static void decade_labels(int first, int last, int stride, trTicks *out) {
    out->count = 0;
    for (int power = first; power <= last; power++) {
        if (power % stride == 0 && out->count < LABELS) {
            trTick *tick = &out->tick[out->count++];
            *tick = (trTick){.u = power};
            label_product(1, power, false, tick);
        }
    }
}

static void add_minor(const trScale *scale, double u, trTicks *out) {
    if (u >= scale->lo - ROUNDING && u <= scale->hi + ROUNDING && out->count < TR_TICKS) {
        out->tick[out->count++] = (trTick){.u = u};
    }
}

// Minor ticks follow the labeled ones in the list.
static void add_minor_ticks(const trScale *scale, int first, int last, int stride, trTicks *out) {
    double decade = length(scale) / (scale->hi - scale->lo);  // [px]
    if (stride == 1 && decade >= MINOR_DECADE && last - first < MINOR_DECADES) {
        for (int power = first - 1; power <= last; power++) {
            for (int factor = 2; factor <= 9; factor++) {
                add_minor(scale, power + log10(factor), out);
            }
        }
    } else if (stride > 1 && decade >= MINOR_LEAST) {
        for (int power = first; power <= last; power++) {
            if (power % stride != 0) {
                add_minor(scale, power, out);
            }
        }
    }
}

static void decade_ticks(const trScale *scale, bool horizontal, trTicks *out) {
    static const int strides[] = {1, 2, 5, 10, 20, 50, 100, 200};
    int first = (int)ceil(scale->lo - ROUNDING), last = (int)floor(scale->hi + ROUNDING);
    int stride = 1;
    out->exponent = 0;
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        stride = strides[i];
        decade_labels(first, last, stride, out);
        if ((last - first) / stride < LABELS && labels_fit(scale, horizontal, out)) {
            break;
        }
    }
    add_minor_ticks(scale, first, last, stride, out);
}

static int count_labels(const trTicks *ticks) {
    int labels = 0;
    for (int i = 0; i < ticks->count; i++) {
        labels += ticks->tick[i].text[0] != '\0';
    }
    return labels;
}

// Less than three powers of ten. Linear steps, which crowd at the upper end, are for ranges that
// the products do not divide.
static void narrow_log_ticks(const trScale *scale, bool horizontal, trTicks *out) {
    static const int fine[] = {1, 2, 5, 0}, coarse[] = {1, 3, 0};
    if (product_ticks(scale, horizontal, fine, 3, out) ||
        product_ticks(scale, horizontal, coarse, 3, out)) {
        return;
    }
    linear_ticks(scale, horizontal, out);
    if (count_labels(out) >= 2 || product_ticks(scale, horizontal, coarse, 2, out)) {
        return;
    }
    decade_ticks(scale, horizontal, out);
    if (count_labels(out) < 2) {
        linear_ticks(scale, horizontal, out);
    }
}

void tr_ticks_choose(const trScale *scale, bool horizontal, trTicks *out) {
    int decades = (int)(floor(scale->hi + ROUNDING) - ceil(scale->lo - ROUNDING)) + 1;
    out->count = 0;
    if (!scale->log) {
        linear_ticks(scale, horizontal, out);
    } else if (decades >= 3) {
        decade_ticks(scale, horizontal, out);
    } else {
        narrow_log_ticks(scale, horizontal, out);
    }
}
