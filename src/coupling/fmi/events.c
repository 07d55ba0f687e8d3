// SPDX-License-Identifier: MIT
// Events of Model Exchange. They take effect at the end of the step in which they happen: the step
// that joints need is not cut.

#include "fmi/work.h"

#define MOST_UPDATES 100  // of discrete states in one event

static trStatus ends(const trFmuWork *w) {
    return tr_fail(TR_E_SIMULATION, "the FMU '%s' ends the simulation at t = %.10g s", w->info.name,
                   w->t);
}

static trStatus read_states(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    if (s->nx > 0) {
        TR_TRY(tr_fmu_told(s, s->call->get_states(s->component, w->s_begin, (size_t)s->nx),
                           "give its states"));
    }
    return s->nz == 0
               ? TR_OK
               : tr_fmu_told(s, s->call->get_indicators(s->component, w->z_begin, (size_t)s->nz),
                             "give indicators");
}

trStatus tr_fmu_iterate_events(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    trFmuEvent     event = {.again = true};
    for (int i = 0; event.again; i++) {
        TR_TRY(tr_fmu_told(s, s->api->update(s, &event), "update its discrete states"));
        if (event.terminate) {
            return ends(w);
        }
        if (i == MOST_UPDATES) {
            return tr_fail(TR_E_SIMULATION,
                           "the FMU '%s' does not finish its events at t = %.10g s", w->info.name,
                           w->t);
        }
    }
    w->timed = event.timed;
    w->next = event.next;
    TR_TRY(tr_fmu_told(s, s->call->enter_continuous(s->component), "go on after an event"));
    return read_states(w);
}

static bool crosses(const trFmuWork *w) {
    for (int i = 0; i < w->instance.nz; i++) {
        if ((w->z[i] > 0.0) != (w->z_begin[i] > 0.0)) {
            return true;
        }
    }
    return false;
}

trStatus tr_fmu_complete_step(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    bool           event = false, stop = false;
    TR_TRY(tr_fmu_told(s, s->api->completed_step(s, &event, &stop), "end a step"));
    if (stop) {
        return ends(w);
    }
    if (s->nz > 0) {
        TR_TRY(tr_fmu_told(s, s->call->get_indicators(s->component, w->z, (size_t)s->nz),
                           "give indicators"));
        event = event || crosses(w);
    }
    if (event || (w->timed && w->next <= w->t)) {
        TR_TRY(tr_fmu_told(s, s->call->enter_event(s->component), "handle an event"));
        return tr_fmu_iterate_events(w);
    }
    return read_states(w);  // the FMU may have put them on constraints of its own
}
