// SPDX-License-Identifier: MIT
// Bases of free motions: how they change from step to step, and which velocities an extraction
// should take.

#include "paper_000_bases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "basis/basis.h"
#include "basis/complement.h"
#include "basis/full_lu.h"
#include "study.h"
#include "system/system.h"

#define MOST 35   // velocities at most
#define KINDS 16  // bases at most
#define STEPS 60
#define TIME 0.6        // [s]
#define TOLERANCE 1e-8  // on rows of length one

// A of a system along a motion, rows of length one, column by column.
typedef struct Rows {
    const Motion *motion;
    trArena      *arena;
    trEval        eval;
    double       *zero;  // nv: velocities; A does not depend on them here
    double       *A;     // m x nv
} Rows;

static void rows_begin(const Model *model, const Motion *motion, Rows *rows) {
    const size_t n = (size_t)model->system->nv, m = (size_t)model->system->m;
    rows->motion = motion;
    rows->arena = tr_arena_create();
    must(rows->arena == NULL ? TR_E_MEMORY : TR_OK);
    must(tr_eval_plan(rows->arena, model->system, TOLERANCE, &rows->eval));
    rows->zero = tr_new_array(rows->arena, double, n);
    rows->A = tr_new_array(rows->arena, double, n *m);
    must(tr_arena_status(rows->arena));
}

static void rows_at(Rows *rows, int step) {
    const trSystem *system = rows->eval.system;
    const double   *q = &rows->motion->q[(size_t)step * (size_t)rows->motion->nq];
    const int       m = system->m;
    must(tr_system_eval(system, rows->motion->t[step], q, rows->zero, &rows->eval));
    tr_rows_dense(&rows->eval.equations.A, rows->A);
    for (int k = 0; k < m; k++) {
        double sum = 0.0;
        for (int j = 0; j < system->nv; j++) {
            sum += rows->A[j * m + k] * rows->A[j * m + k];
        }
        for (int j = 0; j < system->nv; j++) {
            rows->A[j * m + k] /= sqrt(sum);
        }
    }
}

// max |Gamma' Gamma - I|
static double off_orthonormal(int n, const trBasis *basis) {
    double most = 0.0;
    for (int i = 0; i < basis->columns; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < n; k++) {
                sum += basis->Gamma[i * n + k] * basis->Gamma[j * n + k];
            }
            most = fmax(most, fabs(sum));
        }
    }
    return most;
}

double off_free(int n, int m, const double *A, const trBasis *basis) {
    double most = 0.0;
    for (int j = 0; j < basis->columns; j++) {
        for (int i = 0; i < m; i++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[k * m + i] * basis->Gamma[j * n + k];
            }
            most = fmax(most, fabs(sum));
        }
    }
    return most;
}

// What is found of one basis along a motion.
typedef struct Course {
    double change[2 * STEPS];  // |Gamma_k+1 - Gamma_k|_F
    double worst;              // of them
    double orthonormal, free;  // worst |Gamma' Gamma - I|, |A Gamma|
} Course;

static void follow(const trBasisKind *kind, Rows *rows, Course *out) {
    const int    n = rows->eval.system->nv, m = rows->eval.system->m;
    trArena     *arena = tr_arena_create();
    trBasis      basis[2];
    trBasisMaker maker;
    must(tr_basis_begin(arena, kind, n, m, &maker));
    tr_basis_plan(arena, n, &basis[0]);
    tr_basis_plan(arena, n, &basis[1]);
    must(tr_arena_status(arena));
    memset(out, 0, sizeof *out);
    for (int i = 0; i < rows->motion->n; i++) {
        trBasis *next = &basis[i % 2], *before = &basis[(i + 1) % 2];
        rows_at(rows, i);
        must(tr_basis_make(&maker, rows->A, TOLERANCE, i > 0 ? before : NULL, next));
        out->orthonormal = fmax(out->orthonormal, off_orthonormal(n, next));
        out->free = fmax(out->free, off_free(n, m, rows->A, next));
        if (i > 0) {
            out->change[i - 1] = distance(n * next->columns, next->Gamma, before->Gamma);
            out->worst = fmax(out->worst, out->change[i - 1]);
        }
    }
    tr_arena_destroy(arena);
}

