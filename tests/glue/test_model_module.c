// SPDX-License-Identifier: MIT
// A model as a module, by itself: what it solves, how it is saved, what it tells, what it refuses.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glue/cut.h"
#include "support/test.h"
#include "trammel/lua.h"

#define OK(call)                             \
    do {                                     \
        if ((call) != TR_OK) {               \
            fail_msg("%s", tr_last_error()); \
        }                                    \
    } while (0)

static trModel *load(const char *name, const char *const *set) {
    char     path[512];
    trModel *model = NULL;
    trSimDef def = tr_sim_def_default();
    snprintf(path, sizeof path, "%s/models/%s.lua", SOURCE_DIR, name);
    OK(tr_lua_load(path, set, &model, &def));
    return model;
}

static void glue_whole(const trModel *model, const trGlueDef *def, Cut *out) {
    const int all[CUT_BODIES] = {0};
    cut_model(model, all, false, out);
    OK(cut_glue(out, def));
}

static void run(Cut *cut, double t) {
    while (tr_glue_time(cut->glue) < t - 1e-9) {
        OK(tr_glue_step(cut->glue));
    }
}

// The largest violation of the module's own joints at the present state, on all levels.
static double worst_violation(const Cut *cut) {
    trModelModule     *m = (trModelModule *)cut_module(cut, 0);
    const trEquations *e = &m->eval.equations;
    double             row[64], most = 0.0;
    assert_true(m->system->m <= 64);
    OK(tr_module_look(m));
    for (int level = 0; level < 3; level++) {
        const double *right = level == 1 ? e->b1 : e->b;
        tr_rows_mul(&e->A, level == 2 ? m->a : m->v, row);
        for (int i = 0; i < m->system->m; i++) {
            most = fmax(most, fabs(level == 0 ? e->phi[i] : row[i] - right[i]));
        }
    }
    return most;
}

// --- uncut ---

// Errors of Newmark's formula against dop853 at tight tolerances shrink fourfold with half the
// step, and joints hold on all levels.
static void second_order(void **state) {
    static const char *const names[] = {"benchmark/pendulum_rod", "benchmark/four_bar",
                                        "benchmark/five_bar"};
    for (int k = 0; k < 3; k++) {
        trModel  *model = load(names[k], NULL), *twin = load(names[k], NULL);
        trSystem *system = NULL;
        trSim    *sim = NULL;
        trSimDef  sim_def = tr_sim_def_default();
        double    error[3] = {0.0};
        sim_def.rtol = sim_def.atol = 1e-12;
        OK(tr_system_build(twin, &system));
        OK(tr_sim_create(system, &sim_def, &sim));
        OK(tr_sim_run_to(sim, 0.5));
        for (int i = 0; i < 3; i++) {
            trGlueDef def = tr_glue_def_default();
            Cut       cut;
            def.step = 0.01 / (1 << i);
            def.duration = 0.5;
            def.tolerance = 1e-13;
            glue_whole(model, &def, &cut);
            run(&cut, 0.5);
            // tolerance (1 + |a|), and accelerations are below 50 m/s^2 and rad/s^2
            assert_true(worst_violation(&cut) < 5e-12);
            for (int j = 0; j < system->nq; j++) {
                error[i] = fmax(error[i], fabs(cut_module(&cut, 0)->q[j] - tr_sim_q(sim)[j]));
            }
            cut_free(&cut);
        }
        // 4 but for terms of higher order
        assert_true(error[0] / error[1] > 3.6 && error[0] / error[1] < 4.4);
        assert_true(error[1] / error[2] > 3.8 && error[1] / error[2] < 4.2);
        tr_sim_destroy(sim);
        tr_system_destroy(system);
        tr_model_destroy(model);
        tr_model_destroy(twin);
    }
}

