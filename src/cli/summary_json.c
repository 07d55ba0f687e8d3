// SPDX-License-Identifier: MIT
// The summary of a run as JSON, with the last state of every body and frame, or coordinate.

#include "cli/method_lists.h"

static void json_methods(trJson *json, const trSimDef *def) {
    tr_json_object(json, "methods");
    tr_json_text(json, "method", def->method);
    tr_json_text(json, "formulation", def->formulation);
    tr_json_text(json, "stabilization", def->stabilization);
    tr_json_text(json, "stage_projection", def->stage_projection);
    tr_json_text(json, "step_projection", def->step_projection);
    tr_json_text(json, "integrator", def->integrator);
    tr_json_close(json);
    tr_json_object(json, "settings");
    tr_json_number(json, "start", def->start);
    tr_json_number(json, "duration", def->duration);
    tr_json_number(json, "step", def->step);
    tr_json_number(json, "rtol", def->rtol);
    tr_json_number(json, "atol", def->atol);
    tr_json_number(json, "min_step", def->min_step);
    tr_json_number(json, "max_step", def->max_step);
    tr_json_number(json, "max_steps", def->max_steps);
    tr_json_number(json, "rank_tolerance", def->rank_tolerance);
    for (const trField *f = tr_sim_def_fields; f->name != NULL; f++) {
        if (tr_is_option(f->name) && tr_sim_def_reads(def, f->name)) {
            tr_setting_value_json(json, def, f);
        }
    }
    tr_json_close(json);
}

static void json_counters(trJson *json, const trSimStats *stats) {
    tr_json_object(json, "counters");
    tr_json_integer(json, "steps", stats->steps);
    tr_json_integer(json, "rejected", stats->rejected);
    tr_json_integer(json, "forced", stats->forced);
    tr_json_integer(json, "evaluations", stats->evaluations);
    tr_json_integer(json, "factorizations", stats->factorizations);
    tr_json_integer(json, "newton_iterations", stats->newton_iterations);
    tr_json_integer(json, "jacobians", stats->jacobians);
    tr_json_integer(json, "solver_iterations", stats->solver_iterations);
    tr_json_integer(json, "renewals", stats->renewals);
    tr_json_array(json, "forced_at");
    for (int i = 0; i < stats->forced_kept; i++) {
        tr_json_number(json, NULL, stats->forced_time[i]);
    }
    tr_json_close(json);
    tr_json_number(json, "smallest_step", stats->smallest_step);
    tr_json_number(json, "largest_step", stats->largest_step);
    tr_json_close(json);
}

// A unit that is not known is null.
static void json_unit(trJson *json, const char *unit) {
    tr_json_text(json, "unit", unit != NULL && unit[0] != '\0' ? unit : NULL);
}

static void json_worst(trJson *json, const char *key, double value, const char *unit,
                       const char *joint) {
    tr_json_object(json, key);
    tr_json_number(json, "value", value);
    tr_json_text(json, "unit", unit);
    tr_json_text(json, "joint", joint);
    tr_json_close(json);
}

#define UNIT_SIZE 128

// A unit of phi as it is at this level, or NULL where it is not known.
static const char *unit_at(const char *unit, const trLevelWords *level, char text[UNIT_SIZE]) {
    if (unit == NULL || unit[0] == '\0') {
        return NULL;
    }
    snprintf(text, UNIT_SIZE, "%s%s", unit, level->per);
    return text;
}

void tr_cli_violation_json(trJson *json, const trLevelWords *level, const trViolation *worst) {
    char text[UNIT_SIZE];
    tr_json_object(json, level->name);
    json_worst(json, "length", worst->length, level->length_unit, worst->length_joint);
    json_worst(json, "angle", worst->angle, level->angle_unit, worst->angle_joint);
    json_worst(json, "other", worst->other, unit_at(worst->other_unit, level, text),
               worst->other_joint);
    tr_json_close(json);
}

static void json_violations(trJson *json, const trSimStats *stats) {
    tr_json_object(json, "violations");
    for (int i = 0; i < TR_LEVEL_COUNT; i++) {
        tr_cli_violation_json(json, &tr_levels[i], tr_level_worst(stats, i));
    }
    tr_json_close(json);
}

static void json_energy(trJson *json, const trSimStats *stats) {
    tr_json_object(json, "energy");
    json_unit(json, stats->energy_unit);
    tr_json_bool(json, "potential_known", stats->potential_known);
    tr_json_number(json, "start", stats->energy_start);
    tr_json_number(json, "kinetic", stats->kinetic);
    tr_json_number(json, "potential", stats->potential);
    tr_json_number(json, "work", stats->work);
    tr_json_number(json, "balance", stats->kinetic + stats->potential - stats->work);
    tr_json_number(json, "drift", stats->energy_drift);
    tr_json_close(json);
}

