// SPDX-License-Identifier: MIT
#include "fmi/plate.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "support/test.h"

void near(double actual, double expected, double tolerance, int line) {
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("line %d: %.17g, but %.17g is expected to %g", line, actual, expected, tolerance);
    }
}

const Kind kinds[KINDS] = {
    {"2.0 Model Exchange", 2, TR_FMU_MODEL_EXCHANGE},
    {"2.0 Co-Simulation", 2, TR_FMU_CO_SIMULATION},
    {"3.0 Model Exchange", 3, TR_FMU_MODEL_EXCHANGE},
    {"3.0 Co-Simulation", 3, TR_FMU_CO_SIMULATION},
};

Plan whole(int version) {
    return (Plan){
        .version = version, .exchange = true, .co = true, .repeats = true, .serializes = true};
}

trModule open_plan(const Plan *plan, trFmuDef def, int sets, const trFmuSet *set) {
    char     path[256];
    trModule module;
    make_path(path, "plate.fmu");
    make_fmu(path, plan);
    def.sets = sets;
    def.set = set;
    trStatus status = tr_fmu_open(path, &def, &module);
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    unlink(path);  // what is open needs it no more
    return module;
}

trFmuDef def_of(trFmuKind kind) {
    trFmuDef def = tr_fmu_def_default();
    def.kind = kind;
    return def;
}

void good(const trModule *m, int code) {
    if (code != 0) {
        fail_msg("%s", m->error(m->self));
    }
}

Motion motion_of(const trModule *m) {
    Motion out;
    good(m, m->port_motion(m->self, out.x, out.v, out.a));
    return out;
}

void begin(const trModule *m) {
    good(m, m->predict(m->self, &(trGlueStep){.t = 0.0}));
}

void load(const trModule *m, trLevel level, int which, double value) {
    double w[NW] = {0};
    w[which] = value;
    good(m, m->apply(m->self, level, w));
}

void predict(const trModule *m, int step) {
    good(m, m->predict(m->self, &(trGlueStep){.t = step * H, .h = H}));
}

void accept(const trModule *m) {
    good(m, m->accept(m->self));
}

bool has_note(const trModule *m, const char *part) {
    for (int i = 0; i < tr_fmu_notes(m); i++) {
        if (strstr(tr_fmu_note(m, i), part) != NULL) {
            return true;
        }
    }
    return false;
}
