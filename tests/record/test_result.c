// SPDX-License-Identifier: MIT
// The reader of result files gives back what was written, notices every changed number and text,
// and refuses what is cut, damaged or something else, in words.

#include "record/scratch.h"
#include "support/test.h"
#include "trammel/hdf5.h"
#include "trammel/record.h"
#include "trammel/result.h"

// HDF5 keeps a little memory of every damaged file that it was given; leaks of our own are told.
#if defined(__SANITIZE_ADDRESS__)
#define FOUND_BY_SANITIZER __attribute__((visibility("default")))
FOUND_BY_SANITIZER const char *__lsan_default_suppressions(void);
FOUND_BY_SANITIZER const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void) {
    return "leak:libhdf5";
}

const char *__lsan_default_options(void) {
    return "print_suppressions=0";
}
#endif

#define COLUMNS 3
#define ROWS 5000  // several chunks
#define LONG_NOTE 200000
#define CUTS 100
#define FLIPS 1000

static const trColumn columns[COLUMNS] = {{"t", "s"}, {"crank.x", "m"}, {"crank.e0", NULL}};

static int make_scratch(void **state) {
    static Scratch scratch;
    *state = &scratch;
    return scratch_make(&scratch, "r.h5");
}

static int drop_scratch(void **state) {
    scratch_drop(*state);
    return 0;
}

static double value(long row, int column) {
    return (double)row * 0.25 + column / 3.0;
}

static char *long_note(void) {
    static char text[LONG_NOTE + 1];
    memset(text, 'x', LONG_NOTE);
    return text;
}

static void write_file(const char *path) {
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add_hdf5(recorder, path), TR_OK);
    assert_int_equal(tr_recorder_note(recorder, "model", "four-bar"), TR_OK);
    assert_int_equal(tr_recorder_note(recorder, "empty", ""), TR_OK);
    assert_int_equal(tr_recorder_note(recorder, "model_text", long_note()), TR_OK);
    assert_int_equal(tr_recorder_begin(recorder, COLUMNS, columns, ROWS), TR_OK);
    for (long i = 0; i < ROWS; i++) {
        const double row[COLUMNS] = {value(i, 0), value(i, 1), value(i, 2)};
        assert_int_equal(tr_recorder_row(recorder, row), TR_OK);
    }
    assert_int_equal(tr_recorder_close(recorder, "done"), TR_OK);
    tr_recorder_destroy(recorder);
}

static trResult *open_file(const char *path) {
    trResult *result = NULL;
    if (tr_result_open(path, &result) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return result;
}

static void what_was_written_is_read(void **state) {
    const Scratch *scratch = *state;
    static double  table[ROWS][COLUMNS];
    long           altered = 0;
    write_file(scratch->path);
    trResult *result = open_file(scratch->path);
    assert_int_equal(tr_result_columns(result), COLUMNS);
    assert_int_equal(tr_result_rows(result), ROWS);
    assert_string_equal(tr_result_column(result, 1)->name, "crank.x");
    assert_string_equal(tr_result_column(result, 1)->unit, "m");
    assert_string_equal(tr_result_column(result, 2)->unit, "");
    assert_null(tr_result_column(result, COLUMNS));
    assert_int_equal(tr_result_find(result, "crank.e0"), 2);
    assert_int_equal(tr_result_find(result, "crank.y"), -1);
    assert_string_equal(tr_result_outcome(result), "done");
    assert_string_equal(tr_result_note(result, "model"), "four-bar");
    assert_string_equal(tr_result_note(result, "empty"), "");
    assert_string_equal(tr_result_note(result, "model_text"), long_note());
    assert_null(tr_result_note(result, "trammel_version"));
    assert_true(tr_result_texts_are_whole(result));
    assert_int_equal(tr_result_read(result, 0, ROWS, &table[0][0]), TR_OK);
    for (long i = 0; i < ROWS; i++) {
        for (int k = 0; k < COLUMNS; k++) {
            assert_true(table[i][k] == value(i, k));
        }
    }
    assert_int_equal(tr_result_read(result, ROWS - 1, 1, &table[0][0]), TR_OK);
    assert_true(table[0][1] == value(ROWS - 1, 1));
    assert_int_equal(tr_result_read(result, ROWS - 1, 2, &table[0][0]), TR_E_ARGUMENT);
    assert_int_equal(tr_result_find_altered(result, 0, &altered), TR_OK);
    assert_int_equal(altered, -1);
    tr_result_close(result);
}

// Through HDF5 itself, as somebody would who knows how.
static void change_number(const char *path, hsize_t row, hsize_t column) {
    hsize_t start[2] = {row, column}, count[2] = {1, 1};
    hid_t   file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t   set = H5Dopen2(file, "rows", H5P_DEFAULT), space = H5Dget_space(set);
    hid_t   single = H5Screate_simple(2, count, NULL);
    double  number = 0.0;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, single, space, H5P_DEFAULT, &number) >= 0);
    number += number == 0.0 ? 1e-300 : 1e-15 * number;
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, single, space, H5P_DEFAULT, &number) >= 0);
    H5Sclose(single);
    H5Sclose(space);
    H5Dclose(set);
    assert_true(H5Fclose(file) >= 0);
}

static void one_changed_number_is_found(void **state) {
    const Scratch *scratch = *state;
    uint32_t       seed = 7;
    for (int i = 0; i < 20; i++) {
        long row = 0, altered = 0;
        write_file(scratch->path);
        seed = seed * 1664525u + 1013904223u;
        row = (long)(seed >> 8) % ROWS;
        change_number(scratch->path, (hsize_t)row, (hsize_t)(seed >> 4) % COLUMNS);
        trResult *result = open_file(scratch->path);
        assert_int_equal(tr_result_find_altered(result, 0, &altered), TR_OK);
        assert_int_equal(altered, row);
        tr_result_close(result);
    }
}

