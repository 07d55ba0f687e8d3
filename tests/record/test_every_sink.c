// SPDX-License-Identifier: MIT
// What every sink owes: the same rows come back, failures are reported, memory is planned.

#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "record/scratch.h"
#include "record/sink.h"
#include "support/test.h"

#define COLUMNS 3
#define ROWS 6000  // more than one chunk and more than one buffer

static const trColumn columns[COLUMNS] = {{"t", "s"}, {"crank.x", "m"}, {"ratio", ""}};

// Numbers of all sizes; each row tells itself apart from the others.
static double value_at(long row, int column) {
    const double odd[] = {-0.0,     DBL_MAX,   -DBL_MIN, DBL_TRUE_MIN, 1.0 / 3.0,
                          INFINITY, -INFINITY, NAN,      0.1,          123456789012345678.0};
    switch (column) {
    case 0:
        return 1e-3 * (double)row;
    case 1:
        return sin((double)row) * exp(0.1 * (double)(row % 400) - 20.0);
    default:
        return odd[row % 10];
    }
}

static int same(double a, double b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static double *read_csv(const char *path, long *rows) {
    char *text = read_text(path);
    assert_non_null(text);
    double *table = calloc(ROWS * COLUMNS, sizeof *table);
    assert_non_null(table);
    char *at = strchr(text, '\n');
    assert_non_null(at);
    at++;
    for (*rows = 0; *at != '\0'; (*rows)++) {
        assert_true(*rows < ROWS);
        for (int i = 0; i < COLUMNS; i++) {
            table[*rows * COLUMNS + i] = strtod(at, &at);
            assert_int_equal(*at, i + 1 < COLUMNS ? ',' : '\n');
            at++;
        }
    }
    free(text);
    return table;
}

static double *read_hdf5(const char *path, long *rows) {
    hsize_t size[2];
    double *table = read_hdf5_rows(path, H5F_ACC_RDONLY, size);
    assert_non_null(table);
    assert_int_equal(size[1], COLUMNS);
    *rows = (long)size[0];
    return table;
}

// A copy of what the sink holds, to be freed.
// Those of the core, and HDF5.
static int sinks(void) {
    return tr_sink_count() + 1;
}

static const trSinkKind *sink_at(int k) {
    return k < tr_sink_count() ? tr_sink_at(k) : &tr_sink_hdf5;
}

static double *read_back(const trSinkKind *kind, const void *sink, const char *path, long *rows) {
    if (kind->table != NULL) {
        const double *table = kind->table(sink, rows);
        double       *copy = calloc(ROWS * COLUMNS, sizeof *copy);
        assert_non_null(copy);
        assert_true(*rows <= ROWS);
        memcpy(copy, table, (size_t)*rows * COLUMNS * sizeof *copy);
        return copy;
    }
    if (strcmp(kind->name, "csv") == 0) {
        return read_csv(path, rows);
    }
    if (strcmp(kind->name, "hdf5") == 0) {
        return read_hdf5(path, rows);
    }
    fail_msg("%s: this test cannot read it", kind->name);
    return NULL;
}

static void write_rows(const trSinkKind *kind, void *sink, long from, long to) {
    for (long row = from; row < to; row++) {
        double values[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            values[i] = value_at(row, i);
        }
        assert_int_equal(kind->row(sink, values), TR_OK);
    }
}

static void try_rows(const trSinkKind *kind, long rows) {
    Scratch scratch;
    void   *sink = NULL;
    assert_int_equal(scratch_make(&scratch, "result"), 0);
    trArena   *arena = tr_arena_create();
    trSinkOpen with = {.path = scratch.path, .columns = COLUMNS, .column = columns, .rows = rows};
    assert_int_equal(kind->open(arena, &with, &sink), TR_OK);
    tr_arena_seal(arena);  // whatever is asked for from here on fails
    long third = rows / 3;
    write_rows(kind, sink, 0, third);
    for (int i = 0; kind->flush != NULL && i < 2; i++) {  // the second time with nothing to flush
        assert_int_equal(kind->flush(sink), TR_OK);
    }
    write_rows(kind, sink, third, rows);
    assert_true(kind->close == NULL || kind->close(sink, "done") == TR_OK);
    assert_int_equal(tr_arena_status(arena), TR_OK);

    long    found = -1;
    double *table = read_back(kind, sink, scratch.path, &found);
    assert_int_equal(found, rows);
    for (long row = 0; row < rows; row++) {
        for (int i = 0; i < COLUMNS; i++) {
            if (!same(table[row * COLUMNS + i], value_at(row, i))) {
                fail_msg("%s: row %ld column %d is %.17g", kind->name, row, i,
                         table[row * COLUMNS + i]);
            }
        }
    }
    free(table);
    tr_arena_destroy(arena);
    scratch_drop(&scratch);
}

static void the_same_rows_come_back(void **state) {
    for (int k = 0; k < sinks(); k++) {
        try_rows(sink_at(k), ROWS);
        try_rows(sink_at(k), 0);
        try_rows(sink_at(k), 2730);  // just one chunk of HDF5
    }
}

// Rows that were flushed are in the file although nobody closes it.
static void the_arena_closes_what_was_left_open(void **state) {
    for (int k = 0; k < sinks(); k++) {
        const trSinkKind *kind = sink_at(k);
        if (kind->table != NULL) {
            continue;
        }
        Scratch scratch;
        void   *sink = NULL;
        assert_int_equal(scratch_make(&scratch, "result"), 0);
        trArena   *arena = tr_arena_create();
        trSinkOpen with = {.path = scratch.path, .columns = COLUMNS, .column = columns, .rows = 9};
        assert_int_equal(kind->open(arena, &with, &sink), TR_OK);
        write_rows(kind, sink, 0, 7);
        assert_int_equal(kind->flush(sink), TR_OK);
        tr_arena_destroy(arena);
        long    found = -1;
        double *table = read_back(kind, sink, scratch.path, &found);
        assert_int_equal(found, 7);
        free(table);
        scratch_drop(&scratch);
    }
}

static void a_file_that_cannot_be_made_is_an_error_by_name(void **state) {
    for (int k = 0; k < sinks(); k++) {
        const trSinkKind *kind = sink_at(k);
        void             *sink = NULL;
        trArena          *arena = tr_arena_create();
        trSinkOpen with = {.path = "no-such-folder/r", .columns = COLUMNS, .column = columns};
        if (kind->table == NULL) {
            assert_int_equal(kind->open(arena, &with, &sink), TR_E_IO);
            assert_string_equal(tr_last_error(),
                                "no-such-folder/r: cannot create: No such file or directory");
            with.path = NULL;
            assert_int_equal(kind->open(arena, &with, &sink), TR_E_ARGUMENT);
        }
        tr_arena_destroy(arena);
    }
}

static void every_sink_is_described_and_found(void **state) {
    assert_true(tr_sink_count() >= 2);
    for (int k = 0; k < sinks(); k++) {
        const trSinkKind *kind = sink_at(k);
        assert_ptr_equal(tr_sink_find(kind->name), k < tr_sink_count() ? kind : NULL);
        assert_true(strlen(kind->summary) > 10);
    }
    assert_null(tr_sink_find("parchment"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_rows_come_back),
        cmocka_unit_test(the_arena_closes_what_was_left_open),
        cmocka_unit_test(a_file_that_cannot_be_made_is_an_error_by_name),
        cmocka_unit_test(every_sink_is_described_and_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
