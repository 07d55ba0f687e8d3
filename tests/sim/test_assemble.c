// SPDX-License-Identifier: MIT
// The initial state: how it is put on the constraints, and what is said where that cannot be.

#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"

// A crank that two motors turn by different functions of time.
static Machine two_motors(double c0, double c1, double c2) {
    Machine machine = machine_new();
    int     crank =
        machine_body(&machine, "crank", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, crank, NULL);
    machine_joint(&machine, "driven_angle", "motor 1", TR_GROUND, crank,
                  TR_PARAMS(TR_TIME("angle", machine_polynomial(&machine, 0.0, 0.0, 0.0))));
    machine_joint(&machine, "driven_angle", "motor 2", TR_GROUND, crank,
                  TR_PARAMS(TR_TIME("angle", machine_polynomial(&machine, c0, c1, c2))));
    machine_build(&machine);
    return machine;
}

static void joints_that_contradict_each_other_are_named_at_every_level(void **state) {
    static const struct {
        double      c0, c1, c2;
        const char *text;
    } drives[] = {
        {0.1, 0.0, 0.0, "cannot be assembled"},
        {0.0, 0.1, 0.0, "its velocity contradicts the other joints at t = 0 s (0.1 rad"},
        {0.0, 0.0, 0.1, "its acceleration contradicts the other joints at t = 0 s (0.2 rad"},
    };
    static const char *const formulations[] = {"lagrange", "lagrange_dense"};
    for (int i = 0; i < 3; i++) {
        Machine machine = two_motors(drives[i].c0, drives[i].c1, drives[i].c2);
        for (int k = 0; k < 2; k++) {
            trSimDef def = tr_sim_def_default();
            def.formulation = formulations[k];
            machine_refuses(&machine, &def, TR_E_MODEL, drives[i].text);
            assert_non_null(strstr(tr_last_error(), "joint 'motor"));
        }
        machine_free(&machine);
    }
    Machine  machine = two_motors(0.0, 0.0, 0.0);
    trSimDef def = tr_sim_def_default();
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_stats(sim).redundant_rows, 1);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A rod of 1 m between pins that are 3 m apart.
static void a_joint_that_cannot_be_closed_is_named(void **state) {
    Machine machine = machine_new();
    int     rod = machine_body(&machine, "rod",
                               TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0 / 12.0)));
    machine_joint(&machine, "revolute", "left", TR_GROUND, rod,
                  TR_PARAMS(TR_VEC("point1", 0.0, 0.0), TR_VEC("point2", -0.5, 0.0)));
    machine_joint(&machine, "revolute", "right", TR_GROUND, rod,
                  TR_PARAMS(TR_VEC("point1", 3.0, 0.0), TR_VEC("point2", 0.5, 0.0)));
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    machine_refuses(&machine, &def, TR_E_MODEL, "cannot be assembled");
    assert_non_null(strstr(tr_last_error(), "joint '"));
    assert_non_null(strstr(tr_last_error(), " m remain"));
    machine_free(&machine);
}

static void a_function_that_is_not_finite_at_the_start_is_named(void **state) {
    Machine machine = machine_new();
    int     a = machine_body(&machine, "a", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "driven_angle", "motor", TR_GROUND, a,
                  TR_PARAMS(TR_TIME("angle", machine_root(&machine, 1.0))));
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    machine_refuses(&machine, &def, TR_E_MODEL, "joint 'motor': not a finite number at t = 0 s");
    def.start = 2.0;
    tr_sim_destroy(machine_sim(&machine, &def));
    machine_free(&machine);
}

// Without joints, pinned at its center of mass, and as one of three links.
static Machine massless_machine(int which) {
    Machine machine = machine_new();
    int     crank =
        machine_body(&machine, "crank", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, crank, NULL);
    int before = crank;
    for (int i = 0; i < (which == 2 ? 3 : 1); i++) {
        static const char *const names[] = {"link", "second", "third"};
        int                      link = machine_body(&machine, names[i],
                                                     TR_PARAMS(TR_NUM("mass", 0.0), TR_VEC("at", 1.0 + i, 0.3 * i * i)));
        if (which > 0) {
            machine_joint(&machine, "revolute", NULL, before, link, NULL);
        }
        before = link;
    }
    if (which == 2) {
        machine_joint(&machine, "revolute", "end", before, TR_GROUND,
                      TR_PARAMS(TR_VEC("point", 4.0, 0.5)));
    }
    machine_build(&machine);
    return machine;
}

