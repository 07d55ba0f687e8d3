// SPDX-License-Identifier: MIT
// The energy of a system of the user's own is T + V with T = v' M v / 2 and V without velocities:
//
//     dE/dv = M v
//
// for any v; it is looked at for one that is not special. Otherwise T + V - W would not be
// constant.

#include <math.h>
#include <string.h>

#include "system/system.h"

#define DIFFERENT 1e-9  // relative to the largest |M v|: rounding is far below

// Unequal for seven neighbors, none 0 or 1.
static double some_velocity(int i) {
    return 0.5 + 0.37 * (i % 7);
}

static trStatus compare(const trEval *e, trArena *scratch) {
    const trSystem  *s = e->system;
    const trProgram *p = &s->traced->energy_slope;
    double          *slot = tr_new_array(scratch, double, p->slots);
    double          *input = tr_new_array(scratch, double, s->traced->inputs);
    double          *v = tr_new_array(scratch, double, s->nv);
    double          *momentum = tr_new_array(scratch, double, s->nv), most = 0.0;
    TR_TRY(tr_arena_status(scratch));
    memcpy(input, e->input, (size_t)s->traced->inputs * sizeof *input);
    for (int i = 0; i < s->nv; i++) {
        v[i] = input[s->traced->v + i] = some_velocity(i);
    }
    tr_mass_mul(&e->equations.M, v, momentum);
    tr_program_begin(p, slot);
    tr_program_run(p, input, slot);
    for (int i = 0; i < s->nv; i++) {
        most = fmax(most, fabs(momentum[i]));
    }
    for (int i = 0; i < s->nv; i++) {
        double slope = slot[p->output[i]];
        if (!(fabs(slope - momentum[i]) <= DIFFERENT * most)) {
            tr_fail(
                TR_E_MODEL,
                "energy: it must be T + V, with T = v' M v / 2; but at v.%s = %g its derivative "
                "by that velocity is %.6g, and M v is %.6g (t = %.9g s); return v' M v / 2 + V, or "
                "leave s:energy out",
                s->body[i].name, v[i], slope, momentum[i], e->t);
            return tr_blame_origin(TR_E_MODEL, s->traced->general->origin[TR_OF_ENERGY]);
        }
    }
    return TR_OK;
}

trStatus tr_eval_check_energy(const trEval *e) {
    if (e->system->traced->energy_slope.outputs == 0) {
        return TR_OK;
    }
    trArena *scratch = tr_arena_create();
    trStatus status = compare(e, scratch);
    tr_arena_destroy(scratch);
    return status;
}
