// SPDX-License-Identifier: MIT
// Parts that several reports share.

#ifndef TR_REPORT_MECHANICS_H
#define TR_REPORT_MECHANICS_H

#include "report/report.h"
#include "trammel/trammel.h"

// The three levels of constraints, each with the units of its lengths and angles, and what other
// units are followed by.
typedef struct trLevelWords {
    const char *name, *length_unit, *angle_unit, *per;
} trLevelWords;

#define TR_LEVEL_COUNT 3
extern const trLevelWords tr_levels[TR_LEVEL_COUNT];

// A unit that is not known is null.
void tr_report_unit(trReport *r, const char *unit);
// A line: "position  1e-15 m at A, 2e-16 rad at B".
void   tr_report_violation(trReport *r, const trLevelWords *level, const trViolation *worst);
double tr_reaction_size(const trReaction *reaction);  // by which reactions are sorted
void   tr_report_model_warnings(trReport *r, const trModel *model);
// The branch of a singular pose that a run starts on; nothing for 0.
void tr_report_branch(trReport *r, int number, const trBranchStart *start);

static inline bool tr_is_unit(const char *unit) {
    return unit != NULL && unit[0] != '\0';
}

#endif
