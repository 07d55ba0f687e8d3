// SPDX-License-Identifier: MIT
// Work against precision of implicit integrators on stiff problems with published references, and
// against IDA alone on equations written by hand. Usage: paper_stiff ROOT FOLDER

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hand_written.h"
#include "page.h"
#include "study.h"

#define SIZES 4

// What is compared at the end: positions and rates of all coordinates, each relative to 1 + |x|.
typedef struct Case {
    const char        *title, *file, *words;
    const HandProblem *hand;
    int                n;
    double             q[HAND_N], v[HAND_N];
} Case;

static const Case cases[] = {
    {.title = "Car axis",
     .file = "benchmark/car_axis.lua",
     .words =
         "Two masses on stiff springs, one constraint that moves with the road; 3 s. Reference: "
         "the Test Set for IVP Solvers, repeated with two formulations to 12 digits.",
     .hand = &hand_car_axis,
     .n = 4,
     .q = {0.04934557842752407, 0.4969894602300078, 1.041742524885422, 0.3739110272653353},
     .v = {-0.07705836840359077, 0.007446866592081155, 0.01755681575325528, 0.7703410437771027}},
    {.title = "Andrews' squeezing mechanism",
     .file = "benchmark/andrews_equations.lua",
     .words =
         "Seven angles, six constraints, 0.03 s. It is not stiff: explicit methods win. Reference: "
         "two formulations that agree to 13 digits; the published numbers hold 9.",
     .hand = &hand_andrews,
     .n = 7,
     .q = {15.810771195153707, -15.756371058411839, 0.040822240119645804, -0.5347301163420796,
           0.52440996587995407, 0.5347301163420796, 1.0480807410419379},
     .v = {1139.9203022591061, -1424.3792951775401, 11.032911910618555, 19.293374105031973,
           0.57356991482950045, -19.293374105031973, 0.3231791492491297}},
    {.title = "Flexible slider crank",
     .file = "benchmark/slider_crank_flexible.lua",
     .words = "A rod that bends and stretches; its axial mode has 2e4 rad/s and hardly moves. 0.1 "
              "s, 2.4 turns. The reference has another phase of that mode, 4e-11 m and 1e-6 m/s, "
              "so errors of rates below 1e-6 are meaningless.",
     .hand = &hand_slider_crank,
     .n = 7,
     .q = {14.99999999999997, -0.3311734988256291, 0.1697373328430741, 0.0001893192899701729,
           2.375751249982805e-05, -5.323896770574015e-06, -8.363313279156485e-06},
     .v = {150.0, 60.25346755130957, -8.753116326711202, -0.03005541399722306,
           -0.005500431802021761, 0.0004974111824599217, 0.001105559987629974}},
};

// Columns of the matrix of Newton's method: positions, velocities and two kinds of multipliers, or
// positions and multipliers.
typedef struct Solver {
    const char *name;
    int         motions, multipliers;
    bool        slow;  // of order 2: not asked for the smallest errors
} Solver;

static const Solver solvers[] = {
    {"dop853", 0, 0, false}, {"radau5", 2, 2, false},           {"ida", 2, 2, false},
    {"cvode", 1, 1, false},  {"generalized_alpha", 1, 1, true},
};

static const double tolerance[SIZES] = {1e-4, 1e-6, 1e-8, 1e-10};

static double worst(int n, const double *x, const double *reference) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - reference[i]) / (1.0 + fabs(reference[i])));
    }
    return most;
}

static void add_row(Table *table, const char *name, double tol, const long long counts[3],
                    const double errors[2]) {
    table_cell(table, "%s", name);
    table_cell(table, "%.0e", tol);
    for (int i = 0; i < 3; i++) {
        table_cell(table, "%lld", counts[i]);
    }
    table_number(table, errors[0]);
    table_number(table, errors[1]);
}

static void add_failure(Table *table, const char *name, double tol, const char *why) {
    table_cell(table, "%s", name);
    table_cell(table, "%.0e", tol);
    for (int i = 0; i < 4; i++) {
        table_cell(table, "-");
    }
    table_cell(table, "%s", why);
}

static void run_solver(const Case *c, const Model *model, const Solver *solver, double tol,
                       Table *table) {
    char     name[64];
    trSim   *sim = NULL;
    trSimDef def = model->def;
    def.integrator = solver->name;
    def.rtol = def.atol = tol;
    def.step = 0.0;
    snprintf(name, sizeof name, "`%s`", solver->name);
    must(tr_sim_create(model->system, &def, &sim));
    if (tr_sim_run_to(sim, c->hand->duration) != TR_OK) {
        add_failure(table, name, tol, "does not arrive");
    } else {
        trSimStats stats = tr_sim_stats(sim);
        long long  columns = (long long)solver->motions * c->n + solver->multipliers * c->hand->m;
        const long long counts[3] = {stats.steps, stats.jacobians,
                                     stats.evaluations + columns * stats.jacobians};
        const double    errors[2] = {worst(c->n, tr_sim_q(sim), c->q),
                                     worst(c->n, tr_sim_v(sim), c->v)};
        add_row(table, name, tol, counts, errors);
    }
    tr_sim_destroy(sim);
}

