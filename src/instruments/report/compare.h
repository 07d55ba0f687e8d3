// SPDX-License-Identifier: MIT
// Methods side by side: what they reach and what they cost.

#ifndef TR_REPORT_COMPARE_H
#define TR_REPORT_COMPARE_H

#include "report/report.h"
#include "trammel/compare.h"

// "done", "failed", "refused", "skipped", "waiting".
const char *tr_compare_state_name(trCompareState state);

// Of violations at a level: "m/s or rad/s"; "" where it is not known.
#define TR_COMPARE_UNIT 48
void tr_compare_unit(const trCompare *c, int level, char text[TR_COMPARE_UNIT]);

// Custom coordinates have one relative error, bodies have one in m and one in rad.
static inline bool tr_compare_is_general(const trCompare *c) {
    return tr_system_dim(c->system) == 0;
}

// NULL when out of memory. `path` is that of the model file.
trReport *tr_report_compare(const trCompare *c, const char *path);

#endif
