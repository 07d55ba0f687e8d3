// SPDX-License-Identifier: MIT
// Marques, Souto and Flores, On the constraints violation in forward dynamics of multibody systems,
// Multibody Syst. Dyn. 39 (2017), repeated. Usage: paper_004 ROOT FOLDER

#include <math.h>
#include <stdlib.h>

#include "paper_004_dense.h"
#include "paper_004_ways.h"

enum { FOUR_BAR, FIVE_BAR, SLIDER_CRANK, SUSPENSION, TRIPLE_CRANK, MECHANISMS };

static Mechanism mechanisms[MECHANISMS] = {
    [FOUR_BAR] = {.name = "four-bar",
                  .title = "Planar four-bar",
                  .file = "papers/fourbar.lua",
                  .step = 1e-3,
                  .duration = 10.0},
    [FIVE_BAR] = {.name = "five-bar",
                  .title = "Spatial five-bar",
                  .file = "papers/fivebar.lua",
                  .step = 1e-3,
                  .duration = 10.0,
                  .shown = 5.0},
    [SLIDER_CRANK] = {.name = "slider-crank",
                      .title = "Spatial slider-crank",
                      .file = "benchmark/spatial_slider_crank.lua",
                      .step = 1e-3,
                      .duration = 5.0},
    [SUSPENSION] = {.name = "suspension",
                    .title = "Car suspension",
                    .file = "benchmark/iltis.lua",
                    .step = 1e-3,
                    .duration = 6.0},
    [TRIPLE_CRANK] = {.file = "papers/triple_crank.lua", .step = 5e-3, .duration = 3.0},
};

static Table table;

static void introduce(Page *page) {
    page_text(
        page,
        "F. Marques, A. P. Souto and P. Flores, *On the constraints violation in forward dynamics "
        "of multibody systems*, Multibody Syst. Dyn. 39 (2017). The paper compares constraint "
        "methods on four mechanisms and adds one, the direct correction of positions and "
        "velocities after each step. All runs here use the Runge-Kutta method of order 4 with "
        "steps of "
        "1e-3 s, Baumgarte's gains 5 1/s, alpha = 1e7 (in the last row of a table 1e4), mu = 1 and "
        "omega = 10 1/s (Table 2). Standard of the paper is `lagrange`, the index-1 augmented "
        "Lagrangian `augmented_lagrangian_projected`, coordinate partitioning `partition`, direct "
        "correction `direct` (W = I) and `direct_mass` (W = M).");
    page_text(page, "Statements of the paper on violations are confirmed. On energy, coordinate "
                    "partitioning and direct correction do not coincide. Equations (26) to (28) "
                    "and (50), (51) do not work as printed.");
    page_text(page, "Violations are sums of squares over all rows, as in the paper, in m^2 and "
                    "rad^2; the largest and the mean over all steps. \"< 1e-22\" is the tolerance "
                    "of Newton's method, 1e-12 (1 + largest coordinate), or rounding. Energies "
                    "with alpha = 1e7 are bounds, because alpha multiplies rounding, which differs "
                    "between processors. Figures show the largest value in each 250th of a run.");
    page_block(page, "trammel compare models/papers/fourbar.lua --methods "
                     "lagrange,baumgarte,penalty,partition,direct,direct_mass");
    page_text(page, "prints such a table, with errors and times, for any model.");
}

static void show_four_bar(Page *page) {
    const Mechanism *m = &mechanisms[FOUR_BAR];
    page_heading(page, "Planar four-bar (Table 1, Figures 5 to 7)");
    page_text(page,
              "Table 1 prints 0.4332 rad for the angle of the coupler; lengths and centers of mass "
              "give 0.4232. Gravity is not mentioned; without it nothing moves. Duration: 10 s.");
    mechanism_table(m, page, &table);
    page_text(page, "The paper gives \"of order 1e-18\" for the mean of the direct correction. "
                    "Here Newton's method continues to 1e-12 m; 1e-9 m would give 1e-18.");
    mechanism_figure(m, POSITION,
                     "Figure 5. Standard grows without end; penalty, Baumgarte and augmented "
                     "Lagrangian stay within bounds; the others are at the tolerance and coincide.",
                     page);
    mechanism_figure(m, VELOCITY, "Figure 6.", page);
    mechanism_figure(m, ENERGY,
                     "Figure 7, on a logarithmic axis. In the paper, partitioning and direct "
                     "correction coincide and the others drift.",
                     page);
    page_text(page,
              "Partitioning loses twenty to fifty times as much energy as direct correction: "
              "errors in the independent coordinates are multiplied by their influence on the "
              "others, which grows until others are chosen.");
}

