// SPDX-License-Identifier: MIT
// What tests of integrators that own their step share: systems from model files, and errors at the
// end of a run against dop853 with tolerances of 1e-12.

#ifndef TR_TESTS_SIM_OWN_STEP_H
#define TR_TESTS_SIM_OWN_STEP_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"

#define ROOM 128  // numbers of a state

#define BENCHMARK SOURCE_DIR "/models/benchmark/"
#define IN_ANGLES SOURCE_DIR "/tests/sim/parallel_four_bar_in_angles.lua"

static inline Machine load(const char *path, const char *const *set) {
    Machine  machine = {0};
    trSimDef def = tr_sim_def_default();
    if (tr_lua_load(path, set, &machine.model, &def) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    machine_build(&machine);
    return machine;
}

static inline trSimDef own_def(const char *method, double step) {
    trSimDef def = tr_sim_def_default();
    def.method = method;
    def.step = step;
    return def;
}

static inline void run_to(trSim *sim, double t) {
    if (tr_sim_run_to(sim, t) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static inline double largest_gap(int n, const double *x, const double *y) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

// (q, v) at time t, and the force of joint 0 on its body after them; returns how many numbers.
static inline int state_at(const Machine *machine, const trSimDef *def, double t, trSimStats *stats,
                           double state[ROOM]) {
    trSim *sim = machine_sim(machine, def);
    run_to(sim, t);
    int n = sim->nq + sim->nv;
    assert_true(n + 3 <= ROOM);
    memcpy(state, sim->x, (size_t)n * sizeof *state);
    *stats = tr_sim_stats(sim);
    if (tr_system_joints(machine->system) > 0) {
        trReaction r;
        assert_int_equal(tr_sim_reaction(sim, 0, &r), TR_OK);
        state[n] = r.fx;
        state[n + 1] = r.fy;
        state[n + 2] = r.fz;
    }
    tr_sim_destroy(sim);
    return n;
}

typedef struct OrderCase {
    const char *file;    // of models/benchmark
    const char *set;     // NULL, or a parameter of it
    double      t;       // end [s]
    double      h2, h4;  // steps for methods of order 2 and 4 [s]
    bool        unique;  // the reaction of joint 0 is
} OrderCase;

// Errors of q, v and the force (the first `levels` of them) with steps h and h / 2, against dop853.
static inline void assert_order(const OrderCase *c, const trSimDef *own, int order, int levels) {
    char path[512];
    snprintf(path, sizeof path, BENCHMARK "%s", c->file);
    const char *set[] = {c->set, NULL};
    Machine     machine = load(path, set);
    double      exact[ROOM] = {0}, end[2][ROOM] = {{0}};
    trSimStats  stats;
    trSimDef    def = tr_sim_def_default();
    def.rtol = def.atol = 1e-12;
    int n = state_at(&machine, &def, c->t, &stats, exact), nq = machine.system->nq;
    def = *own;
    def.step = order == 2 ? c->h2 : c->h4;
    state_at(&machine, &def, c->t, &stats, end[0]);
    def.step *= 0.5;
    state_at(&machine, &def, c->t, &stats, end[1]);
    const int first[] = {0, nq, n, n + 3};
    for (int level = 0; level < (c->unique || levels < 3 ? levels : 2); level++) {
        int    at = first[level], count = first[level + 1] - at;
        double e1 = largest_gap(count, end[0] + at, exact + at);
        double e2 = largest_gap(count, end[1] + at, exact + at);
        // The next terms of the error change the order by their relative size, that of (h f)^2
        // with f the fastest rate: 0.1 is ample. Reactions at the end are those of the state.
        if (!(fabs(log2(e1 / e2) - order) <= 0.1)) {
            fail_msg("%s, %s, level %d: errors %.3g and %.3g, order %.3f", c->file, own->method,
                     level, e1, e2, log2(e1 / e2));
        }
    }
    machine_free(&machine);
}

// Velocities change their sign; accelerations and multipliers of a system at rest in time do not.
static inline void turn_back(trSim *sim) {
    for (int i = 0; i < sim->nv; i++) {
        sim->x[sim->nq + i] = -sim->x[sim->nq + i];
        sim->second.now.v[i] = -sim->second.now.v[i];
    }
}

#endif
