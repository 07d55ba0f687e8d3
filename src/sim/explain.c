// SPDX-License-Identifier: MIT
// Trouble in words: the joint, constraint or body that has it, the time, and what to do.

#include <math.h>
#include <stdio.h>

#include "sim/sim.h"

#define DRIFTED 1e-7     // of |phi| in units of positions: integration does not leave that at once
#define MOST_SPEED 1e15  // m/s, rad/s or what a coordinate has: nothing that is meant moves so fast

const char *tr_amount(const trSim *s, int row, double value, const char *per,
                      char text[TR_AMOUNT]) {
    const char *unit = s->system->row_unit[row];
    bool        known = unit[0] != '\0';
    snprintf(text, TR_AMOUNT, "%.3g%s%s%s", value, known ? " " : "", unit, known ? per : "");
    return text;
}

const char *tr_culprit(const trSim *s, unsigned trait, char text[TR_AMOUNT]) {
    const trSimDef *def = &s->def;
    const trMethod *method = def->method != NULL ? tr_method_find(def->method) : NULL;
    unsigned        stage = s->carry != NULL   ? s->carry->traits
                            : s->stage != NULL ? s->stage->kind->traits
                                               : TR_COPES_ALL;
    const struct {
        const char *what, *name;
        unsigned    traits;
    } part[] = {
        {"integrator", def->integrator, s->integrator->traits},
        {"method", def->method, method != NULL ? tr_method_traits(method) : TR_COPES_ALL},
        {"stage_projection", def->stage_projection, stage},
        {"step_projection", def->step_projection,
         s->step != NULL ? s->step->kind->traits : TR_COPES_ALL},
        {"formulation", def->formulation, 0},
    };
    int i = 0;
    while ((part[i].traits & trait) != 0) {
        i++;
    }
    snprintf(text, TR_AMOUNT, "%s '%s'", part[i].what, part[i].name);
    return text;
}

// Rows that depend on each other agree on accelerations only where positions satisfy them.
static trStatus explain_drift(const trSim *s, int row, double t) {
    char text[TR_AMOUNT];
    int  worst = tr_worst_row(&s->eval.equations);
    tr_fail(TR_E_SIMULATION,
            "its acceleration does not fit the other %s any more at t = %.9g s: positions have "
            "drifted by %s, which %s does not correct; take direct_mass or masarati",
            tr_word_for_rows(s), t, tr_amount(s, worst, fabs(s->eval.phi[worst]), "", text),
            s->def.method != NULL ? s->def.method : "this choice of methods");
    return tr_blame_joint(TR_E_SIMULATION, &s->system->joint[s->system->row_joint[row]]);
}

trStatus tr_explain_contradiction(const trSim *s, int row, double t) {
    int worst = tr_worst_row(&s->eval.equations);
    if (worst >= 0 && tr_row_violation(&s->eval.equations, worst) > DRIFTED) {
        return explain_drift(s, row, t);
    }
    tr_fail(TR_E_SIMULATION,
            "its acceleration contradicts the other %s at t = %.9g s; remove or change one of them",
            tr_word_for_rows(s), t);
    return tr_blame_joint(TR_E_SIMULATION, &s->system->joint[s->system->row_joint[row]]);
}

trStatus tr_refuse_pose(const trSim *s, const char *joint) {
    char text[TR_AMOUNT];
    return tr_fail(TR_E_SIMULATION,
                   "t = %.9g s: %s '%s' lost or gained independence in this pose, which %s "
                   "cannot pass; take direct_mass or masarati, or a step that does not end there",
                   s->t, s->system->recorded > 0 ? "constraint" : "joint", joint,
                   tr_culprit(s, TR_COPES_SINGULAR_POSE, text));
}

// --- motion that runs away ---

