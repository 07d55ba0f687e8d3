// SPDX-License-Identifier: MIT
// Whichever of the library's own requests for memory fails while an FMU is read, opened and closed,
// the failure is reported and nothing is left behind.

#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "faults/memory.h"
#include "fmi/make_fmu.h"
#include "support/test.h"
#include "trammel/fmi.h"
#include "trammel/module.h"

static char path[256];

static trStatus open_and_close(void) {
    trModule module;
    TR_TRY(tr_fmu_open(path, NULL, &module));
    module.close(module.self);
    return TR_OK;
}

static trStatus read_and_free(void) {
    trFmuInfo *info = NULL;
    TR_TRY(tr_fmu_read(path, NULL, &info));
    tr_fmu_info_free(info);
    return TR_OK;
}

// Lets the k-th request fail. Returns whether there was one. What libraries keep after a success is
// not looked at: libxml2 keeps its last warning.
static bool strike(trStatus (*go)(void), long k, bool all_after) {
    (void)tr_fail(TR_OK, "%s", "");
    memory_watch();
    memory_refuse(k, all_after);
    trStatus status = go();
    bool     reached = memory_allow() >= k;
    assert_int_equal(status != TR_OK, reached);
    if (reached) {
        if (memory_held() > 0) {
            memory_print_held();
        }
        assert_int_equal(memory_held(), 0);
        assert_non_null(strstr(tr_last_error(), "memory"));
    }
    return reached;
}

static void attack(trStatus (*go)(void)) {
    assert_int_equal(go(), TR_OK);  // libraries keep some blocks from the first time on
    for (int all = 0; all < 2; all++) {
        long k = 1;
        while (strike(go, k, all == 1)) {
            k++;
        }
        assert_true(k > 2);
    }
}

static void every_request_while_reading(void **state) {
    attack(read_and_free);
}

static void every_request_while_opening(void **state) {
    attack(open_and_close);
}

static int make(void **state) {
    const Plan plan = {.version = 2, .exchange = true, .derives = true};
    make_path(path, "allocations.fmu");
    make_fmu(path, &plan);
    return 0;
}

static int drop(void **state) {
    return unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_while_reading),
        cmocka_unit_test(every_request_while_opening),
    };
    return cmocka_run_group_tests_name("FMU allocations", tests, make, drop);
}
