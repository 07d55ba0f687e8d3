// SPDX-License-Identifier: MIT
#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "integrator/integrator.h"
#include "report/mechanics.h"

#define WORTH_TELLING 1e-9  // a change by assembly [m or rad]
#define REACTIONS_SHOWN 8   // joints, or constraints with their multipliers
#define CHANGES_SHOWN 4     // of rank
#define FORCED_SHOWN 4      // steps

// "failed: why" is split: the word is in the heading, the reason in a line below it.
static void add_heading(trReport *r, const trRunReport *run) {
    const char *name = tr_system_name(run->system), *colon = strchr(run->outcome, ':');
    tr_report_note(r, NULL, "%s: %.*s at t = %g s\n", name != NULL ? name : "none",
                   (int)strcspn(run->outcome, ":"), run->outcome, tr_sim_time(run->sim));
    tr_report_text(r, "trammel", NULL, tr_version());
    tr_report_text(r, "model", NULL, name);
    tr_report_text(r, "file", NULL, run->path);
    tr_report_text(r, "outcome", NULL, run->outcome);
    if (colon != NULL) {
        tr_report_note(r, "reason", "%s", colon + 1);
    }
    tr_report_warnings(r, run->model, run->sim);
    tr_report_number(r, "time", NULL, tr_sim_time(run->sim), NULL);
}

static void add_size(trReport *r, const trSystem *system, const trSimStats *stats) {
    int  dim = tr_system_dim(system), constraints = tr_system_constraints(system);
    int  states = tr_system_states(system);
    bool bodies = dim != 0;
    tr_report_open(r, NULL, bodies ? "mechanism" : "system", TR_REPORT_LINE);
    tr_report_integer(r, "dim", NULL, dim);
    tr_report_integer(r, "bodies", bodies ? "% bod{y|ies}" : NULL, tr_system_bodies(system));
    tr_report_integer(r, "joints", bodies ? "% joint{s}" : NULL, tr_system_joints(system));
    tr_report_integer(r, "coordinates", bodies ? NULL : "% coordinate{s}",
                      tr_system_coordinates(system));
    tr_report_integer(r, "constraints", bodies && constraints == 0 ? NULL : "% constraint{s}",
                      constraints);
    tr_report_integer(r, "further_states", states > 0 ? "% extra state{s}" : NULL, states);
    tr_report_integer(r, "rows", NULL, tr_system_m(system));
    tr_report_integer(r, "degrees_of_freedom", "% degree{s} of freedom", stats->degrees_of_freedom);
    tr_report_integer(r, "redundant_rows", "% redundant row{s}", stats->redundant_rows);
    tr_report_close(r);
}

static void add_methods(trReport *r, const trSimDef *def) {
    bool fixed = !tr_integrator_adapts(tr_integrator_find(def->integrator), def->step);
    tr_report_open(r, "methods", "method", TR_REPORT_LINE);
    tr_report_text(r, "method", "%", def->method);
    tr_report_text(r, "formulation", def->method != NULL ? ": formulation" : "formulation",
                   def->formulation);
    tr_report_text(r, "stabilization", "stabilization", def->stabilization);
    tr_report_text(r, "stage_projection", "projection of stages", def->stage_projection);
    tr_report_text(r, "step_projection", "of steps", def->step_projection);
    tr_report_text(r, "integrator", NULL, def->integrator);
    tr_report_close(r);
    tr_report_open(r, "settings", NULL, 0);
    tr_report_open(r, NULL, "integrator", TR_REPORT_LINE);
    tr_report_text(r, NULL, "%", def->integrator);
    tr_report_number(r, "start", NULL, def->start, NULL);
    tr_report_number(r, "duration", NULL, def->duration, NULL);
    tr_report_number(r, "step", fixed ? "step" : NULL, def->step, "s");
    tr_report_number(r, "rtol", fixed ? NULL : "rtol", def->rtol, NULL);
    tr_report_number(r, "atol", fixed ? NULL : "atol", def->atol, NULL);
    tr_report_number(r, "min_step", NULL, def->min_step, NULL);
    tr_report_number(r, "max_step", NULL, def->max_step, NULL);
    tr_report_number(r, "max_steps", NULL, def->max_steps, NULL);
    tr_report_number(r, "rank_tolerance", NULL, def->rank_tolerance, NULL);
    tr_report_close(r);
    tr_report_open(r, NULL, "options", TR_REPORT_LINE);
    const trFieldList all = tr_settings();
    for (int i = 0; i < all.count; i++) {
        if (tr_is_option(all.at[i]->name) && tr_sim_def_reads(def, all.at[i]->name)) {
            tr_report_option(r, def, all.at[i]);
        }
    }
    tr_report_close(r);
    tr_report_close(r);
}