static void motions_without_mass_are_named_with_the_remedy(void **state) {
    static const char *const texts[] = {
        "body 'link': its motion along x has neither inertia nor a joint that holds it at t = 0 s; "
        "give it mass > 0, or a joint",
        "body 'link': its rotation has neither inertia nor a joint that holds it at t = 0 s; give "
        "it inertia > 0, or a joint",
        "has neither inertia nor a joint that holds it",
    };
    static const char *const formulations[] = {"lagrange", "lagrange_dense"};
    for (int i = 0; i < 3; i++) {
        Machine machine = massless_machine(i);
        for (int k = 0; k < 2; k++) {
            trSimDef def = tr_sim_def_default();
            def.formulation = formulations[k];
            machine_refuses(&machine, &def, TR_E_MODEL, texts[i]);
        }
        machine_free(&machine);
    }
}

// Its pin is 0.1 m beside the one of the ground, and its velocity is not that of a rotation.
static void a_state_beside_the_constraints_is_moved_onto_them(void **state) {
    static const char *const formulations[] = {"lagrange", "lagrange_dense"};
    Machine                  machine = machine_new();
    int                      rod =
        machine_body(&machine, "rod",
                     TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 0.2), TR_VEC("com", 0.5, 0.0),
                               TR_VEC("velocity", 1.0, 0.5), TR_NUM("angular_velocity", 1.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, rod,
                  TR_PARAMS(TR_VEC("point1", 0.08, 0.06), TR_VEC("point2", 0.0, 0.0)));
    machine_build(&machine);
    for (int k = 0; k < 2; k++) {
        trSimDef def = tr_sim_def_default();
        def.formulation = formulations[k];
        trSim        *sim = machine_sim(&machine, &def);
        trSimStats    stats = tr_sim_stats(sim);
        trBodyState   frame = tr_sim_body(sim, rod);
        const double *q = tr_sim_q(sim), *q0 = machine.system->q0;
        double        most = fmax(fabs(q[0] - q0[0]), fmax(fabs(q[1] - q0[1]), fabs(q[2] - q0[2])));
        assert_true(stats.assembly_position.value == most);
        assert_true(most > 0.01 && most < 0.1);
        assert_true(hypot(frame.x - 0.08, frame.y - 0.06) <= 1e-12);
        assert_true(hypot(frame.vx, frame.vy) <= 1e-14);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

// q and v of every body, changed by no more than the projection's tolerance.
static void check_unharmed(Machine machine, const double *v) {
    trSimDef def = tr_sim_def_default();
    trSim   *sim = machine_sim(&machine, &def);
    assert_true(tr_sim_stats(sim).assembly_position.value <= 1e-12);
    for (int i = 0; i < machine.system->nq; i++) {
        assert_true(fabs(tr_sim_q(sim)[i] - machine.system->q0[i]) <= 1e-12);
    }
    for (int i = 0; v != NULL && i < machine.system->nv; i++) {
        assert_true(fabs(tr_sim_v(sim)[i] - v[i]) <= 1e-12);
    }
    tr_sim_destroy(sim);
    machine_free(&machine);
}

static void a_state_on_the_constraints_is_left_alone(void **state) {
    Machine pendulum = machine_pendulum(0.3);
    check_unharmed(pendulum, pendulum.system->v0);
    Machine driven = machine_driven(0.7, 2.5, -1.0);
    check_unharmed(driven, driven.system->v0);
    check_unharmed(machine_four_bar(1.0), NULL);
    check_unharmed(machine_four_bar(0.0), NULL);
}

// The crank turns at 1 rad/s at first and the others stand still: velocities must be made
// consistent, and the smallest change in the kinetic metric never adds energy.
static void velocities_are_made_consistent_without_adding_energy(void **state) {
    Machine  machine = machine_four_bar(1.0);
    trSimDef def = tr_sim_def_default();
    trSim   *sim = machine_sim(&machine, &def);
    assert_true(tr_sim_stats(sim).velocity.length <= 1e-13);
    double before = tr_eval_kinetic(&(trEval){.system = machine.system}, machine.system->q0,
                                    machine.system->v0);
    double after =
        tr_eval_kinetic(&(trEval){.system = machine.system}, tr_sim_q(sim), tr_sim_v(sim));
    assert_true(after < before && after > 0.01 * before);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_that_contradict_each_other_are_named_at_every_level),
        cmocka_unit_test(a_joint_that_cannot_be_closed_is_named),
        cmocka_unit_test(a_function_that_is_not_finite_at_the_start_is_named),
        cmocka_unit_test(motions_without_mass_are_named_with_the_remedy),
        cmocka_unit_test(a_state_beside_the_constraints_is_moved_onto_them),
        cmocka_unit_test(a_state_on_the_constraints_is_left_alone),
        cmocka_unit_test(velocities_are_made_consistent_without_adding_energy),
    };
    return cmocka_run_group_tests_name("assemble", tests, NULL, NULL);
}
