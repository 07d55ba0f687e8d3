// SPDX-License-Identifier: MIT
// The page on A. Laulusa and O. A. Bauchau, Review of classical approaches for constraint
// enforcement in multibody systems. Usage: paper_000 ROOT FOLDER

#include <math.h>
#include <string.h>

#include "answer.h"
#include "basis/basis.h"
#include "page.h"
#include "paper_000_bases.h"
#include "study.h"

// --- all formulations at one instant ---

// Rounding, which penalty factors multiply: then only its power of ten is the same on every
// processor.
static void put_size(Table *table, double error) {
    if (error < 1e-9) {
        table_rounding(table, error);
    } else {
        table_power(table, error);
    }
}

// Errors of what a formulation gives for one system; "cannot" where it says so itself.
static void put_error(Table *table, const trFormulationKind *kind, const char *name) {
    static GoldenSystem system;
    const Golden       *golden = golden_named(name);
    if (!answer_is_claimed(kind, golden)) {
        table_cell(table, "cannot");
        return;
    }
    golden_begin(&system, golden);
    const Answer answer = answer_of(kind->name, NULL, &system.equations);
    must(answer.status);
    put_size(table, fmax(answer_error(&answer, &system), answer_force_error(&answer, &system)));
}

static void put_worst(Table *table, const trFormulationKind *kind) {
    static GoldenSystem system;
    double              worst = 0.0;
    int                 taken = 0;
    for (int k = 0; k < golden_count(); k++) {
        if (answer_is_claimed(kind, golden_at(k))) {
            golden_begin(&system, golden_at(k));
            const Answer answer = answer_of(kind->name, NULL, &system.equations);
            must(answer.status);
            worst = fmax(
                worst, fmax(answer_error(&answer, &system), answer_force_error(&answer, &system)));
            taken++;
        }
    }
    put_size(table, worst);
    table_cell(table, "%d", taken);
}

static void put_formulations(Page *page) {
    static Table table;
    page_heading(page, "All formulations on one system");
    page_text(page,
              "The formulations of section 2 must give the same accelerations and constraint "
              "forces. Largest relative error of either, compared with 40-digit results, for four "
              "of ten systems, and the largest for all systems that a formulation supports:");
    table_begin(&table,
                "formulation | four-bar | knife edge | triple crank, rank 11 of 12 | five-bar, "
                "singular M | worst of all | systems");
    for (int i = 0; i < tr_formulation_count(); i++) {
        const trFormulationKind *kind = tr_formulation_at(i);
        table_cell(&table, "`%s`", kind->name);
        put_error(&table, kind, "fourbar");
        put_error(&table, kind, "knife");
        put_error(&table, kind, "triple");
        put_error(&table, kind, "fivebar");
        put_worst(&table, kind);
    }
    page_table(page, &table);
    page_text(
        page,
        "The paper requires a constraint matrix of full rank for all formulations but (15), and an "
        "invertible mass matrix for (12) and (14). It is enough that M is positive definite on the "
        "null space of the rows (five-bar: M of rank 30 for 35 velocities), and full rank depends "
        "on the solver: (12) and "
        "(13) as printed (`lagrange_kkt`, `lagrange_schur`) need independent rows, the others "
        "accept the triple crank. `lagrange` drops rows with small pivots, `lagrange_dense`, the "
        "null space methods and `projective` by pivoted QR, the Udwadia formulas by singular "
        "values; `penalty` and `augmented_lagrangian` decide no rank.");
}

// --- Maggi's equations on the four-bar ---

typedef struct Row {
    const char *name, *method, *basis;
} Row;

static const Row rows[] = {
    {"`lagrange`, (13)", "lagrange", NULL},
    {"`nullspace`, (14)", "nullspace", NULL},
    {"`acceleration_projection`", "acceleration_projection", NULL},
    {"`udwadia_kalaba`, (15)", "udwadia_kalaba", NULL},
    {"`projective`, (20)", "projective", NULL},
    {"`maggi`, zero_eigenvalue", "maggi", "zero_eigenvalue"},
    {"`maggi`, lu", "maggi", "lu"},
    {"`maggi`, svd", "maggi", "svd"},
    {"`maggi`, householder", "maggi", "householder"},
    {"`maggi`, gram_schmidt", "maggi", "gram_schmidt"},
    {"`maggi`, kim_vanderploeg", "maggi", "kim_vanderploeg"},
    {"`maggi`, liang_lance", "maggi", "liang_lance"},
    {"`maggi`, extraction", "maggi", "extraction"},
    {"`maggi_frozen`", "maggi_frozen", NULL},
    {"`borri_phase_space`", "borri_phase_space", NULL},
    {"`direct_mass`", "direct_mass", NULL},
};
#define ROWS ((int)(sizeof rows / sizeof *rows))

static void run_row(const Model *model, const Row *row, double duration, Motion *motion) {
    trSimDef def = model->def;
    def.method = row->method;
    def.basis = row->basis;
    def.duration = duration;
    motion_run(model, &def, motion);
    must(motion->status);
}

