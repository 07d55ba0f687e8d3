// SPDX-License-Identifier: MIT
// FMUs as modules: states that are saved, and events and projections of Model Exchange.

#include <math.h>
#include <string.h>

#include "fmi/plate.h"
#include "support/test.h"

static void states_come_back_bit_for_bit(void **state) {
    for (int k = 0; k < 2 * KINDS; k++) {
        bool exchange = kinds[k % KINDS].kind == TR_FMU_MODEL_EXCHANGE;
        Plan plan = whole(kinds[k % KINDS].version);
        plan.serializes = k < KINDS;
        plan.derives = k % 2 == 0;
        plan.no_accelerations = k % 3 == 1;
        if (!plan.serializes && !exchange) {
            continue;
        }
        trModule m = open_plan(&plan, def_of(kinds[k % KINDS].kind), 0, NULL);
        trModule other = open_plan(&plan, def_of(kinds[k % KINDS].kind), 0, NULL);
        char     kept[8192];
        Motion   first[5];
        double   W[NW * NW], first_W[5][NW * NW];
        assert_in_range(m.state_size(m.self), 1, sizeof kept);
        assert_int_equal(m.state_size(m.self), other.state_size(other.self));
        begin(&m);
        for (int n = 1; n <= 10; n++) {
            predict(&m, n);
            good(&m, m.compliance(m.self, W));
            load(&m, TR_LEVEL_FORCE, FX, sin(n));
            load(&m, TR_LEVEL_FORCE, MOMENT, 0.1 * n);
            accept(&m);
            if (n == 5) {
                good(&m, m.save(m.self, kept));
            } else if (n > 5) {
                first[n - 6] = motion_of(&m);
                memcpy(first_W[n - 6], W, sizeof W);
            }
        }
        for (int repeat = 0; repeat < 2; repeat++) {
            trModule *again = repeat == 0 ? &m : &other;
            good(again, again->restore(again->self, kept));
            for (int n = 6; n <= 10; n++) {
                predict(again, n);
                good(again, again->compliance(again->self, W));
                load(again, TR_LEVEL_FORCE, FX, sin(n));
                load(again, TR_LEVEL_FORCE, MOMENT, 0.1 * n);
                accept(again);
                Motion now = motion_of(again);
                assert_memory_equal(&now, &first[n - 6], sizeof now);
                assert_memory_equal(W, first_W[n - 6], sizeof W);
            }
        }
        m.close(m.self);
        other.close(other.self);
    }
}

// Both are put at x = 0.3 at the start, as modules of an assembly are before it goes on with a
// checkpoint. The state that is taken back has that in it already.
static void corrections_are_not_made_twice(void **state) {
    for (int version = 2; version <= 3; version++) {
        Plan     plan = whole(version);
        trFmuDef def = def_of(TR_FMU_MODEL_EXCHANGE);
        plan.no_tail = true;
        def.correct_states = 1;
        trModule m[2] = {open_plan(&plan, def, 0, NULL), open_plan(&plan, def, 0, NULL)};
        double   W[9];
        char     kept[8192];
        for (int i = 0; i < 2; i++) {
            begin(&m[i]);
            good(&m[i], m[i].compliance(m[i].self, W));
            load(&m[i], TR_LEVEL_POSITION, FX, 0.6);
        }
        accept(&m[0]);
        predict(&m[0], 1);
        accept(&m[0]);
        good(&m[0], m[0].save(m[0].self, kept));
        good(&m[1], m[1].restore(m[1].self, kept));
        predict(&m[0], 2);
        predict(&m[1], 2);
        Motion first = motion_of(&m[0]), again = motion_of(&m[1]);
        NEAR(first.x[0], 0.3 * cos(4.0 * H), 1e-8);
        assert_memory_equal(&again, &first, sizeof first);
        m[0].close(m[0].self);
        m[1].close(m[1].self);
    }
}

// An FMU whose states do not hold its mode must have left initialization before one is taken back.
static void states_are_taken_back_after_initialization(void **state) {
    const trFmuSet set[] = {{"trouble", KEEPS_MODE, NULL}, {"tip.x", 0.3, NULL}};
    for (int version = 2; version <= 3; version++) {
        Plan     plan = whole(version);
        trModule m = open_plan(&plan, def_of(TR_FMU_CO_SIMULATION), 2, set);
        trModule other = open_plan(&plan, def_of(TR_FMU_CO_SIMULATION), 2, set);
        char     kept[8192];
        begin(&m);
        predict(&m, 1);
        accept(&m);
        good(&m, m.save(m.self, kept));
        good(&other, other.restore(other.self, kept));
        predict(&other, 2);
        NEAR(motion_of(&other).x[0], 0.3 * cos(4.0 * H), CLOSE);
        m.close(m.self);
        other.close(other.self);
    }
}

// It falls by 0.1 m in 0.1414 s, and is thrown back at the end of that step, at 0.15 s.
static void state_events_happen_at_ends_of_steps(void **state) {
    const trFmuSet set[] = {{"stiffness", 0, NULL}, {"gravity", 10, NULL}, {"floor", -0.1, NULL}};
    for (int version = 2; version <= 3; version++) {
        Plan     plan = whole(version);
        trModule m = open_plan(&plan, def_of(TR_FMU_MODEL_EXCHANGE), 3, set);
        begin(&m);
        for (int n = 1; n <= 16; n++) {
            predict(&m, n);
            accept(&m);
            NEAR(motion_of(&m).v[1], n <= 15 ? -0.1 * n : 1.5 - 0.1, 1e-12);
        }
        m.close(m.self);
    }
}

static void time_events_happen_at_ends_of_steps(void **state) {
    const trFmuSet set[] = {{"stiffness", 0, NULL}, {"kick_time", 0.045, NULL}};
    for (int version = 2; version <= 3; version++) {
        Plan     plan = whole(version);
        trModule m = open_plan(&plan, def_of(TR_FMU_MODEL_EXCHANGE), 2, set);
        begin(&m);
        for (int n = 1; n <= 7; n++) {
            predict(&m, n);
            accept(&m);
            NEAR(motion_of(&m).v[0], n <= 5 ? 0.0 : 1.0, 0.0);
        }
        m.close(m.self);
    }
}

// The FMU puts y back to 0 after each step; who does not read its states again would not see it.
static void states_are_read_again_after_a_step(void **state) {
    const trFmuSet set[] = {
        {"stiffness", 0, NULL}, {"gravity", 10, NULL}, {"trouble", PROJECTS, NULL}};
    for (int version = 2; version <= 3; version++) {
        Plan     plan = whole(version);
        trModule m = open_plan(&plan, def_of(TR_FMU_MODEL_EXCHANGE), 3, set);
        begin(&m);
        for (int n = 1; n <= 5; n++) {
            predict(&m, n);
            NEAR(motion_of(&m).x[1], -0.1 * (n - 1) * H - 5.0 * H * H, 1e-15);
            accept(&m);
        }
        m.close(m.self);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_come_back_bit_for_bit),
        cmocka_unit_test(corrections_are_not_made_twice),
        cmocka_unit_test(states_are_taken_back_after_initialization),
        cmocka_unit_test(state_events_happen_at_ends_of_steps),
        cmocka_unit_test(time_events_happen_at_ends_of_steps),
        cmocka_unit_test(states_are_read_again_after_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
