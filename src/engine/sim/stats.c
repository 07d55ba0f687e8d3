// SPDX-License-Identifier: MIT
// What is watched at accepted states (violations by joint, energy), and what may be asked of
// the present one.

#include <math.h>

#include "base/vector.h"
#include "projection/held.h"
#include "sim/sim.h"

#define CONTRADICTION 1e-3  // of accelerations, relative: far above drift and soft constraints

// The row of the worst violation stands for the names, which a saved simulation has no place for.
static void note_violation(trSim *s, const double *residual, int level) {
    trViolation *const all[] = {&s->notes.stats.position, &s->notes.stats.velocity,
                                &s->notes.stats.acceleration};
    trViolation       *worst = all[level];
    for (int i = 0; i < s->m; i++) {
        double     size = fabs(residual[i]);
        double    *most[] = {&worst->length, &worst->angle, &worst->other};
        trQuantity quantity = s->rows.quantity[i];
        if (size > *most[quantity]) {
            *most[quantity] = size;
            s->notes.worst_row[level][quantity] = i;
        }
    }
}

const char *tr_name_of_row(const trSystem *s, int row) {
    return row < 0 ? NULL : s->joint[s->row_joint[row]].name;
}

void tr_name_violation(const trSystem *s, const int row[TR_QUANTITIES], trViolation *worst) {
    worst->length_joint = tr_name_of_row(s, row[TR_LENGTH]);
    worst->angle_joint = tr_name_of_row(s, row[TR_ANGLE]);
    worst->other_joint = tr_name_of_row(s, row[TR_OTHER]);
    worst->other_unit = row[TR_OTHER] < 0 ? NULL : s->row_unit[row[TR_OTHER]];
}

const double *tr_sim_acceleration(const trSim *s) {
    return s->stepper.driver->acceleration(s);
}

// Worst and mean of the sum of squares; `seen` states came before.
static void note_squares(const trSim *s, const double *residual, int64_t seen, trSquares *squares,
                         double *since) {
    const double sum = tr_dot(s->m, residual, residual);
    squares->worst = fmax(squares->worst, sum);
    squares->mean += (sum - squares->mean) / (double)(seen + 1);
    if (since != NULL) {
        *since = fmax(*since, sum);
    }
}

// The state has just been evaluated and its acceleration solved for.
void tr_watch_violations(trSim *s) {
    const trEquations *e = &s->eval.equations;
    trSimStats        *stats = &s->notes.stats;
    note_violation(s, e->phi, 0);
    tr_watch_open(s);
    note_squares(s, e->phi, stats->steps, &stats->position_squares, &s->notes.since[0]);
    tr_sim_rates(s, s->x + s->nq, s->work.rate);
    note_violation(s, s->work.rate, 1);
    note_squares(s, s->work.rate, stats->steps, &stats->velocity_squares, &s->notes.since[1]);
    tr_rows_mul(&e->A, tr_sim_acceleration(s), s->work.rate);
    tr_add_scaled(s->m, -1.0, e->b, s->work.rate);
    note_violation(s, s->work.rate, 2);
    note_squares(s, s->work.rate, stats->steps, &stats->acceleration_squares, NULL);
}

// Rows of A may vanish in a singular pose: at least 1.
static double size_of_row(const trEquations *e, int row) {
    return e->row_size != NULL ? fmax(1.0, e->row_size[row]) : 1.0;
}

