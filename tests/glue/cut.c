// SPDX-License-Identifier: MIT

#include "glue/cut.h"

#include <math.h>
#include <string.h>

#include "support/test.h"

static const char *const names[CUT_MODULES] = {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"};

static trModel *empty_model(const trModel *whole, bool gravity) {
    trModel *model = NULL;
    trVec3   g = gravity ? whole->gravity : (trVec3){0.0, 0.0, 0.0};
    double   numbers[3] = {g.x, g.y, g.z};
    trParam  params[] = {
         {.key = "dim", .kind = TR_PARAM_NUMBER, .number = whole->dim},
         {.key = "gravity", .kind = TR_PARAM_NUMBERS, .count = whole->dim, .numbers = numbers},
         {0}};
    assert_int_equal(tr_model_create(params, &model), TR_OK);
    model->body = tr_new_array(model->arena, trBody, whole->bodies);
    model->frame = tr_new_array(model->arena, trFrame, whole->bodies);
    model->joint = tr_new_array(model->arena, trJoint, whole->joints);
    model->force = tr_new_array(model->arena, trForce, whole->forces + whole->bodies);
    model->force_room = whole->forces + whole->bodies;
    assert_int_equal(tr_arena_status(model->arena), TR_OK);
    return model;
}

static int module_of(const Cut *cut, int body) {
    return body == TR_GROUND ? -1 : cut->of[body];
}

// Which module has both bodies; -1: it is between modules.
static int owner_of(const Cut *cut, int body1, int body2, bool ground_too) {
    int one = module_of(cut, body1), two = module_of(cut, body2);
    if (one < 0 || two < 0) {
        return ground_too ? -1 : (one < 0 ? two : one);
    }
    return one == two ? one : -1;
}

static int local_of(const Cut *cut, int body) {
    return body == TR_GROUND ? TR_GROUND : cut->local[body];
}

static void add_port(const trModel *whole, int body, Cut *cut, int *port_of) {
    const trBody *b = &whole->body[body];
    trModel      *model = cut->model[cut->of[body]], *ports = cut->port_model;
    if (port_of[body] >= 0) {
        return;
    }
    model->frame[model->frames++] = (trFrame){
        .name = b->name,
        .body = cut->local[body],
        .at = whole->dim == 3 ? b->spatial.place.com : (trVec3){b->com.x, b->com.y, 0.0},
        .turn = whole->dim == 3 ? b->spatial.place.principal : (trQuat){1.0, 0.0, 0.0, 0.0},
        .port = true};
    trBody port = *b;
    port.name = tr_arena_format(ports->arena, "%s.%s", names[cut->of[body]], b->name);
    port.com = (trVec2){0.0, 0.0};
    port.spatial.place.com = (trVec3){0.0, 0.0, 0.0};
    port.spatial.place.principal = (trQuat){1.0, 0.0, 0.0, 0.0};
    port_of[body] = ports->bodies;
    ports->body[ports->bodies++] = port;
}

static void share_joints(const trModel *whole, bool ground_too, Cut *cut) {
    int port_of[CUT_BODIES];
    for (int i = 0; i < CUT_BODIES; i++) {
        port_of[i] = -1;
    }
    for (int j = 0; j < whole->joints; j++) {
        trJoint joint = whole->joint[j];
        int     owner = owner_of(cut, joint.body1, joint.body2, ground_too);
        int     body[2] = {joint.body1, joint.body2};
        joint.report = -1;
        for (int k = 0; k < 2; k++) {
            if (owner < 0 && body[k] != TR_GROUND) {
                add_port(whole, body[k], cut, port_of);
            }
        }
        trModel *to = owner >= 0 ? cut->model[owner] : cut->port_model;
        joint.body1 = owner >= 0             ? local_of(cut, body[0])
                      : body[0] == TR_GROUND ? TR_GROUND
                                             : port_of[body[0]];
        joint.body2 = owner >= 0             ? local_of(cut, body[1])
                      : body[1] == TR_GROUND ? TR_GROUND
                                             : port_of[body[1]];
        to->joint[to->joints++] = joint;
    }
    if (cut->port_model->bodies == 0) {  // uncut: a port that nothing is joined to
        add_port(whole, 0, cut, port_of);
    }
}

static void share_forces(const trModel *whole, Cut *cut) {
    for (int i = 0; i < whole->forces; i++) {
        trForce force = whole->force[i];
        int     owner = owner_of(cut, force.body1, force.body2, false);
        if (owner < 0) {
            fail_msg("force '%s' is between modules", force.name);
        }
        force.body1 = local_of(cut, force.body1);
        force.body2 = local_of(cut, force.body2);
        cut->model[owner]->force[cut->model[owner]->forces++] = force;
    }
}

void cut_model(const trModel *whole, const int *of, bool ground_too, Cut *out) {
    *out = (Cut){.bodies = whole->bodies};
    assert_true(whole->bodies <= CUT_BODIES && whole->traced == NULL && !whole->built);
    for (int i = 0; i < whole->bodies; i++) {
        out->of[i] = of[i];
        out->modules = of[i] >= out->modules ? of[i] + 1 : out->modules;
    }
    assert_true(out->modules <= CUT_MODULES);
    out->port_model = empty_model(whole, false);
    for (int k = 0; k < out->modules; k++) {
        out->model[k] = empty_model(whole, true);
        out->model[k]->coordinates = whole->coordinates;
    }
    for (int i = 0; i < whole->bodies; i++) {
        trModel *to = out->model[of[i]];
        out->local[i] = to->bodies;
        to->body[to->bodies++] = whole->body[i];
    }
    share_joints(whole, ground_too, out);
    share_forces(whole, out);
    assert_int_equal(tr_system_build(out->port_model, &out->ports), TR_OK);
    for (int k = 0; k < out->modules; k++) {
        assert_int_equal(tr_system_build(out->model[k], &out->system[k]), TR_OK);
    }
}

trStatus cut_glue(Cut *cut, const trGlueDef *def) {
    for (int k = 0; k < cut->modules; k++) {
        TR_TRY(tr_module_open_system(cut->system[k], &cut->module[k]));
    }
    TR_TRY(tr_carrier_create_local(cut->modules, names, cut->module, &cut->carrier));
    return tr_glue_create(cut->ports, cut->carrier, def, &cut->glue);
}

void cut_free(Cut *cut) {
    tr_glue_destroy(cut->glue);
    tr_carrier_destroy(cut->carrier);
    tr_system_destroy(cut->ports);
    tr_model_destroy(cut->port_model);
    for (int k = 0; k < cut->modules; k++) {
        tr_system_destroy(cut->system[k]);
        tr_model_destroy(cut->model[k]);
    }
}

const trModelModule *cut_module(const Cut *cut, int module) {
    return cut->module[module].self;
}

static double most_apart(int n, const double *x, const double *y, double most) {
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

double cut_difference(const Cut *one, const Cut *two, double *velocities) {
    double most = 0.0, rates = 0.0, size = 1.0;
    for (int i = 0; i < one->bodies; i++) {
        const trModelModule *a = cut_module(one, one->of[i]), *b = cut_module(two, two->of[i]);
        int                  nq = a->system->space->nq, nv = a->system->space->nv;
        const double        *v = a->v + nv * one->local[i];
        most = most_apart(nq, a->q + nq * one->local[i], b->q + nq * two->local[i], most);
        rates = most_apart(nv, v, b->v + nv * two->local[i], rates);
        for (int k = 0; k < nv; k++) {
            size = fmax(size, fabs(v[k]));
        }
    }
    *velocities = rates / size;
    return most;
}
