// SPDX-License-Identifier: MIT
// A pendulum held by a spring that is softer when it is stretched: described, simulated and
// recorded from C.

#include <stdio.h>

#include <trammel/trammel.h>

// Passes a failure on to the caller.
#define TRY(call)                \
    do {                         \
        trStatus status_ = call; \
        if (status_ != TR_OK) {  \
            return status_;      \
        }                        \
    } while (0)

typedef struct Program {
    trModel    *model;
    trSystem   *system;
    trSim      *sim;
    trRecorder *recorder;
} Program;

static trStatus describe(trModel *model) {
    const double extension[] = {-0.5, 0.0, 0.5}, force[] = {-40.0, 0.0, 10.0};  // [m], [N]
    const trLaw *law = NULL;
    int          rod = 0;
    TRY(tr_model_add_body(
        model, "rod",
        TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 2.0 / 12.0), TR_VEC("at", 0.5, 0.0)),
        &rod));
    TRY(tr_model_add_joint(model, "revolute", "pin", TR_GROUND, rod,
                           TR_PARAMS(TR_VEC("point", 0.0, 0.0)), NULL));
    TRY(tr_model_table(model, 3, extension, force, &law));
    return tr_model_add_force(
        model, "spring", "spring", TR_GROUND, rod,
        TR_PARAMS(TR_LAW("stiffness", law), TR_VEC("world1", 1.0, 1.0), TR_VEC("world2", 1.0, 0.0)),
        NULL);
}

static trStatus simulate(Program *p) {
    trSimDef def = tr_sim_def_default();
    def.duration = 2.0;
    def.sample = 0.5;
    TRY(tr_model_create(TR_PARAMS(TR_WORD("name", "pendulum"), TR_VEC("gravity", 0.0, -9.81)),
                        &p->model));
    TRY(describe(p->model));
    TRY(tr_system_build(p->model, &p->system));
    TRY(tr_sim_create(p->system, &def, &p->sim));
    TRY(tr_recorder_create(&p->recorder));
    TRY(tr_recorder_add(p->recorder, "memory", NULL));
    TRY(tr_sim_run(p->sim, p->recorder, NULL));
    return tr_recorder_close(p->recorder, "done");
}

static trStatus report(Program *p) {
    const double *table = tr_recorder_table(p->recorder);
    int           x = tr_recorder_find(p->recorder, "rod.x");
    int           y = tr_recorder_find(p->recorder, "rod.y");
    for (long i = 0; i < tr_recorder_rows(p->recorder); i++) {
        const double *row = table + i * tr_recorder_columns(p->recorder);
        printf("t = %.1f s: the rod is at (%.6f, %.6f) m\n", row[0], row[x], row[y]);
    }
    trReaction pin;
    TRY(tr_sim_reaction(p->sim, 0, &pin));
    printf("at %s, %s pushes %s with (%.3f, %.3f) N\n", pin.point, pin.by, pin.on, pin.fx, pin.fy);
    trSimStats stats = tr_sim_stats(p->sim);
    printf("degrees of freedom: %d; energy drift below 1e-6 J: %s\n", stats.degrees_of_freedom,
           stats.energy_drift < 1e-6 ? "yes" : "no");
    return TR_OK;
}

int main(void) {
    Program  p = {0};
    trStatus status = simulate(&p);
    if (status == TR_OK) {
        status = report(&p);
    }
    if (status != TR_OK) {
        fprintf(stderr, "%s: %s\n", tr_status_text(status), tr_last_error());
    }
    tr_recorder_destroy(p.recorder);
    tr_sim_destroy(p.sim);
    tr_system_destroy(p.system);
    tr_model_destroy(p.model);
    return status == TR_OK ? 0 : 1;
}