// A constraint of the user's own: h^2 of the motion's own rates is 1e-5, at most.
static void functions_of_users(void **state) {
    static const char text[] =
        "local m = model { gravity = { 0, -9.81 } }\n"
        "local b = m:body { name = 'b', mass = 1, inertia = 0.1, at = { 1, 0 } }\n"
        "m:constraint { name = 'rod', b, phi = function(b, t) return b.x^2 + b.y^2 - 1 end }\n"
        "m:port { b, name = 'p' }\nreturn m\n";
    trModel                 *model = NULL, *ports = NULL;
    trSystem                *system = NULL, *between = NULL;
    trModule                 module;
    trCarrier               *carrier = NULL;
    trGlue                  *glue = NULL;
    trSim                   *sim = NULL;
    trSimDef                 sim_def = tr_sim_def_default();
    trGlueDef                def = tr_glue_def_default();
    int                      body = 0;
    static const char *const names[] = {"m"};
    OK(tr_lua_load_text("u.lua", text, sizeof text - 1, NULL, &model, &sim_def));
    OK(tr_system_build(model, &system));
    OK(tr_module_open_system(system, &module));
    OK(tr_model_create(TR_PARAMS(TR_NUM("dim", 2)), &ports));
    OK(tr_model_add_body(ports, "m.p", TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1)), &body));
    ports->gravity = (trVec3){0.0, 0.0, 0.0};
    OK(tr_system_build(ports, &between));
    OK(tr_carrier_create_local(1, names, &module, &carrier));
    OK(tr_glue_create(between, carrier, &def, &glue));
    OK(tr_sim_create(system, &sim_def, &sim));
    OK(tr_sim_run_to(sim, 0.5));
    while (tr_glue_time(glue) < 0.5 - 1e-9) {
        OK(tr_glue_step(glue));
    }
    trBodyState port = tr_glue_port(glue, 0), exact = tr_sim_body(sim, 0);
    assert_true(fabs(port.x - exact.x) < 1e-5 && fabs(port.y - exact.y) < 1e-5);
    assert_true(fabs(port.x * port.x + port.y * port.y - 1.0) < 1e-14);
    tr_sim_destroy(sim);
    tr_glue_destroy(glue);
    tr_carrier_destroy(carrier);
    tr_system_destroy(between);
    tr_system_destroy(system);
    tr_model_destroy(ports);
    tr_model_destroy(model);
}

// --- saving ---

static const trGlueStep next_step = {.t = 0.011,
                                     .h = 1e-3,
                                     .c_v = 5e-4,
                                     .c_q = 2.5e-7,
                                     .r0 = 1.0,
                                     .b0 = 0.25,
                                     .b1 = 0.25,
                                     .g0 = 0.5,
                                     .g1 = 0.5};
static const double     some_load[6] = {1.0, -2.0, 3.0, 0.1, 0.2, -0.3};

// What is left of an iteration, and the next step.
static void go_on(const trModule *m, double judged[2], double *W) {
    trGlueStep step = next_step;
    assert_int_equal(m->compliance(m->self, W), 0);
    assert_int_equal(m->apply(m->self, TR_LEVEL_LOAD, some_load), 0);
    assert_int_equal(m->residual(m->self, &judged[0]), 0);
    for (trLevel level = TR_LEVEL_FORCE; level < TR_LEVELS; level++) {
        assert_int_equal(m->apply(m->self, level, some_load), 0);
    }
    step.t += step.h;
    assert_int_equal(m->accept(m->self), 0);
    assert_int_equal(m->predict(m->self, &step), 0);
    assert_int_equal(m->residual(m->self, &judged[1]), 0);
}

