// SPDX-License-Identifier: MIT
// A comparison as JSON. What is not known is null.

#include <math.h>

#include "cli/compare_parts.h"

static void put_settings(trJson *json, const trCompare *c) {
    tr_json_object(json, "settings");
    tr_json_text(json, "integrator", c->base.integrator);
    tr_json_number(json, "start", c->base.start);
    tr_json_number(json, "duration", c->base.duration);
    tr_json_number(json, "rtol", c->base.rtol);
    tr_json_number(json, "atol", c->base.atol);
    tr_json_bool(json, "step_chosen", c->step_chosen);
    tr_json_text(json, "replaced_integrator", c->replaced);
    tr_json_integer(json, "runs", c->turns);
    tr_json_close(json);
}

static void put_gap(trJson *json, const char *key, const trCompare *c, const trGap *gap) {
    bool general = tr_compare_is_general(c);
    tr_json_object(json, key);
    tr_json_number(json, "length", general ? NAN : gap->length);
    tr_json_number(json, "angle", general ? NAN : gap->angle);
    tr_json_number(json, "relative", general ? gap->general : NAN);
}

static void put_reference(trJson *json, const trCompare *c) {
    const trReference *r = &c->reference;
    tr_json_object(json, "reference");
    tr_json_text(json, "integrator", r->integrator);
    tr_json_text(json, "method", r->method);
    tr_json_bool(json, "stiff", r->stiff);
    tr_json_array(json, "tolerances");
    tr_json_number(json, NULL, r->tolerance[0]);
    tr_json_number(json, NULL, r->tolerance[1]);
    tr_json_close(json);
    tr_json_number(json, "reached", r->count > 0 ? c->time[r->count - 1] : NAN);
    tr_json_text(json, "reason", r->reason[0] != '\0' ? r->reason : NULL);
    const trGap none = {NAN, NAN, NAN};
    put_gap(json, "difference", c, r->count > 0 ? &r->doubt[r->count - 1] : &none);
    tr_json_close(json);
    tr_json_close(json);
}

static void put_levels(trJson *json, const trCompareRow *row) {
    tr_json_object(json, "violation");
    for (int k = 0; k < TR_COMPARE_LEVELS; k++) {
        tr_json_object(json, tr_levels[k].name);
        tr_json_number(json, "worst", row->level[k].worst);
        tr_json_number(json, "mean", row->level[k].mean);
        tr_json_close(json);
    }
    tr_json_close(json);
}

static void put_error(trJson *json, const trCompare *c, const trCompareRow *row) {
    if (!row->measured) {
        tr_json_text(json, "error", NULL);
        return;
    }
    put_gap(json, "error", c, &row->error);
    tr_json_bool(json, "is_bound", row->bound);
    tr_json_number(json, "trusted_until", row->trusted_until);
    tr_json_close(json);
}

static void put_work(trJson *json, const trCompareRow *row) {
    tr_json_object(json, "counters");
    tr_json_integer(json, "steps", row->steps);
    tr_json_integer(json, "rejected", row->rejected);
    tr_json_integer(json, "forced", row->forced);
    tr_json_integer(json, "evaluations", row->evaluations);
    tr_json_integer(json, "factorizations", row->factorizations);
    tr_json_integer(json, "newton_iterations", row->newton_iterations);
    tr_json_integer(json, "formulation_iterations", row->formulation_iterations);
    tr_json_close(json);
    tr_json_number(json, "seconds", row->seconds);
    tr_json_number(json, "time_ratio", row->ratio);
}

// By merit, and whose figures they are.
static void put_merit(trJson *json, const trCompare *c, const trCompareRow *row) {
    if (!row->sweep) {
        tr_json_integer(json, "rank", row->rank);
        tr_json_text(json, "same_as", row->same_as >= 0 ? c->row[row->same_as].label : NULL);
    }
}

static void put_row(trJson *json, const trCompare *c, const trCompareRow *row) {
    tr_json_object(json, NULL);
    tr_json_text(json, "method", row->label);
    tr_json_text(json, "state", tr_compare_state_name(row->state));
    tr_json_text(json, "reason", row->reason[0] != '\0' ? row->reason : NULL);
    tr_json_text(json, "integrator", row->def.integrator);
    tr_json_number(json, "step", row->fixed ? row->def.step : NAN);
    tr_json_number(json, "rtol", row->fixed ? NAN : row->def.rtol);
    tr_json_number(json, "atol", row->fixed ? NAN : row->def.atol);
    if (row->state == TR_COMPARE_DONE || row->state == TR_COMPARE_FAILED) {
        tr_json_number(json, "reached", row->reached);
        put_levels(json, row);
        tr_json_object(json, "energy");
        tr_json_number(json, "end", row->energy_end);
        tr_json_number(json, "worst", row->energy_worst);
        tr_json_close(json);
        put_error(json, c, row);
        put_work(json, row);
    }
    put_merit(json, c, row);
    tr_json_close(json);
}

static void put_rows(trJson *json, const char *key, const trCompare *c, bool sweep) {
    tr_json_array(json, key);
    for (int i = 0; i < c->rows; i++) {
        if (c->row[i].shown && c->row[i].sweep == sweep) {
            put_row(json, c, &c->row[i]);
        }
    }
    tr_json_close(json);
}

void tr_compare_json(FILE *file, const trCompareReport *report) {
    const trCompare *c = report->compare;
    trJson           json = tr_json_begin(file);
    tr_json_text(&json, "model", tr_system_name(c->system));
    tr_json_text(&json, "file", report->path);
    tr_json_text(&json, "version", tr_version());
    tr_json_bool(&json, "interrupted", c->interrupted);
    put_settings(&json, c);
    put_reference(&json, c);
    put_rows(&json, "rows", c, false);
    put_rows(&json, "sweep", c, true);
    tr_json_text(&json, "energy_unit", c->energy_unit[0] != '\0' ? c->energy_unit : NULL);
    tr_json_object(&json, "violation_units");
    for (int k = 0; k < TR_COMPARE_LEVELS; k++) {
        char unit[48];
        tr_compare_unit(c, k, unit);
        tr_json_text(&json, tr_levels[k].name, unit[0] != '\0' ? unit : NULL);
    }
    tr_json_close(&json);
    tr_json_text(&json, "time_unit", c->time_unit);
    tr_json_text(&json, "recommended", c->recommended >= 0 ? c->row[c->recommended].label : NULL);
    tr_json_text(&json, "recommendation", c->sentence);
    tr_json_number(&json, "ranked_until", c->ranked_until);
    tr_json_end(&json);
}
