// SPDX-License-Identifier: MIT
// Every benchmark, run with dop853 at rtol = atol = 1e-10, where it says nothing else, to the times
// of its reference, and what must then be true of it. Each pair of benchmark and fact is a test of
// its own.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/balance.h"
#include "scenario/benchmarks.h"
#include "support/test.h"

#define NAME_ROOM 160

// Bounds that hold for every benchmark.
#define VIOLATION 1e-10  // after every accepted step, lengths and angles, positions and velocities
#define BALANCE 1e-9     // of the largest force or moment on the body
#define NO_LOAD 1e-9     // [N], [N m]: less is the rounding of a body on which nothing acts

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
    // What the benchmark must have for it; NULL: nothing.
    const Comparison *(*needs)(const Benchmark *benchmark);
    bool bodies;  // holds for bodies alone, not for equations
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
        def.rtol = def.atol = b->tolerance > 0.0 ? b->tolerance : 1e-10;
        def.times = (trNumbers){(int)reference->rows, times};
        def.duration = times[reference->rows - 1];
        status = run_simulate(&c->run, &def);
    }
    free(times);
    return status;
}

// Rows that are too late to be compared do not count.
static void shorten(Reference *reference, double until) {
    while (until > 0.0 && reference_value(reference, reference->rows - 1, 0) > until) {
        reference->rows--;
    }
}

static int prepare(void **state) {
    Case *c = *state;
    if (!c->done) {
        c->done = true;
        if (!reference_read(c->benchmark->reference, &c->reference)) {
            print_error("%s cannot be read\n", c->benchmark->reference);
            return -1;
        }
        shorten(&c->reference, c->benchmark->until);
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
        fail_msg("%lld steps, %lld of them forced, %d changes of rank", (long long)stats.steps,
                 (long long)stats.forced, stats.rank_changes);
    }
}

static void its_freedom_is_counted(const Case *c) {
    assert_int_equal(c->status, TR_OK);
    trSimStats stats = tr_sim_stats(c->run.sim);
    assert_int_equal(stats.degrees_of_freedom, c->benchmark->freedom);
    assert_int_equal(stats.redundant_rows, c->benchmark->redundant);
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
    print_message("  %s: worst error %.1e in %s (allowed %.0e)\n", c->benchmark->name, worst, where,
                  wanted->tolerance);
    if (!(worst < wanted->tolerance)) {
        fail_msg("%s is wrong by %g at t = %g", where, worst, when);
    }
}

static void its_motion_is_the_reference(const Case *c) {
    compare(c, &c->benchmark->motion);
}

static void its_rates_are_the_reference(const Case *c) {
    compare(c, &c->benchmark->rates);
}

static void its_reactions_are_the_reference(const Case *c) {
    compare(c, &c->benchmark->reactions);
}

static void its_constraints_hold_after_every_step(const Case *c) {
    assert_int_equal(c->status, TR_OK);
    trSimStats stats = tr_sim_stats(c->run.sim);
    print_message("  %s: %lld steps, %lld forced, %d rank changes; position %.1e m, %.1e rad; "
                  "velocity %.1e m/s, %.1e rad/s\n",
                  c->benchmark->name, (long long)stats.steps, (long long)stats.forced,
                  stats.rank_changes, stats.position.length, stats.position.angle,
                  stats.velocity.length, stats.velocity.angle);
    const trViolation *levels[2] = {&stats.position, &stats.velocity};
    for (int i = 0; i < 2; i++) {
        if (!(levels[i]->length < VIOLATION) || !(levels[i]->angle < VIOLATION) ||
            !(levels[i]->other < VIOLATION)) {
            fail_msg("%s: %g m, %g rad, %g in other units", i == 0 ? "position" : "velocity",
                     levels[i]->length, levels[i]->angle, levels[i]->other);
        }
    }
}

static bool has_inertia(const trSystem *system, const trBody *body) {
    trVec3 J = body->spatial.place.inertia;
    return system->space->dim == 2 ? body->inertia > 0.0 : J.x + J.y + J.z > 0.0;
}