static void show_forms(Page *page, Dense *dense) {
    const Motion *motion = &mechanisms[FOUR_BAR].motion[0];
    page_heading(page, "Why the index-1 augmented Lagrangian drifts in Figure 7");
    page_text(page, "(24) and (30) solve for whole accelerations and velocities with M + alpha "
                    "A'A. Its condition number is about 1e8, so half of the sixteen digits may be "
                    "lost in each step. With increments, as in Trammel, only a small correction is "
                    "rounded. Both forms in one program:");
    table_begin(&table, "form | energy, largest [J]");
    for (int whole = 1; whole >= 0; whole--) {
        TotalForm form = run_augmented_lagrangian(dense, motion->q, whole == 1);
        table_cell(&table, whole == 1 ? "whole, as printed" : "increments");
        if (whole == 1) {
            table_number(&table, form.largest);
        } else {
            table_cell(&table, "< 1e%d", (int)ceil(log10(form.largest)));
        }
    }
    page_table(page, &table);
    page_text(page, "The first is a likely cause of the drift in Figure 7, which the paper "
                    "attributes to the integrator.");
}

static void show_corrections(Page *page, Dense *dense) {
    static const int shown[] = {0, 1, 2, 3, 4, 8};
    Correction       correction[CORRECTIONS];
    correct_printed_pose(dense, correction);
    page_heading(page, "Equations as printed");
    page_text(page, "Sizes of phi in m before and after iterations, from the pose of Table 1. A is "
                    "D of the paper.");
    table_begin(&table, "equations | q is reduced by, or form | 0 | 1 | 2 | 3 | 4 | 8 rounds");
    for (int i = 0; i < CORRECTIONS; i++) {
        table_cell(&table, "%s", correction[i].equation);
        table_cell(&table, "%s", correction[i].formula);
        for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
            table_rounding(&table, correction[i].size[shown[k]]);
        }
    }
    page_table(page, &table);
    page_text(page, "(50) and (51) lack two inverses. With both, A dq = -phi and the correction is "
                    "Newton's. (26) lacks phi beside lambda: from lambda = 0 the first change is "
                    "zero and (29) ends the iteration; from alpha phi the same change repeats. "
                    "Trammel solves for increments instead.");
    page_text(page, "(30a) has an undefined vector in -alpha A' u. It is right with u = +phi_t; if "
                    "u is the right side of A v = u, the sign must be +. \"Always positive "
                    "definite\", after (24), holds if M and A together have full rank.");
}

static void show_spatial(Page *page) {
    const Mechanism *five = &mechanisms[FIVE_BAR], *slider = &mechanisms[SLIDER_CRANK];
    page_heading(page, "Spatial five-bar (Figures 9 to 11)");
    page_text(page, "35 coordinates, quaternions with their norms as rows. The pose is in Figure 9 "
                    "only; a zigzag with skew axes is assumed, so only orders of magnitude can be "
                    "compared. The motion is chaotic: after 5 s, where the table ends, numbers "
                    "depend on rounding. Figures extend to 10 s.");
    mechanism_table(five, page, &table);
    mechanism_figure(five, POSITION, "Figure 10.", page);
    mechanism_figure(five, VELOCITY, "Figure 11.", page);
    mechanism_figure(five, ENERGY,
                     "Not in the paper. Partitioning loses energy in the last steps before a "
                     "renewal; the amount depends on rounding.",
                     page);
    page_heading(page, "Spatial slider-crank (Tables 3 and 4, Figures 14 and 15)");
    page_text(page,
              "The text names a revolute, a spherical and a translational joint, 13 rows, but "
              "counts 17: the universal joint of rod and slider is missing. The start is that of "
              "Table 4 without its rounding. Velocities are angular velocities, as in Table 4.");
    mechanism_table(slider, page, &table);
    mechanism_figure(slider, POSITION, "Figure 14.", page);
    mechanism_figure(slider, VELOCITY, "Figure 15.", page);
}

static void draw_wheel(Page *page, const Motion *motion) {
    double *z = room((size_t)motion->n * sizeof *z);
    for (int i = 0; i < motion->n; i++) {
        z[i] = motion->q[i * motion->nq + 2];  // the hub is the first body
    }
    const trSeries line = {.x = motion->t, .y = z, .n = motion->n};
    const trChart  chart = {.title = "Car suspension: height of the wheel's center",
                            .x = {.label = "time", .unit = "s"},
                            .y = {.label = "z", .unit = "m"},
                            .series = &line,
                            .series_count = 1,
                            .legend = TR_LEGEND_NONE};
    page_figure(
        page, "suspension-wheel",
        "By `direct`. The suspension settles, passes the bump of 0.2 m from 2 s to 3 s, and "
        "the leaf spring meets its stop at 2.2 s.",
        &chart);
    free(z);
}

