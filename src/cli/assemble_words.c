// SPDX-License-Identifier: MIT
// An assembly in words: before and after of the frames that users place, of joints and constraints.

#include "cli/assemble_words.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

#define WORTH_TELLING 1e-12  // a change [m, rad, m/s, ...]
#define MOST_VALUES 13       // of one body

// A number of a body as users give it.
typedef struct Value {
    const char *name, *unit;
    bool        rate;
    double      before, after;
} Value;

static double number_of(const trBodyState *s, const char *name) {
    const struct {
        const char *name;
        double      value;
    } all[] = {{"x", s->x},
               {"y", s->y},
               {"z", s->z},
               {"angle", s->angle},
               {"e0", s->quaternion[0]},
               {"e1", s->quaternion[1]},
               {"e2", s->quaternion[2]},
               {"e3", s->quaternion[3]},
               {"vx", s->vx},
               {"vy", s->vy},
               {"vz", s->vz},
               {"omega", s->omega},
               {"wx", s->wx},
               {"wy", s->wy},
               {"wz", s->wz}};
    size_t i = 0;
    while (strcmp(all[i].name, name) != 0) {
        i++;
    }
    return all[i].value;
}

// All numbers of body i, or of a coordinate of the user's own; returns how many.
static int values_of(const trAssemblyReport *r, int i, Value out[MOST_VALUES]) {
    static const Value planar[] = {{.name = "x", .unit = "m"},
                                   {.name = "y", .unit = "m"},
                                   {.name = "angle", .unit = "rad"},
                                   {.name = "vx", .unit = "m/s", .rate = true},
                                   {.name = "vy", .unit = "m/s", .rate = true},
                                   {.name = "omega", .unit = "rad/s", .rate = true}};
    static const Value spatial[] = {{.name = "x", .unit = "m"},
                                    {.name = "y", .unit = "m"},
                                    {.name = "z", .unit = "m"},
                                    {.name = "e0", .unit = ""},
                                    {.name = "e1", .unit = ""},
                                    {.name = "e2", .unit = ""},
                                    {.name = "e3", .unit = ""},
                                    {.name = "vx", .unit = "m/s", .rate = true},
                                    {.name = "vy", .unit = "m/s", .rate = true},
                                    {.name = "vz", .unit = "m/s", .rate = true},
                                    {.name = "wx", .unit = "rad/s", .rate = true},
                                    {.name = "wy", .unit = "rad/s", .rate = true},
                                    {.name = "wz", .unit = "rad/s", .rate = true}};
    const trAssembly  *a = r->assembly;
    int                dim = tr_system_dim(r->system);
    if (dim == 0) {
        const char *unit = tr_system_coordinate_unit(r->system, i);
        out[0] = (Value){"", unit, false, a->q0[i], a->q[i]};
        out[1] = (Value){"'", unit, true, a->v0[i], a->v[i]};
        return 2;
    }
    int         count = dim == 2 ? 6 : 13;
    trBodyState before = tr_system_body_state(r->system, i, a->q0, a->v0);
    trBodyState after = tr_system_body_state(r->system, i, a->q, a->v);
    for (int k = 0; k < count; k++) {
        out[k] = dim == 2 ? planar[k] : spatial[k];
        out[k].before = number_of(&before, out[k].name);
        out[k].after = number_of(&after, out[k].name);
    }
    return count;
}

int tr_assembly_parts(const trAssemblyReport *r) {
    return tr_system_dim(r->system) == 0 ? tr_system_coordinates(r->system)
                                         : tr_system_bodies(r->system);
}

const char *tr_assembly_part_name(const trAssemblyReport *r, int i) {
    return tr_system_dim(r->system) == 0 ? tr_system_coordinate_name(r->system, i)
                                         : tr_system_body_name(r->system, i);
}

static bool is_kept(const trAssemblyReport *r, int body, const char *name) {
    for (int i = 0; i < r->keeps; i++) {
        const char *word = r->keep[i].coordinate;
        bool        turns = word != NULL && strcmp(word, "orientation") == 0 && name[0] == 'e';
        if (r->keep[i].body == body && (word == NULL || turns || strcmp(word, name) == 0)) {
            return true;
        }
    }
    return false;
}

// --- the table ---

static void print_value(FILE *file, const trAssemblyReport *r, int i, const Value *v) {
    char        name[128];
    const char *dot = tr_system_dim(r->system) == 0 ? "" : ".";
    bool        own_rate = dot[0] == '\0' && v->rate && v->unit[0] != '\0';
    bool        unit = v->unit[0] != '\0';
    snprintf(name, sizeof name, "%.60s%s%s%s%s%s%s", tr_assembly_part_name(r, i), dot, v->name,
             unit ? " [" : "", v->unit, own_rate ? "/s" : "", unit ? "]" : "");
    fprintf(file, "  %-28s %16.9g %16.9g %13.3g%s\n", name, v->before, v->after,
            v->after - v->before, is_kept(r, i, v->name) ? "  kept" : "");
}

