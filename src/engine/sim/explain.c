// SPDX-License-Identifier: MIT
// Trouble in words: the joint, constraint or body that has it, the time, and what to do.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/free_words.h"
#include "base/largest.h"
#include "projection/held.h"
#include "sim/sim.h"

#define DRIFTED 1e-7     // of |phi| in units of positions: integration does not leave that at once
#define SHARE 0.1        // of the largest part in a combination of rows: joints that are named
#define NAMED 6          // joints at most
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
    unsigned        stage = s->methods.carry != NULL   ? s->methods.carry->traits
                            : s->methods.stage != NULL ? s->methods.stage->kind->traits
                                                       : TR_COPES_ALL;
    const struct {
        const char *what, *name;
        unsigned    traits;
    } part[] = {
        {"integrator", def->integrator, s->stepper.kind->traits},
        {"method", def->method, method != NULL ? tr_method_traits(method) : TR_COPES_ALL},
        {"stage_projection", def->stage_projection, stage},
        {"step_projection", def->step_projection,
         s->methods.step != NULL ? s->methods.step->kind->traits : TR_COPES_ALL},
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
            "drifted by %s, which %s %s; use direct_mass or masarati",
            tr_word_for_rows(s), t, tr_amount(s, worst, fabs(s->eval.phi[worst]), "", text),
            s->def.method != NULL ? s->def.method : "this choice of methods",
            s->methods.stabilization != NULL ? "corrects too slowly" : "does not correct");
    return tr_blame_row(s, TR_E_SIMULATION, row);
}

trStatus tr_explain_contradiction(trSim *s, int row, double t) {
    int worst = tr_worst_row(&s->eval.equations);
    if (worst >= 0 && tr_row_violation(&s->eval.equations, worst) > DRIFTED) {
        return explain_drift(s, row, t);
    }
    if (s->methods.kernel.kind->rank(s->methods.kernel.work).dropped >
        s->notes.stats.redundant_rows) {
        tr_fail(TR_E_SIMULATION,
                "nearly depends on the other %s in the pose at t = %.9g s, and its acceleration "
                "contradicts theirs: lengths are close to those with which this pose can be "
                "passed, but not the same; make them the same, or change them by more",
                tr_word_for_rows(s), t);
        return tr_blame_row(s, TR_E_SIMULATION, row);
    }
    tr_fail(TR_E_SIMULATION,
            "its acceleration contradicts the other %s at t = %.9g s; remove or change one of them",
            tr_word_for_rows(s), t);
    tr_blame_row(s, TR_E_SIMULATION, row);
    return tr_hint_nearly_dependent(s, TR_E_SIMULATION, row);
}

trStatus tr_refuse_pose(const trSim *s, const char *joint) {
    char text[TR_AMOUNT];
    return tr_fail(TR_E_SIMULATION,
                   "t = %.9g s: %s '%s' lost or gained independence in this pose, which %s cannot "
                   "pass; use direct_mass or masarati, or a step that does not end there",
                   s->t, s->system->recorded > 0 ? "constraint" : "joint", joint,
                   tr_culprit(s, TR_COPES_SINGULAR_POSE, text));
}

int tr_list_joints(const trSim *s, const double *w, const trJoint *left_out, char text[TR_NAMES]) {
    const char *name[NAMED + 1];
    double      largest = 0.0;
    int         count = 0, used = 0;
    for (int i = 0; i < s->m; i++) {
        largest = tr_joint_of_row(s, i) == left_out ? largest : fmax(largest, fabs(w[i]));
    }
    for (int i = 0; i < s->m && count <= NAMED; i++) {
        const trJoint *joint = tr_joint_of_row(s, i);
        bool           counts = joint != left_out && fabs(w[i]) >= SHARE * largest;
        if (counts && (count == 0 || name[count - 1] != joint->name)) {
            name[count++] = joint->name;
        }
    }
    text[0] = '\0';
    bool more = count > NAMED;
    for (int i = 0; i < count - more && used < TR_NAMES; i++) {
        const char *before = i == 0 ? "" : i == count - 1 ? " and " : ", ";
        used += snprintf(text + used, (size_t)(TR_NAMES - used), "%s'%s'", before, name[i]);
    }
    if (more && used < TR_NAMES) {
        snprintf(text + used, (size_t)(TR_NAMES - used), " and others");
    }
    return count;
}

