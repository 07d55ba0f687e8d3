// SPDX-License-Identifier: MIT
// FMUs as modules: compliance and accelerations, and joints that stand on them.

#include <math.h>
#include <string.h>

#include "fmi/plate.h"
#include "support/test.h"

static void check_W(const trModule *m, double factor, double close) {
    double W[NW * NW];
    good(m, m->compliance(m->self, W));
    for (int i = 0; i < NW; i++) {
        for (int k = 0; k < NW; k++) {
            bool   along_x = (i == FX || i == TAIL) && (k == FX || k == TAIL);
            double mobility = along_x || (i == FY && k == FY) ? 0.5 * factor
                              : i == MOMENT && k == MOMENT    ? 2.0
                                                              : 0.0;
            NEAR(W[NW * i + k], mobility, close);
            assert_true(W[NW * i + k] == W[NW * k + i]);
        }
    }
}

// Differences of 1e-4 of the accelerations err by about 1e-16 / 1e-4 / 1e-3 of them: 1e-8.
static void compliance_is_one_over_the_mass(void **state) {
    const trFmuSet set[] = {{"tip.x", 0.3, NULL}};
    for (int k = 0; k < KINDS; k++) {
        for (int derives = 0; derives < 2; derives++) {
            Plan plan = whole(kinds[k].version);
            plan.derives = derives != 0;
            trModule m = open_plan(&plan, def_of(kinds[k].kind), 1, set);
            // Under a load that is held over the step, the state changes, too: a = cos(omega h) /
            // m.
            bool   held = derives || kinds[k].kind == TR_FMU_MODEL_EXCHANGE;
            double factor = held ? 1.0 : cos(2.0 * H), close = derives ? 0.0 : 1e-8;
            assert_true(has_note(&m, derives ? "compliance by directional derivatives"
                                     : held  ? "compliance by differences at constant state"
                                             : "compliance by differences of repeated steps"));
            begin(&m);
            check_W(&m, 1.0, close);
            check_W(&m, 1.0, close);
            predict(&m, 1);
            Motion before = motion_of(&m);
            check_W(&m, factor, close);
            check_W(&m, factor, close);
            Motion after = motion_of(&m);
            assert_memory_equal(&before, &after, sizeof before);
            accept(&m);
            predict(&m, 2);
            NEAR(motion_of(&m).x[0], 0.3 * cos(4.0 * H), CLOSE);
            m.close(m.self);
        }
    }
}

static void derivatives_that_fail_are_replaced(void **state) {
    const trFmuSet set[] = {{"trouble", DERIVATIVES_FAIL, NULL}};
    for (int k = 0; k < KINDS; k++) {
        Plan plan = whole(kinds[k].version);
        plan.derives = true;
        trModule m = open_plan(&plan, def_of(kinds[k].kind), 1, set);
        begin(&m);
        check_W(&m, 1.0, 1e-8);
        predict(&m, 1);
        check_W(&m, kinds[k].kind == TR_FMU_MODEL_EXCHANGE ? 1.0 : cos(2.0 * H), 1e-8);
        assert_true(has_note(&m, "declared but do not work"));
        m.close(m.self);
    }
}

// A spring of 8000 N/m: omega h = 0.63. A load that grows over the step gives, at its end,
// a = sin(omega h) / (omega h) / m, 6.6 % less than with the state held.
static void stiff_plates_are_found_out(void **state) {
    const trFmuSet set[] = {{"stiffness", 8000, NULL}};
    double         angle = sqrt(4000.0) * H;
    for (int derives = 0; derives < 2; derives++) {
        Plan     plan = whole(3);
        trFmuDef def = def_of(TR_FMU_MODEL_EXCHANGE);
        plan.derives = derives != 0;
        def.substeps = 50;
        trModule m = open_plan(&plan, def, 1, set);
        double   W[NW * NW];
        begin(&m);
        predict(&m, 1);
        check_W(&m, 1.0, 1e-8);
        load(&m, TR_LEVEL_FORCE, FX, 1.0);
        assert_true(has_note(&m, "compliance over the whole step"));
        good(&m, m.compliance(m.self, W));
        NEAR(W[0], 0.5 * sin(angle) / angle, 1e-7);
        NEAR(W[(NW + 1) * MOMENT], 2.0, 1e-7);
        m.close(m.self);
    }
}

// Held to a wall in x by hand, as a coordinator would do it: W w = -a until a vanishes.
static int hold(const trModule *m, double close) {
    for (int i = 0; i < 20; i++) {
        double W[NW * NW], a = motion_of(m).a[0];
        if (fabs(a) < close) {
            return i;
        }
        good(m, m->compliance(m->self, W));
        load(m, TR_LEVEL_FORCE, FX, -a / W[0]);
    }
    return 20;
}

static void joints_hold_the_tip(void **state) {
    const trFmuSet set[] = {{"tip.x", 0.3, NULL}};
    for (int k = 0; k < KINDS; k++) {
        for (int sort = 0; sort < 3; sort++) {
            Plan plan = whole(kinds[k].version);
            plan.derives = sort == 1;
            plan.no_accelerations = sort == 2;
            trModule m = open_plan(&plan, def_of(kinds[k].kind), 1, set);
            // Differences of velocities are rounded: 1e-16 / 1e-5 s, ten times.
            double close = sort == 2 ? 1e-9 : 1e-12;
            begin(&m);
            assert_in_range(hold(&m, close), 1, 3);
            accept(&m);
            for (int n = 1; n <= 20; n++) {
                predict(&m, n);
                assert_in_range(hold(&m, close), 0, 3);
                accept(&m);
            }
            Motion now = motion_of(&m);
            // Over 0.2 s, such an acceleration moves it by less than this. Without accelerations of
            // its own, Co-Simulation starts from differences over 1e-3 s: x'' to 1e-6.
            NEAR(now.x[0], 0.3, sort == 2 ? 1e-7 : 1e-12);
            m.close(m.self);
        }
    }
}

