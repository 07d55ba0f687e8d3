// SPDX-License-Identifier: MIT
// The summary of a run, for a person and as JSON. Everything in it comes from tr_sim_stats.

#include <string.h>

#include "cli/cli.h"

#define ASSEMBLY_WORTH_TELLING 1e-9  // [m or rad]
#define RANK_CHANGES_SHOWN 12
#define FORCED_SHOWN 8
#define REACTIONS_SHOWN 12  // joints of a mechanism whose reactions are printed

// The three levels, each with the units of its lengths and angles.
typedef struct Level {
    const char *name, *length_unit, *angle_unit;
} Level;

static const Level levels[] = {
    {"position", "m", "rad"},
    {"velocity", "m/s", "rad/s"},
    {"acceleration", "m/s^2", "rad/s^2"},
};

#define LEVELS ((int)(sizeof levels / sizeof *levels))

static const trViolation *violation_at(const trSimStats *stats, int level) {
    const trViolation *const all[] = {&stats->position, &stats->velocity, &stats->acceleration};
    return all[level];
}

static const char *or_none(const char *text) {
    return text != NULL ? text : "none";
}

static const char *plural(long count) {
    return count == 1 ? "" : "s";
}

static void print_methods(FILE *file, const trSimDef *def) {
    fprintf(file, "  %-16s ", "method");
    if (def->method != NULL) {
        fprintf(file, "%s: ", def->method);
    }
    fprintf(file, "formulation %s, stabilization %s,\n", or_none(def->formulation),
            or_none(def->stabilization));
    fprintf(file, "  %-16s projection of stages %s, of steps %s\n", "",
            or_none(def->stage_projection), or_none(def->step_projection));
    fprintf(file, "  %-16s %s", "integrator", or_none(def->integrator));
    fprintf(file, ", rtol %g, atol %g\n", def->rtol, def->atol);
}

static void print_forced(FILE *file, const trSimStats *stats) {
    int shown = stats->forced_kept < FORCED_SHOWN ? stats->forced_kept : FORCED_SHOWN;
    for (int i = 0; i < shown; i++) {
        fprintf(file, "%s%.6g", i == 0 ? "    forced at t = " : ", ", stats->forced_time[i]);
    }
    if (shown > 0) {
        fprintf(file, " s%s\n", shown < stats->forced ? " and later" : "");
    }
}

static void print_work(FILE *file, const trSimStats *stats) {
    fprintf(file, "  %-16s %lld (%lld rejected, %lld forced)", "steps", (long long)stats->steps,
            (long long)stats->rejected, (long long)stats->forced);
    if (stats->steps > 0) {
        fprintf(file, ", from %.3g s to %.3g s", stats->smallest_step, stats->largest_step);
    }
    fputc('\n', file);
    print_forced(file, stats);
    fprintf(file, "  %-16s %lld evaluations, %lld factorizations, %lld Newton iterations\n", "work",
            (long long)stats->evaluations, (long long)stats->factorizations,
            (long long)stats->newton_iterations);
}

static void print_violations(FILE *file, const trSimStats *stats) {
    fprintf(file, "  worst violation\n");
    for (int i = 0; i < LEVELS; i++) {
        const trViolation *worst = violation_at(stats, i);
        fprintf(file, "    %-14s", levels[i].name);
        if (worst->length_joint == NULL && worst->angle_joint == NULL) {
            fprintf(file, " none");
        }
        if (worst->length_joint != NULL) {
            fprintf(file, " %.3g %s at %s", worst->length, levels[i].length_unit,
                    worst->length_joint);
        }
        if (worst->angle_joint != NULL) {
            fprintf(file, "%s%.3g %s at %s", worst->length_joint != NULL ? ", " : " ", worst->angle,
                    levels[i].angle_unit, worst->angle_joint);
        }
        fputc('\n', file);
    }
}

static void print_rank_changes(FILE *file, const trSimStats *stats) {
    int shown = stats->rank_change_kept;
    if (shown > RANK_CHANGES_SHOWN) {
        shown = RANK_CHANGES_SHOWN;
    }
    fprintf(file, "  %-16s %d\n", "rank changes", stats->rank_changes);
    for (int i = 0; i < shown; i++) {
        const trRankChange *change = &stats->rank_change[i];
        fprintf(file, "    t = %.6g s: from %d to %d independent rows, at %s\n", change->time,
                change->from, change->to, or_none(change->joint));
    }
    if (shown < stats->rank_changes) {
        fprintf(file, "    and %d more\n", stats->rank_changes - shown);
    }
}

