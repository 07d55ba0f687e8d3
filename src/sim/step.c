// SPDX-License-Identifier: MIT
// One step, top to bottom. Read this file first: every stage is one line and is owned by one
// folder.
//
//     integrate ( project stage -> evaluate -> stabilize -> solve )  ->  project step
//                                                                    ->  accept or retry
//
// The part in brackets is tr_sim_rhs in faces.c.

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define MAX_ATTEMPTS 100
#define FACTOR_AFTER_TROUBLE 0.25
#define FAR_DECAY 0.7       // of far_step with every step: rounding may shorten some near a pose
#define PASSING_SHARE 0.2   // of the tolerance near a pose: projections of stages add to errors
#define REDUNDANT 2e-15     // of |phi| where rows are redundant, relative to 1 + max|q|
#define TURN_SHARE 0.8      // of what can be counted, at the speed of the start
#define SAME_STEP 1e-9      // steps that differ by less, relative, are one
#define SAME_IMPLICIT 1e-4  // likewise, of methods on the second face

static double same_step(const trSim *s) {
    return s->integrator->implicit != NULL ? SAME_IMPLICIT : SAME_STEP;
}

// The last step to a goal may be a little longer than s->h: it is as small all the same.
static bool is_least(const trSim *s, double h) {
    return h <= tr_least_step(s) * (1.0 + same_step(s));
}

// A method that owns its step makes it shorter.
static trStatus integrate(trSim *s, double *h, double *error) {
    const trIntegratorKind *kind = s->integrator;
    if (kind->implicit != NULL) {
        return tr_implicit_attempt(s, h, error);
    }
    if (kind->owner != NULL) {
        return kind->owner->step(s->integrator_work, &s->ode, s->t, h, s->x_new);
    }
    s->attempting = true;
    trStatus status =
        kind->attempt(s->integrator_work, &s->ode, s->t, *h, tr_sim_integrated(s), s->x_new, error);
    s->attempting = false;
    return status;
}

// A long step may come upon a singular pose that was far from its start, and a fixed step may have
// stages beside one that are too far off the constraints.
static trStatus integrate_past_poses(trSim *s, double *h, double *error) {
    const double whole = *h;
    s->came_near = s->stage_lost = s->holds_stages = false;
    trStatus   status = integrate(s, h, error);
    const bool comes = status == TR_OK && s->came_near && !s->passing;
    const bool holds = s->stage_lost && !s->adaptive && !s->drops_rows;
    if (status < 0 || (!comes && !holds) || s->integrator->owner != NULL) {
        return status;
    }
    s->passing = s->dae.passing = true;
    s->holds_stages = holds;
    *h = whole;
    return integrate(s, h, error);
}

// Beside a pose where rows become dependent a gap of size e lets bodies move by sqrt(e). Where a
// run was given a state there to start from, on a branch, ends of steps are held below 1e-12
// however large the coordinates are. Stages need not be, and elsewhere iterations for that are
// saved. Redundant rows agree on velocities as far as positions satisfy them, so that these are
// held to rounding there.
static trStatus project_end(trSim *s, double t) {
    trProjector *project = tr_sim_metric(s, s->step);
    if (project == NULL) {
        return tr_sim_to_state(s, NULL, t, s->x_next);
    }
    const double tolerance = project->tolerance;
    project->closely = s->closely;
    bool finely = s->rank < s->m || s->passing;
    project->tolerance = finely ? fmin(tolerance, REDUNDANT) : tolerance;
    trStatus status = tr_sim_to_state(s, project, t, s->x_next);
    project->closely = false;
    project->tolerance = tolerance;
    return status;
}

// The rows that are kept may have become a bad choice within the step. Those that serve better at
// its end put the state on the constraints once more.
static trStatus choose_rows_at_end(trSim *s, double t) {
    trRank rank;
    if (s->step == NULL || s->rank == s->m) {
        return TR_OK;
    }
    s->eval.z = s->x_next + s->nq + s->nv;
    TR_TRY(tr_system_eval(s->system, t, s->x_next, s->x_next + s->nq, &s->eval));
    const int64_t stamp = s->eval.equations.stamp;
    TR_TRY(tr_choose_rows(s, &s->kernel, &rank));
    return s->eval.equations.stamp == stamp ? TR_OK : project_end(s, t);
}

