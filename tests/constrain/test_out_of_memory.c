// SPDX-License-Identifier: MIT
// Whatever request for memory fails while a handle is made, the status says so and nothing is left
// behind.

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constrain/pendulum.h"

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

static void every_request_may_fail(void **state) {
    (void)state;
    Pendulum       p = {1.0, 1.0};
    const double   q[2] = {1.0, 0.0}, v[2] = {0.0, 0.0};
    trConstrainDef def = pendulum_def(&p, 1);
    trConstrain   *c = NULL;
    long           failures = 0;
    for (;; failures++) {
        const long before = blocks;
        requests = 0;
        fails_at = failures + 1;
        trStatus status = tr_constrain_create(&def, 0.0, q, v, &c);
        if (status == TR_OK) {
            fails_at = 0;
            break;
        }
        assert_int_equal(status, TR_E_MEMORY);
        assert_null(c);
        assert_int_equal(blocks, before);
    }
    assert_true(failures >= 4);  // arenas of the handle and of the check of M, with their blocks
    assert_true(requests == failures);
    tr_constrain_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
