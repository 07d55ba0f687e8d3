// SPDX-License-Identifier: MIT
// Every benchmark, run with dop853 at rtol = atol = 1e-10 to the times of its reference, and what
// must then be true of it. Each pair of benchmark and fact is a test of its own.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/balance.h"
#include "scenario/benchmarks.h"

#define NAME_ROOM 160

// Bounds that hold for every benchmark.
#define VIOLATION 1e-10  // after every accepted step, lengths and angles, positions and velocities
#define BALANCE 1e-9     // of the largest force or moment on the body

// A benchmark with its run, which the first of its tests makes.
typedef struct Case {
    const Benchmark *benchmark;
    Reference        reference;
    Run              run;
    trStatus         status;
    bool             done;
} Case;

// One fact about one benchmark.
typedef struct Fact {
    const char *name;
    void (*check)(const Case *c);
    bool needs_reactions;
} Fact;

static trStatus simulate(Case *c) {
    const Benchmark *b = c->benchmark;
    Reference       *reference = &c->reference;
    double          *times = calloc((size_t)reference->rows, sizeof *times);
    trSimDef         def;
    trStatus         status = run_load(b->model, b->set, &def, &c->run);
    if (status == TR_OK && times != NULL) {
        for (long i = 0; i < reference->rows; i++) {
            times[i] = reference_value(reference, i, 0);
        }
        def.integrator = "dop853";
        def.rtol = def.atol = 1e-10;
        def.times = (trNumbers){(int)reference->rows, times};
        def.duration = times[reference->rows - 1];
        status = run_simulate(&c->run, &def);
    }
    free(times);
    return status;
}

static int prepare(void **state) {
    Case *c = *state;
    if (!c->done) {
        c->done = true;
        if (!reference_read(c->benchmark->reference, &c->reference)) {
            print_error("%s cannot be read\n", c->benchmark->reference);
            return -1;
        }
        c->status = simulate(c);
        if (c->status != TR_OK) {
            print_error("%s: %s\n", c->benchmark->name, tr_last_error());
        }
    }
    return 0;
}

static void it_runs_to_its_end(const Case *c) {
    assert_int_equal(c->status, TR_OK);
    assert_int_equal(c->run.rows, c->reference.rows);
    trSimStats stats = tr_sim_stats(c->run.sim);
    if (c->benchmark->most_steps > 0 && stats.steps > c->benchmark->most_steps) {
        fail_msg("%lld steps", (long long)stats.steps);
    }
}

// Compares every row and names the worst difference.
static void compare(const Case *c, const Comparison *wanted) {
    double      out[COMPARED_ROOM] = {0.0}, worst = 0.0;
    const char *where = "";
    double      when = 0.0;
    assert_int_equal(c->status, TR_OK);
    assert_int_equal(c->run.rows, c->reference.rows);
    for (long row = 0; row < c->reference.rows; row++) {
        wanted->derive(&c->run, row, out);
        for (int k = 0; wanted->column[k] != NULL; k++) {
            int column = reference_column(&c->reference, wanted->column[k]);
            assert_true(column >= 0);
            double value = reference_value(&c->reference, row, column);
            double error = fabs(out[k] - value) / (1.0 + fabs(value));
            if (!(error <= worst)) {
                worst = error;
                where = wanted->column[k];
                when = run_value(&c->run, row, "t");
            }
        }
    }
    if (!(worst < wanted->tolerance)) {
        fail_msg("%s is wrong by %g at t = %g", where, worst, when);
    }
}

static void its_motion_is_the_reference(const Case *c) {
    compare(c, &c->benchmark->motion);
}

static void its_reactions_are_the_reference(const Case *c) {
    compare(c, &c->benchmark->reactions);
}

static void its_constraints_hold_after_every_step(const Case *c) {
    assert_int_equal(c->status, TR_OK);
    trSimStats         stats = tr_sim_stats(c->run.sim);
    const trViolation *levels[2] = {&stats.position, &stats.velocity};
    for (int i = 0; i < 2; i++) {
        if (!(levels[i]->length < VIOLATION) || !(levels[i]->angle < VIOLATION)) {
            fail_msg("%s: %g m, %g rad", i == 0 ? "position" : "velocity", levels[i]->length,
                     levels[i]->angle);
        }
    }
}

