// SPDX-License-Identifier: MIT
// A model file and the system made of it, for commands that do not simulate.

#include <string.h>

#include "cli/cli.h"

trExit tr_cli_refuse(const char *path, trStatus status) {
    const char *text = tr_last_error();
    size_t      length = strlen(path);
    if (status == TR_E_IO || (strncmp(text, path, length) == 0 && text[length] == ':')) {
        tr_cli_error("%s", text);
    } else {
        tr_cli_error("%s: %s", path, text);
    }
    return tr_cli_exit(status);
}

trExit tr_cli_prepare(const char *path, const char *const *set, trLoaded *out) {
    *out = (trLoaded){.path = path, .def = tr_sim_def_default()};
    trStatus status = tr_cli_load(path, set, &out->model, &out->def);
    for (int i = 0; status == TR_OK && i < tr_model_warnings(out->model); i++) {
        tr_cli_warning(tr_model_warning(out->model, i));
    }
    status = status == TR_OK ? tr_system_build(out->model, &out->system) : status;
    return status == TR_OK ? TR_EXIT_DONE : tr_cli_refuse(path, status);
}

void tr_cli_release(trLoaded *loaded) {
    tr_system_destroy(loaded->system);
    tr_model_destroy(loaded->model);
    *loaded = (trLoaded){0};
}
