// SPDX-License-Identifier: MIT
// A report as text and as JSON.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "support/test.h"

// The rendered report, which is destroyed.
static void assert_prints(trReport *r, bool json, bool all, const char *expected) {
    char               *text = NULL;
    size_t              size = 0;
    FILE               *file = open_memstream(&text, &size);
    const trReportStyle style = {.all = all};
    assert_non_null(file);
    assert_int_equal(json ? tr_report_json(file, r) : tr_report_print(file, r, style), TR_OK);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void test_keys_are_for_json_and_labels_for_text(void **state) {
    trReport *r = tr_report_create();
    tr_report_open(r, "energy", "energy", TR_REPORT_LINE);
    tr_report_number(r, "start", "%3 at the start", 24.56789, "J");
    tr_report_number(r, "kinetic", NULL, 2.0, NULL);
    tr_report_number(r, NULL, "drift", 0.5, NULL);
    tr_report_number(r, "unknown", "unknown", NAN, "J");
    tr_report_integer(r, "rows", "% row{s}", 1);
    tr_report_integer(r, "bodies", "% bod{y|ies}", 2);
    tr_report_close(r);
    tr_report_open(r, NULL, NULL, 0);
    tr_report_text(r, "file", "written", "a.h5");
    tr_report_close(r);
    assert_prints(r, false, false,
                  "  energy           24.6 J at the start, drift 0.5, 1 row, 2 bodies\n"
                  "  written          a.h5\n");
    assert_prints(r, true, false,
                  "{\n  \"energy\": {\n    \"start\": 24.567889999999998,\n    \"kinetic\": 2,\n"
                  "    \"unknown\": null,\n    \"rows\": 1,\n    \"bodies\": 2\n  },\n"
                  "  \"file\": \"a.h5\"\n}\n");
    tr_report_destroy(r);
}

static void add_joint(trReport *r, const char *name, double fx, double m) {
    tr_report_open(r, NULL, NULL, TR_REPORT_NOISE);
    tr_report_rank(r, fabs(fx));
    tr_report_text(r, "joint", "joint", name);
    tr_report_number(r, "Fx", "Fx", fx, "N");
    tr_report_number(r, "M", "M %3", m, "N m");
    tr_report_close(r);
}

static void test_tables_fit_their_cells_and_show_the_largest_first(void **state) {
    trReport *r = tr_report_create();
    tr_report_open(r, "reactions", "reactions", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    tr_report_shown(r, 2);
    add_joint(r, "A", 1.0, 2e-16);
    add_joint(r, "a long name", -20.0, 1.23456);
    add_joint(r, "C", 0.5, 0.0);
    add_joint(r, "D", 3.0, 0.25);
    tr_report_close(r);
    assert_prints(r, false, false,
                  "  reactions\n"
                  "    joint        Fx [N]  M [N m]\n"
                  "    a long name     -20     1.23\n"
                  "    D                 3     0.25\n"
                  "    and 2 more; --verbose shows all\n");
    assert_prints(r, false, true,
                  "  reactions\n"
                  "    joint        Fx [N]  M [N m]\n"
                  "    a long name     -20     1.23\n"
                  "    D                 3     0.25\n"
                  "    A                 1        0\n"
                  "    C               0.5        0\n");
    tr_report_destroy(r);
}

static void test_json_keeps_the_order_and_what_text_leaves_out(void **state) {
    trReport *r = tr_report_create();
    tr_report_open(r, "reactions", "", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    add_joint(r, "A", 1.0, 2e-16);
    add_joint(r, "B", 2.0, 0.0);
    tr_report_note(r, NULL, "for people");
    tr_report_open(r, NULL, NULL, TR_REPORT_BRIEF);
    tr_report_note(r, NULL, "and more");
    tr_report_close(r);
    tr_report_close(r);
    const char *const names[] = {"x", NULL, "y"};
    tr_report_texts(r, "names", NULL, 3, names);
    assert_prints(r, true, false,
                  "{\n  \"reactions\": [\n"
                  "    {\n      \"joint\": \"A\",\n      \"Fx\": 1,\n"
                  "      \"M\": 2e-16\n    },\n"
                  "    {\n      \"joint\": \"B\",\n      \"Fx\": 2,\n      \"M\": 0\n    }\n  ],\n"
                  "  \"names\": [\n    \"x\",\n    \"y\"\n  ]\n}\n");
    tr_report_destroy(r);
}

static void test_long_lines_wrap_below_their_values(void **state) {
    trReport *r = tr_report_create();
    tr_report_note(r, "reason",
                   "the constraints cannot be satisfied at this time, because the crank is longer "
                   "than the coupler");
    tr_report_note(r, NULL, "\nname\x1b[8m of\na thief");
    assert_prints(
        r, false, false,
        "  reason           the constraints cannot be satisfied at this time, because the\n"
        "                   crank is longer than the coupler\n"
        "\n"
        "name [8m of a thief\n");
    tr_report_destroy(r);
}

static void test_details_are_shown_on_request_and_what_replaces_them_otherwise(void **state) {
    trReport *r = tr_report_create();
    tr_report_open(r, NULL, NULL, TR_REPORT_DETAIL);
    tr_report_text(r, "a", "detail", "yes");
    tr_report_close(r);
    tr_report_open(r, NULL, NULL, TR_REPORT_BRIEF);
    tr_report_note(r, "brief", "yes");
    tr_report_close(r);
    tr_report_open(r, "b", "data", TR_REPORT_DATA);
    tr_report_close(r);
    assert_prints(r, false, false, "  brief            yes\n");
    assert_prints(r, false, true, "  detail           yes\n");
    assert_prints(r, true, false, "{\n  \"a\": \"yes\",\n  \"b\": {}\n}\n");
    tr_report_destroy(r);
}

static void test_json_escapes_texts_and_has_no_numbers_that_are_none(void **state) {
    trReport *r = tr_report_create();
    tr_report_number(r, "third", NULL, 1.0 / 3.0, NULL);
    tr_report_number(r, "nan", NULL, NAN, NULL);
    tr_report_number(r, "inf", NULL, -INFINITY, NULL);
    tr_report_text(r, "none", NULL, NULL);
    tr_report_integer(r, "n", NULL, INT64_MIN);
    tr_report_bool(r, "yes", NULL, true);
    tr_report_text(r, "a\"b", NULL, "\\ \n\t\x01 \xc3\xa9 \xf0\x9f\x94\xa9");
    // A byte of Latin-1, a cut sequence, an overlong form and a surrogate are no UTF-8.
    tr_report_text(r, "bad", NULL, "\xe9. \xe2\x82 \xc0\x80 \xed\xa0\x80");
    assert_prints(
        r, true, false,
        "{\n  \"third\": 0.33333333333333331,\n  \"nan\": null,\n  \"inf\": null,\n"
        "  \"none\": null,\n  \"n\": -9223372036854775808,\n  \"yes\": true,\n"
        "  \"a\\\"b\": \"\\\\ \\n\\t\\u0001 \xc3\xa9 \xf0\x9f\x94\xa9\",\n"
        "  \"bad\": \"\\ufffd. \\ufffd\\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd\"\n}\n");
    tr_report_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_escapes_texts_and_has_no_numbers_that_are_none),
        cmocka_unit_test(test_keys_are_for_json_and_labels_for_text),
        cmocka_unit_test(test_tables_fit_their_cells_and_show_the_largest_first),
        cmocka_unit_test(test_json_keeps_the_order_and_what_text_leaves_out),
        cmocka_unit_test(test_long_lines_wrap_below_their_values),
        cmocka_unit_test(test_details_are_shown_on_request_and_what_replaces_them_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
