// SPDX-License-Identifier: MIT
// A control loop: a cart balances a pole. Every 10 ms the controller reads the state and sets the
// force on the cart, an input of the model, which stays until the next sample.

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

// The motor pushes the cart with input 0.
static int push(void *context, const trForceAt *at, trLoad *load, double *potential) {
    (void)context, (void)potential;
    load[0].fx = at->input[0];
    return 0;
}

// A cart of 1 kg on a rail, and on it a pole of 0.1 kg and 1 m that leans by 0.1 rad.
static trSystem *describe(trModel **model, int *cart, int *pole, int *input) {
    const trForceFunction motor = {.load = push};
    const double          lean = 0.1, x = -0.5 * sin(lean), y = 0.5 * cos(lean);
    trSystem             *system = NULL;
    need(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, -9.81)), model));
    need(tr_model_add_body(*model, "cart", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1)),
                           cart));
    need(tr_model_add_body(*model, "pole",
                           TR_PARAMS(TR_NUM("mass", 0.1), TR_NUM("inertia", 0.1 / 12.0),
                                     TR_VEC("at", x, y), TR_NUM("angle", lean)),
                           pole));
    need(tr_model_add_joint(*model, "prismatic", "rail", TR_GROUND, *cart, NULL, NULL));
    need(tr_model_add_joint(*model, "revolute", "pin", *cart, *pole,
                            TR_PARAMS(TR_VEC("point", 0.0, 0.0)), NULL));
    need(tr_model_add_input(*model, "push", "N", 0.0, input));
    need(tr_model_add_force_function(*model, "motor", 1, cart, &motor, NULL));
    need(tr_system_build(*model, &system));
    return system;
}

int main(void) {
    const double sample = 0.01;  // [s]
    int          cart = 0, pole = 0, input = 0;
    trModel     *model = NULL;
    trSystem    *system = describe(&model, &cart, &pole, &input);
    trSim       *sim = NULL;
    trSimDef     def = tr_sim_def_default();
    need(tr_sim_create(system, &def, &sim));

    for (int k = 0; k < 500; k++) {
        const trBodyState c = tr_sim_body(sim, cart), p = tr_sim_body(sim, pole);
        if (k % 100 == 0) {
            printf("t %g x %.9f angle %.9f\n", tr_sim_time(sim), c.x, p.angle);
        }
        const double force = c.x + 2.0 * c.vx - 30.0 * p.angle - 8.0 * p.omega;
        need(tr_sim_set_input(sim, input, force));
        need(tr_sim_run_to(sim, (k + 1) * sample));
    }
    printf("t %g x %.9f angle %.9f\n", tr_sim_time(sim), tr_sim_body(sim, cart).x,
           tr_sim_body(sim, pole).angle);

    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return 0;
}
