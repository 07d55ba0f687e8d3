// SPDX-License-Identifier: MIT
// A process that may have only so much memory, as `ulimit -v` and queues of clusters give it: here
// all that ask, libraries as well, find the same shortage. From far too little to enough, in small
// steps, each in a process of its own, and each of these in which HDF5 has not begun: the run ends
// with words, or with the right numbers and a result file that has all rows; never in a crash.

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
#include "trammel/result.h"

#define STEP_BYTES ((rlim_t)64 << 10)
#define MOST_STEPS 1024    // 64 MiB
#define ENOUGH_IN_A_ROW 4  // right results one after the other: there is enough from here on
#define ROWS 3             // of a run that samples at its start, middle and end
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

typedef enum End { TOLD, RIGHT, SILENT, WRONG, CRASHED, ENDS } End;

static const Case    what = {.file = "benchmark/pendulum.lua", .duration = 0.02};
static const Stage *const way[] = {&stage_load,   &stage_build, &stage_create,
                                   &stage_record, &stage_run,   &stage_close};

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

static End run_within(rlim_t bytes) {
    const struct rlimit limit = {bytes, bytes};
    Made                made = {.what = &what};
    bool                right = false;
    tr_result_leave_at_exit();
    if (setrlimit(RLIMIT_AS, &limit) != 0) {
        return ENDS;
    }
    (void)tr_fail(TR_OK, "%s", "");
    trStatus status = go_all_the_way(&made);
    made_destroy(&made);
    status = status == TR_OK ? read_back(&right) : status;
    if (status != TR_OK) {
        return strstr(tr_last_error(), "memory") != NULL ? TOLD : SILENT;
    }
    return right ? RIGHT : WRONG;
}

// The address space of this process now.
static rlim_t bytes_now(void) {
    unsigned long pages = 0;
    FILE         *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static End fork_within(rlim_t bytes) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGABRT, SIG_DFL);
        int e = (int)run_within(bytes);
        if (getenv("SHOW")) fprintf(stderr, "%d %s\n", e, tr_last_error());
        exit(e);
    }
    int outcome = 0;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    return WIFEXITED(outcome) && WEXITSTATUS(outcome) < CRASHED ? (End)WEXITSTATUS(outcome)
                                                                : CRASHED;
}

static void every_limit_is_told_or_enough(void **state) {
    (void)state;
    long   ends[ENDS] = {0}, in_a_row = 0;
    rlim_t start = bytes_now();
    for (int i = 0; i < MOST_STEPS && in_a_row < ENOUGH_IN_A_ROW; i++) {
        End end = fork_within(start + (rlim_t)i * STEP_BYTES);
        if (getenv("SHOW")) fprintf(stderr, "   %d: %d\n", i, end);
        in_a_row = end == RIGHT ? in_a_row + 1 : 0;
        ends[end]++;
    }
    print_message("told %ld, right %ld, silent %ld, wrong %ld, crashed %ld\n", ends[TOLD],
                  ends[RIGHT], ends[SILENT], ends[WRONG], ends[CRASHED]);
    assert_int_equal(ends[SILENT] + ends[WRONG] + ends[CRASHED], 0);
    assert_int_equal(in_a_row, ENOUGH_IN_A_ROW);
    assert_true(ends[TOLD] > 10);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_is_told_or_enough),
    };
    return cmocka_run_group_tests_name("little memory", tests, enter_scratch, leave_scratch);
}