static void put_drift_chart(Page *page, const Motion *motion) {
    static const int shown[] = {15, 13, 0, 1, 7, 11, 14};
    trSeries         series[sizeof shown / sizeof *shown];
    const int        count = (int)(sizeof shown / sizeof *shown);
    for (int k = 0; k < count; k++) {
        const Motion *m = &motion[shown[k]];
        series[k] = (trSeries){.name = rows[shown[k]].method, .n = m->n, .x = m->t, .y = m->phi};
        if (rows[shown[k]].basis != NULL) {
            series[k].name = shown[k] == 7 ? "maggi, svd" : "maggi, liang_lance";
        }
        series[k].line = shown[k] == 1 ? TR_LINE_DASHED : TR_LINE_AUTO;
    }
    const trChart chart = {.title = "Violation of positions by what is enforced",
                           .subtitle = "four-bar, rk4, h = 1 ms",
                           .x = {.label = "time", .unit = "s"},
                           .y = {.label = "|phi|", .unit = "m", .scale = TR_SCALE_LOG},
                           .series = series,
                           .series_count = count};
    page_figure(
        page, "drift",
        "Enforced are accelerations (`lagrange`, hidden by `nullspace`), velocities (`maggi`, "
        "`borri_phase_space`) or positions, to 1e-12 (1 + max|q|) (`maggi_frozen`, `direct_mass`).",
        &chart);
}

static void put_maggi(Page *page, const char *root) {
    static Table table;
    Model        model;
    Motion       motion[ROWS], reference;
    page_heading(page, "Maggi's equations, and what drifts");
    page_text(page, "Section 2.2.5 says that Maggi's formulation drifts less, because it enforces "
                    "velocities. The four-bar of `models/papers/fourbar.lua`, `rk4`, h = 1 ms, 10 "
                    "s; |phi| and |A v - b1| are roots of sums of squares over all rows, the error "
                    "is |q - q*| at the end, with q* from `dop853` and projected stages at 1e-12.");
    model_load(root, "papers/fourbar.lua", NULL, &model);
    trSimDef fine = model.def;
    fine.method = "masarati";
    fine.integrator = "dop853";
    fine.rtol = fine.atol = 1e-12;
    motion_run(&model, &fine, &reference);
    must(reference.status);
    table_begin(
        &table,
        "method | worst phi [m] | worst A v - b1 [m/s] | energy at the end [J] | error [m, rad]");
    for (int k = 0; k < ROWS; k++) {
        run_row(&model, &rows[k], model.def.duration, &motion[k]);
        table_cell(&table, "%s", rows[k].name);
        table_number(&table, motion_worst(&motion[k], motion[k].phi));
        table_rounding(&table, motion_worst(&motion[k], motion[k].rate));
        table_number(&table, motion[k].energy[motion[k].n - 1]);
        table_number(&table,
                     distance(reference.nq, motion_end(&motion[k]), motion_end(&reference)));
    }
    page_table(page, &table);
    page_text(page, "Velocities are exact to rounding with every basis, and positions drift less "
                    "than a thousandth as much as with acceleration constraints. Bases with the "
                    "same span of B give the same motion. `maggi_frozen` is \"Maggi-like\" in "
                    "section 4.1, with the Newton correction of 4.3.");
    put_drift_chart(page, motion);
    for (int k = 0; k < ROWS; k++) {
        motion_free(&motion[k]);
    }
    motion_free(&reference);
    model_free(&model);
}

// --- drift in time ---

static void put_growth(Page *page, const char *root) {
    static const Row kept[] = {{"`lagrange`", "lagrange", NULL},
                               {"`nullspace`", "nullspace", NULL},
                               {"`borri_phase_space`", "borri_phase_space", NULL},
                               {"`maggi`", "maggi", "householder"}};
    static Table     table;
    Model            model;
    page_text(page, "Growth on the pendulum of `models/papers/pendulum.lua` (h = 10 ms), worst "
                    "|phi| [m] up to a time:");
    model_load(root, "papers/pendulum.lua", NULL, &model);
    table_begin(&table, "method | 5 s | 10 s | 20 s | 40 s");
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        Motion motion;
        model.def.integrator = "rk4";
        model.def.step = 0.01;
        run_row(&model, &kept[k], 40.0, &motion);
        table_cell(&table, "%s", kept[k].name);
        for (double time = 5.0; time <= 40.0; time *= 2.0) {
            table_number(&table, motion_worst_until(&motion, motion.phi, time));
        }
        motion_free(&motion);
    }
    page_table(page, &table);
    page_text(page, "With acceleration constraints phi grows with t^2, with velocity constraints "
                    "at most with t.");
    model_free(&model);
}

static void put_differences(Page *page) {
    page_heading(page, "Other differences from the paper");
    static Table table;
    table_begin(&table, "paper | here");
    table_cell(&table, "Section 2.2.5: a set of m kinematic parameters");
    table_cell(&table, "n - m");
    table_cell(&table, "Section 4.1: a frozen basis, renewed \"at regular intervals\"");
    table_cell(&table, "renewed when the smallest singular value of Gamma' W Gamma0 is below 0.9");
    table_cell(&table, "Section 4.2: derivatives of Gamma by elementary acceleration problems");
    table_cell(&table, "so it is: [A; B] a0 = [b; 0] for every basis");
    page_table(page, &table);
}

int main(int count, char **arguments) {
    Page page;
    if (count != 3) {
        fprintf(stderr, "usage: paper_000 ROOT FOLDER\n");
        return 2;
    }
    page_open(arguments[2], "000", "Laulusa and Bauchau: review of classical approaches", &page);
    page_text(&page,
              "A. Laulusa and O. A. Bauchau, *Review of classical approaches for constraint "
              "enforcement in multibody systems*, J. Comput. Nonlinear Dyn. 3 (2008) 011004.");
    put_formulations(&page);
    put_maggi(&page, arguments[1]);
    put_growth(&page, arguments[1]);
    put_continuity(&page, arguments[1]);
    put_small_singular_values(&page);
    put_extraction(&page, arguments[1]);
    put_differences(&page);
    page_close(&page);
    return 0;
}