static void print_values(FILE *file, const trAssemblyReport *r, bool rate) {
    int shown = 0, same = 0;
    for (int i = 0; i < tr_assembly_parts(r); i++) {
        Value value[MOST_VALUES];
        int   count = values_of(r, i, value);
        for (int k = 0; k < count; k++) {
            bool changed = fabs(value[k].after - value[k].before) > WORTH_TELLING;
            if (value[k].rate != rate) {
                continue;
            }
            if (!changed && !r->all && !is_kept(r, i, value[k].name)) {
                same++;
                continue;
            }
            if (shown++ == 0) {
                fprintf(file, "\n  %-28s %16s %16s %13s\n", rate ? "velocity" : "position",
                        "before", "after", "change");
            }
            print_value(file, r, i, &value[k]);
        }
    }
    if (shown > 0 && same > 0) {
        fprintf(file, "  and %d that %s not changed\n", same, same == 1 ? "was" : "were");
    }
}

// "0.02 m" or "0.02 m, 0.1 rad".
static const char *opening(const trJointGap *j, const trOpening *o, bool rate, char text[96]) {
    const char *per = rate ? "/s" : "";
    int         used = 0;
    text[0] = '\0';
    if (j->length) {
        used += snprintf(text, 96, "%.3g m%s", o->length, per);
    }
    if (j->angle) {
        used += snprintf(text + used, (size_t)(96 - used), "%s%.3g rad%s", used > 0 ? ", " : "",
                         o->angle, per);
    }
    if (j->unit != NULL) {
        bool known = j->unit[0] != '\0';
        snprintf(text + used, (size_t)(96 - used), "%s%.3g%s%.16s%s", used > 0 ? ", " : "",
                 o->other, known ? " " : "", j->unit, known ? per : "");
    }
    return text;
}

static double size_of(const trOpening *o) {
    return fmax(o->length, fmax(o->angle, o->other));
}

static void print_joints(FILE *file, const trAssemblyReport *r) {
    const trAssembly *a = r->assembly;
    int               shown = 0, same = 0;
    for (int i = 0; i < a->joints; i++) {
        const trJointGap *j = &a->joint[i];
        char              text[4][96];
        double            most = fmax(size_of(&j->position_before), size_of(&j->velocity_before));
        if (!r->all && most <= WORTH_TELLING) {
            same++;
            continue;
        }
        if (shown++ == 0) {
            fprintf(file, "\n  %-20s %-22s %-22s %-22s %s\n", "joint", "open before", "after",
                    "velocity before", "after");
        }
        fprintf(file, "  %-20s %-22s %-22s %-22s %s\n", j->name,
                opening(j, &j->position_before, false, text[0]),
                opening(j, &j->position_after, false, text[1]),
                opening(j, &j->velocity_before, true, text[2]),
                opening(j, &j->velocity_after, true, text[3]));
    }
    if (shown > 0 && same > 0) {
        fprintf(file, "  and %d that %s closed\n", same, same == 1 ? "was" : "were");
    }
}

// What moves most is told of centers of mass, where changes are measured.
static void print_change(FILE *file, const trAssemblyReport *r, const trCorrection *c) {
    bool bodies = tr_system_dim(r->system) != 0;
    fprintf(file, "; %s %s by %.4g%s%s", c->body, bodies ? "moves" : "changes", c->value,
            c->unit[0] != '\0' ? " " : "", c->unit);
}

static void print_open(FILE *file, const trAssemblyReport *r) {
    const trAssembly *a = r->assembly;
    char              text[96];
    fprintf(file, "%s: does not assemble\n", tr_system_name(r->system));
    for (int i = 0; i < a->opens; i++) {
        const trJointGap *j = &a->joint[a->open[i]];
        fprintf(file, "  %s %s: open by %s\n", j->recorded ? "constraint" : "joint", j->name,
                opening(j, &j->position_after, false, text));
    }
    if (a->others_close && a->joints > 1) {
        fputs("  all others close\n", file);
    }
}

void tr_assembly_print(FILE *file, const trAssemblyReport *r) {
    const trAssembly *a = r->assembly;
    if (!a->assembled) {
        print_open(file, r);
        print_values(file, r, false);
        return;
    }
    fprintf(file, "%s: ", tr_system_name(r->system));
    if (a->untouched) {
        fputs("consistent as it is; nothing was changed\n", file);
    } else {
        fprintf(file, "assembled in %lld iteration%s", (long long)a->iterations,
                a->iterations == 1 ? "" : "s");
        if (a->moved.unit != NULL) {
            print_change(file, r, &a->moved);
        }
        fputc('\n', file);
    }
    tr_cli_branch_print(file, r->branch, r->start);
    print_values(file, r, false);
    print_values(file, r, true);
    print_joints(file, r);
    if (a->singular == NULL && r->branch == 0) {
        fprintf(file, "\n%d degree%s of freedom, %d redundant row%s\n", a->degrees_of_freedom,
                a->degrees_of_freedom == 1 ? "" : "s", a->redundant_rows,
                a->redundant_rows == 1 ? "" : "s");
    }
}

