// SPDX-License-Identifier: MIT
// A force computed in C: two bodies attract each other by G m1 m2 / r^2 and go round their common
// center of mass.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <trammel/control.h>

static void need(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "%s: %s\n", tr_status_text(status), tr_last_error());
        exit(1);
    }
}

// `context` is G m1 m2 [N m^2]. With the potential, energy is seen to be constant.
static int attract(void *context, const trForceAt *at, trLoad *load, double *potential) {
    const double g = *(const double *)context;
    const double x = at->body[1].x - at->body[0].x, y = at->body[1].y - at->body[0].y;
    const double r = hypot(x, y);
    if (r == 0.0) {
        return 1;  // there is no force here: a smaller step may help
    }
    load[0].fx = g * x / (r * r * r);
    load[0].fy = g * y / (r * r * r);
    load[1].fx = -load[0].fx;
    load[1].fy = -load[0].fy;
    *potential = -g / r;
    return 0;
}

int main(void) {
    double          g = 3.0;  // m1 = 3 kg, m2 = 1 kg, G = 1: at r = 1 m they turn at 2 rad/s
    trForceFunction f = {.context = &g, .load = attract};
    trModel        *model = NULL;
    trSystem       *system = NULL;
    trSim          *sim = NULL;
    trSimDef        def = tr_sim_def_default();
    int             body[2];
    need(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, 0.0)), &model));
    need(tr_model_add_body(model, "star",
                           TR_PARAMS(TR_NUM("mass", 3.0), TR_NUM("inertia", 1.0),
                                     TR_VEC("at", -0.25, 0.0), TR_VEC("velocity", 0.0, -0.5)),
                           &body[0]));
    need(tr_model_add_body(model, "planet",
                           TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0),
                                     TR_VEC("at", 0.75, 0.0), TR_VEC("velocity", 0.0, 1.5)),
                           &body[1]));
    need(tr_model_add_force_function(model, "attraction", 2, body, &f, NULL));
    need(tr_system_build(model, &system));
    need(tr_sim_create(system, &def, &sim));

    for (int k = 0; k <= 5; k++) {
        const double t = 2.0 * k;
        need(tr_sim_run_to(sim, t));
        const trBodyState planet = tr_sim_body(sim, body[1]);
        printf("t %g x %.9f y %.9f\n", t, planet.x, planet.y);
    }
    const trSimStats stats = tr_sim_stats(sim);
    printf("energy %.9f J, drift below 1e-7 J: %s\n", stats.kinetic + stats.potential,
           stats.energy_drift < 1e-7 ? "yes" : "no");

    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return 0;
}
