// SPDX-License-Identifier: MIT
// The initial state, put on the constraints: positions, velocities, and a look at accelerations.
// What was changed is told; joints that contradict each other are refused by name. A consistent
// state is left as it is, bit by bit. Newton's method goes first; where it fails or turns a body
// further than any pose needs, the search (assemble_search.c) begins at the start once more.

#include "sim/assemble.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vector.h"
#include "sim/sim.h"

#define FAR 1e-2      // a start that was moved by more may have other poses [m, rad]
#define MAX_POSES 16  // that are tried
#define TEXT_SIZE 1024
#define HALF_TURN 3.2           // no pose needs more [rad]
#define CONSISTENT 1e-13        // of A v - b1, relative to 1 + max|v|: rounding, left as it is
#define NOT_ASSEMBLED 1e-9      // what a start may be off by, relative, where it must not be moved
#define VELOCITY_LEFT 1e-9      // what may remain of A v - b1 at the start, relative
#define ACCELERATION_LEFT 1e-6  // and of A a - b
#define LEFT_IN_POSE 10.0       // the latter in a singular pose, times rank_tolerance

// The unit of velocity i, or of its integral; of coordinates of a user's own always the latter.
static const char *unit_of(const trSystem *s, int i, bool rate) {
    const trSpace *space = s->space;
    if (space->dim == 0) {
        return s->unit[i];
    }
    return tr_space_turns(space, i % space->nv) ? (rate ? "rad/s" : "rad") : (rate ? "m/s" : "m");
}

trCorrection tr_largest_change(const trSystem *s, const double *dv, bool rate, int *column) {
    trCorrection most = {0};
    *column = -1;
    for (int i = 0; i < s->nv; i++) {
        if (fabs(dv[i]) > most.value) {
            *column = i;
            most = (trCorrection){fabs(dv[i]), unit_of(s, i, rate), s->body[i / s->space->nv].name};
        }
    }
    return most;
}

// Rows that contradict each other leave something behind that no state can remove. What rounding
// may leave depends on the size of both sides. Short arms turn it into large angles: in a mechanism
// of micrometers gravity is felt as g/r, 1e7 rad/s^2, in every row of angles.
static trStatus check_level(trSim *s, const char *level, const char *per, const double *x,
                            const double *right, double allowed) {
    double size = 1.0, arm = fmin(1.0, tr_lever_arm(s->system, &s->eval.equations.A));
    tr_rows_mul(&s->eval.equations.A, x, s->work.rate);
    for (int i = 0; i < s->nv; i++) {
        size = fmax(size, fabs(x[i]));
    }
    for (int i = 0; i < s->m; i++) {
        size = fmax(size, fabs(right[i]));
    }
    for (int i = 0; i < s->m; i++) {
        double left = fabs(s->work.rate[i] - right[i]);
        bool   turns = strcmp(s->system->row_unit[i], "rad") == 0;
        if (left * (turns ? arm : 1.0) > allowed * size) {
            char text[TR_AMOUNT];
            tr_fail(TR_E_MODEL,
                    "its %s contradicts the other %s at t = %.9g s (%s cannot be removed); remove "
                    "or change one of them",
                    level, tr_word_for_rows(s), s->t, tr_amount(s, i, left, per, text));
            tr_blame_joint(TR_E_MODEL, &s->system->joint[s->system->row_joint[i]]);
            return tr_hint_nearly_dependent(s, TR_E_MODEL, i);
        }
    }
    return TR_OK;
}

// Rows that are dropped close to a singular pose are combinations of the others but for
// rank_tolerance, and so are the accelerations that they ask for.
static trStatus check_acceleration(trSim *s) {
    bool   in_pose = s->pose.at_start && (s->methods.traits & TR_COPES_SINGULAR_POSE) != 0;
    double allowed = in_pose ? LEFT_IN_POSE * s->def.rank_tolerance : 0.0;
    return check_level(s, "acceleration", "/s^2", s->a, s->eval.b,
                       fmax(allowed, ACCELERATION_LEFT));
}