static void run_by_hand(const Case *c, double tol, Table *table) {
    const HandResult r = hand_run(c->hand, tol);
    if (r.flag < 0) {
        add_failure(table, "IDA alone", tol, "does not start or arrive");
        return;
    }
    const long long counts[3] = {r.steps, r.jacobians, r.evaluations};
    const double    errors[2] = {worst(c->n, r.q, c->q), worst(c->n, r.v, c->v)};
    add_row(table, "IDA alone", tol, counts, errors);
}

static void study(Page *page, const char *root, const Case *c) {
    static Table table;
    Model        model;
    model_load(root, c->file, NULL, &model);
    page_heading(page, c->title);
    page_text(page, "%s `models/%s`.", c->words, c->file);
    table_begin(&table,
                "integrator | rtol = atol | steps | Jacobians | cost | error of q | error of v");
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        for (int k = 0; k < SIZES - solvers[i].slow; k++) {
            run_solver(c, &model, &solvers[i], tolerance[k], &table);
        }
    }
    for (int k = 0; k < SIZES; k++) {
        run_by_hand(c, tolerance[k], &table);
    }
    page_table(page, &table);
    model_free(&model);
}

// At 10 s: height and rate of the slider, spin of the shaft (benchmark A05, closed reduction to
// three degrees of freedom).
static double flyball_error(const trSim *sim) {
    const trBodyState shaft = tr_sim_body(sim, 0), slider = tr_sim_body(sim, 1);
    return fmax(fabs(shaft.wz - 5.5482036226549278),
                fmax(fabs(slider.z - 0.61962291706136547), fabs(slider.vz + 0.74760335416433095)));
}

// `fine` is the tolerance, or the step of a method that is given one.
static void run_flyball(const Model *model, const Solver *solver, double fine, Table *table) {
    char     name[64];
    trSim   *sim = NULL;
    trSimDef def = model->def;
    def.integrator = solver->name;
    def.rtol = def.atol = solver->slow ? 1e-8 : fine;
    def.step = solver->slow ? fine : 0.0;
    must(tr_sim_create(model->system, &def, &sim));
    must(tr_sim_run_to(sim, 10.0));
    trSimStats      stats = tr_sim_stats(sim);
    const long long columns = 24LL * solver->motions + 20LL * solver->multipliers;
    snprintf(name, sizeof name, "`%s`", solver->name);
    table_cell(table, "%s", name);
    table_cell(table, solver->slow ? "step %g s" : "%.0e", fine);
    table_cell(table, "%lld", (long long)stats.steps);
    table_cell(table, "%lld", (long long)stats.jacobians);
    table_cell(table, "%lld", (long long)stats.evaluations + columns * (long long)stats.jacobians);
    table_number(table, flyball_error(sim));
    tr_sim_destroy(sim);
}

static void study_flyball(Page *page, const char *root) {
    static Table table;
    Model        model;
    model_load(root, "benchmark/flyball.lua", NULL, &model);
    page_heading(page, "Stiff flyball governor");
    page_text(
        page,
        "Benchmark A05 of the IFToMM library: stiff links, with rates of -2e3 to -8e3 1/s beside a "
        "motion of seconds, while everything rotates; 10 s. Errors are those of the slider's "
        "height [m] and rate [m/s] and of the spin [rad/s]. dop853 is limited by stability, "
        "`generalized_alpha` by its second order. `models/benchmark/flyball.lua`.");
    table_begin(&table, "integrator | rtol = atol | steps | Jacobians | cost | error");
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        for (int k = 0; k < 3; k++) {
            run_flyball(&model, &solvers[i], solvers[i].slow ? 2e-3 / (1 << k) : tolerance[k],
                        &table);
        }
    }
    page_table(page, &table);
    model_free(&model);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: paper_stiff ROOT FOLDER\n");
        return 2;
    }
    Page page;
    page_open(arguments[2], "stiff", "Work and precision of implicit integrators", &page);
    page_text(
        &page,
        "Cost is the number of evaluations, with every column of every Jacobian counted as one "
        "(Trammel's exact sparse Jacobians cost about as much as a few evaluations). Errors are "
        "the largest at the end, relative to 1 + |x|. \"IDA alone\" is a program without Trammel: "
        "the equations in C in the form of Gear, Gupta and Leimkuhler, IDA's dense Jacobian by "
        "differences, multipliers left out of the error test (`papers/hand_written.c`).");
    page_text(&page, "Numbers depend on rounding, hence on the BLAS and the processor. With eight "
                     "kernels of OpenBLAS 0.3.21 costs differ by up to 15 percent, and errors of "
                     "`ida` and `cvode` mostly by less than a factor of 3, at most by 83.");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        study(&page, arguments[1], &cases[i]);
    }
    study_flyball(&page, arguments[1]);
    page_close(&page);
    return 0;
}