// Angles are counted from step to step. What turns too far for that would be counted wrong: by the
// speeds at both ends it is refused.
static trStatus check_turned(trSim *s, double h) {
    int    fastest = 0;
    double speed = 0.0;
    s->turned_far = false;
    if (s->system->turns == 0) {
        return TR_OK;
    }
    s->eval.z = s->x_next + s->nq + s->nv;
    TR_TRY(tr_system_eval(s->system, s->t + h, s->x_next, s->x_next + s->nq, &s->eval));
    speed = tr_eval_turn_speed(&s->eval, &fastest);
    s->turned_far = speed * h > TR_MOST_TURN;
    return s->turned_far ? tr_system_refuse_turn(s->system, s->t + h, fastest) : TR_OK;
}

// x_new is the end of the step as integrated, x_next the same, projected. The error is that of the
// integration alone: a projection must not hide it from the step-size control.
// Where the step stops short of its goal, x_next lies at the goal all the same.
static trStatus attempt(trSim *s, double *step, double *error) {
    if (s->turn_speed * *step > TR_MOST_TURN) {
        return tr_system_refuse_turn(s->system, s->t + *step, s->turn_fastest);
    }
    TR_TRY(integrate_past_poses(s, step, error));
    double h = *step;
    *error /= s->passing ? PASSING_SHARE : 1.0;
    TR_TRY(tr_check_finite(s, s->x_new, h));
    memcpy(s->x_next, s->x_new, (size_t)s->nx * sizeof *s->x);
    tr_system_normalize(s->system, s->x_next);
    if (*error > 1.0 && !is_least(s, h)) {
        return TR_OK;
    }
    TR_TRY(s->beyond > 0.0 ? tr_reach_goal(s, h) : TR_OK);
    const double whole = h + s->beyond, end = s->t + whole;
    TR_TRY(project_end(s, end));
    TR_TRY(choose_rows_at_end(s, end));
    TR_TRY(tr_check_speed(s, s->x_next, whole));
    TR_TRY(tr_check_smooth(s, whole, !s->adaptive || is_least(s, h)));
    bool check = s->step != NULL && !is_least(s, h) && s->integrator->owner == NULL;
    TR_TRY(check && s->beyond == 0.0 ? tr_check_jump(s, end) : TR_OK);
    return check_turned(s, whole);
}

static trStatus accept(trSim *s, double h, double t_new) {
    double before = s->t + (h + s->beyond);
    TR_TRY(tr_output_inside(s, h));
    memcpy(s->x, s->x_next, (size_t)s->nx * sizeof *s->x);
    s->t = t_new;
    s->stats.steps++;
    s->stats.smallest_step = fmin(s->stats.smallest_step, h);
    s->stats.largest_step = fmax(s->stats.largest_step, h);
    bool at_break =
        s->next_break < s->system->breaks && s->system->break_time[s->next_break] == t_new;
    if (at_break) {
        TR_TRY(tr_pass_break(s, before));
    }
    if (at_break) {
        TR_TRY(tr_sim_restart(s));
    } else if (s->integrator->implicit != NULL) {
        tr_implicit_accept(s);
    }
    TR_TRY(tr_sim_settle(s));
    tr_watch_step(s, h);
    bool choose = at_break && s->adaptive && !tr_sim_own_step(s);
    return choose ? tr_first_step(s, &s->h) : TR_OK;
}

trStatus tr_sim_restart(trSim *s) {
    s->restarted_at = s->stats.steps;
    if (s->integrator->implicit != NULL) {
        TR_TRY(tr_sim_accelerate(s, s->t, s->x, s->a));
        return tr_implicit_begin(s);
    }
    return s->integrator->owner != NULL
               ? s->integrator->owner->restart(s->integrator_work, &s->ode, s->t, s->x)
               : TR_OK;
}

// Whether the accepted state is not what its slope was evaluated at, because stages are put on the
// constraints and ends of steps are not, or in their velocities alone.
static bool is_off_its_slope(const trSim *s) {
    return s->stage != NULL && (s->step == NULL || (s->step->kind->velocities_only &&
                                                    !s->stage->kind->velocities_only));
}

trStatus tr_sim_settle(trSim *s) {
    if (s->integrator->implicit != NULL) {
        TR_TRY(tr_sim_accelerate(s, s->t, s->x, s->a));
        tr_implicit_settle(s);
    } else if (s->integrator->owner != NULL) {
        TR_TRY(tr_sim_accelerate(s, s->t, s->x, s->a_now));
    } else {
        if (s->carry != NULL) {
            TR_TRY(tr_system_eval(s->system, s->t, s->x, s->x + s->nq, &s->eval));
            TR_TRY(tr_carry_enter(s));
        }
        TR_TRY(s->integrator->begin(s->integrator_work, &s->ode, s->t, tr_sim_integrated(s)));
        memcpy(s->a_now, s->a_stage, (size_t)s->nv * sizeof *s->a_now);
    }
    s->at_state = true;
    if (is_off_its_slope(s)) {
        s->at_state = false;
        TR_TRY(tr_system_eval(s->system, s->t, s->x, s->x + s->nq, &s->eval));
    }
    TR_TRY(tr_eval_defined(&s->eval));
    TR_TRY(tr_eval_check_ends(&s->eval));
    s->turn_speed = tr_eval_turn_speed(&s->eval, &s->turn_fastest);
    tr_watch_violations(s);
    tr_watch_energy(s);
    TR_TRY(tr_watch_rank(s));
    TR_TRY(tr_implicit_leave_out(s));
    return tr_watch_contradictions(s);
}

