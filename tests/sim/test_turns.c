// SPDX-License-Identifier: MIT
// Angles that count turns: a bevel gear of two shafts across each other, driven by a torque. With
// W1 = ratio W2' (joint "gear": turn2 = ratio turn1) the shafts have the closed form
//
//     (J1 + ratio^2 J2) turn1'' = ratio torque

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrator/integrator.h"
#include "lua/lua_case.h"
#include "support/machines.h"
#include "support/test.h"

#define RATIO 0.37
#define INERTIA 0.1  // of each shaft about its axis [kg m^2]
#define TORQUE 1.0   // on shaft 2 [N m]
#define SPEED 100.0  // of shaft 1 at the start [rad/s]

static Machine shafts(void) {
    Machine machine = {0};
    assert_int_equal(tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0)), &machine.model), TR_OK);
    int one = machine_body(&machine, "one",
                           TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.2, 0.2, INERTIA),
                                     TR_VEC("angular_velocity", 0.0, 0.0, SPEED)));
    int two = machine_body(&machine, "two",
                           TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", INERTIA, 0.2, 0.2),
                                     TR_VEC("at", 1.0, 0.0, 0.0),
                                     TR_VEC("angular_velocity", RATIO * SPEED, 0.0, 0.0)));
    machine_joint(&machine, "revolute", "A", TR_GROUND, one, TR_PARAMS(TR_VEC("axis", 0, 0, 1)));
    machine_joint(&machine, "revolute", "B", TR_GROUND, two, TR_PARAMS(TR_VEC("axis", 1, 0, 0)));
    machine_joint(&machine, "gear", "G", one, two,
                  TR_PARAMS(TR_VEC("world_axis1", 0, 0, 1), TR_VEC("world_axis2", 1, 0, 0),
                            TR_NUM("ratio", RATIO)));
    machine_force(&machine, "torque", "T", TR_GROUND, two, TR_PARAMS(TR_NUM("mx", TORQUE)));
    machine_build(&machine);
    return machine;
}

static void a_gear_counts_hundreds_of_turns(void **state) {
    static const char *const integrators[] = {"dop853", "generalized_alpha"};
    const double             t = 10.0, rate = RATIO * TORQUE / (INERTIA * (1.0 + RATIO * RATIO));
    const double             turn = SPEED * t + 0.5 * rate * t * t;
    for (int i = 0; i < 2; i++) {
        Machine  machine = shafts();
        trSimDef def = tr_sim_def_default();
        def.duration = t;
        def.integrator = integrators[i];
        def.step = i == 0 ? 0.0 : 1e-2;
        trSim *sim = machine_sim(&machine, &def);
        if (tr_sim_run(sim, NULL, NULL) != TR_OK) {
            fail_msg("%s: %s", integrators[i], tr_last_error());
        }
        // A constant acceleration is exact for both; what is left are roundings of a thousand steps
        // and, with dop853, its tolerance of 1e-8.
        assert_true(fabs(tr_sim_body(sim, 0).wz - (SPEED + rate * t)) <= 1e-7);
        assert_true(fabs(sim->eval.turn[0] - turn) <= 1e-5);
        assert_true(fabs(sim->eval.turn[1] - RATIO * turn) <= 1e-5);
        assert_true(tr_sim_stats(sim).position.angle <= 1e-10);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// In 60 ms shaft 1 turns by 6 rad and more: nobody could tell that from turning back.
static void a_step_that_turns_too_far_to_count_is_refused_by_name(void **state) {
    Machine  machine = shafts();
    trSimDef def = tr_sim_def_default();
    def.integrator = "generalized_alpha";
    def.step = 0.06;
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, 1.0), TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), "joint 'G': "));
    assert_non_null(strstr(tr_last_error(), "turns by more than 5 rad within a step"));
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A nut on a thread, w = 0 at the start under gravity g, else without it.
static Machine nut(double w, double g) {
    Machine      machine = {0};
    const double pitch = 0.05, rise = pitch / (2.0 * 3.14159265358979323846);
    assert_int_equal(
        tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_VEC("gravity", 0, 0, -g)), &machine.model),
        TR_OK);
    int body = machine_body(&machine, "nut",
                            TR_PARAMS(TR_NUM("mass", 3.0), TR_VEC("inertia", 0.01, 0.01, 0.02),
                                      TR_VEC("velocity", 0.0, 0.0, rise * w),
                                      TR_VEC("angular_velocity", 0.0, 0.0, w)));
    machine_joint(&machine, "screw", "thread", TR_GROUND, body,
                  TR_PARAMS(TR_VEC("axis", 0, 0, 1), TR_NUM("pitch", pitch)));
    machine_build(&machine);
    return machine;
}

