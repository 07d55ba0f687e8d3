// SPDX-License-Identifier: MIT
// FMUs as modules: motion against exact solutions, loads, values, explicit steps.

#include <math.h>
#include <string.h>

#include "fmi/plate.h"
#include "support/test.h"

static void free_motion_is_exact(void **state) {
    const trFmuSet set[] = {{"tip.x", 0.3, NULL}, {"damping", 0.8, NULL}, {"gravity", 10, NULL}};
    // x'' + 0.4 x' + 4 x = 0, and y'' + 0.4 y' + 4 y = -10.
    double decay = 0.2, rate = sqrt(4.0 - decay * decay);
    for (int k = 0; k < KINDS; k++) {
        Plan     plan = whole(kinds[k].version);
        trModule m = open_plan(&plan, def_of(kinds[k].kind), 3, set);
        begin(&m);
        accept(&m);
        for (int n = 1; n <= 100; n++) {
            predict(&m, n);
            accept(&m);
        }
        Motion now = motion_of(&m);
        double c = exp(-decay) * (cos(rate) + decay / rate * sin(rate));
        double s = -exp(-decay) * 4.0 / rate * sin(rate);
        NEAR(now.x[0], 0.3 * c, CLOSE);
        NEAR(now.v[0], 0.3 * s, CLOSE);
        NEAR(now.a[0], -0.4 * 0.3 * s - 4.0 * 0.3 * c, CLOSE);
        NEAR(now.x[1], -2.5 + 2.5 * c, CLOSE);
        NEAR(now.v[1], 2.5 * s, CLOSE);
        m.close(m.self);
    }
}

static void ports_and_outputs_are_found(void **state) {
    Plan     plan = whole(2);
    trModule m = open_plan(&plan, tr_fmu_def_default(), 0, NULL);
    assert_int_equal(m.version, TR_MODULE_VERSION);
    assert_string_equal(m.name, "plate");
    assert_int_equal(m.dim, 2);
    assert_int_equal(m.ports, 2);
    assert_int_equal(m.takes, 0);
    assert_string_equal(m.port_name[0], "tip");
    assert_string_equal(m.port_name[1], "tail");
    assert_int_equal(m.outputs, 1);
    assert_string_equal(m.output_name[0], "energy");
    assert_string_equal(m.output_unit[0], "J");
    begin(&m);
    Motion now = motion_of(&m);
    NEAR(now.x[3], -1.0, 0.0);  // of the tail
    NEAR(now.x[4], 0.0, 0.0);   // which has no y
    assert_true(has_note(&m, "Model Exchange"));
    assert_true(has_note(&m, "port 'tail' has no 'tail.fy': it does not move there"));
    m.close(m.self);
}

// With loads that stay, and held or linear in a step is the same.
static void constant_loads_act_at_once(void **state) {
    for (int k = 0; k < KINDS; k++) {
        Plan     plan = whole(kinds[k].version);
        trModule m = open_plan(&plan, def_of(kinds[k].kind), 0, NULL);
        begin(&m);
        load(&m, TR_LEVEL_LOAD, FX, 3.0);
        NEAR(motion_of(&m).a[0], 1.5, 1e-15);
        load(&m, TR_LEVEL_FORCE, TAIL, 1.0);
        load(&m, TR_LEVEL_FORCE, MOMENT, 0.25);
        load(&m, TR_LEVEL_FORCE, TAIL + 1, 7.0);  // where the tail does not move
        NEAR(motion_of(&m).a[0], 2.0, 1e-15);
        accept(&m);
        for (int n = 1; n <= 50; n++) {
            predict(&m, n);
            accept(&m);
        }
        Motion now = motion_of(&m);
        NEAR(now.x[0], 0.5 * (1.0 - cos(1.0)), CLOSE);
        NEAR(now.x[2], 0.5 * 0.5 * 0.25, CLOSE);
        NEAR(now.v[2], 0.25, CLOSE);
        NEAR(now.x[4], 0.0, 0.0);
        m.close(m.self);
    }
}

// fx = t: x = (t - sin(omega t) / omega) / k. Linear loads of Model Exchange have it exactly, those
// of Co-Simulation, held at the end of each step, are half a step ahead: by x'(t) h / 2.
static void growing_loads_are_linear_or_held(void **state) {
    for (int k = 0; k < KINDS; k++) {
        Plan     plan = whole(kinds[k].version);
        trModule m = open_plan(&plan, def_of(kinds[k].kind), 0, NULL);
        begin(&m);
        for (int n = 1; n <= 100; n++) {
            predict(&m, n);
            load(&m, TR_LEVEL_FORCE, FX, H);
            accept(&m);
        }
        double x = (1.0 - sin(2.0) / 2.0) / 8.0, v = (1.0 - cos(2.0)) / 8.0;
        double ahead = kinds[k].kind == TR_FMU_MODEL_EXCHANGE ? 0.0 : v * H / 2.0;
        NEAR(motion_of(&m).x[0], x + ahead, ahead == 0.0 ? CLOSE : 2e-6);
        m.close(m.self);
    }
}

