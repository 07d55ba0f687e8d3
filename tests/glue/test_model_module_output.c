// SPDX-License-Identifier: MIT
// Every number that a model tells as a module: all columns of all of its bodies, frames and joints
// are those that a simulation records which starts from the module's state.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glue/model_module.h"
#include "model/model.h"
#include "sim/column_list.h"
#include "sim/sim.h"
#include "support/test.h"
#include "trammel/lua.h"

#define MOST 256  // columns of a model
#define STEPS 40

#define OK(call)                             \
    do {                                     \
        if ((call) != TR_OK) {               \
            fail_msg("%s", tr_last_error()); \
        }                                    \
    } while (0)

// Chains of three bodies with different masses, centers of mass and joints, frames on the second
// body and on ground, and forces of all kinds of energy.
static const char planar[] =
    "local m = model { gravity = { 0.3, -9.81 } }\n"
    "local a = m:body { name = 'a', mass = 2, inertia = 0.3, com = { 0.4, 0.1 }, angle = 0.3 }\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 0.1, at = { 1, 0.5 }, com = { 0.2, 0 },\n"
    "                   angle = -0.5 }\n"
    "local c = m:body { name = 'c', mass = 0.7, inertia = 0.05, at = { 1.5, 0.2 }, angle = 1,\n"
    "                   com = { 0, 0.1 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a }\n"
    "m:joint { 'revolute', name = 'B', a, b }\n"
    "m:joint { 'prismatic', name = 'C', b, c, axis = { 1, 0.4 } }\n"
    "m:force { 'spring', name = 'k', m.ground, c, world1 = { 3, 1 }, stiffness = 20,\n"
    "          damping = 2, length = 1 }\n"
    "m:frame { b, name = 'eye', at = { 0.3, -0.2 }, angle = 0.7 }\n"
    "m:frame { m.ground, name = 'post', at = { 2, 1 } }\n"
    "m:port { c, name = 'p', at = { 0.1, 0.2 } }\n"
    "return m\n";

static const char spatial[] =
    "local m = model { dim = 3, gravity = { 0.3, -0.2, -9.81 } }\n"
    "local a = m:body { name = 'a', mass = 2, inertia = { 0.3, 0.2, 0.25, 0.01, 0.02, -0.03 },\n"
    "                   com = { 0.4, 0.1, -0.2 }, rotation = { 0.3, 0.1, -0.2 } }\n"
    "local b = m:body { name = 'b', mass = 1, inertia = { 0.1, 0.12, 0.08 }, at = { 1, 0.5, 0 },\n"
    "                   com = { 0.2, 0, 0.1 }, rotation = { -0.5, 0.4, 1 } }\n"
    "local c = m:body { name = 'c', mass = 0.7, inertia = { 0.05, 0.04, 0.06 },\n"
    "                   at = { 1.5, 0.2, 0.3 }, rotation = { 0, 1, 0.5 }, com = { 0, 0.1, 0.1 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, axis = { 0, 1, 0.3 } }\n"
    "m:joint { 'spherical', name = 'B', a, b }\n"
    "m:joint { 'prismatic', name = 'C', b, c, axis = { 1, 0.4, -0.3 } }\n"
    "m:force { 'spring', name = 'k', m.ground, c, world1 = { 3, 1, 0.5 }, stiffness = 20,\n"
    "          damping = 2, length = 1 }\n"
    "m:frame { b, name = 'eye', at = { 0.3, -0.2, 0.1 }, rotation = { 0.7, -0.3, 0.2 } }\n"
    "m:frame { m.ground, name = 'post', at = { 2, 1, 0.5 } }\n"
    "m:port { c, name = 'p', at = { 0.1, 0.2, -0.1 } }\n"
    "return m\n";

// The model as a module of its own, glued to nothing and moved for some steps.
typedef struct Moved {
    trModel   *model, *ports;
    trSystem  *system, *between;
    trModule   module;
    trCarrier *carrier;
    trGlue    *glue;
    trSimDef   def;
} Moved;

