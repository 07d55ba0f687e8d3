// SPDX-License-Identifier: MIT
// Every benchmark again, run with radau5: its motion is the reference's, both levels of the
// constraints hold at rounding. Among them are redundant rows, singular poses,
// bodies without mass, rows of velocities and drives.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/benchmarks.h"
#include "support/test.h"

#define TOLERANCE 1e-7  // rtol and atol
// On |difference| / (1 + |reference|) of all rows: errors of single steps add up, up to a thousand
// times the tolerance in the longest runs.
#define ALLOWED 1e-4
#define VIOLATION 1e-10  // as in test_benchmarks.c

static trStatus simulate(const Benchmark *b, const Reference *reference, Run *run) {
    double  *times = calloc((size_t)reference->rows, sizeof *times);
    trSimDef def;
    trStatus status = run_load(b->model, b->set, &def, run);
    if (status == TR_OK && times != NULL) {
        for (long i = 0; i < reference->rows; i++) {
            times[i] = reference_value(reference, i, 0);
        }
        def.integrator = "radau5";
        def.stage_projection = "none";
        def.min_step = 0.0;
        def.rtol = def.atol = TOLERANCE;
        def.times = (trNumbers){(int)reference->rows, times};
        def.duration = times[reference->rows - 1];
        status = run_simulate(run, &def);
    }
    free(times);
    return status;
}

static double worst_error(const Run *run, const Reference *reference, const Comparison *wanted) {
    double out[COMPARED_ROOM] = {0.0}, worst = 0.0;
    for (long row = 0; row < reference->rows; row++) {
        wanted->derive(run, row, out);
        for (int k = 0; wanted->column[k] != NULL; k++) {
            double value =
                reference_value(reference, row, reference_column(reference, wanted->column[k]));
            double error = fabs(out[k] - value) / (1.0 + fabs(value));
            worst = error <= worst ? worst : error;
        }
    }
    return worst;
}

// What radau5 refuses by name: further states, constraints that are not ideal, quaternions as
// coordinates; tangents do not cover them.
static bool is_refused(trStatus status) {
    return status == TR_E_UNSUPPORTED && strstr(tr_last_error(), "implicit integrators") != NULL;
}

static void check(const Benchmark *b) {
    Reference reference;
    Run       run;
    assert_true(reference_read(b->reference, &reference));
    while (b->until > 0.0 && reference_value(&reference, reference.rows - 1, 0) > b->until) {
        reference.rows--;
    }
    trStatus status = simulate(b, &reference, &run);
    if (status == TR_OK) {
        double     error = worst_error(&run, &reference, &b->motion);
        trSimStats stats = tr_sim_stats(run.sim);
        double     violation = fmax(fmax(stats.position.length, stats.position.angle),
                                    fmax(stats.velocity.length, stats.velocity.angle));
        print_message("  %s: error %.1e, violation %.1e; %ld steps, %ld evaluations, %ld "
                      "Jacobians\n",
                      b->name, error, violation, (long)stats.steps, (long)stats.evaluations,
                      (long)stats.jacobians);
        if (!(error <= ALLOWED && violation <= VIOLATION)) {
            fail_msg("%s: error %.2e, violation %.2e", b->name, error, violation);
        }
    } else if (!is_refused(status)) {
        fail_msg("%s: %s", b->name, tr_last_error());
    }
    run_free(&run);
    reference_free(&reference);
}

// The same model at another tolerance would be the same run; the largest takes minutes.
static bool is_left_out(const Benchmark *b) {
    return strstr(b->name, " at 1e-") != NULL || strstr(b->name, "N = 40") != NULL;
}

static void the_motion_of_every_benchmark_is_the_reference(void **state) {
    for (int i = 0; i < benchmark_count(); i++) {
        if (!is_left_out(benchmark_at(i))) {
            check(benchmark_at(i));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_motion_of_every_benchmark_is_the_reference)};
    return cmocka_run_group_tests_name("radau5 on benchmarks", tests, NULL, NULL);
}
