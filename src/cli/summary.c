// SPDX-License-Identifier: MIT
// The summary of a run, for a person. Everything in it comes from tr_sim_stats.

#include <string.h>

#include <math.h>

#include "cli/cli.h"
#include "integrator/integrator.h"

#define ASSEMBLY_WORTH_TELLING 1e-9  // [m or rad]
#define RANK_CHANGES_SHOWN 12
#define FORCED_SHOWN 8
#define REACTIONS_SHOWN 12  // joints of a mechanism whose reactions are printed

const trLevel tr_levels[TR_LEVELS] = {
    {"position", "m", "rad"},
    {"velocity", "m/s", "rad/s"},
    {"acceleration", "m/s^2", "rad/s^2"},
};

const trViolation *tr_level_worst(const trSimStats *stats, int level) {
    const trViolation *const all[TR_LEVELS] = {&stats->position, &stats->velocity,
                                               &stats->acceleration};
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
    const trIntegratorKind *kind = tr_integrator_find(def->integrator);
    fprintf(file, "  %-16s %s", "integrator", def->integrator);
    if (kind->error_order > 0) {
        fprintf(file, ", rtol %g, atol %g\n", def->rtol, def->atol);
    } else if (kind->implicit != NULL) {
        fprintf(file, ", step %g s, rho %g\n", def->step, def->rho);
    } else {
        fprintf(file, ", step %g s\n", def->step);
    }
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
    for (int i = 0; i < TR_LEVELS; i++) {
        const trViolation *worst = tr_level_worst(stats, i);
        fprintf(file, "    %-14s", tr_levels[i].name);
        if (worst->length_joint == NULL && worst->angle_joint == NULL) {
            fprintf(file, " none");
        }
        if (worst->length_joint != NULL) {
            fprintf(file, " %.3g %s at %s", worst->length, tr_levels[i].length_unit,
                    worst->length_joint);
        }
        if (worst->angle_joint != NULL) {
            fprintf(file, "%s%.3g %s at %s", worst->length_joint != NULL ? ", " : " ", worst->angle,
                    tr_levels[i].angle_unit, worst->angle_joint);
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

// What rounding leaves beside the largest part of a load is nothing.
#define NOISE 1e-13

static double largest_part(const trReaction *r) {
    const double part[] = {r->fx, r->fy, r->fz, r->mx, r->my, r->mz};
    double       most = 0.0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        most = fmax(most, fabs(part[i]));
    }
    return most;
}

static void print_vector(FILE *file, const char *name, const double part[3], double scale) {
    fprintf(file, "%s (", name);
    for (int i = 0; i < 3; i++) {
        bool noise = fabs(part[i]) < NOISE * scale;
        fprintf(file, "%s%.6g", i > 0 ? ", " : "", noise ? 0.0 : part[i]);
    }
    fputc(')', file);
}

static void print_reaction(FILE *file, const trSummary *summary, int joint, const trReaction *r) {
    const double F[] = {r->fx, r->fy, r->fz}, M[] = {r->mx, r->my, r->mz};
    int          dim = tr_system_dim(summary->system);
    fprintf(file, "    %-14s ", tr_system_joint_name(summary->system, joint));
    if (dim == 2) {
        fprintf(file, "Fx %.6g, Fy %.6g, M %.6g", r->fx, r->fy, r->moment);
    } else {
        print_vector(file, "F", F, largest_part(r));
        print_vector(file, ", M", M, largest_part(r));
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
