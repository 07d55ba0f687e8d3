// SPDX-License-Identifier: MIT
// A model file and the system made of it.

#include <string.h>

#include "cli/cli.h"

void tr_cli_about(const char *path, const char *text) {
    size_t length = strlen(path);
    if (strncmp(text, path, length) == 0 && text[length] == ':') {
        tr_cli_error("%s", text);
    } else {
        tr_cli_error("%s: %s", path, text);
    }
}

trExit tr_cli_refuse(const char *path, trStatus status) {
    if (status == TR_E_IO) {  // files name themselves
        tr_cli_error("%s", tr_last_error());
    } else {
        tr_cli_about(path, tr_last_error());
    }
    return tr_cli_exit(status);
}

trExit tr_cli_open(const char *path, const char *const *set, trLoaded *out) {
    *out = (trLoaded){.path = path, .def = tr_sim_def_default()};
    trStatus status = tr_cli_load(path, set, &out->model, &out->def);
    for (int i = 0; status == TR_OK && i < tr_model_warnings(out->model); i++) {
        tr_cli_warning(tr_model_warning(out->model, i));
    }
    return status == TR_OK ? TR_EXIT_DONE : tr_cli_refuse(path, status);
}

trExit tr_cli_prepare(const char *path, const char *const *set, trLoaded *out) {
    trExit code = tr_cli_open(path, set, out);
    if (code != TR_EXIT_DONE) {
        return code;
    }
    trStatus status = tr_system_build(out->model, &out->system);
    return status == TR_OK ? TR_EXIT_DONE : tr_cli_refuse(path, status);
}

void tr_cli_release(trLoaded *loaded) {
    tr_system_destroy(loaded->system);
    tr_model_destroy(loaded->model);
    *loaded = (trLoaded){0};
}

// --- --branch N ---

bool tr_read_branch(trFileRequest *r, const char *text) {
    double number = 0.0;
    if (!tr_cli_number("branch", text, &number)) {
        return false;
    }
    if (!(number >= 1.0 && number <= TR_BRANCHES_MAX) || number != (double)(int)number) {
        tr_cli_error("option '--branch': '%s' is not a branch number; use 1 to %d", text,
                     TR_BRANCHES_MAX);
        return false;
    }
    r->branch = (int)number;
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
