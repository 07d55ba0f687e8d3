// SPDX-License-Identifier: MIT
#include "report/mechanics.h"

#include <math.h>

const trLevelWords tr_levels[TR_LEVEL_COUNT] = {
    {"position", "m", "rad", ""},
    {"velocity", "m/s", "rad/s", "/s"},
    {"acceleration", "m/s^2", "rad/s^2", "/s^2"},
};

void tr_report_unit(trReport *r, const char *unit) {
    tr_report_text(r, "unit", NULL, tr_is_unit(unit) ? unit : NULL);
}

static void add_worst(trReport *r, const char *key, double value, const char *unit,
                      const char *joint) {
    tr_report_open(r, key, NULL, 0);
    tr_report_number(r, "value", joint != NULL ? "%3" : NULL, value, unit);
    tr_report_text(r, "unit", NULL, unit);
    tr_report_text(r, "joint", " at %", joint);
    tr_report_close(r);
}

void tr_report_violation(trReport *r, const trLevelWords *level, const trViolation *worst) {
    char unit[128];
    snprintf(unit, sizeof unit, "%s%s", tr_is_unit(worst->other_unit) ? worst->other_unit : "",
             level->per);
    tr_report_open(r, level->name, level->name, TR_REPORT_LINE | TR_REPORT_NOISE);
    add_worst(r, "length", worst->length, level->length_unit, worst->length_joint);
    add_worst(r, "angle", worst->angle, level->angle_unit, worst->angle_joint);
    add_worst(r, "other", worst->other, tr_is_unit(worst->other_unit) ? unit : NULL,
              worst->other_joint);
    tr_report_close(r);
}

double tr_reaction_size(const trReaction *a) {
    return sqrt(a->fx * a->fx + a->fy * a->fy + a->fz * a->fz) +
           sqrt(a->mx * a->mx + a->my * a->my + a->mz * a->mz);
}

void tr_report_model_warnings(trReport *r, const trModel *model) {
    for (int i = 0; i < tr_model_warnings(model); i++) {
        tr_report_text(r, NULL, NULL, tr_model_warning(model, i));
    }
}

void tr_report_branch(trReport *r, int number, const trBranchStart *start) {
    if (number == 0) {
        return;
    }
    const trCorrection *moved = &start->moved;
    bool                unit = tr_is_unit(moved->unit);
    tr_report_note(r, "branch", "%d: %s", number, start->words);
    tr_report_note(r, "",
                   "%s was moved along it by %.3g%s%s, out of the singular pose; it starts %s",
                   moved->body, moved->value, unit ? " " : "", unit ? moved->unit : "",
                   start->rest ? "at rest" : "with the energy of that pose");
    tr_report_open(r, "branch", NULL, 0);
    tr_report_integer(r, "number", NULL, number);
    tr_report_text(r, "motion", NULL, start->words);
    tr_report_bool(r, "rest", NULL, start->rest);
    tr_report_open(r, "moved", NULL, 0);
    tr_report_number(r, "value", NULL, moved->value, NULL);
    tr_report_text(r, "unit", NULL, moved->unit);
    tr_report_text(r, "body", NULL, moved->body);
    tr_report_close(r);
    tr_report_text(r, "warning", NULL, start->warning);
    tr_report_close(r);
}