static void fall(const Model *model, int steps, Motion *motion) {
    trSimDef def = model->def;
    def.method = "direct";
    def.formulation = "lagrange_dense";
    def.step = TIME / steps;
    def.duration = TIME;
    motion_run(model, &def, motion);
    must(motion->status);
}

// Where a basis jumps, by how much depends on the LAPACK that chose the vectors.
static void put_change(Table *table, double change) {
    if (change > 1.0) {
        table_cell(table, "jumps, > 1");
    } else {
        table_number(table, change);
    }
}

static void put_courses(Page *page, const Course *coarse, const Course *fine) {
    static Table table;
    table_begin(&table, "basis | Gamma'Gamma - I | A Gamma | change, h = 0.01 s | h = 0.005 s");
    for (int k = 0; k < tr_basis_count(); k++) {
        table_cell(&table, "`%s`", tr_basis_at(k)->name);
        table_rounding(&table, coarse[k].orthonormal);
        table_rounding(&table, coarse[k].free);
        put_change(&table, coarse[k].worst);
        put_change(&table, fine[k].worst);
    }
    page_table(page, &table);
}

// Whether its line lies on one that was drawn before.
static bool hides(const char *basis) {
    return strcmp(basis, "liang_lance") == 0 || strcmp(basis, "lu") == 0;
}

static void put_changes(Page *page, const Motion *motion, const Course *course) {
    trSeries series[KINDS] = {{0}};
    for (int k = 0; k < tr_basis_count(); k++) {
        series[k] = (trSeries){.name = tr_basis_at(k)->name,
                               .n = motion->n - 1,
                               .x = motion->t + 1,
                               .y = course[k].change,
                               .line = hides(tr_basis_at(k)->name) ? TR_LINE_DASHED : TR_LINE_AUTO};
    }
    const trChart chart = {.title = "Change of the basis from step to step",
                           .subtitle = "five-bar pendulum, 35 velocities, 30 rows, h = 0.01 s",
                           .x = {.label = "time", .unit = "s"},
                           .y = {.label = "|Gamma(t + h) - Gamma(t)|", .scale = TR_SCALE_LOG},
                           .series = series,
                           .series_count = tr_basis_count()};
    page_figure(page, "basis-change",
                "`kim_vanderploeg` and `liang_lance` coincide, as do `lu` and `extraction`. The "
                "others jump where columns change sign or order, or a pivot changes.",
                &chart);
}

void put_continuity(Page *page, const char *root) {
    static Course coarse[KINDS], fine[KINDS];
    Model         model;
    Motion        motion[2];
    Rows          rows[2];
    model_load(root, "papers/fivebar.lua", NULL, &model);
    for (int i = 0; i < 2; i++) {
        fall(&model, (i + 1) * STEPS, &motion[i]);
        rows_begin(&model, &motion[i], &rows[i]);
        for (int k = 0; k < tr_basis_count(); k++) {
            follow(tr_basis_at(k), &rows[i], i == 0 ? &coarse[k] : &fine[k]);
        }
        tr_arena_destroy(rows[i].arena);
    }
    page_heading(page, "Bases of the null space");
    page_text(page, "Section 4.1 warns that \"the vectors spanning Gamma at two different steps "
                    "could be different\". The five-bar pendulum in quaternion coordinates falls "
                    "for 0.6 s; rows of A have length one.");
    put_courses(page, coarse, fine);
    page_text(page,
              "All span the free motions to rounding. The two that the paper calls continuous are: "
              "their change halves with the step. The others jump at any step, which does not "
              "affect the motion of Maggi's equations; but e = B v must not be carried over a "
              "step. `lu` and `extraction` are not orthonormal by design.");
    put_changes(page, &motion[0], coarse);
    motion_free(&motion[0]);
    motion_free(&motion[1]);
    model_free(&model);
}

// --- extraction ---

