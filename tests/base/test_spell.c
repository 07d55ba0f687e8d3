// SPDX-License-Identifier: MIT
// What is suggested for a misspelled word, and what is not.

#include "base/spell.h"
#include "support/test.h"

static const char *const words[] = {"length", "lengthen",  "mass", "ba",
                                    "x",      "stiffness", "RK4",  NULL};

static const char *nearest(const char *word) {
    return tr_spell_nearest(word, 8, tr_spell_word,
                            words);  // the last is NULL and must be passed over
}

static void one_slip_is_forgiven(void **state) {
    assert_string_equal(nearest("lengt"), "length");
    assert_string_equal(nearest("llength"), "length");
    assert_string_equal(nearest("lengdh"), "length");
    assert_string_equal(nearest("mas"), "mass");
}

static void swapped_letters_are_one_slip(void **state) {
    // A word of two letters is allowed one slip, so this passes only if a swap counts once.
    assert_string_equal(nearest("ab"), "ba");
    assert_string_equal(nearest("lenght"), "length");
}

static void the_nearest_of_several_is_taken(void **state) {
    assert_string_equal(nearest("lengthe"), "length");
    assert_string_equal(nearest("lengtheen"), "lengthen");
}

static void strangers_are_not_suggested(void **state) {
    assert_null(nearest("color"));
    assert_null(nearest("y"));
    assert_null(nearest(""));
    assert_null(nearest("stfns"));  // four slips
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slip_is_forgiven),
        cmocka_unit_test(swapped_letters_are_one_slip),
        cmocka_unit_test(the_nearest_of_several_is_taken),
        cmocka_unit_test(strangers_are_not_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
