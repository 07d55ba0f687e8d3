// SPDX-License-Identifier: MIT
// A projection corrects what integration leaves: errors of the size of the tolerances, and far less
// than the state moves in a step. A correction that is larger is a jump: some constraint has a
// function with a jump or a kink, and no finite force carries the motion over it. Corrections are
// measured as errors are, in units of the tolerances; near singular poses they reach some hundreds.

#include <math.h>

#include "base/largest.h"
#include "sim/sim.h"

#define MOST 1e4      // in units of the tolerances
#define LEAST 10.0    // below, it is an error like others
#define SHARE 0.3     // of what the state moved in the step; 1 for steps that no one controls
#define ROUGHLY 1e-6  // tolerance where a method with a fixed step has none
#define OPEN 1e-3     // of phi, in its units: what Newton's method leaves is far less

// The row that asks for it: by positions as they were integrated, else by velocities.
static trStatus blame(trSim *s, double t, bool position) {
    const double *q = position ? s->x_new : s->x_next, *v = s->x_new + s->nq;
    TR_TRY(tr_system_eval(s->system, t, q, v, &s->eval));
    tr_sim_rates(s, v, s->work.rate);
    int  row = tr_largest_at(s->m, position ? s->eval.phi : s->work.rate);
    char text[TR_AMOUNT];
    tr_fail(TR_NO_CONVERGENCE,
            "%s would have to jump at t = %.9g s (%s): ", position ? "positions" : "velocities", t,
            tr_amount(s, row, fabs(position ? s->eval.phi[row] : s->work.rate[row]),
                      position ? "" : "/s", text));
    if (!s->stepper.adaptive) {
        tr_add_hint(TR_NO_CONVERGENCE, "the step of %.3g s is too large, or ", s->stepper.h);
    }
    tr_add_hint(TR_NO_CONVERGENCE,
                "its function has a jump%s there, or the motion is at its limit%s",
                position ? "" : " or a kink", s->stepper.adaptive ? ", or the step too large" : "");
    return tr_blame_row(s, TR_NO_CONVERGENCE, row);
}

// Of the `count` numbers from `first` on.
static bool is_jump(const trSim *s, int first, int count) {
    bool   fixed = !s->stepper.adaptive;
    double atol = fixed ? ROUGHLY : s->def.atol, rtol = fixed ? ROUGHLY : s->def.rtol;
    double correction = 0.0, movement = 0.0;
    for (int i = first; i < first + count; i++) {
        double scale = atol + rtol * fmax(fabs(s->x[i]), fabs(s->x_new[i]));
        correction = fmax(correction, fabs(s->x_next[i] - s->x_new[i]) / scale);
        movement = fmax(movement, fabs(s->x_new[i] - s->x[i]) / scale);
    }
    return (!fixed && correction > MOST) ||
           (correction > LEAST && correction > (fixed ? 1.0 : SHARE) * movement);
}

trStatus tr_check_jump(trSim *s, double t) {
    if (s->m == 0) {  // quaternions alone were put right
        return TR_OK;
    }
    if (is_jump(s, 0, s->nq)) {
        return blame(s, t, true);
    }
    // What is carried in place of velocities is no velocity; those made from it satisfy their rows.
    return s->methods.carry == NULL && is_jump(s, s->nq, s->nv) ? blame(s, t, false) : TR_OK;
}

// Newton's method judges corrections by the largest number of q. Where that runs away, as an angle
// may, it would take joints that are open for rounding. Of the state evaluated last.
trStatus tr_check_closed(trSim *s, double t) {
    const trEquations *e = &s->eval.equations;
    for (int i = 0; i < s->m; i++) {
        double size = e->row_size == NULL ? 1.0 : fmax(1.0, e->row_size[i]);
        if (e->holonomic[i] && !s->tangent.left_out[i] && !(fabs(e->phi[i]) <= OPEN * size)) {
            return tr_explain_row(s, TR_NO_CONVERGENCE, t, i);
        }
    }
    return TR_OK;
}
