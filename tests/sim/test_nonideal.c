// SPDX-License-Identifier: MIT
// Constraints that are not ideal, rows that are not linear in velocities, and further states, in
// systems small enough to be solved by hand.

#include "lua/lua_case.h"
#include "support/machines.h"

// A particle on the line y = 0. C has the part k lambda along y, so that lambda = -m g / (1 - k),
// and friction -mu |lambda| along x: a plain iteration contracts by the factor k.
static Machine particle(double k, double mu) {
    char text[1024];
    snprintf(text, sizeof text,
             "local s = system { coordinates = { 'x', 'y' } }\n"
             "s:mass(function() return { 2, 2 } end)\n"
             "s:force(function() return { 0, -2 * 9.81 } end)\n"
             "s:constraint { name = 'floor', phi = function(q) return q.y end }\n"
             "s:nonideal(function(q, v, t, p, reaction)\n"
             "    return { -%.17g * abs(reaction.floor), %.17g * reaction.floor } end)\n"
             "s:start { v = { x = 3 } } return s",
             mu, k);
    Machine machine = {.model = model_of(text, NULL)};
    machine_build(&machine);
    return machine;
}

static void a_reaction_and_what_is_made_from_it_agree(void **state) {
    static const double factor[] = {0.0, 0.3, 0.5, 0.9, -0.3, -0.95};
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) {
        Machine  machine = particle(factor[i], 0.2);
        trSimDef def = tr_sim_def_default();
        trSim   *sim = machine_sim(&machine, &def);
        double   lambda = -2.0 * 9.81 / (1.0 - factor[i]);
        assert_int_equal(tr_sim_accelerate(sim, 0.0, sim->x, sim->a), TR_OK);
        // The fixed point settles to 1e-13; where it contracts slowly, that is 1 / (1 - k) worse.
        assert_true(fabs(sim->lambda[0] - lambda) <= 2e-12 * fabs(lambda));
        assert_true(fabs(sim->a[0] + 0.2 * fabs(lambda) / 2.0) <= 2e-12 * fabs(lambda));
        assert_true(fabs(sim->a[1]) <= 1e-14);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// The same on a slope with the normal (0.6, 0.8), where no product is exact, and k = 0: lambda does
// not depend on friction but by rounding.
static Machine particle_on_slope(double mu) {
    char text[1024];
    snprintf(text, sizeof text,
             "local s = system { coordinates = { 'x', 'y' } }\n"
             "s:mass(function() return { 2, 2 } end)\n"
             "s:force(function() return { 0, -2 * 9.81 } end)\n"
             "s:constraint { name = 'slope', phi = function(q) return 0.6 * q.x + 0.8 * q.y end }\n"
             "s:nonideal(function(q, v, t, p, reaction)\n"
             "    local f = %.17g * abs(reaction.slope)\n"
             "    return { -0.8 * f, 0.6 * f } end)\n"
             "s:start { v = { x = 4, y = -3 } } return s",
             mu);
    Machine machine = {.model = model_of(text, NULL)};
    machine_build(&machine);
    return machine;
}

// Formulations that are not exact leave rounding in lambda that no round removes: it must not be
// taken for friction that feeds itself. Errors are those that they state.
static void reactions_settle_in_every_formulation(void **state) {
    for (int i = 0; i < 40 * tr_formulation_count(); i++) {
        const trFormulationKind *kind = tr_formulation_at(i / 40);
        Machine                  machine = particle_on_slope(0.01 * (1 + i % 40));
        trSimDef                 def = tr_sim_def_default();
        def.formulation = kind->name;
        def.stabilization = def.step_projection = "none";
        trSim *sim = machine_sim(&machine, &def);
        double lambda = -0.8 * 2.0 * 9.81, allowed = fmax(2e-12, 2.0 * kind->error);
        if (tr_sim_accelerate(sim, 0.0, sim->x, sim->a) != TR_OK) {
            fail_msg("%s: %s", kind->name, tr_last_error());
        }
        assert_true(fabs(sim->lambda[0] - lambda) <= allowed * fabs(lambda));
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// Positions at t = end by a method, nq.
static void run_by(const Machine *machine, const char *method, double tolerance, double end,
                   double *q) {
    trSimDef def = tr_sim_def_default();
    def.method = method;
    def.rtol = def.atol = tolerance;
    trSim *sim = machine_sim(machine, &def);
    if (tr_sim_run_to(sim, end) != TR_OK) {
        fail_msg("%s, %g: %s", method, tolerance, tr_last_error());
    }
    memcpy(q, tr_sim_q(sim), (size_t)sim->nq * sizeof *q);
    tr_sim_destroy(sim);
}

// Every method that accepts C and brings no integrator ends where direct_mass does, at each of the
// tolerances. Their errors gather over a run: 100 times the tolerance; and penalty is off by 1e-8
// of the accelerations.
static void expect_agreement(const Machine *machine, const double *tolerance, int count,
                             double end) {
    double expected[3] = {0}, q[3] = {0};
    run_by(machine, "direct_mass", 1e-12, end, expected);
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *method = tr_method_at(i);
        bool            accepts = (tr_method_traits(method) & TR_COPES_NONIDEAL) != 0;
        for (int k = 0; k < count && accepts && method->integrator == NULL; k++) {
            run_by(machine, method->name, tolerance[k], end, q);
            for (int j = 0; j < machine->system->nq; j++) {
                if (!(fabs(q[j] - expected[j]) <= 100.0 * tolerance[k] + 1e-7)) {
                    fail_msg("%s, %g: %.3g off", method->name, tolerance[k], q[j] - expected[j]);
                }
            }
        }
    }
}

// A bead on a helix that turns: rounds contract by 0.03 to 0.25, until rounding alone is left.
static void friction_settles_with_every_method(void **state) {
    static const double tolerance[] = {1e-7, 1e-10};
    Machine             machine = {
                    .model = model_of("local s = system { coordinates = { 'x', 'y', 'z' } } local k = 0.3\n"
                                                  "s:mass(function() return { 0.8, 0.8, 0.8 } end)\n"
                                                  "s:force(function() return { z = -0.8 * 9.81 } end)\n"
                                                  "s:constraint { name = 'round', phi = function(q)\n"
                                                  "    return (q.x ^ 2 + q.y ^ 2 - 1) / 2 end }\n"
                                                  "s:constraint { name = 'pitch', phi = function(q, t)\n"
                                                  "    local a = q.z / k + 0.5 * t ^ 2\n"
                                                  "    return q.x * sin(a) - q.y * cos(a) end }\n"
                                                  "s:nonideal(function(q, v, t, p, r)\n"
                                                  "    local a = q.z / k + 0.5 * t ^ 2\n"
                                                  "    local nx = q.x * r.round + sin(a) * r.pitch\n"
                                                  "    local ny = q.y * r.round - cos(a) * r.pitch\n"
                                                  "    local nz = (q.x * cos(a) + q.y * sin(a)) / k * r.pitch\n"
                                                  "    local f = -0.25 * sqrt(nx ^ 2 + ny ^ 2 + nz ^ 2) /\n"
                                                  "        sqrt(v.x ^ 2 + v.y ^ 2 + v.z ^ 2)\n"
                                                  "    return { f * v.x, f * v.y, f * v.z } end)\n"
                                                  "s:start { x = 1, v = { y = 2, z = 0.6 } } return s",
                                      NULL)};
    machine_build(&machine);
    expect_agreement(&machine, tolerance, 2, 0.4);
    machine_free(&machine);
}

// A bead on a hoop loses contact with one side and takes the other: lambda changes its sign, and is
// all rounding there.
static void reactions_pass_zero_with_every_method(void **state) {
    static const double tolerance[] = {1e-4, 1e-6, 1e-8, 1e-9, 1e-10};
    static const double speed[] = {8.0, 7.0}, mu[] = {0.2, 0.1};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "local s = system { coordinates = { 'x', 'y' } }\n"
                 "s:mass(function() return { 1, 1 } end)\n"
                 "s:force(function() return { y = -9.81 } end)\n"
                 "s:constraint { name = 'hoop', phi = function(q)\n"
                 "    return sqrt(q.x ^ 2 + q.y ^ 2) - 1 end }\n"
                 "s:nonideal(function(q, v, t, p, reaction)\n"
                 "    local f = -%.17g * abs(reaction.hoop) / sqrt(v.x ^ 2 + v.y ^ 2)\n"
                 "    return { f * v.x, f * v.y } end)\n"
                 "s:start { y = -1, v = { x = %.17g } } return s",
                 mu[i], speed[i]);
        Machine machine = {.model = model_of(text, NULL)};
        machine_build(&machine);
        expect_agreement(&machine, tolerance, 5, 0.5);
        machine_free(&machine);
    }
}

