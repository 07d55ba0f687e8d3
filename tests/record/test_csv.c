// SPDX-License-Identifier: MIT
// CSV: the text itself.

#include <math.h>

#include "record/scratch.h"
#include "record/sink.h"
#include "support/test.h"

static void the_text_is_as_documented(void **state) {
    const trColumn columns[] = {{"t", "s"}, {"a, b", "m"}, {"the \"c\"", ""}, {"d", NULL}};
    const double   rows[2][4] = {{0.0, 0.1, -2.0, 1.0 / 3.0}, {0.5, 1e300, NAN, -INFINITY}};
    Scratch        scratch;
    void          *sink = NULL;
    assert_int_equal(scratch_make(&scratch, "r.csv"), 0);
    const trSinkKind *csv = tr_sink_find("csv");
    trArena          *arena = tr_arena_create();
    trSinkOpen        with = {.path = scratch.path, .columns = 4, .column = columns};
    assert_int_equal(csv->open(arena, &with, &sink), TR_OK);
    assert_int_equal(csv->row(sink, rows[0]), TR_OK);
    assert_int_equal(csv->row(sink, rows[1]), TR_OK);
    assert_int_equal(csv->close(sink, "done"), TR_OK);
    tr_arena_destroy(arena);

    char *text = read_text(scratch.path);
    assert_non_null(text);
    assert_string_equal(text, "t [s],\"a, b [m]\",\"the \"\"c\"\"\",d\n"
                              "0,0.1,-2,0.3333333333333333\n"
                              "0.5,1e+300,nan,-inf\n");
    free(text);
    scratch_drop(&scratch);
}

// A header longer than the buffer, and rows longer than it.
static void wide_tables_are_written_whole(void **state) {
    enum { WIDE = 30000 };
    static trColumn columns[WIDE];
    static double   row[WIDE];
    for (int i = 0; i < WIDE; i++) {
        columns[i] = (trColumn){"wheel", "m"};
        row[i] = -1.2345678901234567e-300;
    }
    Scratch scratch;
    void   *sink = NULL;
    assert_int_equal(scratch_make(&scratch, "r.csv"), 0);
    const trSinkKind *csv = tr_sink_find("csv");
    trArena          *arena = tr_arena_create();
    trSinkOpen        with = {.path = scratch.path, .columns = WIDE, .column = columns};
    assert_int_equal(csv->open(arena, &with, &sink), TR_OK);
    assert_int_equal(csv->row(sink, row), TR_OK);
    assert_int_equal(csv->row(sink, row), TR_OK);
    assert_int_equal(csv->close(sink, "done"), TR_OK);
    tr_arena_destroy(arena);

    char *text = read_text(scratch.path);
    assert_non_null(text);
    size_t commas = 0, lines = 0;
    for (const char *c = text; *c != '\0'; c++) {
        commas += *c == ',';
        lines += *c == '\n';
    }
    assert_int_equal(commas, 3 * (WIDE - 1));
    assert_int_equal(lines, 3);
    free(text);
    scratch_drop(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_as_documented),
        cmocka_unit_test(wide_tables_are_written_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