static void json_stiffness(trJson *json, const trSimStats *stats) {
    tr_json_bool(json, "stiff", stats->stiff);
    tr_json_text(json, "recommended_integrator", stats->stiff_integrator);
}

static void json_rank_changes(trJson *json, const trSimStats *stats) {
    tr_json_integer(json, "rank_change_count", stats->rank_changes);
    tr_json_array(json, "rank_changes");
    for (int i = 0; i < stats->rank_change_kept; i++) {
        const trRankChange *change = &stats->rank_change[i];
        tr_json_object(json, NULL);
        tr_json_number(json, "time", change->time);
        tr_json_integer(json, "from", change->from);
        tr_json_integer(json, "to", change->to);
        tr_json_text(json, "joint", change->joint);
        tr_json_close(json);
    }
    tr_json_close(json);
}

static void json_planar_state(trJson *json, const trBodyState *state) {
    tr_json_number(json, "x", state->x);
    tr_json_number(json, "y", state->y);
    tr_json_number(json, "angle", state->angle);
    tr_json_number(json, "vx", state->vx);
    tr_json_number(json, "vy", state->vy);
    tr_json_number(json, "omega", state->omega);
}

static void json_spatial_state(trJson *json, const trBodyState *state) {
    static const char *const parts[] = {"e0", "e1", "e2", "e3"};
    tr_json_number(json, "x", state->x);
    tr_json_number(json, "y", state->y);
    tr_json_number(json, "z", state->z);
    for (int k = 0; k < 4; k++) {
        tr_json_number(json, parts[k], state->quaternion[k]);
    }
    tr_json_number(json, "vx", state->vx);
    tr_json_number(json, "vy", state->vy);
    tr_json_number(json, "vz", state->vz);
    tr_json_number(json, "wx", state->wx);
    tr_json_number(json, "wy", state->wy);
    tr_json_number(json, "wz", state->wz);
}

// One frame, of a body or of its own: `key` says which, `name` is its name.
static void json_state(trJson *json, int dim, const char *key, const char *name,
                       const trBodyState *state) {
    tr_json_object(json, NULL);
    tr_json_text(json, key, name);
    if (dim == 2) {
        json_planar_state(json, state);
    } else {
        json_spatial_state(json, state);
    }
    tr_json_close(json);
}

static void json_coordinates(trJson *json, const trSummary *summary) {
    const double *q = tr_sim_q(summary->sim), *v = tr_sim_v(summary->sim);
    const double *z = tr_sim_z(summary->sim);
    for (int i = 0; i < tr_system_coordinates(summary->system); i++) {
        tr_json_object(json, NULL);
        tr_json_text(json, "coordinate", tr_system_coordinate_name(summary->system, i));
        json_unit(json, tr_system_coordinate_unit(summary->system, i));
        tr_json_number(json, "q", q[i]);
        tr_json_number(json, "v", v[i]);
        tr_json_close(json);
    }
    for (int i = 0; i < tr_system_states(summary->system); i++) {
        tr_json_object(json, NULL);
        tr_json_text(json, "state", tr_system_state_name(summary->system, i));
        tr_json_number(json, "z", z[i]);
        tr_json_close(json);
    }
}

static void json_states(trJson *json, const trSummary *summary) {
    int dim = tr_system_dim(summary->system);
    tr_json_array(json, "states");
    json_coordinates(json, summary);
    for (int i = 0; i < tr_system_bodies(summary->system); i++) {
        trBodyState state = tr_sim_body(summary->sim, i);
        json_state(json, dim, "body", tr_system_body_name(summary->system, i), &state);
    }
    tr_json_close(json);
    tr_json_array(json, "frames");
    for (int i = 0; i < tr_system_frames(summary->system); i++) {
        trBodyState state = tr_sim_frame(summary->sim, i);
        json_state(json, dim, "frame", tr_system_frame_name(summary->system, i), &state);
    }
    tr_json_close(json);
}

static void json_load(trJson *json, const trSummary *summary, const trReaction *r) {
    tr_json_number(json, "Fx", r->fx);
    tr_json_number(json, "Fy", r->fy);
    if (tr_system_dim(summary->system) == 2) {
        tr_json_number(json, "M", r->moment);
        return;
    }
    tr_json_number(json, "Fz", r->fz);
    tr_json_number(json, "Mx", r->mx);
    tr_json_number(json, "My", r->my);
    tr_json_number(json, "Mz", r->mz);
}