static void what_does_not_contract_is_refused_by_name(void **state) {
    static const double factor[] = {1.0, 1.1, 3.0, -1.0, -1.5};
    for (int i = 0; i < 5 * tr_formulation_count(); i++) {
        Machine  machine = particle(factor[i % 5], 0.2);
        trSimDef def = tr_sim_def_default();
        trSim   *sim = NULL;
        def.formulation = tr_formulation_at(i / 5)->name;
        def.stabilization = def.step_projection = "none";
        assert_int_equal(tr_sim_create(machine.system, &def, &sim), TR_E_MODEL);
        assert_null(sim);
        assert_non_null(strstr(
            tr_last_error(),
            "model.lua:4: constraint 'floor': the non-ideal force does not converge at t = 0 s"));
        machine_free(&machine);
    }
}

// A pendulum with drag, which is said to be part of its constraint, or a force.
static Machine pendulum_with_drag(const char *force, const char *nonideal) {
    char text[1024];
    snprintf(text, sizeof text,
             "local s = system { coordinates = { 'x', 'y' } }\n"
             "s:mass(function() return { 1, 1 } end)\n"
             "s:constraint { name = 'rod', phi = function(q)\n"
             "    return sqrt(q.x ^ 2 + q.y ^ 2) - 1 end }\n"
             "s:force(function(q, v) return { -%s * v.x, -%s * v.y - 9.81 } end)\n"
             "s:nonideal(function(q, v) return { -%s * v.x, -%s * v.y } end)\n"
             "s:start { x = 1 } return s",
             force, force, nonideal, nonideal);
    Machine machine = {.model = model_of(text, NULL)};
    machine_build(&machine);
    return machine;
}

