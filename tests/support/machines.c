// SPDX-License-Identifier: MIT
#include "support/machines.h"

#include <math.h>
#include <string.h>

#include "support/test.h"
#include "tape/tape.h"

static void require(trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

Machine machine_new(void) {
    Machine machine = {0};
    require(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, -GRAVITY)), &machine.model));
    return machine;
}

int machine_body(Machine *machine, const char *name, const trParam *params) {
    int body = TR_GROUND;
    require(tr_model_add_body(machine->model, name, params, &body));
    return body;
}

void machine_joint(Machine *machine, const char *kind, const char *name, int body1, int body2,
                   const trParam *params) {
    require(tr_model_add_joint(machine->model, kind, name, body1, body2, params, NULL));
}

void machine_force(Machine *machine, const char *kind, const char *name, int body1, int body2,
                   const trParam *params) {
    require(tr_model_add_force(machine->model, kind, name, body1, body2, params, NULL));
}

void machine_build(Machine *machine) {
    require(tr_system_build(machine->model, &machine->system));
}

void machine_free(Machine *machine) {
    tr_system_destroy(machine->system);
    tr_model_destroy(machine->model);
    *machine = (Machine){0};
}

const trTape *machine_polynomial(Machine *machine, double c0, double c1, double c2) {
    trTape *tape = tr_tape_create(machine->model->arena);
    int     t = tr_tape_time(tape);
    int     sum = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, c2), t, -1);
    sum = tr_tape_op(tape, TR_OP_ADD, sum, tr_tape_constant(tape, c1), -1);
    sum = tr_tape_op(tape, TR_OP_MUL, sum, t, -1);
    sum = tr_tape_op(tape, TR_OP_ADD, sum, tr_tape_constant(tape, c0), -1);
    tr_tape_finish(tape, sum, "polynomial");
    require(tr_tape_status(tape));
    return tape;
}

const trTape *machine_root(Machine *machine, double t0) {
    trTape *tape = tr_tape_create(machine->model->arena);
    int     u = tr_tape_op(tape, TR_OP_SUB, tr_tape_time(tape), tr_tape_constant(tape, t0), -1);
    tr_tape_finish(tape, tr_tape_op(tape, TR_OP_SQRT, u, -1, -1), "root");
    require(tr_tape_status(tape));
    return tape;
}

const trTape *machine_pole(Machine *machine, double t0) {
    trTape *tape = tr_tape_create(machine->model->arena);
    int     u = tr_tape_op(tape, TR_OP_SUB, tr_tape_time(tape), tr_tape_constant(tape, t0), -1);
    tr_tape_finish(tape, tr_tape_op(tape, TR_OP_DIV, tr_tape_constant(tape, 1.0), u, -1), "pole");
    require(tr_tape_status(tape));
    return tape;
}

const trTape *machine_switch(Machine *machine, double t0, double height, double slope) {
    trTape *tape = tr_tape_create(machine->model->arena);
    int     t = tr_tape_time(tape), start = tr_tape_constant(tape, t0);
    int     u = tr_tape_op(tape, TR_OP_SUB, t, start, -1);
    int     rise = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, slope), u, -1);
    int     after = tr_tape_op(tape, TR_OP_ADD, tr_tape_constant(tape, height), rise, -1);
    int     before = tr_tape_op(tape, TR_OP_LESS, t, start, -1);
    tr_tape_finish(tape, tr_tape_op(tape, TR_OP_WHERE, before, tr_tape_constant(tape, 0.0), after),
                   "switch");
    require(tr_tape_status(tape));
    return tape;
}

Machine machine_pendulum(double angle) {
    Machine machine = machine_new();
    int     rod = machine_body(&machine, "rod",
                               TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 2.0 / 12.0),
                                         TR_NUM("angle", angle), TR_VEC("com", 0.5, 0.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, rod, NULL);
    machine_build(&machine);
    return machine;
}

// The pin B is where circles of 2 m about A and 1.5 m about D meet, above the line from A to D.
Machine machine_four_bar(double coupler_mass) {
    Machine machine = machine_new();
    double  ax = 0.5, ay = sqrt(0.75), dx = 2.0, l2 = 2.0, l3 = 1.5;
    double  span = hypot(dx - ax, ay), along = (span * span + l2 * l2 - l3 * l3) / (2.0 * span);
    double  angle2 = atan2(-ay, dx - ax) + acos(along / l2);
    double  bx = ax + l2 * cos(angle2), by = ay + l2 * sin(angle2);
    int     crank = machine_body(&machine, "crank",
                                 TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1),
                                           TR_NUM("angle", atan2(ay, ax)), TR_VEC("com", 0.5, 0.0),
                                           TR_NUM("angular_velocity", 1.0)));
    int     coupler = machine_body(
            &machine, "coupler",
            TR_PARAMS(TR_NUM("mass", coupler_mass), TR_NUM("inertia", coupler_mass / 3.0),
                      TR_VEC("at", ax, ay), TR_NUM("angle", angle2), TR_VEC("com", 1.0, 0.2)));
    int follower =
        machine_body(&machine, "follower",
                     TR_PARAMS(TR_NUM("mass", 1.5), TR_NUM("inertia", 0.3), TR_VEC("at", dx, 0.0),
                               TR_NUM("angle", atan2(by, bx - dx)), TR_VEC("com", 0.75, -0.1)));
    machine_joint(&machine, "revolute", "O", TR_GROUND, crank, NULL);
    machine_joint(&machine, "revolute", "A", crank, coupler, NULL);
    machine_joint(&machine, "revolute", "B", coupler, follower,
                  TR_PARAMS(TR_VEC("point1", l2, 0.0), TR_VEC("point2", l3, 0.0)));
    machine_joint(&machine, "revolute", "D", follower, TR_GROUND,
                  TR_PARAMS(TR_VEC("point", dx, 0.0)));
    machine_build(&machine);
    return machine;
}

Machine machine_driven(double c0, double c1, double c2) {
    Machine machine = machine_new();
    int     crank =
        machine_body(&machine, "crank",
                     TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 0.5), TR_NUM("angle", c0),
                               TR_NUM("angular_velocity", c1), TR_VEC("com", 0.4, 0.1)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, crank, NULL);
    machine_joint(&machine, "driven_angle", "motor", TR_GROUND, crank,
                  TR_PARAMS(TR_TIME("angle", machine_polynomial(&machine, c0, c1, c2))));
    machine_build(&machine);
    return machine;
}

trSim *machine_sim(const Machine *machine, const trSimDef *def) {
    trSim *sim = NULL;
    require(tr_sim_create(machine->system, def, &sim));
    return sim;
}

void machine_refuses(const Machine *machine, const trSimDef *def, trStatus status,
                     const char *part) {
    trSim   *sim = NULL;
    trStatus got = tr_sim_create(machine->system, def, &sim);
    if (got == TR_OK) {
        tr_sim_destroy(sim);
        fail_msg("this should be refused: %s", part);
    }
    if (got != status || strstr(tr_last_error(), part) == NULL) {
        fail_msg("status %d, '%s', is not %d with '%s'", (int)got, tr_last_error(), (int)status,
                 part);
    }
    assert_null(sim);
}