static void one_changed_text_is_found(void **state) {
    const Scratch *scratch = *state;
    write_file(scratch->path);
    hid_t file = H5Fopen(scratch->path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t attribute = H5Aopen(file, "model", H5P_DEFAULT), type = H5Aget_type(attribute);
    assert_true(H5Awrite(attribute, type, "fixe-bar") >= 0);
    H5Tclose(type);
    H5Aclose(attribute);
    H5Fclose(file);
    trResult *result = open_file(scratch->path);
    assert_false(tr_result_texts_are_whole(result));
    tr_result_close(result);
}

// --- damage ---

static void write_bytes(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static char *read_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

// 0: refused in words; 1: read, damage found; 2: read, all as written.
static int judge(const char *path) {
    trResult *result = NULL;
    long      altered = -1;
    if (tr_result_open(path, &result) != TR_OK) {
        assert_null(result);
        assert_true(strstr(tr_last_error(), path) != NULL);
        return 0;
    }
    trStatus status = tr_result_find_altered(result, 0, &altered);
    bool     whole = status == TR_OK && altered < 0 && tr_result_texts_are_whole(result) &&
                 tr_result_rows(result) == ROWS;
    tr_result_close(result);
    return whole ? 2 : 1;
}

static void cut_files_are_noticed(void **state) {
    const Scratch *scratch = *state;
    size_t         size = 0;
    write_file(scratch->path);
    char *bytes = read_bytes(scratch->path, &size);
    for (size_t i = 0; i < CUTS; i++) {
        write_bytes(scratch->path, bytes, size * i / CUTS);
        assert_int_not_equal(judge(scratch->path), 2);
    }
    free(bytes);
}

// A flip that changes nothing hit unused room, the outcome or the version of the writer: no row and
// no text that was noted. Most of the file is rows.
static void flipped_bits_are_noticed(void **state) {
    const Scratch *scratch = *state;
    uint32_t       seed = 1;
    size_t         size = 0;
    int            count[3] = {0};
    write_file(scratch->path);
    char *bytes = read_bytes(scratch->path, &size);
    for (int i = 0; i < FLIPS; i++) {
        seed = seed * 1664525u + 1013904223u;
        size_t place = (size_t)(((uint64_t)seed * size) >> 32);
        char   bit = (char)(1 << (i % 8));
        bytes[place] = (char)(bytes[place] ^ bit);
        write_bytes(scratch->path, bytes, size);
        count[judge(scratch->path)]++;
        bytes[place] = (char)(bytes[place] ^ bit);
    }
    print_message("%d flips: %d refused, %d found, %d without effect\n", FLIPS, count[0], count[1],
                  count[2]);
    // 120000 bytes of rows in 65536 a chunk, 40000 of marks in one chunk, 200000 of a text.
    assert_true(count[0] + count[1] > FLIPS / 2);
    free(bytes);
}

static void foreign_files_are_refused(void **state) {
    const Scratch *scratch = *state;
    trResult      *result = NULL;
    write_bytes(scratch->path, "t,x\n0,1\n", 8);
    assert_int_equal(tr_result_open(scratch->path, &result), TR_E_IO);
    assert_true(strstr(tr_last_error(), "not an HDF5 file") != NULL);
    write_bytes(scratch->path, "", 0);
    assert_int_equal(tr_result_open(scratch->path, &result), TR_E_IO);
    assert_int_equal(tr_result_open("no-such-file.h5", &result), TR_E_IO);
    assert_int_equal(tr_result_open("/", &result), TR_E_IO);
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Fclose(H5Fcreate(scratch->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    assert_int_equal(tr_result_open(scratch->path, &result), TR_E_IO);
    H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Fclose(H5Fcreate(scratch->path, H5F_ACC_TRUNC, H5P_DEFAULT, list));
    H5Pclose(list);
    assert_int_equal(tr_result_open(scratch->path, &result), TR_E_IO);
    assert_true(strstr(tr_last_error(), "not a result of Trammel") != NULL);
}

// Reports show these texts, line by line.
static void texts_do_not_command_a_terminal(void **state) {
    static const trColumn bad = {"a\x1b[2Jb\xc2\x9b", "m\n\x7f"};
    const Scratch        *scratch = *state;
    trRecorder           *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add_hdf5(recorder, scratch->path), TR_OK);
    assert_int_equal(tr_recorder_note(recorder, "model_text", "two\nlines"), TR_OK);
    assert_int_equal(tr_recorder_begin(recorder, 1, &bad, 0), TR_OK);
    assert_int_equal(tr_recorder_close(recorder, "failed: \r\ttrue \xc4\x9b"), TR_OK);
    tr_recorder_destroy(recorder);
    trResult *result = open_file(scratch->path);
    assert_true(tr_result_texts_are_whole(result));
    assert_string_equal(tr_result_column(result, 0)->name, "a [2Jb  ");
    assert_string_equal(tr_result_column(result, 0)->unit, "m  ");
    assert_string_equal(tr_result_outcome(result), "failed:   true \xc4\x9b");
    assert_string_equal(tr_result_note(result, "model_text"), "two\nlines");
    tr_result_close(result);
}

// --- forged files ---

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_written_is_read, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(one_changed_number_is_found, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(one_changed_text_is_found, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(cut_files_are_noticed, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(flipped_bits_are_noticed, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(foreign_files_are_refused, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(texts_do_not_command_a_terminal, make_scratch,
                                        drop_scratch),
    };
    tr_result_leave_at_exit();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
