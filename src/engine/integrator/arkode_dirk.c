// SPDX-License-Identifier: MIT
// The diagonally implicit method of ARKODE (arkode.c).

#include "integrator/arkode.h"

static const trOwnerKind owner = {
    .needs_tangent = true,
    .projects_steps = true,
    .outside = true,
    .plan = tr_arkode_plan_implicit,
    .restart = tr_arkode_restart,
    .step = tr_arkode_step,
    .interpolate = tr_arkode_interpolate,
};

const trIntegratorKind tr_integrator_arkode_dirk = {
    .name = "arkode_dirk",
    .summary = "for stiff systems: diagonally implicit Runge-Kutta of order 5, by SUNDIALS",
    .source = "Reynolds et al. 2023; Kennedy & Carpenter 2019",
    .traits = TR_COPES_ALL,
    .order = 5,
    .error_order = 5,
    .dense_order = 4,
    .evaluations = 20,
    .count = tr_arkode_count,
    .owner = &owner,
};