// Why, most likely, and what to try.
static trStatus hint_runaway(const trSim *s, trStatus status, double h) {
    if (!s->adaptive) {
        return tr_add_hint(status,
                           "; the step of %.3g s is too large for the stiffest spring or fastest "
                           "motion: take a smaller one, an integrator that chooses it (dop853), or "
                           "an implicit one (radau5)",
                           h);
    }
    return tr_add_hint(status, "; a force drives it on and on: look for a wrong sign, a negative "
                               "damping or a function with a pole");
}

trStatus tr_check_finite(const trSim *s, const double *x, double h) {
    const trSpace *space = s->system->space;
    int            bad = 0;
    while (bad < s->nx && isfinite(x[bad])) {
        bad++;
    }
    if (bad == s->nx) {
        return TR_OK;
    }
    tr_fail(TR_NOT_FINITE, "%s not a finite number at t = %.9g s",
            bad < s->nq + s->nv ? "its motion is" : "a state z, or the work of forces, is",
            s->t + h);
    hint_runaway(s, TR_NOT_FINITE, h);
    return bad < s->nq ? tr_blame_body(TR_NOT_FINITE, &s->system->body[bad / space->nq])
           : bad < s->nq + s->nv
               ? tr_blame_body(TR_NOT_FINITE, &s->system->body[(bad - s->nq) / space->nv])
               : TR_NOT_FINITE;
}

trStatus tr_check_speed(const trSim *s, const double *x, double h) {
    const trSpace *space = s->system->space;
    const double  *v = x + s->nq;
    int            fastest = 0;
    for (int i = 1; i < s->nv; i++) {
        fastest = fabs(v[i]) > fabs(v[fastest]) ? i : fastest;
    }
    if (s->nv == 0 || fabs(v[fastest]) <= MOST_SPEED) {
        return TR_OK;
    }
    const char *unit = space->dim == 0                              ? ""
                       : tr_space_turns(space, fastest % space->nv) ? " rad/s"
                                                                    : " m/s";
    tr_fail(TR_NOT_FINITE, "runs away beyond all bounds, %.1e%s at t = %.9g s", fabs(v[fastest]),
            unit, s->t + h);
    hint_runaway(s, TR_NOT_FINITE, h);
    return tr_blame_body(TR_NOT_FINITE, &s->system->body[fastest / space->nv]);
}

// --- poses ---

// After TR_SINGULAR: a row that is dependent in this pose, or -1.
static int lost_row(const trSim *s) {
    trRank rank = s->kernel.kind->rank(s->kernel.work);
    int    row = rank.dropped > 0 ? rank.rows[0] : s->lost_row;
    if (row < 0 && s->carry != NULL && s->carry->lost_row != NULL) {
        row = s->carry->lost_row(s->carry_work);
    }
    for (int i = 0; row < 0 && i < 2; i++) {
        const trProjector *picked = &s->picked[i];
        row = picked->kind != NULL ? picked->kind->pick->lost_row(picked->pick_work) : -1;
    }
    for (int i = 0; row < 0 && i < s->m; i++) {  // one that was, at the last accepted state
        row = s->dependent[i] ? i : -1;
    }
    return row;
}

// A row that is dependent, or so close to it that the formulation does not settle.
static trStatus explain_dependent(const trSim *s, int row, double t) {
    char   text[TR_AMOUNT], close[64] = "";
    trRank rank = s->kernel.kind->rank(s->kernel.work);
    if (rank.dropped == 0 && rank.gap_row >= 0) {
        snprintf(close, sizeof close, " (a pivot is %.0e of its usual size)", rank.gap);
    }
    if ((s->kernel.kind->traits & TR_JUDGES_NO_RANK) != 0) {
        tr_fail(TR_SINGULAR,
                "its force does not settle at t = %.9g s with %s: the pose is close to one where "
                "it depends on the other %s, or the penalty too small; take direct_mass, or a "
                "penalty that is chosen from the masses (0)",
                t, s->def.formulation, tr_word_for_rows(s));
    } else {
        tr_fail(
            TR_SINGULAR,
            "depends on the other %s in the pose at t = %.9g s, or nearly so%s, which %s cannot "
            "take; take direct_mass or masarati, or a step that does not end there",
            tr_word_for_rows(s), t, close, tr_culprit(s, TR_COPES_SINGULAR_POSE, text));
    }
    return tr_blame_joint(TR_SINGULAR, &s->system->joint[s->system->row_joint[row]]);
}

