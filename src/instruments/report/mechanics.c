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
    snprintf(unit, sizeof unit, "%s%s", worst->other_unit != NULL ? worst->other_unit : "",
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

void tr_report_change(trReport *r, const char *key, const trCorrection *change, const char *what) {
    tr_report_open(r, key, NULL, 0);
    tr_report_number(r, "value", NULL, change->value, NULL);
    tr_report_unit(r, change->unit);
    tr_report_text(r, what, NULL, change->body);
    tr_report_close(r);
}

void tr_report_warnings(trReport *r, const trModel *model, const trSim *sim) {
    tr_report_open(r, "warnings", NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < tr_model_warnings(model); i++) {
        tr_report_text(r, NULL, NULL, tr_model_warning(model, i));
    }
    for (int i = 0; sim != NULL && i < tr_sim_warnings(sim); i++) {
        tr_report_note(r, "warning", "%s", tr_sim_warning(sim, i));
        tr_report_text(r, NULL, NULL, tr_sim_warning(sim, i));
    }
    tr_report_close(r);
}

void tr_report_branch(trReport *r, int number, const trBranchStart *start) {
    if (number == 0) {
        return;
    }
    const trCorrection *moved = &start->moved;
    tr_report_note(r, "branch", "%d: %s", number, start->words);
    tr_report_note(r, "",
                   "%s was moved along it by %.3g%s%s, out of the singular pose; it starts %s",
                   moved->body, moved->value, TR_UNIT(moved->unit),
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

// --- bodies ---

int tr_parts(const trSystem *system) {
    return tr_system_dim(system) == 0 ? tr_system_coordinates(system) : tr_system_bodies(system);
}

const char *tr_part_name(const trSystem *system, int i) {
    return tr_system_dim(system) == 0 ? tr_system_coordinate_name(system, i)
                                      : tr_system_body_name(system, i);
}

#define NUMBER(name, member, unit, rate) \
    { #name, unit, rate, offsetof(trBodyState, member) }

const trBodyNumber *tr_body_numbers(int dim, int *count) {
    static const trBodyNumber planar[] = {
        NUMBER(x, x, "m", false),           NUMBER(y, y, "m", false),
        NUMBER(angle, angle, "rad", false), NUMBER(vx, vx, "m/s", true),
        NUMBER(vy, vy, "m/s", true),        NUMBER(omega, omega, "rad/s", true),
    };
    static const trBodyNumber spatial[] = {
        NUMBER(x, x, "m", false),
        NUMBER(y, y, "m", false),
        NUMBER(z, z, "m", false),
        NUMBER(e0, quaternion[0], "", false),
        NUMBER(e1, quaternion[1], "", false),
        NUMBER(e2, quaternion[2], "", false),
        NUMBER(e3, quaternion[3], "", false),
        NUMBER(vx, vx, "m/s", true),
        NUMBER(vy, vy, "m/s", true),
        NUMBER(vz, vz, "m/s", true),
        NUMBER(wx, wx, "rad/s", true),
        NUMBER(wy, wy, "rad/s", true),
        NUMBER(wz, wz, "rad/s", true),
    };
    *count =
        dim == 2 ? (int)(sizeof planar / sizeof *planar) : (int)(sizeof spatial / sizeof *spatial);
    return dim == 2 ? planar : spatial;
}

double tr_body_number(const trBodyState *state, const trBodyNumber *number) {
    return *(const double *)(const void *)((const char *)state + number->offset);
}
