// SPDX-License-Identifier: MIT
// Solutions of (1 - gamma J) y = r, J the derivative of the right-hand side, which is found by
// differences here. Exact where A and b do not depend on the state; elsewhere their changes are
// neglected, an error of the order of gamma.

#include "lua/lua_case.h"
#include "sim/own_step.h"
#include "support/random.h"

#define STEP 1e-4  // of differences of fourth order: STEP^4 f5 / 30 and 1e-16 / STEP

// (1 - gamma J) y by differences of the right-hand side along y, whose size is about 1.
static void apply(trSim *s, const double *x, double gamma, const double *y, double *out) {
    double              at[ROOM], rate[ROOM];
    static const double step[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    for (int i = 0; i < s->nx; i++) {
        out[i] = y[i];
    }
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < s->nx; i++) {
            at[i] = x[i] + step[k] * STEP * y[i];
        }
        assert_int_equal(tr_sim_rhs(s, 0.0, at, rate), TR_OK);
        for (int i = 0; i < s->nx; i++) {
            out[i] -= gamma * weight[k] * rate[i] / (12.0 * STEP);
        }
    }
}

// The largest of r - (1 - gamma J) y where y solves for a random r, without W, which is neglected.
static double residual_of(const Machine *machine, double gamma) {
    trSimDef def = tr_sim_def_default();
    trRandom random = {7};
    double   x[ROOM], r[ROOM], y[ROOM], back[ROOM];
    def.integrator = "cvode";
    trSim *sim = machine_sim(machine, &def);
    int    n = sim->nx - 1;
    assert_true(sim->nx <= ROOM);
    memcpy(x, sim->x, (size_t)sim->nx * sizeof *x);
    for (int i = 0; i < sim->nx; i++) {
        r[i] = random_real(&random) - 0.5;
    }
    memcpy(y, r, sizeof y);
    assert_int_equal(sim->ode.prepare(sim, 0.0, x, 0.5), TR_OK);  // another gamma follows
    assert_int_equal(sim->ode.prepare(sim, 0.0, NULL, gamma), TR_OK);
    assert_int_equal(sim->ode.solve(sim, y), TR_OK);
    assert_true(y[n] == r[n]);
    apply(sim, x, gamma, y, back);
    double most = largest_gap(n, back, r);
    tr_sim_destroy(sim);
    return most;
}

// Two blocks on one rail, tied by a stiff spring with a damper: A is constant, b is zero, the load
// is linear.
static void it_is_exact_where_rows_are_constant(void **state) {
    Machine machine = machine_new();
    for (int i = 0; i < 2; i++) {
        machine_body(
            &machine, i == 0 ? "one" : "two",
            TR_PARAMS(TR_NUM("mass", 1.0 + i), TR_NUM("inertia", 1.0), TR_VEC("at", 1.0 * i, 0.0)));
        machine_joint(&machine, "prismatic", i == 0 ? "rail1" : "rail2", TR_GROUND, i,
                      TR_PARAMS(TR_VEC("axis", 1.0, 0.0)));
    }
    machine_force(&machine, "spring", "tie", 0, 1,
                  TR_PARAMS(TR_VEC("point1", 0.0, 0.0), TR_VEC("point2", 0.0, 0.0),
                            TR_NUM("stiffness", 1e6), TR_NUM("damping", 1e3),
                            TR_NUM("length", 1.0)));
    machine_build(&machine);
    // Forces of 1e6 STEP = 100 N are rounded to 1e-14 N: 1e-14 / STEP gamma = 1e-12, and the
    // length of the spring, a root, adds what is of fifth order in STEP.
    assert_true(residual_of(&machine, 1e-2) <= 1e-7);
    assert_true(residual_of(&machine, 1e-4) <= 1e-9);
    machine_free(&machine);
}

// A mass on a rail with a filter z that pushes it and is driven by its position and velocity: all
// is linear. Rates of differences round to 1e-16 / STEP times coefficients of 1e4.
static void further_states_are_part_of_it(void **state) {
    Machine machine = {.model =
                           model_of("local s = system { coordinates = { 'x', 'y' } }\n"
                                    "s:mass(function(q, t, p) return { 2, 1 } end)\n"
                                    "s:state { 'z', start = 0.3, rate = function(q, v, t, p, z)\n"
                                    "    return 1e3 * q.x + 200 * v.x - 5e3 * z.z end }\n"
                                    "s:force(function(q, v, t, p, z)\n"
                                    "    return { x = 1e4 * z.z - 1e3 * q.x - 70 * v.x } end)\n"
                                    "s:constraint { name = 'rail', phi = function(q, t, p) "
                                    "return q.y end }\n"
                                    "s:start { x = 1 }\n"
                                    "return s\n",
                                    NULL)};
    machine_build(&machine);
    assert_true(residual_of(&machine, 1e-2) <= 1e-9);
    assert_true(residual_of(&machine, 1e-4) <= 1e-9);
    machine_free(&machine);
}

// A bound of the order of gamma: halving it leaves half, with gamma so small that the next term
// changes that by less than a fifth.
static void check_order(Machine machine) {
    double one = residual_of(&machine, 2e-3), half = residual_of(&machine, 1e-3);
    if (!(half <= 0.1 && half <= 0.6 * one)) {
        fail_msg("%.3g with gamma, %.3g with half of it", one, half);
    }
    machine_free(&machine);
}

static void elsewhere_it_is_wrong_by_the_order_of_gamma(void **state) {
    check_order(machine_pendulum(0.3));
    check_order(machine_four_bar(1.0));
    check_order(machine_driven(0.2, 1.0, 0.5));
    check_order(load(BENCHMARK "rolling_disk.lua", NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_exact_where_rows_are_constant),
        cmocka_unit_test(further_states_are_part_of_it),
        cmocka_unit_test(elsewhere_it_is_wrong_by_the_order_of_gamma),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
