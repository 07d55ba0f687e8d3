// SPDX-License-Identifier: MIT
// Whole charts: documents, ranges, legends, refusals.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "plot/svg_reader.h"
#include "support/test.h"

#define MOST 60
#define N 50

static double   xs[N], ys[MOST][N];
static char     names[MOST][32];
static trSeries series[MOST];

// A chart of `count` series with data over three decades.
static trChart make_chart(int count) {
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < N; i++) {
            xs[i] = 0.2 * i;
            ys[j][i] = pow(10.0, 3.0 * i / N - j);
        }
        snprintf(names[j], sizeof names[j], "method number %d", j + 1);
        series[j] = (trSeries){.name = names[j], .n = N, .x = xs, .y = ys[j]};
    }
    return (trChart){.title = "Title",
                     .subtitle = "Subtitle",
                     .x = {.label = "time", .unit = "s"},
                     .y = {.label = "error", .unit = "m", .scale = TR_SCALE_LOG},
                     .series = series,
                     .series_count = count};
}

static void the_reader_finds_faults(void **state) {
#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    assert_null(xml_fault(HEAD "<a b=\"1\">x &amp; y<c/></a>\n"));
    static const char *const bad[] = {
        "<a/>",
        HEAD "<a>",
        HEAD "<a></b>",
        HEAD "<a/><b/>",
        HEAD "<a>&</a>",
        HEAD "<a b=1/>",
        HEAD "<a b=\"1\" b=\"2\"/>",
        HEAD "<a>\x01</a>",
        HEAD "<a>\xff</a>",
        HEAD "<a b=\"<\"/>",
        HEAD "<a/>x",
        HEAD "<a><b></a></b>",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_non_null(xml_fault(bad[i]));
    }
}

static void the_document_stands_alone(void **state) {
    trChart chart = make_chart(12);
    char   *svg = svg_of(&chart);
    assert_true(has(svg, "viewBox=\"0 0 720 440\""));
    assert_true(has(svg, "role=\"img\""));
    assert_true(has(svg, "<title>Title</title>\n<desc>x axis: time [s], from 0 to 9.8. y axis: "
                         "error [m], logarithmic, from 10^"));
    assert_true(has(svg, "12 series: method number 1, method number 2,"));
    assert_int_equal(count_of(svg, "http"), 1);  // the name space
    static const char *const absent[] = {"<script", "<style", "href", "url(",
                                         "@import", " id=",   "nan",  "inf"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        assert_false(has(svg, absent[i]));
    }
    free(svg);
}

static void hostile_texts_stay_texts(void **state) {
    trChart     chart = make_chart(2);
    const char *bad = "</text><script>&\"'\x02\xff^2^-3";
    const char *notes[] = {bad, NULL, ""};
    chart.title = chart.subtitle = series[0].name = bad;
    chart.x.label = chart.y.label = chart.x.unit = chart.y.unit = bad;
    chart.notes = notes;
    chart.note_count = 3;
    char *svg = svg_of(&chart);  // which checks that it is well-formed
    assert_false(has(svg, "<script"));
    assert_true(has(svg, "&lt;/text&gt;&lt;script&gt;&amp;&quot;'"));
    free(svg);
}

static void the_same_chart_gives_the_same_bytes(void **state) {
    trChart chart = make_chart(12);
    char   *first = svg_of(&chart), *second = svg_of(&chart);
    assert_string_equal(first, second);
    ys[3][7] *= 1.5;
    char *other = svg_of(&chart);
    assert_string_not_equal(first, other);
    free(first);
    free(second);
    free(other);
}

static void ranges_fit_the_points(void **state) {
    double   x[] = {3.0, 4.0}, y[] = {7.0, 7.0};
    trSeries one = {.name = "s", .n = 2, .x = x, .y = y};
    trChart  chart = {.series = &one, .series_count = 1};
    trLayout l;
    assert_int_equal(tr_layout_make(&chart, &l), TR_OK);  // constant: a tenth to either side
    assert_float_equal(l.scales[1].lo, 6.3, 1e-12);
    assert_float_equal(l.scales[1].hi, 7.7, 1e-12);
    assert_true(l.scales[0].lo == 3.0 && l.scales[0].hi == 4.0);
    one.n = 1;
    y[0] = 0.0;
    assert_int_equal(tr_layout_make(&chart, &l), TR_OK);  // one point, at zero
    assert_true(l.scales[1].lo == -1.0 && l.scales[1].hi == 1.0);
    one.n = 2;
    assert_int_equal(tr_layout_make(&chart, &l), TR_OK);  // 0 to 7: no margin below zero
    assert_true(l.scales[1].lo == 0.0 && l.scales[1].hi > 7.0);
    chart.y.scale = TR_SCALE_LOG;
    y[0] = 100.0, y[1] = 100.0;
    assert_int_equal(tr_layout_make(&chart, &l), TR_OK);  // half a decade to either side
    assert_float_equal(l.scales[1].lo, 1.5, 1e-12);
    assert_float_equal(l.scales[1].hi, 2.5, 1e-12);
    y[0] = 0.0, y[1] = -1.0;
    assert_int_equal(tr_layout_make(&chart, &l), TR_OK);  // nothing to show
    assert_true(l.empty);
    one.n = 0;
    char *svg = svg_of(&chart);
    assert_true(has(svg, ">no data</text>"));
    free(svg);
}

static void labels_have_units_and_powers(void **state) {
    char   text[TR_LABEL_BYTES];
    trAxis axis = {.label = "energy", .unit = "J"};
    tr_axes_label(&axis, 0, text);
    assert_string_equal(text, "energy [J]");
    tr_axes_label(&axis, -6, text);
    assert_string_equal(text, "energy [10^-6 J]");
    axis.unit = NULL;
    tr_axes_label(&axis, 3, text);
    assert_string_equal(text, "energy [10^3]");
    tr_axes_label(&axis, 0, text);
    assert_string_equal(text, "energy");
    axis.label = NULL;
    tr_axes_label(&axis, 0, text);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_finds_faults),
        cmocka_unit_test(the_document_stands_alone),
        cmocka_unit_test(hostile_texts_stay_texts),
        cmocka_unit_test(the_same_chart_gives_the_same_bytes),
        cmocka_unit_test(ranges_fit_the_points),
        cmocka_unit_test(labels_have_units_and_powers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
