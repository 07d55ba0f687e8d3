// SPDX-License-Identifier: MIT
// Two threads write and read their own HDF5 files at once. tools/threads.sh runs this under
// ThreadSanitizer.

#include <pthread.h>

#include "record/scratch.h"
#include "support/test.h"
#include "trammel/hdf5.h"
#include "trammel/result.h"

#define THREADS 2
#define FILES 25  // of each thread
#define ROWS 40
#define COLUMNS 2

typedef struct Worker {
    Scratch     scratch;
    int         files;  // that are as they should be
    const char *failed;
    char        text[256];  // of the error
} Worker;

static bool write_rows(trRecorder *recorder) {
    static const trColumn columns[COLUMNS] = {{"t", "s"}, {"x", "m"}};
    bool                  good = tr_recorder_begin(recorder, COLUMNS, columns, 0) == TR_OK;
    for (int i = 0; good && i < ROWS; i++) {
        const double row[COLUMNS] = {0.5 * i, 1.0 + i};
        good = tr_recorder_row(recorder, row) == TR_OK && tr_recorder_flush(recorder) == TR_OK;
    }
    return good && tr_recorder_close(recorder, "done") == TR_OK;
}

static bool write_file(const char *path) {
    trRecorder *recorder = NULL;
    bool        good = tr_recorder_create(&recorder) == TR_OK &&
                tr_recorder_add_hdf5(recorder, path) == TR_OK &&
                tr_recorder_note(recorder, "model", "threads") == TR_OK && write_rows(recorder);
    tr_recorder_destroy(recorder);
    return good;
}

static bool read_file(const char *path) {
    trResult *result = NULL;
    double    row[COLUMNS] = {0};
    long      altered = 0;
    bool      good = tr_result_open(path, &result) == TR_OK && tr_result_rows(result) == ROWS &&
                strcmp(tr_result_outcome(result), "done") == 0 &&
                tr_result_read(result, ROWS - 1, 1, row) == TR_OK && row[1] == (double)ROWS &&
                tr_result_find_altered(result, 0, &altered) == TR_OK && altered == -1;
    tr_result_close(result);
    return good;
}

static void *work(void *worker) {
    Worker *w = worker;
    for (; w->failed == NULL && w->files < FILES; w->files++) {
        // A file that is none is refused between others.
        trResult   *none = NULL;
        const char *wrong = !write_file(w->scratch.path)                    ? "write"
                            : !read_file(w->scratch.path)                   ? "read"
                            : tr_result_open("/dev/null", &none) != TR_E_IO ? "refuse"
                                                                            : NULL;
        w->failed = wrong;
        snprintf(w->text, sizeof w->text, "%s", wrong == NULL ? "" : tr_last_error());
    }
    return NULL;
}

static void threads_write_and_read_their_own_files(void **state) {
    static Worker worker[THREADS];
    pthread_t     thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(scratch_make(&worker[i].scratch, "r.h5"), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, work, &worker[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        scratch_drop(&worker[i].scratch);
    }
    for (int i = 0; i < THREADS; i++) {
        if (worker[i].failed != NULL) {
            fail_msg("thread %d, file %d: cannot %s: %s", i, worker[i].files, worker[i].failed,
                     worker[i].text);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_write_and_read_their_own_files),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