// Positions to start from: the caller's, or the model's.
static const double *start_q(const trSim *s) {
    return s->def.q.count > 0 ? s->def.q.at : s->system->q0;
}

// Where the caller does not give them.
static void give_velocities(const trSim *s, const double *q, double *v) {
    const trSpace *space = s->system->space;
    for (int i = 0; s->def.v.count == 0 && i < s->system->bodies; i++) {
        space->start_velocity(&s->system->body[i], q + space->nq * i, v + space->nv * i);
    }
}

// The largest |phi|, in units of positions; infinite where it cannot be evaluated.
static double violation_at(trSim *s, const double *q, const double *v, int *row) {
    const trEquations *e = NULL;
    *row = -1;
    if (s->methods.manifold.evaluate(s->methods.manifold.context, s->t, q, v, &e) != TR_OK) {
        return INFINITY;
    }
    *row = tr_worst_row(e);
    return *row < 0 ? 0.0 : tr_row_violation(e, *row);
}

// The start must do as it is: by name and amount, what it misses.
static trStatus check_start(trSim *s, const double *q, const double *v, double violation, int row) {
    double      off = violation / (1.0 + tr_largest(s->nq, q)), amount = 0.0;
    const char *per = "";
    char        text[TR_AMOUNT];
    if (!(off > NOT_ASSEMBLED) || !isfinite(off)) {
        off = 0.0;
        per = "/s";
        tr_sim_rates(s, v, s->work.rate);
        for (int i = 0; i < s->m; i++) {
            double left = fabs(s->work.rate[i]) / (1.0 + tr_largest(s->nv, v));
            row = left > off ? i : row;
            off = fmax(off, left);
        }
        amount = row < 0 ? 0.0 : fabs(s->work.rate[row]);
    } else {
        amount = fabs(s->eval.phi[row]);
    }
    if (!(off > NOT_ASSEMBLED)) {
        return TR_OK;
    }
    tr_fail(
        TR_E_MODEL,
        "is off by %s at the start, which must not be changed (initial = \"strict\"); correct it "
        "('trammel assemble' prints what fits), or let the run assemble",
        tr_amount(s, row, amount, per, text));
    return tr_blame_joint(TR_E_MODEL, &s->system->joint[s->system->row_joint[row]]);
}

// By Newton's method, in the plane; in space no change is more than half a turn.
static bool turned_too_far(const trSim *s, const double *q) {
    const trSpace *space = s->system->space;
    bool           far = false;
    tr_system_difference(s->system, q, start_q(s), s->a);
    for (int i = 0; i < s->nv && space->dim == 2; i++) {
        far = far || (tr_space_turns(space, i % space->nv) && fabs(s->a[i]) > HALF_TURN);
    }
    return far;
}

// From the start once more, where Newton's method did not find a pose or a strange one (`found`),
// or by least squares alone (`nearest`): off the constraints redundant rows contradict each other.
// Newton's method satisfies those that are kept, which depend on the axes, or all of them, by a
// step that is much too far. Least squares have neither.
static trStatus search(trSim *s, double *q, const double *v, bool found, bool nearest) {
    trSearch *searcher = NULL;
    trFound   out;
    TR_TRY(tr_search_create(s->system, s->t, &searcher));
    trStatus status = nearest ? tr_search_nearest(searcher, start_q(s), v, &out)
                              : tr_search_pose(searcher, start_q(s), v, &out);
    s->search.iterations = searcher->iterations;
    s->search.attempts = nearest ? 0 : searcher->attempts;
    if (status == TR_OK && out.closed) {
        tr_copy(s->nq, out.q, q);
    } else if (status == TR_OK && !found) {
        status = tr_refuse_open(searcher, &out);
    }
    tr_search_destroy(searcher);
    return nearest && status > 0 ? TR_OK : status;
}

