// SPDX-License-Identifier: MIT
// What tests of branches share: models from files beside them or from text, and their branches. A
// failure on the way fails the test.

#ifndef TR_TESTS_BRANCHES_CASE_H
#define TR_TESTS_BRANCHES_CASE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"
#include "trammel/trammel.h"

typedef struct Case {
    Machine    machine;
    trSimDef   def;
    trBranches branches;
} Case;

static inline void case_build(Case *c, trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    machine_build(&c->machine);
}

// A file of tests/check or models/benchmark, with settings "N=40" that end with NULL; or NULL.
static inline Case case_file(const char *file, const char *const *set) {
    char path[1024];
    Case c = {.def = tr_sim_def_default()};
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, file);
    case_build(&c, tr_lua_load(path, set, &c.machine.model, &c.def));
    return c;
}

static inline Case case_text(const char *text) {
    Case c = {.def = tr_sim_def_default()};
    case_build(&c,
               tr_lua_load_text("text.lua", text, strlen(text), NULL, &c.machine.model, &c.def));
    return c;
}

// At the pose that the model gives, which is on the constraints.
static inline void case_find(Case *c) {
    const trSystem *system = c->machine.system;
    if (tr_branches_find(system, c->def.start, system->q0, c->def.rank_tolerance, &c->branches) !=
        TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static inline void case_free(Case *c) {
    tr_branches_free(&c->branches);
    machine_free(&c->machine);
}

static inline void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g, off by %.3g", value, expected, fabs(value - expected));
    }
}

// Crank and rod of 1 m, folded together along y with the slider on the pivot. With changes a and c
// of their angles the slider goes to x = c - a, and a^2 = c^2 for it to stay on the guide: both
// turn together and the slider stays, or they turn against each other and x = -2 a.
static const char slider_crank[] =
    "local m = model { name = 'slider crank' }\n"
    "local pi = math.pi\n"
    "local crank = m:body { name = 'crank', mass = 1, inertia = 0.1, angle = pi / 2,\n"
    "                       com = { 0.5, 0 } }\n"
    "local rod = m:body { name = 'rod', mass = 1, inertia = 0.1, at = { 0, 1 },\n"
    "                     angle = -pi / 2, com = { 0.5, 0 } }\n"
    "local slider = m:body { name = 'slider', mass = 1, inertia = 0.1 }\n"
    "m:joint { 'revolute', name = 'O', m.ground, crank, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'A', crank, rod, point = { 0, 1 } }\n"
    "m:joint { 'revolute', name = 'B', rod, slider, point = { 0, 0 } }\n"
    "m:joint { 'prismatic', name = 'guide', m.ground, slider, axis = { 1, 0 } }\n"
    "return m\n";

// The flat parallel four-bar in space: three rows more than it needs, in every pose, whose forms
// vanish.
static const char in_space[] =
    "local m = model { name = 'in space', dim = 3 }\n"
    "local inertia, z = { 0.1, 1, 1 }, { 0, 0, 1 }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = inertia, com = { 0.5, 0, 0 } }\n"
    "local b = m:body { name = 'b', mass = 1, inertia = inertia, at = { 1, 0, 0 },\n"
    "                   com = { 1, 0, 0 } }\n"
    "local c = m:body { name = 'c', mass = 1, inertia = inertia, at = { 2, 0, 0 },\n"
    "                   com = { 0.5, 0, 0 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0, 0 }, axis = z }\n"
    "m:joint { 'revolute', name = 'B', a, b, point = { 1, 0, 0 }, axis = z }\n"
    "m:joint { 'revolute', name = 'C', b, c, point = { 3, 0, 0 }, axis = z }\n"
    "m:joint { 'revolute', name = 'D', m.ground, c, point = { 2, 0, 0 }, axis = z }\n"
    "return m\n";

#endif