// Of dependent rows those that were dropped may ask for another acceleration than the others. A
// method that puts states back on the constraints notices; others would drift away from them.
trStatus tr_watch_contradictions(trSim *s) {
    const trEquations *e = &s->eval.equations;
    const double      *a = s->stepper.own_reactions ? s->a : tr_sim_acceleration(s);
    const double      *b = s->methods.stabilization != NULL ? s->work.b : e->b;
    bool put_back = s->methods.step != NULL && !s->methods.step->kind->velocities_only;
    if (s->rows.rank == s->m || put_back) {
        return TR_OK;
    }
    tr_rows_mul(&e->A, a, s->work.rate);
    double size = fmax(1.0, tr_largest(s->nv, a));
    for (int i = 0; i < s->m; i++) {
        size = fmax(size, fabs(b[i]) / size_of_row(e, i));
    }
    for (int i = 0; i < s->m; i++) {
        if (!(fabs(s->work.rate[i] - b[i]) <= CONTRADICTION * size * size_of_row(e, i))) {
            return tr_explain_contradiction(s, i, s->t);
        }
    }
    return TR_OK;
}

// W is a part of the energy balance: its error counts relative to all of the energy there is,
//
//     atol + rtol |W|  becomes  atol + rtol (|W| + T + |V|)
static void weigh_work(trSim *s) {
    const trSimStats *stats = &s->notes.stats;
    double            own = s->def.atol + s->def.rtol * fabs(stats->work);
    double            energy = stats->kinetic + fabs(stats->potential);
    s->stepper.weight[s->nx - 1] = own / (own + s->def.rtol * energy);
}

// Written rows count as well as accepted states: what is interpolated inside a step may be off by
// more than its ends.
double tr_note_drift(trSim *s, double balance) {
    double drift = balance - s->notes.stats.energy_start;
    s->notes.stats.energy_drift = fmax(s->notes.stats.energy_drift, fabs(drift));
    return drift;
}

void tr_watch_energy(trSim *s) {
    trSimStats *stats = &s->notes.stats;
    stats->kinetic = tr_eval_kinetic(&s->eval, s->x, s->x + s->nq);
    stats->potential = s->eval.potential;
    stats->work = s->x[s->nx - 1];
    weigh_work(s);
    stats->energy_end_drift = tr_note_drift(s, stats->kinetic + stats->potential - stats->work);
}

double tr_sim_time(const trSim *s) {
    return s->t;
}

const double *tr_sim_q(const trSim *s) {
    return s->x;
}

const double *tr_sim_v(const trSim *s) {
    return s->x + s->nq;
}

const double *tr_sim_z(const trSim *s) {
    return s->x + s->nq + s->nv;
}

trBodyState tr_sim_body(const trSim *s, int body) {
    return tr_system_body_state(s->system, body, s->x, s->x + s->nq);
}

trBodyState tr_sim_frame(const trSim *s, int frame) {
    return tr_system_frame_state(s->system, frame, s->x, s->x + s->nq);
}

// An output row may have been evaluated since: the multipliers must be those of this state.
static trStatus present_lambda(trSim *s, const double **lambda) {
    if (!s->at_state) {
        TR_TRY(tr_sim_accelerate(s, s->t, s->x, s->a));
        s->at_state = true;
    }
    *lambda = s->stepper.own_reactions ? s->second.now.lambda : s->lambda;
    return TR_OK;
}

trStatus tr_sim_lambda(trSim *s, const double **out) {
    return present_lambda(s, out);
}

trStatus tr_sim_eval(trSim *s, const trEval **out) {
    const double *lambda = NULL;
    *out = &s->eval;
    return present_lambda(s, &lambda);
}

trStatus tr_sim_new_eval(const trSim *s, trEval **out) {
    trEval *e = NULL;
    *out = NULL;
    TR_TRY(tr_eval_new(s->system, s->def.rank_tolerance, &e));
    // As the simulation itself was planned; what is wrong with that state it has told.
    trStatus start =
        tr_eval_at(e, s->def.start, s->def.q.count > 0 ? s->def.q.at : NULL, NULL, NULL);
    (void)start;
    trStatus status = tr_eval_prepare(e);
    if (status != TR_OK) {
        tr_eval_destroy(e);
        return status;
    }
    tr_eval_follow(e, &s->eval);
    *out = e;
    return TR_OK;
}