static bool has_redundant_rows(trSim *s, const double *q, const double *v) {
    const trEquations *e = NULL;
    trRowJudge         judge;
    return s->methods.manifold.evaluate(s->methods.manifold.context, s->t, q, v, &e) == TR_OK &&
           tr_projector_judge(&s->methods.by_units, s->methods.assembler->kernel, e, &judge) ==
               TR_OK &&
           judge.rank.dropped > 0;
}

// Positions: by Newton's method, else by the search. Never worse than they were.
static trStatus assemble_positions(trSim *s, double *q, const double *v, int *worst) {
    int    row = -1;
    double before = violation_at(s, q, v, &row);
    if (tr_sim_def_is_strict(&s->def)) {
        TR_TRY(check_start(s, q, v, before, row));
    }
    trStatus status =
        tr_project_position(s->methods.assembler, &s->methods.manifold, s->t, q, v, worst);
    bool found = status == TR_OK;
    if (found && before > TR_OPEN_START && has_redundant_rows(s, q, v)) {
        TR_TRY(search(s, q, v, true, true));
        status = tr_project_position(s->methods.assembler, &s->methods.manifold, s->t, q, v, worst);
        found = status == TR_OK;
    }
    if ((status == TR_NO_CONVERGENCE && *worst >= 0) || (found && turned_too_far(s, q))) {
        TR_TRY(search(s, q, v, found, false));
        *worst = -1;
        status = tr_project_position(s->methods.assembler, &s->methods.manifold, s->t, q, v, worst);
    }
    if (status == TR_OK && memcmp(q, start_q(s), (size_t)s->nq * sizeof *q) != 0 &&
        !(violation_at(s, q, v, &row) < before)) {
        tr_copy(s->nq, start_q(s), q);
    }
    return status;
}

// Velocities by the smallest change of kinetic energy. Those that the caller gives stay bit by bit
// if they are consistent: a run that goes on must not change them.
static trStatus assemble_velocities(trSim *s, const double *q, double *v) {
    const trEquations *e = NULL;
    TR_TRY(s->methods.manifold.evaluate(s->methods.manifold.context, s->t, q, v, &e));
    tr_sim_rates(s, v, s->work.rate);
    if (s->def.v.count > 0 &&
        tr_largest(s->m, s->work.rate) <= CONSISTENT * (1.0 + tr_largest(s->nv, v))) {
        return TR_OK;
    }
    return tr_project_velocity(s->methods.assembler, &s->methods.manifold, s->t, q, v);
}

// Bodies have been checked when they were added.
static trStatus check_mass(trSim *s, const double *q, const double *v) {
    if (s->system->space->dim != 0) {
        return TR_OK;
    }
    trStatus status = tr_system_eval(s->system, s->t, q, v, &s->eval);
    status = status == TR_OK ? tr_eval_check_mass(&s->eval) : status;
    status = status == TR_OK ? tr_eval_check_energy(&s->eval) : status;
    return status > 0 ? TR_E_MODEL : status;
}

// The state is consistent: can the method take what there is?
static trStatus check_fit(trSim *s) {
    const trEquations *e = &s->eval.equations;
    trKernel          *kernel = s->methods.assembler->kernel;
    TR_TRY(tr_system_eval(s->system, s->t, s->x, s->x + s->nq, &s->eval));
    trStatus status = tr_kernel_factor(kernel, e);
    if (status != TR_OK) {
        tr_explain(s, status, s->t);
        return TR_E_MODEL;
    }
    trRank rank;
    TR_TRY(tr_look_aside(s, kernel));
    status = tr_choose_rows(s, kernel, &rank);
    if (status != TR_OK) {
        tr_explain(s, status, s->t);
        return TR_E_MODEL;
    }
    return tr_sim_check_fit(s, &rank);
}

// What was changed by now.
static void note_changes(trSim *s, const double *given_v) {
    const trSystem *system = s->system;
    const double   *q = s->x, *v = s->x + s->nq;
    int             column = -1;
    tr_system_difference(system, q, start_q(s), s->a);
    s->notes.stats.assembly_position = tr_largest_change(system, s->a, false, &column);
    tr_watch_start(s, s->a);
    for (int i = 0; i < s->nv; i++) {
        s->a[i] = v[i] - given_v[i];
    }
    s->notes.stats.assembly_velocity = tr_largest_change(system, s->a, true, &column);
    if (system->space->dim == 0 && column >= 0) {
        s->notes.stats.assembly_velocity.unit = s->table.column[1 + s->nq + column].unit;
    }
}