// A counter that is shown unless it is 0.
static void add_count(trReport *r, const char *key, const char *label, int64_t count) {
    tr_report_integer(r, key, count > 0 ? label : NULL, count);
}

static void add_forced(trReport *r, const trSimStats *s) {
    tr_report_open(r, "forced_at", "  forced at t =", TR_REPORT_ARRAY | TR_REPORT_LINE);
    for (int i = 0; i < s->forced_kept; i++) {
        tr_report_number(r, NULL, i < FORCED_SHOWN ? "%" : NULL, s->forced_time[i], "s");
    }
    tr_report_close(r);
}

static void add_counters(trReport *r, const trSimStats *s) {
    tr_report_open(r, "counters", NULL, 0);
    tr_report_open(r, NULL, "steps", TR_REPORT_LINE);
    tr_report_integer(r, "steps", "%", s->steps);
    tr_report_integer(r, "rejected", " (% rejected", s->rejected);
    tr_report_integer(r, "forced", "% forced)", s->forced);
    if (s->steps > 0) {
        tr_report_number(r, NULL, "from %3", s->smallest_step, "s");
        tr_report_number(r, NULL, " to %3", s->largest_step, "s");
    }
    tr_report_close(r);
    tr_report_open(r, NULL, "work", TR_REPORT_LINE);
    tr_report_integer(r, "evaluations", "% evaluation{s}", s->evaluations);
    tr_report_integer(r, "factorizations", "% factorization{s}", s->factorizations);
    tr_report_integer(r, "newton_iterations", "% Newton iteration{s}", s->newton_iterations);
    add_count(r, "jacobians", "% Jacobian{s}", s->jacobians);
    add_count(r, "solver_iterations", "% iteration{s} of the formulation", s->solver_iterations);
    add_count(r, "renewals", "% renewal{s} of basis or partition", s->renewals);
    tr_report_close(r);
    add_forced(r, s);
    tr_report_number(r, "smallest_step", NULL, s->smallest_step, NULL);
    tr_report_number(r, "largest_step", NULL, s->largest_step, NULL);
    tr_report_close(r);
}

// In custom systems W is shown, for only it shows whether forces and energy belong together.
// Without a potential the balance is T - W, and W is all there is.
static void add_energy(trReport *r, const trSimStats *s, bool custom) {
    tr_report_open(r, "energy", "energy", TR_REPORT_LINE);
    tr_report_unit(r, s->energy_unit);
    tr_report_bool(r, "potential_known", NULL, s->potential_known);
    tr_report_number(r, "start", "%9 at the start", s->energy_start, s->energy_unit);
    tr_report_number(r, "kinetic", NULL, s->kinetic, NULL);
    tr_report_number(r, "potential", NULL, s->potential, NULL);
    tr_report_number(r, "work", NULL, s->work, NULL);
    tr_report_number(r, "balance", NULL, s->kinetic + s->potential - s->work, NULL);
    tr_report_number(r, "drift", "drift %3", s->energy_drift, s->energy_unit);
    tr_report_close(r);
    if (custom) {
        tr_report_note(r, "", "this is %s; work of %s W = %.9g%s%s",
                       s->potential_known ? "T + V - W" : "T - W, as there is no s:energy",
                       s->potential_known ? "forces that are not in V, C and drives" : "all forces",
                       s->work, TR_UNIT(s->energy_unit));
    }
}

// What the constraints made of the initial state that the model gave.
static void add_correction(trReport *r, const trRunReport *run, bool rate, const trCorrection *c) {
    bool bodies = tr_system_dim(run->system) != 0;
    if (c->value > WORTH_TELLING) {
        tr_report_note(r, "assembly", "%s%s was %s by %.3g%s%s to satisfy the %s at the start",
                       rate && !bodies ? "the velocity of " : "", c->body,
                       !bodies ? "changed"
                       : rate  ? "changed in speed"
                               : "moved",
                       c->value, TR_UNIT(c->unit),
                       tr_system_constraints(run->system) > 0 ? "constraints" : "joints");
    }
    tr_report_change(r, rate ? "assembly_velocity" : "assembly_position", c,
                     bodies ? "body" : "coordinate");
}

