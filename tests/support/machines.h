// SPDX-License-Identifier: MIT
// Small mechanisms built through the C interface, for tests of systems and simulations. A failure
// to build one fails the test.

#ifndef TR_TESTS_SUPPORT_MACHINES_H
#define TR_TESTS_SUPPORT_MACHINES_H

#include "sim/sim.h"
#include "trammel/trammel.h"

#define GRAVITY 9.81  // [m/s^2], downwards

typedef struct Machine {
    trModel  *model;
    trSystem *system;
} Machine;

Machine machine_new(void);  // with gravity and without bodies
int     machine_body(Machine *machine, const char *name, const trParam *params);
void    machine_joint(Machine *machine, const char *kind, const char *name, int body1, int body2,
                      const trParam *params);
void    machine_force(Machine *machine, const char *kind, const char *name, int body1, int body2,
                      const trParam *params);
void    machine_build(Machine *machine);
void    machine_free(Machine *machine);

// c0 + c1 t + c2 t^2, and sqrt(t - t0); owned by the model.
const trTape *machine_polynomial(Machine *machine, double c0, double c1, double c2);
const trTape *machine_root(Machine *machine, double t0);
// 1 / (t - t0): a pole at t0.
const trTape *machine_pole(Machine *machine, double t0);
// 0 before t0, then height + slope (t - t0).
const trTape *machine_switch(Machine *machine, double t0, double height, double slope);

// A rod of 1 m and 2 kg that hangs from the origin by the joint "pin", at an angle to the x axis.
Machine machine_pendulum(double angle);
// A crank of 1 m at 60 degrees, a coupler of 2 m and a follower of 1.5 m, joints "O", "A", "B" and
// "D" from ground to ground. `coupler` is the mass of the coupler.
Machine machine_four_bar(double coupler);
// A crank of 1 m that a joint "motor" turns by angle(t) = c0 + c1 t + c2 t^2.
Machine machine_driven(double c0, double c1, double c2);

// What stands for tr_sim_create in most tests.
trSim *machine_sim(const Machine *machine, const trSimDef *def);

// tr_sim_create must fail with this status and this part of a text.
void machine_refuses(const Machine *machine, const trSimDef *def, trStatus status,
                     const char *part);

#endif
