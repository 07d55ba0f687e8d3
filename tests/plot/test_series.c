// SPDX-License-Identifier: MIT
// What is drawn of a series: gaps, borders, and the extremes of many points.
//
// Charts here have the box that their layout gives them; pixels are checked through the same
// scales.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "plot/svg_reader.h"
#include "support/random.h"
#include "support/test.h"

#define ROOM 20000
#define HUNDREDTH 0.00501  // [px]; coordinates are rounded to 2 decimals

static Vertex vertices[ROOM];

static trChart chart_of(const trSeries *series) {
    return (trChart){.series = series, .series_count = 1};
}

// Draws a chart and reads the line of its only series.
static int draw(const trChart *chart, trLayout *layout) {
    char *svg = svg_of(chart);
    int   count = line_of(svg, chart->series[0].name, vertices, ROOM);
    assert_true(count >= 0);
    free(svg);
    assert_int_equal(tr_layout_make(chart, layout), TR_OK);
    return count;
}

static void expect_vertex(const Vertex *vertex, char letter, double x, double y) {
    assert_int_equal(vertex->letter, letter);
    assert_float_equal(vertex->x, x, HUNDREDTH);
    assert_float_equal(vertex->y, y, HUNDREDTH);
}

static void what_is_not_finite_is_a_gap(void **state) {
    double   x[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, NAN, 7.0, 8.0};
    double   y[] = {1.0, 2.0, NAN, 1.5, INFINITY, 1.0, 1.0, 2.0, 3.0};
    trSeries series = {.name = "s", .n = 9, .x = x, .y = y};
    trChart  chart = chart_of(&series);
    trLayout layout;
    // 0-1, 3 alone, 5 alone, 7-8.
    assert_int_equal(draw(&chart, &layout), 8);
    static const int  points[] = {0, 1, 3, -1, 5, -1, 7, 8};
    static const char letters[] = "MLMhMhML";
    for (int i = 0; i < 8; i++) {
        int p = points[i];
        expect_vertex(&vertices[i], letters[i], p < 0 ? 0.0 : tr_scale_px(&layout.scales[0], x[p]),
                      p < 0 ? 0.0 : tr_scale_px(&layout.scales[1], y[p]));
    }
}

static void zeros_on_a_log_axis_are_gaps_and_counted(void **state) {
    double   x[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0};
    double   y[] = {1e-3, 1e-2, 0.0, -1.0, 1e-2, NAN};
    trSeries series = {.name = "s", .n = 6, .x = x, .y = y};
    trChart  chart = chart_of(&series);
    trLayout layout;
    chart.y.scale = TR_SCALE_LOG;
    assert_int_equal(draw(&chart, &layout), 4);  // M L, and M h for the point after the gap
    char *svg = svg_of(&chart);
    assert_true(has(svg, ">2 points at or below 0 not shown on a logarithmic axis<"));
    free(svg);
    y[3] = 1.0;
    svg = svg_of(&chart);
    assert_true(has(svg, ">1 point at or below 0 not shown"));
    free(svg);
    y[2] = 1.0;
    svg = svg_of(&chart);
    assert_false(has(svg, "not shown"));
    free(svg);
}

// A random walk in and out of the box, through each of its sides.
static void no_vertex_lies_outside_the_box(void **state) {
    enum { N = 2000 };
    static double x[N], y[N];
    trRandom      random = {.state = 3};
    for (int i = 0; i < N; i++) {
        x[i] = 3.0 * random_real(&random);
        y[i] = 3.0 * random_real(&random);
    }
    trSeries series = {.name = "s", .n = N, .x = x, .y = y};
    trChart  chart = chart_of(&series);
    trLayout layout;
    chart.x.from = chart.y.from = -1.0;
    chart.x.to = chart.y.to = 1.0;
    int          count = draw(&chart, &layout), on_side[4] = {0};
    const trBox *box = &layout.box;
    for (int i = 0; i < count; i++) {
        double beyond[4] = {box->left - vertices[i].x, vertices[i].x - box->right,
                            box->top - vertices[i].y, vertices[i].y - box->bottom};
        for (int k = 0; k < 4; k++) {
            assert_true(beyond[k] <= HUNDREDTH);
            on_side[k] += beyond[k] >= -HUNDREDTH;
        }
    }
    for (int k = 0; k < 4; k++) {
        assert_true(on_side[k] > 50);
    }
}

// Per pixel column, the lowest and the highest of what was given must be there again.
static void many_points_keep_their_extremes(void **state) {
    enum { N = 100000, WIDE = 1024 };
    static double x[N], y[N], given[WIDE][2], drawn[WIDE][2];
    trRandom      random = {.state = 5};
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = sin(1e-4 * i) + 0.1 * random_real(&random) + (i == 54321 ? 3.0 : 0.0);
    }
    trSeries series = {.name = "s", .n = N, .x = x, .y = y};
    trChart  chart = chart_of(&series);
    trLayout layout;
    int      count = draw(&chart, &layout), columns = 0;
    for (int c = 0; c < WIDE; c++) {
        given[c][0] = drawn[c][0] = INFINITY;
        given[c][1] = drawn[c][1] = -INFINITY;
    }
    for (int i = 0; i < N; i++) {
        double *column = given[(int)floor(tr_scale_px(&layout.scales[0], x[i]))];
        double  py = tr_scale_px(&layout.scales[1], y[i]);
        column[0] = fmin(column[0], py);
        column[1] = fmax(column[1], py);
    }
    // A rounded x may belong to the next column: then it extends both.
    for (int i = 0; i < count; i++) {
        for (int side = 0; side < 2; side++) {
            double *column = drawn[(int)floor(vertices[i].x + (side == 0 ? -0.006 : 0.006))];
            column[0] = fmin(column[0], vertices[i].y);
            column[1] = fmax(column[1], vertices[i].y);
        }
    }
    for (int c = 0; c < WIDE; c++) {
        if (given[c][0] <= given[c][1]) {
            assert_true(drawn[c][0] <= given[c][0] + HUNDREDTH);
            assert_true(drawn[c][1] >= given[c][1] - HUNDREDTH);
            columns++;
        }
    }
    assert_true(columns > 500);
    assert_true(count <= 2 * columns + 2);  // and the two ends
    expect_vertex(&vertices[0], 'M', tr_scale_px(&layout.scales[0], x[0]),
                  tr_scale_px(&layout.scales[1], y[0]));
    expect_vertex(&vertices[count - 1], 'L', tr_scale_px(&layout.scales[0], x[N - 1]),
                  tr_scale_px(&layout.scales[1], y[N - 1]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_finite_is_a_gap),
        cmocka_unit_test(zeros_on_a_log_axis_are_gaps_and_counted),
        cmocka_unit_test(no_vertex_lies_outside_the_box),
        cmocka_unit_test(many_points_keep_their_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
