// SPDX-License-Identifier: MIT
#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "report/mechanics.h"

#define WORTH_TELLING 1e-12  // a change [m, rad, m/s, ...]
#define MOST_VALUES 13       // of one body
#define NAME_SIZE 128

// A number of a body, or of a custom coordinate.
typedef struct Value {
    const char *name, *unit;
    bool        rate;
    double      before, after;
} Value;

// All numbers of body i, or of a custom coordinate; returns how many.
static int values_of(const trAssemblyReport *r, int i, Value out[MOST_VALUES]) {
    const trAssembly *a = r->assembly;
    int               dim = tr_system_dim(r->system), count = 0;
    if (dim == 0) {
        const char *unit = tr_system_coordinate_unit(r->system, i);
        out[0] = (Value){"", unit, false, a->q0[i], a->q[i]};
        out[1] = (Value){"'", unit, true, a->v0[i], a->v[i]};
        return 2;
    }
    trBodyState         before = tr_system_body_state(r->system, i, a->q0, a->v0);
    trBodyState         after = tr_system_body_state(r->system, i, a->q, a->v);
    const trBodyNumber *number = tr_body_numbers(dim, &count);
    for (int k = 0; k < count; k++) {
        out[k] = (Value){number[k].name, number[k].unit, number[k].rate,
                         tr_body_number(&before, &number[k]), tr_body_number(&after, &number[k])};
    }
    return count;
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

// --- text ---

// What did not change is a detail.
static void add_value(trReport *r, const trAssemblyReport *a, int i, const Value *v) {
    bool custom = tr_system_dim(a->system) == 0, kept = is_kept(a, i, v->name);
    bool changed = fabs(v->after - v->before) > WORTH_TELLING;
    char name[NAME_SIZE];
    bool unit = v->unit[0] != '\0';
    snprintf(name, sizeof name, "%.60s%s%s%s%s%s%s", tr_part_name(a->system, i), custom ? "" : ".",
             v->name, unit ? " [" : "", v->unit, custom && v->rate && unit ? "/s" : "",
             unit ? "]" : "");
    tr_report_open(r, NULL, NULL, changed || kept ? 0 : TR_REPORT_DETAIL);
    tr_report_text(r, NULL, v->rate ? "velocity" : "position", name);
    tr_report_number(r, NULL, "before %9", v->before, NULL);
    tr_report_number(r, NULL, "after %9", v->after, NULL);
    tr_report_number(r, NULL, "change %3", v->after - v->before, NULL);
    tr_report_text(r, NULL, "", kept ? "kept" : NULL);
    tr_report_close(r);
}

static void add_values(trReport *r, const trAssemblyReport *a, bool rate) {
    tr_report_open(r, NULL, "\n", TR_REPORT_TABLE | TR_REPORT_WORDS);
    for (int i = 0; i < tr_parts(a->system); i++) {
        Value value[MOST_VALUES];
        int   count = values_of(a, i, value);
        for (int k = 0; k < count; k++) {
            if (value[k].rate == rate) {
                add_value(r, a, i, &value[k]);
            }
        }
    }
    tr_report_close(r);
}

// "0.02 m, 0.1 rad", a part of a line or a cell.
static void add_opening(trReport *r, const char *label, const trJointGap *j, const trOpening *o,
                        bool rate) {
    char unit[NAME_SIZE];
    snprintf(unit, sizeof unit, "%s%s", j->unit != NULL ? j->unit : "",
             rate && tr_is_unit(j->unit) ? "/s" : "");
    tr_report_open(r, NULL, label, TR_REPORT_LINE | TR_REPORT_WORDS);
    tr_report_number(r, NULL, "%3", j->length ? o->length : NAN, rate ? "m/s" : "m");
    tr_report_number(r, NULL, "%3", j->angle ? o->angle : NAN, rate ? "rad/s" : "rad");
    tr_report_number(r, NULL, "%3", j->unit != NULL ? o->other : NAN, unit);
    tr_report_close(r);
}

static double size_of(const trOpening *o) {
    return fmax(o->length, fmax(o->angle, o->other));
}

static void add_gaps(trReport *r, const trAssembly *a) {
    tr_report_open(r, NULL, "\n", TR_REPORT_TABLE | TR_REPORT_WORDS);
    for (int i = 0; i < a->joints; i++) {
        const trJointGap *j = &a->joint[i];
        double            most = fmax(size_of(&j->position_before), size_of(&j->velocity_before));
        tr_report_open(r, NULL, NULL, most > WORTH_TELLING ? 0 : TR_REPORT_DETAIL);
        tr_report_text(r, NULL, "joint", j->name);
        add_opening(r, "gap before", j, &j->position_before, false);
        add_opening(r, "after", j, &j->position_after, false);
        add_opening(r, "velocity before", j, &j->velocity_before, true);
        add_opening(r, "after ", j, &j->velocity_after, true);
        tr_report_close(r);
    }
    tr_report_close(r);
}

static void add_open_joints(trReport *r, const trAssemblyReport *report) {
    const trAssembly *a = report->assembly;
    tr_report_note(r, NULL, "%s: does not assemble", tr_system_name(report->system));
    tr_report_open(r, NULL, "still open", TR_REPORT_WORDS);
    for (int i = 0; i < a->opens; i++) {
        const trJointGap *j = &a->joint[a->open[i]];
        add_opening(r, j->name, j, &j->position_after, false);
    }
    if (a->others_close && a->joints > 1) {
        tr_report_note(r, "all others", "closed");
    }
    tr_report_close(r);
    add_values(r, report, false);
}

// Changes are measured at centers of mass.
static void add_text(trReport *r, const trAssemblyReport *report) {
    const trAssembly   *a = report->assembly;
    const trCorrection *c = &a->moved;
    const char         *name = tr_system_name(report->system);
    bool                moved = c->unit != NULL;
    if (!a->assembled) {
        add_open_joints(r, report);
        return;
    }
    if (a->untouched) {
        tr_report_note(r, NULL, "%s: consistent as it is; nothing was changed", name);
    } else if (!moved) {
        tr_report_note(r, NULL, "%s: assembled in %lld iteration%s", name, (long long)a->iterations,
                       tr_plural(a->iterations));
    } else {
        tr_report_note(r, NULL, "%s: assembled in %lld iteration%s; %s %s by %.4g%s%s", name,
                       (long long)a->iterations, tr_plural(a->iterations), c->body,
                       tr_system_dim(report->system) != 0 ? "moves" : "changes", c->value,
                       TR_UNIT(c->unit));
    }
}

// --- JSON ---

static void add_change(trReport *r, const char *key, const trCorrection *c, const char *word) {
    if (c->unit == NULL) {
        tr_report_text(r, key, NULL, NULL);
        return;
    }
    tr_report_open(r, key, NULL, 0);
    tr_report_number(r, "value", NULL, c->value, NULL);
    tr_report_unit(r, c->unit);
    tr_report_text(r, "body", NULL, c->body);
    tr_report_text(r, "coordinate", NULL, word);
    tr_report_close(r);
}

static void add_bodies(trReport *r, const trAssemblyReport *report) {
    tr_report_open(r, tr_system_dim(report->system) == 0 ? "coordinates" : "bodies", NULL,
                   TR_REPORT_ARRAY);
    for (int i = 0; i < tr_parts(report->system); i++) {
        Value value[MOST_VALUES];
        int   count = values_of(report, i, value);
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "name", NULL, tr_part_name(report->system, i));
        for (int level = 0; level < 2; level++) {
            tr_report_open(r, level == 0 ? "before" : "after", NULL, 0);
            for (int k = 0; k < count; k++) {
                bool        custom = value[k].name[0] == '\0' || value[k].name[0] == '\'';
                const char *key = !custom ? value[k].name : value[k].rate ? "v" : "q";
                tr_report_number(r, key, NULL, level == 0 ? value[k].before : value[k].after, NULL);
            }
            tr_report_close(r);
        }
        tr_report_close(r);
    }
    tr_report_close(r);
}