// Where the reaction is given: at a point of the joint, or in a frame that the model names.
static void print_place(FILE *file, int dim, const trReaction *r) {
    if (r->frame != NULL) {
        fprintf(file, "in the axes of frame %s at (%.6g, %.6g", r->frame, r->x, r->y);
    } else {
        fprintf(file, "at %s (%.6g, %.6g", r->point, r->x, r->y);
    }
    if (dim == 3) {
        fprintf(file, ", %.6g", r->z);
    }
    fputs(") m\n", file);
}

static void print_reaction(FILE *file, const trSummary *summary, int joint, const trReaction *r) {
    int dim = tr_system_dim(summary->system);
    fprintf(file, "    %-14s ", tr_system_joint_name(summary->system, joint));
    if (dim == 2) {
        fprintf(file, "Fx %.6g, Fy %.6g, M %.6g", r->fx, r->fy, r->moment);
    } else {
        fprintf(file, "F (%.6g, %.6g, %.6g), M (%.6g, %.6g, %.6g)", r->fx, r->fy, r->fz, r->mx,
                r->my, r->mz);
    }
    fprintf(file, " on %s by %s, ", r->on, r->by);
    print_place(file, dim, r);
}

// At the end of the run; where there are many, the result files have them all.
static void print_reactions(FILE *file, const trSummary *summary) {
    int joints = tr_system_joints(summary->system);
    if (joints > 0 && joints <= REACTIONS_SHOWN) {
        fprintf(file, "  reactions at the end (%s)\n", TR_REACTION_CONVENTION);
    }
    for (int i = 0; joints <= REACTIONS_SHOWN && i < joints; i++) {
        trReaction r;
        if (tr_sim_reaction(summary->sim, i, &r) == TR_OK) {
            print_reaction(file, summary, i, &r);
        }
    }
}

// What the joints made of the initial state that the model gave.
static void print_correction(FILE *file, const char *what, const trCorrection *c) {
    if (c->value > ASSEMBLY_WORTH_TELLING) {
        fprintf(file, "  %-16s %s was %s by %.3g %s to satisfy the joints at the start\n",
                "assembly", c->body, what, c->value, c->unit);
    }
}

void tr_summary_print(FILE *file, const trSummary *summary) {
    const trSimStats stats = tr_sim_stats(summary->sim);
    const trSimDef   def = tr_sim_def(summary->sim);
    const int        bodies = tr_system_bodies(summary->system),
              joints = tr_system_joints(summary->system);

    // "failed: why" is split: the word stands in the heading, the reason in a line below it.
    const char *colon = strchr(summary->outcome, ':');
    const int   word = (int)strcspn(summary->outcome, ":");
    fprintf(file, "%s: %.*s at t = %g s\n\n", or_none(tr_system_name(summary->system)), word,
            summary->outcome, tr_sim_time(summary->sim));
    if (colon != NULL) {
        fprintf(file, "  %-16s%s\n", "reason", colon + 1);
    }
    fprintf(file, "  %-16s %d bod%s, %d joint%s, %d degree%s of freedom, %d redundant row%s\n",
            "mechanism", bodies, bodies == 1 ? "y" : "ies", joints, plural(joints),
            stats.degrees_of_freedom, plural(stats.degrees_of_freedom), stats.redundant_rows,
            plural(stats.redundant_rows));
    print_methods(file, &def);
    print_work(file, &stats);
    print_violations(file, &stats);
    print_reactions(file, summary);
    fprintf(file, "  %-16s %.9g J at the start, drift %.3g J\n", "energy", stats.energy_start,
            stats.energy_drift);
    print_correction(file, "moved", &stats.assembly_position);
    print_correction(file, "changed in speed", &stats.assembly_velocity);
    print_rank_changes(file, &stats);
    fprintf(file, "  %-16s %.3g s\n", "cpu time", stats.cpu_seconds);
    for (int i = 0; i < 2; i++) {
        if (summary->files[i] != NULL) {
            fprintf(file, "  %-16s %s\n", "written", summary->files[i]);
        }
    }
}

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
    tr_json_number(json, "alpha", def->alpha);
    tr_json_number(json, "beta", def->beta);
    tr_json_number(json, "rank_tolerance", def->rank_tolerance);
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
    tr_json_array(json, "forced_at");
    for (int i = 0; i < stats->forced_kept; i++) {
        tr_json_number(json, NULL, stats->forced_time[i]);
    }
    tr_json_close(json);
    tr_json_number(json, "smallest_step", stats->smallest_step);
    tr_json_number(json, "largest_step", stats->largest_step);
    tr_json_close(json);
}

