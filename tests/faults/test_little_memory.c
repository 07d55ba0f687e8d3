// SPDX-License-Identifier: MIT
// A process that may have only so much memory, as `ulimit -v` and queues of clusters give it: here
// all that ask, libraries as well, find the same shortage. From far too little to enough, in small
// steps, each in a process of its own in which HDF5 has not begun: the run ends with words, or with
// a result file that has all rows, and never in a crash.

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/status.h"
#include "faults/stages.h"
#include "record/scratch.h"
#include "trammel/hdf5.h"
#include "trammel/result.h"

#define STEP_BYTES ((rlim_t)64 << 10)
#define FINE_STEP_BYTES ((rlim_t)16 << 10)  // of runs without files, which need less
#define MOST_STEPS 1024
#define ENOUGH_IN_A_ROW 4  // right results one after the other: there is enough from here on
#define ROWS 3             // of a run that samples at its start, middle and end
#define ROD "benchmark/pendulum_rod.lua"
#define FIRST_CODE 64  // exit codes from here on are ours; HDF5 has others
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

typedef enum End { TOLD, RIGHT, SILENT, WRONG, CRASHED, ENDS } End;

static const Case cases[] = {
    {.file = "benchmark/pendulum.lua", .duration = 0.02},
    {.file = "benchmark/chain.lua", .set = "N=40", .duration = 0.002},  // wide rows
#ifdef TRAMMEL_SUNDIALS
    {.file = ROD, .integrator = "arkode", .duration = 0.02, .memory_only = true},
    {.file = ROD, .integrator = "arkode_dirk", .duration = 0.02, .memory_only = true},
    {.file = ROD, .integrator = "cvode", .duration = 0.02, .memory_only = true},
    {.file = ROD, .integrator = "ida", .duration = 0.02, .memory_only = true},
#endif
};
static const Stage *const way[] = {&stage_load,   &stage_build, &stage_create,
                                   &stage_record, &stage_run,   &stage_close};

// The address space of this process now.
static rlim_t bytes_now(void) {
    unsigned long pages = 0;
    FILE         *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu", &pages) != 1) {
        pages = 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

// --- a process of its own ---

typedef End Trial(const Case *what, rlim_t bytes);

// The test framework would take a crash for one of its own. The end of the process counts.
static End fork_trial(Trial *trial, const Case *what, rlim_t bytes) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
        for (int i = 0; i < COUNT(numbers); i++) {
            signal(numbers[i], SIG_DFL);
        }
        exit(FIRST_CODE + (int)trial(what, bytes));
    }
    int outcome = 0;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    int end = WIFEXITED(outcome) ? WEXITSTATUS(outcome) - FIRST_CODE : -1;
    return end >= 0 && end < CRASHED ? (End)end : CRASHED;
}

// From `start` bytes on, until there is enough.
static void try_all(Trial *trial, const Case *what, rlim_t start, const char *name) {
    rlim_t step = what != NULL && what->memory_only ? FINE_STEP_BYTES : STEP_BYTES;
    long   ends[ENDS] = {0}, in_a_row = 0;
    for (int i = 0; i < MOST_STEPS && in_a_row < ENOUGH_IN_A_ROW; i++) {
        End end = fork_trial(trial, what, start + (rlim_t)i * step);
        in_a_row = end == RIGHT ? in_a_row + 1 : 0;
        ends[end]++;
    }
    print_message("%-12s told %3ld, right %3ld, silent %ld, wrong %ld, crashed %ld\n", name,
                  ends[TOLD], ends[RIGHT], ends[SILENT], ends[WRONG], ends[CRASHED]);
    assert_int_equal(ends[SILENT] + ends[WRONG] + ends[CRASHED], 0);
    assert_int_equal(in_a_row, ENOUGH_IN_A_ROW);
    assert_true(ends[TOLD] > 10);
}

// --- whole runs within a limit ---

static trStatus go_all_the_way(Made *made) {
    trStatus status = TR_OK;
    for (int i = 0; i < COUNT(way) && status == TR_OK; i++) {
        status = way[i]->go(made);
    }
    return status;
}

