// SPDX-License-Identifier: MIT
// radau5 on the second face: of order 5 in q and v and of order 3 in its own lambda, with errors in
// proportion to the tolerance; what it owes besides is that of all: no heap request in a step, the
// same bits every time, words about what went wrong. test_radau5.c of scenario/ has the benchmarks.

#include <math.h>
#include <string.h>

#include "support/allocations.h"
#include "support/machines.h"
#include "support/test.h"

#define ROOM 64  // numbers of q, of v or of lambda

typedef struct Seen {
    double q[ROOM], v[ROOM], lambda[ROOM];
} Seen;

// Slower and more compact than benchmark P6.8: so steps may be long enough to measure their errors.
static Machine heavy_top(void) {
    Machine machine = {0};
    assert_int_equal(
        tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_VEC("gravity", 0.0, 0.0, -GRAVITY)),
                        &machine.model),
        TR_OK);
    int top = machine_body(&machine, "top",
                           TR_PARAMS(TR_NUM("mass", 15.0), TR_VEC("inertia", 5.0, 8.0, 6.0),
                                     TR_VEC("com", 0.0, 1.0, 0.0),
                                     TR_VEC("angular_velocity", 1.0, 6.0, -4.0)));
    machine_joint(&machine, "spherical", "O", TR_GROUND, top, TR_PARAMS(TR_VEC("point", 0, 0, 0)));
    machine_build(&machine);
    return machine;
}

// Steps of min_step are accepted whatever their error is: all have the length h then.
static trSimDef fixed_def(double h) {
    trSimDef def = tr_sim_def_default();
    def.integrator = "radau5";
    def.step = def.min_step = def.max_step = h;
    def.rtol = def.atol = 1e-8;  // Newton's error is 1e-4 of it
    return def;
}

static void copy(const trSim *sim, const double *q, const double *v, const double *lambda,
                 Seen *out) {
    assert_true(sim->nq <= ROOM && sim->nv <= ROOM && sim->m <= ROOM);
    memcpy(out->q, q, (size_t)sim->nq * sizeof *q);
    memcpy(out->v, v, (size_t)sim->nv * sizeof *v);
    memcpy(out->lambda, lambda, (size_t)sim->m * sizeof *lambda);
}

// Steps of h to time t, of which the last is attempted only: so it is what the method made.
static void observe(const Machine *machine, double t, int steps, Seen *out) {
    double   h = t / steps, error = 0.0;
    trSimDef def = fixed_def(h);
    trSim   *sim = machine_sim(machine, &def);
    for (int i = 0; i < steps - 1; i++) {
        if (tr_sim_step(sim) != TR_OK) {
            fail_msg("%s", tr_last_error());
        }
    }
    assert_int_equal(tr_implicit_driver.attempt(sim, &h, &error), TR_OK);
    copy(sim, sim->second.next.q, sim->second.next.v, sim->second.next.lambda, out);
    tr_sim_destroy(sim);
}

static void observe_exact(const Machine *machine, double t, Seen *out) {
    trSimDef def = tr_sim_def_default();
    def.rtol = def.atol = 1e-13;
    trSim *sim = machine_sim(machine, &def);
    assert_int_equal(tr_sim_run_to(sim, t), TR_OK);
    copy(sim, sim->x, sim->x + sim->nq, sim->lambda, out);
    tr_sim_destroy(sim);
}

static double distance(const double *a, const double *b) {
    double most = 0.0;
    for (int i = 0; i < ROOM; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void assert_order(const char *what, double coarse, double fine, double least, double most) {
    double order = log2(coarse / fine);
    print_message("  %s: errors %.2e and %.2e, order %.2f\n", what, coarse, fine, order);
    if (!(order >= least && order <= most)) {
        fail_msg("%s: errors %.3g and %.3g, order %.3f", what, coarse, fine, order);
    }
}

// The next term of the error is smaller by h times the fastest rate of the motion, which moves the
// measured order by up to 0.3. lambda may gain: its error of third order is small.
static void assert_orders(Machine machine, double t, int steps) {
    Seen exact = {0}, coarse = {0}, fine = {0};
    observe_exact(&machine, t, &exact);
    observe(&machine, t, steps, &coarse);
    observe(&machine, t, 2 * steps, &fine);
    assert_order("q", distance(coarse.q, exact.q), distance(fine.q, exact.q), 4.7, 5.3);
    assert_order("v", distance(coarse.v, exact.v), distance(fine.v, exact.v), 4.7, 5.3);
    assert_order("lambda", distance(coarse.lambda, exact.lambda),
                 distance(fine.lambda, exact.lambda), 2.7, 5.3);
    machine_free(&machine);
}

static void the_pendulum_converges_with_order_5(void **state) {
    assert_orders(machine_pendulum(0.3), 1.0, 25);
}

static void the_four_bar_converges_with_order_5(void **state) {
    assert_orders(machine_four_bar(1.0), 1.0, 100);
}

static void the_heavy_top_converges_with_order_5(void **state) {
    assert_orders(heavy_top(), 1.0, 40);
}

// Steps too long for Newton's method that may not become shorter.
static void failure_tells_time_and_joint(void **state) {
    Machine  machine = machine_four_bar(1.0);
    trSimDef def = fixed_def(0.04);
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, 1.0), TR_E_SIMULATION);
    print_message("  %s\n", tr_last_error());
    assert_non_null(strstr(tr_last_error(), "joint '"));
    assert_non_null(strstr(tr_last_error(), "t = 0."));
    assert_true(tr_sim_time(sim) > 0.0 && tr_sim_time(sim) < 1.0);  // the last good state
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pendulum_converges_with_order_5),
        cmocka_unit_test(the_four_bar_converges_with_order_5),
        cmocka_unit_test(the_heavy_top_converges_with_order_5),
        cmocka_unit_test(failure_tells_time_and_joint),
    };
    return cmocka_run_group_tests_name("radau5", tests, NULL, NULL);
}