// Positions are found: velocities, and a look at accelerations. *contradicts is set where one of
// these levels cannot be satisfied in this pose.
static trStatus finish(trSim *s, bool *contradicts) {
    double *q = s->x, *v = s->x + s->nq;
    *contradicts = false;
    give_velocities(s, q, v);  // the model gives those of frames, which may have moved
    memcpy(s->work.x_row, v, (size_t)s->nv * sizeof *v);
    trStatus status = assemble_velocities(s, q, v);
    if (status != TR_OK) {
        tr_explain_row(s, status, s->t, -1);
        return TR_E_MODEL;
    }
    note_changes(s, s->work.x_row);
    TR_TRY(check_fit(s));
    status = tr_sim_accelerate(s, s->t, s->x, s->a);
    if (status != TR_OK) {
        return TR_E_MODEL;
    }
    status = check_level(s, "velocity", "/s", v, s->eval.b1, VELOCITY_LEFT);
    bool soft = (s->methods.kernel.kind->traits & TR_JUDGES_NO_RANK) != 0;  // it holds none exactly
    if (status == TR_OK && strcmp(s->def.stabilization, "none") == 0 && !soft) {
        status = check_acceleration(s);
    }
    *contradicts = status != TR_OK;
    return status;
}

// From afar positions may end next to a singular pose, where the other levels contradict: another
// pose may do. Returns the status of the first one, with its text, if none does.
static trStatus finish_elsewhere(trSim *s, trStatus first) {
    char      text[TEXT_SIZE];
    trSearch *searcher = NULL;
    trFound   found;
    bool      contradicts = true;
    snprintf(text, sizeof text, "%s", tr_last_error());
    trStatus status = tr_search_create(s->system, s->t, &searcher);
    if (status == TR_OK) {
        status = tr_search_begin(searcher, start_q(s), s->x + s->nq, s->x);
    }
    for (int k = 0; status == TR_OK && contradicts && k < MAX_POSES; k++) {
        status = tr_search_next(searcher, s->x + s->nq, &found);
        s->search.attempts++;
        if (status == TR_OK && found.closed) {
            int worst = -1;
            tr_copy(s->nq, found.q, s->x);
            status = tr_project_position(s->methods.assembler, &s->methods.manifold, s->t, s->x,
                                         s->x + s->nq, &worst);
            status = status == TR_OK ? finish(s, &contradicts) : TR_OK;
            status = contradicts ? TR_OK : status;
        }
    }
    s->search.iterations += searcher == NULL ? 0 : searcher->iterations;
    tr_search_destroy(searcher);
    return status == TR_OK && contradicts ? tr_fail(first, "%s", text) : status;
}

trStatus tr_assemble(trSim *s) {
    double *q = s->x, *v = s->x + s->nq;
    int     worst = -1;
    bool    contradicts = false;
    memcpy(q, start_q(s), (size_t)s->nq * sizeof *q);
    memcpy(v, s->def.v.count > 0 ? s->def.v.at : s->system->v0, (size_t)s->nv * sizeof *v);
    for (int i = 0; i < s->nz; i++) {  // models of bodies have no z0
        v[s->nv + i] = s->system->z0[i];
    }
    TR_TRY(check_mass(s, q, v));
    trStatus status = assemble_positions(s, q, v, &worst);
    if (status < 0) {
        return status;
    }
    if (status != TR_OK) {
        tr_explain_row(s, status, s->t, worst);
        return TR_E_MODEL;
    }
    status = finish(s, &contradicts);
    bool far = contradicts && s->notes.stats.assembly_position.value > FAR;
    return far ? finish_elsewhere(s, status) : status;
}
