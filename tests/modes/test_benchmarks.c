// SPDX-License-Identifier: MIT
// Modes against the literature, and against small motions of the same model as it is simulated.

#include "modes/modes_case.h"

// Meijaard et al. (2007) print eight decimals.
static void bicycle_at_5_m_s(void **state) {
    Machine machine = machine_load("bicycle.lua", NULL);
    trModes modes = modes_of(machine.system);
    assert_true(modes.moving);
    assert_int_equal(modes.count, 3);
    const trMode *capsize = &modes.mode[0], *weave = &modes.mode[1], *caster = &modes.mode[2];
    assert_near(capsize->re, -0.32286643, 1e-8);
    assert_near(weave->re, -0.77534188, 1e-8);
    assert_near(weave->im, 4.46486771, 1e-8);
    assert_near(caster->re, -14.07838969, 1e-8);
    assert_true(capsize->im == 0.0 && caster->im == 0.0);
    // Where it stands and points to, and angles of wheels: x, y, two wheels. The heading is none,
    // as x and y change with it; its zero and that of the speed belong to chains.
    assert_int_equal(modes.neutrals, 4);
    assert_int_equal(modes.zeros, 6);
    tr_modes_free(&modes);
    machine_free(&machine);
}

// The largest real part at a speed.
static double growth(double speed) {
    char              text[64];
    const char *const set[] = {text, NULL};
    snprintf(text, sizeof text, "speed=%.17g", speed);
    Machine machine = machine_load("bicycle.lua", set);
    trModes modes = modes_of(machine.system);
    double  most = -INFINITY;
    for (int i = 0; i < modes.count; i++) {
        most = fmax(most, modes.mode[i].re);
    }
    tr_modes_free(&modes);
    machine_free(&machine);
    return most;
}

// The weave and the capsize speed, to 1e-6 m/s on both sides.
static void bicycle_is_stable_between_two_speeds(void **state) {
    const double weave = 4.29238253634111, capsize = 6.02426201538837;
    assert_true(growth(weave - 1e-6) > 0.0);
    assert_true(growth(weave + 1e-6) < 0.0);
    assert_true(growth(capsize - 1e-6) < 0.0);
    assert_true(growth(capsize + 1e-6) > 0.0);
}

// At rest it falls over as the paper's M and K0 say: +-3.13164324790656, +-5.53094371765393 1/s.
static void bicycle_at_rest_falls(void **state) {
    const char *const set[] = {"speed=0", NULL};
    Machine           machine = machine_load("bicycle.lua", set);
    trModes           modes = modes_of(machine.system);
    assert_int_equal(modes.count, 4);
    assert_false(modes.moving);
    for (int k = 0; k < 2; k++) {
        double rate = k == 0 ? 3.13164324790656 : 5.53094371765393;
        assert_mode(&modes, rate, 0.0, 1e-10);
        assert_mode(&modes, -rate, 0.0, 1e-10);
    }
    tr_modes_free(&modes);
    machine_free(&machine);
}

// The paper's beam has 0.443, 18.17, 28.46 Hz; so many segments are within half a percent of it.
static void spring_chain_bends_as_the_beam(void **state) {
    const double beam[3] = {0.443, 18.17, 28.46};
    Machine      machine = machine_load("spring_chain.lua", NULL);
    trModes      modes = modes_of(machine.system);
    assert_int_equal(modes.count, 39);
    for (int i = 0; i < 3; i++) {
        assert_near(modes.mode[i].frequency, beam[i], 5e-3 * beam[i]);
        assert_true(modes.mode[i].damping == 0.0);
    }
    assert_string_equal(modes.mode[0].part, "weight");
    tr_modes_free(&modes);
    machine_free(&machine);
}