static void accelerations_are_derivatives_or_differences(void **state) {
    const trFmuSet set[] = {{"tip.x", 0.3, NULL}};
    for (int k = 0; k < KINDS; k++) {
        bool exchange = kinds[k].kind == TR_FMU_MODEL_EXCHANGE;
        for (int sort = 0; sort < 2; sort++) {
            Plan plan = whole(kinds[k].version);
            plan.only_derivatives = sort == 0;
            plan.no_accelerations = sort == 1;
            trModule m = open_plan(&plan, def_of(kinds[k].kind), 1, set);
            assert_true(has_note(&m, "by differences of velocities") == (sort == 1));
            begin(&m);
            // Co-Simulation: over 1e-3 s, so half of that late.
            double late = sort == 1 && !exchange ? 0.5e-3 : 0.0;
            NEAR(motion_of(&m).a[0], -1.2 * cos(2.0 * late), late > 0 ? 1e-6 : 1e-9);
            for (int n = 1; n <= 10; n++) {
                predict(&m, n);
                accept(&m);
            }
            // The mean over a step is that at its middle, to (omega h)^2 / 24.
            double t = sort == 1 && !exchange ? 0.095 : 0.1;
            NEAR(motion_of(&m).a[0], -1.2 * cos(2.0 * t), t < 0.1 ? 3e-5 : 1e-8);
            m.close(m.self);
        }
    }
}

// Where the tip's motion is made of states, it is corrected by writing them: by W w at once, and
// for good. Loads that follow do not undo it.
static void states_of_ports_take_corrections(void **state) {
    for (int version = 2; version <= 3; version++) {
        Plan     plan = whole(version);
        trFmuDef def = def_of(TR_FMU_MODEL_EXCHANGE);
        plan.no_tail = true;
        def.correct_states = 1;
        trModule m = open_plan(&plan, def, 0, NULL);
        double   W[9];
        assert_int_equal(m.ports, 1);
        assert_int_equal(m.takes, TR_TAKES_POSITION | TR_TAKES_VELOCITY);
        begin(&m);
        good(&m, m.compliance(m.self, W));
        load(&m, TR_LEVEL_POSITION, FX, 0.6);  // x = 0.3
        NEAR(motion_of(&m).x[0], 0.3, 1e-8);
        NEAR(motion_of(&m).a[0], -1.2, 1e-7);
        accept(&m);
        for (int n = 1; n <= 50; n++) {
            predict(&m, n);
            accept(&m);
        }
        NEAR(motion_of(&m).x[0], 0.3 * cos(1.0), 1e-8);
        predict(&m, 51);
        Motion before = motion_of(&m);
        good(&m, m.compliance(m.self, W));
        load(&m, TR_LEVEL_VELOCITY, FY, 1.0);
        load(&m, TR_LEVEL_POSITION, FY, -0.2);
        load(&m, TR_LEVEL_FORCE, FX, 1.0);
        load(&m, TR_LEVEL_FORCE, FX, -1.0);
        NEAR(motion_of(&m).x[0], before.x[0], 1e-15);
        NEAR(motion_of(&m).v[1], 0.5, 1e-7);
        NEAR(motion_of(&m).x[1], -0.1, 1e-8);
        accept(&m);
        predict(&m, 52);
        NEAR(motion_of(&m).x[1], -0.1 * cos(2.0 * H) + 0.25 * sin(2.0 * H), 1e-7);
        m.close(m.self);
    }
}

// The tail moves with the tip and is no state of its own.
static void other_ports_take_forces_only(void **state) {
    trFmuDef def = def_of(TR_FMU_MODEL_EXCHANGE);
    Plan     plan = whole(2);
    double   w[NW] = {0};
    def.correct_states = 1;
    trModule m = open_plan(&plan, def, 0, NULL);
    assert_int_equal(m.takes, 0);
    assert_true(has_note(&m, "cannot be corrected"));
    assert_int_not_equal(m.apply(m.self, TR_LEVEL_POSITION, w), 0);
    m.close(m.self);
    // Nor are two ports with one position.
    const trFmuAlias twin[] = {
        {"twin.x", "tip.x"}, {"twin.vx", "tip.vy"}, {"twin.ax", "tip.ay"}, {"twin.fx", "tip.fy"}};
    plan.no_tail = true;
    def.aliases = 4;
    def.alias = twin;
    m = open_plan(&plan, def, 0, NULL);
    assert_int_equal(m.ports, 2);
    assert_int_equal(m.takes, 0);
    m.close(m.self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compliance_is_one_over_the_mass),
        cmocka_unit_test(derivatives_that_fail_are_replaced),
        cmocka_unit_test(stiff_plates_are_found_out),
        cmocka_unit_test(joints_hold_the_tip),
        cmocka_unit_test(states_of_ports_take_corrections),
        cmocka_unit_test(other_ports_take_forces_only),
        cmocka_unit_test(accelerations_are_derivatives_or_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