static void add_rank_changes(trReport *r, const trSimStats *s) {
    tr_report_integer(r, "rank_change_count", s->rank_changes > 0 ? "rank changes" : NULL,
                      s->rank_changes);
    tr_report_open(r, NULL, "", 0);
    tr_report_open(r, "rank_changes", "", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    tr_report_shown(r, CHANGES_SHOWN);
    for (int i = 0; i < s->rank_change_kept; i++) {
        const trRankChange *change = &s->rank_change[i];
        tr_report_open(r, NULL, NULL, 0);
        tr_report_number(r, "time", "at t", change->time, "s");
        tr_report_integer(r, "from", "rank from", change->from);
        tr_report_integer(r, "to", "to", change->to);
        tr_report_text(r, "joint", "joint", change->joint);
        tr_report_close(r);
    }
    tr_report_close(r);
    tr_report_close(r);
}

static void add_state(trReport *r, int dim, const char *key, const char *name,
                      const trBodyState *s) {
    int                 count = 0;
    const trBodyNumber *number = tr_body_numbers(dim, &count);
    tr_report_open(r, NULL, NULL, 0);
    tr_report_text(r, key, NULL, name);
    for (int i = 0; i < count; i++) {
        tr_report_number(r, number[i].name, NULL, tr_body_number(s, &number[i]), NULL);
    }
    tr_report_close(r);
}

static void add_coordinates(trReport *r, const trRunReport *run) {
    for (int i = 0; i < tr_system_coordinates(run->system); i++) {
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "coordinate", NULL, tr_system_coordinate_name(run->system, i));
        tr_report_unit(r, tr_system_coordinate_unit(run->system, i));
        tr_report_number(r, "q", NULL, tr_sim_q(run->sim)[i], NULL);
        tr_report_number(r, "v", NULL, tr_sim_v(run->sim)[i], NULL);
        tr_report_close(r);
    }
    for (int i = 0; i < tr_system_states(run->system); i++) {
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "state", NULL, tr_system_state_name(run->system, i));
        tr_report_number(r, "z", NULL, tr_sim_z(run->sim)[i], NULL);
        tr_report_close(r);
    }
}

static void add_states(trReport *r, const trRunReport *run) {
    int dim = tr_system_dim(run->system);
    tr_report_open(r, "states", NULL, TR_REPORT_ARRAY | TR_REPORT_DATA);
    add_coordinates(r, run);
    for (int i = 0; i < tr_system_bodies(run->system); i++) {
        trBodyState state = tr_sim_body(run->sim, i);
        add_state(r, dim, "body", tr_system_body_name(run->system, i), &state);
    }
    tr_report_close(r);
    tr_report_open(r, "frames", NULL, TR_REPORT_ARRAY | TR_REPORT_DATA);
    for (int i = 0; i < tr_system_frames(run->system); i++) {
        trBodyState state = tr_sim_frame(run->sim, i);
        add_state(r, dim, "frame", tr_system_frame_name(run->system, i), &state);
    }
    tr_report_close(r);
}

// Where a reaction is given: at a point of the joint, or in a frame that the model names.
static void add_place(trReport *r, int dim, const trReaction *a) {
    tr_report_open(r, NULL, " ", TR_REPORT_LINE | TR_REPORT_WORDS | TR_REPORT_DETAIL);
    tr_report_text(r, NULL, a->frame != NULL ? "at frame %" : "at %",
                   a->frame != NULL ? a->frame : a->point);
    tr_report_number(r, NULL, " (%", a->x, NULL);
    tr_report_number(r, NULL, dim == 3 ? "%" : "%)", a->y, NULL);
    tr_report_number(r, NULL, "%)", dim == 3 ? a->z : NAN, NULL);
    tr_report_close(r);
    tr_report_text(r, "point", NULL, a->point);
    tr_report_text(r, "frame", NULL, a->frame);
    tr_report_number(r, "x", NULL, a->x, NULL);
    tr_report_number(r, "y", NULL, a->y, NULL);
    if (dim == 3) {
        tr_report_number(r, "z", NULL, a->z, NULL);
    }
}