// What is left of a balance, relative to the largest load.
static double share(double left, double largest) {
    return left / fmax(largest, NO_LOAD);
}

// In every row what is left is compared with the loads of that row; the worst of all rows also
// with the largest moment of the run, except for bodies without inertia, whose loads all point at
// the center of mass. Returns the worst.
static double check_balance(const Case *c, int body, const Balance *rows) {
    const trBody *b = &c->run.system->body[body];
    double        left = 0.0, largest = 0.0, worst = 0.0;
    for (long row = 0; row < c->run.rows; row++) {
        const Balance *at = &rows[row];
        double         force = share(at->force, at->largest_force);
        double         moment = share(at->moment, at->largest_reach);
        if (!(force <= BALANCE) || !(moment <= BALANCE)) {
            fail_msg("%s at t = %g: %g of %g N, %g of %g N m are left", b->name,
                     run_value(&c->run, row, "t"), at->force, at->largest_force, at->moment,
                     at->largest_reach);
        }
        worst = fmax(worst, fmax(force, moment));
        left = fmax(left, at->moment);
        largest = fmax(largest, at->largest_moment);
    }
    if (has_inertia(c->run.system, b) && !(share(left, largest) <= BALANCE)) {
        fail_msg("%s: %g of %g N m are left", b->name, left, largest);
    }
    return worst;
}

static void momentum_balances_on_every_body(const Case *c) {
    assert_int_equal(c->status, TR_OK);
    int      bodies = c->run.system->bodies;
    long     rows = c->run.rows;
    Balance *by_row = calloc((size_t)bodies, sizeof *by_row);
    Balance *by_body = calloc((size_t)(bodies * rows), sizeof *by_body);  // bodies x rows
    assert_true(bodies > 0 && by_row != NULL && by_body != NULL);
    for (long row = 0; row < rows; row++) {
        balance_row(&c->run, row, by_row);
        for (int i = 0; i < bodies; i++) {
            by_body[i * rows + row] = by_row[i];
        }
    }
    double worst = 0.0;
    for (int i = 0; i < bodies; i++) {
        worst = fmax(worst, check_balance(c, i, by_body + i * rows));
    }
    print_message("  %s: momentum balances to %.1e (allowed %.0e)\n", c->benchmark->name, worst,
                  BALANCE);
    free(by_body);
    free(by_row);
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
    double allowed = c->benchmark->drift > 0.0
                         ? c->benchmark->drift
                         : 2.0 * c->benchmark->motion.tolerance * (1.0 + parts);
    print_message("  %s: drift of energy %.1e J (allowed %.1e J)\n", c->benchmark->name, drift,
                  allowed);
    if (!(drift <= allowed)) {
        fail_msg("T + V - W drifts by %g J of %g J", drift, parts);
    }
}

static const Comparison *rates_of(const Benchmark *benchmark) {
    return &benchmark->rates;
}

static const Comparison *reactions_of(const Benchmark *benchmark) {
    return &benchmark->reactions;
}

static const Fact facts[] = {
    {"it runs to its end", it_runs_to_its_end, NULL, false},
    {"its freedom is counted", its_freedom_is_counted, NULL, false},
    {"its motion is the reference", its_motion_is_the_reference, NULL, false},
    {"its rates are the reference", its_rates_are_the_reference, rates_of, false},
    {"its reactions are the reference", its_reactions_are_the_reference, reactions_of, false},
    {"its constraints hold after every step", its_constraints_hold_after_every_step, NULL, false},
    {"momentum balances on every body", momentum_balances_on_every_body, NULL, true},
    {"energy balances", energy_balances, NULL, false},
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
            bool has_bodies = i < benchmarks - equations_benchmark_count();
            if ((facts[k].needs != NULL && facts[k].needs(benchmark_at(i))->derive == NULL) ||
                (facts[k].bodies && !has_bodies)) {
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