// A module that goes on from a state that another one saved, in the middle of an iteration, is the
// same to the last bit.
static void saved_and_restored(void **state) {
    trModel  *model = load("benchmark/bricard", NULL);
    trGlueDef def = tr_glue_def_default();
    Cut       cut;
    trModule  other;
    double    judged[2][2], W[2][36];
    glue_whole(model, &def, &cut);
    run(&cut, 0.01);
    const trModule *m = &cut.module[0];
    assert_int_equal(m->accept(m->self), 0);
    assert_int_equal(m->predict(m->self, &next_step), 0);
    assert_int_equal(m->residual(m->self, &judged[0][0]), 0);
    OK(tr_module_open_system(cut.system[0], &other));
    size_t size = m->state_size(m->self);
    char  *bytes = malloc(size);
    assert_int_equal(size, other.state_size(other.self));
    assert_int_equal(m->save(m->self, bytes), 0);
    assert_int_equal(other.restore(other.self, bytes), 0);
    go_on(m, judged[0], W[0]);
    go_on(&other, judged[1], W[1]);
    const trModelModule *a = m->self, *b = other.self;
    assert_memory_equal(W[0], W[1], sizeof W[0]);
    assert_memory_equal(judged[0], judged[1], sizeof judged[0]);
    assert_memory_equal(a->q, b->q, (size_t)a->system->nq * sizeof *a->q);
    assert_memory_equal(a->v, b->v, (size_t)a->system->nv * sizeof *a->v);
    assert_memory_equal(a->a, b->a, (size_t)a->system->nv * sizeof *a->a);
    assert_memory_equal(a->lambda, b->lambda, (size_t)a->system->m * sizeof *a->lambda);
    free(bytes);
    other.close(other.self);
    cut_free(&cut);
    tr_model_destroy(model);
}

// Calls of two steps in the order of an exchange.
#define CALLS 14

static void call(const trModule *m, int i, double *told) {
    trGlueStep step = next_step;
    double     W[36];
    switch (i % 7) {
    case 0:
        assert_int_equal(m->compliance(m->self, W), 0);
        *told = W[7];
        break;
    case 1:
        assert_int_equal(m->apply(m->self, TR_LEVEL_LOAD, some_load), 0);
        break;
    case 2:
        assert_int_equal(m->residual(m->self, told), 0);
        break;
    case 3:
        assert_int_equal(m->output(m->self, told), 0);
        break;
    case 4:
        assert_int_equal(m->apply(m->self, TR_LEVEL_FORCE, some_load), 0);
        assert_int_equal(m->apply(m->self, TR_LEVEL_POSITION, some_load), 0);
        break;
    case 5:
        assert_int_equal(m->apply(m->self, TR_LEVEL_VELOCITY, some_load), 0);
        assert_int_equal(m->apply(m->self, TR_LEVEL_ACCELERATION, some_load), 0);
        break;
    default:
        step.t += step.h;
        assert_int_equal(m->accept(m->self), 0);
        assert_int_equal(m->predict(m->self, &step), 0);
        assert_int_equal(m->residual(m->self, told), 0);
    }
}

// A module may be saved after every call: one that is opened anew goes on alike from there.
static void saved_after_every_call(void **state) {
    trModel  *model = load("benchmark/bricard", NULL);
    trGlueDef def = tr_glue_def_default();
    Cut       cut;
    double    told[2];
    glue_whole(model, &def, &cut);
    run(&cut, 0.01);
    trModule            *m = &cut.module[0];
    const trModelModule *a = m->self;
    const char *const    energy = "energy.potential";
    size_t               size = m->state_size(m->self);
    char                *begun = malloc(size), *bytes = malloc(size);
    assert_int_equal(m->accept(m->self), 0);
    assert_int_equal(m->predict(m->self, &next_step), 0);
    assert_int_equal(m->residual(m->self, &told[0]), 0);
    assert_int_equal(m->save(m->self, begun), 0);
    OK(tr_module_choose_outputs(m, 1, &energy));
    for (int after = 0; after < CALLS; after++) {
        trModule other;
        OK(tr_module_open_system(cut.system[0], &other));
        OK(tr_module_choose_outputs(&other, 1, &energy));
        const trModelModule *b = other.self;
        assert_int_equal(m->restore(m->self, begun), 0);
        for (int i = 0; i < CALLS; i++) {
            told[0] = told[1] = 0.0;
            call(m, i, &told[0]);
            if (i > after) {
                call(&other, i, &told[1]);
                assert_memory_equal(&told[0], &told[1], sizeof *told);
            } else if (i == after) {
                assert_int_equal(m->save(m->self, bytes), 0);
                assert_int_equal(other.restore(other.self, bytes), 0);
            }
        }
        assert_memory_equal(a->q, b->q, (size_t)a->system->nq * sizeof *a->q);
        assert_memory_equal(a->v, b->v, (size_t)a->system->nv * sizeof *a->v);
        assert_memory_equal(a->a, b->a, (size_t)a->system->nv * sizeof *a->a);
        assert_memory_equal(a->lambda, b->lambda, (size_t)a->system->m * sizeof *a->lambda);
        other.close(other.self);
    }
    free(begun);
    free(bytes);
    cut_free(&cut);
    tr_model_destroy(model);
}

