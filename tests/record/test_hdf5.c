// SPDX-License-Identifier: MIT
// HDF5: the layout of the file, and what is left of it when the writer dies.

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/status.h"
#include "record/scratch.h"
#include "record/sink.h"
#include "support/test.h"
#include "trammel/result.h"

#define COLUMNS 2
#define KILLS 150         // of writers that begin, PAUSE_STEP apart
#define PAUSE_STEP 30000  // [ns]

static const trColumn columns[COLUMNS] = {{"t", "s"}, {"crank.x", "m"}};

static int make_scratch(void **state) {
    static Scratch scratch;
    *state = &scratch;
    return scratch_make(&scratch, "r.h5");
}

static int drop_scratch(void **state) {
    scratch_drop(*state);
    return 0;
}

static void write_rows(const trSinkKind *kind, void *sink, int from, int to) {
    for (int i = from; i < to; i++) {
        const double values[COLUMNS] = {0.5 * i, 100.0 + i};
        assert_int_equal(kind->row(sink, values), TR_OK);
    }
}

// Whole texts of a data set or attribute of fixed-length UTF-8; the memory is padded with zeros.
static void text_is(hid_t object, hid_t type, int attribute, size_t stride, const char *expected) {
    char text[2048] = {0};
    assert_int_equal(H5Tget_class(type), H5T_STRING);
    assert_int_equal(H5Tget_cset(type), H5T_CSET_UTF8);
    assert_true(H5Tget_size(type) < sizeof text);
    herr_t result = attribute ? H5Aread(object, type, text)
                              : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
    assert_true(result >= 0);
    assert_string_equal(text + stride, expected);
    H5Tclose(type);
}

static void attribute_is(hid_t file, const char *name, const char *expected) {
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    assert_true(attribute >= 0);
    text_is(attribute, H5Aget_type(attribute), 1, 0, expected);
    H5Aclose(attribute);
}

static void set_is(hid_t file, const char *name, size_t stride, const char *expected) {
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    text_is(set, H5Dget_type(set), 0, stride, expected);
    H5Dclose(set);
}

static void open_and_close(const Scratch *scratch, const trNote *notes, const char *outcome) {
    const trSinkKind *kind = &tr_sink_hdf5;
    void             *sink = NULL;
    trArena          *arena = tr_arena_create();
    trSinkOpen        with = {
               .path = scratch->path, .columns = COLUMNS, .column = columns, .notes = notes};
    assert_int_equal(kind->open(arena, &with, &sink), TR_OK);
    write_rows(kind, sink, 0, 3);
    assert_int_equal(kind->close(sink, outcome), TR_OK);
    tr_arena_destroy(arena);
}

static void the_layout_is_as_documented(void **state) {
    const Scratch *scratch = *state;
    trNote         second = {.key = "empty", .text = ""};
    trNote         first = {.next = &second, .key = "model", .text = "four-bar \xc3\xa9"};
    open_and_close(scratch, &first, "done");

    hid_t file = H5Fopen(scratch->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    int   layout = 0;
    hid_t attribute = H5Aopen(file, "layout_version", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_INT, &layout) >= 0);
    H5Aclose(attribute);
    assert_int_equal(layout, 2);
    attribute_is(file, "trammel_version", tr_version());
    attribute_is(file, "model", "four-bar \xc3\xa9");
    attribute_is(file, "empty", "");
    set_is(file, "outcome", 0, "done");
    set_is(file, "columns", 0, "t");
    set_is(file, "columns", strlen("crank.x"), "crank.x");
    set_is(file, "units", 0, "sm");  // each one byte long
    H5Fclose(file);
}

