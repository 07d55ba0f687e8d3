// SPDX-License-Identifier: MIT
// `--branch N`: a start on one of the branches of a singular pose.

#include "cli/cli.h"

bool tr_cli_branch_number(const char *text, int *out) {
    double number = 0.0;
    if (!tr_cli_number("branch", text, &number)) {
        return false;
    }
    if (!(number >= 1.0 && number <= TR_BRANCHES_MAX) || number != (double)(int)number) {
        tr_cli_error("option '--branch': '%s' is no number of a branch; they count from 1 to at "
                     "most %d",
                     text, TR_BRANCHES_MAX);
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

void tr_cli_branch_print(FILE *file, int number, const trBranchStart *start) {
    bool unit = start->moved.unit != NULL && start->moved.unit[0] != '\0';
    if (number == 0) {
        return;
    }
    fprintf(file, "  %-16s %d: %s\n", "branch", number, start->words);
    fprintf(
        file, "  %-16s %s was moved along it by %.3g%s%s, out of the singular pose; it starts %s\n",
        "", start->moved.body, start->moved.value, unit ? " " : "", unit ? start->moved.unit : "",
        start->rest ? "at rest" : "with the energy of that pose");
}

void tr_cli_branch_json(trJson *json, int number, const trBranchStart *start) {
    if (number == 0) {
        return;
    }
    tr_json_object(json, "branch");
    tr_json_integer(json, "number", number);
    tr_json_text(json, "motion", start->words);
    tr_json_bool(json, "rest", start->rest);
    tr_json_object(json, "moved");
    tr_json_number(json, "value", start->moved.value);
    tr_json_text(json, "unit", start->moved.unit);
    tr_json_text(json, "body", start->moved.body);
    tr_json_close(json);
    tr_json_text(json, "warning", start->warning);
    tr_json_close(json);
}
