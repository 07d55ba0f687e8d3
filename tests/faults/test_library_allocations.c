// SPDX-License-Identifier: MIT
// HDF5 and SUNDIALS crash on many a NULL that they get from malloc, and nothing can be done about
// that from outside. Every request of theirs is refused here, each in a process of its own:
//
//     large ones (vectors of SUNDIALS), which are those that fail in practice: told in words
//     small ones: told, survived with the right numbers, or a crash; never a wrong result

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/status.h"
#include "faults/memory.h"
#include "faults/stages.h"
#include "record/scratch.h"

#define LARGE 4096  // bytes
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

static End run_with_fault(const Attack *a, long k) {
    Made     made = {.what = &a->what};
    trStatus status = TR_OK;
    (void)tr_fail(TR_OK, "%s", "");
    memory_refuse(k, a->all_after, a->asker);
    memory_spare_below(a->least);
    for (int i = 0; i < COUNT(way) && status == TR_OK; i++) {
        status = way[i]->go(&made);
    }
    bool told = strstr(tr_last_error(), ":") != NULL || strstr(tr_last_error(), "memory") != NULL;
    made_destroy(&made);
    if (memory_allow() < k) {
        return BEYOND;
    }
    if (status != TR_OK) {
        return told ? TOLD : SILENT;
    }
    size_t bytes = (size_t)a->clean.numbers * sizeof *made.end;
    return memcmp(made.end, a->clean.end, bytes) == 0 ? SURVIVED : WRONG;
}

// The test framework would take a crash for one of its own.
static void die_by_signals(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (int i = 0; i < COUNT(numbers); i++) {
        signal(numbers[i], SIG_DFL);
    }
}

// SUNDIALS prints before it can be told not to; that goes nowhere.
static End fork_with_fault(const Attack *a, long k) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        die_by_signals();
        (void)!freopen("/dev/null", "w", stderr);
        _exit((int)run_with_fault(a, k));
    }
    int outcome = 0;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    return WIFEXITED(outcome) && WEXITSTATUS(outcome) < CRASHED ? (End)WEXITSTATUS(outcome)
                                                                : CRASHED;
}

// Every request, alone and with all that follow.
static void attack(Attack *a, const char *name) {
    a->clean = (Made){.what = &a->what};
    for (int i = 0; i < COUNT(way); i++) {
        assert_int_equal(way[i]->go(&a->clean), TR_OK);
    }
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

static void requests_of_hdf5_never_give_a_wrong_result(void **state) {
    (void)state;
    static Attack a = {.what = {.file = "benchmark/pendulum.lua", .duration = 0.02},
                       .asker = FROM_HDF5};
    attack(&a, "hdf5");
    assert_true(a.ends[TOLD] + a.ends[CRASHED] > 100);
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
        attack(&a, integrators[i]);
    }
}

// Of a model whose vectors are larger than all else that the library asks for.
static void vectors_of_sundials_are_told(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(integrators); i++) {
        Attack a = on_sundials(integrators[i], "benchmark/chain.lua", LARGE);
        a.what.set = "N=90";
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_of_hdf5_never_give_a_wrong_result),
#ifdef TRAMMEL_SUNDIALS
        cmocka_unit_test(small_requests_of_sundials_never_give_a_wrong_result),
        cmocka_unit_test(vectors_of_sundials_are_told),
#endif
    };
    return cmocka_run_group_tests_name("library allocations", tests, enter_scratch, leave_scratch);
}
