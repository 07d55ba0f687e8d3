// SPDX-License-Identifier: MIT
// Definition structs of programs that were compiled with an older header.

#include <string.h>

#include "base/definition.h"
#include "support/test.h"
#include "trammel/base.h"

// A struct that has grown twice since its first layout.
typedef struct First {
    size_t struct_size;
    double a;
} First;

typedef struct Second {
    size_t      struct_size;
    double      a;
    const char *b;
} Second;

typedef struct Third {
    size_t      struct_size;
    double      a;
    const char *b;
    int         c;
} Third;

static const trDefinition third = {"Third", "third_default()", TR_FIRST_LAYOUT(Third, a),
                                   sizeof(Third)};

static Third third_default(void) {
    return (Third){.struct_size = sizeof(Third), .a = 1.0, .b = "usual", .c = 3};
}

static void older_sizes_get_defaults_for_what_they_do_not_have(void **state) {
    const First  first = {.struct_size = sizeof(First), .a = 7.0};
    const Second second = {.struct_size = sizeof(Second), .a = 8.0, .b = "own"};
    Third        out = third_default();
    assert_int_equal(tr_definition_take(&third, &first, &out), TR_OK);
    assert_true(out.struct_size == sizeof(Third) && out.a == 7.0 && out.c == 3);
    assert_string_equal(out.b, "usual");
    out = third_default();
    assert_int_equal(tr_definition_take(&third, &second, &out), TR_OK);
    assert_true(out.struct_size == sizeof(Third) && out.a == 8.0 && out.c == 3);
    assert_string_equal(out.b, "own");
}

static void sizes_that_there_never_were_are_refused(void **state) {
    const size_t sizes[] = {0, sizeof(size_t), sizeof(First) - 1, sizeof(Third) + 1,
                            sizeof(Third) + 64};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Third given = third_default(), out = third_default();
        given.struct_size = sizes[i];
        given.a = 9.0;
        assert_int_equal(tr_definition_take(&third, &given, &out), TR_E_ARGUMENT);
        assert_non_null(strstr(tr_last_error(), "Third has struct_size = "));
        assert_non_null(strstr(tr_last_error(), "third_default()"));
        assert_non_null(
            strstr(tr_last_error(), sizes[i] > sizeof(Third) ? "older than the header" : "start"));
        assert_true(out.a == 1.0);  // nothing was read
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_sizes_get_defaults_for_what_they_do_not_have),
        cmocka_unit_test(sizes_that_there_never_were_are_refused),
    };
    return cmocka_run_group_tests_name("definition", tests, NULL, NULL);
}
