// SPDX-License-Identifier: MIT
// The rate of what is carried in place of velocities is its derivative along the motion.
//
// States of the motion at seven instants come from the default method with tolerances of 1e-13,
// and derivatives from differences of order 6 between them. The step is entered at the first and
// the rate asked for in the middle, so that what is fixed during a step is not what it would be
// there.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"
#include "sim/sim.h"
#include "support/test.h"

#define POINTS 7
#define MIDDLE 3
#define MAX_X 160  // numbers in a state
#define MAX_V 64   // velocities
#define MAX_M 64   // rows

// Relative to 1 + the largest of y'. Differences of order 6 leave (h w)^6 / 140 with h w = 0.03 for
// the fastest motion w, and states to 1e-13 divided by h: 1e-10. Those of sim/carry.c 1e-12.
#define SAME 1e-9
// The same for what turns alone, which rounding of the states enters by A only.
#define SAME_TURN 1e-10

static const struct Case {
    const char *file;
    double      middle, h;  // [s]
} cases[] = {
    {"five_bar.lua", 0.6, 2e-3},                // spatial
    {"slider_crank_driven.lua", 0.05, 1e-4},    // a drive, a body without inertia
    {"rolling_disk.lua", 0.7, 1e-3},            // nonholonomic rows
    {"andrews_equations.lua", 0.01, 2e-5},      // M depends on q
    {"helicopter_pitch_link.lua", 0.5, 4e-4},   // M is not diagonal
    {"car_axis.lua", 1.0, 1e-3},                // rows that depend on time
    {"redundant_parallelogram.lua", 0.5, 2e-3}  // dependent rows
};

// Rates of momenta have the constraint force A' lambda taken away, and carry multipliers besides.
static const struct Kind {
    const char *name;
    bool        momenta;
} kinds[] = {{"liang_lance", false}, {"phase_space", true}};

typedef struct Motion {
    Run    run;
    double t[POINTS], x[POINTS][MAX_X];
    trSim *sim;  // one that carries
} Motion;