// Where a state that starts `small` along the shape of the only mode is after a quarter of its
// period, along the shape, and how far it went on the other side after half of it.
static void swing(const Machine *machine, const trModes *modes, double small, double at[2]) {
    trSimDef def = tr_sim_def_default();
    def.rtol = def.atol = 1e-12;
    trSim *sim = machine_sim(machine, &def);
    double move[256], period = 1.0 / modes->mode[0].frequency, size = 0.0;
    assert_in_range(modes->nv, 1, 256);
    int    nb = modes->nv / modes->bodies, worst = -1;
    double axes[256];  // the shape in the directions of v
    for (int i = 0; i < modes->nv; i++) {
        axes[i] = modes->mode[0].shape[i];
    }
    for (int body = 0; nb == 6 && body < modes->bodies; body++) {
        const double *e = modes->q + 7 * body + 3;
        double       *w = axes + 6 * body + 3;
        trVec3        own = tr_quat_unrotate(tr_quat_unit((trQuat){e[0], e[1], e[2], e[3]}),
                                             (trVec3){w[0], w[1], w[2]});
        w[0] = own.x;
        w[1] = own.y;
        w[2] = own.z;
    }
    for (int i = 0; i < modes->nv; i++) {
        move[i] = small * axes[i];
        size += axes[i] * axes[i];
    }
    memcpy(sim->x, modes->q, (size_t)modes->nq * sizeof *sim->x);
    tr_system_retract(machine->system, move, sim->x);
    memset(sim->x + sim->nq, 0, (size_t)sim->nv * sizeof *sim->x);
    assert_int_equal(tr_project_position(sim->methods.assembler, &sim->methods.manifold, 0.0,
                                         sim->x, sim->x + sim->nq, &worst),
                     TR_OK);
    sim->eval.counting = false;  // it did not get here by moving
    assert_int_equal(tr_sim_restart(sim), TR_OK);
    assert_int_equal(tr_sim_settle(sim), TR_OK);
    for (int k = 0; k < 2; k++) {
        if (tr_sim_run_to(sim, 0.25 * period * (k + 1)) != TR_OK) {
            fail_msg("%s", tr_last_error());
        }
        tr_system_difference(machine->system, sim->x, modes->q, move);
        at[k] = 0.0;
        for (int i = 0; i < modes->nv; i++) {
            at[k] += move[i] * axes[i] / (size * small);
        }
    }
    tr_sim_destroy(sim);
}

// cos(w t) is 0 and -1. Terms of second order in the amplitude of 1e-4 are left.
static void small_motions_have_the_frequency_of_the_mode(void **state) {
    const char *const files[] = {"bricard.lua", "four_bar.lua", "four_bar_massless_coupler.lua"};
    for (int i = 0; i < 3; i++) {
        Machine machine = machine_load(files[i], NULL);
        trModes modes = modes_of(machine.system);
        double  at[2];
        assert_int_equal(modes.count, 1);
        swing(&machine, &modes, 1e-4, at);
        if (!(fabs(at[0]) < 1e-3) || !(fabs(at[1] + 1.0) < 1e-3)) {
            fail_msg("%s: %.3g and %.6g of the start after 1/4 and 1/2 period", files[i], at[0],
                     at[1]);
        }
        tr_modes_free(&modes);
        machine_free(&machine);
    }
}

// Bodies and joints, and the same in equations: M depends on q there, and coordinates are others.
static void equations_and_bodies_agree(void **state) {
    const char *const files[][2] = {
        {"four_bar.lua", "equations_four_bar_natural.lua"},
        {"four_bar_massless_coupler.lua", "equations_four_bar_massless.lua"},
        {"andrews.lua", "andrews_equations.lua"},
    };
    for (int i = 0; i < 3; i++) {
        double rate[2];
        for (int k = 0; k < 2; k++) {
            Machine machine = machine_load(files[i][k], NULL);
            trModes modes = modes_of(machine.system);
            assert_int_equal(modes.count, 1);
            rate[k] = modes.mode[0].im;
            tr_modes_free(&modes);
            machine_free(&machine);
        }
        assert_near(rate[0], rate[1], 1e-9 * rate[1]);  // data of the models agree to this
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bicycle_at_5_m_s),
        cmocka_unit_test(bicycle_is_stable_between_two_speeds),
        cmocka_unit_test(bicycle_at_rest_falls),
        cmocka_unit_test(spring_chain_bends_as_the_beam),
        cmocka_unit_test(equations_and_bodies_agree),
        cmocka_unit_test(small_motions_have_the_frequency_of_the_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
