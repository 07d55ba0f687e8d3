// SPDX-License-Identifier: MIT
// Which ticks an axis gets, and that their labels neither lie nor touch.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plot/ticks.h"
#include "support/random.h"

#define MINUS "\xe2\x88\x92"
#define TIMES "\xc2\xb7"

typedef struct Case {
    bool        log, horizontal;
    double      lo, hi, length;  // values; [px]
    int         exponent;
    const char *labels;  // as written, a blank between them; 10^3 for a raised 3
} Case;

// The expected labels were worked out by hand from the rules in ticks.h and the pitches of ticks.c:
// 38 px at least for numbers above each other, 64 px for numbers side by side.
static const Case cases[] = {
    {false, false, 0.0, 1.0, 320.0, 0, "0 0.2 0.4 0.6 0.8 1.0"},
    {false, false, 0.0, 10.0, 200.0, 0, "0 2 4 6 8 10"},
    {false, true, 0.0, 10.0, 700.0, 0, "0 1 2 3 4 5 6 7 8 9 10"},
    {false, true, 0.0, 10.0, 300.0, 0, "0 5 10"},
    {false, false, -3.0, 4.0, 300.0, 0, MINUS "3 " MINUS "2 " MINUS "1 0 1 2 3 4"},
    {false, false, -0.3, -0.1, 120.0, 0, MINUS "0.3 " MINUS "0.2 " MINUS "0.1"},
    {false, false, 0.1, 0.4, 150.0, 0, "0.1 0.2 0.3 0.4"},
    {false, false, 0.0, 3.2e-7, 200.0, -9, "0 100 200 300"},
    {false, false, 0.0, 4e-3, 200.0, -3, "0 1 2 3 4"},
    {false, false, 0.0, 9e4, 250.0, 0, "0 20000 40000 60000 80000"},
    {false, false, 0.0, 2.5e5, 250.0, 3, "0 50 100 150 200 250"},
    {false, false, -1e300, 1e300, 200.0, 300, MINUS "1.0 " MINUS "0.5 0 0.5 1.0"},
    {false, false, 0.0, 4e-290, 200.0, -291, "0 10 20 30 40"},
    {false, false, 12.345678, 12.345681, 150.0, 0, "12.345678 12.345679 12.345680 12.345681"},
    {true, false, 1e-3, 1e3, 300.0, 0, "10^-3 10^-2 10^-1 10^0 10^1 10^2 10^3"},
    {true, false, 1e-16, 1e-1, 160.0, 0, "10^-16 10^-14 10^-12 10^-10 10^-8 10^-6 10^-4 10^-2"},
    {true, false, 1e-300, 1e300, 200.0, 0, "10^-300 10^-200 10^-100 10^0 10^100 10^200 10^300"},
    {true, false, 1e-320, 1e-310, 160.0, 0, "10^-320 10^-318 10^-316 10^-314 10^-312 10^-310"},
    {true, false, 5.0, 20.0, 200.0, 0, "5 10 20"},
    {true, true, 0.1, 1.0, 400.0, 0, "0.1 0.2 0.5 1"},
    {true, false, 3e-8, 4e-7, 200.0, 0, "5" TIMES "10^-8 10^-7 2" TIMES "10^-7"},
    {true, false, 2.0, 3.0, 240.0, 0, "2.0 2.2 2.4 2.6 2.8 3.0"},
    {true, false, 2.1e-7, 2.4e-7, 160.0, -9, "210 220 230 240"},
    {true, true, 7.5e-4, 5e-2, 120.0, 0, "10^-3 10^-2"},
    {true, true, 7.5e-4, 5e-2, 200.0, 0, "10^-3 3" TIMES "10^-3 10^-2 3" TIMES "10^-2"},
    {true, false, 3e4, 9e4, 200.0, 0, "40000 60000 80000"},
};

static trScale scale_of(const Case *c) {
    return (trScale){.log = c->log,
                     .lo = c->log ? log10(c->lo) : c->lo,
                     .hi = c->log ? log10(c->hi) : c->hi,
                     .at_lo = c->horizontal ? 50.0 : 50.0 + c->length,
                     .at_hi = c->horizontal ? 50.0 + c->length : 50.0};
}

static void list_labels(const trTicks *ticks, char *out, size_t room) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < ticks->count && used < room; i++) {
        const trTick *tick = &ticks->tick[i];
        char          power[16] = "";
        if (tick->text[0] == '\0') {
            continue;
        }
        if (tick->has_power) {
            snprintf(power, sizeof power, "^%d", tick->power);
        }
        used += (size_t)snprintf(out + used, room - used, "%s%s%s", used > 0 ? " " : "", tick->text,
                                 power);
    }
}

