// SPDX-License-Identifier: MIT
// What is left out of a joint or force counts as its documentation says: the same equations come
// out as with the default written down.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random.h"
#include "support/test.h"
#include "system/system.h"
#include "trammel/trammel.h"

#define ROOM 160

// Turned bodies, where axes of the world and of bodies differ.
static const char spatial[] =
    "local m = model { dim = 3, gravity = { 0, 0, 0 } }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = { 3, 2, 2.5, 0.3, -0.2, 0.4 },\n"
    "    at = { 0.3, -0.2, 0.5 }, rotation = { 0.4, 1, -0.3 }, com = { 0.1, 0.2, 0.3 } }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = { 2, 2.2, 3, -0.1, 0.4, 0.2 },\n"
    "    at = { 1, 2, 0.6 }, rotation = { -0.7, 0.2, 0.5 }, com = { -0.2, 0.1, 0.4 } }\n"
    "local bumpy = tabulated { { -9, 0 }, { -1, 0.1 }, { 0, 0.3 }, { 1, 0.2 }, { 2, 0.5 }, { 9, 0 "
    "} }\n";

static const char planar[] =
    "local m = model { gravity = { 0, 0 } }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 1, at = { 0.3, -0.2 }, angle = 0.5,\n"
    "    com = { 0.1, 0.2 } }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = 1, at = { 1, 2 }, angle = -0.8,\n"
    "    com = { -0.2, 0.1 } }\n";

// In words: who, between whom, what is given, what is left out with its default.
static const struct {
    int         dim;
    const char *what, *given, *left_out;
} rows[] = {
    {2, "joint", "'distance', a, b", "point1 = { 0, 0 }, point2 = { 0, 0 }"},
    {2, "joint", "'distance', a, b", "length = math.sqrt(0.7^2 + 2.2^2)"},
    {2, "joint", "'fixed', a, b", "point = { 1, 2 }, angle = -1.3"},
    {2, "joint", "'prismatic', a, b", "axis1 = { 1, 0 }, point = { 1, 2 }, angle = -1.3"},
    {2, "joint", "'point_on_line', a, b", "axis1 = { 1, 0 }, point = { 1, 2 }"},
    {2, "joint", "'revolute', a, b", "point2 = { 0, 0 }"},
    {2, "joint", "'knife_edge', a, b", "axis2 = { 1, 0 }, point = { 1, 2 }"},
    {2, "joint", "'driven_coordinate', a, b, value = 1",
     "axis1 = { 1, 0 }, point = { 1, 2 }, point1 = { 0, 0 }"},
    {2, "force", "'gravity', b", "acceleration = { 0, -9.81 }"},
    {2, "force", "'point_force', b, fx = 3", "fy = 0, frame = 'world', point = { 1, 2 }"},
    {2, "force", "'point_force', b, fy = 3", "fx = 0"},
    {2, "force", "'spring', a, b, stiffness = 7", "length = math.sqrt(0.7^2 + 2.2^2)"},
    {2, "force", "'torsion_spring', a, b, stiffness = 7", "angle = -1.3"},
    {3, "joint", "'distance', a, b", "length = math.sqrt(0.7^2 + 2.2^2 + 0.1^2)"},
    {3, "joint", "'spherical', a, b", "point = { 1, 2, 0.6 }"},
    {3, "joint", "'revolute', a, b, axis = { 1, 2, 3 }", "point = { 1, 2, 0.6 }"},
    {3, "joint", "'gear', a, b, ratio = 2, world_axis1 = { 1, 2, 3 }", "world_axis2 = { 1, 2, 3 }"},
    {3, "force", "'gravity', b", "acceleration = { 0, 0, -9.81 }"},
    {3, "force", "'point_force', b, fy = 3", "fx = 0, fz = 0, frame = 'world'"},
    {3, "force", "'point_force', b, fx = 3", "fy = 0, point = { 1, 2, 0.6 }"},
    {3, "force", "'torque', a, b, mz = 3", "mx = 0, my = 0, frame = 'world'"},
    {3, "force", "'torque', a, b, mx = 3", "mz = 0"},
    {3, "force", "'spring', a, b, stiffness = 7", "length = math.sqrt(0.7^2 + 2.2^2 + 0.1^2)"},
    {3, "force", "'torsion_spring', a, b, axis = { 1, 2, 3 }, stiffness = 7", "angle = 0"},
    {3, "force", "'bushing', a, b, stiffness = { 1, 2, 3, 4, 5, 6 }",
     "x_axis = { 1, 0, 0 }, y_axis = { 0, 1, 0 }, point = { 1, 2, 0.6 },"
     "damping = { 0, 0, 0, 0, 0, 0 }, preload = { 0, 0, 0, 0, 0, 0 }"},
    {3, "force", "'bump_stop', a, b, axis = { 1, 0, 0 }, limit = 0.1, stiffness = 9",
     "side = 'above', damping = 0"},
    {3, "force", "'joint_friction', a, b, axis = { 1, 2, 3 }, damping = 2",
     "point = { 1, 2, 0.6 }"},
    {3, "force", "'contact', a, b, stiffness = 50, radius = 0.9, profile = bumpy",
     "speed = 0, offset = 0, damping = 0, up = { 0, 0, 1 }, forward = { 1, 0, 0 }"},
    {3, "force", "'contact', a, b, stiffness = 50, radius = 0.9, profile = bumpy, offset = 0.3",
     "speed = 0"},
    {3, "force", "'contact', a, b, stiffness = 50, radius = 0.9, profile = bumpy, speed = 0.3",
     "offset = 0"},
    {3, "force", "'contact', a, b, stiffness = 50, radius = 0.9", "road = 0"},
};

