// SPDX-License-Identifier: MIT
// A new accepted state: its slope, and what is watched there.

#include "sim/sim.h"

// Whether the accepted state is not what its slope was evaluated at, because stages are put on the
// constraints and ends of steps are not, or in their velocities alone.
static bool is_off_its_slope(const trSim *s) {
    return s->methods.stage != NULL &&
           (s->methods.step == NULL ||
            (s->methods.step->kind->velocities_only && !s->methods.stage->kind->velocities_only));
}

// Rows that were redundant from the start and still are need not be asked for. Those that become
// dependent on the way, in a singular pose, are needed beside it: there the matrix is regular by
// TR_PART_E.
static trStatus leave_rows_out(trSim *s) {
    bool *left_out = s->tangent.left_out, changed = false;
    bool first = s->notes.stats.steps == 0 && !s->pose.at_start;  // else known from beside the pose
    for (int i = 0; left_out != NULL && i < s->m; i++) {
        s->rows.redundant[i] = first ? s->rows.dependent[i] : s->rows.redundant[i];
        bool leave = s->rows.redundant[i] && s->rows.dependent[i];
        changed |= leave != left_out[i];
        left_out[i] = leave;
    }
    const bool exchanged = s->rows.exchanged;
    s->rows.exchanged = false;
    if (!changed || s->stepper.driver->take_multipliers == NULL) {
        return TR_OK;
    }
    if (exchanged) {  // other multipliers, whose history is none of the integrator's
        return tr_sim_restart(s);
    }
    s->stepper.driver->take_multipliers(s);
    return TR_OK;
}

trStatus tr_sim_settle(trSim *s) {
    TR_TRY(s->stepper.driver->settle(s));
    s->at_state = true;
    if (is_off_its_slope(s)) {
        s->at_state = false;
        TR_TRY(tr_system_eval(s->system, s->t, s->x, s->x + s->nq, &s->eval));
    }
    TR_TRY(tr_eval_defined(&s->eval));
    TR_TRY(tr_eval_check_ends(&s->eval));
    s->turns.speed = tr_eval_turn_speed(&s->eval, &s->turns.fastest);
    tr_watch_violations(s);
    tr_watch_energy(s);
    TR_TRY(tr_watch_rank(s));
    TR_TRY(leave_rows_out(s));
    return tr_watch_contradictions(s);
}
