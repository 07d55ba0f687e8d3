// SPDX-License-Identifier: MIT

#include "glue/scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trammel/trammel.h"

#define TRY(call)                \
    do {                         \
        trStatus tried = (call); \
        if (tried != TR_OK) {    \
            return tried;        \
        }                        \
    } while (0)

#define TEXT 48
#define ARGUMENTS 12

int body_open(int arguments, const char *const *argument, trModule *out);

typedef struct Body {
    double mass, inertia, x, y, angle, vx, vy, omega, gy, k, c;
    double half;  // ports are at -half and half on its x axis [m]
} Body;

static trStatus add_body(Scene *s, const Body *b) {
    const struct {
        const char *key;
        double      value;
    } set[ARGUMENTS] = {{"mass", b->mass},   {"inertia", b->inertia},
                        {"x", b->x},         {"y", b->y},
                        {"angle", b->angle}, {"vx", b->vx},
                        {"vy", b->vy},       {"omega", b->omega},
                        {"gy", b->gy},       {"k", b->k},
                        {"c", b->c},         {"ax", -b->half}};
    char        text[ARGUMENTS + 1][TEXT];
    const char *argument[ARGUMENTS + 1];
    for (int i = 0; i < ARGUMENTS; i++) {
        snprintf(text[i], TEXT, "%s=%.17g", set[i].key, set[i].value);
        argument[i] = text[i];
    }
    snprintf(text[ARGUMENTS], TEXT, "bx=%.17g", b->half);
    argument[ARGUMENTS] = text[ARGUMENTS];
    if (body_open(ARGUMENTS + 1, argument, &s->module[s->modules]) != 0) {
        return TR_E_MODEL;
    }
    s->modules++;
    return TR_OK;
}

// A port of module i as a body of the assembly, at x, y.
static trStatus add_port(Scene *s, int i, const char *port, double x, double y, double angle,
                         int *out) {
    char name[TEXT];
    snprintf(name, sizeof name, "m%d.%s", i, port);
    return tr_model_add_body(s->model, name,
                             TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1), TR_VEC("at", x, y),
                                       TR_NUM("angle", angle)),
                             out);
}

static trStatus begin(Scene *s) {
    memset(s, 0, sizeof *s);
    return tr_model_create(TR_PARAMS(TR_NUM("dim", 2), TR_VEC("gravity", 0.0, 0.0)), &s->model);
}

