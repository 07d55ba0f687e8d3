// SPDX-License-Identifier: MIT
// Model files: load, build, create, a few steps. Whatever is wrong is told in one line that begins
// with the name of the file; nothing else happens.

#include <string.h>

#include "target.h"
#include "trammel/trammel.h"

GOALS("a mechanism is stepped", "a system of equations is stepped", "a file is refused")
enum { MECHANISM, SYSTEM, REFUSED };

#define FILE_MOST 65536      // bytes
#define COORDINATES_MOST 60  // of systems that are simulated
#define STEPS 3

static void check_message(const char *prefix) {
    const char *text = tr_last_error();
    MUST(strncmp(text, prefix, strlen(prefix)) == 0);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        MUST(*c >= 0x20 && *c != 0x7f);
    }
}

static void simulate(const trSystem *system, trSimDef *def) {
    trSim *sim = NULL;
    if (tr_system_nv(system) > COORDINATES_MOST || tr_system_m(system) > COORDINATES_MOST) {
        return;
    }
    trStatus status = tr_sim_create(system, def, &sim);
    for (int i = 0; status == TR_OK && i < STEPS; i++) {
        status = tr_sim_step(sim);
    }
    MUST(status == TR_OK || tr_last_error()[0] != '\0');
    if (status == TR_OK) {
        REACHED(tr_system_joints(system) > 0 ? MECHANISM : SYSTEM);
    }
    tr_sim_destroy(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    trModel  *model = NULL;
    trSystem *system = NULL;
    trSimDef  def = tr_sim_def_default();
    if (size > FILE_MOST) {
        return 0;
    }
    trStatus status =
        tr_lua_load_text("fuzz.lua", size == 0 ? "" : (const char *)data, size, NULL, &model, &def);
    if (status != TR_OK) {
        MUST(model == NULL);
        check_message("fuzz.lua:");
        REACHED(REFUSED);
        return 0;
    }
    if (tr_system_build(model, &system) == TR_OK) {
        simulate(system, &def);
    } else {
        check_message("");
    }
    tr_system_destroy(system);
    tr_model_destroy(model);
    return 0;
}
