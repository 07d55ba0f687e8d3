// SPDX-License-Identifier: MIT
// In place of all the rest, where libzip or libxml2 were not there when Trammel was built.

#include "base/status.h"
#include "trammel/fmi.h"
#include "trammel/module.h"

static trStatus absent(const char *path) {
    return tr_fail(
        TR_E_UNSUPPORTED,
        "%s: this Trammel was built without FMUs; install libzip-dev and libxml2-dev, and "
        "build it again",
        path);
}

trStatus tr_fmu_read(const char *path, const trFmuDef *def, trFmuInfo **out) {
    *out = NULL;
    return absent(path);
}

void tr_fmu_info_free(trFmuInfo *info) {
}

trStatus tr_fmu_open(const char *path, const trFmuDef *def, trModule *out) {
    *out = (trModule){0};
    return absent(path);
}

int tr_fmu_notes(const trModule *module) {
    return 0;
}

const char *tr_fmu_note(const trModule *module, int index) {
    return "";
}
