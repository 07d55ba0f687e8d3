// SPDX-License-Identifier: MIT
// For counting instructions:
//
//     recorded_chain_evaluations evaluate kind|functions N count
//
// loads recorded/chain.lua with N rods and evaluates accelerations and multipliers `count` times,
// at two states in turn, because a factorization is kept while positions stay the same.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "trammel/lua.h"

#define WORDS 512
#define RATE 1000.0  // one such step leaves the start [1/s]

static void must(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "%s\n", tr_last_error());
        exit(EXIT_FAILURE);
    }
}

// The state of a simulation after one more step.
static double *next_state(trSim *sim) {
    double *x = calloc((size_t)sim->nx, sizeof *x);
    must(x == NULL ? TR_E_MEMORY : tr_sim_step(sim));
    memcpy(x, sim->x, (size_t)sim->nx * sizeof *x);
    return x;
}

static void evaluate(trSim *sim, long count) {
    double *x[2] = {next_state(sim), next_state(sim)}, *xdot = next_state(sim);
    for (long i = 0; i < count; i++) {
        must(tr_sim_rhs(sim, 0.0, x[i % 2], xdot));
    }
    free(x[0]);
    free(x[1]);
    free(xdot);
}

int main(int argc, char **argv) {
    char        by[WORDS], rods[WORDS];
    const char *set[] = {by, rods, NULL};
    trModel    *model = NULL;
    trSystem   *system = NULL;
    trSim      *sim = NULL;
    trSimDef    def = tr_sim_def_default();
    if (argc != 5 || strcmp(argv[1], "evaluate") != 0) {
        return 2;
    }
    snprintf(by, sizeof by, "by=%s", argv[2]);
    snprintf(rods, sizeof rods, "N=%s", argv[3]);
    def.integrator = "rk4";
    def.step = 1.0 / RATE;
    def.duration = def.sample = 1.0;
    must(tr_lua_load(SOURCE_DIR "/tests/scenario/recorded/chain.lua", set, &model, &def));
    must(tr_system_build(model, &system));
    must(tr_sim_create(system, &def, &sim));
    evaluate(sim, atol(argv[4]));
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return EXIT_SUCCESS;
}