static trStatus finish(Scene *s, const trGlueDef *def) {
    static const char *const name[SCENE_MODULES] = {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"};
    TRY(tr_system_build(s->model, &s->system));
    TRY(tr_carrier_create_local(s->modules, name, s->module, &s->carrier));
    return tr_glue_create(s->system, s->carrier, def, &s->glue);
}

trStatus scene_two_masses(const TwoMasses *of, const trGlueDef *def, Scene *s) {
    int port[2];
    TRY(begin(s));
    for (int i = 0; i < 2; i++) {
        Body b = {.mass = of->mass[i],
                  .inertia = 1.0,
                  .x = i,
                  .vx = of->start[i],
                  .k = of->k,
                  .c = of->c};
        TRY(add_body(s, &b));
        TRY(add_port(s, i, "a", i, 0.0, 0.0, &port[i]));
    }
    TRY(tr_model_add_force(s->model, "spring", "between", port[0], port[1],
                           TR_PARAMS(TR_NUM("stiffness", of->coupling), TR_NUM("length", 1.0)),
                           NULL));
    return finish(s, def);
}

trStatus scene_links(const Links *of, const trGlueDef *def, Scene *s) {
    double x = 0.0, y = 0.0;
    int    before = TR_GROUND;
    TRY(begin(s));
    for (int i = 0; i < of->count; i++) {
        double c = cos(of->angle[i]), d = sin(of->angle[i]);
        char   name[TEXT];
        int    first = 0;
        Body   b = {.mass = of->mass[i],
                    .inertia = of->mass[i] / 12.0,
                    .x = x + 0.5 * c,
                    .y = y + 0.5 * d,
                    .angle = of->angle[i],
                    .gy = -of->gravity,
                    .half = 0.5};
        snprintf(name, sizeof name, "hinge%d", i + 1);
        TRY(add_body(s, &b));
        TRY(add_port(s, i, "a", x, y, of->angle[i], &first));
        TRY(tr_model_add_joint(s->model, "revolute", name, before, first,
                               TR_PARAMS(TR_VEC("point", x, y)), NULL));
        x += c;
        y += d;
        if (i + 1 < of->count) {
            TRY(add_port(s, i, "b", x, y, of->angle[i], &before));
        }
    }
    return finish(s, def);
}

// Three bodies, pinned to each other and, at both ends, to ground.
static trStatus pin_together(const Body body[3], const trGlueDef *def, Scene *s) {
    int    from = TR_GROUND;
    double x = 0.0, y = 0.0;
    TRY(begin(s));
    for (int i = 0; i < 4; i++) {
        int  to = TR_GROUND;
        char name[TEXT];
        if (i < 3) {
            x = body[i].x - body[i].half * cos(body[i].angle);
            y = body[i].y - body[i].half * sin(body[i].angle);
            TRY(add_body(s, &body[i]));
            TRY(add_port(s, i, "a", x, y, body[i].angle, &to));
        } else {
            x = body[2].x + body[2].half * cos(body[2].angle);
            y = body[2].y + body[2].half * sin(body[2].angle);
        }
        snprintf(name, sizeof name, "pin%d", i + 1);
        TRY(tr_model_add_joint(s->model, "revolute", name, from, to,
                               TR_PARAMS(TR_VEC("point", x, y)), NULL));
        if (i < 3) {
            TRY(add_port(s, i, "b", x + 2.0 * body[i].half * cos(body[i].angle),
                         y + 2.0 * body[i].half * sin(body[i].angle), body[i].angle, &from));
        }
    }
    return finish(s, def);
}

trStatus scene_four_bar(const trGlueDef *def, Scene *s) {
    const double turn = 2.0 * acos(-1.0), up = 0.25 * turn;
    const Body   body[] = {{.mass = 10,
                            .inertia = 1,
                            .y = 0.5,
                            .angle = up,
                            .vx = -0.5 * turn,
                            .omega = turn,
                            .half = 0.5},
                           {.mass = 20, .inertia = 2, .x = 1, .y = 1, .vx = -turn, .half = 1},
                           {.mass = 10,
                            .inertia = 1,
                            .x = 2,
                            .y = 0.5,
                            .angle = -up,
                            .vx = -0.5 * turn,
                            .omega = turn,
                            .half = 0.5}};
    return pin_together(body, def, s);
}

trStatus scene_crank_rocker(const trGlueDef *def, Scene *s) {
    const double angle[] = {acos(-1.0) / 3.0, 0.4232455982985229, 1.004203159591008 + acos(-1.0)};
    const double half[] = {1.0, 2.0, 2.0}, mass[] = {1.0, 2.25, 2.2}, inertia[] = {0.3, 2.0, 1.35};
    double       x = 0.0, y = 0.0;
    Body         body[3];
    for (int i = 0; i < 3; i++) {
        double c = half[i] * cos(angle[i]), d = half[i] * sin(angle[i]);
        body[i] = (Body){.mass = mass[i],
                         .inertia = inertia[i],
                         .x = x + c,
                         .y = y + d,
                         .angle = angle[i],
                         .gy = -9.81,
                         .half = half[i]};
        x += 2.0 * c;
        y += 2.0 * d;
    }
    return pin_together(body, def, s);
}

void scene_free(Scene *s) {
    tr_glue_destroy(s->glue);
    if (s->carrier != NULL) {
        tr_carrier_destroy(s->carrier);
    } else {
        for (int i = 0; i < s->modules; i++) {
            s->module[i].close(s->module[i].self);
        }
    }
    tr_system_destroy(s->system);
    tr_model_destroy(s->model);
    memset(s, 0, sizeof *s);
}

void scene_state(Scene *s, int module, double state[6]) {
    (void)s->module[module].output(s->module[module].self, state);
}

trStatus scene_run(Scene *s, const trGlueDef *def) {
    double end = def->start + def->duration;
    while (tr_glue_time(s->glue) < end - 0.5 * def->step) {
        TRY(tr_glue_step(s->glue));
    }
    return TR_OK;
}
