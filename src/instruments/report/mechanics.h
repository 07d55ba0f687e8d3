// SPDX-License-Identifier: MIT
// Parts that several reports share.

#ifndef TR_REPORT_MECHANICS_H
#define TR_REPORT_MECHANICS_H

#include "report/report.h"
#include "sim/def.h"
#include "trammel/trammel.h"

// The three levels of constraints, each with the units of its lengths and angles, and what other
// units are followed by.
typedef struct trLevelWords {
    const char *name, *length_unit, *angle_unit, *per;
} trLevelWords;

#define TR_LEVEL_COUNT 3
extern const trLevelWords tr_levels[TR_LEVEL_COUNT];

static inline bool tr_is_unit(const char *unit) {
    return unit != NULL && unit[0] != '\0';
}

// What follows a number: " m", or nothing.
#define TR_UNIT(unit) tr_is_unit(unit) ? " " : "", tr_is_unit(unit) ? (unit) : ""

static inline const char *tr_plural(int64_t count) {
    return count == 1 ? "" : "s";
}

// A unit that is not known is null.
void tr_report_unit(trReport *r, const char *unit);
// A line: "position  1e-15 m at A, 2e-16 rad at B".
void tr_report_violation(trReport *r, const trLevelWords *level, const trViolation *worst);
// The largest change; `what` is "body" or "coordinate".
void tr_report_change(trReport *r, const char *key, const trCorrection *change, const char *what);
// Those of the file in JSON only, as they were printed before. `sim` may be NULL.
void tr_report_warnings(trReport *r, const trModel *model, const trSim *sim);
// The branch of a singular pose that a run starts on; nothing for 0.
void tr_report_branch(trReport *r, int number, const trBranchStart *start);
// An option of a simulation, as a part of a line and a member.
void tr_report_option(trReport *r, const trSimDef *def, const trField *field);

// Bodies of a model; custom coordinates where it has none.
int         tr_parts(const trSystem *system);
const char *tr_part_name(const trSystem *system, int i);

// A number of a body as users give it.
typedef struct trBodyNumber {
    const char *name, *unit;  // "vx", "m/s"
    bool        rate;
    size_t      offset;  // in trBodyState
} trBodyNumber;

const trBodyNumber *tr_body_numbers(int dim, int *count);
double              tr_body_number(const trBodyState *state, const trBodyNumber *number);

double tr_reaction_size(const trReaction *reaction);  // by which reactions are sorted

#endif
