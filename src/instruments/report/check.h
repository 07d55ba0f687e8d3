// SPDX-License-Identifier: MIT
// What there is to know of a model before it runs.

#ifndef TR_REPORT_CHECK_H
#define TR_REPORT_CHECK_H

#include "report/report.h"
#include "trammel/trammel.h"

// NULL when out of memory. `path` is that of the model file.
trReport *tr_report_check(const trSystem *system, const char *path, const trCheck *check);

#endif