static void move(const char *text, int dim, Moved *out) {
    static const char *const names[] = {"m"};
    trGlueDef                def = tr_glue_def_default();
    int                      body = 0;
    *out = (Moved){.def = tr_sim_def_default()};
    OK(tr_lua_load_text("outputs.lua", text, strlen(text), NULL, &out->model, &out->def));
    OK(tr_system_build(out->model, &out->system));
    OK(tr_module_open_system(out->system, &out->module));
    OK(tr_model_create(TR_PARAMS(TR_NUM("dim", dim)), &out->ports));
    const trParam *one = dim == 2 ? TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1))
                                  : TR_PARAMS(TR_NUM("mass", 1), TR_VEC("inertia", 1, 1, 1));
    OK(tr_model_add_body(out->ports, "m.p", one, &body));
    out->ports->gravity = (trVec3){0.0, 0.0, 0.0};
    OK(tr_system_build(out->ports, &out->between));
    OK(tr_carrier_create_local(1, names, &out->module, &out->carrier));
    def.tolerance = 1e-13;
    OK(tr_glue_create(out->between, out->carrier, &def, &out->glue));
    for (int i = 0; i < STEPS; i++) {
        OK(tr_glue_step(out->glue));
    }
}

static void moved_free(Moved *m) {
    tr_glue_destroy(m->glue);
    tr_carrier_destroy(m->carrier);
    tr_system_destroy(m->between);
    tr_system_destroy(m->system);
    tr_model_destroy(m->ports);
    tr_model_destroy(m->model);
}

// The first row of a simulation from the module's state on.
static trSim *simulate(const Moved *m, trRecorder **recorder) {
    const trModelModule *own = m->module.self;
    trSim               *sim = NULL;
    trSimDef             def = tr_sim_def_default();
    def.start = tr_glue_time(m->glue);
    def.duration = 1e-3;
    def.q = (trNumbers){own->system->nq, own->q};
    def.v = (trNumbers){own->system->nv, own->v};
    OK(tr_sim_create(m->system, &def, &sim));
    OK(tr_recorder_create(recorder));
    OK(tr_recorder_add(*recorder, "memory", NULL));
    OK(tr_sim_run(sim, *recorder, NULL));
    return sim;
}

// Whether a column belongs to a body, frame or joint, or is one of the two energies.
static bool is_output(const trSystem *s, const char *column) {
    const char *dot = strrchr(column, '.');
    size_t      length = dot != NULL ? (size_t)(dot - column) : 0;
    bool found = strcmp(column, "energy.kinetic") == 0 || strcmp(column, "energy.potential") == 0;
    for (int i = 0; dot != NULL && i < s->bodies + s->frames + s->joints; i++) {
        const char *name = i < s->bodies               ? s->body[i].name
                           : i < s->bodies + s->frames ? s->frame[i - s->bodies].name
                                                       : s->joint[i - s->bodies - s->frames].name;
        found |= strlen(name) == length && strncmp(name, column, length) == 0;
    }
    return found;
}

// The module's a and lambda solve its equations within 1e-13 (1 + |a|); loads are those times
// masses and arms, and the simulation may move its start by as much. Everything is below 100.
static void compare(Moved *m, int expected) {
    const char     *name[MOST];
    int             at[MOST], count = 0;
    double          value[MOST + 1], moving = 0.0;
    const trColumn *column = NULL;
    trRecorder     *recorder = NULL;
    trSim          *sim = simulate(m, &recorder);
    int             columns = tr_sim_columns(sim, &column);
    const double   *row = tr_recorder_table(recorder);
    for (int i = 0; i < columns; i++) {
        if (is_output(m->system, column[i].name)) {
            assert_true(count < MOST);
            at[count] = i;
            name[count++] = column[i].name;
        }
    }
    assert_int_equal(count, expected);
    OK(tr_module_choose_outputs(&m->module, count, name));
    for (int i = 0; i <= count; i++) {
        value[i] = 1234.5;
    }
    assert_int_equal(m->module.output(m->module.self, value), 0);
    for (int i = 0; i < count; i++) {
        assert_string_equal(m->module.output_name[i], name[i]);
        assert_string_equal(m->module.output_unit[i], column[at[i]].unit);
        if (!(fabs(value[i] - row[at[i]]) <= 1e-9)) {
            fail_msg("%s is %.17g, should be %.17g", name[i], value[i], row[at[i]]);
        }
        moving += fabs(row[at[i]]) > 1e-3 ? 1.0 : 0.0;
    }
    assert_true(value[count] == 1234.5);
    assert_true(moving > 0.7 * count);  // numbers that differ from zero and from each other
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
}

// Frames: the eye, the post and the port.
static void planar_outputs_are_those_of_a_simulation(void **state) {
    Moved m;
    move(planar, 2, &m);
    compare(&m, 9 * (3 + 3) + 3 * 3 + 2);
    moved_free(&m);
}

static void spatial_outputs_are_those_of_a_simulation(void **state) {
    Moved m;
    move(spatial, 3, &m);
    compare(&m, 19 * (3 + 3) + 6 * 3 + 2);
    moved_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_outputs_are_those_of_a_simulation),
        cmocka_unit_test(spatial_outputs_are_those_of_a_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
