// SPDX-License-Identifier: MIT
// The models of models/papers are the systems whose accelerations and constraint forces are known
// with 40 digits: they are asked at the instants of those tables. And each start satisfies the
// constraints as they are written there, so that nothing is assembled that was not meant to be.

#include <math.h>
#include <string.h>

#include "formulation/golden.h"
#include "scenario/papers.h"
#include "sim/sim.h"
#include "support/test.h"

// Relative to the largest of its kind: the bound that formulations are held to.
#define CLOSE 1e-12

typedef struct PaperModel {
    const char *golden;
    const char *file;
    const char *set[3];  // ends with NULL
    double      energy;  // T + V of the start [J]; NAN: not known
} PaperModel;

// Energies: of the four-bar as published with it; of the triple crank m g y of its parts, which is
// -(3/2 + 3) g sin 1; w'J w / 2 of the body that turns and J w^2 / 2 of the knife edge.
static const PaperModel models[] = {
    {"pendulum", "pendulum.lua", {NULL}, 0.0},
    {"dp3", "dp3.lua", {NULL}, NAN},
    {"knife", "knife.lua", {NULL}, 0.8},
    {"parjoint", "parallel_fourbar_joint.lua", {"brake=2"}, NAN},
    {"parcart", "parallel_fourbar_cartesian.lua", {"brake=2"}, NAN},
    {"fourbar", "fourbar.lua", {NULL}, 101.27667231799965},
    {"triple", "triple_crank.lua", {NULL}, -37.14673662434459},
    {"quat", "quaternion.lua", {NULL}, 4.06},
    {"fivebar", "fivebar.lua", {NULL}, 0.0},
    {"heli", "../benchmark/helicopter_pitch_link.lua", {"swash=0.01", "nu2=1.12890625"}, NAN},
};

#define MODELS (int)(sizeof models / sizeof *models)

static const Golden *find_golden(const char *name) {
    for (int i = 0; i < golden_count(); i++) {
        if (strcmp(golden_at(i)->name, name) == 0) {
            return golden_at(i);
        }
    }
    fail_msg("no system '%s'", name);
    return NULL;
}

static void open_model(const PaperModel *model, Run *run) {
    trSimDef def;
    if (paper_load(model->file, model->set, &def, run) != TR_OK ||
        tr_sim_create(run->system, &def, &run->sim) != TR_OK) {
        fail_msg("%s: %s", model->file, tr_last_error());
    }
}

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void assert_close(const char *name, const char *what, int n, const double *x,
                         const double *expected) {
    double within = CLOSE * (1.0 + largest(n, expected));
    for (int i = 0; i < n; i++) {
        if (!(fabs(x[i] - expected[i]) <= within)) {
            fail_msg("%s: %s[%d] is %.17g, expected %.17g", name, what, i, x[i], expected[i]);
        }
    }
}

// Forces along a quaternion do nothing: they depend on how the energy is continued to quaternions
// of another length, which is a choice.
static void drop_idle_parts(const Golden *g, double *force) {
    bool bodies = g->n % 7 == 0;  // x, y, z and a quaternion each
    for (int first = 3; bodies && first < g->n; first += 7) {
        const double *e = g->q + first;
        double        along = 0.0;
        for (int i = 0; i < 4; i++) {
            along += force[first + i] * e[i];
        }
        for (int i = 0; i < 4; i++) {
            force[first + i] -= along * e[i];
        }
    }
}

static void accelerations_and_forces_are_those_of_the_tables(void **state) {
    for (int k = 0; k < MODELS; k++) {
        const Golden *g = find_golden(models[k].golden);
        double        x[2 * GOLDEN_N + 1] = {0.0}, a[GOLDEN_N];
        double        force[GOLDEN_N] = {0.0}, expected[GOLDEN_N];
        Run           run;
        open_model(&models[k], &run);
        trSim *sim = run.sim;
        assert_int_equal(sim->nq, g->n);
        assert_int_equal(sim->nv, g->n);
        assert_int_equal(sim->m, g->m);
        memcpy(x, g->q, (size_t)g->n * sizeof *x);
        memcpy(x + g->n, g->v, (size_t)g->n * sizeof *x);
        assert_int_equal(tr_sim_accelerate(sim, g->t, x, a), TR_OK);
        tr_rows_tmul_sub(&sim->eval.equations.A, sim->lambda, force);
        assert_close(g->name, "a", g->n, a, g->a);
        memcpy(expected, g->Fc, (size_t)g->n * sizeof *expected);
        drop_idle_parts(g, force);
        drop_idle_parts(g, expected);
        assert_close(g->name, "Fc", g->n, force, expected);
        run_free(&run);
    }
}

// Rows of joints are written differently in the library, so the golden ones are asked. Newton's
// method leaves 1e-12 (1 + max|q|) of phi, and rounding of A v.
static void starts_satisfy_the_constraints(void **state) {
    static GoldenSystem system;
    for (int k = 0; k < MODELS; k++) {
        const Golden *g = find_golden(models[k].golden);
        Run           run;
        open_model(&models[k], &run);
        const double *q = tr_sim_q(run.sim), *v = tr_sim_v(run.sim);
        trSimStats    stats = tr_sim_stats(run.sim);
        golden_begin(&system, g);
        golden_equations(&system, 0.0, q, v);
        for (int i = 0; i < g->m; i++) {
            double rate = -system.numbers.b1[i];
            for (int j = 0; j < g->n; j++) {
                rate += system.numbers.A[i * g->n + j] * v[j];
            }
            if (!(fabs(system.numbers.phi[i]) <= CLOSE * (1.0 + largest(g->n, q))) ||
                !(fabs(rate) <= CLOSE * (1.0 + largest(g->n, v)))) {
                fail_msg("%s: row %d, %g and %g", g->name, i, system.numbers.phi[i], rate);
            }
        }
        bool moving = strcmp(g->name, "dp3") == 0;  // its support starts with 0.2 m/s
        assert_true(stats.assembly_position.value <= CLOSE);
        assert_true(moving ? fabs(stats.assembly_velocity.value - 0.2) <= CLOSE
                           : stats.assembly_velocity.value <= CLOSE);
        if (!isnan(models[k].energy) && !(fabs(stats.energy_start - models[k].energy) <=
                                          1e-10 * (1.0 + fabs(models[k].energy)))) {
            fail_msg("%s: energy %.12g", g->name, stats.energy_start);
        }
        run_free(&run);
    }
}

// Centers of mass of coupler and follower and the follower's angle, as the loop gives them.
static void the_four_bar_starts_exactly_assembled(void **state) {
    static const double expected[9] = {0.5,
                                       0.86602540378443865,
                                       1.0471975511965976,
                                       2.823521413619518,
                                       2.553494447796906,
                                       0.423245598298523,
                                       3.573521413619518,
                                       1.687469044012468,
                                       1.004203159591008};
    Run                 run;
    open_model(&models[5], &run);
    assert_close("fourbar", "q", 9, tr_sim_q(run.sim), expected);
    run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_and_forces_are_those_of_the_tables),
        cmocka_unit_test(starts_satisfy_the_constraints),
        cmocka_unit_test(the_four_bar_starts_exactly_assembled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
