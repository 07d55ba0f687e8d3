// SPDX-License-Identifier: MIT
// Whatever request for memory fails while branches or a start on one are found, the status says so
// and nothing is left behind.

#include "check/branches_case.h"

static long requests, fails_at, blocks;  // so far; the request that fails, 0: none; held

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void  __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void  __wrap_free(void *memory);

static bool is_refused(void) {
    return ++requests == fails_at;
}

static void *counted(void *memory) {
    blocks += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t bytes) {
    return is_refused() ? NULL : counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t size) {
    return is_refused() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return is_refused() ? NULL : counted(__real_aligned_alloc(alignment, bytes));
}

void __wrap_free(void *memory) {
    blocks -= memory != NULL;
    __real_free(memory);
}

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
        const long before = blocks;
        requests = 0;
        fails_at = failures + 1;
        status = find(c, start);
        fails_at = 0;
        assert_int_equal(blocks, before);
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
