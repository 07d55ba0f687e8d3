// SPDX-License-Identifier: MIT
// A comparison for programs: all rows with all figures.

#include <math.h>

#include "report/mechanics.h"
#include "report/reports.h"

static void add_settings(trReport *r, const trCompare *c) {
    tr_report_open(r, "settings", NULL, 0);
    tr_report_text(r, "integrator", NULL, c->base.integrator);
    tr_report_number(r, "start", NULL, c->base.start, NULL);
    tr_report_number(r, "duration", NULL, c->base.duration, NULL);
    tr_report_number(r, "rtol", NULL, c->base.rtol, NULL);
    tr_report_number(r, "atol", NULL, c->base.atol, NULL);
    tr_report_bool(r, "step_chosen", NULL, c->step_chosen);
    tr_report_text(r, "replaced_integrator", NULL, c->replaced);
    tr_report_integer(r, "runs", NULL, c->turns);
    tr_report_close(r);
}

static void add_gap(trReport *r, const char *key, const trCompare *c, const trCompareGap *gap) {
    bool general = tr_compare_is_general(c);
    tr_report_open(r, key, NULL, 0);
    tr_report_number(r, "length", NULL, general ? NAN : gap->length, NULL);
    tr_report_number(r, "angle", NULL, general ? NAN : gap->angle, NULL);
    tr_report_number(r, "relative", NULL, general ? gap->general : NAN, NULL);
}

static void add_reference(trReport *r, const trCompare *c) {
    const trCompareReference *a = &c->reference;
    tr_report_open(r, "reference", NULL, 0);
    tr_report_text(r, "integrator", NULL, a->integrator);
    tr_report_text(r, "method", NULL, a->method);
    tr_report_bool(r, "stiff", NULL, a->stiff);
    tr_report_open(r, "tolerances", NULL, TR_REPORT_ARRAY);
    tr_report_number(r, NULL, NULL, a->tolerance[0], NULL);
    tr_report_number(r, NULL, NULL, a->tolerance[1], NULL);
    tr_report_close(r);
    tr_report_number(r, "reached", NULL, a->count > 0 ? c->time[a->count - 1] : NAN, NULL);
    tr_report_text(r, "reason", NULL, a->reason[0] != '\0' ? a->reason : NULL);
    const trCompareGap none = {NAN, NAN, NAN};
    add_gap(r, "difference", c, a->count > 0 ? &a->doubt[a->count - 1] : &none);
    tr_report_close(r);
    tr_report_close(r);
}

static void add_levels(trReport *r, const trCompareRow *row) {
    tr_report_open(r, "violation", NULL, 0);
    for (int k = 0; k < TR_COMPARE_LEVELS; k++) {
        tr_report_open(r, tr_levels[k].name, NULL, 0);
        tr_report_number(r, "worst", NULL, row->level[k].worst, NULL);
        tr_report_number(r, "mean", NULL, row->level[k].mean, NULL);
        tr_report_close(r);
    }
    tr_report_close(r);
}

static void add_error(trReport *r, const trCompare *c, const trCompareRow *row) {
    if (!row->measured) {
        tr_report_text(r, "error", NULL, NULL);
        return;
    }
    add_gap(r, "error", c, &row->error);
    tr_report_bool(r, "is_bound", NULL, row->bound);
    tr_report_number(r, "trusted_until", NULL, row->trusted_until, NULL);
    tr_report_close(r);
}

static void add_work(trReport *r, const trCompareRow *row) {
    tr_report_open(r, "counters", NULL, 0);
    tr_report_integer(r, "steps", NULL, row->steps);
    tr_report_integer(r, "rejected", NULL, row->rejected);
    tr_report_integer(r, "forced", NULL, row->forced);
    tr_report_integer(r, "evaluations", NULL, row->evaluations);
    tr_report_integer(r, "factorizations", NULL, row->factorizations);
    tr_report_integer(r, "newton_iterations", NULL, row->newton_iterations);
    tr_report_integer(r, "formulation_iterations", NULL, row->formulation_iterations);
    tr_report_close(r);
    tr_report_number(r, "seconds", NULL, row->seconds, NULL);
    tr_report_number(r, "time_ratio", NULL, row->ratio, NULL);
}

// By merit, and whose figures they are.
static void add_merit(trReport *r, const trCompare *c, const trCompareRow *row) {
    if (!row->sweep) {
        tr_report_integer(r, "rank", NULL, row->rank);
        tr_report_text(r, "same_as", NULL, row->same_as >= 0 ? c->row[row->same_as].label : NULL);
    }
}

static void add_row(trReport *r, const trCompare *c, const trCompareRow *row) {
    tr_report_open(r, NULL, NULL, 0);
    tr_report_text(r, "method", NULL, row->label);
    tr_report_text(r, "state", NULL, tr_compare_state_name(row->state));
    tr_report_text(r, "reason", NULL, row->reason[0] != '\0' ? row->reason : NULL);
    tr_report_text(r, "integrator", NULL, row->def.integrator);
    tr_report_number(r, "step", NULL, row->fixed ? row->def.step : NAN, NULL);
    tr_report_number(r, "rtol", NULL, row->fixed ? NAN : row->def.rtol, NULL);
    tr_report_number(r, "atol", NULL, row->fixed ? NAN : row->def.atol, NULL);
    if (row->state == TR_COMPARE_DONE || row->state == TR_COMPARE_FAILED) {
        tr_report_number(r, "reached", NULL, row->reached, NULL);
        add_levels(r, row);
        tr_report_open(r, "energy", NULL, 0);
        tr_report_number(r, "end", NULL, row->energy_end, NULL);
        tr_report_number(r, "worst", NULL, row->energy_worst, NULL);
        tr_report_close(r);
        add_error(r, c, row);
        add_work(r, row);
    }
    add_merit(r, c, row);
    tr_report_close(r);
}

static void add_rows(trReport *r, const char *key, const trCompare *c, bool sweep) {
    tr_report_open(r, key, NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < c->rows; i++) {
        if (c->row[i].shown && c->row[i].sweep == sweep) {
            add_row(r, c, &c->row[i]);
        }
    }
    tr_report_close(r);
}

void tr_compare_add_data(trReport *r, const trCompare *c, const char *path) {
    tr_report_text(r, "model", NULL, tr_system_name(c->system));
    tr_report_text(r, "file", NULL, path);
    tr_report_text(r, "version", NULL, tr_version());
    tr_report_bool(r, "interrupted", NULL, c->interrupted);
    add_settings(r, c);
    add_reference(r, c);
    add_rows(r, "rows", c, false);
    add_rows(r, "sweep", c, true);
    tr_report_text(r, "energy_unit", NULL, c->energy_unit[0] != '\0' ? c->energy_unit : NULL);
    tr_report_open(r, "violation_units", NULL, 0);
    for (int k = 0; k < TR_COMPARE_LEVELS; k++) {
        char unit[TR_COMPARE_UNIT];
        tr_compare_unit(c, k, unit);
        tr_report_text(r, tr_levels[k].name, NULL, unit[0] != '\0' ? unit : NULL);
    }
    tr_report_close(r);
    tr_report_text(r, "time_unit", NULL, c->time_unit);
    tr_report_text(r, "recommended", NULL,
                   c->recommended >= 0 ? c->row[c->recommended].label : NULL);
    tr_report_text(r, "recommendation", NULL, c->sentence);
    tr_report_number(r, "ranked_until", NULL, c->ranked_until, NULL);
}
