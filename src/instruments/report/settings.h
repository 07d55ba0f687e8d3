// SPDX-License-Identifier: MIT
// What the settings of a simulation hold, in words.

#ifndef TR_REPORT_SETTINGS_H
#define TR_REPORT_SETTINGS_H

#include "report/report.h"
#include "sim/def.h"

// A setting as a result file notes it: numbers to the last digit, lists in full. NULL for what was
// not set or is not read; also if there is no memory, which the arena knows.
const char *tr_setting_note(trArena *arena, const trSimDef *def, const trField *field);
// An option, as a part of a line and a member.
void tr_report_option(trReport *r, const trSimDef *def, const trField *field);

#endif
