// SPDX-License-Identifier: MIT
// What a gear or a rack and pinion puts on ground is what it puts on a body that is welded to
// ground in its place. It is not the opposite of the load on the other wheel: the carrier bears
// the rest.

#include <math.h>
#include <stdio.h>

#include "support/machines.h"
#include "support/test.h"

#define MOST 32        // multipliers and velocities of the machines here
#define ROUNDED 1e-12  // loads are of the order of 1

typedef struct Case {
    const char *kind;
    int         dim;
    const char *coordinates;
    bool        carried;   // by the arm; else by ground
    int         grounded;  // which of the two wheels
} Case;

static int add_body(Machine *machine, const Case *c, const char *name, double x) {
    return c->dim == 2
               ? machine_body(
                     machine, name,
                     TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.4), TR_VEC("at", x, 0.0)))
               : machine_body(machine, name,
                              TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.4, 0.5, 0.6),
                                        TR_VEC("at", x, 0.0, 0.0)));
}

// `other` turns about an axis, or shifts along x, in `on`.
static void guide(Machine *machine, const Case *c, const char *name, bool slides, int on, int other,
                  trVec3 axis) {
    const char *kind = slides ? "prismatic" : "revolute";
    if (slides) {
        axis = (trVec3){1.0, 0.0, 0.0};
    }
    if (c->dim == 2 && !slides) {
        machine_joint(machine, kind, name, on, other, NULL);
    } else if (c->dim == 2) {
        machine_joint(machine, kind, name, on, other, TR_PARAMS(TR_VEC("axis", 1.0, 0.0)));
    } else {
        machine_joint(machine, kind, name, on, other,
                      TR_PARAMS(TR_VEC("axis", axis.x, axis.y, axis.z)));
    }
}

static void mesh(Machine *machine, const Case *c, int one, int two, int carrier, trVec3 axis1,
                 trVec3 axis2) {
    const bool    gear = c->kind[0] == 'g';
    const trParam of_kind = {.key = gear ? "ratio" : "radius",
                             .kind = TR_PARAM_NUMBER,
                             .number = gear ? 1.0 / 3.0 : 0.3};
    const trParam carried = TR_BODY("carrier", carrier);
    if (c->dim == 3 && gear) {
        machine_joint(machine, c->kind, "mesh", one, two,
                      TR_PARAMS(of_kind, carried, TR_VEC("world_axis1", axis1.x, axis1.y, axis1.z),
                                TR_VEC("world_axis2", axis2.x, axis2.y, axis2.z)));
    } else if (c->dim == 3) {
        machine_joint(machine, c->kind, "mesh", one, two,
                      TR_PARAMS(of_kind, carried, TR_VEC("world_axis1", 1.0, 0.0, 0.0),
                                TR_VEC("world_axis2", axis2.x, axis2.y, axis2.z)));
    } else if (gear) {
        machine_joint(machine, c->kind, "mesh", one, two, TR_PARAMS(of_kind, carried));
    } else {
        machine_joint(machine, c->kind, "mesh", one, two,
                      TR_PARAMS(of_kind, carried, TR_VEC("world_axis1", 1.0, 0.0)));
    }
}

// An arm that turns in ground, a wheel or a rack on it or on ground, and the other one held fast:
// ground itself, or a body welded to it. Torques act on the arm and the wheel.
static Machine machine_of(const Case *c, bool welded) {
    const trVec3 up = {0.0, 0.0, 1.0}, oblique = {0.6, 0.0, 0.8};
    const trVec3 own = c->dim == 3 && c->kind[0] == 'g' ? oblique : up;
    const bool   slides = c->kind[0] == 'r' && c->grounded == 2;
    Machine      machine = {0};
    assert_int_equal(tr_model_create(c->dim == 3 ? TR_PARAMS(TR_NUM("dim", 3.0),
                                                             TR_WORD("coordinates", c->coordinates))
                                                 : TR_PARAMS(TR_NUM("dim", 2.0)),
                                     &machine.model),
                     TR_OK);
    const int arm = add_body(&machine, c, "arm", 0.0), wheel = add_body(&machine, c, "wheel", 0.7);
    const int carrier = c->carried ? arm : TR_GROUND;
    int       fast = TR_GROUND;
    guide(&machine, c, "bearing", false, TR_GROUND, arm, up);
    guide(&machine, c, "guide", slides, carrier, wheel, own);
    if (welded) {
        fast = add_body(&machine, c, "fast", 0.0);
        machine_joint(&machine, "fixed", "weld", TR_GROUND, fast, NULL);
    }
    mesh(&machine, c, c->grounded == 1 ? fast : wheel, c->grounded == 2 ? fast : wheel, carrier,
         c->grounded == 1 ? up : own, c->grounded == 2 ? up : own);
    machine_force(&machine, "torque", "motor", TR_GROUND, arm,
                  TR_PARAMS(TR_NUM(c->dim == 2 ? "moment" : "mz", 0.9)));
    machine_force(&machine, "torque", "brake", TR_GROUND, wheel,
                  TR_PARAMS(TR_NUM(c->dim == 2 ? "moment" : "mz", -2.3)));
    machine_build(&machine);
    return machine;
}

