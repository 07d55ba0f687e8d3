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
    (void)state;
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
    (void)state;
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

static void what_does_not_contract_is_refused_by_name(void **state) {
    (void)state;
    static const double factor[] = {1.0, 1.1, 3.0, -1.0, -1.5};
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) {
        Machine  machine = particle(factor[i], 0.2);
        trSimDef def = tr_sim_def_default();
        trSim   *sim = NULL;
        assert_int_equal(tr_sim_create(machine.system, &def, &sim), TR_E_MODEL);
        assert_null(sim);
        assert_non_null(strstr(tr_last_error(), "model.lua:4: constraint 'floor': the non-ideal "
                                                "force does not settle at t = 0 s"));
        machine_free(&machine);
    }
}

// Two rows whose reactions feed each other: lambda = lambda0 + G lambda with a rotation by a right
// angle in G, which alternates between the rows. The answer is (1 - G)^-1 lambda0.
static void reactions_that_feed_each_other_settle(void **state) {
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
        cmocka_unit_test(what_does_not_contract_is_refused_by_name),
        cmocka_unit_test(reactions_that_feed_each_other_settle),
        cmocka_unit_test(friction_from_reactions_that_are_not_unique_is_refused),
        cmocka_unit_test(rows_of_second_degree_are_held),
        cmocka_unit_test(further_states_act_on_the_motion),
    };
    return cmocka_run_group_tests_name("non-ideal", tests, enter_folder, leave_folder);
}