static void add_reaction(trReport *r, int dim, const char *joint, const trReaction *a) {
    static const char *const planar[] = {"Fx", "Fy", "M"};
    static const char *const spatial[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
    static const char *const label[] = {"Fx %5", "Fy %5", "Fz %5", "Mx %5", "My %5", "Mz %5"};
    const double             in_plane[] = {a->fx, a->fy, a->moment};
    const double             in_space[] = {a->fx, a->fy, a->fz, a->mx, a->my, a->mz};
    tr_report_open(r, NULL, NULL, 0);
    tr_report_rank(r, tr_reaction_size(a));
    tr_report_text(r, "joint", "joint", joint);
    tr_report_open(r, NULL, NULL, dim == 3 ? TR_REPORT_DETAIL : 0);  // six numbers fill a line
    tr_report_text(r, "on", "on", a->on);
    tr_report_text(r, "by", "by", a->by);
    tr_report_close(r);
    tr_report_open(r, NULL, NULL, TR_REPORT_NOISE);
    for (int i = 0; i < (dim == 3 ? 6 : 3); i++) {
        const char *key = dim == 3 ? spatial[i] : planar[i];
        tr_report_number(r, key, dim == 3 ? label[i] : key, dim == 3 ? in_space[i] : in_plane[i],
                         key[0] == 'F' ? "N" : "N m");
    }
    tr_report_close(r);
    add_place(r, dim, a);
    tr_report_close(r);
}

static void add_reactions(trReport *r, const trRunReport *run) {
    tr_report_text(r, "reaction", NULL, TR_REACTION_CONVENTION);
    tr_report_open(r, "reactions",
                   "reactions at the end (moment about the joint's point, world axes)",
                   TR_REPORT_ARRAY | TR_REPORT_TABLE);
    tr_report_shown(r, REACTIONS_SHOWN);
    for (int i = 0; i < tr_system_joints(run->system); i++) {
        trReaction reaction;
        if (tr_sim_reaction(run->sim, i, &reaction) == TR_OK) {
            add_reaction(r, tr_system_dim(run->system), tr_system_joint_name(run->system, i),
                         &reaction);
        }
    }
    tr_report_close(r);
}

// The same of custom constraints.
static void add_multipliers(trReport *r, const trRunReport *run) {
    tr_report_text(r, "multiplier", NULL, TR_MULTIPLIER_CONVENTION);
    tr_report_open(r, "multipliers", "multipliers at the end (" TR_MULTIPLIER_CONVENTION ")",
                   TR_REPORT_ARRAY | TR_REPORT_TABLE);
    tr_report_shown(r, REACTIONS_SHOWN);
    for (int i = 0; i < tr_system_constraints(run->system); i++) {
        trMultiplier m;
        if (tr_sim_multiplier(run->sim, i, &m) != TR_OK) {
            continue;
        }
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "constraint", "constraint", tr_system_constraint_name(run->system, i));
        tr_report_unit(r, m.unit);
        tr_report_open(r, "lambda", "lambda", TR_REPORT_ARRAY | TR_REPORT_LINE);
        for (int k = 0; k < m.rows; k++) {
            tr_report_number(r, NULL, "%", m.lambda[k], k == m.rows - 1 ? m.unit : NULL);
        }
        tr_report_close(r);
        tr_report_close(r);
    }
    tr_report_close(r);
}

static void add_violations(trReport *r, const trSimStats *s) {
    const trViolation *const worst[] = {&s->position, &s->velocity, &s->acceleration};
    tr_report_open(r, "violations", "worst violation", 0);
    for (int i = 0; i < TR_LEVEL_COUNT; i++) {
        tr_report_violation(r, &tr_levels[i], worst[i]);
    }
    tr_report_close(r);
}

trReport *tr_report_run(const trRunReport *run) {
    trReport        *r = tr_report_create();
    const trSimStats stats = tr_sim_stats(run->sim);
    const trSimDef   def = tr_sim_def(run->sim);
    if (r == NULL) {
        return NULL;
    }
    add_heading(r, run);
    add_size(r, run->system, &stats);
    tr_report_branch(r, run->branch, run->branch_start);
    add_methods(r, &def);
    add_counters(r, &stats);
    add_violations(r, &stats);
    add_energy(r, &stats, tr_system_dim(run->system) == 0);
    add_correction(r, run, false, &stats.assembly_position);
    add_correction(r, run, true, &stats.assembly_velocity);
    tr_report_bool(r, "stiff", NULL, stats.stiff);
    tr_report_text(r, "recommended_integrator", NULL, stats.stiff_integrator);
    add_rank_changes(r, &stats);
    tr_report_number(r, "cpu_seconds", NULL, stats.cpu_seconds, NULL);
    add_states(r, run);
    add_reactions(r, run);
    add_multipliers(r, run);
    tr_report_note(r, "CPU time", "%.3g s", stats.cpu_seconds);
    tr_report_texts(r, "files", "written", 2, run->files);
    return r;
}