// A C that does not use reactions adds to Q: positions, velocities and work are those of a force,
// whatever the method. Products are rounded otherwise.
static void forces_that_use_no_reactions_add_to_the_others(void **state) {
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *method = tr_method_at(i);
        double          x[2][5];
        for (int k = 0; k < 2; k++) {
            Machine  machine = pendulum_with_drag(k == 0 ? "0.5" : "0.2", k == 0 ? "0" : "0.3");
            trSimDef def = tr_sim_def_default();
            def.method = method->name;
            def.step = 2e-3;
            trSim *sim = machine_sim(&machine, &def);
            if (tr_sim_run_to(sim, 0.2) != TR_OK) {
                fail_msg("%s: %s", method->name, tr_last_error());
            }
            memcpy(x[k], sim->x, sizeof x[k]);
            tr_sim_destroy(sim);
            machine_free(&machine);
        }
        for (int j = 0; j < 5; j++) {
            if (!(fabs(x[1][j] - x[0][j]) <= 1e-8)) {
                fail_msg("%s: %.3g off in %d", method->name, x[1][j] - x[0][j], j);
            }
        }
    }
}

// Two rows whose reactions feed each other: lambda = lambda0 + G lambda with a rotation by a right
// angle in G, which alternates between the rows. The answer is (1 - G)^-1 lambda0.
static void reactions_that_feed_each_other_settle(void **state) {
    Machine machine = {
        .model = model_of("local s = system { coordinates = { 'x', 'y', 'z' } }\n"
                          "s:mass(function() return { 1, 1, 1 } end)\n"
                          "s:force(function() return { -1, -2, 0 } end)\n"
                          "s:constraint { name = 'a', phi = function(q) return q.x end }\n"
                          "s:constraint { name = 'b', phi = function(q) return q.y end }\n"
                          "s:nonideal(function(q, v, t, p, r)\n"
                          "    return { 0.7 * r.b, -0.7 * r.a, abs(r.a) - abs(r.b) } end)\n"
                          "return s",
                          NULL)};
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_accelerate(sim, 0.0, sim->x, sim->a), TR_OK);
    // a = -1 + 0.7 b, b = -2 - 0.7 a
    double a = (-1.0 - 1.4) / 1.49, b = -2.0 - 0.7 * a;
    assert_true(fabs(sim->lambda[0] - a) <= 1e-12 && fabs(sim->lambda[1] - b) <= 1e-12);
    assert_true(fabs(sim->a[2] - (fabs(a) - fabs(b))) <= 1e-12);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// Of a floor that is there twice no one knows which half bears how much.
