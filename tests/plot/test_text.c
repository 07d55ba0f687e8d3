// SPDX-License-Identifier: MIT
// Texts and numbers of charts, byte for byte, in every locale.

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plot/text.h"

#define MINUS "\xe2\x88\x92"
#define UNKNOWN "\xef\xbf\xbd"

typedef struct Number {
    double      x;
    const char *text;
} Number;

static const Number coordinates[] = {
    {0.0, "0"},     {-0.001, "0"},    {0.004, "0"},          {0.006, "0.01"},
    {1.5, "1.5"},   {-1.25, "-1.25"}, {100.0, "100"},        {12.05, "12.05"},
    {-0.5, "-0.5"}, {99.999, "100"},  {1e300, "1000000000"}, {NAN, "0"},
};

static const Number values[] = {
    {0.0, "0"},           {1.0, "1"},       {-12.5, MINUS "12.5"},    {0.1 + 0.2, "0.3"},
    {123456.0, "123500"}, {1e6, "1e6"},     {1.23456e-7, "1.235e-7"}, {-4e-310, MINUS "4e-310"},
    {9.9996e9, "1e10"},   {1e300, "1e300"}, {0.0001, "0.0001"},
};

// The text that is written between the calls, to be freed.
static FILE *open_text(char **text) {
    static size_t size;
    FILE         *file = open_memstream(text, &size);
    assert_non_null(file);
    return file;
}

static void expect(const char *format, double x, const char *expected) {
    char *text = NULL;
    FILE *file = open_text(&text);
    if (strcmp(format, "%g") == 0) {
        tr_text_print(file, "%g", x);
    } else {
        tr_text_print(file, "%e", x);
    }
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void check_numbers(void) {
    for (size_t i = 0; i < sizeof coordinates / sizeof *coordinates; i++) {
        expect("%g", coordinates[i].x, coordinates[i].text);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        expect("%e", values[i].x, values[i].text);
    }
}

static void numbers_have_few_digits(void **state) {
    (void)state;
    check_numbers();
}

static void numbers_do_not_depend_on_the_locale(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "fr_FR.utf8"};
    bool                     found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        found = setlocale(LC_ALL, names[i]) != NULL && localeconv()->decimal_point[0] == ',';
    }
    if (!found) {
        setlocale(LC_ALL, "C");
        skip();  // this machine has no locale with a comma
    }
    check_numbers();
    setlocale(LC_ALL, "C");
}

static void texts_are_escaped(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"a < b & c > \"d\"", "a &lt; b &amp; c &gt; &quot;d&quot;"},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xa9", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xa9"},
        {"line\nend\ttab", "line end tab"},
        {"\x01|\x7f", UNKNOWN "|" UNKNOWN},
        {"\xe9.", UNKNOWN "."},                                 // Latin-1
        {"\xe2\x82", UNKNOWN UNKNOWN},                          // cut
        {"\xc0\x80", UNKNOWN UNKNOWN},                          // overlong
        {"\xed\xa0\x80", UNKNOWN UNKNOWN UNKNOWN},              // a surrogate
        {"\xef\xbf\xbf", UNKNOWN},                              // U+FFFF is not allowed in XML
        {"\xf4\x90\x80\x80", UNKNOWN UNKNOWN UNKNOWN UNKNOWN},  // beyond U+10FFFF
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *text = NULL;
        FILE *file = open_text(&text);
        tr_text_print(file, "%s", pairs[i][0]);
        fclose(file);
        assert_string_equal(text, pairs[i][1]);
        free(text);
    }
}

static void powers_are_raised(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"m/s^2", "m/s<tspan dy=\"-3.8\" font-size=\"7\">2</tspan>"},
        {"10^-3 m",
         "10<tspan dy=\"-3.8\" font-size=\"7\">" MINUS "3</tspan><tspan dy=\"3.8\"> m</tspan>"},
        {"a^b ^2^", "a^b <tspan dy=\"-3.8\" font-size=\"7\">2</tspan><tspan dy=\"3.8\">^</tspan>"},
        {"^2", "^2"},
        {"<^-", "&lt;^-"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *text = NULL;
        FILE *file = open_text(&text);
        tr_text_put_rich(file, pairs[i][0], strlen(pairs[i][0]), 10.0);
        fclose(file);
        assert_string_equal(text, pairs[i][1]);
        free(text);
    }
}

// Every line is a part of the text, no line is too wide, nothing but spaces is lost.
static void check_lines(const char *text, double width) {
    size_t letters = 0, total = 0;
    for (const char *c = text; *c != '\0'; c++) {
        total += *c != ' ';
    }
    for (const char *rest = text; rest != NULL;) {
        const char *line = rest;
        size_t      bytes = tr_text_line(line, 10.0, width, &rest);
        assert_true(bytes > 0);
        assert_true(tr_text_width(line, bytes, 10.0) <= width);
        for (size_t i = 0; i < bytes; i++) {
            letters += line[i] != ' ';
        }
    }
    assert_int_equal(letters, total);
}

static void long_texts_are_broken_between_words(void **state) {
    (void)state;
    const char *next;
    const char *text = "one two three";
    assert_int_equal(tr_text_line(text, 10.0, tr_text_width("one two", 7, 10.0), &next), 7);
    assert_string_equal(next, "three");
    assert_int_equal(tr_text_line(text, 10.0, tr_text_width("one two th", 10, 10.0), &next), 7);
    assert_string_equal(next, "three");
    assert_int_equal(tr_text_line(text, 10.0, 1000.0, &next), strlen(text));
    assert_null(next);
    check_lines("one two three four five", 40.0);
    check_lines("averyveryverylongwordwithoutanyspace and another", 50.0);
    check_lines("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 \xe2\x82\xac\xe2\x82\xac", 20.0);
}

static void wide_texts_end_in_an_ellipsis(void **state) {
    (void)state;
    char *text = NULL;
    FILE *file = open_text(&text);
    tr_text_put_fitted(file, "abcdefgh", 10.0, tr_text_width("abcd\xe2\x80\xa6", 7, 10.0) + 0.1);
    tr_text_put_fitted(file, "|abc", 10.0, 100.0);
    fclose(file);
    assert_string_equal(text, "abcd\xe2\x80\xa6|abc");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_few_digits),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(powers_are_raised),
        cmocka_unit_test(long_texts_are_broken_between_words),
        cmocka_unit_test(wide_texts_end_in_an_ellipsis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
