// SPDX-License-Identifier: MIT
// One step. Read this file first: every stage is one line and is owned by one folder.
//
//     find:    choose a size -> attempt -> take it, or repeat with another size
//     rows inside the step are written between the two (run.c)
//     commit:  accept -> look at the new state
//
// An attempt (attempt.c) is
//
//     integrate ( project stage -> evaluate -> stabilize -> solve )  ->  project its end
//
// The part in brackets is tr_sim_rhs in faces.c. What families of integrators do differently is in
// their drivers (explicit.c, implicit.c, owner.c).

#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define MAX_ATTEMPTS 100

typedef enum Verdict { TAKE, REPEAT, GIVE_UP } Verdict;

static Verdict decide(trSim *s, trTrial *trial, trStatus *status) {
    const bool own = s->stepper.own_step, least = trial->forced || !s->stepper.adaptive;
    if (*status == TR_SINGULAR && trial->last && tr_stop_short(s)) {
        return REPEAT;
    }
    if (*status > 0 && least && !own && tr_leap(s)) {
        return REPEAT;
    }
    if (*status == TR_NO_CONVERGENCE && own && s->turns.far) {
        *status = tr_shorten_turns(s, trial->h);
        return *status == TR_OK ? REPEAT : GIVE_UP;
    }
    if (*status < 0 || (*status > 0 && (least || own))) {
        return GIVE_UP;
    }
    trial->last = trial->last && trial->h == trial->most;
    if (own && !trial->last && tr_is_too_small(s, trial->h)) {
        return GIVE_UP;
    }
    tr_choose_next(s, trial, *status);
    const bool good = *status == TR_OK && (trial->error <= 1.0 || trial->forced);
    return good && !tr_dodge(s, trial) ? TAKE : REPEAT;
}

trStatus tr_step_find(trSim *s, double t_end) {
    const trGoal goal = tr_next_goal(s, t_end);
    trStatus     status = TR_OK;
    tr_first_trial(s);
    for (int i = 0; i < MAX_ATTEMPTS && (s->stepper.own_step || !tr_is_too_small(s, s->stepper.h));
         i++) {
        trTrial trial = tr_choose_trial(s, goal.reach);
        status = tr_step_attempt(s, &trial);
        switch (decide(s, &trial, &status)) {
        case TAKE:
            tr_note_trial(s, &trial);
            s->stepper.found = trial.h;
            s->stepper.arrive = trial.last ? goal.arrive : s->t + trial.h;
            return TR_OK;
        case REPEAT:
            s->notes.stats.rejected++;
            break;
        case GIVE_UP:
            return tr_explain_no_step(s, status, trial.h);
        }
    }
    return tr_explain_no_step(s, status, s->stepper.h);
}

static void count_step(trSim *s) {
    s->notes.stats.steps++;
    s->notes.stats.smallest_step = fmin(s->notes.stats.smallest_step, s->stepper.found);
    s->notes.stats.largest_step = fmax(s->notes.stats.largest_step, s->stepper.found);
}

trStatus tr_step_commit(trSim *s) {
    const trSystem *system = s->system;
    const double    before = s->t + (s->stepper.found + s->stepper.beyond);
    const bool      at_break = s->stepper.next_break < system->breaks &&
                          system->break_time[s->stepper.next_break] == s->stepper.arrive;
    memcpy(s->x, s->x_next, (size_t)s->nx * sizeof *s->x);
    s->t = s->stepper.arrive;
    count_step(s);
    if (at_break) {
        TR_TRY(tr_pass_break(s, before));
        TR_TRY(tr_sim_restart(s));
    } else if (s->stepper.driver->accept != NULL) {
        s->stepper.driver->accept(s);
    }
    TR_TRY(tr_sim_settle(s));
    tr_watch_step(s, s->stepper.found);
    const bool choose = at_break && s->stepper.adaptive && !s->stepper.own_step;
    return choose ? tr_first_step(s, &s->stepper.h) : TR_OK;
}

trStatus tr_sim_restart(trSim *s) {
    s->stepper.restarted_at = s->notes.stats.steps;
    return s->stepper.driver->restart != NULL ? s->stepper.driver->restart(s) : TR_OK;
}
