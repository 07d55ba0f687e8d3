// SPDX-License-Identifier: MIT
// From a result file back to the system that was simulated: the model text and the parameters that
// were given to it, and where each column stands.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "formulation/formulation.h"
#include "integrator/integrator.h"
#include "model/model.h"
#include "sim/column_list.h"
#include "sim/def.h"
#include "trammel/lua.h"
#include "verify/verify.h"

#define SHARE 1e-3
#define OWN 0.3       // integrators with accelerations and reactions of their own
#define RESERVE 30.0  // of them: between rows
#define STATED 100.0  // times the error that a formulation states for systems of modest condition

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
    if (V->options.load != NULL) {
        V->options.load(V->options.context, begins);
    }
}

// A number at the beginning of a note.
static double setting(const trVerifier *V, const char *key) {
    const char *text = tr_result_note(V->result, key);
    char       *end = NULL;
    double      value = text != NULL ? strtod(text, &end) : NAN;
    return text != NULL && end != text ? value : NAN;
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
    V->noted.rtol = setting(V, "rtol");
    V->noted.atol = setting(V, "atol");
    V->noted.fixed = setting(V, "step") > 0.0;
    V->noted.rtol = V->noted.rtol >= 0.0 ? V->noted.rtol : def.rtol;
    V->noted.atol = V->noted.atol >= 0.0 ? V->noted.atol : def.atol;
    return status == TR_OK ? TR_OK : tr_blame(status, "%s: the model text in it: ", path);
}

// --- columns ---

// Forces that may change have columns, in an order of the system's own.
static trStatus find_forces(trVerifier *V) {
    trLayout *l = &V->layout;
    l->forces = V->system->varying;
    l->number = tr_new_array(V->arena, int, l->forces);
    TR_TRY(tr_arena_status(V->arena));
    for (int i = 0; i < l->forces; i++) {
        const char *name = V->system->force[i].name;
        TR_TRY(tr_system_find(V->system, TR_THING_FORCE, name, &l->number[i]));
    }
    return TR_OK;
}

static trStatus find_columns(trVerifier *V) {
    const trSystem *s = V->system;
    const trColumn *unused = NULL;
    trLayout       *l = &V->layout;
    l->columns = tr_result_columns(V->result);
    l->per_body = V->dim == 0 ? 3 : tr_columns_of_frame(V->dim, &unused);
    l->per_load = V->dim == 0 ? 0 : tr_columns_of_load(V->dim, &unused);
    TR_TRY(find_forces(V));
    l->body = 1;
    l->frame = l->body + l->per_body * V->bodies;
    l->joint = l->frame + l->per_body * tr_system_frames(s);
    l->force = l->joint + l->per_load * tr_system_joints(s);
    l->state = l->force + l->per_load * l->forces;
    l->lambda = l->state + V->nz;
    l->energy = l->lambda + s->recorded;
    l->violation = l->energy + 4;
    l->quantities = (l->columns - l->violation) / 2;
    return TR_OK;
}

static bool have_columns_their_names(trVerifier *V) {
    trColumnList list = {.arena = V->arena};
    if (V->layout.quantities != TR_OTHER && V->layout.quantities != TR_QUANTITIES) {
        return false;
    }
    tr_columns_name(V->system, V->layout.quantities, &list);
    bool same = list.count == V->layout.columns && tr_arena_status(V->arena) == TR_OK;
    for (int i = 0; same && i < list.count; i++) {
        same = strcmp(list.column[i].name, tr_result_column(V->result, i)->name) == 0;
    }
    return same;
}

static void find_numbers(trVerifier *V) {
    const trSystem *s = V->system;
    V->dim = tr_system_dim(s);
    V->bodies = V->dim == 0 ? tr_system_coordinates(s) : tr_system_bodies(s);
    V->nq = tr_system_nq(s);
    V->nv = tr_system_nv(s);
    V->nz = tr_system_states(s);
    V->m = tr_system_m(s);
    V->body_q = V->dim == 3 ? 7 : V->dim == 2 ? 3 : 1;
    V->body_v = V->dim == 3 ? 6 : V->body_q;
}

// --- what the run noted ---

// Rows stand at start + i sample, the last one at start + duration.
static void read_times(trVerifier *V) {
    trNoted *noted = &V->noted;
    double   duration = setting(V, "duration");
    noted->start = setting(V, "start");
    noted->sample = setting(V, "sample");
    noted->sample = noted->sample > 0.0 ? noted->sample : duration / TR_SAMPLES;
    noted->last = noted->start + duration;
    if (tr_result_note(V->result, "times") != NULL || !(isfinite(noted->last) && duration > 0.0)) {
        noted->rows = NAN;
        return;
    }
    double whole = floor(duration / noted->sample * (1.0 + 1e-12));
    bool   more = noted->last - (noted->start + whole * noted->sample) > 1e-9 * noted->sample;
    noted->rows = whole + 1.0 + more;
}

// What the rows of the method satisfy.
static void read_method(trVerifier *V) {
    const char              *integrator = tr_result_note(V->result, "integrator");
    const char              *formulation = tr_result_note(V->result, "formulation");
    const char              *stabilization = tr_result_note(V->result, "stabilization");
    const char              *method = tr_result_note(V->result, "method");
    const trIntegratorKind  *kind = integrator == NULL ? NULL : tr_integrator_find(integrator);
    const trFormulationKind *solver = formulation == NULL ? NULL : tr_formulation_find(formulation);
    trNoted                 *noted = &V->noted;
    bool own = kind != NULL && kind->implicit != NULL && kind->implicit->own_reactions;
    noted->tolerance = fmax(TR_VERIFY_TOLERANCE, solver != NULL ? STATED * solver->error : 0.0);
    noted->tolerance = own ? OWN : noted->tolerance;
    noted->share = own ? 1.0 : SHARE;
    noted->feeds_back = own || stabilization == NULL || strcmp(stabilization, "none") != 0 ||
                        noted->tolerance > TR_VERIFY_TOLERANCE;
    noted->reserve = own ? RESERVE : 1.0;
    V->out->method = tr_arena_format(
        V->arena, "%s%s%s%s%s", method != NULL ? method : "", method != NULL ? ": " : "",
        formulation != NULL ? formulation : "?", " with ", integrator != NULL ? integrator : "?");
    tr_make_plain((char *)V->out->method);
    if (own) {
        tr_verify_note(V, tr_arena_format(V->arena,
                                          "accelerations and reactions are those of %s itself and "
                                          "satisfy the equations only as closely as it does: "
                                          "balances are judged to %g of the largest load",
                                          integrator, OWN));
    } else if (solver != NULL && noted->tolerance > TR_VERIFY_TOLERANCE) {
        tr_verify_note(V, tr_arena_format(V->arena,
                                          "multipliers of %s are right to %.0e and no better: "
                                          "balances are judged to %.0e of their terms",
                                          formulation, solver->error, noted->tolerance));
    }
    if (noted->feeds_back) {
        tr_verify_note(V, "the method does not hold A a = b to rounding: accelerations are judged "
                          "by the balance of loads, and between rows");
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
    find_numbers(V);
    TR_TRY(find_columns(V));
    if (!have_columns_their_names(V)) {
        TR_TRY(tr_arena_status(V->arena));
        return tr_fail(TR_E_IO,
                       "%s: its columns are not those of the model text in it; the file was put "
                       "together from two, or altered",
                       path);
    }
    read_method(V);
    read_times(V);
    return tr_arena_status(V->arena);
}
