// SPDX-License-Identifier: MIT
// Functions in C and inputs, as trammel/control.h adds them.

#include <math.h>
#include <string.h>

#include "model/params.h"
#include "tape/tape.h"

static const trField no_fields[] = {TR_FIELD_END};

const trForceKind tr_function_force = {
    .name = "function", .summary = "a function in C", .fields = no_fields};

// --- functions of time ---

static trStatus refuse_function(const char *name, const char *what) {
    tr_fail(TR_E_ARGUMENT, "%s", what);
    return name == NULL ? TR_E_ARGUMENT : tr_blame(TR_E_ARGUMENT, "function '%s': ", name);
}

trStatus tr_model_add_time_function(trModel *model, const trTimeFunction *function,
                                    const trTape **out) {
    trArena *arena = model->arena;
    *out = NULL;
    TR_TRY(tr_model_check_open(model));
    if (function->value == NULL) {
        return refuse_function(function->name, "`value` is missing");
    }
    const trNumbers breaks = function->breaks;
    trTimeFunction *own = tr_new(arena, trTimeFunction);
    const size_t    count = (size_t)breaks.count;
    trTape         *tape = tr_tape_create(arena);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < breaks.count; i++) {
        if (!isfinite(breaks.at[i])) {
            return refuse_function(function->name, "an instant in `breaks` is not finite");
        }
    }
    *own = *function;
    own->name = function->name != NULL ? tr_arena_text(arena, function->name) : NULL;
    own->breaks.at = tr_arena_copy(arena, breaks.at, count, sizeof *breaks.at);
    tr_tape_call(tape, own);
    model->source = NULL;  // it is no longer all that describes the model
    *out = tape;
    return tr_arena_status(arena);
}

// --- inputs ---

static trStatus check_input(const trModel *model, const char *name, double start) {
    if (name == NULL || !isfinite(start)) {
        return tr_fail(TR_E_ARGUMENT, "input: it needs a name and a finite start");
    }
    TR_TRY(tr_model_check_name("input", name));
    for (int i = 0; i < model->inputs; i++) {
        if (strcmp(model->input[i].name, name) == 0) {
            return tr_fail(TR_E_MODEL, "input '%s': there is already an input of this name", name);
        }
    }
    return TR_OK;
}

trStatus tr_model_add_input(trModel *model, const char *name, const char *unit, double start,
                            int *out) {
    trArena *arena = model->arena;
    TR_TRY(tr_model_check_open(model));
    TR_TRY(check_input(model, name, start));
    TR_TRY(tr_model_check_plain("input", "unit", unit));
    const trModelInput input = {.name = tr_arena_text(arena, name),
                                .unit = tr_arena_text(arena, unit != NULL ? unit : ""),
                                .start = start};
    TR_TRY(tr_table_add(arena, &model->input, &model->inputs, &model->input_room, &input,
                        sizeof input));
    return tr_number_added(model->inputs, out);
}

// --- forces ---

static trStatus check_bodies(const trModel *model, int bodies, const int *body) {
    if (bodies < 1) {
        return tr_fail(TR_E_ARGUMENT, "it acts on no body");
    }
    if (model->dim == 0) {
        return tr_fail(TR_E_UNSUPPORTED, "it acts on bodies, and a system of equations has none");
    }
    for (int i = 0; i < bodies; i++) {
        if (body[i] < 0 || body[i] >= model->bodies) {
            return tr_fail(TR_E_ARGUMENT, "there is no body number %d; the model has %d, from 0",
                           body[i], model->bodies);
        }
        for (int k = 0; k < i; k++) {
            if (body[k] == body[i]) {
                return tr_fail(TR_E_ARGUMENT, "body '%s' is listed twice",
                               model->body[body[i]].name);
            }
        }
    }
    return TR_OK;
}

static trStatus add(trModel *model, const char *name, trFunctionForce force, int *out) {
    trArena         *arena = model->arena;
    trFunctionForce *own = tr_new(arena, trFunctionForce);
    const int       *body = tr_arena_copy(arena, force.body, (size_t)force.bodies, sizeof *body);
    TR_TRY(tr_arena_status(arena));
    *own = force;
    own->body = body;
    const trForce entry = {.kind = &tr_function_force,
                           .body1 = force.bodies > 1 ? body[0] : TR_GROUND,
                           .body2 = body[force.bodies > 1],
                           .params = own};
    TR_TRY(tr_model_add_made_force(model, name, entry));
    model->source = NULL;  // it is no longer all that describes the model
    return tr_number_added(model->forces, out);
}

trStatus tr_model_add_force_function(trModel *model, const char *name, int bodies, const int *body,
                                     const trForceFunction *function, int *out) {
    TR_TRY(tr_model_check_open(model));
    TR_TRY(tr_model_check_name("force", name));
    trStatus status = check_bodies(model, bodies, body);
    if (status == TR_OK && function->load == NULL) {
        status = tr_fail(TR_E_ARGUMENT, "`load` is missing");
    }
    if (status == TR_OK) {
        return add(model, name, (trFunctionForce){*function, bodies, body}, out);
    }
    return tr_blame_thing(status, NULL, "force", name);
}
