// SPDX-License-Identifier: MIT
// Small assemblies of bodies (examples/modules/body.c), for tests and for bench/bench_gluing.c.

#ifndef TR_TESTS_GLUE_SCENES_H
#define TR_TESTS_GLUE_SCENES_H

#include "trammel/glue.h"

#define SCENE_MODULES 8

typedef struct Scene {
    trModel   *model;
    trSystem  *system;
    trCarrier *carrier;
    trGlue    *glue;
    int        modules;
    trModule   module[SCENE_MODULES];
} Scene;

// Two masses in a row, each with a spring k and a damper c to ground, joined by a spring.
typedef struct TwoMasses {
    double mass[2];   // [kg]
    double k, c;      // to ground [N/m], [N s/m]
    double coupling;  // between them [N/m]
    double start[2];  // velocities [m/s]
} TwoMasses;

// Links of 1 m, the first one hinged to ground: `count` modules, and as many joints.
typedef struct Links {
    int    count;
    double mass[SCENE_MODULES];   // [kg]
    double angle[SCENE_MODULES];  // at the start [rad]
    double gravity;               // [m/s^2]
} Links;

// What was made is to be freed also after a failure.
trStatus scene_two_masses(const TwoMasses *of, const trGlueDef *def, Scene *out);
trStatus scene_links(const Links *of, const trGlueDef *def, Scene *out);
// The parallel four-bar of paper 002 without its torque: three bodies, four joints. The crank turns
// by 2 pi rad/s for ever.
trStatus scene_four_bar(const trGlueDef *def, Scene *out);
// The four-bar of paper 004 at its start, released at rest under gravity: 2, 4 and 4 m.
trStatus scene_crank_rocker(const trGlueDef *def, Scene *out);
void     scene_free(Scene *s);

// x, y, angle, vx, vy, omega of a body.
void scene_state(Scene *s, int module, double state[6]);
// To the end, or to what stops it.
trStatus scene_run(Scene *s, const trGlueDef *def);

#endif
