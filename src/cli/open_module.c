// SPDX-License-Identifier: MIT
// A file as a module, by the end of its name.

#include "cli/open_module.h"

#include <stdbool.h>
#include <string.h>

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

trStatus tr_cli_open_module(const char *path, int arguments, const char *const *argument,
                            trModule *out) {
    if (ends_with(path, ".so")) {
        return tr_module_open_program(path, arguments, argument, out);
    }
    return tr_fail(TR_E_MODEL, "%s: no module; they are shared libraries (.so)", path);
}
