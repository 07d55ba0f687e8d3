// SPDX-License-Identifier: MIT
// The page on F. E. Udwadia and T. Wanichanon, On general nonlinear constrained mechanical systems.
// Usage: paper_001 ROOT FOLDER

#include <math.h>
#include <string.h>

#include "answer.h"
#include "page.h"
#include "paper_001_body.h"
#include "paper_001_formulas.h"
#include "study.h"

#define STEPS 500  // of the body's motion
#define STEP 0.01  // [s]
#define ALPHAS 25  // gauges 1e-6 to 1e6, two in a decade

static const Body example = {.J = {1.0, 2.0, 3.0}, .torque = {0.4, -0.3, 0.2}};

// --- (4.6) ---

// Of (4.6) at a state, against (3.18): max |u'' - a|, relative, and A u'' - b.
static void put_closed_form(Table *table, const char *what, bool printed, double length) {
    Body   body = example;
    double a[4];
    body_place(&body, 1.0);
    for (int i = 0; i < 4; i++) {
        body.u[i] *= length;
    }
    body_evaluate(&body);
    const Answer answer = answer_of("udwadia_wanichanon", NULL, &body.equations);
    must(answer.status);
    body_closed_form(&body, printed, a);
    double reached = -body.b[0];
    for (int i = 0; i < 4; i++) {
        reached += body.A[i] * a[i];
    }
    table_cell(table, "%s", what);
    table_rounding(table, largest_difference(4, a, answer.a) / largest(4, answer.a));
    table_rounding(table, fabs(reached));
}

// |u| - 1 over time, by (4.6) in both readings and by (3.18) through the model file.
static void put_norm_chart(Page *page, const char *root) {
    static double t[STEPS + 1], off[2][STEPS + 1], by_model[STEPS + 1];
    Model         model;
    Motion        motion;
    for (int printed = 0; printed < 2; printed++) {
        Body body = {.J = {1.0, 2.0, 3.0}};
        body_place(&body, 0.0);
        for (int i = 0; i <= STEPS; i++) {
            t[i] = STEP * i;
            off[printed][i] = fabs(norm(4, body.u) - 1.0);
            body_step(&body, STEP, printed == 1);
        }
    }
    model_load(root, "papers/quaternion.lua", NULL, &model);
    trSimDef def = model.def;
    def.method = "udwadia_wanichanon";
    motion_run(&model, &def, &motion);
    must(motion.status);
    for (int i = 0; i <= STEPS && i < motion.n; i++) {
        by_model[i] = fabs(norm(4, &motion.q[4 * i]) - 1.0);
    }
    const trSeries series[3] = {
        {.name = "(4.6), N = |w|", .n = STEPS + 1, .x = t, .y = off[1]},
        {.name = "(4.6), N = |w|^2", .n = STEPS + 1, .x = t, .y = off[0]},
        {.name = "(3.18)", .n = motion.n, .x = motion.t, .y = by_model, .line = TR_LINE_DASHED}};
    const trChart chart = {.title = "Norm of the quaternion",
                           .subtitle = "free body, J = 1, 2, 3 kg m^2, rk4, h = 10 ms",
                           .x = {.label = "time", .unit = "s"},
                           .y = {.label = "||u| - 1|", .scale = TR_SCALE_LOG},
                           .series = series,
                           .series_count = 3};
    page_figure(page, "norm", "With N = |w| the norm is lost within a second.", &chart);
    motion_free(&motion);
    model_free(&model);
}

static void put_body(Page *page, const char *root) {
    static Table table;
    page_heading(page, "Section 4: the rigid body in quaternions");
    page_text(page, "Four coordinates, a mass matrix M = 4 E'J E of rank 3, one row A = u'. The "
                    "paper derives the closed form (4.6) from (3.18). N(w) is the squared norm of "
                    "w, not the norm, and (4.6) assumes |u| = 1. J = (1, 2, 3) kg m^2, w = (0.3, "
                    "2, -0.1) rad/s, with a torque; against (3.18) by `udwadia_wanichanon`:");
    table_begin(&table, "(4.6) | u'', relative | A u'' - b");
    put_closed_form(&table, "N = norm of w, as printed", true, 1.0);
    put_closed_form(&table, "N = w'w", false, 1.0);
    put_closed_form(&table, "N = w'w, where the norm of u is 1.02", false, 1.02);
    page_table(page, &table);
    put_norm_chart(page, root);
}

