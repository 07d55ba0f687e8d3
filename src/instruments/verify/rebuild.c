// SPDX-License-Identifier: MIT
// From a result file back to the system that was simulated: the model text and the parameters that
// were given to it, and where each column stands.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"
#include "formulation/formulation.h"
#include "integrator/integrator.h"
#include "trammel/lua.h"
#include "verify/verify.h"

#define LEAST_ACCURACY 1e-9  // a tenth of the default of rtol
#define SQUARED 1e-10        // error of formulations that square the condition of A
#define LOOSE_ACCURACY 1e-5  // of methods of order 2 with accelerations of their own

void tr_verify_note(trVerifier *V, const char *text) {
    if (V->out->notes < TR_VERIFY_NOTES && text != NULL) {
        V->out->note[V->out->notes++] = text;
    }
}

// "N=40" line by line becomes a list that ends with NULL.
static const char **split(trArena *arena, const char *text) {
    int   lines = 2;
    char *copy = tr_arena_text(arena, text == NULL ? "" : text);
    for (const char *c = copy; c != NULL && *c != '\0'; c++) {
        lines += *c == '\n';
    }
    const char **list = tr_new_array(arena, const char *, lines);
    if (list == NULL || copy == NULL) {
        return NULL;
    }
    int count = 0;
    for (char *line = copy; *line != '\0';) {
        char *end = line + strcspn(line, "\n");
        bool  last = *end == '\0';
        *end = '\0';
        if (end > line) {
            list[count++] = line;
        }
        line = last ? end : end + 1;
    }
    return list;
}

static void tell_load(const trVerifier *V, bool begins) {
    if (V->listener.load != NULL) {
        V->listener.load(V->listener.to, begins);
    }
}

static trStatus load(trVerifier *V, const char *path) {
    const char *text = tr_result_note(V->result, "model_text");
    const char *content = tr_result_note(V->result, "content");
    const char *file = tr_result_note(V->result, "file");
    trSimDef    def = tr_sim_def_default();
    if (content != NULL && strcmp(content, "modes") == 0) {
        return tr_fail(TR_E_IO,
                       "%s: holds mode shapes, not a motion; give the HDF5 file of 'trammel run'",
                       path);
    }
    if (content != NULL && strcmp(content, "glue") == 0) {
        return tr_fail(TR_E_IO,
                       "%s: comes from 'trammel glue'; the equations of modules are not known and "
                       "cannot be verified: its violations are columns; look at check marks alone "
                       "with --no-physics",
                       path);
    }
    if (text == NULL) {
        return tr_fail(TR_E_IO,
                       "%s: does not hold its model's text, from which the equations would be "
                       "made; run a model file with 'trammel run', or look at check marks alone "
                       "with --no-physics",
                       path);
    }
    const char **set = split(V->arena, tr_result_note(V->result, "model_parameters"));
    TR_TRY(tr_arena_status(V->arena));
    tell_load(V, true);
    trStatus status =
        tr_lua_load_text(file != NULL ? file : path, text, strlen(text), set, &V->model, &def);
    tell_load(V, false);
    V->accuracy = fmax(LEAST_ACCURACY, 0.1 * tr_verify_setting(V, "rtol", def.rtol));
    return status == TR_OK ? TR_OK : tr_blame(status, "%s: the model text in it: ", path);
}

// --- columns ---

static const char *const of_body2[] = {"x", "y", "angle", "vx", "vy", "omega", "ax", "ay", "alpha"};
static const char *const of_body3[] = {"x",  "y",  "z",      "e0",     "e1",    "e2", "e3",
                                       "vx", "vy", "vz",     "wx",     "wy",    "wz", "ax",
                                       "ay", "az", "alphax", "alphay", "alphaz"};
static const char *const of_load2[] = {"Fx", "Fy", "M"};
static const char *const of_load3[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
static const char *const of_energy[] = {"kinetic", "potential", "work", "balance"};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static bool is_column(const trVerifier *V, int at, const char *owner, const char *name) {
    const trColumn *column = tr_result_column(V->result, at);
    size_t          length = strlen(owner);
    return column != NULL && strncmp(column->name, owner, length) == 0 &&
           column->name[length] == '.' && strcmp(column->name + length + 1, name) == 0;
}

static bool are_columns(const trVerifier *V, int *at, const char *owner, const char *const *names,
                        int count) {
    bool same = true;
    for (int k = 0; same && k < count; k++) {
        same = is_column(V, (*at)++, owner, names[k]);
    }
    return same;
}

static bool find_bodies(trVerifier *V, int *at) {
    const trSystem    *s = V->system;
    trLayout          *l = &V->layout;
    bool               planar = s->space->dim == 2, same = true;
    const char *const *of_body = planar ? of_body2 : of_body3;
    const char *const *of_load = planar ? of_load2 : of_load3;
    l->per_body = planar ? COUNT(of_body2) : COUNT(of_body3);
    l->per_load = planar ? COUNT(of_load2) : COUNT(of_load3);
    l->body = *at;
    for (int i = 0; same && i < s->bodies; i++) {
        same = are_columns(V, at, s->body[i].name, of_body, l->per_body);
    }
    l->frame = *at;
    for (int i = 0; same && i < s->frames; i++) {
        same = are_columns(V, at, s->frame[i].name, of_body, l->per_body);
    }
    l->joint = *at;
    for (int i = 0; same && i < s->joints; i++) {
        same = are_columns(V, at, s->joint[i].name, of_load, l->per_load);
    }
    l->force = *at;
    for (int i = 0; same && i < s->varying; i++) {
        same = are_columns(V, at, s->force[i].name, of_load, l->per_load);
    }
    return same;
}

static bool find_coordinates(trVerifier *V, int *at) {
    static const char *const letter[3] = {"q", "v", "a"};
    const trSystem          *s = V->system;
    bool                     same = true;
    V->layout.body = *at;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; same && i < s->bodies; i++) {
            same = is_column(V, (*at)++, letter[k], s->body[i].name);
        }
    }
    V->layout.state = *at;
    for (int i = 0; same && i < s->states; i++) {
        same = is_column(V, (*at)++, "z", s->state_name[i]);
    }
    return same;
}