static void json_reactions(trJson *json, const trSummary *summary) {
    tr_json_text(json, "reaction", TR_REACTION_CONVENTION);
    tr_json_array(json, "reactions");
    for (int i = 0; i < tr_system_joints(summary->system); i++) {
        trReaction r;
        if (tr_sim_reaction(summary->sim, i, &r) == TR_OK) {
            tr_json_object(json, NULL);
            tr_json_text(json, "joint", tr_system_joint_name(summary->system, i));
            tr_json_text(json, "on", r.on);
            tr_json_text(json, "by", r.by);
            json_load(json, summary, &r);
            tr_json_text(json, "point", r.point);
            tr_json_text(json, "frame", r.frame);
            tr_json_number(json, "x", r.x);
            tr_json_number(json, "y", r.y);
            if (tr_system_dim(summary->system) == 3) {
                tr_json_number(json, "z", r.z);
            }
            tr_json_close(json);
        }
    }
    tr_json_close(json);
}

static void json_multipliers(trJson *json, const trSummary *summary) {
    tr_json_text(json, "multiplier", TR_MULTIPLIER_CONVENTION);
    tr_json_array(json, "multipliers");
    for (int i = 0; i < tr_system_constraints(summary->system); i++) {
        trMultiplier m;
        if (tr_sim_multiplier(summary->sim, i, &m) == TR_OK) {
            tr_json_object(json, NULL);
            tr_json_text(json, "constraint", tr_system_constraint_name(summary->system, i));
            json_unit(json, m.unit);
            tr_json_array(json, "lambda");
            for (int k = 0; k < m.rows; k++) {
                tr_json_number(json, NULL, m.lambda[k]);
            }
            tr_json_close(json);
            tr_json_close(json);
        }
    }
    tr_json_close(json);
}

static void json_correction(trJson *json, const char *key, const trCorrection *c, bool bodies) {
    tr_json_object(json, key);
    tr_json_number(json, "value", c->value);
    json_unit(json, c->unit);
    tr_json_text(json, bodies ? "body" : "coordinate", c->body);
    tr_json_close(json);
}

static void json_warnings(trJson *json, const trSummary *summary) {
    tr_json_array(json, "warnings");
    for (int i = 0; i < tr_model_warnings(summary->model); i++) {
        tr_json_text(json, NULL, tr_model_warning(summary->model, i));
    }
    for (int i = 0; i < tr_sim_warnings(summary->sim); i++) {
        tr_json_text(json, NULL, tr_sim_warning(summary->sim, i));
    }
    tr_json_close(json);
}

static void json_size(trJson *json, const trSystem *system, const trSimStats *stats) {
    tr_json_integer(json, "dim", tr_system_dim(system));
    tr_json_integer(json, "bodies", tr_system_bodies(system));
    tr_json_integer(json, "joints", tr_system_joints(system));
    tr_json_integer(json, "coordinates", tr_system_coordinates(system));
    tr_json_integer(json, "constraints", tr_system_constraints(system));
    tr_json_integer(json, "further_states", tr_system_states(system));
    tr_json_integer(json, "rows", tr_system_m(system));
    tr_json_integer(json, "degrees_of_freedom", stats->degrees_of_freedom);
    tr_json_integer(json, "redundant_rows", stats->redundant_rows);
}

void tr_summary_json(FILE *file, const trSummary *summary) {
    const trSimStats stats = tr_sim_stats(summary->sim);
    const trSimDef   def = tr_sim_def(summary->sim);
    const bool       bodies = tr_system_dim(summary->system) != 0;
    trJson           json = tr_json_begin(file);

    tr_json_text(&json, "trammel", tr_version());
    tr_json_text(&json, "model", tr_system_name(summary->system));
    tr_json_text(&json, "file", summary->path);
    tr_json_text(&json, "outcome", summary->outcome);
    json_warnings(&json, summary);
    tr_json_number(&json, "time", tr_sim_time(summary->sim));
    json_size(&json, summary->system, &stats);
    tr_cli_branch_json(&json, summary->branch, summary->branch_start);
    json_methods(&json, &def);
    json_counters(&json, &stats);
    json_violations(&json, &stats);
    json_energy(&json, &stats);
    json_correction(&json, "assembly_position", &stats.assembly_position, bodies);
    json_correction(&json, "assembly_velocity", &stats.assembly_velocity, bodies);
    json_stiffness(&json, &stats);
    json_rank_changes(&json, &stats);
    tr_json_number(&json, "cpu_seconds", stats.cpu_seconds);
    json_states(&json, summary);
    json_reactions(&json, summary);
    json_multipliers(&json, summary);
    tr_json_array(&json, "files");
    for (int i = 0; i < 2; i++) {
        if (summary->files[i] != NULL) {
            tr_json_text(&json, NULL, summary->files[i]);
        }
    }
    tr_json_close(&json);
    tr_json_end(&json);
}