// The step to try next. After trouble of any kind it shrinks, a little where a stage was in a
// singular pose; it never falls below min_step.
static double next_step(const trSim *s, double h, trStatus status, double error) {
    bool   in_pose = status == TR_SINGULAR && s->passing;
    double factor = in_pose      ? TR_DODGE_FACTOR
                    : status > 0 ? FACTOR_AFTER_TROUBLE
                                 : tr_step_factor(error, s->integrator->error_order);
    if (factor > 1.0 && factor < s->integrator->hold) {
        factor = 1.0;
    }
    double next = fmax(h * factor, tr_least_step(s));
    return s->def.max_step > 0.0 ? fmin(next, s->def.max_step) : next;
}

// What is accelerated most at the accepted state, as the place to look at.
static trStatus blame_fastest(const trSim *s) {
    const trSpace *space = s->system->space;
    const double  *a = tr_sim_acceleration(s);
    int            fastest = 0;
    for (int i = 0; i < s->nv; i++) {
        fastest = fabs(a[i]) > fabs(a[fastest]) ? i : fastest;
    }
    if (s->nv == 0 || !(fabs(a[fastest]) > 0.0)) {
        return TR_E_SIMULATION;
    }
    tr_add_hint(TR_E_SIMULATION, "; it is what is accelerated most (%.1e%s)", fabs(a[fastest]),
                space->dim == 0                              ? ""
                : tr_space_turns(space, fastest % space->nv) ? " rad/s^2"
                                                             : " m/s^2");
    return tr_blame_body(TR_E_SIMULATION, &s->system->body[fastest / space->nv]);
}

static trStatus give_up(trSim *s, trStatus status, double h) {
    const int row = tr_nearly_dependent_row(s);
    if (s->watch.column[TR_ALARM_GROWTH] >= 0 && status != TR_NOT_FINITE) {
        return tr_fail(TR_E_SIMULATION, "t = %.9g s: no step is possible any more: %s", s->t,
                       tr_alarm_words(s, TR_ALARM_GROWTH));
    }
    if (status > 0) {  // the last attempt left its own words
        tr_add_hint(TR_E_SIMULATION, "; no step is possible after t = %.9g s", s->t);
        bool implicit = tr_sim_own_step(s) || s->integrator->implicit != NULL;
        bool stuck = s->passing && status == TR_SINGULAR;
        return row >= 0 && (implicit || stuck) && tr_free_column(s) < 0 ? tr_blame_pose(s, row)
                                                                        : TR_E_SIMULATION;
    }
    TR_TRY(tr_eval_repeat_refusal(&s->eval, s->t));
    tr_fail(TR_E_SIMULATION, "t = %.9g s: the step size fell to %.1e s", s->t, h);
    if (row >= 0) {
        return tr_blame_pose(s, row);
    }
    tr_add_hint(TR_E_SIMULATION,
                "; something changes too fast there for the tolerances: look for a function "
                "or a law with a pole or a jump%s, or enlarge rtol and atol",
                s->system->space->dim == 0 ? ", or a mass that goes to 0" : "");
    return blame_fastest(s);
}

// Motion that runs away explains other trouble, too.
static trStatus add_growth(const trSim *s, trStatus status) {
    return status == TR_E_SIMULATION && s->watch.column[TR_ALARM_GROWTH] >= 0
               ? tr_add_hint(status, "; %s", tr_alarm_words(s, TR_ALARM_GROWTH))
               : status;
}

// The size of a step that is about to be accepted, as the error allows: one to a goal may be much
// shorter than that.
static void note_step(trSim *s, double h) {
    s->far_step = s->passing ? s->far_step : fmax(h, FAR_DECAY * s->far_step);
}

// A step is about to be accepted although its error is too large.
static void note_forced(trSim *s) {
    if (s->stats.forced_kept < TR_FORCED_KEPT) {
        s->forced_time[s->stats.forced_kept++] = s->t;
    }
    s->stats.forced++;
}

// The step size shrinks below what time can resolve, or never was above it.
static bool is_too_small(const trSim *s, double h) {
    return !(h > 16.0 * DBL_EPSILON * fabs(s->t)) || !(s->t + h > s->t);
}