static void a_long_outcome_is_cut_between_characters(void **state) {
    const Scratch *scratch = *state;
    char           long_text[1201] = {0}, expected[1040] = {0};
    for (int i = 0; i < 1200; i += 2) {
        memcpy(long_text + i, "\xc3\xa9", 2);
    }
    memcpy(expected, long_text, 1038);  // 1039 bytes would end in half a character
    open_and_close(scratch, NULL, long_text);
    hid_t file = H5Fopen(scratch->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    set_is(file, "outcome", 0, expected);
    H5Fclose(file);
}

static void the_longest_error_is_kept_whole(void **state) {
    const Scratch *scratch = *state;
    char           text[2048];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    tr_fail(TR_E_SIMULATION, "%s", text);
    snprintf(text, sizeof text, "failed: %s", tr_last_error());
    assert_true(strlen(text) > 1000);
    open_and_close(scratch, NULL, text);
    hid_t file = H5Fopen(scratch->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    set_is(file, "outcome", 0, text);
    H5Fclose(file);
}

static void errors_of_hdf5_stay_silent_and_its_settings_unchanged(void **state) {
    H5E_auto2_t before = NULL, after = NULL;
    void       *context = NULL;
    H5Eget_auto2(H5E_DEFAULT, &before, &context);
    const trSinkKind *kind = &tr_sink_hdf5;
    void             *sink = NULL;
    trArena          *arena = tr_arena_create();
    trSinkOpen        with = {.path = "no-such-folder/r.h5", .columns = COLUMNS, .column = columns};
    assert_int_equal(kind->open(arena, &with, &sink), TR_E_IO);
    H5Eget_auto2(H5E_DEFAULT, &after, &context);
    assert_true(before == after && before != NULL);
    tr_arena_destroy(arena);
}

// In a file that nobody closed.
static void rows_are_there(const char *path, int rows) {
    const unsigned flags = H5F_ACC_RDONLY | H5F_ACC_SWMR_READ;
    hsize_t        size[2] = {0};
    double        *table = read_hdf5_rows(path, flags, size);
    assert_non_null(table);
    assert_true(size[0] >= (hsize_t)rows);
    for (int i = 0; i < rows; i++) {
        assert_true(table[COLUMNS * i] == 0.5 * i && table[COLUMNS * i + 1] == 100.0 + i);
    }
    free(table);
    hid_t file = H5Fopen(path, flags, H5P_DEFAULT);
    set_is(file, "outcome", 0, "running");
    set_is(file, "columns", strlen("crank.x"), "crank.x");
    H5Fclose(file);
}

static void an_old_file_is_replaced(void **state) {
    const Scratch *scratch = *state;
    open_and_close(scratch, NULL, "done");
    open_and_close(scratch, NULL, "again");
    hid_t file = H5Fopen(scratch->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    set_is(file, "outcome", 0, "again");
    H5Fclose(file);
}

// Writes rows, flushes, writes more, and dies without warning. Reports through the signal alone.
static void write_and_die(const char *path, int flushed, int lost) {
    const trSinkKind *kind = &tr_sink_hdf5;
    void             *sink = NULL;
    trArena          *arena = tr_arena_create();
    trSinkOpen        with = {.path = path, .columns = COLUMNS, .column = columns};
    if (arena == NULL || kind->open(arena, &with, &sink) != TR_OK) {
        _exit(1);
    }
    for (int i = 0; i < flushed + lost; i++) {
        const double values[COLUMNS] = {0.5 * i, 100.0 + i};
        if (kind->row(sink, values) != TR_OK) {
            _exit(2);
        }
        if ((i == flushed / 2 || i == flushed - 1) && kind->flush(sink) != TR_OK) {
            _exit(3);
        }
    }
    kill(getpid(), SIGKILL);
    _exit(4);
}

static void what_was_flushed_survives_the_death_of_the_writer(void **state) {
    const Scratch *scratch = *state;
    const int      flushed[] = {1, 700, 20000};  // part of a chunk, and several chunks
    for (size_t k = 0; k < sizeof flushed / sizeof *flushed; k++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            write_and_die(scratch->path, flushed[k], 50);
        }
        int outcome = 0;
        assert_int_equal(waitpid(child, &outcome, 0), child);
        assert_true(WIFSIGNALED(outcome));
        assert_int_equal(WTERMSIG(outcome), SIGKILL);

        rows_are_there(scratch->path, flushed[k]);
    }
}

static void the_target_of_a_link_is_replaced(void **state) {
    const Scratch *scratch = *state;
    Scratch        link = {0};
    struct stat    info;
    memcpy(&link, scratch, sizeof link);
    snprintf(link.path, sizeof link.path, "%s/link.h5", scratch->folder);
    assert_int_equal(symlink("r.h5", link.path), 0);
    const char *const outcomes[] = {"first", "second"};  // into nowhere, and over a file
    for (int i = 0; i < 2; i++) {
        open_and_close(&link, NULL, outcomes[i]);
        assert_int_equal(lstat(link.path, &info), 0);
        assert_true(S_ISLNK(info.st_mode));
        assert_int_equal(lstat(scratch->path, &info), 0);
        assert_true(S_ISREG(info.st_mode));
        hid_t file = H5Fopen(scratch->path, H5F_ACC_RDONLY, H5P_DEFAULT);
        set_is(file, "outcome", 0, outcomes[i]);
        H5Fclose(file);
        assert_int_equal(chmod(scratch->path, 0600), 0);
    }
    assert_int_equal(info.st_mode & 0777, 0600);  // of the first, which was made so
    unlink(link.path);
}

// Two writers of one path would destroy each other's rows.
static void a_file_that_is_being_written_is_left_alone(void **state) {
    const Scratch    *scratch = *state;
    const trSinkKind *kind = &tr_sink_hdf5;
    void             *sink = NULL, *second = NULL;
    trArena          *arena = tr_arena_create();
    trSinkOpen        with = {.path = scratch->path, .columns = COLUMNS, .column = columns};
    for (int later = 0; later < 2; later++) {  // with its name, and before it has got it
        with.later = later == 1;
        assert_int_equal(kind->open(arena, &with, &sink), TR_OK);
        assert_int_equal(kind->open(arena, &with, &second), TR_E_IO);
        assert_non_null(strstr(tr_last_error(), "r.h5: another run is writing it; "));
        write_rows(kind, sink, 0, 3);
        assert_int_equal(kind->take_name(sink), TR_OK);
        assert_int_equal(kind->close(sink, "done"), TR_OK);
        hsize_t size[2] = {0};
        free(read_hdf5_rows(scratch->path, H5F_ACC_RDONLY, size));
        assert_int_equal(size[0], 3);
    }
    tr_arena_destroy(arena);
}

static void begin_and_wait(const char *path) {
    void      *sink = NULL;
    trArena   *arena = tr_arena_create();
    trSinkOpen with = {.path = path, .columns = COLUMNS, .column = columns};
    if (arena == NULL || tr_sink_hdf5.open(arena, &with, &sink) != TR_OK) {
        _exit(1);
    }
    (void)pause();
    _exit(2);
}

// How the results at `path` ended: "" where there are none.
static void read_outcome(const char *path, char outcome[64]) {
    trResult *result = NULL;
    outcome[0] = '\0';
    if (access(path, F_OK) == 0) {
        assert_int_equal(tr_result_open(path, &result), TR_OK);
        snprintf(outcome, 64, "%s", tr_result_outcome(result));
        tr_result_close(result);
    }
}

// At every time there are no results, the old ones, or new ones that can be read.
static void a_writer_may_die_while_it_begins(void **state) {
    const Scratch *scratch = *state;
    int            old_ones = 0, new_ones = 0;
    for (int k = 0; k < KILLS; k++) {
        const struct timespec after = {.tv_nsec = (long)(k / 2) * PAUSE_STEP};
        bool                  old = k % 2 == 1;
        char                  outcome[64];
        unlink(scratch->path);
        if (old) {
            open_and_close(scratch, NULL, "done");
        }
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            begin_and_wait(scratch->path);
        }
        (void)nanosleep(&after, NULL);
        kill(child, SIGKILL);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        read_outcome(scratch->path, outcome);
        new_ones += strcmp(outcome, "running") == 0;
        old_ones += strcmp(outcome, old ? "done" : "") == 0;
    }
    assert_int_equal(old_ones + new_ones, KILLS);
    print_message("%d killed before, %d after the results were begun\n", old_ones, new_ones);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_scratch, drop_scratch)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_layout_is_as_documented),
        TEST(a_long_outcome_is_cut_between_characters),
        TEST(the_longest_error_is_kept_whole),
        TEST(errors_of_hdf5_stay_silent_and_its_settings_unchanged),
        TEST(an_old_file_is_replaced),
        TEST(what_was_flushed_survives_the_death_of_the_writer),
        TEST(the_target_of_a_link_is_replaced),
        TEST(a_file_that_is_being_written_is_left_alone),
        TEST(a_writer_may_die_while_it_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
