// SPDX-License-Identifier: MIT
// Status codes and the text that goes with a failure.

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "support/test.h"

#define LONG 3000  // characters, more than any error text may have

static const struct {
    trStatus    status;
    const char *name;
} statuses[] = {
#define LIST(name, value, text) {name, #name},
    TR_STATUS_LIST(LIST)
#undef LIST
};

#define COUNT ((int)(sizeof statuses / sizeof *statuses))

// What is named TR_E_... is final; what a smaller step may cure is not.
static void errors_are_negative_and_trouble_is_positive(void **state) {
    assert_int_equal(TR_OK, 0);
    for (int i = 0; i < COUNT; i++) {
        bool final = strncmp(statuses[i].name, "TR_E_", 5) == 0;
        assert_int_equal(statuses[i].status < 0, final);
    }
}

static void raising_sets_the_text_and_returns_the_status(void **state) {
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(tr_fail(statuses[i].status, "number %d", i), statuses[i].status);
        char expected[32];
        snprintf(expected, sizeof expected, "number %d", i);
        assert_string_equal(tr_last_error(), expected);
    }
}

static void blame_stands_before_the_text_and_hints_behind_it(void **state) {
    (void)tr_fail(TR_E_MODEL, "unknown key '%s'", "lenght");
    assert_int_equal(tr_blame(TR_E_MODEL, "joint '%s': ", "rod"), TR_E_MODEL);
    assert_int_equal(tr_add_hint(TR_E_IO, "; did you mean '%s'?", "length"), TR_E_IO);
    assert_string_equal(tr_last_error(),
                        "joint 'rod': unknown key 'lenght'; did you mean 'length'?");
    (void)tr_blame(TR_E_MODEL, "file.lua:%d: ", 12);
    assert_string_equal(tr_last_error(),
                        "file.lua:12: joint 'rod': unknown key 'lenght'; did you mean 'length'?");
}

static void a_new_failure_replaces_the_old_text(void **state) {
    (void)tr_fail(TR_E_MODEL, "a long text about the first failure");
    (void)tr_fail(TR_E_IO, "short");
    assert_string_equal(tr_last_error(), "short");
}

static void a_new_failure_may_quote_the_old_text(void **state) {
    (void)tr_fail(TR_E_MODEL, "a text about the first failure");
    (void)tr_fail(TR_E_IO, "some.h5.checkpoint: %s; run again", tr_last_error());
    assert_string_equal(tr_last_error(),
                        "some.h5.checkpoint: a text about the first failure; run again");
}

// Texts that are too long are cut at one length, whichever way they came to be.
static void long_texts_are_cut(void **state) {
    char text[LONG + 1];
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    (void)tr_fail(TR_E_MODEL, "%s", text);
    size_t most = strlen(tr_last_error());
    assert_in_range(most, 200, LONG - 1);

    (void)tr_add_hint(TR_E_MODEL, "%s", "y");
    assert_int_equal(strlen(tr_last_error()), most);
    assert_null(strchr(tr_last_error(), 'y'));

    (void)tr_blame(TR_E_MODEL, "who: ");
    assert_int_equal(strlen(tr_last_error()), most);
    assert_memory_equal(tr_last_error(), "who: xxx", 8);

    (void)tr_blame(TR_E_MODEL, "%s", text);
    assert_int_equal(strlen(tr_last_error()), most);
    assert_null(strchr(tr_last_error(), 'w'));

    (void)tr_fail(TR_E_MODEL, "short");
    (void)tr_add_hint(TR_E_MODEL, "%s", text);
    assert_int_equal(strlen(tr_last_error()), most);
}

static int calls;

static trStatus answer(trStatus status) {
    calls++;
    return status;
}

static trStatus try_both(trStatus first, trStatus second) {
    TR_TRY(answer(first));
    TR_TRY(answer(second));
    return TR_OK;
}

static void a_failure_is_passed_on_and_ends_the_function(void **state) {
    calls = 0;
    assert_int_equal(try_both(TR_E_IO, TR_E_MODEL), TR_E_IO);
    assert_int_equal(calls, 1);
    assert_int_equal(try_both(TR_OK, TR_SINGULAR), TR_SINGULAR);
    assert_int_equal(try_both(TR_OK, TR_OK), TR_OK);
    assert_int_equal(calls, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_negative_and_trouble_is_positive),
        cmocka_unit_test(raising_sets_the_text_and_returns_the_status),
        cmocka_unit_test(blame_stands_before_the_text_and_hints_behind_it),
        cmocka_unit_test(a_new_failure_replaces_the_old_text),
        cmocka_unit_test(a_new_failure_may_quote_the_old_text),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(a_failure_is_passed_on_and_ends_the_function),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
