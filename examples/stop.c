// SPDX-License-Identifier: MIT
// A run that stops on a condition: a rod falls from the horizontal and is stopped where it hangs
// straight down. Steps pass the instant; it is found inside the last one.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <trammel/sim.h>

static void need(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "%s: %s\n", tr_status_text(status), tr_last_error());
        exit(1);
    }
}

static trSystem *describe(trModel **model) {
    trSystem *system = NULL;
    int       rod = 0;
    need(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, -9.81)), model));
    need(tr_model_add_body(
        *model, "rod",
        TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 2.0 / 12.0), TR_VEC("at", 0.5, 0.0)),
        &rod));
    need(tr_model_add_joint(*model, "revolute", "pin", TR_GROUND, rod,
                            TR_PARAMS(TR_VEC("point", 0.0, 0.0)), NULL));
    need(tr_system_build(*model, &system));
    return system;
}

// Positive until the rod hangs: its center is right of the pin.
static double condition(const double *q) {
    return q[0];
}

int main(void) {
    trModel  *model = NULL;
    trSystem *system = describe(&model);
    trSim    *sim = NULL;
    trSimDef  def = tr_sim_def_default();
    double    q[3], v[3], before = 0.0;
    def.rtol = def.atol = 1e-10;
    need(tr_sim_create(system, &def, &sim));
    need(tr_sim_follow(sim, true));

    while (condition(tr_sim_q(sim)) > 0.0) {
        before = tr_sim_time(sim);
        need(tr_sim_step(sim));
    }
    double after = tr_sim_time(sim);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (before + after);
        need(tr_sim_interpolate(sim, middle, q, v));
        if (condition(q) > 0.0) {
            before = middle;
        } else {
            after = middle;
        }
    }
    need(tr_sim_interpolate(sim, after, q, v));
    printf("it hangs at t = %.9f s, turning at %.9f rad/s\n", after, v[2]);

    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return 0;
}
