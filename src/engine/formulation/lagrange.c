// SPDX-License-Identifier: MIT
// Lagrange multipliers, index 1, sparse:  [M A'; A 0] [a; lambda] = [F; b].
//
// The block Schur complement of schur.h: linear cost on chains, trees and chains of loops,
// redundant rows dropped by rank, bodies without mass welcome.
// Reference: Laulusa and Bauchau, J. Comput. Nonlinear Dyn. 3 (2008), equations (12), (13).

#include "formulation/schur.h"

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    trSchur *s = tr_new(arena, trSchur);
    *work = s;
    return s == NULL ? TR_E_MEMORY : tr_schur_plan(arena, e, s);
}

static const double *row_norms(const void *work) {
    return ((const trSchur *)work)->row_norm;
}

const trFormulationKind tr_formulation_lagrange = {
    .name = "lagrange",
    .summary = "Lagrange multipliers, index 1, sparse block Schur complement",
    .source = "Laulusa & Bauchau 2008, eqs. (12), (13)",
    .traits = TR_COPES_ALL,
    .error = 1e-12,
    .plan = plan,
    .factor = tr_schur_factor,
    .solve = tr_schur_solve,
    .row_norms = row_norms,
    .rank = tr_schur_rank,
};
