// SPDX-License-Identifier: MIT
// Recorded constraints, forces and systems: kept by the model until it is built.

#include "model/traced.h"

#include "model/params.h"

static const trField no_fields[] = {TR_FIELD_END};

const trForceKind tr_traced_force = {
    .name = "recorded", .summary = "a custom function", .fields = no_fields};

trStatus tr_model_traced(trModel *model, trTraced **out) {
    if (model->traced == NULL) {
        trTraced *traced = tr_new(model->arena, trTraced);
        TR_TRY(tr_arena_status(model->arena));
        traced->tape = tr_tape_create(model->arena);
        TR_TRY(tr_arena_status(model->arena));
        model->traced = traced;
    }
    *out = model->traced;
    return TR_OK;
}

// --- systems ---

static trStatus add_coordinate(trModel *model, const char *name) {
    int number = TR_GROUND;
    TR_TRY(tr_model_check_name("coordinate", name));
    if (tr_names_find(&model->body_names, name) >= 0) {
        return tr_fail(TR_E_MODEL, "coordinate '%s': is listed twice", name);
    }
    trStatus status = tr_model_add_body(model, name, NULL, &number);
    if (status == TR_OK) {
        model->body[number].coordinate = true;
    }
    return status;
}

static trStatus fill_general(trModel *model, const char *name, int n, const char *const *names,
                             const char *const *units) {
    trTraced *traced = NULL;
    TR_TRY(tr_model_check_plain("system", "name", name));
    TR_TRY(tr_model_traced(model, &traced));
    trGeneral *g = tr_new(model->arena, trGeneral);
    TR_TRY(tr_arena_status(model->arena));
    g->energy = -1;
    g->unit = tr_new_array(model->arena, const char *, n);
    model->name = name == NULL ? NULL : tr_arena_text(model->arena, name);
    TR_TRY(tr_arena_status(model->arena));
    traced->general = g;
    model->dim = 0;
    for (int i = 0; i < n; i++) {
        TR_TRY(add_coordinate(model, names[i]));
        bool given = units != NULL && units[i] != NULL;
        TR_TRY(tr_model_check_plain("coordinate", "unit", given ? units[i] : NULL));
        g->unit[i] = given ? tr_arena_text(model->arena, units[i]) : "";
    }
    return tr_arena_status(model->arena);
}

trStatus tr_general_create(const char *name, int n, const char *const *names,
                           const char *const *units, trModel **out) {
    trModel *model = NULL;
    *out = NULL;
    TR_TRY(tr_model_create(NULL, &model));
    trStatus status = fill_general(model, name, n, names, units);
    if (status != TR_OK) {
        tr_model_destroy(model);
        return status;
    }
    *out = model;
    return TR_OK;
}

trStatus tr_general_check(const trModel *model) {
    return model->traced->general->mass != NULL
               ? TR_OK
               : tr_fail(TR_E_MODEL,
                         "the system has no mass; give it: s:mass(function(q, t, p) ... end)");
}

trStatus tr_general_add_state(trModel *model, const char *name, double start, int rate) {
    trGeneral         *g = model->traced->general;
    const trModelState state = {tr_arena_text(model->arena, name), model->origin, start};
    int                rates = g->states, room = g->state_room;
    TR_TRY(tr_table_add(model->arena, &g->state_rate, &rates, &room, &rate, sizeof rate));
    return tr_table_add(model->arena, &g->state, &g->states, &g->state_room, &state, sizeof state);
}

// --- constraints ---

trStatus tr_model_add_rows(trModel *model, const trTracedRows *rows) {
    trTraced *traced = NULL;
    TR_TRY(tr_model_check_open(model));
    TR_TRY(tr_model_check_name("constraint", rows->name));
    TR_TRY(tr_model_traced(model, &traced));
    TR_TRY(tr_model_check_free(model, rows->name));
    trTracedRows own = *rows;
    own.name = tr_arena_text(model->arena, rows->name);
    own.unit = tr_arena_text(model->arena, rows->unit == NULL ? "" : rows->unit);
    own.origin = model->origin;
    own.first = traced->rows;
    own.node = tr_arena_copy(model->arena, rows->node, (size_t)rows->rows, sizeof *rows->node);
    TR_TRY(tr_table_add(model->arena, &traced->group, &traced->groups, &traced->group_room, &own,
                        sizeof own));
    traced->rows += own.rows;
    return tr_names_add(model->arena, &model->row_names, own.name, traced->groups - 1);
}

// --- forces ---

trStatus tr_model_add_traced_force(trModel *model, const char *name, int body1, int body2,
                                   const trTracedForce *force) {
    trTraced *traced = NULL;
    TR_TRY(tr_model_traced(model, &traced));
    trTracedForce *own = tr_new(model->arena, trTracedForce);
    TR_TRY(tr_arena_status(model->arena));
    *own = *force;
    own->number = traced->forces;
    trForce entry = {.kind = &tr_traced_force, .body1 = body1, .body2 = body2, .params = own};
    TR_TRY(tr_model_add_made_force(model, name, entry));
    traced->forces++;
    return TR_OK;
}
