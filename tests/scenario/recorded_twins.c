// SPDX-License-Identifier: MIT
// Loading, comparing and running pairs of models; every failure names the pair.
#include "scenario/recorded_twins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "trammel/lua.h"

#define ROOM 32          // most velocities, positions and rows here
#define WORDS 512        // of a path
#define TOLERANCE 1e-10  // of the runs
#define SAME_PLACE 1e-8  // after a run: a hundred times its tolerance, for errors grow
// After implicit steps: Newton leaves rounding of positions, some 4e-15, and gamma / (beta h) times
// that in velocities, 4e-12 m/s, which move by h times that in a step: a hundred of them by 4e-13,
// and several times that at the end of a chain.
#define SAME_STEPS 5e-12
#define CLOSED 1e-8      // balance of energy, of some 10 J at a tolerance of 1e-10 [J]
#define HELD 1e-9        // what projections leave of constraints, in other functions of the same
#define ROUNDING 1e-11   // relative: some hundred operations, and conditions of up to a hundred
#define OFF 0.05         // by how much numbers of a state are moved off the constraints
#define DIFFERENCE 1e-5  // of central differences [s]: they are exact to its square
#define POWER 1e-6       // what these and rounding over the difference leave, for rates of 1e3 W
#define IMPLICIT_STEPS 100
#define IMPLICIT_STEP 2e-3  // [s]

trSimDef pair_def(void) {
    trSimDef def = tr_sim_def_default();
    def.integrator = "dop853";
    def.rtol = def.atol = TOLERANCE;
    def.duration = def.sample = 1.0;
    return def;
}

static void require(trStatus status, const Pair *pair) {
    if (status != TR_OK) {
        fail_msg("%s: %s", pair->name, tr_last_error());
    }
}

Pair pair_load(const PairChoice *choice, const trSimDef *def) {
    Pair        pair = {0};
    char        path[WORDS], by[WORDS];
    const char *set[PAIR_SET + 2] = {by};
    size_t      used = 0;
    for (int i = 0; choice->set[i] != NULL; i++) {
        set[i + 1] = choice->set[i];
        used += (size_t)snprintf(pair.name + used, sizeof pair.name - used, "%s ", choice->set[i]);
        assert_true(used < sizeof pair.name);
    }
    snprintf(pair.name + used, sizeof pair.name - used, "by %s", choice->by);
    snprintf(path, sizeof path, "%s/tests/scenario/recorded/%s", SOURCE_DIR, choice->file);
    for (int i = 0; i < 2; i++) {
        trSimDef unused = tr_sim_def_default();
        snprintf(by, sizeof by, "by=%s", i == 0 ? "kind" : choice->by);
        require(tr_lua_load(path, set, &pair.model[i], &unused), &pair);
        require(tr_system_build(pair.model[i], &pair.system[i]), &pair);
        require(tr_sim_create(pair.system[i], def, &pair.sim[i]), &pair);
    }
    return pair;
}

Pair pair_make(const PairChoice *choice, const trSimDef *def) {
    Pair pair = pair_load(choice, def);
    assert_int_equal(pair.sim[0]->nq, pair.sim[1]->nq);
    assert_int_equal(pair.sim[0]->nv, pair.sim[1]->nv);
    assert_int_equal(pair.sim[0]->m, pair.sim[1]->m);
    assert_true(pair.sim[0]->nq <= ROOM && pair.sim[0]->m <= ROOM);
    return pair;
}

void pair_free(Pair *pair) {
    for (int i = 0; i < 2; i++) {
        tr_sim_destroy(pair->sim[i]);
        tr_system_destroy(pair->system[i]);
        tr_model_destroy(pair->model[i]);
    }
}

// --- places ---

static double body_apart(const trBodyState *a, const trBodyState *b) {
    double most = fmax(fabs(a->x - b->x), fmax(fabs(a->y - b->y), fabs(a->z - b->z)));
    most = fmax(most, fabs(a->angle - b->angle));
    for (int i = 0; i < 4; i++) {
        most = fmax(most, 2.0 * fabs(a->quaternion[i] - b->quaternion[i]));
    }
    return most;
}

double pair_apart(const Pair *pair) {
    double most = 0.0;
    for (int i = 0; i < tr_system_bodies(pair->system[0]); i++) {
        trBodyState a = tr_sim_body(pair->sim[0], i), b = tr_sim_body(pair->sim[1], i);
        most = fmax(most, body_apart(&a, &b));
    }
    return most;
}

// --- one instant ---

// What a model says at one instant.
typedef struct Instant {
    double a[ROOM];     // nv: accelerations
    double load[ROOM];  // nv: -A' lambda
    double miss[ROOM];  // m: A v - b1
    double Q[ROOM];     // nv
} Instant;

static Instant instant_of(const Pair *pair, int which, const double *x) {
    Instant            out = {0};
    trSim             *sim = pair->sim[which];
    const trEquations *e = &sim->eval.equations;
    require(tr_sim_accelerate(sim, pair->sim[0]->t, x, out.a), pair);
    tr_rows_tmul_sub(&e->A, sim->lambda, out.load);
    tr_rows_mul(&e->A, x + sim->nq, out.miss);
    for (int i = 0; i < sim->m; i++) {
        out.miss[i] -= e->b1[i];
    }
    memcpy(out.Q, e->Q, (size_t)sim->nv * sizeof *out.Q);
    return out;
}

// Equal up to rounding of the largest one.
static void expect_equal(const Pair *pair, const char *what, const double *a, const double *b) {
    double size = 1.0;
    int    n = pair->sim[0]->nv;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(a[i]));
    }
    for (int i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= ROUNDING * size)) {
            fail_msg("%s: %s %d is %.17g, the twin's %.17g", pair->name, what, i, a[i], b[i]);
        }
    }
}