// --- JSON ---

static void json_change(trJson *json, const char *key, const trCorrection *c, const char *word) {
    if (c->unit == NULL) {
        tr_json_text(json, key, NULL);
        return;
    }
    tr_json_object(json, key);
    tr_json_number(json, "value", c->value);
    tr_json_text(json, "unit", c->unit[0] != '\0' ? c->unit : NULL);
    tr_json_text(json, "body", c->body);
    tr_json_text(json, "coordinate", word);
    tr_json_close(json);
}

static void json_values(trJson *json, const trAssemblyReport *r) {
    tr_json_array(json, tr_system_dim(r->system) == 0 ? "coordinates" : "bodies");
    for (int i = 0; i < tr_assembly_parts(r); i++) {
        Value value[MOST_VALUES];
        int   count = values_of(r, i, value);
        tr_json_object(json, NULL);
        tr_json_text(json, "name", tr_assembly_part_name(r, i));
        for (int level = 0; level < 2; level++) {
            tr_json_object(json, level == 0 ? "before" : "after");
            for (int k = 0; k < count; k++) {
                bool        own = value[k].name[0] == '\0' || value[k].name[0] == '\'';
                const char *key = !own ? value[k].name : value[k].rate ? "v" : "q";
                tr_json_number(json, key, level == 0 ? value[k].before : value[k].after);
            }
            tr_json_close(json);
        }
        tr_json_close(json);
    }
    tr_json_close(json);
}

static void json_opening(trJson *json, const char *key, const trJointGap *j, const trOpening *o) {
    tr_json_object(json, key);
    if (j->length) {
        tr_json_number(json, "length", o->length);
    }
    if (j->angle) {
        tr_json_number(json, "angle", o->angle);
    }
    if (j->unit != NULL) {
        tr_json_number(json, "other", o->other);
        tr_json_text(json, "unit", j->unit[0] != '\0' ? j->unit : NULL);
    }
    tr_json_close(json);
}

static void json_joints(trJson *json, const trAssembly *a) {
    tr_json_array(json, "joints");
    for (int i = 0; i < a->joints; i++) {
        const trJointGap *j = &a->joint[i];
        tr_json_object(json, NULL);
        tr_json_text(json, "name", j->name);
        json_opening(json, "position_before", j, &j->position_before);
        json_opening(json, "position_after", j, &j->position_after);
        json_opening(json, "velocity_before", j, &j->velocity_before);
        json_opening(json, "velocity_after", j, &j->velocity_after);
        tr_json_close(json);
    }
    tr_json_close(json);
    tr_json_array(json, "open");
    for (int i = 0; i < a->opens; i++) {
        tr_json_text(json, NULL, a->joint[a->open[i]].name);
    }
    tr_json_close(json);
}

static void json_numbers(trJson *json, const char *key, int count, const double *numbers) {
    tr_json_array(json, key);
    for (int i = 0; i < count; i++) {
        tr_json_number(json, NULL, numbers[i]);
    }
    tr_json_close(json);
}

void tr_assembly_json(FILE *file, const trAssemblyReport *r) {
    const trAssembly *a = r->assembly;
    trJson            json = tr_json_begin(file);
    tr_json_text(&json, "model", tr_system_name(r->system));
    tr_json_text(&json, "file", r->path);
    tr_json_bool(&json, "assembled", a->assembled);
    tr_json_text(&json, "error", r->error);
    tr_json_text(&json, "singular", a->singular);
    tr_json_bool(&json, "untouched", a->untouched);
    tr_cli_branch_json(&json, r->branch, r->start);
    tr_json_bool(&json, "kept_velocities_released", a->released);
    tr_json_integer(&json, "iterations", a->iterations);
    tr_json_integer(&json, "attempts", a->attempts);
    if (a->assembled && a->singular == NULL && r->branch == 0) {
        tr_json_integer(&json, "degrees_of_freedom", a->degrees_of_freedom);
        tr_json_integer(&json, "redundant_rows", a->redundant_rows);
    }
    json_change(&json, "moved", &a->moved, a->moved_coordinate);
    json_change(&json, "changed", &a->changed, NULL);
    json_values(&json, r);
    json_joints(&json, a);
    json_numbers(&json, "q", a->nq, a->q);
    json_numbers(&json, "v", a->nv, a->v);
    tr_json_array(&json, "warnings");
    for (int i = 0; i < tr_model_warnings(r->model); i++) {
        tr_json_text(&json, NULL, tr_model_warning(r->model, i));
    }
    tr_json_close(&json);
    tr_json_end(&json);
}
