// SPDX-License-Identifier: MIT
// HDF5 and SUNDIALS crash on some of the NULLs that they may get from malloc. Every request of
// theirs is refused here, each in a process of its own, alone and with all that follow:
//
//     large ones (vectors of SUNDIALS): told in words
//     small ones: told, survived with the right numbers and file, or a crash; never a wrong result
//
// How many crash is bounded by what was reached (CRASHES_OF_HDF5), so that it can only go down.
// What is left of HDF5 cannot happen where memory is short, since we ask for it before
// (test_little_memory).

#include <hdf5.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/status.h"
#include "faults/memory.h"
#include "faults/stages.h"
#include "record/scratch.h"
#include "trammel/result.h"

#define LARGE 4096  // bytes
#define ROWS 3      // of a run that samples at its start, middle and end
// Of HDF5 1.10.8: names of attributes, which it copies and does not look at, and the cache of a
// file.
#define CRASHES_OF_HDF5 15
#define FIRST_CODE 64  // exit codes from here on are ours; sanitizers and HDF5 have others
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static const Stage *const way[] = {&stage_load,   &stage_build, &stage_create,
                                   &stage_record, &stage_run,   &stage_close};

// How a run with a fault ended, as the exit code of its process.
typedef enum End {
    TOLD,      // with a status and words
    SURVIVED,  // to its end, with the right numbers
    BEYOND,    // there was no such request
    SILENT,    // failed without words
    WRONG,     // to its end, with wrong numbers
    CRASHED,
    ENDS
} End;

typedef struct Attack {
    Case     what;
    unsigned asker;
    size_t   least;  // bytes of requests that count
    bool     all_after;
    Made     clean;       // what comes out without a fault
    long     ends[ENDS];  // how often each
} Attack;

// Where a file was written, all rows are in it.
static bool file_is_right(const Attack *a) {
    trResult *result = NULL;
    long      altered = -1;
    if (a->what.memory_only) {
        return true;
    }
    bool right = tr_result_open("faults.h5", &result) == TR_OK &&
                 tr_result_find_altered(result, 0, &altered) == TR_OK && altered < 0 &&
                 tr_result_rows(result) == ROWS && strcmp(tr_result_outcome(result), "done") == 0;
    tr_result_close(result);
    return right;
}

// HDF5 keeps texts of errors in memory. Refusing that alone, and not the memory in which the C
// library makes such a text, would have it tell itself without end that it cannot.
static void refuse(const Attack *a, long k) {
    memory_refuse(k, a->all_after, a->asker);
    memory_spare_below(a->least);
    if (a->all_after && a->asker == FROM_HDF5) {
        memory_refuse_everybody();
    }
}

static End run_with_fault(const Attack *a, long k) {
    Made     made = {.what = &a->what};
    trStatus status = TR_OK;
    (void)tr_fail(TR_OK, "%s", "");
    refuse(a, k);
    for (int i = 0; i < COUNT(way) && status == TR_OK; i++) {
        status = way[i]->go(&made);
    }
    bool told = strstr(tr_last_error(), "memory") != NULL;
    made_destroy(&made);
    if (memory_allow() < k) {
        return BEYOND;
    }
    if (status != TR_OK) {
        return told ? TOLD : SILENT;
    }
    size_t bytes = (size_t)a->clean.numbers * sizeof *made.end;
    return memcmp(made.end, a->clean.end, bytes) == 0 && file_is_right(a) ? SURVIVED : WRONG;
}

// The test framework would take a crash for one of its own.
static void die_by_signals(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (int i = 0; i < COUNT(numbers); i++) {
        signal(numbers[i], SIG_DFL);
    }
}

// The end of the process counts, except for what libraries have lost, which a sanitizer would tell.
static void end_process(int code) {
#ifdef __SANITIZE_ADDRESS__
    _exit(code);
#else
    exit(code);
#endif
}

// SUNDIALS prints before it can be told not to; that goes nowhere.
static End fork_with_fault(const Attack *a, long k) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        die_by_signals();
        (void)!freopen("/dev/null", "w", stderr);
        end_process(FIRST_CODE + (int)run_with_fault(a, k));
    }
    int outcome = 0;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    int end = WIFEXITED(outcome) ? WEXITSTATUS(outcome) - FIRST_CODE : -1;
    return end >= 0 && end < CRASHED ? (End)end : CRASHED;
}

// Every request, alone and with all that follow.
static void attack(Attack *a, const char *name) {
    for (int all = 0; all < 2; all++) {
        End end = TOLD;
        a->all_after = all == 1;
        for (long k = 1; end != BEYOND; k++) {
            end = fork_with_fault(a, k);
            a->ends[end]++;
        }
    }
    made_destroy(&a->clean);
    print_message("%-12s from %4zu bytes: told %3ld, survived %3ld, crashed %3ld\n", name, a->least,
                  a->ends[TOLD], a->ends[SURVIVED], a->ends[CRASHED]);
    assert_int_equal(a->ends[SILENT], 0);
    assert_int_equal(a->ends[WRONG], 0);
}

static void run_clean(Attack *a) {
    a->clean = (Made){.what = &a->what};
    for (int i = 0; i < COUNT(way); i++) {
        assert_int_equal(way[i]->go(&a->clean), TR_OK);
    }
}

static void requests_of_hdf5_are_told(void **state) {
    (void)state;
    static Attack a = {.what = {.file = "benchmark/pendulum.lua", .duration = 0.02},
                       .asker = FROM_HDF5};
    run_clean(&a);
    attack(&a, "hdf5");
    assert_true(a.ends[TOLD] > 100);
    // A sanitizer stops at what else HDF5 does with things that it made by half.
#if H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 10 && !defined(__SANITIZE_ADDRESS__)
    assert_true(a.ends[CRASHED] <= CRASHES_OF_HDF5);
#endif
}

#ifdef TRAMMEL_SUNDIALS
static const char *const integrators[] = {"arkode", "arkode_dirk", "cvode", "cvode_adams", "ida"};

static Attack on_sundials(const char *integrator, const char *file, size_t least) {
    return (Attack){
        .what = {.file = file, .integrator = integrator, .duration = 0.001, .memory_only = true},
        .asker = FROM_SUNDIALS,
        .least = least};
}

static void small_requests_of_sundials_never_give_a_wrong_result(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(integrators); i++) {
        Attack a = on_sundials(integrators[i], "benchmark/pendulum_rod.lua", 0);
        run_clean(&a);
        attack(&a, integrators[i]);
    }
}

// Of a model whose vectors are larger than all else that the library asks for.
static void vectors_of_sundials_are_told(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(integrators); i++) {
        Attack a = on_sundials(integrators[i], "benchmark/chain.lua", LARGE);
        a.what.set = "N=90";
        run_clean(&a);
        attack(&a, integrators[i]);
        assert_int_equal(a.ends[CRASHED], 0);
        assert_true(a.ends[TOLD] > 10);
    }
}
#endif

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
        cmocka_unit_test(requests_of_hdf5_are_told),
#ifdef TRAMMEL_SUNDIALS
        cmocka_unit_test(small_requests_of_sundials_never_give_a_wrong_result),
        cmocka_unit_test(vectors_of_sundials_are_told),
#endif
    };
    return cmocka_run_group_tests_name("library allocations", tests, enter_scratch, leave_scratch);
}