static void require(trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static trSim *reach(const Motion *motion, const trSimDef *def, double t) {
    trSim *sim = NULL;
    require(tr_sim_create(motion->run.system, def, &sim));
    require(tr_sim_run_to(sim, t));
    return sim;
}

// The states, and a simulation that has entered the first of them. False where the method does not
// take the model.
static bool begin(Motion *motion, const struct Case *c, const char *stage) {
    trSimDef def;
    memset(motion, 0, sizeof *motion);
    require(run_load(c->file, NULL, &def, &motion->run));
    def.rtol = def.atol = 1e-13;
    trSim *sim = reach(motion, &def, c->middle - (MIDDLE + 1) * c->h);
    assert_true(sim->nx <= MAX_X && sim->nv <= MAX_V && sim->m <= MAX_M);
    for (int k = 0; k < POINTS; k++) {
        motion->t[k] = c->middle + (k - MIDDLE) * c->h;
        require(tr_sim_run_to(sim, motion->t[k]));
        memcpy(motion->x[k], sim->x, (size_t)sim->nx * sizeof *sim->x);
    }
    tr_sim_destroy(sim);
    def.stage_projection = stage;
    def.step_projection = "none";
    if (tr_sim_create(motion->run.system, &def, &motion->sim) != TR_OK) {
        return false;
    }
    sim = motion->sim;
    memcpy(sim->x, motion->x[0], (size_t)sim->nx * sizeof *sim->x);
    sim->t = motion->t[0];
    require(tr_system_eval(sim->system, sim->t, sim->x, sim->x + sim->nq, &sim->eval));
    require(tr_carry_enter(sim));
    return true;
}

static void end(Motion *motion) {
    tr_sim_destroy(motion->sim);
    run_free(&motion->run);
}

static const trEquations *evaluate(Motion *motion, int k) {
    trSim *s = motion->sim;
    require(tr_system_eval(s->system, motion->t[k], motion->x[k], motion->x[k] + s->nq, &s->eval));
    return &s->eval.equations;
}

static void image(Motion *motion, int k, double *out) {
    const trEquations *e = evaluate(motion, k);
    const trSim       *s = motion->sim;
    require(s->methods.carry->image(s->methods.carry_work, e, motion->x[k] + s->nq, out));
}

// Sum of weights times values at the seven points, divided by h: a derivative in the middle.
static double weight_of(int k, double h) {
    static const double weight[POINTS] = {-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0};
    return weight[k] / (60.0 * h);
}

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// y' in the middle, of a y that leads to the velocities there. Momenta get some A' c in addition,
// which does not change velocities.
static void ask_for_rate(Motion *motion, bool momenta, double *rate) {
    trSim *s = motion->sim;
    double x[MAX_X], xdot[MAX_X], c[MAX_M];
    memcpy(x, motion->x[MIDDLE], sizeof x);
    image(motion, MIDDLE, x + s->nq);
    for (int i = 0; i < s->m; i++) {
        c[i] = cos(3.0 * i) * (1.0 + largest(s->nv, x + s->nq));
    }
    if (momenta) {
        tr_rows_tmul_sub(&s->eval.equations.A, c, x + s->nq);
    }
    require(tr_sim_rhs(s, motion->t[MIDDLE], x, xdot));
    memcpy(rate, xdot + s->nq, (size_t)s->nv * sizeof *rate);
    const double *v = motion->x[MIDDLE] + s->nq;
    for (int i = 0; i < s->nv; i++) {
        assert_true(fabs(s->work.x_stage[s->nq + i] - v[i]) <= 1e-10 * (1.0 + largest(s->nv, v)));
    }
}

static void check_rate(const struct Case *c, const struct Kind *kind, Motion *motion) {
    double rate[MAX_V], expected[MAX_V] = {0.0}, part[MAX_V], force[MAX_V] = {0.0};
    trSim *s = motion->sim;
    ask_for_rate(motion, kind->momenta, rate);
    tr_rows_tmul_sub(&s->eval.equations.A, s->lambda, force);
    for (int k = 0; k < POINTS; k++) {
        image(motion, k, part);
        for (int i = 0; i < s->nv; i++) {
            expected[i] += weight_of(k, c->h) * part[i];
        }
    }
    double size = 1.0 + largest(s->nv, rate) + (kind->momenta ? largest(s->nv, force) : 0.0);
    double off = 0.0;
    for (int i = 0; i < s->nv; i++) {
        expected[i] -= kind->momenta ? force[i] : 0.0;
        off = fmax(off, fabs(rate[i] - expected[i]));
    }
    print_message("  %s, %s: %.1e of %.1e\n", kind->name, c->file, off, size);
    if (!(off <= SAME * size)) {
        fail_msg("%s, %s: y' is off by %.3g of %.3g", kind->name, c->file, off, size);
    }
}

static void rates_are_derivatives_along_the_motion(void **state) {
    static Motion motion;
    assert_int_equal(tr_carry_count(), sizeof kinds / sizeof *kinds);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int checked = 0;
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            if (begin(&motion, &cases[k], kinds[i].name)) {
                check_rate(&cases[k], &kinds[i], &motion);
                checked++;
            }
            end(&motion);
        }
        assert_true(checked >= 5);
    }
}

// V and R of P = V R, n x n, column by column, by Gram-Schmidt, twice.
static void factor(int n, double *V, double *R) {
    memset(R, 0, (size_t)n * (size_t)n * sizeof *R);
    for (int k = 0; k < n; k++) {
        double *x = V + n * k, sum = 0.0;
        for (int j = 0; j < 2 * k; j++) {
            const double *column = V + n * (j % k);
            double        along = 0.0;
            for (int i = 0; i < n; i++) {
                along += column[i] * x[i];
            }
            for (int i = 0; i < n; i++) {
                x[i] -= along * column[i];
            }
            R[j % k + n * k] += along;
        }
        for (int i = 0; i < n; i++) {
            sum += x[i] * x[i];
        }
        R[k + n * k] = sqrt(sum);
        for (int i = 0; i < n; i++) {
            x[i] /= R[k + n * k];
        }
    }
}