// Of [A_r; B] with unit rows of these columns; 1 / eps where it is singular.
static double condition_of(trComplement *c, const double *A, int rows, const int *columns) {
    static double B[MOST * MOST];
    memset(B, 0, sizeof B);
    for (int k = 0; k < rows; k++) {
        B[columns[k] * rows + k] = 1.0;
    }
    const trStatus status = tr_complement_factor(c, A, B, rows);
    return status == TR_OK ? fmin(c->condition, 4.5e15) : 4.5e15;
}

// Conditions along a motion.
typedef struct Extraction {
    Motion  motion;
    double *without;  // motion.n: with columns that have no pivot
    double *with;     // motion.n: with the first pivot columns
} Extraction;

static void extract(const Model *model, Extraction *x) {
    const int    n = model->system->nv, m = model->system->m;
    Rows         rows;
    trFullLu     lu;
    trComplement c;
    rows_begin(model, &x->motion, &rows);
    tr_full_lu_plan(rows.arena, n, m, &lu);
    tr_complement_plan(rows.arena, n, m, &c);
    must(tr_arena_status(rows.arena));
    for (int i = 0; i < x->motion.n; i++) {
        rows_at(&rows, i);
        tr_full_lu_factor(&lu, rows.A, TOLERANCE);
        must(tr_complement_rows(&c, rows.A, TOLERANCE));
        x->without[i] = condition_of(&c, rows.A, n - lu.rank, lu.column + lu.rank);
        x->with[i] = condition_of(&c, rows.A, n - lu.rank, lu.column);
    }
    tr_arena_destroy(rows.arena);
}

static void extract_from(const char *root, const char *file, double duration, Extraction *out) {
    Model model;
    model_load(root, file, NULL, &model);
    trSimDef def = model.def;
    def.method = "direct";
    def.formulation = "lagrange_dense";
    def.step = 0.01;
    def.duration = duration;
    motion_run(&model, &def, &out->motion);
    must(out->motion.status);
    out->without = room((size_t)out->motion.n * sizeof(double));
    out->with = room((size_t)out->motion.n * sizeof(double));
    extract(&model, out);
    model_free(&model);
}

static void put_extraction_chart(Page *page, const Extraction *x) {
    const Motion  *motion = &x->motion;
    const trSeries series[2] = {
        {.name = "column without a pivot", .n = motion->n, .x = motion->t, .y = x->without},
        {.name = "first pivot column", .n = motion->n, .x = motion->t, .y = x->with}};
    const trChart chart = {.title = "Condition by the velocity that is extracted",
                           .subtitle = "four-bar, one degree of freedom, rows of length one",
                           .x = {.label = "time", .unit = "s"},
                           .y = {.label = "condition of [A; B]", .scale = TR_SCALE_LOG},
                           .series = series,
                           .series_count = 2};
    page_figure(page, "extraction",
                "At the peaks of the upper curve the extracted velocity is zero whatever the "
                "motion, so it cannot be prescribed.",
                &chart);
}

void put_extraction(Page *page, const char *root) {
    static const char *const file[] = {"papers/fourbar.lua", "papers/triple_crank.lua",
                                       "papers/fivebar.lua"};
    static const char *const name[] = {"four-bar, 2 s", "triple crank, 2 s", "five-bar, 0.6 s"};
    static Table             table;
    Extraction               x[3];
    page_heading(page, "Which velocities to extract");
    page_text(
        page,
        "Section 4.2 says that in a triangulation with full pivoting \"the pivot locations "
        "indicate the generalized velocities to be extracted\". Pivot columns are the dependent "
        "velocities; the others must be extracted. Worst condition of [A; B] over a motion:");
    table_begin(&table, "system | columns without a pivot | first pivot columns");
    for (int k = 0; k < 3; k++) {
        extract_from(root, file[k], k < 2 ? 2.0 : TIME, &x[k]);
        table_cell(&table, "%s", name[k]);
        table_number(&table, motion_worst(&x[k].motion, x[k].without));
        table_power(&table, motion_worst(&x[k].motion, x[k].with));
    }
    page_table(page, &table);
    put_extraction_chart(page, &x[0]);
    for (int k = 0; k < 3; k++) {
        free(x[k].without);
        free(x[k].with);
        motion_free(&x[k].motion);
    }
}
