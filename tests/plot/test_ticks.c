// SPDX-License-Identifier: MIT
// Which ticks an axis gets, and that their labels neither lie nor touch.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "support/random.h"
#include "support/test.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_those_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
