// SPDX-License-Identifier: MIT
// A verification of a result file: what was compared, then what is off, worst first.

#ifndef TR_REPORT_VERIFY_H
#define TR_REPORT_VERIFY_H

#include "report/report.h"
#include "trammel/verify.h"

// NULL when out of memory. `path` is that of the result file.
trReport *tr_report_verify(const char *path, const trVerification *seen);

#endif