// The longest step that a method may choose; one that owns its step goes on to the next goal.
// Counted angles bound it, with a margin for what is accelerated.
static double longest_step(const trSim *s) {
    double h = tr_sim_own_step(s) ? INFINITY : s->h;
    return s->adaptive ? fmin(h, s->turn_step) : h;
}

// The step to `reach` or on the way to it, and whether it arrives. A method on the second face
// divides rounding of positions by the square of the step, so that none may be tiny: where the rest
// is not quite two steps, it is halved. So it is near a singular pose, for a step that must stop
// short of it.
static double choose_step(const trSim *s, double reach, bool *last) {
    bool   even = s->integrator->implicit != NULL || (s->passing && s->leap == 1.0);
    double rest = reach - s->t, h = longest_step(s);
    *last = s->t + h * (1.0 + same_step(s)) >= reach;
    if (*last) {
        while (s->t + rest > reach) {  // by rounding: the old formula of a break ends at `reach`
            rest = nextafter(rest, 0.0);
        }
        return rest;
    }
    return even && rest < 2.0 * h ? 0.5 * rest : h;
}

// A method that owns its step has gone too far for angles to be counted, or might: it starts anew
// with a shorter one.
static trStatus retry_own(trSim *s, double h) {
    s->turn_step = FACTOR_AFTER_TROUBLE * h;
    s->stats.rejected++;
    return tr_sim_restart(s);
}

static trStatus advance(trSim *s, double t_end) {
    bool     adaptive = s->adaptive, own = tr_sim_own_step(s);
    int      dodges = 0;
    trStatus status = TR_OK;
    trGoal   goal = tr_next_goal(s, t_end);
    s->leap = s->share = 1.0;
    s->drops_rows = false;
    s->turn_step = TURN_SHARE * TR_MOST_TURN / s->turn_speed;  // infinite at rest
    s->h = adaptive ? s->h : s->def.step;
    s->eval.z = s->x + s->nq + s->nv;  // not what an output row left
    for (int i = 0; i < MAX_ATTEMPTS && (own || !is_too_small(s, s->h)); i++) {
        bool   last = false;
        double whole = choose_step(s, goal.reach, &last), error = 0.0;
        s->beyond = last && s->share < 1.0 ? whole - s->share * whole : 0.0;
        double most = whole - s->beyond, h = most;  // h + beyond is `whole`, to the last bit
        bool   forced = adaptive && is_least(s, h);
        status = attempt(s, &h, &error);
        if (status == TR_SINGULAR && last && tr_stop_short(s)) {
            continue;
        }
        if (status > 0 && (forced || !adaptive) && !own && tr_leap(s)) {
            continue;
        }
        if (own && status == TR_NO_CONVERGENCE && s->turned_far) {
            TR_TRY(retry_own(s, h));
            continue;
        }
        if (status < 0 || (status > 0 && (!adaptive || forced || own))) {
            return status < 0 ? add_growth(s, status) : give_up(s, status, h);
        }
        last = last && h == most;
        if (own && !last && is_too_small(s, h)) {
            return give_up(s, TR_OK, h);
        }
        if (own) {
            s->h = h;
        } else if (adaptive) {
            double next = next_step(s, h, status, error);
            s->h = last && error <= 1.0 && status == TR_OK ? fmax(next, s->h) : next;
        }
        if (status == TR_OK && (error <= 1.0 || forced)) {
            if (tr_dodge(s, h, last, &dodges)) {
                continue;
            }
            if (error > 1.0) {
                note_forced(s);
            }
            note_step(s, last ? fmax(h, s->h) : h);
            status = accept(s, h, last ? goal.arrive : s->t + h);
            return status > 0 ? TR_E_SIMULATION : status;  // the state has moved: no way back
        }
        s->stats.rejected++;
    }
    return give_up(s, status, s->h);
}

trStatus tr_sim_advance(trSim *s, double t_end) {
    return tr_explain_dead_point(s, advance(s, t_end), fmax(s->h, s->far_step));
}

trStatus tr_sim_step(trSim *s) {
    return tr_sim_advance(s, INFINITY);
}

trStatus tr_sim_run_to(trSim *s, double t) {
    if (!(t >= s->t) || !isfinite(t)) {
        return tr_fail(TR_E_ARGUMENT, "t = %g s is before the present time, %g s", t, s->t);
    }
    const int64_t before = tr_steps_tried(s);
    while (s->t < t) {
        TR_TRY(tr_check_steps(s, before));
        TR_TRY(tr_sim_advance(s, t));
    }
    return TR_OK;
}