static void labels_are_those_of_the_table(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trScale scale = scale_of(&cases[i]);
        trTicks ticks;
        char    labels[2048];
        tr_ticks_choose(&scale, cases[i].horizontal, &ticks);
        list_labels(&ticks, labels, sizeof labels);
        if (strcmp(labels, cases[i].labels) != 0 || ticks.exponent != cases[i].exponent) {
            fail_msg("%g to %g on %g px: %s times 10^%d, expected %s times 10^%d", cases[i].lo,
                     cases[i].hi, cases[i].length, labels, ticks.exponent, cases[i].labels,
                     cases[i].exponent);
        }
    }
}

// The number that a label says.
static double number_of(const trTick *tick, int exponent) {
    char   text[2 * TR_DECIMAL_BYTES];
    size_t n = 0;
    for (const char *c = tick->text; *c != '\0'; c++) {
        if (strncmp(c, MINUS, 3) == 0) {
            text[n++] = '-';
            c += 2;
        } else if (strncmp(c, TIMES "10", 4) == 0) {
            break;
        } else {
            text[n++] = *c;
        }
    }
    text[n] = '\0';
    if (tick->has_power && strcmp(text, "10") == 0) {
        snprintf(text, sizeof text, "1");
    }
    n = strlen(text);
    snprintf(text + n, sizeof text - n, "e%d", tick->has_power ? tick->power : exponent);
    return strtod(text, NULL);
}

// Uniform in [0, 1).
static double uniform(trRandom *random) {
    return 0.5 * (random_real(random) + 1.0);
}

// A random axis: any place, any size from a thousandth to 100 decades, any length.
static Case random_case(trRandom *random) {
    Case   c = {.log = uniform(random) < 0.5, .horizontal = uniform(random) < 0.5};
    double wide = pow(10.0, -3.0 + 5.0 * uniform(random));
    double place = 40.0 * (uniform(random) - 0.5);
    c.length = 60.0 + 900.0 * uniform(random);
    if (c.log) {
        c.lo = pow(10.0, place);
        c.hi = pow(10.0, place + wide);
    } else {
        double size = pow(10.0, place);
        c.lo = size * (uniform(random) - 0.5) * 2.0;
        c.hi = c.lo + size * wide;
    }
    return c;
}

static void check_random(const Case *c) {
    trScale scale = scale_of(c);
    trTicks ticks;
    double  last = 0.0, last_width = 0.0;
    int     labels = 0;
    tr_ticks_choose(&scale, c->horizontal, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        const trTick *tick = &ticks.tick[i];
        double        px = tr_scale_px_of_u(&scale, tick->u), width = tr_tick_width(tick);
        // On the axis: a thousandth of a pixel covers the rounding that ticks.c allows.
        assert_true(px >= 50.0 - 1e-3 && px <= 50.0 + c->length + 1e-3);
        if (tick->text[0] == '\0') {
            continue;
        }
        double value = number_of(tick, ticks.exponent);
        double u = c->log ? log10(value) : value;
        if (!(fabs(u - tick->u) <= 1e-12 * fmax(fabs(scale.lo), fabs(scale.hi)))) {
            fail_msg("a tick at %.17g says %.17g", tick->u, u);
        }
        double least = c->horizontal ? 0.5 * (width + last_width) + 8.0 : 1.4 * TR_TICK_SIZE;
        if (labels > 0 && fabs(px - last) < least) {
            fail_msg("%g to %g on %g px: '%s' touches its neighbor", c->lo, c->hi, c->length,
                     tick->text);
        }
        last = px;
        last_width = width;
        labels++;
    }
    // A box is never narrower than 60 px; from 150 px an axis can be read with one label or more,
    // from 300 px with two or more.
    if (labels < (c->length >= 300.0 ? 2 : c->length >= 150.0 ? 1 : 0)) {
        fail_msg("%.17g to %.17g on %g px: %d labels", c->lo, c->hi, c->length, labels);
    }
}

static void labels_are_true_and_do_not_touch(void **state) {
    (void)state;
    trRandom random = {.state = 11};
    for (int i = 0; i < 20000; i++) {
        Case c = random_case(&random);
        check_random(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_those_of_the_table),
        cmocka_unit_test(labels_are_true_and_do_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
