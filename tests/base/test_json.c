// SPDX-License-Identifier: MIT
// The JSON that is written, byte for byte.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"

static void written(FILE *file, const char *expected) {
    char   text[2048];
    size_t length;
    rewind(file);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void levels_are_closed_as_they_were_opened(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    trJson json = tr_json_begin(file);
    tr_json_array(&json, "list");
    tr_json_number(&json, NULL, 0.5);
    tr_json_object(&json, NULL);
    tr_json_integer(&json, "n", INT64_MIN);
    tr_json_bool(&json, "yes", true);
    tr_json_close(&json);
    tr_json_array(&json, NULL);
    tr_json_close(&json);
    tr_json_close(&json);
    tr_json_text(&json, "after", "x");
    tr_json_end(&json);
    written(file, "{\n"
                  "  \"list\": [\n"
                  "    0.5,\n"
                  "    {\n"
                  "      \"n\": -9223372036854775808,\n"
                  "      \"yes\": true\n"
                  "    },\n"
                  "    []\n"
                  "  ],\n"
                  "  \"after\": \"x\"\n"
                  "}\n");
}

static void numbers_come_back_and_what_is_none_is_null(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    trJson json = tr_json_begin(file);
    tr_json_number(&json, "third", 1.0 / 3.0);
    tr_json_number(&json, "nan", NAN);
    tr_json_number(&json, "inf", -INFINITY);
    tr_json_text(&json, "none", NULL);
    tr_json_end(&json);
    written(file, "{\n  \"third\": 0.33333333333333331,\n  \"nan\": null,\n  \"inf\": null,\n"
                  "  \"none\": null\n}\n");
}

static void texts_are_escaped(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    trJson json = tr_json_begin(file);
    tr_json_text(&json, "a\"b", "\\ \n\t\x01 \xc3\xa9 \xf0\x9f\x94\xa9");
    // A byte of Latin-1, a cut sequence, an overlong form and a surrogate are no UTF-8.
    tr_json_text(&json, "bad", "\xe9. \xe2\x82 \xc0\x80 \xed\xa0\x80");
    tr_json_end(&json);
    written(file,
            "{\n  \"a\\\"b\": \"\\\\ \\n\\t\\u0001 \xc3\xa9 \xf0\x9f\x94\xa9\",\n"
            "  \"bad\": \"\\ufffd. \\ufffd\\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd\"\n}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_closed_as_they_were_opened),
        cmocka_unit_test(numbers_come_back_and_what_is_none_is_null),
        cmocka_unit_test(texts_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