void expect_equal_joints(Pair *pair) {
    const double *x = pair->sim[0]->x;
    Instant       kind = instant_of(pair, 0, x), twin = instant_of(pair, 1, x);
    const double *phi = pair->sim[1]->eval.phi;
    expect_equal(pair, "acceleration", kind.a, twin.a);
    expect_equal(pair, "reaction", kind.load, twin.load);
    for (int i = 0; i < pair->sim[1]->m; i++) {
        if (!(fabs(phi[i]) <= HELD && fabs(twin.miss[i]) <= HELD)) {
            fail_msg("%s: row %d of the twin is off by %g, its rate by %g", pair->name, i, phi[i],
                     twin.miss[i]);
        }
    }
    trSimStats one = tr_sim_stats(pair->sim[0]), other = tr_sim_stats(pair->sim[1]);
    assert_int_equal(one.degrees_of_freedom, other.degrees_of_freedom);
    assert_int_equal(one.redundant_rows, other.redundant_rows);
    // The joint matters: without it accelerations would be others.
    double most = 0.0;
    for (int i = 0; i < pair->sim[0]->nv; i++) {
        most = fmax(most, fabs(kind.load[i]));
    }
    assert_true(most > 1e-3);
}

void expect_equal_rows(Pair *pair) {
    const trSim *sim = pair->sim[0];
    double       x[2 * ROOM + 1] = {0.0};
    assert_true(sim->nx <= 2 * ROOM + 1);
    for (int i = 0; i < sim->nq + sim->nv; i++) {
        x[i] = sim->x[i] + OFF * sin(i + 1.0);
    }
    Instant kind = instant_of(pair, 0, x), twin = instant_of(pair, 1, x);
    expect_equal(pair, "acceleration off the constraints", kind.a, twin.a);
    expect_equal(pair, "reaction off the constraints", kind.load, twin.load);
}

// V of the built-in one less that of the twin, when the state has moved on for this time.
static double potential_gap(const Pair *pair, double time) {
    const trSim *now = pair->sim[0];
    double       q[ROOM], dv[ROOM], V[2];
    memcpy(q, now->x, (size_t)now->nq * sizeof *q);
    for (int i = 0; i < now->nv; i++) {
        dv[i] = time * now->x[now->nq + i];
    }
    tr_system_retract(now->system, dv, q);
    for (int i = 0; i < 2; i++) {
        trEval *eval = &pair->sim[i]->eval;
        require(tr_system_eval(pair->system[i], now->t + time, q, now->x + now->nq, eval), pair);
        V[i] = eval->potential;
    }
    return V[0] - V[1];
}

// Q v = (power of what has no potential) - V', and Q v is the same in both.
void expect_equal_forces(Pair *pair) {
    const double *x = pair->sim[0]->x;
    double  before = potential_gap(pair, -DIFFERENCE), after = potential_gap(pair, DIFFERENCE);
    Instant kind = instant_of(pair, 0, x), twin = instant_of(pair, 1, x);
    double  rate = (after - before) / (2.0 * DIFFERENCE);
    double  power = pair->sim[0]->eval.power - pair->sim[1]->eval.power;
    expect_equal(pair, "load", kind.Q, twin.Q);
    if (!(fabs(power - rate) <= POWER)) {
        fail_msg("%s: powers differ by %.12g W, rates of potentials by %.12g W", pair->name, power,
                 rate);
    }
}

// --- runs ---

void run_both(Pair *pair) {
    for (int i = 0; i < 2; i++) {
        require(tr_sim_run(pair->sim[i], NULL, NULL), pair);
        double drift = tr_sim_stats(pair->sim[i]).energy_drift;
        if (!(drift <= CLOSED)) {
            fail_msg("%s: the energy of number %d drifts by %g J", pair->name, i, drift);
        }
    }
}

void expect_equal_runs(Pair *pair) {
    run_both(pair);
    double apart = pair_apart(pair);
    if (!(apart <= SAME_PLACE)) {
        fail_msg("%s: the runs end %g apart", pair->name, apart);
    }
}

void expect_equal_implicit_steps(const PairChoice *choice) {
    trSimDef def = pair_def();
    def.integrator = "generalized_alpha";
    def.step = IMPLICIT_STEP;
    Pair    pair = pair_load(choice, &def);
    int64_t before[2] = {0};
    for (int i = 0; i < IMPLICIT_STEPS; i++) {
        int64_t iterations[2];
        for (int k = 0; k < 2; k++) {
            require(tr_sim_step(pair.sim[k]), &pair);
            int64_t now = tr_sim_stats(pair.sim[k]).newton_iterations;
            iterations[k] = now - before[k];
            before[k] = now;
        }
        assert_true(pair.sim[0]->t == pair.sim[1]->t);
        // Where a last correction is above rounding in one of them alone, factors are made anew
        // and up to three more follow.
        if (llabs(iterations[0] - iterations[1]) > 3) {
            fail_msg("%s: step %d takes %d iterations, the twin's %d", pair.name, i,
                     (int)iterations[0], (int)iterations[1]);
        }
    }
    double apart = pair_apart(&pair);
    // That happens to both alike: over all steps they have the same work, but for a quarter.
    if (llabs(before[0] - before[1]) > before[0] / 4) {
        fail_msg("%s: %d iterations in all, the twin's %d", pair.name, (int)before[0],
                 (int)before[1]);
    }
    if (!(apart <= SAME_STEPS)) {
        fail_msg("%s: the implicit steps end %g apart", pair.name, apart);
    }
    pair_free(&pair);
}
