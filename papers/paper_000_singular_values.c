// SPDX-License-Identifier: MIT
// What bases do with small singular values.

#include <math.h>
#include <stdint.h>

#include "basis/basis.h"
#include "paper_000_bases.h"
#include "study.h"

#define ROWS 6  // of the matrix with a small singular value
#define COLUMNS 10
#define POWERS 29  // singular values 1, 10^-0.5, ..., 1e-14

// Columns of X (n x count) from a fixed random sequence, orthonormal.
static void orthonormal_columns(int n, int count, uint64_t *random, double *X) {
    for (int j = 0; j < count; j++) {
        double *x = X + j * n;
        for (int i = 0; i < n; i++) {
            *random = *random * 6364136223846793005u + 1442695040888963407u;
            x[i] = (double)(*random >> 11) / 4503599627370496.0 - 1.0;
        }
        for (int repeat = 0; repeat < 2; repeat++) {
            for (int k = 0; k < j; k++) {
                double part = 0.0;
                for (int i = 0; i < n; i++) {
                    part += X[k * n + i] * x[i];
                }
                for (int i = 0; i < n; i++) {
                    x[i] -= part * X[k * n + i];
                }
            }
        }
        const double length = norm(n, x);
        for (int i = 0; i < n; i++) {
            x[i] /= length;
        }
    }
}

// Singular values 1, 1, 1, 1, 1, s.
static void make_matrix(double s, double A[ROWS * COLUMNS]) {
    double   U[ROWS * ROWS], V[COLUMNS * ROWS];
    uint64_t random = 41;
    orthonormal_columns(ROWS, ROWS, &random, U);
    orthonormal_columns(COLUMNS, ROWS, &random, V);
    for (int j = 0; j < COLUMNS; j++) {
        for (int i = 0; i < ROWS; i++) {
            A[j * ROWS + i] = 0.0;
            for (int k = 0; k < ROWS; k++) {
                A[j * ROWS + i] += U[k * ROWS + i] * (k == ROWS - 1 ? s : 1.0) * V[k * COLUMNS + j];
            }
        }
    }
}

// The number of free motions, and max |A Gamma|.
static int look_at(const char *name, double s, double *off) {
    trArena     *arena = tr_arena_create();
    double       A[ROWS * COLUMNS];
    trBasis      basis;
    trBasisMaker maker;
    must(tr_basis_begin(arena, tr_basis_find(name), COLUMNS, ROWS, &maker));
    tr_basis_plan(arena, COLUMNS, &basis);
    must(tr_arena_status(arena));
    make_matrix(s, A);
    must(tr_basis_make(&maker, A, 0.0, NULL, &basis));
    *off = off_free(COLUMNS, ROWS, A, &basis);
    const int columns = basis.columns;
    tr_arena_destroy(arena);
    return columns;
}

static void put_singular_chart(Page *page) {
    static const char *const name[] = {"zero_eigenvalue", "svd", "householder", "lu"};
    static double            s[POWERS], off[4][POWERS];
    trSeries                 series[4];
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < POWERS; i++) {
            s[i] = pow(10.0, -0.5 * i);
            (void)look_at(name[k], s[i], &off[k][i]);
        }
        series[k] = (trSeries){.name = name[k], .n = POWERS, .x = s, .y = off[k]};
        series[k].marker = TR_MARKER_AUTO;
    }
    const trChart chart = {.title = "How free the motions of a basis are",
                           .subtitle =
                               "6 rows, 10 columns, singular values 1, 1, 1, 1, 1, s; tolerance 0",
                           .x = {.label = "smallest singular value s", .scale = TR_SCALE_LOG},
                           .y = {.label = "|A Gamma|, largest entry", .scale = TR_SCALE_LOG},
                           .series = series,
                           .series_count = 4};
    page_figure(page, "small-singular-values",
                "The error of `zero_eigenvalue` grows as eps / s until s^2 is rounding of A'A; "
                "then s counts as zero, one motion too many seems free, and A Gamma is s.",
                &chart);
}

void put_small_singular_values(Page *page) {
    static Table table;
    double       off = 0.0;
    page_heading(page, "Small singular values");
    page_text(
        page,
        "The zero eigenvalue method uses eigenvectors of A'A, which squares singular values; the "
        "paper calls it equivalent to the others. Four motions are free as long as s is not zero.");
    table_begin(&table, "s | free by `zero_eigenvalue` | A Gamma | free by `svd` | A Gamma");
    for (int power = 0; power <= 14; power += 2) {
        table_cell(&table, "1e-%02d", power);
        table_cell(&table, "%d", look_at("zero_eigenvalue", pow(10.0, -power), &off));
        table_power(&table, off);
        table_cell(&table, "%d", look_at("svd", pow(10.0, -power), &off));
        table_power(&table, off);
    }
    page_table(page, &table);
    put_singular_chart(page);
}