// The combination of rows that is about to vanish, by an iteration with A M^-1 A' that begins with
// one of them: w = (A M^-1 A')^-1 e_row, rows in units of their nominal sizes. At the accepted
// state; false if there it cannot be told.
static bool find_combination(trSim *s, int row, double *w) {
    const trEquations *e = &s->eval.equations;
    trKernel          *kernel = s->methods.assembler->kernel;
    s->at_state = false;
    s->eval.z = s->x + s->nq + s->nv;
    if (tr_system_eval(s->system, s->t, s->x, s->x + s->nq, &s->eval) != TR_OK ||
        tr_kernel_factor(kernel, e) != TR_OK) {
        return false;
    }
    memset(s->work.rate, 0, (size_t)s->m * sizeof *s->work.rate);
    s->work.rate[row] = 1.0;
    if (kernel->kind->solve(kernel->work, e, s->methods.assembler->zero, s->work.rate,
                            s->work.slide, w) != TR_OK) {
        return false;
    }
    for (int i = 0; i < s->m; i++) {
        w[i] *= s->eval.row_scale[i] > 0.0 ? s->eval.row_scale[i] : 1.0;
    }
    return true;
}

trStatus tr_blame_pose(trSim *s, int row) {
    char words[TR_WORDS], names[TR_NAMES];
    bool passes = (s->methods.traits & TR_COPES_SINGULAR_POSE) != 0;
    snprintf(words, sizeof words, "%s", tr_last_error());
    int count = find_combination(s, row, s->lambda) ? tr_list_joints(s, s->lambda, NULL, names) : 0;
    tr_fail(TR_E_SIMULATION, "%s", words);
    bool        by_integrator = (s->stepper.kind->traits & TR_COPES_SINGULAR_POSE) != 0;
    const char *remedy = !by_integrator ? "try dop853 with method direct_mass or masarati, as this "
                                          "integrator does not pass such poses"
                         : !passes ? "use method masarati or direct_mass, which pass such poses"
                         : !s->stepper.adaptive ? "use another step size"
                         : s->stepper.own_step  ? "try dop853, or enlarge rtol and atol"
                         : s->def.rank_tolerance > TR_RANK_TOLERANCE_MIN
                             ? "set rank_tolerance = 1e-6, or enlarge rtol and atol"
                             : "enlarge rtol and atol, or set min_step";
    if (count < 2) {
        return tr_add_hint(TR_E_SIMULATION,
                           "; %s '%s' is close to losing independence in this pose: %s",
                           s->system->recorded > 0 ? "constraint" : "joint",
                           tr_joint_of_row(s, row)->name, remedy);
    }
    return tr_add_hint(TR_E_SIMULATION,
                       "; %s %s are about to depend on each other in this pose: %s",
                       tr_word_for_rows(s), names, remedy);
}

// --- motion that runs away ---