// --- the contract ---

// With loads alone changed, the trial moves the ports by exactly W w; a force does the same.
static void loads_respond_by_W(void **state) {
    trModel            *model = load("benchmark/bricard", NULL);
    const int           of[CUT_BODIES] = {0, 0, 1, 1, 1};
    trGlueDef           def = tr_glue_def_default();
    Cut                 cut;
    double              x[7], v[6], a[3][6], W[36], size;
    static const double none[6] = {0.0};
    cut_model(model, of, false, &cut);
    OK(cut_glue(&cut, &def));
    run(&cut, 0.01);
    trModule *m = &cut.module[1];
    assert_int_equal(m->accept(m->self), 0);
    assert_int_equal(m->predict(m->self, &next_step), 0);
    assert_int_equal(m->residual(m->self, &size), 0);
    m->port_motion(m->self, x, v, a[0]);
    m->compliance(m->self, W);
    assert_int_equal(m->apply(m->self, TR_LEVEL_LOAD, some_load), 0);
    assert_int_equal(m->residual(m->self, &size), 0);
    m->port_motion(m->self, x, v, a[1]);
    double most = 0.0;
    for (int i = 0; i < 6; i++) {
        double moved = 0.0;
        for (int k = 0; k < 6; k++) {
            moved += W[6 * i + k] * some_load[k];
            most = fmax(most, fabs(W[6 * i + k]));
        }
        assert_true(fabs(a[1][i] - a[0][i] - moved) < 1e-12 * (1.0 + most));
    }
    assert_int_equal(m->apply(m->self, TR_LEVEL_FORCE, none), 0);  // takes the trial, twice is none
    assert_int_equal(m->residual(m->self, &size), 0);
    assert_int_equal(m->apply(m->self, TR_LEVEL_LOAD, none), 0);
    assert_int_equal(m->residual(m->self, &size), 0);
    assert_true(size < 1e-4);  // converging: it was of order 1
    cut_free(&cut);
    tr_model_destroy(model);
}

// --- words ---

static void outputs_by_name(void **state) {
    trModel  *model = load("benchmark/four_bar", NULL);
    trGlueDef def = tr_glue_def_default();
    Cut       cut;
    double    value[4];
    glue_whole(model, &def, &cut);
    run(&cut, 0.01);
    trModule         *m = &cut.module[0];
    const char *const names[] = {"crank.x", "A.Fy", "energy.kinetic", "crank.alpha"};
    OK(tr_module_choose_outputs(m, 4, names));
    assert_int_equal(m->outputs, 4);
    assert_string_equal(m->output_unit[0], "m");
    assert_string_equal(m->output_unit[1], "N");
    assert_string_equal(m->output_name[3], "crank.alpha");
    assert_int_equal(m->output(m->self, value), 0);
    const trModelModule *own = m->self;
    trBodyState          crank = tr_system_body_state(own->system, 0, own->q, own->v);
    assert_true(value[0] == crank.x && value[3] == own->a[2]);
    assert_true(fabs(value[2] - tr_eval_kinetic(&own->eval, own->q, own->v)) < 1e-12 * value[2]);
    const char *const        bad[] = {"crnk.x", "crank.xx", "crank", "wheel 7"};
    static const char *const words[] = {
        "output 'crnk.x': the model has no such column; did you mean 'crank.x'?",
        "output 'crank.xx': the model has no such column; did you mean 'crank.x'?",
        "output 'crank': the model has no such column; did you mean 'crank.x'?",
        "output 'wheel 7': the model has no such column; give it as \"body.x\", \"joint.Fx\" or "
        "\"energy.kinetic\""};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(tr_module_choose_outputs(m, 1, &bad[i]), TR_E_MODEL);
        assert_string_equal(tr_last_error(), words[i]);
    }
    cut_free(&cut);
    tr_model_destroy(model);
}