// The motion z = -a t^2 / 2, a = m g k^2 / (I + m k^2) with k = pitch / (2 pi), is a parabola,
// which methods of high order would cross in steps of several turns.
static void adaptive_methods_shorten_steps_to_count_turns(void **state) {
    const double k = 0.05 / (2.0 * 3.14159265358979323846), t = 5.0;
    const double z = -0.5 * 3.0 * 9.81 * k * k / (0.02 + 3.0 * k * k) * t * t;
    for (int i = 0; i < tr_integrator_count(); i++) {
        if (!tr_integrator_adapts(tr_integrator_at(i), 0.0)) {
            continue;
        }
        Machine  machine = nut(0.0, 9.81);
        trSimDef def = tr_sim_def_default();
        def.duration = t;
        def.integrator = tr_integrator_at(i)->name;
        trSim *sim = machine_sim(&machine, &def);
        if (tr_sim_run(sim, NULL, NULL) != TR_OK) {
            fail_msg("%s: %s", def.integrator, tr_last_error());
        }
        // Tolerances are 1e-8 in each step, of which the slowest makes some thousands.
        if (!(fabs(tr_sim_body(sim, 0).z - z) <= 1e-6)) {
            fail_msg("%s: z = %.12g, should be %.12g", def.integrator, tr_sim_body(sim, 0).z, z);
        }
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// By 10 rad in a step, or by two turns exactly, which look like rest.
static void fixed_steps_that_cannot_be_counted_are_refused_by_name(void **state) {
    const double speeds[2] = {1e3, 400.0 * 3.14159265358979323846};
    for (int i = 0; i < 2 * tr_integrator_count(); i++) {
        const trIntegratorKind *kind = tr_integrator_at(i / 2);
        Machine                 machine = nut(speeds[i % 2], 0.0);
        trSimDef                def = tr_sim_def_default();
        if (!tr_integrator_adapts(kind, 1e-2)) {
            def.integrator = kind->name;
            def.step = 1e-2;
            trSim *sim = machine_sim(&machine, &def);
            assert_int_equal(tr_sim_run_to(sim, 1.0), TR_E_SIMULATION);
            if (strstr(tr_last_error(), "joint 'thread': ") == NULL ||
                strstr(tr_last_error(), "turns by more than 5 rad within a step") == NULL) {
                fail_msg("%s: %s", kind->name, tr_last_error());
            }
            tr_sim_destroy(sim);
        }
        machine_free(&machine);
    }
}

#define GEARS 22  // cases of gears.lua
#define VALID 10  // the first of them

static void
a_gear_needs_axes_that_are_fixed_in_its_carrier_or_a_body_that_does_not_turn(void **state) {
    for (int i = 0; i < 2 * GEARS; i++) {
        char      number[16];
        trModel  *model = NULL;
        trSystem *system = NULL;
        trSim    *sim = NULL;
        trSimDef  def = tr_sim_def_default();
        snprintf(number, sizeof number, "case=%d", i / 2 + 1);
        const char *const set[] = {
            number, i % 2 == 0 ? "coordinates=body" : "coordinates=quaternion", NULL};
        assert_int_equal(tr_lua_load(SOURCE_DIR "/tests/sim/gears.lua", set, &model, &def), TR_OK);
        assert_int_equal(tr_system_build(model, &system), TR_OK);
        trStatus status = tr_sim_create(system, &def, &sim);
        if (status != (i / 2 < VALID ? TR_OK : TR_E_MODEL) ||
            (status != TR_OK &&
             strstr(tr_last_error(), "joint 'mesh': its axes are not") == NULL)) {
            fail_msg("case %d: %s", i / 2 + 1, tr_last_error());
        }
        tr_sim_destroy(sim);
        tr_system_destroy(system);
        tr_model_destroy(model);
    }
}

// Willis: seen from the arm, wheels turn in the ratio of their teeth. A sun of 20 teeth turns by 3
// t in a fixed ring of 60, with a planet of 20 between them, so that (w_sun - w_arm) / (0 - w_arm)
// = -3: the arm turns by 3/4 t, the planet by w_arm - (w_sun - w_arm) = -3/2 t. Two shafts of a
// differential turn by t and 3 t: the case turns by their mean.
static const char trains[] =
    "local dim = parameter('dim', 2)\n"
    "local m = model { dim = dim }\n"
    "local n = 0\n"
    "local function wheel(name)\n"
    "    return m:body { name = name, mass = 1, inertia = dim == 2 and 0.4 or { 0.4, 0.4, 0.4 } }\n"
    "end\n"
    "local function add(joint)\n"
    "    n = n + 1\n"
    "    joint.name = 'J' .. n\n"
    "    m:joint(joint)\n"
    "end\n"
    "local z = dim == 3 and { 0, 0, 1 } or nil\n"
    "local function gear(first, second, ratio, carrier)\n"
    "    add { 'gear', first, second, ratio = ratio, carrier = carrier, world_axis1 = z }\n"
    "end\n"
    "local sun, arm, planet = wheel('sun'), wheel('arm'), wheel('planet')\n"
    "local left, right, case = wheel('left'), wheel('right'), wheel('case')\n"
    "for _, one in ipairs { sun, arm, left, right, case } do\n"
    "    add { 'revolute', m.ground, one, axis = z }\n"
    "end\n"
    "add { 'revolute', arm, planet, axis = z }\n"
    "gear(sun, planet, -1, arm)\n"
    "gear(planet, m.ground, 1 / 3, 'arm')\n"
    "gear(left, right, -1, case)\n"
    "for one, speed in pairs { [sun] = 3, [left] = 1, [right] = 3 } do\n"
    "    add { 'driven_angle', m.ground, one, angle = function(t) return speed * t end, axis = z "
    "}\n"
    "end\n"
    "return m\n";

static void wheels_on_a_carrier_turn_as_willis_says(void **state) {
    static const double      speed[] = {3.0, 0.75, -1.5, 1.0, 3.0, 2.0};
    static const char *const integrators[] = {"dop853", "radau5", "generalized_alpha"};
    for (int i = 0; i < 6; i++) {
        const int         dim = 2 + i / 3;
        const char *const set[] = {dim == 2 ? "dim=2" : "dim=3", NULL};
        Machine           machine = {.model = model_of(trains, set)};
        trSimDef          def = tr_sim_def_default();
        trSim            *sim = NULL;
        def.integrator = integrators[i % 3];
        def.step = 0.01;
        def.duration = 10.0;
        machine_build(&machine);
        assert_int_equal(tr_sim_create(machine.system, &def, &sim), TR_OK);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
        for (int body = 0; body < 6; body++) {
            const trBodyState s = tr_sim_body(sim, body);
            const double      omega = dim == 2 ? s.omega : s.wz;
            if (!(fabs(omega - speed[body]) < 1e-9)) {
                fail_msg("%s, dim %d: body %d turns at %.15g rad/s, should at %g", def.integrator,
                         dim, body, omega, speed[body]);
            }
        }
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gear_counts_hundreds_of_turns),
        cmocka_unit_test(adaptive_methods_shorten_steps_to_count_turns),
        cmocka_unit_test(fixed_steps_that_cannot_be_counted_are_refused_by_name),
        cmocka_unit_test(a_step_that_turns_too_far_to_count_is_refused_by_name),
        cmocka_unit_test(
            a_gear_needs_axes_that_are_fixed_in_its_carrier_or_a_body_that_does_not_turn),
        cmocka_unit_test(wheels_on_a_carrier_turn_as_willis_says),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