static void put_motion(Page *page, const char *root) {
    static const char *const methods[] = {"udwadia_phohomsiri", "udwadia_schutte",
                                          "udwadia_wanichanon", "lagrange", "direct"};
    static const char *const refusing[] = {"udwadia_kalaba", "lagrange_schur"};
    static Table             table;
    Model                    model;
    Motion                   motion;
    page_text(page, "The motion, `models/papers/quaternion.lua`, 5 s. The first four have the same "
                    "accelerations and drift; the last projects u and u' after each step:");
    model_load(root, "papers/quaternion.lua", NULL, &model);
    trSimDef def = model.def;
    table_begin(&table, "method | worst phi | worst A v - b1 | energy, worst [J]");
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        def.method = methods[k];
        motion_run(&model, &def, &motion);
        must(motion.status);
        table_cell(&table, "`%s`", methods[k]);
        table_number(&table, motion_worst(&motion, motion.phi));
        table_rounding(&table, motion_worst(&motion, motion.rate));
        table_number(&table, motion_worst(&motion, motion.energy));
        motion_free(&motion);
    }
    page_table(page, &table);
    page_text(
        page,
        "Methods that need an inverse of M, such as equation (2.8), are refused before the run:");
    table_begin(&table, "method | what it says");
    for (size_t k = 0; k < sizeof refusing / sizeof *refusing; k++) {
        def.method = refusing[k];
        motion_run(&model, &def, &motion);
        table_cell(&table, "`%s`", refusing[k]);
        table_cell(&table, "%s", motion.status == TR_OK ? "nothing" : motion.why);
        motion_free(&motion);
    }
    page_table(page, &table);
    model_free(&model);
}

// --- gauge invariance ---

static Answer answer_with(double alpha, const char *name, GoldenSystem *system) {
    golden_begin(system, golden_named(name));
    const Answer answer =
        answer_of("udwadia_wanichanon", TR_PARAMS(TR_NUM("gauge", alpha)), &system->equations);
    must(answer.status);
    return answer;
}

static double error_with(double alpha, const char *name) {
    static GoldenSystem system;
    const Answer        answer = answer_with(alpha, name, &system);
    return answer_error(&answer, &system);
}

static const char *const gauged[] = {"fourbar", "triple", "quat", "fivebar"};
static const char *const gauged_names[] = {"four-bar", "triple crank, rank 11 of 12",
                                           "rigid body, M singular", "five-bar, M singular"};
#define GAUGED ((int)(sizeof gauged / sizeof *gauged))

static void put_gauge_chart(Page *page) {
    static double alpha[ALPHAS], error[GAUGED][ALPHAS];
    trSeries      series[GAUGED];
    for (int k = 0; k < GAUGED; k++) {
        for (int i = 0; i < ALPHAS; i++) {
            alpha[i] = pow(10.0, -6.0 + 0.5 * i);
            error[k][i] = error_with(alpha[i], gauged[k]);
        }
        series[k] = (trSeries){.name = gauged_names[k],
                               .n = ALPHAS,
                               .x = alpha,
                               .y = error[k],
                               .marker = TR_MARKER_AUTO};
    }
    const trChart chart = {.title = "Gauge invariance of (3.18)",
                           .subtitle = "G = I, z = alpha^2 b",
                           .x = {.label = "alpha", .scale = TR_SCALE_LOG},
                           .y = {.label = "relative error of accelerations", .scale = TR_SCALE_LOG},
                           .series = series,
                           .series_count = GAUGED,
                           .legend = TR_LEGEND_BELOW};
    page_figure(page, "gauge",
                "The condition of M + alpha^2 A'A grows with alpha^2, and where M is singular with "
                "1 / alpha^2, too.",
                &chart);
}

static void put_gauge(Page *page) {
    static const double alphas[] = {1e-6, 1e-3, 0.1, 1.0, 10.0, 1e3, 1e6, 0.0};
    static Table        table;
    page_heading(page, "Gauge invariance");
    page_text(page, "Remark 1: accelerations do not depend on alpha, G and z. Errors of "
                    "accelerations, to a power of ten, compared with 40-digit results:");
    table_begin(&table, "alpha | four-bar | triple crank | rigid body | five-bar");
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
        if (alphas[i] == 0.0) {
            table_cell(&table, "default");
        } else {
            table_cell(&table, "%.0e", alphas[i]);
        }
        for (int k = 0; k < GAUGED; k++) {
            table_power(&table, error_with(alphas[i], gauged[k]));
        }
    }
    page_table(page, &table);
    put_gauge_chart(page);
    page_text(page, "The paper leaves alpha free. Trammel's default is alpha^2 = tr M / tr A'A. "
                    "The rank is always decided with this value: with a gauge that is far too "
                    "small, rows with a component along massless velocities look parallel.");
}