// m:port is a frame with a mark: same keys, same words but for its own name.
static void ports_of_a_file(void **state) {
    static const char        head[] = "local m = model { dim = 3 }\n"
                                      "local a = m:body { name = 'a', mass = 1, inertia = { 1, 1, 1 } }\n"
                                      "m:frame { a, name = 'eye', at = { 0, 1, 0 } }\n";
    static const char *const rest[] = {
        "m:port { a, name = 'tip', at = { 1, 0, 0 }, rotation = { 0, 0, 1 } }\n"
        "m:port { m.ground, name = 'seat' }\nreturn m\n",
        "m:port { name = 'tip' }\nreturn m\n", "m:port { a, name = 'tip', att = 1 }\nreturn m\n",
        "m:port { a, name = 'eye' }\nreturn m\n"};
    static const char *const words[] = {
        NULL, "p.lua:4: port 'tip': the first entry must be its body",
        "p.lua:4: port 'tip': unknown key 'att'; did you mean 'at'?", "p.lua:4: port 'eye': "};
    for (int i = 0; i < 4; i++) {
        char     text[512];
        trModel *model = NULL;
        trSimDef def = tr_sim_def_default();
        int      size = snprintf(text, sizeof text, "%s%s", head, rest[i]);
        trStatus status = tr_lua_load_text("p.lua", text, (size_t)size, NULL, &model, &def);
        if (words[i] != NULL) {
            assert_int_equal(status, TR_E_MODEL);
            assert_non_null(strstr(tr_last_error(), words[i]));
            continue;
        }
        trSystem *system = NULL;
        trModule  module;
        double    x[14], v[12], a[12];
        OK(status);
        OK(tr_system_build(model, &system));
        assert_int_equal(tr_system_frames(system), 3);
        OK(tr_module_open_system(system, &module));
        assert_int_equal(module.ports, 2);
        assert_string_equal(module.port_name[0], "tip");
        assert_string_equal(module.port_name[1], "seat");
        assert_int_equal(module.port_motion(module.self, x, v, a), 0);
        assert_true(x[0] == 1.0 && fabs(x[6] - sin(0.5)) < 1e-15 && x[7] == 0.0 && x[10] == 1.0);
        module.close(module.self);
        tr_system_destroy(system);
        tr_model_destroy(model);
    }
}

// A massless coupler has no motion of its own between its neighbors: cut from one, it is free.
static void singular_by_name(void **state) {
    trModel  *model = load("benchmark/four_bar_massless_coupler", NULL);
    const int of[CUT_BODIES] = {0, 0, 1};
    trGlueDef def = tr_glue_def_default();
    Cut       cut;
    cut_model(model, of, false, &cut);
    assert_int_equal(cut_glue(&cut, &def), TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), "module 'm0'"));
    assert_non_null(strstr(tr_last_error(), "body 'coupler': is not determined"));
    cut_free(&cut);
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_order),       cmocka_unit_test(functions_of_users),
        cmocka_unit_test(saved_and_restored), cmocka_unit_test(saved_after_every_call),
        cmocka_unit_test(loads_respond_by_W), cmocka_unit_test(outputs_by_name),
        cmocka_unit_test(ports_of_a_file),    cmocka_unit_test(singular_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
