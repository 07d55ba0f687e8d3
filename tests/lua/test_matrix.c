// SPDX-License-Identifier: MIT
// Matrices of model files: every entry of every operation is right, for numbers and traced values
// alike.

#include "lua/vector_case.h"

// Without symmetry or zeros, so that no two entries of a result can be mistaken for each other.
#define DEFINITIONS                                                \
    "local A = mat { { 2, -3, 5 }, { 7, 1, -4 }, { -6, 8, 9 } }\n" \
    "local B = mat(vec(1, 4, -2), { 3, -7, 6 }, vec { -5, 2, 8 }) local u = vec(3, -5, 2)\n"

static const double A[3][3] = {{2, -3, 5}, {7, 1, -4}, {-6, 8, 9}};
static const double B[3][3] = {{1, 4, -2}, {3, -7, 6}, {-5, 2, 8}};

// Entry i, j of the matrix that `text` gives.
static void expect_entry(const char *text, int i, int j, double value) {
    char entry[256];
    snprintf(entry, sizeof entry, "(%s)[%d][%d]", text, i + 1, j + 1);
    expect_number(DEFINITIONS, entry, value);
}

static void every_entry_is_right(void **state) {
    const double t = TIME;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double product = 0.0;
            for (int k = 0; k < 3; k++) {
                product += A[i][k] * B[k][j];
            }
            expect_entry("A", i, j, A[i][j]);
            expect_entry("mat(A)", i, j, A[i][j]);
            expect_entry("mat { t * A[1], t * A[2], t * A[3] }", i, j, t * A[i][j]);
            expect_entry("mat()", i, j, i == j ? 1.0 : 0.0);
            expect_entry("t * A + B", i, j, t * A[i][j] + B[i][j]);
            expect_entry("A - B * t", i, j, A[i][j] - t * B[i][j]);
            expect_entry("A / t", i, j, A[i][j] / t);
            expect_entry("-(t * A)", i, j, -t * A[i][j]);
            expect_entry("2 * A * (t * B)", i, j, 2.0 * t * product);
            expect_entry("transpose(t * A)", i, j, t * A[j][i]);
        }
    }
}

static void products_with_vectors_are_right(void **state) {
    static const double u[3] = {3, -5, 2};
    for (int i = 0; i < 3; i++) {
        char   text[128];
        double forward = 0.0, backward = 0.0;
        for (int k = 0; k < 3; k++) {
            forward += A[i][k] * u[k];
            backward += A[k][i] * u[k];
        }
        snprintf(text, sizeof text, "(A * (t * u))[%d]", i + 1);
        expect_number(DEFINITIONS, text, TIME * forward);
        snprintf(text, sizeof text, "(t * A * { 3, -5, 2 })[%d]", i + 1);
        expect_number(DEFINITIONS, text, TIME * forward);
        snprintf(text, sizeof text, "(transpose(A) * u * t)[%d]", i + 1);
        expect_number(DEFINITIONS, text, TIME * backward);
    }
    expect_number(DEFINITIONS, "#A * t + #A[1]", 3.0 * TIME + 3.0);
}

static void matrices_compare_and_show_their_rows(void **state) {
    expect_claims(DEFINITIONS "assert(A == mat(A[1], A[2], A[3]) and A ~= B and A ~= u)\n"
                              "assert(A ~= mat(A[1], A[2], { -6, 8, 0 }))\n"
                              "assert(tostring(mat()) == "
                              "'mat(vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1))')\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_is_right),
        cmocka_unit_test(products_with_vectors_are_right),
        cmocka_unit_test(matrices_compare_and_show_their_rows),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