// X = X R^-1, n x n
static void divide(int n, const double *R, double *X) {
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            double sum = X[i + n * k];
            for (int j = 0; j < k; j++) {
                sum -= X[i + n * j] * R[j + n * k];
            }
            X[i + n * k] = sum / R[k + n * k];
        }
    }
}

// out = X' Y, n x n
static void multiply(int n, const double *X, const double *Y, double *out) {
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += X[i + n * j] * Y[i + n * k];
            }
            out[j + n * k] = sum;
        }
    }
}

// Columns of P = [A' E'] in the middle and of its rate: E is what was chosen where the step began.
static void columns_and_rates(Motion *motion, double h, double *P, double *P_rate) {
    trSim        *s = motion->sim;
    int           n = s->nv, m = s->m;
    static double A[MAX_M * MAX_V];
    double        unit[MAX_V], row[MAX_V];
    memset(P_rate, 0, (size_t)n * (size_t)n * sizeof *P_rate);
    for (int k = 0; k < POINTS; k++) {
        tr_rows_dense(&evaluate(motion, k)->A, A);
        for (int i = 0; i < n * m; i++) {
            P_rate[i / m + n * (i % m)] += weight_of(k, h) * A[i];
            P[i / m + n * (i % m)] = k <= MIDDLE ? A[i] : P[i / m + n * (i % m)];
        }
    }
    const trEquations *e = evaluate(motion, 0);
    for (int i = 0; i < n; i++) {
        memset(unit, 0, sizeof unit);
        unit[i] = 1.0;
        require(s->methods.carry->image(s->methods.carry_work, e, unit, row));
        for (int k = 0; k < n - m; k++) {
            P[i + n * (m + k)] = row[k];
        }
    }
}

// V' = V Omega, Omega = X - X' with X the strictly lower part of V' [A'' 0] R^-1 (A'': rate of A').
// Returns by how much the basis turns.
static double check_omega(const struct Case *c, Motion *motion) {
    static double V[MAX_V * MAX_V], R[MAX_V * MAX_V], G[MAX_V * MAX_V], X[MAX_V * MAX_V];
    double        rate[MAX_V], along[MAX_V], off = 0.0, moved = 0.0;
    trSim        *s = motion->sim;
    int           n = s->nv, m = s->m;
    const double *v = motion->x[MIDDLE] + s->nq;
    columns_and_rates(motion, c->h, V, G);
    factor(n, V, R);
    divide(n, R, G);
    multiply(n, V, G, X);
    ask_for_rate(motion, false, rate);
    for (int k = 0; k < n; k++) {
        along[k] = 0.0;
        for (int i = 0; i < n; i++) {
            along[k] += V[i + n * k] * v[i];
        }
    }
    for (int k = m; k < n; k++) {
        double turned = 0.0, expected = 0.0;
        for (int j = 0; j < n; j++) {
            double omega = j > k ? X[j + n * k] : j < k ? -X[k + n * j] : 0.0;
            turned += omega * along[j];
            expected += V[j + n * k] * s->work.a_stage[j];
        }
        moved = fmax(moved, fabs(turned));
        off = fmax(off, fabs(rate[k - m] - expected - turned));
    }
    print_message("  %s: %.1e, of which the basis turns %.1e\n", c->file, off, moved);
    assert_true(off <= SAME_TURN * (1.0 + largest(n, rate)));
    return moved;
}

static void the_moving_basis_turns_as_its_authors_say(void **state) {
    static Motion motion;
    int           turning = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (begin(&motion, &cases[k], "liang_lance")) {
            turning += check_omega(&cases[k], &motion) > 1e-3 ? 1 : 0;
        }
        end(&motion);
    }
    // One free motion and rows that do not depend on time: the basis turns, but not along v.
    assert_true(turning >= 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_derivatives_along_the_motion),
        cmocka_unit_test(the_moving_basis_turns_as_its_authors_say),
    };
    return cmocka_run_group_tests_name("rates of what is carried", tests, NULL, NULL);
}
