// SPDX-License-Identifier: MIT
// Adams' formulas of CVODE (cvode.c). Its history cannot be projected: constraints are held by
// projection inside the right-hand side, and states are projected copies.

#include "integrator/cvode.h"

static const trOwnerKind owner = {
    .outside = true,
    .plan = tr_cvode_plan_adams,
    .restart = tr_cvode_restart,
    .step = tr_cvode_step,
    .interpolate = tr_cvode_interpolate,
};

const trIntegratorKind tr_integrator_cvode_adams = {
    .name = "cvode_adams",
    .summary = "Adams-Moulton, order 1 to 12, by SUNDIALS: few evaluations on smooth motion",
    .source = "Hindmarsh et al. 2005",
    .traits = TR_COPES_ALL,
    .order = 12,
    .error_order = 13,
    .dense_order = 12,
    .evaluations = 2,
    .count = tr_cvode_count,
    .owner = &owner,
};