static void repeated_steps_forget_the_first(void **state) {
    for (int k = 0; k < KINDS; k++) {
        Plan     plan = whole(kinds[k].version);
        trModule m = open_plan(&plan, def_of(kinds[k].kind), 0, NULL);
        begin(&m);
        predict(&m, 1);
        load(&m, TR_LEVEL_FORCE, FX, 1.0);
        Motion first = motion_of(&m);
        load(&m, TR_LEVEL_FORCE, FX, 41.0);
        load(&m, TR_LEVEL_FORCE, FX, -41.0);
        Motion again = motion_of(&m);
        assert_memory_equal(&first, &again, sizeof first);
        m.close(m.self);
    }
}

// One step each, with the loads of the last one: F in the first step moves it in the second.
static void explicit_steps_are_taken_once(void **state) {
    for (int version = 2; version <= 3; version++) {
        for (int derives = 0; derives < 2; derives++) {
            Plan     plan = whole(version);
            trFmuDef def = def_of(TR_FMU_CO_SIMULATION);
            plan.repeats = plan.serializes = false;
            plan.derives = derives != 0;
            def.explicit_steps = 1;
            trModule m = open_plan(&plan, def, 0, NULL);
            assert_true(has_note(&m, "loads act one step late"));
            begin(&m);
            predict(&m, 1);
            double W[NW * NW];
            good(&m, m.compliance(m.self, W));
            NEAR(W[0], 0.5, derives ? 0.0 : 1e-8);
            load(&m, TR_LEVEL_FORCE, FX, 4.0);
            Motion now = motion_of(&m);
            NEAR(now.a[0], 2.0, 1e-7);
            NEAR(now.v[0], 0.0, 0.0);
            accept(&m);
            predict(&m, 2);
            NEAR(motion_of(&m).v[0], 4.0 / 4.0 * sin(2.0 * H), CLOSE);
            assert_int_not_equal(m.predict(m.self, &(trGlueStep){.t = 2 * H, .h = H}), 0);
            assert_non_null(strstr(m.error(m.self), "cannot repeat its step"));
            m.close(m.self);
        }
    }
}

static void values_are_set_by_name(void **state) {
    const trFmuSet set[] = {{"mass", 4, NULL}, {"heavy", 1, NULL}, {"label", 0, "crane"}};
    for (int k = 0; k < KINDS; k++) {
        Plan     plan = whole(kinds[k].version);
        trModule m = open_plan(&plan, def_of(kinds[k].kind), 3, set);
        double   W[NW * NW];
        begin(&m);
        good(&m, m.compliance(m.self, W));
        NEAR(W[0], 0.125, 1e-8);
        m.close(m.self);
    }
}

// x and y as in the plane, a turn about z, and z itself does not move.
static void ports_are_in_space_as_well(void **state) {
    const trFmuSet set[] = {{"tip.y", 0.3, NULL}};
    for (int k = 0; k < KINDS; k++) {
        Plan plan = whole(kinds[k].version);
        plan.spatial = true;
        trModule m = open_plan(&plan, def_of(kinds[k].kind), 1, set);
        double   w[12] = {[5] = 0.25, [2] = 9.0}, x[14], v[12], a[12], W[144];
        assert_int_equal(m.dim, 3);
        assert_int_equal(m.ports, 2);
        begin(&m);
        good(&m, m.apply(m.self, TR_LEVEL_FORCE, w));
        for (int n = 1; n <= 50; n++) {
            predict(&m, n);
            accept(&m);
        }
        good(&m, m.port_motion(m.self, x, v, a));
        good(&m, m.compliance(m.self, W));
        const double angle = 0.5 * 0.5 * 0.25;  // alpha = 0.25 / 0.5, over 0.5 s
        NEAR(x[1], 0.3 * cos(1.0), CLOSE);
        NEAR(x[2], 0.0, 0.0);
        NEAR(x[3], cos(angle / 2.0), CLOSE);
        NEAR(x[6], sin(angle / 2.0), CLOSE);
        NEAR(v[1], -0.6 * sin(1.0), CLOSE);
        NEAR(v[5], 0.25, CLOSE);
        NEAR(a[5], 0.5, CLOSE);
        NEAR(x[7], x[0] - 1.0, 0.0);
        NEAR(x[10], 1.0, 0.0);  // the tail does not turn
        NEAR(W[12 * 5 + 5], 2.0, 1e-7);
        NEAR(W[12 * 0 + 6], W[0], 1e-7);
        NEAR(W[12 * 2 + 2], 0.0, 0.0);
        NEAR(W[12 * 3 + 3], 0.0, 0.0);
        m.close(m.self);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_motion_is_exact),
        cmocka_unit_test(ports_and_outputs_are_found),
        cmocka_unit_test(constant_loads_act_at_once),
        cmocka_unit_test(growing_loads_are_linear_or_held),
        cmocka_unit_test(repeated_steps_forget_the_first),
        cmocka_unit_test(explicit_steps_are_taken_once),
        cmocka_unit_test(values_are_set_by_name),
        cmocka_unit_test(ports_are_in_space_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
