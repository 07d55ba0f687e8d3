// SPDX-License-Identifier: MIT
// Joint variables. Angles that repeat after one or two turns are counted from the last accepted
// state, by the nearest value to
//
//     near + (t - t_near) (rate_near + rate) / 2
//
// so that steps may be longer than a turn. Columns of results, drives and the like read them; they
// do not shorten steps as the counted turns of rows do (turns.c).

#include "joint/spatial.h"
#include "system/system.h"

trStatus tr_variable_check(const trSystem *s, int joint, int variable) {
    TR_TRY(tr_reaction_check(s, joint));
    const int count = tr_joint_variables(s->joint[joint].kind);
    return variable >= 0 && variable < count
               ? TR_OK
               : tr_fail(TR_E_ARGUMENT, "joint '%s' has no variable %d; it has %d",
                         s->joint[joint].name, variable, count);
}

double tr_variable_rate(const trEval *e, int j, const trJointAlone *row) {
    const trJoint  *joint = &e->system->joint[j];
    const trMotions m = tr_eval_motions(e, joint);
    double          rate = 0.0;
    for (int k = 0; k < 2; k++) {
        rate += e->motion2 != NULL ? tr_side_rate2(m.flat[k], row->J[k])
                                   : tr_side_rate3(m.solid[k], row->J[k]);
    }
    return rate;
}

// Of a counted angle among those of all joints.
static int count_of(const trSystem *s, int j, int variable) {
    int count = s->joint_count[j];
    for (int k = 0; k < variable; k++) {
        count += s->joint[j].kind->variable[k].period > 0.0;
    }
    return count;
}

static double counted(const trEval *e, int j, int variable, const trJointAlone *row) {
    const double   period = e->system->joint[j].kind->variable[variable].period;
    const trCount *near = &e->count[count_of(e->system, j, variable)];
    const double   rate = near->rate + tr_variable_rate(e, j, row);
    const double   expected = near->value + 0.5 * (e->t - near->t) * rate;
    return e->counting ? tr_unwrap(row->phi[0], expected, period) : row->phi[0];
}

void tr_variable_row(const trEval *e, int j, int variable, trJointAlone *out) {
    const trJoint  *joint = &e->system->joint[j];
    const trMotions m = tr_eval_motions(e, joint);
    trJointRows     row = {
            .t = e->t, .J = {out->J[0], out->J[1]}, .phi = out->phi, .b1 = out->b1, .b = out->b};
    if (joint->kind->dim == 2) {
        joint->kind->vary(joint->params, m.flat, variable, &row);
    } else {
        joint->kind->vary3(joint->params, m.solid, variable, &row);
    }
    if (joint->kind->variable[variable].period > 0.0) {
        out->phi[0] = counted(e, j, variable, out);
    }
}

void tr_eval_count(trEval *e) {
    const trSystem *s = e->system;
    for (int j = 0; s->counts > 0 && j < s->joints; j++) {
        const trJointKind *kind = s->joint[j].kind;
        for (int k = 0; k < tr_joint_variables(kind); k++) {
            trJointAlone row;
            if (kind->variable[k].period > 0.0) {
                tr_variable_row(e, j, k, &row);
                e->count[count_of(s, j, k)] =
                    (trCount){row.phi[0], tr_variable_rate(e, j, &row), e->t};
            }
        }
    }
}
