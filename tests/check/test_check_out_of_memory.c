// SPDX-License-Identifier: MIT
// Whatever request for memory fails inside a check, it says so, leaves nothing behind and gives an
// empty result.

#include "check/check_case.h"
#include "faults/memory.h"

// A check with the k-th request failing, for all k until one has no more requests than that.
static void try_all(const char *file, const char *const *set) {
    Case           c = case_file(file, set);
    trCheckOptions options = tr_check_options_default();
    int            redundant = c.check.redundant, findings = c.check.findings;
    tr_check_free(&c.check);
    for (long k = 1;; k++) {
        memory_watch();
        memory_refuse(k, false);
        trStatus status = tr_check(c.model, c.system, &options, &c.check);
        if (memory_allow() < k) {
            assert_int_equal(status, TR_OK);
            assert_true(k > 10);
            assert_int_equal(c.check.redundant, redundant);
            assert_int_equal(c.check.findings, findings);
            break;
        }
        assert_int_equal(status, TR_E_MEMORY);
        assert_null(c.check.memory);
        assert_int_equal(c.check.findings, 0);
        assert_int_equal(memory_held(), 0);
    }
    case_free(&c);
}

static void every_request_may_fail(void **state) {
    (void)state;
    try_all("models/benchmark/redundant_parallelogram.lua", NULL);
    try_all("models/benchmark/n_four_bar.lua",
            (const char *[]){"N=2", "angle=1.5707963267948966", NULL});
    try_all("models/benchmark/iltis.lua", (const char *[]){"tie=spherical", NULL});
    try_all("models/benchmark/equations_four_bar_natural.lua", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