static void momentum_balances_on_every_body(const Case *c) {
    assert_int_equal(c->status, TR_OK);
    const trSystem *system = c->run.system;
    Balance        *balance = calloc((size_t)system->bodies, sizeof *balance);
    assert_non_null(balance);
    for (long row = 0; row < c->run.rows; row++) {
        balance_row(&c->run, row, balance);
        for (int i = 0; i < system->bodies; i++) {
            const Balance *b = &balance[i];
            if (!(b->force <= BALANCE * b->largest_force) ||
                !(b->moment <= BALANCE * b->largest_moment)) {
                fail_msg("%s at t = %g: %g of %g N, %g of %g N m are left", system->body[i].name,
                         run_value(&c->run, row, "t"), b->force, b->largest_force, b->moment,
                         b->largest_moment);
            }
        }
    }
    free(balance);
}

// A state that is right to `tolerance`, relative to 1 + |value|, has an energy that is right to
// twice that, energy being quadratic in rates, relative to the sum of its parts. The parts are
// those of the worst row; 1 J stands for the 1 of 1 + |value|.
static void energy_balances(const Case *c) {
    assert_int_equal(c->status, TR_OK);
    double parts = 0.0, drift = 0.0;
    double start = run_value(&c->run, 0, "energy.balance");
    for (long row = 0; row < c->run.rows; row++) {
        double kinetic = run_value(&c->run, row, "energy.kinetic");
        double potential = run_value(&c->run, row, "energy.potential");
        double work = run_value(&c->run, row, "energy.work");
        double balance = run_value(&c->run, row, "energy.balance");
        parts = fmax(parts, fabs(kinetic) + fabs(potential) + fabs(work));
        drift = fmax(drift, fabs(balance - start));
        if (!(fabs(kinetic + potential - work - balance) <= 1e-14 * (1.0 + parts))) {
            fail_msg("balance is not T + V - W at t = %g", run_value(&c->run, row, "t"));
        }
    }
    drift = fmax(drift, tr_sim_stats(c->run.sim).energy_drift);
    if (!(drift <= 2.0 * c->benchmark->motion.tolerance * (1.0 + parts))) {
        fail_msg("T + V - W drifts by %g J of %g J", drift, parts);
    }
}

static const Fact facts[] = {
    {"it runs to its end", it_runs_to_its_end, false},
    {"its motion is the reference", its_motion_is_the_reference, false},
    {"its reactions are the reference", its_reactions_are_the_reference, true},
    {"its constraints hold after every step", its_constraints_hold_after_every_step, false},
    {"momentum balances on every body", momentum_balances_on_every_body, false},
    {"energy balances", energy_balances, false},
};

#define FACTS ((int)(sizeof facts / sizeof *facts))

// cmocka hands over one pointer: a test is a case and the fact to check.
typedef struct Job {
    Case       *subject;
    const Fact *fact;
    char        name[NAME_ROOM];
} Job;

static int prepare_job(void **state) {
    void *subject = ((Job *)*state)->subject;
    return prepare(&subject);
}

static void run_job(void **state) {
    const Job *job = *state;
    job->fact->check(job->subject);
}

int main(void) {
    int                benchmarks = benchmark_count(), count = 0;
    Case              *cases = calloc((size_t)benchmarks, sizeof *cases);
    Job               *jobs = calloc((size_t)(benchmarks * FACTS), sizeof *jobs);
    struct CMUnitTest *tests = calloc((size_t)(benchmarks * FACTS), sizeof *tests);
    if (cases == NULL || jobs == NULL || tests == NULL) {
        return 1;
    }
    for (int i = 0; i < benchmarks; i++) {
        cases[i].benchmark = benchmark_at(i);
        for (int k = 0; k < FACTS; k++) {
            if (facts[k].needs_reactions && benchmark_at(i)->reactions.derive == NULL) {
                continue;
            }
            Job *job = &jobs[count];
            job->subject = &cases[i];
            job->fact = &facts[k];
            snprintf(job->name, sizeof job->name, "%s: %s", benchmark_at(i)->name, facts[k].name);
            tests[count++] = (struct CMUnitTest){job->name, run_job, prepare_job, NULL, job};
        }
    }
    int failed = _cmocka_run_group_tests("benchmarks", tests, (size_t)count, NULL, NULL);
    for (int i = 0; i < benchmarks; i++) {
        run_free(&cases[i].run);
        reference_free(&cases[i].reference);
    }
    free(tests);
    free(jobs);
    free(cases);
    return failed;
}
