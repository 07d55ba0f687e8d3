// SPDX-License-Identifier: MIT
// What an FMU is, and what of it joints can be glued to.

#ifndef TR_REPORT_FMU_H
#define TR_REPORT_FMU_H

#include "report/report.h"
#include "trammel/fmi.h"

// NULL when out of memory.
trReport *tr_report_fmu(const trFmuInfo *info);

#endif
