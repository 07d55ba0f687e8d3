// SPDX-License-Identifier: MIT
// For tests of what a run is warned of.

#ifndef TR_TESTS_SIM_ALARMS_CASE_H
#define TR_TESTS_SIM_ALARMS_CASE_H

#include "assembly_case.h"
#include "support/test.h"

// A block on a belt; the friction is as steep as V0 is small.
static const char friction[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local b = m:body { name = 'block', mass = 1, inertia = 1 }\n"
    "m:joint { 'prismatic', name = 'table', m.ground, b, axis = { 1, 0 } }\n"
    "m:force { 'spring', name = 's', m.ground, b, world1 = { -1, 0 }, world2 = { 0, 0 },\n"
    "          stiffness = 50 }\n"
    "m:force { name = 'fric', b, force = function(b, t)\n"
    "    return { -4 * tanh((b.vx - 0.1) / V0), 0 } end }\n"
    "m:simulate { duration = 0.05 }\n"
    "return m\n";

// The text with `word` replaced by a number of the same length at most.
static Case with(const char *text, const char *word, const char *number) {
    static char made[1024];
    const char *at = strstr(text, word);
    assert_non_null(at);
    snprintf(made, sizeof made, "%.*s%s%s", (int)(at - text), text, number, at + strlen(word));
    return case_of_text(made);
}

static bool warns(const trSim *sim, const char *part) {
    for (int i = 0; i < tr_sim_warnings(sim); i++) {
        if (strstr(tr_sim_warning(sim, i), part) != NULL) {
            return true;
        }
    }
    return false;
}

#endif