// The result file, read within the same limit.
static trStatus read_back(bool *right) {
    trResult *result = NULL;
    long      altered = -1;
    TR_TRY(tr_result_open("faults.h5", &result));
    trStatus status = tr_result_find_altered(result, 0, &altered);
    *right = tr_result_rows(result) == ROWS && altered < 0 &&
             strcmp(tr_result_outcome(result), "done") == 0;
    tr_result_close(result);
    return status;
}

static End run_within(const Case *what, rlim_t bytes) {
    const struct rlimit limit = {bytes, bytes};
    Made                made = {.what = what};
    bool                right = what->memory_only;
    if (setrlimit(RLIMIT_AS, &limit) != 0) {
        return WRONG;
    }
    trStatus status = go_all_the_way(&made);
    made_destroy(&made);
    status = status == TR_OK && !right ? read_back(&right) : status;
    if (status != TR_OK) {
        return strstr(tr_last_error(), "memory") != NULL ? TOLD : SILENT;
    }
    return right ? RIGHT : WRONG;
}

static void every_limit_is_told_or_enough(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        const Case *what = &cases[i];
        try_all(run_within, what, bytes_now(),
                what->integrator != NULL ? what->integrator : strrchr(what->file, '/') + 1);
    }
}

// --- memory that others take while a run writes ---

// Whatever is left, in pieces, but for one of `spared` bytes.
static bool take_all_but(size_t spared) {
    const rlim_t        most = bytes_now() + spared;
    const struct rlimit limit = {most, most};
    void *volatile kept = malloc(spared + 1);
    if (kept == NULL || setrlimit(RLIMIT_AS, &limit) != 0) {
        return false;
    }
    for (size_t bytes = (size_t)1 << 24; bytes >= 16; bytes /= 2) {
        void *volatile block = malloc(bytes);
        while (block != NULL) {
            block = malloc(bytes);
        }
    }
    free(kept);
    return true;
}

static trStatus begin_rows(trRecorder **out) {
    static const trColumn columns[] = {{"t", "s"}, {"x", "m"}};
    TR_TRY(tr_recorder_create(out));
    TR_TRY(tr_recorder_add_hdf5(*out, "faults.h5"));
    TR_TRY(tr_recorder_begin(*out, COUNT(columns), columns, ROWS));
    return tr_recorder_row(*out, (const double[]){1.0, 2.0});
}

// However little is left: rows that were taken are in the file, and it is closed.
static End write_with_little_left(const Case *what, rlim_t left) {
    const double row[] = {2.0, 3.0};
    trRecorder  *recorder = NULL;
    (void)what;
    if (begin_rows(&recorder) != TR_OK || !take_all_but((size_t)left)) {
        return WRONG;
    }
    trStatus taken = tr_recorder_row(recorder, row);
    trStatus flushed = tr_recorder_flush(recorder);
    bool     told = flushed == TR_E_MEMORY && strstr(tr_last_error(), "faults.h5: out of") != NULL;
    taken = taken == TR_OK ? tr_recorder_row(recorder, row) : taken;
    trStatus closed = tr_recorder_close(recorder, "done");
    tr_recorder_destroy(recorder);
    if (taken != TR_OK || closed != TR_OK) {
        return WRONG;
    }
    return flushed == TR_OK ? RIGHT : told ? TOLD : SILENT;
}

// The same, and the file is looked at by a process that has memory.
static End write_and_read(const Case *what, rlim_t left) {
    End      end = fork_trial(write_with_little_left, what, left);
    bool     right = false;
    trStatus status = read_back(&right);
    unlink("faults.h5");
    return end > RIGHT || (status == TR_OK && right) ? end : WRONG;
}

static void rows_are_kept_when_memory_is_gone(void **state) {
    (void)state;
    try_all(write_and_read, NULL, 0, "rows");
}

// Result files go to a folder of their own.
static Scratch scratch;

static int enter_scratch(void **state) {
    (void)state;
    return scratch_make(&scratch, "faults.h5") == 0 ? chdir(scratch.folder) : -1;
}

static int leave_scratch(void **state) {
    (void)state;
    unlink("faults.csv");
    unlink("faults.h5");
    return rmdir(scratch.folder);
}

int main(void) {
    tr_result_leave_at_exit();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_is_told_or_enough),
        cmocka_unit_test(rows_are_kept_when_memory_is_gone),
    };
    return cmocka_run_group_tests_name("little memory", tests, enter_scratch, leave_scratch);
}