static bool are_multipliers(const trVerifier *V, int at) {
    static const char prefix[] = "lambda.";
    bool              same = true;
    for (int i = 0; same && i < V->system->recorded; i++) {
        const trColumn *column = tr_result_column(V->result, at + i);
        same = column != NULL && strncmp(column->name, prefix, strlen(prefix)) == 0;
    }
    return same;
}

static bool are_violations(const trVerifier *V, int at, int quantities) {
    static const char *const names[2][3] = {
        {"position.length", "position.angle", "position.other"},
        {"velocity.length", "velocity.angle", "velocity.other"}};
    return are_columns(V, &at, "violation", names[0], quantities) &&
           are_columns(V, &at, "violation", names[1], quantities);
}

static bool find_columns(trVerifier *V) {
    trLayout       *l = &V->layout;
    const trColumn *t = tr_result_column(V->result, 0);
    int             at = 1;
    bool same = V->system->space->dim == 0 ? find_coordinates(V, &at) : find_bodies(V, &at);
    l->lambda = at;
    same = same && t != NULL && strcmp(t->name, "t") == 0 && are_multipliers(V, at);
    at += V->system->recorded;
    l->energy = at;
    same = same && are_columns(V, &at, "energy", of_energy, COUNT(of_energy));
    l->violation = at;
    l->columns = tr_result_columns(V->result);
    l->quantities = (l->columns - at) / 2;
    return same && (l->columns - at == 4 || l->columns - at == 6) &&
           are_violations(V, at, l->quantities);
}

// --- methods ---

static bool is_note(const trVerifier *V, const char *key, const char *text) {
    const char *note = tr_result_note(V->result, key);
    return note != NULL && strcmp(note, text) == 0;
}

// What the rows of the method satisfy, by what the run noted.
static void read_method(trVerifier *V) {
    const char              *integrator = tr_result_note(V->result, "integrator");
    const char              *formulation = tr_result_note(V->result, "formulation");
    const char              *method = tr_result_note(V->result, "method");
    const trIntegratorKind  *kind = integrator == NULL ? NULL : tr_integrator_find(integrator);
    const trFormulationKind *solver = formulation == NULL ? NULL : tr_formulation_find(formulation);
    V->stated = solver != NULL ? solver->error : 0.0;
    // What they state is for systems of modest condition, and they square it.
    bool squares = is_note(V, "formulation", "udwadia_schutte") ||
                   is_note(V, "formulation", "udwadia_wanichanon");
    V->stated = squares ? fmax(V->stated, SQUARED) : V->stated;
    V->penalty_size = solver != NULL ? solver->penalty_size : 0.0;
    V->penalty = V->penalty_size > 0.0 ? tr_verify_setting(V, "penalty", 0.0) : 0.0;
    V->kept = 0.1 * tr_verify_setting(V, "atol", tr_sim_def_default().atol);
    V->loose = kind != NULL && kind->implicit != NULL && kind->implicit->own_reactions;
    if (kind != NULL && (kind->implicit != NULL || kind->owner != NULL)) {
        V->accuracy = fmax(10.0 * V->accuracy, V->loose ? LOOSE_ACCURACY : 0.0);
        V->absolute = V->kept;
    }
    V->soft = V->loose || !is_note(V, "stabilization", "none") || V->penalty_size > 0.0;
    char *words = tr_arena_format(
        V->arena, "%s%s%s%s%s", method != NULL ? method : "", method != NULL ? ": " : "",
        formulation != NULL ? formulation : "?", " with ", integrator != NULL ? integrator : "?");
    tr_make_plain(words);
    V->out->method = words;
    if (V->loose) {
        tr_verify_note(V, tr_arena_format(V->arena,
                                          "accelerations and reactions are those of %s itself and "
                                          "satisfy the equations as closely as it does; what is "
                                          "allowed follows from the rows",
                                          integrator));
    }
    if (V->stated > TR_SHARP) {
        tr_verify_note(V, tr_arena_format(V->arena,
                                          "multipliers of %s are right to %.0e and no better; what "
                                          "is allowed follows from the rows",
                                          formulation, V->stated));
    }
    if (V->soft) {
        tr_verify_note(V, "the method does not hold A a = b to rounding: accelerations are judged "
                          "by the balance of loads alone");
    }
}

trStatus tr_verify_rebuild(trVerifier *V, const char *path) {
    TR_TRY(load(V, path));
    V->quaternion =
        V->model->coordinates != NULL && strcmp(V->model->coordinates, "quaternion") == 0;
    if (V->quaternion) {
        V->model->coordinates = "body";
    }
    trStatus status = tr_system_build(V->model, &V->system);
    if (status != TR_OK) {
        return tr_blame(status, "%s: the model text in it: ", path);
    }
    V->out->model = tr_system_name(V->system);
    if (!find_columns(V)) {
        return tr_fail(TR_E_IO,
                       "%s: its columns are not those of the model text in it; the file was put "
                       "together from two, or altered",
                       path);
    }
    read_method(V);
    return tr_times_plan(V);
}
