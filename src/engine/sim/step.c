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
    const bool own = s->own_step, least = trial->forced || !s->adaptive;
    if (*status == TR_SINGULAR && trial->last && tr_stop_short(s)) {
        return REPEAT;
    }
    if (*status > 0 && least && !own && tr_leap(s)) {
        return REPEAT;
    }
    if (*status == TR_NO_CONVERGENCE && own && s->turned_far) {
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
    for (int i = 0; i < MAX_ATTEMPTS && (s->own_step || !tr_is_too_small(s, s->h)); i++) {
        trTrial trial = tr_choose_trial(s, goal.reach);
        status = tr_step_attempt(s, &trial);
        switch (decide(s, &trial, &status)) {
        case TAKE:
            tr_note_trial(s, &trial);
            s->found = trial.h;
            s->arrive = trial.last ? goal.arrive : s->t + trial.h;
            return TR_OK;
        case REPEAT:
            s->stats.rejected++;
            break;
        case GIVE_UP:
            return tr_explain_no_step(s, status, trial.h);
        }
    }
    return tr_explain_no_step(s, status, s->h);
}

static void count_step(trSim *s) {
    s->stats.steps++;
    s->stats.smallest_step = fmin(s->stats.smallest_step, s->found);
    s->stats.largest_step = fmax(s->stats.largest_step, s->found);
}

trStatus tr_step_commit(trSim *s) {
    const trSystem *system = s->system;
    const double    before = s->t + (s->found + s->beyond);
    const bool      at_break =
        s->next_break < system->breaks && system->break_time[s->next_break] == s->arrive;
    memcpy(s->x, s->x_next, (size_t)s->nx * sizeof *s->x);
    s->t = s->arrive;
    count_step(s);
    if (at_break) {
        TR_TRY(tr_pass_break(s, before));
        TR_TRY(tr_sim_restart(s));
    } else if (s->driver->accept != NULL) {
        s->driver->accept(s);
    }
    TR_TRY(tr_sim_settle(s));
    tr_watch_step(s, s->found);
    const bool choose = at_break && s->adaptive && !s->own_step;
    return choose ? tr_first_step(s, &s->h) : TR_OK;
}

trStatus tr_sim_restart(trSim *s) {
    s->restarted_at = s->stats.steps;
    return s->driver->restart != NULL ? s->driver->restart(s) : TR_OK;
}
