// SPDX-License-Identifier: MIT
// `--branch N`: a start on one of the branches of a singular pose.

#include "cli/cli.h"

bool tr_cli_branch_number(const char *text, int *out) {
    double number = 0.0;
    if (!tr_cli_number("branch", text, &number)) {
        return false;
    }
    if (!(number >= 1.0 && number <= TR_BRANCHES_MAX) || number != (double)(int)number) {
        tr_cli_error("option '--branch': '%s' is not a branch number; use 1 to %d", text,
                     TR_BRANCHES_MAX);
        return false;
    }
    *out = (int)number;
    return true;
}

trStatus tr_cli_branch(const trSystem *system, int number, trSimDef *def, trBranchStart *out) {
    *out = (trBranchStart){0};
    if (number == 0) {
        return TR_OK;
    }
    trStatus status = tr_branch_start(system, def, number, out);
    if (status == TR_OK) {
        def->q = out->q;
        def->v = out->v;
        def->start = out->time;
        if (out->warning != NULL) {
            tr_cli_warning(out->warning);
        }
    }
    return status;
}
