// SPDX-License-Identifier: MIT
// Whatever request for memory fails while branches or a start on one are found, the status says so
// and nothing is left behind.

#include "check/branches_case.h"
#include "faults/memory.h"

static trStatus find(const Case *c, bool start) {
    const trSystem *system = c->machine.system;
    if (start) {
        trBranchStart on;
        trStatus      status = tr_branch_start(system, &c->def, 2, &on);
        assert_int_equal(on.memory != NULL, status == TR_OK);
        tr_branch_start_free(&on);
        return status;
    }
    trBranches branches;
    trStatus   status = tr_branches_find(system, 0.0, system->q0, 1e-4, &branches);
    assert_int_equal(branches.memory != NULL, status == TR_OK);
    tr_branches_free(&branches);
    return status;
}

static void try_all(const Case *c, bool start) {
    long     failures = 0;
    trStatus status = TR_E_MEMORY;
    for (; status == TR_E_MEMORY; failures++) {
        memory_watch();
        memory_refuse(failures + 1, false);
        status = find(c, start);
        memory_allow();
        assert_int_equal(memory_held(), 0);
    }
    if (status != TR_OK) {
        fail_msg("request %ld: status %d, %s", failures, (int)status, tr_last_error());
    }
    assert_true(failures > 4);  // two arenas, with their blocks
}

static void every_request_may_fail(void **state) {
    (void)state;
    Case c = case_file("tests/check/flat_parallel_four_bar.lua", NULL);
    try_all(&c, false);
    try_all(&c, true);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
