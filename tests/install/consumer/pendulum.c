// SPDX-License-Identifier: MIT
// A pendulum through the C interface.

#include <stdio.h>
#include <trammel/trammel.h>

static trStatus describe(trModel *model) {
    int      rod = 0;
    trStatus status = tr_model_add_body(
        model, "rod",
        TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0 / 12.0), TR_VEC("at", 0.5, 0.0)),
        &rod);
    if (status == TR_OK) {
        status = tr_model_add_joint(model, "revolute", "pin", TR_GROUND, rod,
                                    TR_PARAMS(TR_VEC("point", 0.0, 0.0)), NULL);
    }
    return status;
}

int main(void) {
    trModel  *model = NULL;
    trSystem *system = NULL;
    trSim    *sim = NULL;
    trSimDef  def = tr_sim_def_default();
    def.duration = 2.0;

    trStatus status = tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, -9.81)), &model);
    if (status == TR_OK) {
        status = describe(model);
    }
    if (status == TR_OK) {
        status = tr_system_build(model, &system);
    }
    if (status == TR_OK) {
        status = tr_sim_create(system, &def, &sim);
    }
    if (status == TR_OK) {
        status = tr_sim_run(sim, NULL, NULL);
    }
    if (status == TR_OK) {
        trBodyState rod = tr_sim_body(sim, 0);
        printf("trammel %s: after %g s the rod is at (%.6f, %.6f)\n", tr_version(),
               tr_sim_time(sim), rod.x, rod.y);
    } else {
        fprintf(stderr, "%s\n", tr_last_error());
    }
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return status == TR_OK ? 0 : 1;
}