typedef struct Numbers {
    int    count;
    double at[ROOM];
} Numbers;

static void add(Numbers *to, int count, const double *from) {
    assert_true(to->count + count <= ROOM);
    memcpy(to->at + to->count, from, (size_t)count * sizeof *from);
    to->count += count;
}

// A, b, phi, Q and the potential of a model at a state near its start, with fixed velocities.
static Numbers evaluate(int dim, const char *what, const char *given, const char *more) {
    char      text[2400];
    trModel  *model = NULL;
    trSystem *system = NULL;
    trSimDef  def = tr_sim_def_default();
    trArena  *arena = tr_arena_create();
    trRandom  random = {9};
    trEval    eval;
    double    q[14], v[12], dq[12];
    Numbers   out = {0};
    int       size = snprintf(text, sizeof text, "%sm:%s { %s, name = 'it', %s }\nreturn m\n",
                        dim == 3 ? spatial : planar, what, given, more);
    trStatus  status = tr_lua_load_text("defaults.lua", text, (size_t)size, NULL, &model, &def);
    status = status == TR_OK ? tr_system_build(model, &system) : status;
    status = status == TR_OK ? tr_eval_plan(arena, system, 1e-4, &eval) : status;
    if (status != TR_OK) {
        fail_msg("%s { %s, %s }: %s", what, given, more, tr_last_error());
    }
    for (int i = 0; i < system->nv; i++) {
        dq[i] = 0.1 * random_real(&random);
        v[i] = random_real(&random);
    }
    memcpy(q, system->q0, (size_t)system->nq * sizeof *q);
    tr_system_retract(system, dq, q);
    assert_int_equal(tr_system_eval(system, 0.7, q, v, &eval), TR_OK);
    const trEquations *e = &eval.equations;
    double             dense[6 * 12];
    tr_rows_dense(&e->A, dense);
    add(&out, e->m * e->nv, dense);
    add(&out, e->m, e->b);
    add(&out, e->m, e->phi);
    add(&out, e->nv, e->Q);
    add(&out, 1, &eval.potential);
    tr_system_destroy(system);
    tr_model_destroy(model);
    tr_arena_destroy(arena);
    return out;
}

// Rounding of the default as it is written down: numbers are below 100.
static void what_is_left_out_is_as_documented(void **state) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Numbers one = evaluate(rows[i].dim, rows[i].what, rows[i].given, "");
        Numbers two = evaluate(rows[i].dim, rows[i].what, rows[i].given, rows[i].left_out);
        double  most = 0.0;
        assert_int_equal(one.count, two.count);
        for (int k = 0; k < one.count; k++) {
            most = fmax(most, fabs(one.at[k]));
            if (!(fabs(one.at[k] - two.at[k]) <= 1e-12)) {
                fail_msg("%s { %s } without %s: number %d is %.17g, not %.17g", rows[i].what,
                         rows[i].given, rows[i].left_out, k, one.at[k], two.at[k]);
            }
        }
        if (!(most > 1e-3)) {
            fail_msg("%s { %s } does nothing here", rows[i].what, rows[i].given);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_left_out_is_as_documented)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