trStatus tr_sim_multiplier(trSim *s, int constraint, trMultiplier *out) {
    int first = 0, rows = tr_system_constraint_rows(s->system, constraint, &first);
    if (rows == 0) {
        return tr_fail(TR_E_ARGUMENT, "there is no constraint %d; they are 0 to %d", constraint,
                       tr_system_constraints(s->system) - 1);
    }
    const double *lambda = NULL;
    TR_TRY(present_lambda(s, &lambda));
    *out = (trMultiplier){.rows = rows,
                          .lambda = lambda + first,
                          .unit = tr_system_multiplier_unit(s->system, first)};
    return TR_OK;
}

trStatus tr_sim_reaction(trSim *s, int joint, trReaction *out) {
    const double *lambda = NULL;
    TR_TRY(tr_reaction_check(s->system, joint));
    TR_TRY(present_lambda(s, &lambda));
    *out = tr_eval_reaction(&s->eval, joint, lambda);
    return TR_OK;
}

trWorst tr_sim_take_worst(trSim *s) {
    const trWorst worst = {sqrt(s->notes.since[0]), sqrt(s->notes.since[1])};
    s->notes.since[0] = s->notes.since[1] = 0.0;
    return worst;
}

double tr_sim_next_step(const trSim *s) {
    return s->stepper.h;
}

void tr_sim_project_to_rounding(trSim *s) {
    s->methods.by_mass.tolerance = s->methods.by_identity.tolerance = 0.0;
}

trSimDef tr_sim_def(const trSim *s) {
    return s->def;
}

trSimStats tr_sim_stats(const trSim *s) {
    trSimStats stats = s->notes.stats;
    tr_name_violation(s->system, s->notes.worst_row[0], &stats.position);
    tr_name_violation(s->system, s->notes.worst_row[1], &stats.velocity);
    tr_name_violation(s->system, s->notes.worst_row[2], &stats.acceleration);
    for (int i = 0; i < stats.rank_change_kept; i++) {
        const char *name = tr_name_of_row(s->system, s->notes.change_row[i]);
        s->notes.rank_change[i].joint = name != NULL ? name : "";
    }
    stats.factorizations = s->methods.kernel.factorizations + s->methods.judge.factorizations +
                           s->methods.by_identity.own.factorizations +
                           s->methods.by_units.own.factorizations;
    stats.newton_iterations = s->methods.by_mass.iterations + s->methods.by_identity.iterations;
    for (int i = 0; i < 2; i++) {
        const trProjector *picked = &s->methods.picked[i];
        if (picked->kind != NULL) {
            stats.newton_iterations += picked->iterations;
            stats.renewals += picked->held->renewals;
        }
    }
    if (s->methods.kernel.kind->iterations != NULL) {
        stats.solver_iterations = s->methods.kernel.kind->iterations(s->methods.kernel.work);
    }
    if (s->stepper.kind->count != NULL) {
        trIntegratorCounts counts = {0};
        s->stepper.kind->count(s->stepper.work, &counts);
        stats.newton_iterations += counts.iterations;
        stats.jacobians += counts.jacobians;
        stats.factorizations += counts.factorizations;
        stats.rejected += counts.rejected;
    }
    stats.stiff = tr_is_stiff(s);
    stats.stiff_time = s->watch.time[TR_ALARM_STIFF];
    stats.stiff_integrator = stats.stiff ? tr_stiff_integrator(s) : NULL;
    stats.rank_change = s->notes.rank_change;
    stats.forced_time = s->notes.forced_time;
    return stats;
}

trStatus tr_sim_joint_variable(trSim *s, int joint, int variable, trJointVariable *out) {
    const double *lambda = NULL;
    TR_TRY(tr_variable_check(s->system, joint, variable));
    TR_TRY(present_lambda(s, &lambda));
    *out = tr_eval_joint_variable(&s->eval, joint, variable, lambda);
    return TR_OK;
}
