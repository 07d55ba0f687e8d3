// SPDX-License-Identifier: MIT
// When the formulas of Udwadia and Wanichanon have a solution, and how accurate they are.

#include "paper_001_formulas.h"

#include <math.h>

#include "answer.h"
#include "paper_001_body.h"

#define RATIOS 17  // of inertias, 1 to 1e-8
#define FORMULAS 5

// --- rank condition ---

static void put_rank_row(Table *table, const char *mass_text, const double *mass,
                         const char *rows_text, const double *values, int m) {
    static const double Q[3] = {1.0, 2.0, 3.0}, b[2] = {0.5, 0.0};
    static const int    sides[2] = {0, 1}, at[1] = {0}, width[1] = {3};
    const int           group[2] = {0, m};
    const trEquations   e = {.nv = 3,
                             .m = m,
                             .M = {.n = 3, .diagonal = mass},
                             .A = {.m = m,
                                   .n = 3,
                                   .groups = 1,
                                   .group_row = group,
                                   .group_side = sides,
                                   .side_column = at,
                                   .side_width = width,
                                   .side_value = at,
                                   .value = values},
                             .Q = Q,
                             .b = b,
                             .rank_tolerance = 1e-4};
    const Answer        answer = answer_of("udwadia_wanichanon", NULL, &e);
    table_cell(table, "%s", mass_text);
    table_cell(table, "%s", rows_text);
    if (answer.status == TR_OK) {
        table_cell(table, "a = (%.3g, %.3g, %.3g)", answer.a[0], answer.a[1], answer.a[2]);
    } else {
        table_cell(table, "refused: %s", answer.why);
    }
}

void put_rank(Page *page) {
    static const double one[3] = {1.0, 0.0, 0.0}, two[3] = {1.0, 2.0, 0.0};
    static const double first[3] = {1.0, 0.0, 0.0}, last[6] = {0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    static const double sum[3] = {0.0, 1.0, 1.0};
    static Table        table;
    page_heading(page, "The rank condition");
    page_text(page,
              "Lemma 3.1: M + alpha^2 A'G A is positive definite if and only if [M; A] has rank n. "
              "Otherwise a velocity has neither inertia nor constraint and no formula helps. Three "
              "velocities, Q = (1, 2, 3), b = (0.5, 0):");
    table_begin(&table, "diagonal of M | rows of A | `udwadia_wanichanon`");
    put_rank_row(&table, "1, 0, 0", one, "(1, 0, 0)", first, 1);
    put_rank_row(&table, "1, 0, 0", one, "(0, 1, 0), (0, 0, 1)", last, 2);
    put_rank_row(&table, "1, 2, 0", two, "(0, 1, 1)", sum, 1);
    page_table(page, &table);
}

// --- accuracy of (2.9), Udwadia and Schutte, (3.18) ---

// The second one gets (I - A+A) Q in place of Q.
static const char *const formulas[FORMULAS] = {"udwadia_phohomsiri", "udwadia_phohomsiri",
                                               "udwadia_schutte", "udwadia_wanichanon",
                                               "lagrange_dense"};
static const char *const formula_names[FORMULAS] = {
    "(2.9)", "(2.9), Q projected", "Udwadia and Schutte", "(3.18)", "lagrange_dense"};

// Q less its part along the row: Q - u (u'Q) / u'u.
static void project_force(Body *body) {
    double along = 0.0, square = 0.0;
    for (int i = 0; i < 4; i++) {
        along += body->u[i] * body->Q[i];
        square += body->u[i] * body->u[i];
    }
    for (int i = 0; i < 4; i++) {
        body->Q[i] -= body->u[i] * along / square;
    }
}

// Of a body whose third moment of inertia is `ratio` times the first, against (4.6).
static double error_at(int formula, double ratio) {
    Body   body = {.J = {1.0, 1.0, ratio}, .torque = {0.4, -0.3, 0.2 * ratio}};
    double a[4];
    body_place(&body, 1.0);
    body_evaluate(&body);
    body_closed_form(&body, false, a);
    if (formula == 1) {
        project_force(&body);
    }
    const Answer answer = answer_of(formulas[formula], NULL, &body.equations);
    return answer.status == TR_OK ? largest_difference(4, answer.a, a) / largest(4, a)
                                  : (double)NAN;
}

void put_accuracy(Page *page) {
    static double ratio[RATIOS], error[FORMULAS][RATIOS];
    static Table  table;
    trSeries      series[FORMULAS];
    page_heading(page, "Accuracy of the three formulas");
    page_text(
        page,
        "(2.9) of Udwadia and Phohomsiri, the formula of Udwadia and Schutte with alpha^2 A+A, and "
        "(3.18) for a needle with a small third moment of inertia, J = (1, 1, J3), against (4.6):");
    table_begin(
        &table,
        "J3 / J1 | (2.9) | (2.9), Q projected | Udwadia and Schutte | (3.18) | `lagrange_dense`");
    for (int power = 0; power <= 8; power += 2) {
        table_cell(&table, "1e-%02d", power);
        for (int k = 0; k < FORMULAS; k++) {
            table_power(&table, error_at(k, pow(10.0, -power)));
        }
    }
    page_table(page, &table);
    for (int k = 0; k < FORMULAS; k++) {
        for (int i = 0; i < RATIOS; i++) {
            ratio[i] = pow(10.0, -0.5 * i);
            error[k][i] = error_at(k, ratio[i]);
        }
        series[k] = (trSeries){.name = formula_names[k],
                               .n = RATIOS,
                               .x = ratio,
                               .y = error[k],
                               .marker = TR_MARKER_AUTO};
    }
    const trChart chart = {.title = "Accuracy by the ratio of inertias",
                           .subtitle = "rigid body in quaternions, J = (1, 1, J3)",
                           .x = {.label = "J3 / J1", .scale = TR_SCALE_LOG},
                           .y = {.label = "relative error of u''", .scale = TR_SCALE_LOG},
                           .series = series,
                           .series_count = FORMULAS};
    page_figure(
        page, "accuracy",
        "All but (2.9) lose digits with the condition of M on the free motions, eps J1 / J3; "
        "(2.9) loses them with its square.",
        &chart);
    page_text(page,
              "(2.9) is a least-squares solution whose residual is not zero, the part of Q along "
              "the rows. With (I - A+A)(Q + C) instead of Q + C, equivalent in exact arithmetic, "
              "it is as accurate as the others. `udwadia_phohomsiri` is (2.9) as published.");
}