static void friction_from_reactions_that_are_not_unique_is_refused(void **state) {
    Machine machine = {
        .model = model_of("local s = system { coordinates = { 'x', 'y' } }\n"
                          "s:mass(function() return { 1, 1 } end)\n"
                          "s:constraint { name = 'floor', phi = function(q) return q.y end }\n"
                          "s:constraint { name = 'again', phi = function(q) return 2 * q.y end }\n"
                          "s:nonideal(function(q, v, t, p, r) return { abs(r.floor), 0 } end)\n"
                          "return s",
                          NULL)};
    trSimDef def = tr_sim_def_default();
    trSim   *sim = NULL;
    machine_build(&machine);
    assert_int_equal(tr_sim_create(machine.system, &def, &sim), TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(), "reactions are not unique"));
    machine_free(&machine);
}

// |v|^2 = 4: a speed that a row of second degree holds. Without forces the particle turns with the
// rate that the state says, and the start, far off, is brought to the circle.
static void rows_of_second_degree_are_held(void **state) {
    Machine machine = {.model =
                           model_of("local s = system { coordinates = { 'x', 'y' } }\n"
                                    "s:mass(function() return { 1, 1 } end)\n"
                                    "s:force(function(q, v) return { -3 * v.y, 3 * v.x } end)\n"
                                    "s:nonholonomic { name = 'speed', psi = function(q, v)\n"
                                    "    return v.x ^ 2 + v.y ^ 2 - 4 end }\n"
                                    "s:state { 'turn', rate = function(q, v, t)\n"
                                    "    return 3 end }\n"
                                    "s:start { v = { x = 0.3 }, turn = 0.5 } return s",
                                    NULL)};
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    def.rtol = def.atol = 1e-10;
    trSim *sim = machine_sim(&machine, &def);
    assert_true(fabs(tr_sim_v(sim)[0] - 2.0) <= 1e-12);
    assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
    const double *v = tr_sim_v(sim);
    assert_true(fabs(v[0] - 2.0 * cos(3.0)) <= 1e-8 && fabs(v[1] - 2.0 * sin(3.0)) <= 1e-8);
    assert_true(fabs(v[0] * v[0] + v[1] * v[1] - 4.0) <= 4e-15);  // rounding of 4
    assert_true(fabs(sim->x[4] - 3.5) <= 1e-12);                  // q, v, then the state
    assert_true(tr_sim_stats(sim).velocity.length <= 4e-15);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A first-order filter behind a force: the state feeds back into the motion.
//
//     x'' = z,   z' = (u - z) / T,   x(t) = u (t^2 / 2 - T t + T^2 (1 - exp(-t / T)))
static void further_states_act_on_the_motion(void **state) {
    Machine machine = {
        .model = model_of("local s = system { coordinates = { 'x' }, parameters = { T = 0.2 } }\n"
                          "s:mass(function() return 1 end)\n"
                          "s:state { 'z', rate = function(q, v, t, p, z)\n"
                          "    return (1.5 - z.z) / p.T end }\n"
                          "s:force(function(q, v, t, p, z) return z.z end) return s",
                          NULL)};
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    def.rtol = def.atol = 1e-11;
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
    double T = 0.2, expected = 1.5 * (0.5 - T + T * T * (1.0 - exp(-1.0 / T)));
    assert_true(fabs(tr_sim_q(sim)[0] - expected) <= 1e-10);
    assert_true(fabs(sim->x[2] - 1.5 * (1.0 - exp(-1.0 / T))) <= 1e-10);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reaction_and_what_is_made_from_it_agree),
        cmocka_unit_test(reactions_settle_in_every_formulation),
        cmocka_unit_test(friction_settles_with_every_method),
        cmocka_unit_test(reactions_pass_zero_with_every_method),
        cmocka_unit_test(what_does_not_contract_is_refused_by_name),
        cmocka_unit_test(forces_that_use_no_reactions_add_to_the_others),
        cmocka_unit_test(reactions_that_feed_each_other_settle),
        cmocka_unit_test(friction_from_reactions_that_are_not_unique_is_refused),
        cmocka_unit_test(rows_of_second_degree_are_held),
        cmocka_unit_test(further_states_act_on_the_motion),
    };
    return cmocka_run_group_tests_name("non-ideal", tests, enter_folder, leave_folder);
}