static void add_gap(trReport *r, const char *key, const trJointGap *j, const trOpening *o) {
    tr_report_open(r, key, NULL, 0);
    if (j->length) {
        tr_report_number(r, "length", NULL, o->length, NULL);
    }
    if (j->angle) {
        tr_report_number(r, "angle", NULL, o->angle, NULL);
    }
    if (j->unit != NULL) {
        tr_report_number(r, "other", NULL, o->other, NULL);
        tr_report_unit(r, j->unit);
    }
    tr_report_close(r);
}

static void add_joints(trReport *r, const trAssembly *a) {
    tr_report_open(r, "joints", NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < a->joints; i++) {
        const trJointGap *j = &a->joint[i];
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "name", NULL, j->name);
        add_gap(r, "position_before", j, &j->position_before);
        add_gap(r, "position_after", j, &j->position_after);
        add_gap(r, "velocity_before", j, &j->velocity_before);
        add_gap(r, "velocity_after", j, &j->velocity_after);
        tr_report_close(r);
    }
    tr_report_close(r);
    tr_report_open(r, "open", NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < a->opens; i++) {
        tr_report_text(r, NULL, NULL, a->joint[a->open[i]].name);
    }
    tr_report_close(r);
}

trReport *tr_report_assembly(const trAssemblyReport *report) {
    trReport         *r = tr_report_create();
    const trAssembly *a = report->assembly;
    bool              regular = a->assembled && a->singular == NULL && report->branch == 0;
    if (r == NULL) {
        return NULL;
    }
    add_text(r, report);
    tr_report_text(r, "model", NULL, tr_system_name(report->system));
    tr_report_text(r, "file", NULL, report->path);
    tr_report_bool(r, "assembled", NULL, a->assembled);
    tr_report_text(r, "error", NULL, report->error);
    tr_report_text(r, "singular", NULL, a->singular);
    tr_report_bool(r, "untouched", NULL, a->untouched);
    tr_report_branch(r, report->branch, report->start);
    tr_report_bool(r, "kept_velocities_released", NULL, a->released);
    tr_report_integer(r, "iterations", NULL, a->iterations);
    tr_report_integer(r, "attempts", NULL, a->attempts);
    if (a->assembled) {
        add_values(r, report, false);
        add_values(r, report, true);
        add_gaps(r, a);
    }
    if (regular) {
        tr_report_note(r, NULL, "\n%d degree%s of freedom, %d redundant row%s",
                       a->degrees_of_freedom, tr_plural(a->degrees_of_freedom), a->redundant_rows,
                       tr_plural(a->redundant_rows));
        tr_report_integer(r, "degrees_of_freedom", NULL, a->degrees_of_freedom);
        tr_report_integer(r, "redundant_rows", NULL, a->redundant_rows);
    }
    add_change(r, "moved", &a->moved, a->moved_coordinate);
    add_change(r, "changed", &a->changed, NULL);
    add_bodies(r, report);
    add_joints(r, a);
    tr_report_numbers(r, "q", a->nq, a->q);
    tr_report_numbers(r, "v", a->nv, a->v);
    tr_report_warnings(r, report->model, NULL);
    return r;
}