static void json_worst(trJson *json, const char *key, double value, const char *unit,
                       const char *joint) {
    tr_json_object(json, key);
    tr_json_number(json, "value", value);
    tr_json_text(json, "unit", unit);
    tr_json_text(json, "joint", joint);
    tr_json_close(json);
}

static void json_violations(trJson *json, const trSimStats *stats) {
    tr_json_object(json, "violations");
    for (int i = 0; i < LEVELS; i++) {
        const trViolation *worst = violation_at(stats, i);
        tr_json_object(json, levels[i].name);
        json_worst(json, "length", worst->length, levels[i].length_unit, worst->length_joint);
        json_worst(json, "angle", worst->angle, levels[i].angle_unit, worst->angle_joint);
        tr_json_close(json);
    }
    tr_json_close(json);
}

static void json_energy(trJson *json, const trSimStats *stats) {
    tr_json_object(json, "energy");
    tr_json_text(json, "unit", "J");
    tr_json_number(json, "start", stats->energy_start);
    tr_json_number(json, "kinetic", stats->kinetic);
    tr_json_number(json, "potential", stats->potential);
    tr_json_number(json, "work", stats->work);
    tr_json_number(json, "balance", stats->kinetic + stats->potential - stats->work);
    tr_json_number(json, "drift", stats->energy_drift);
    tr_json_close(json);
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

static void json_states(trJson *json, const trSummary *summary) {
    tr_json_array(json, "states");
    for (int i = 0; i < tr_system_bodies(summary->system); i++) {
        trBodyState state = tr_sim_body(summary->sim, i);
        tr_json_object(json, NULL);
        tr_json_text(json, "body", tr_system_body_name(summary->system, i));
        if (tr_system_dim(summary->system) == 2) {
            json_planar_state(json, &state);
        } else {
            json_spatial_state(json, &state);
        }
        tr_json_close(json);
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

static void json_correction(trJson *json, const char *key, const trCorrection *c) {
    tr_json_object(json, key);
    tr_json_number(json, "value", c->value);
    tr_json_text(json, "unit", c->unit);
    tr_json_text(json, "body", c->body);
    tr_json_close(json);
}

void tr_summary_json(FILE *file, const trSummary *summary) {
    const trSimStats stats = tr_sim_stats(summary->sim);
    const trSimDef   def = tr_sim_def(summary->sim);
    trJson           json = tr_json_begin(file);

    tr_json_text(&json, "trammel", tr_version());
    tr_json_text(&json, "model", tr_system_name(summary->system));
    tr_json_text(&json, "file", summary->path);
    tr_json_text(&json, "outcome", summary->outcome);
    tr_json_number(&json, "time", tr_sim_time(summary->sim));
    tr_json_integer(&json, "bodies", tr_system_bodies(summary->system));
    tr_json_integer(&json, "joints", tr_system_joints(summary->system));
    tr_json_integer(&json, "rows", tr_system_m(summary->system));
    tr_json_integer(&json, "degrees_of_freedom", stats.degrees_of_freedom);
    tr_json_integer(&json, "redundant_rows", stats.redundant_rows);
    json_methods(&json, &def);
    json_counters(&json, &stats);
    json_violations(&json, &stats);
    json_energy(&json, &stats);
    json_correction(&json, "assembly_position", &stats.assembly_position);
    json_correction(&json, "assembly_velocity", &stats.assembly_velocity);
    json_rank_changes(&json, &stats);
    tr_json_number(&json, "cpu_seconds", stats.cpu_seconds);
    json_states(&json, summary);
    json_reactions(&json, summary);
    tr_json_array(&json, "files");
    for (int i = 0; i < 2; i++) {
        if (summary->files[i] != NULL) {
            tr_json_text(&json, NULL, summary->files[i]);
        }
    }
    tr_json_close(&json);
    tr_json_end(&json);
}
