// SPDX-License-Identifier: MIT
// What programs change between steps: the state, and inputs. The integrator then starts anew.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

// `energy`: T + V before the change, which counts as work on the system.
static trStatus go_on(trSim *s, double energy) {
    const double *v = s->x + s->nq;
    s->eval.z = v + s->nv;
    s->at_state = false;
    TR_TRY(tr_system_eval(s->system, s->t, s->x, v, &s->eval));
    s->x[s->nx - 1] += tr_eval_kinetic(&s->eval, s->x, v) + s->eval.potential - energy;
    TR_TRY(tr_sim_restart(s));
    TR_TRY(tr_sim_settle(s));
    const bool choose = s->stepper.adaptive && !s->stepper.own_step;
    return choose ? tr_first_step(s, &s->stepper.h) : TR_OK;
}

static trStatus started(trStatus status) {
    return status > 0 ? TR_E_SIMULATION : status;
}

trStatus tr_sim_set_state(trSim *s, const double *q, const double *v) {
    const trSimStats *stats = &s->notes.stats;
    double           *x = s->x_next;
    TR_TRY(tr_check_numbers(s->nq, q, "q"));
    TR_TRY(tr_check_numbers(s->nv, v, "v"));
    memcpy(x, s->x, (size_t)s->nx * sizeof *x);
    memcpy(x, q, (size_t)s->nq * sizeof *x);
    memcpy(x + s->nq, v, (size_t)s->nv * sizeof *x);
    tr_system_normalize(s->system, x);
    const bool counting = s->eval.counting;
    s->eval.counting = s->at_state = false;  // angles are counted from here
    s->eval.z = x + s->nq + s->nv;
    trStatus status = tr_sim_project(s, s->methods.assembler, INFINITY, s->t, x);
    if (status != TR_OK) {
        s->eval.counting = counting;
        return status;
    }
    memcpy(s->x, x, (size_t)s->nx * sizeof *x);
    return started(go_on(s, stats->kinetic + stats->potential));
}

double tr_sim_input(const trSim *s, int input) {
    return input >= 0 && input < s->system->inputs ? s->eval.u[input] : 0.0;
}

trStatus tr_sim_set_input(trSim *s, int input, double value) {
    const trSimStats *stats = &s->notes.stats;
    if (input < 0 || input >= s->system->inputs) {
        return tr_fail(TR_E_ARGUMENT, "there is no input %d; the model has %d, from 0", input,
                       s->system->inputs);
    }
    if (!isfinite(value)) {
        return tr_fail(TR_E_ARGUMENT, "input '%s': the value is not finite",
                       s->system->input[input].name);
    }
    if (value == s->eval.u[input]) {
        return TR_OK;
    }
    s->eval.u[input] = value;
    if (s->second.ahead.u != NULL) {
        s->second.ahead.u[input] = value;
    }
    return started(go_on(s, stats->kinetic + stats->potential));
}
