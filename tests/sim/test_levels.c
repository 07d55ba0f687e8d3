// SPDX-License-Identifier: MIT
// What a simulation makes of the constraint levels at one state: the stabilized right side, the
// recorded violations, and the reactions on both bodies.

#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"

#define ROOM 32
#define RATIO (-2.5)  // of the gear

// A crank that a motor turns by sqrt(t + 1), a wheel that a gear ties to it, and a skate on the
// ground. Rows are in m and in rad, and one is nonholonomic.
static Machine machine_mixed(void) {
    Machine machine = machine_new();
    int     crank =
        machine_body(&machine, "crank",
                     TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 0.5), TR_NUM("angle", 1.0),
                               TR_NUM("angular_velocity", 0.5), TR_VEC("com", 0.4, 0.1)));
    int skate = machine_body(&machine, "skate",
                             TR_PARAMS(TR_NUM("mass", 0.8), TR_NUM("inertia", 0.05),
                                       TR_VEC("at", 4.0, -1.0), TR_NUM("angle", 0.7),
                                       TR_NUM("angular_velocity", 0.6), TR_VEC("com", 0.1, 0.05)));
    int wheel =
        machine_body(&machine, "wheel",
                     TR_PARAMS(TR_NUM("mass", 1.5), TR_NUM("inertia", 0.2), TR_VEC("at", 2.0, 0.0),
                               TR_NUM("angle", 0.3), TR_VEC("com", 0.2, 0.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, crank, NULL);
    machine_joint(&machine, "driven_angle", "motor", TR_GROUND, crank,
                  TR_PARAMS(TR_TIME("angle", machine_root(&machine, -1.0))));
    machine_joint(&machine, "knife_edge", "edge", TR_GROUND, skate, NULL);
    machine_joint(&machine, "revolute", "bearing", TR_GROUND, wheel,
                  TR_PARAMS(TR_VEC("point", 2.0, 0.0)));
    machine_joint(&machine, "gear", "gear", crank, wheel, TR_PARAMS(TR_NUM("ratio", RATIO)));
    machine_build(&machine);
    assert_true(machine.system->nv <= ROOM && machine.system->m <= ROOM);
    return machine;
}

static trRecorder *memory(void) {
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    return recorder;
}

static double cell(const trRecorder *recorder, long row, const char *name) {
    int column = tr_recorder_find(recorder, name);
    assert_true(column >= 0);
    return tr_recorder_table(recorder)[row * tr_recorder_columns(recorder) + column];
}

// Without projection the last row is the state itself, so the same numbers must come out of an
// evaluation of its own.
static void each_violation_has_its_own_column(void **state) {
    static const char *const name[] = {"violation.position.length", "violation.position.angle",
                                       "violation.velocity.length", "violation.velocity.angle"};
    Machine                  machine = machine_mixed();
    trSimDef                 def = tr_sim_def_default();
    double                   rate[ROOM], wanted[4] = {0.0};
    def.method = "lagrange";
    def.integrator = "rk4";
    def.step = 0.25;
    trSim      *sim = machine_sim(&machine, &def);
    trRecorder *recorder = memory();
    trArena    *arena = tr_arena_create();
    trEval      eval;
    assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
    assert_int_equal(tr_eval_plan(arena, machine.system, 1e-4, &eval), TR_OK);
    assert_int_equal(
        tr_system_eval(machine.system, tr_sim_time(sim), tr_sim_q(sim), tr_sim_v(sim), &eval),
        TR_OK);
    tr_rows_mul(&eval.equations.A, tr_sim_v(sim), rate);
    for (int i = 0; i < sim->m; i++) {
        const char *joint = machine.system->joint[machine.system->row_joint[i]].name;
        bool        angle = strcmp(joint, "motor") == 0 || strcmp(joint, "gear") == 0;
        wanted[angle] = fmax(wanted[angle], fabs(eval.phi[i]));
        wanted[2 + angle] = fmax(wanted[2 + angle], fabs(rate[i] - eval.b1[i]));
    }
    for (int k = 0; k < 4; k++) {
        double found = cell(recorder, tr_recorder_rows(recorder) - 1, name[k]);
        assert_true(wanted[k] > 1e-8);
        assert_true(fabs(found - wanted[k]) <= 1e-14);
        for (int other = 0; other < k; other++) {
            assert_true(fabs(wanted[k] - wanted[other]) > 1e-8);
        }
    }
    tr_arena_destroy(arena);
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// The reactions now, against those recorded in a row. A row is projected to rounding, which moves
// forces of 50 N by less than 1e-9.
static void check_reactions(trSim *sim, const trRecorder *recorder, long row) {
    static const char *const part[] = {"Fx", "Fy", "M"};
    for (int j = 0; j < sim->system->joints; j++) {
        trReaction reaction;
        char       name[64];
        assert_int_equal(tr_sim_reaction(sim, j, &reaction), TR_OK);
        const double found[] = {reaction.fx, reaction.fy, reaction.moment};
        for (int k = 0; k < 3; k++) {
            const char *joint = sim->system->joint[j].name;
            memcpy(name, joint, strlen(joint));
            name[strlen(joint)] = '.';
            memcpy(name + strlen(joint) + 1, part[k], strlen(part[k]) + 1);
            double wanted = cell(recorder, row, name);
            if (!(fabs(found[k] - wanted) <= 1e-9)) {
                fail_msg("%s at t = %g s is %.12g, not %.12g", name, tr_sim_time(sim), found[k],
                         wanted);
            }
        }
    }
}

// Choosing the first step evaluates elsewhere: the reactions must be those of the state.
static void reactions_are_those_recorded_at_the_same_time(void **state) {
    static const char *const integrators[] = {"dopri5", "dop853"};
    static const double      times[] = {0.0, 0.63, 1.0};
    Machine                  machine = machine_mixed();
    for (int i = 0; i < 2; i++) {
        trSimDef def = tr_sim_def_default();
        def.integrator = integrators[i];
        def.times = (trNumbers){3, times};
        trSim      *fresh = machine_sim(&machine, &def), *sim = machine_sim(&machine, &def);
        trRecorder *recorder = memory();
        assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
        check_reactions(fresh, recorder, 0);
        check_reactions(sim, recorder, 2);
        tr_recorder_destroy(recorder);
        tr_sim_destroy(fresh);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

// The moments of a gear are not opposite: body 1 bears -ratio times that of body 2. So every body's
// momentum is balanced, m a = Q + the loads of its joints, moments about the center of mass.
static void the_loads_of_all_joints_balance_every_body(void **state) {
    Machine         machine = machine_mixed();
    const trSystem *system = machine.system;
    trSimDef        def = tr_sim_def_default();
    trSim          *sim = machine_sim(&machine, &def);
    double          left[ROOM];
    assert_int_equal(tr_sim_run_to(sim, 0.7), TR_OK);
    assert_int_equal(tr_sim_accelerate(sim, 0.7, sim->x, sim->a), TR_OK);
    for (int i = 0; i < sim->nv; i++) {
        left[i] = sim->eval.Q[i] - system->mass[i] * sim->a[i];
    }
    for (int j = 0; j < system->joints; j++) {
        for (int side = 1; side <= 2; side++) {
            int     body = side == 1 ? system->joint[j].body1 : system->joint[j].body2;
            trVec3  point;
            trLoad3 load = tr_system_reaction(&sim->eval, j, side, sim->lambda, &point);
            if (body != TR_GROUND) {
                trVec2 r = sim->eval.motion2[body + 1].r;
                trVec3 arm = tr_sub3(point, (trVec3){r.x, r.y, 0.0});
                left[3 * body] += load.force.x;
                left[3 * body + 1] += load.force.y;
                left[3 * body + 2] += load.moment.z + tr_cross3(arm, load.force).z;
            }
        }
    }
    for (int i = 0; i < sim->nv; i++) {
        assert_true(fabs(left[i]) <= 1e-12);
    }
    trVec3  point;
    int     gear = system->joints - 1;
    trLoad3 on1 = tr_system_reaction(&sim->eval, gear, 1, sim->lambda, &point);
    trLoad3 on2 = tr_system_reaction(&sim->eval, gear, 2, sim->lambda, &point);
    assert_true(fabs(on2.moment.z) > 0.1);
    assert_true(fabs(on1.moment.z + RATIO * on2.moment.z) <= 1e-14 * fabs(on1.moment.z));
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_violation_has_its_own_column),
        cmocka_unit_test(reactions_are_those_recorded_at_the_same_time),
        cmocka_unit_test(the_loads_of_all_joints_balance_every_body),
    };
    return cmocka_run_group_tests_name("levels", tests, NULL, NULL);
}
