// SPDX-License-Identifier: MIT
#include "cli/model_file.h"

#include <string.h>

trExit tr_cli_refuse_model(const char *path, trStatus status) {
    const char *text = tr_last_error();
    size_t      length = strlen(path);
    if (status == TR_E_IO || (strncmp(text, path, length) == 0 && text[length] == ':')) {
        tr_cli_error("%s", text);
    } else {
        tr_cli_error("%s: %s", path, text);
    }
    return tr_cli_exit(status);
}

trExit tr_cli_load_model(const char *path, const char *const *set, trModel **model,
                         trSystem **system, trSimDef *def) {
    trStatus status = tr_lua_load(path, set, model, def);
    for (int i = 0; status == TR_OK && i < tr_model_warnings(*model); i++) {
        tr_cli_warning(tr_model_warning(*model, i));
    }
    status = status == TR_OK ? tr_system_build(*model, system) : status;
    return status == TR_OK ? TR_EXIT_DONE : tr_cli_refuse_model(path, status);
}