// --- constraint forces ---

// The auxiliary system of (3.19) and (3.20) for G = I: M + alpha^2 A'A, Q + A'z.
typedef struct Auxiliary {
    double      M[16], Q[4];
    trEquations equations;
} Auxiliary;

static void make_auxiliary(const Body *body, double alpha, double z, Auxiliary *out) {
    out->equations = body->equations;
    out->equations.M.dense = out->M;
    out->equations.Q = out->Q;
    for (int i = 0; i < 4; i++) {
        out->Q[i] = body->Q[i] + body->A[i] * z;
        for (int j = 0; j < 4; j++) {
            out->M[4 * i + j] = body->M[4 * i + j] + alpha * alpha * body->A[i] * body->A[j];
        }
    }
}

// Differences of the auxiliary system's acceleration and force from those of the system itself, and
// of the force after (3.39).
static void put_force(Table *table, const char *what, const Body *body, double alpha, double z) {
    Auxiliary    auxiliary;
    double       corrected[4];
    const Answer own = answer_of("lagrange_dense", NULL, &body->equations);
    must(own.status);
    make_auxiliary(body, alpha, z, &auxiliary);
    const Answer other = answer_of("udwadia_kalaba", NULL, &auxiliary.equations);
    must(other.status);
    for (int i = 0; i < 4; i++) {
        corrected[i] = other.force[i] + body->A[i] * (z - alpha * alpha * body->b[0]);
    }
    table_cell(table, "%s", what);
    table_rounding(table, largest_difference(4, other.a, own.a));
    table_rounding(table, largest_difference(4, other.force, own.force));
    table_rounding(table, largest_difference(4, corrected, own.force));
}

static void put_forces(Page *page) {
    static Table table;
    Body         body = example;
    body_place(&body, 1.0);
    body_evaluate(&body);
    const double alpha = 0.7;
    page_heading(page, "Constraint forces");
    page_text(
        page,
        "Result 2: the auxiliary system M + alpha^2 A'G A, Q + A'G z has the constraint force of "
        "the system itself if z = alpha^2 b, else (3.39) gives it. The rigid body above, alpha = "
        "0.7, the auxiliary system solved by `udwadia_kalaba`, equation (2.8), which does not "
        "support the system itself; differences in the units of u'' and Q:");
    table_begin(&table, "z | u'' | Qc of the auxiliary system | after (3.39)");
    put_force(&table, "0", &body, alpha, 0.0);
    put_force(&table, "1", &body, alpha, 1.0);
    put_force(&table, "-100", &body, alpha, -100.0);
    put_force(&table, "alpha^2 b", &body, alpha, alpha * alpha * body.b[0]);
    page_table(page, &table);
    page_text(page,
              "Trammel's `udwadia_wanichanon` reports the force of the system itself for any z.");
}

static void put_differences(Page *page) {
    static Table table;
    page_heading(page, "Where Trammel differs from the paper");
    table_begin(&table, "paper | here");
    table_cell(&table, "(4.6): N is the norm of w");
    table_cell(&table, "its square; and (3.18) is used, which does not need a norm of 1");
    table_cell(&table, "(3.25), second line: B+ B B'B'");
    table_cell(&table, "B+ B B'; (3.24) itself is right");
    table_cell(&table, "any alpha, G and z");
    table_cell(&table, "any, but the default balances M and A'A");
    table_cell(&table, "M^(1/2) and generalized inverses");
    table_cell(&table, "a Cholesky factor and pivoted QR");
    page_table(page, &table);
}

int main(int count, char **arguments) {
    Page page;
    if (count != 3) {
        fprintf(stderr, "usage: paper_001 ROOT FOLDER\n");
        return 2;
    }
    page_open(arguments[2], "001", "Udwadia and Wanichanon: singular mass matrices", &page);
    page_text(
        &page,
        "F. E. Udwadia and T. Wanichanon, *On general nonlinear constrained mechanical systems*, "
        "Numer. Algebra Control Optim. 3 (2013) 425-443. One formula, (3.18), for mass matrices "
        "that may be singular: M is replaced by M + alpha^2 A'G A.");
    put_body(&page, arguments[1]);
    put_motion(&page, arguments[1]);
    put_forces(&page);
    put_gauge(&page);
    put_rank(&page);
    put_accuracy(&page);
    put_differences(&page);
    page_close(&page);
    return 0;
}
