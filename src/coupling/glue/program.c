// SPDX-License-Identifier: MIT
// A shared library that exports tr_module_open as a module.

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "trammel/glue.h"

#define PATH_MOST 4096  // bytes, with its end

// Libraries stay loaded until the process ends: texts of a module live in them.
trStatus tr_module_open_program(const char *path, int arguments, const char *const *argument,
                                trModule *out) {
    // Without a folder the loader would look everywhere but here.
    char here[PATH_MOST];
    int  length = snprintf(here, sizeof here, "%s%s", strchr(path, '/') != NULL ? "" : "./", path);
    if (length < 0 || length >= PATH_MOST) {
        return tr_fail(TR_E_IO, "%.60s...: the path is too long", path);
    }
    void *handle = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return tr_fail(TR_E_IO, "%s: cannot be loaded: %s", path, dlerror());
    }
    void *symbol = dlsym(handle, TR_MODULE_OPEN);
    if (symbol == NULL) {
        dlclose(handle);
        return tr_fail(TR_E_MODEL,
                       "%s: not a module: it does not export '" TR_MODULE_OPEN
                       "'; see trammel/module.h",
                       path);
    }
    trModuleOpen open = NULL;
    memcpy(&open, &symbol, sizeof open);  // ISO C has no other way from an object to a function
    *out = (trModule){0};
    if (open(arguments, argument, out) != 0) {
        return tr_one_line(
            tr_fail(TR_E_MODEL, "%s: %s", path,
                    out->name != NULL ? out->name : "does not open, and gives no reason"));
    }
    return TR_OK;
}
