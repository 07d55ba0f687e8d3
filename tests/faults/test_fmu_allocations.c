// SPDX-License-Identifier: MIT
// Whatever request for memory fails while an FMU is read, opened and closed: those of the library
// are told in words and leave nothing behind. Those that libxml2, libzip and the loader make for
// themselves are told, or survived with the same description; each is refused in a process of its
// own, so that a crash inside of these libraries would be counted. There is none.

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
#include "fmi/make_fmu.h"
#include "trammel/fmi.h"
#include "trammel/module.h"

// How an opening with a fault ended, as the exit code of its process.
typedef enum End { TOLD, SURVIVED, BEYOND, SILENT, WRONG, LEFT, CRASHED, ENDS } End;

static char path[256];

static uint64_t mark;  // of what came out

static void mark_number(int number) {
    mark = (mark ^ (uint64_t)(unsigned)number) * 0x100000001b3u;
}

static void mark_text(const char *text) {
    for (; text != NULL && *text != '\0'; text++) {
        mark_number(*text);
    }
    mark_number(text != NULL);
}

static void mark_variable(const trFmuVariable *v) {
    const char *const texts[] = {v->name, v->causality,   v->variability, v->type,
                                 v->unit, v->description, v->start};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mark_text(texts[i]);
    }
    mark_number((int)v->kind);
    mark_number((int)v->reference);
    mark_number(v->derivative_of);
}

static void mark_info(const trFmuInfo *info) {
    const char *const texts[] = {info->version, info->name, info->description, info->tool,
                                 info->token};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mark_text(texts[i]);
    }
    for (int i = 0; i < info->variables; i++) {
        mark_variable(&info->variable[i]);
    }
    for (int i = 0; i < info->ports; i++) {
        mark_text(info->port[i].name);
        for (int k = 0; k < 6; k++) {
            mark_number(info->port[i].f[k]);
            mark_number(info->port[i].a[k]);
        }
    }
    mark_number(info->states);
    mark_number((int)info->kinds);
    mark_number(info->derives[TR_FMU_MODEL_EXCHANGE]);
    mark_number(info->platforms);
    mark_number(info->warnings);
}

static trStatus open_and_close(void) {
    trModule module;
    TR_TRY(tr_fmu_open(path, NULL, &module));
    mark_number(module.ports);
    mark_number((int)module.takes);
    for (int i = 0; i < tr_fmu_notes(&module); i++) {
        mark_text(tr_fmu_note(&module, i));
    }
    module.close(module.self);
    return TR_OK;
}

static trStatus read_and_free(void) {
    trFmuInfo *info = NULL;
    TR_TRY(tr_fmu_read(path, NULL, &info));
    mark_info(info);
    tr_fmu_info_free(info);
    return TR_OK;
}

// What others keep for later is theirs: libraries stay loaded, and so does what they said.
static End run_with_fault(trStatus (*go)(void), long k, bool all_after, unsigned askers) {
    uint64_t clean = mark;
    (void)tr_fail(TR_OK, "%s", "");
    mark = 0;
    memory_watch();
    memory_refuse(k, all_after, askers);
    trStatus status = go();
    bool     reached = memory_allow() >= k;
    if (!reached) {
        return status == TR_OK ? BEYOND : SILENT;
    }
    if (askers == FROM_US && memory_held() > 0) {
        memory_print_held();
        return LEFT;
    }
    if (status == TR_OK) {
        return askers == FROM_US ? SILENT : mark == clean ? SURVIVED : WRONG;
    }
    return strlen(tr_last_error()) > 10 && (askers != FROM_US || strstr(tr_last_error(), "memory"))
               ? TOLD
               : SILENT;
}

static End fork_with_fault(trStatus (*go)(void), long k, bool all_after, unsigned askers) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            signal(numbers[i], SIG_DFL);
        }
        End end = run_with_fault(go, k, all_after, askers);
        if (end == SILENT) {
            fprintf(stderr, "request %ld: '%s'\n", k, tr_last_error());
        }
        _exit((int)end);
    }
    int outcome = 0;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    return WIFEXITED(outcome) && WEXITSTATUS(outcome) < CRASHED ? (End)WEXITSTATUS(outcome)
                                                                : CRASHED;
}

static void attack(trStatus (*go)(void), unsigned askers, const char *name, long least) {
    long ends[ENDS] = {0};
    mark = 0;
    assert_int_equal(go(), TR_OK);  // what is kept from the first time on is not counted
    for (int all = 0; all < 2; all++) {
        End end = TOLD;
        for (long k = 1; end != BEYOND; k++) {
            end = fork_with_fault(go, k, all == 1, askers);
            ends[end]++;
            assert_int_not_equal(end, SILENT);
            assert_int_not_equal(end, LEFT);
            if (end == WRONG) {
                print_message("%s: request %ld%s gives another description\n", name, k,
                              all == 1 ? " and all after" : "");
            }
        }
    }
    print_message("%-28s told %4ld, survived %4ld, wrong %4ld, crashed %4ld\n", name, ends[TOLD],
                  ends[SURVIVED], ends[WRONG], ends[CRASHED]);
    assert_int_equal(ends[WRONG], 0);
    assert_int_equal(ends[CRASHED], 0);
    assert_true(ends[TOLD] >= least);
}

static void every_request_of_ours(void **state) {
    (void)state;
    attack(read_and_free, FROM_US, "reading, ours", 4);
    attack(open_and_close, FROM_US, "opening, ours", 4);
}

static void every_request_of_libraries(void **state) {
    (void)state;
    attack(read_and_free, FROM_OTHERS, "reading, libraries", 20);
    attack(open_and_close, FROM_OTHERS, "opening, libraries", 20);
}

static int make(void **state) {
    const Plan plan = {.version = 2, .exchange = true, .derives = true};
    (void)state;
    make_path(path, "allocations.fmu");
    make_fmu(path, &plan);
    return 0;
}

static int drop(void **state) {
    (void)state;
    return unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_of_ours),
        cmocka_unit_test(every_request_of_libraries),
    };
    return cmocka_run_group_tests_name("FMU allocations", tests, make, drop);
}
