// SPDX-License-Identifier: MIT
// Whatever request for memory fails inside a check, it says so, leaves nothing behind and gives an
// empty result. The linker sends every request of the library through the functions below.

#include "check/check_case.h"

static long requests;  // so far
static long fails_at;  // the request that fails; 0: none
static long blocks;    // held by the library

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void  __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void  __wrap_free(void *memory);

static bool is_refused(void) {
    return ++requests == fails_at;
}

static void *counted(void *memory) {
    blocks += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size) {
    return is_refused() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    return is_refused() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return is_refused() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *memory) {
    blocks -= memory != NULL;
    __real_free(memory);
}

// A check with the k-th request failing, for all k until one has no more requests than that.
static void try_all(const char *file, const char *const *set) {
    Case           c = case_file(file, set);
    trCheckOptions options = tr_check_options_default();
    int            redundant = c.check.redundant, findings = c.check.findings;
    tr_check_free(&c.check);
    long before = blocks;
    for (long k = 1;; k++) {
        requests = 0;
        fails_at = k;
        trStatus status = tr_check(c.model, c.system, &options, &c.check);
        fails_at = 0;
        if (requests < k) {
            assert_int_equal(status, TR_OK);
            assert_true(k > 10);
            assert_int_equal(c.check.redundant, redundant);
            assert_int_equal(c.check.findings, findings);
            break;
        }
        assert_int_equal(status, TR_E_MEMORY);
        assert_null(c.check.memory);
        assert_int_equal(c.check.findings, 0);
        assert_int_equal(blocks, before);
    }
    case_free(&c);
}

static void every_request_may_fail(void **state) {
    (void)state;
    try_all("redundant_parallelogram.lua", NULL);
    try_all("n_four_bar.lua", (const char *[]){"N=2", "angle=1.5707963267948966", NULL});
    try_all("iltis.lua", (const char *[]){"tie=spherical", NULL});
    try_all("equations_four_bar_natural.lua", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