// Why, most likely, and what to try.
static trStatus hint_runaway(const trSim *s, trStatus status, double h) {
    const trAlarm alarm = tr_cause_of_trouble(s);
    if (alarm == TR_ALARM_OPEN) {  // tr_explain_no_step says so
        return status;
    }
    if (alarm == TR_ALARM_GROWTH) {
        char cause[TR_CAUSE];
        return tr_add_hint(status, "; kinetic energy grows exponentially: %s",
                           tr_growth_cause(s, cause));
    }
    if (!s->stepper.adaptive) {
        return tr_add_hint(status,
                           "; the step of %.3g s is too large for the stiffest spring or fastest "
                           "motion: take a smaller one, an integrator that chooses it (dop853), or "
                           "an implicit one (radau5)",
                           h);
    }
    return tr_add_hint(status, "; a force keeps accelerating it: look for a wrong sign, a negative "
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
    const double *v = x + s->nq;
    const int     fastest = tr_largest_at(s->nv, v);
    char          unit[TR_AMOUNT];
    if (s->nv == 0 || fabs(v[fastest]) <= MOST_SPEED) {
        return TR_OK;
    }
    tr_fail(TR_NOT_FINITE, "grows without bounds, %.1e%s at t = %.9g s", fabs(v[fastest]),
            tr_unit_words(s, fastest, "/s", unit), s->t + h);
    hint_runaway(s, TR_NOT_FINITE, h);
    return tr_blame_body(TR_NOT_FINITE, &s->system->body[fastest / s->system->space->nv]);
}

// --- poses ---

// After TR_SINGULAR: a row that is dependent in this pose, or -1.
static int lost_row(const trSim *s) {
    trRank rank = s->methods.kernel.kind->rank(s->methods.kernel.work);
    int    row = rank.dropped > 0 ? rank.rows[0] : s->pose.lost_row;
    if (row < 0 && s->methods.carry != NULL && s->methods.carry->lost_row != NULL) {
        row = s->methods.carry->lost_row(s->methods.carry_work);
    }
    for (int i = 0; row < 0 && i < 2; i++) {
        const trProjector *picked = &s->methods.picked[i];
        row = picked->kind != NULL ? picked->held->lost_row : -1;
    }
    for (int i = 0; row < 0 && i < s->m; i++) {  // one that was, at the last accepted state
        row = s->rows.dependent[i] ? i : -1;
    }
    return row;
}

// An option of the formulation that is not as it is by default, or NULL.
static const char *changed_option(const trSim *s) {
    for (const trField *f = s->methods.kernel.kind->fields; f != NULL && f->name != NULL; f++) {
        if (!tr_sim_def_is_plain(&s->def, f)) {
            return f->name;
        }
    }
    return NULL;
}

// A row that is dependent, or so close to it that the formulation does not settle.
static trStatus explain_dependent(const trSim *s, int row, double t) {
    char   text[TR_AMOUNT], close[64] = "";
    trRank rank = s->methods.kernel.kind->rank(s->methods.kernel.work);
    if (rank.dropped == 0 && rank.gap_row >= 0) {
        snprintf(close, sizeof close, " (a pivot is %.0e of its usual size)", rank.gap);
    }
    if ((s->methods.kernel.kind->traits & TR_JUDGES_NO_RANK) != 0) {
        const char *option = changed_option(s);
        tr_fail(TR_SINGULAR,
                "its force does not settle at t = %.9g s with %s: the pose is close to one where "
                "it depends on the other %s, or the penalty does not fit; use direct_mass",
                t, s->def.formulation, tr_word_for_rows(s));
        if (option != NULL) {
            tr_add_hint(TR_SINGULAR, ", or leave '%s' out", option);
        }
    } else if ((s->methods.traits & TR_COPES_SINGULAR_POSE) != 0) {  // give_up knows what helps
        tr_fail(TR_SINGULAR, "depends on the other %s in the pose at t = %.9g s, or nearly so%s",
                tr_word_for_rows(s), t, close);
    } else {
        tr_fail(TR_SINGULAR,
                "depends on the other %s in the pose at t = %.9g s, or nearly so%s, which %s does "
                "not support; use direct_mass or masarati, or a step that does not end there",
                tr_word_for_rows(s), t, close, tr_culprit(s, TR_COPES_SINGULAR_POSE, text));
    }
    return tr_blame_row(s, TR_SINGULAR, row);
}

// Its mass is canceled by that of other columns.
static bool is_canceled(const trSystem *s, const trMass *M, int column) {
    return s->space->dim == 0 && M->dense != NULL && M->dense[column * (M->n + 1)] > 0.0;
}

static trStatus explain_free(const trSim *s, int column, double t) {
    const trSpace *space = s->system->space;
    int            part = column % space->nv;
    trFreeWords    words = tr_words_for_free(space->dim, tr_space_turns(space, part));
    const trMass  *M = &s->eval.equations.M;
    if (is_canceled(s->system, M, column)) {
        words = tr_words_for_canceled();
    } else if (M->diagonal != NULL && M->diagonal[column] > 0.0) {  // lost beside joints' forces
        words = (trFreeWords){"has next to no inertia and no joint that holds it",
                              "give it more inertia, or a joint"};
    }
    tr_fail(TR_SINGULAR, "%s %s at t = %.9g s; %s", tr_space_motion(space, part), words.lacks, t,
            words.remedy);
    return tr_blame_body(TR_SINGULAR, &s->system->body[column / space->nv]);
}

int tr_free_column(const trSim *s) {
    int column = s->methods.kernel.kind->rank(s->methods.kernel.work).free_column;
    return column < 0 && s->methods.judge.kind != NULL
               ? s->methods.judge.kind->rank(s->methods.judge.work).free_column
               : column;
}

// Most formulations only notice that they cannot go on; the judge knows whether a motion without
// inertia is the reason.
static int find_free_column(trSim *s) {
    if (s->methods.judge.kind != NULL) {
        (void)tr_kernel_factor(&s->methods.judge, &s->eval.equations);
    }
    return tr_free_column(s);
}

trStatus tr_explain(trSim *s, trStatus status, double t) {
    const trRank rank = s->methods.kernel.kind->rank(s->methods.kernel.work);
    if (status == TR_E_SIMULATION && rank.contradicts > 0) {
        return tr_explain_contradiction(s, rank.contradicts - 1, t);
    }
    if (status == TR_NOT_FINITE || status == TR_E_SIMULATION) {
        return status;  // of the non-ideal part, with names and time (nonideal.c)
    }
    int column = status == TR_SINGULAR ? find_free_column(s) : -1;
    if (column >= 0) {
        return explain_free(s, column, t);
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
    tr_rows_mul(&e->A, s->eval.v, s->work.rate);
    for (int i = 0; i < s->m; i++) {
        s->work.rate[i] = fabs(s->work.rate[i] - e->b1[i]);
        worst = s->work.rate[i] > s->work.rate[worst] ? i : worst;
    }
    tr_fail(status,
            "no velocities are found that satisfy it at t = %.9g s (%s remain); check the start "
            "and the function, or take a smaller step",
            t, tr_amount(s, worst, s->work.rate[worst], "/s", text));
    return tr_blame_row(s, status, worst);
}

trStatus tr_explain_row(trSim *s, trStatus status, double t, int row) {
    if (status == TR_SINGULAR) {
        return tr_explain(s, status, t);
    }
    if (status == TR_NO_CONVERGENCE && row < 0) {
        return explain_velocity(s, status, t);
    }
    if (status != TR_NO_CONVERGENCE) {
        return status;
    }
    const trJoint *joint = tr_joint_of_row(s, row);
    const char    *cause =
        s->watch.column[TR_ALARM_SWINGING] >= 0 ? tr_alarm_words(s, TR_ALARM_SWINGING)
           : joint->recorded
               ? "there may be no such state any more (see functions of time), or the step too large"
               : "the mechanism may be at its limit, or another joint contradict it (see drives and "
                 "lengths), or the step too large";
    char text[TR_AMOUNT];
    tr_fail(status, "cannot be %s at t = %.9g s (%s remain); %s",
            joint->recorded ? "satisfied" : "closed", t,
            tr_amount(s, row, fabs(s->eval.phi[row]), "", text), cause);
    tr_blame_joint(status, joint);
    return tr_hint_nearly_dependent(s, status, row);
}

trStatus tr_name_row(const trSim *s, trStatus status, int row) {
    if (row < 0) {
        return status;
    }
    const trJoint *joint = tr_joint_of_row(s, row);
    return tr_add_hint(status, "; check %s '%s' first, which has the largest gap",
                       joint->recorded ? "constraint" : "joint", joint->name);
}