static void show_suspension(Page *page) {
    const Mechanism *m = &mechanisms[SUSPENSION];
    page_heading(page, "Car suspension (Tables 5 and 6, Figures 18 and 19)");
    page_text(page,
              "Points of the joints and the profile of the bump are those of the Iltis benchmark. "
              "The paper's 19 rows leave five degrees of freedom; here a universal joint holds the "
              "tie rod, 23 rows. Leaf spring and tie rod have no mass, so M is singular. The "
              "caption of Table 6 names the slider-crank by mistake.");
    mechanism_table(m, page, &table);
    mechanism_figure(m, POSITION, "Figure 18.", page);
    mechanism_figure(m, VELOCITY, "Figure 19. What is below 1e-36 is not shown.", page);
    draw_wheel(page, &m->motion[6]);
    page_text(
        page,
        "The paper: 1e-25 for index-1 and 1e-32 for direct correction, at both levels. Velocities "
        "agree; positions would with one more iteration per step. Energy is T + V - W, the same "
        "for all but penalty: the error of the Runge-Kutta method in the step that meets the stop. "
        "With alpha = 1e7, the stiffness of the stop itself, penalty loses 3.5 J.");
}

static void show_redundant(Page *page) {
    Mechanism *m = &mechanisms[TRIPLE_CRANK];
    Motion     refused;
    trSimDef   def = m->model.def;
    page_heading(page, "Redundant constraints");
    page_text(page,
              "The conclusions say that direct correction cannot handle them. This is true for "
              "(36), A'(A A')^-1, but not with a factorization that finds the rank. Three parallel "
              "cranks on one coupler, 12 rows of rank 11, steps of 5e-3 s for 3 s:");
    mechanism_table(m, page, &table);
    def.method = "lagrange_kkt";
    motion_run(&m->model, &def, &refused);
    if (refused.status != TR_E_MODEL) {
        fprintf(stderr, "lagrange_kkt takes redundant rows: %s\n", refused.why);
        exit(1);
    }
    page_text(page, "`lagrange_kkt`, which factors the matrix of (8) directly, is refused before "
                    "the run, naming a redundant joint.");
    motion_free(&refused);
}

static void show_cost(Page *page) {
    static const char *const paper[WAYS] = {"1.00", "1.16", "", "1.30", "1.49", "", "1.39", "", ""};
    page_heading(page, "Cost");
    page_text(page,
              "The paper gives ratios of computation time; those of Figure 16, slider-crank, "
              "are in the last column. Here factorizations and Newton iterations are counted, "
              "per step. All methods evaluate the equations four times per step.");
    table_begin(&table,
                "method | factorizations: four-bar | five-bar | slider-crank | suspension | "
                "Newton: four-bar | five-bar | slider-crank | suspension | time, Fig. 16");
    for (int i = 0; i < WAYS; i++) {
        table_cell(&table, "%s", way[i].name);
        for (int k = 0; k < 2 * TRIPLE_CRANK; k++) {
            const trSimStats *s = &mechanisms[k % TRIPLE_CRANK].motion[i].stats;
            int64_t           count = k < TRIPLE_CRANK ? s->factorizations : s->newton_iterations;
            table_cell(&table, "%.2f", (double)count / (double)s->steps);
        }
        table_cell(&table, "%s", paper[i]);
    }
    page_table(page, &table);
    page_text(
        page,
        "With W = M velocity corrections use the factors of the next acceleration; only "
        "Newton iterations cost more. W = I needs one more matrix per step. Partitioning "
        "iterates in every stage; its pivoted factorizations are not counted. For penalty and "
        "augmented Lagrangian, and with massless bodies, one factorization per step monitors "
        "the rank of A.");
}

int main(int count, char **arguments) {
    Page  page;
    Dense dense;
    if (count != 3) {
        fprintf(stderr, "usage: paper_004 ROOT FOLDER\n");
        return 2;
    }
    for (int i = 0; i < MECHANISMS; i++) {
        mechanism_run(arguments[1], &mechanisms[i]);
    }
    page_open(arguments[2], "004", "Marques, Souto and Flores: violation of constraints", &page);
    introduce(&page);
    show_four_bar(&page);
    dense_begin(mechanisms[FOUR_BAR].model.system, &dense);
    show_forms(&page, &dense);
    show_corrections(&page, &dense);
    dense_end(&dense);
    show_spatial(&page);
    show_suspension(&page);
    show_redundant(&page);
    show_cost(&page);
    page_close(&page);
    for (int i = 0; i < MECHANISMS; i++) {
        mechanism_free(&mechanisms[i]);
    }
    return 0;
}
