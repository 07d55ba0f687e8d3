// SPDX-License-Identifier: MIT
// Whatever request for memory fails while a handle is made, the status says so and nothing is left
// behind.

#include <stdbool.h>

#include "constrain/pendulum.h"
#include "faults/memory.h"
#include "support/test.h"

static void every_request_may_fail(void **state) {
    Pendulum       p = {1.0, 1.0};
    const double   q[2] = {1.0, 0.0}, v[2] = {0.0, 0.0};
    trConstrainDef def = pendulum_def(&p, 1);
    trConstrain   *c = NULL;
    long           failures = 0, requests = 0;
    for (;; failures++) {
        memory_watch();
        memory_refuse(failures + 1, false);
        trStatus status = tr_constrain_create(&def, 0.0, q, v, &c);
        requests = memory_allow();
        if (status == TR_OK) {
            break;
        }
        assert_int_equal(status, TR_E_MEMORY);
        assert_null(c);
        assert_int_equal(memory_held(), 0);
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
