// SPDX-License-Identifier: MIT
// A comparison for programs: all rows with all figures.

#ifndef TR_REPORT_COMPARE_JSON_H
#define TR_REPORT_COMPARE_JSON_H

#include "report/compare.h"

void tr_compare_add_data(trReport *r, const trCompare *c, const char *path);

#endif