// A velocity with neither inertia nor constraint.
static trStatus explain_free(const trSim *s, int column, double t) {
    const trSpace *space = s->system->space;
    int            part = column % space->nv;
    const char    *word = space->dim == 0 ? "constraint" : "joint";
    tr_fail(TR_SINGULAR,
            "%s has neither %s nor a %s that holds it at t = %.9g s; give it %s, or a %s",
            tr_space_motion(space, part), space->dim == 0 ? "mass" : "inertia", word, t,
            tr_space_turns(space, part) ? "inertia > 0" : "mass > 0", word);
    return tr_blame_body(TR_SINGULAR, &s->system->body[column / space->nv]);
}

trStatus tr_explain(const trSim *s, trStatus status, double t) {
    const trRank rank = s->kernel.kind->rank(s->kernel.work);
    if (status == TR_E_SIMULATION && rank.contradicts > 0) {
        return tr_explain_contradiction(s, rank.contradicts - 1, t);
    }
    if (status == TR_NOT_FINITE || status == TR_E_SIMULATION) {
        return status;  // of the non-ideal part, with names and time (nonideal.c)
    }
    if (status == TR_SINGULAR && rank.free_column >= 0) {
        return explain_free(s, rank.free_column, t);
    }
    int row = status == TR_SINGULAR ? lost_row(s) : -1;
    return row >= 0 ? explain_dependent(s, row, t) : tr_blame(status, "t = %.9g s: ", t);
}

// Velocities that do not fit rows that are not linear in them; others have their own words.
static trStatus explain_velocity(const trSim *s, trStatus status, double t) {
    const trEquations *e = &s->eval.equations;
    int                worst = 0;
    char               text[TR_AMOUNT];
    if (!e->nonlinear || s->system->turns > 0) {
        return status;
    }
    tr_rows_mul(&e->A, s->eval.v, s->rate);
    for (int i = 0; i < s->m; i++) {
        s->rate[i] = fabs(s->rate[i] - e->b1[i]);
        worst = s->rate[i] > s->rate[worst] ? i : worst;
    }
    tr_fail(status,
            "no velocities are found that satisfy it at t = %.9g s (%s remain); check the start "
            "and the function, or take a smaller step",
            t, tr_amount(s, worst, s->rate[worst], "/s", text));
    return tr_blame_joint(status, &s->system->joint[s->system->row_joint[worst]]);
}

trStatus tr_explain_row(const trSim *s, trStatus status, double t, int row) {
    if (status == TR_SINGULAR) {
        return tr_explain(s, status, t);
    }
    if (status == TR_NO_CONVERGENCE && row < 0) {
        return explain_velocity(s, status, t);
    }
    if (status != TR_NO_CONVERGENCE) {
        return status;
    }
    const trJoint *joint = &s->system->joint[s->system->row_joint[row]];
    char           text[TR_AMOUNT];
    tr_fail(status, "cannot be %s at t = %.9g s (%s remain); %s, or the step too large",
            joint->recorded ? "satisfied" : "closed", t,
            tr_amount(s, row, fabs(s->eval.phi[row]), "", text),
            joint->recorded ? "there may be no such state any more (see functions of time)"
                            : "the mechanism may be at its limit, or another joint contradict it "
                              "(see drives and lengths)");
    return tr_blame_joint(status, joint);
}

trStatus tr_name_row(const trSim *s, trStatus status, int row) {
    if (row < 0) {
        return status;
    }
    const trJoint *joint = &s->system->joint[s->system->row_joint[row]];
    return tr_add_hint(status, "; look at %s '%s' first, which is missed by most",
                       joint->recorded ? "constraint" : "joint", joint->name);
}
