// SPDX-License-Identifier: MIT
// Whole charts: documents, ranges, legends, refusals.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plot/axes.h"
#include "plot/svg_reader.h"

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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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

static void looks_differ_for_32_series(void **state) {
    (void)state;
    trSeries line = {.marker = TR_MARKER_NONE}, point = {.marker = TR_MARKER_AUTO};
    for (int i = 0; i < 32; i++) {
        trLook a = tr_look_of(&line, i), c = tr_look_of(&point, i);
        for (int j = 0; j < i; j++) {
            trLook b = tr_look_of(&line, j), d = tr_look_of(&point, j);
            assert_false(strcmp(a.color, b.color) == 0 && strcmp(a.dashes, b.dashes) == 0);
            assert_false(strcmp(c.color, d.color) == 0 && c.marker == d.marker);
        }
        trSeries fixed = {.style = i + 1};
        assert_string_equal(tr_look_of(&fixed, 7).color, a.color);
        assert_string_equal(tr_look_of(&fixed, 7).dashes, a.dashes);
    }
}

// Legend and data do not share a pixel, and all is inside the picture.
static void check_layout(const trChart *chart) {
    trLayout l;
    if (tr_layout_make(chart, &l) != TR_OK) {
        fail_msg("%d series, legend %d: %s", chart->series_count, (int)chart->legend,
                 tr_last_error());
    }
    double right = l.legend_x + l.legend_columns * l.legend_item;
    double bottom = l.legend_y + l.legend_rows * TR_LEGEND_LINE;
    assert_true(l.box.right - l.box.left >= 60.0 && l.box.bottom - l.box.top >= 60.0);
    assert_true(l.box.left > 0.0 && l.box.right < l.width);
    assert_true(l.box.top > 0.0 && l.box.bottom < l.height);
    if (l.names > 0) {
        assert_true(l.legend_x >= l.box.right || l.legend_y >= l.x_label_y);
        assert_true(l.legend_x >= 0.0 && right <= l.width + 1.0);
        assert_true(l.legend_y >= 0.0 && bottom <= l.height);
        assert_true(l.names_shown <= l.legend_rows * l.legend_columns);
        assert_true(l.names_shown == l.names || l.names_shown < l.legend_rows * l.legend_columns);
    }
    for (int i = 0; i < l.x_ticks.count; i++) {  // labels of x end before the legend
        double half = 0.5 * tr_tick_width(&l.x_ticks.tick[i]);
        double px = tr_scale_px_of_u(&l.scales[0], l.x_ticks.tick[i].u);
        assert_true(px - half >= 0.0 && px + half <= l.width);
        assert_true(l.names == 0 || l.legend_x < l.box.right || px + half < l.legend_x);
    }
    for (int i = 0; i < l.y_ticks.count; i++) {  // labels of y leave room for the axis' label
        assert_true(l.box.left - TR_TICK_LENGTH - 4.0 - tr_tick_width(&l.y_ticks.tick[i]) >=
                    TR_MARGIN + TR_LABEL_SIZE);
    }
}

static void the_legend_stands_beside_the_data(void **state) {
    (void)state;
    static const int sizes[][2] = {{720, 440}, {480, 320}, {300, 300}, {1600, 1000}, {420, 900}};
    static const int counts[] = {0, 1, 2, 12, 33, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (trLegend where = TR_LEGEND_RIGHT; where <= TR_LEGEND_NONE; where++) {
                trChart chart = make_chart(counts[c]);
                chart.width = sizes[s][0];
                chart.height = sizes[s][1];
                chart.legend = where;
                check_layout(&chart);
                chart.x.from = 1e6, chart.x.to = 1e6 + 1e-3;  // wide labels
                check_layout(&chart);
                free(svg_of(&chart));
            }
        }
    }
}

static void names_without_room_are_counted(void **state) {
    (void)state;
    trChart  chart = make_chart(MOST);
    trLayout layout;
    char     more[64];
    chart.width = 300, chart.height = 300;
    assert_int_equal(tr_layout_make(&chart, &layout), TR_OK);
    assert_true(layout.names_shown < MOST);
    char *svg = svg_of(&chart);
    snprintf(more, sizeof more, ">and %d more</text>", MOST - layout.names_shown);
    assert_true(has(svg, more));
    free(svg);
}

static void ranges_fit_the_points(void **state) {
    (void)state;
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
    (void)state;
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

static void refused(const trChart *chart, const char *words) {
    char  *text = NULL;
    size_t size = 0;
    FILE  *file = open_memstream(&text, &size);
    assert_int_equal(tr_chart_write(chart, file), TR_E_ARGUMENT);
    fclose(file);
    assert_int_equal(size, 0);
    assert_true(has(tr_last_error(), words));
    free(text);
}

static void what_makes_no_sense_is_refused(void **state) {
    (void)state;
    trChart good = make_chart(2), chart = good;
    chart.x.from = 2.0, chart.x.to = 1.0;
    refused(&chart, "axis x");
    chart.x.to = NAN;
    refused(&chart, "axis x");
    chart = good;
    chart.y.from = 0.0, chart.y.to = 1.0;
    refused(&chart, "positive");
    chart = good;
    chart.width = 20;
    refused(&chart, "width of 20 px");
    chart = good;
    chart.height = -1;
    refused(&chart, "height");
    chart = good;
    chart.height = 160;
    const char *notes[] = {"a", "b", "c", "d", "e"};
    chart.notes = notes, chart.note_count = 5;
    refused(&chart, "no room");
    chart = good;
    chart.series_count = -1;
    refused(&chart, "-1 series");
    series[1].n = -4;
    refused(&good, "series 2 has -4 points");
    series[1].n = 4, series[1].y = NULL;
    refused(&good, "no numbers");
}

static void a_full_disk_is_reported(void **state) {
    (void)state;
    trChart chart = make_chart(1);
    FILE   *file = fopen("/dev/full", "w");
    if (file == NULL) {
        skip();
    }
    assert_int_equal(tr_chart_write(&chart, file), TR_E_IO);
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_finds_faults),
        cmocka_unit_test(the_document_stands_alone),
        cmocka_unit_test(hostile_texts_stay_texts),
        cmocka_unit_test(the_same_chart_gives_the_same_bytes),
        cmocka_unit_test(looks_differ_for_32_series),
        cmocka_unit_test(the_legend_stands_beside_the_data),
        cmocka_unit_test(names_without_room_are_counted),
        cmocka_unit_test(ranges_fit_the_points),
        cmocka_unit_test(labels_have_units_and_powers),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_full_disk_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