static const char *words(const Case *c) {
    static char text[128];
    snprintf(text, sizeof text, "%s, dim %d, %s, wheel %d held, carried by %s", c->kind, c->dim,
             c->coordinates, c->grounded, c->carried ? "the arm" : "ground");
    return text;
}

static int mesh_of(const Machine *machine) {
    int joint = -1;
    assert_int_equal(tr_system_find(machine->system, TR_THING_JOINT, "mesh", &joint), TR_OK);
    return joint;
}

typedef struct Loads {
    trReaction reaction;  // zero for wheel 1, of which there is none
    trLoad3    load;      // on the wheel that is held
} Loads;

// At the start, where a force along x moves a rack as well.
static Loads loads_of(const Case *c, bool welded) {
    Machine machine = machine_of(c, welded);
    trEval *e = NULL;
    double  a[MOST], lambda[MOST];
    Loads   out = {0};
    trVec3  point;
    assert_int_equal(tr_eval_create(machine.system, &e), TR_OK);
    assert_int_equal(tr_eval_at(e, 0.0, NULL, NULL, NULL), TR_OK);
    assert_int_equal(tr_eval_solve(e, NULL, NULL, a, lambda), TR_OK);
    lambda[tr_system_joint(machine.system, mesh_of(&machine)).row] += 1.0;  // a rack bears nothing
    out.load = tr_system_reaction(e, mesh_of(&machine), c->grounded, lambda, &point);
    if (c->grounded == 2) {
        out.reaction = tr_eval_reaction(e, mesh_of(&machine), lambda);
        assert_string_equal(out.reaction.on, welded ? "fast" : "ground");
    }
    tr_eval_destroy(e);
    machine_free(&machine);
    return out;
}

static bool same(trVec3 a, trVec3 b) {
    return tr_length3(tr_sub3(a, b)) <= ROUNDED;
}

static void check(const Case *c) {
    const Loads      own = loads_of(c, false), wanted = loads_of(c, true);
    const trReaction a = own.reaction, b = wanted.reaction;
    if (!same(own.load.force, wanted.load.force) || !same(own.load.moment, wanted.load.moment) ||
        !(tr_length3(wanted.load.force) + tr_length3(wanted.load.moment) > 0.1)) {
        fail_msg("%s: force %g %g %g, moment %g %g %g instead of %g %g %g, %g %g %g", words(c),
                 own.load.force.x, own.load.force.y, own.load.force.z, own.load.moment.x,
                 own.load.moment.y, own.load.moment.z, wanted.load.force.x, wanted.load.force.y,
                 wanted.load.force.z, wanted.load.moment.x, wanted.load.moment.y,
                 wanted.load.moment.z);
    }
    assert_true(same((trVec3){a.fx, a.fy, a.fz}, (trVec3){b.fx, b.fy, b.fz}));
    assert_true(same((trVec3){a.mx, a.my, a.mz}, (trVec3){b.mx, b.my, b.mz}));
    assert_true(same((trVec3){a.x, a.y, a.z}, (trVec3){b.x, b.y, b.z}));
    assert_true(a.moment == a.mz);
}

static void ground_bears_what_a_body_welded_to_it_would(void **state) {
    static const char *const kinds[] = {"gear", "rack_and_pinion"};
    for (int i = 0; i < 24; i++) {
        const int  spatial = i / 8;
        const Case c = {.kind = kinds[i % 2],
                        .dim = spatial > 0 ? 3 : 2,
                        .coordinates = spatial == 2 ? "quaternion" : "body",
                        .carried = i / 2 % 2 != 0,
                        .grounded = 1 + i / 4 % 2};
        check(&c);
    }
}

// phi = turn_ring - turn_wheel / 3 + ...: the moment on the ring is -3 times that on the wheel.
static void a_ring_of_ground_bears_three_times_what_its_wheel_does(void **state) {
    const Case  c = {"gear", 2, "body", true, 2};
    Machine     machine = machine_of(&c, false);
    trSim      *sim = NULL;
    trRecorder *recorder = NULL;
    trSimDef    def = tr_sim_def_default();
    trReaction  mesh_load;
    def.duration = 0.5;
    assert_int_equal(tr_sim_create(machine.system, &def, &sim), TR_OK);
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
    assert_int_equal(tr_sim_reaction(sim, mesh_of(&machine), &mesh_load), TR_OK);
    const double alpha = tr_sim_acceleration(sim)[5];  // of the wheel
    const double on_wheel = 0.4 * alpha + 2.3;         // its bearing has no moment
    assert_true(fabs(mesh_load.moment + 3.0 * on_wheel) <= 1e-9);
    assert_true(fabs(on_wheel) > 0.1);
    const int     column = tr_recorder_find(recorder, "mesh.M");
    const double *last = tr_recorder_table(recorder) +
                         (tr_recorder_rows(recorder) - 1) * tr_recorder_columns(recorder);
    assert_true(column >= 0 && fabs(last[column] - mesh_load.moment) <= 1e-9);
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ground_bears_what_a_body_welded_to_it_would),
        cmocka_unit_test(a_ring_of_ground_bears_three_times_what_its_wheel_does),
    };
    return cmocka_run_group_tests_name("ground_loads", tests, NULL, NULL);
}
