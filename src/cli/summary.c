// SPDX-License-Identifier: MIT
// The summary of a run, for a person. Everything in it comes from tr_sim_stats.

#include <string.h>

#include <math.h>

#include "cli/method_lists.h"
#include "integrator/integrator.h"

#define ASSEMBLY_WORTH_TELLING 1e-9  // [m or rad]
#define RANK_CHANGES_SHOWN 12
#define FORCED_SHOWN 8
#define REACTIONS_SHOWN 12  // joints whose reactions, constraints whose multipliers are printed

const trLevelWords tr_levels[TR_LEVEL_COUNT] = {
    {"position", "m", "rad", ""},
    {"velocity", "m/s", "rad/s", "/s"},
    {"acceleration", "m/s^2", "rad/s^2", "/s^2"},
};

const trViolation *tr_level_worst(const trSimStats *stats, int level) {
    const trViolation *const all[TR_LEVEL_COUNT] = {&stats->position, &stats->velocity,
                                                    &stats->acceleration};
    return all[level];
}

static const char *or_none(const char *text) {
    return text != NULL ? text : "none";
}

static const char *plural(long count) {
    return count == 1 ? "" : "s";
}

// Options that the choices read, of the integrator or of the others, each as ", alpha 5 1/s".
static int print_options(FILE *file, const trSimDef *def, bool of_integrator, const char *before) {
    int said = 0;
    for (const trField *f = tr_sim_def_fields; f->name != NULL; f++) {
        char text[TR_SETTING_TEXT];
        if (tr_is_option(f->name) && tr_sim_def_reads(def, f->name) &&
            tr_setting_is_of_integrator(f->name) == of_integrator) {
            fprintf(file, "%s%s %s", said > 0 || of_integrator ? ", " : before, f->name,
                    tr_setting_text(def, f, text));
            said++;
        }
    }
    return said;
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
    if (print_options(file, def, false, "  options          ") > 0) {
        fputc('\n', file);
    }
    fprintf(file, "  %-16s %s", "integrator", def->integrator);
    if (tr_integrator_adapts(tr_integrator_find(def->integrator), def->step)) {
        fprintf(file, ", rtol %g, atol %g", def->rtol, def->atol);
    } else {
        fprintf(file, ", step %g s", def->step);
    }
    print_options(file, def, true, "");
    fputc('\n', file);
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
    fprintf(file, "  %-16s %lld evaluations, %lld factorizations, %lld Newton iterations", "work",
            (long long)stats->evaluations, (long long)stats->factorizations,
            (long long)stats->newton_iterations);
    if (stats->jacobians > 0) {
        fprintf(file, ", %lld Jacobians", (long long)stats->jacobians);
    }
    if (stats->solver_iterations > 0) {
        fprintf(file, ", %lld iterations of the formulation", (long long)stats->solver_iterations);
    }
    if (stats->renewals > 0) {
        fprintf(file, ", %lld renewals of basis or partition", (long long)stats->renewals);
    }
    fputc('\n', file);
}

// " 0.5 m/s": a number with its unit, if that is known, and what follows the unit.
static void print_amount(FILE *file, const char *format, double value, const char *unit,
                         const char *per) {
    fputc(' ', file);
    fprintf(file, format, value);
    if (unit != NULL && unit[0] != '\0') {
        fprintf(file, " %s%s", unit, per);
    }
}

void tr_cli_violation(FILE *file, const trLevelWords *level, const trViolation *worst) {
    const char *joint[] = {worst->length_joint, worst->angle_joint, worst->other_joint};
    const char *unit[] = {level->length_unit, level->angle_unit, worst->other_unit};
    double      value[] = {worst->length, worst->angle, worst->other};
    const char *before = "";
    fprintf(file, "    %-14s", level->name);
    for (int k = 0; k < 3; k++) {
        if (joint[k] != NULL) {
            fputs(before, file);
            print_amount(file, "%.3g", value[k], unit[k], k == 2 ? level->per : "");
            fprintf(file, " at %s", joint[k]);
            before = ",";
        }
    }
    fputs(before[0] == '\0' ? " none\n" : "\n", file);
}

static void print_violations(FILE *file, const trSimStats *stats) {
    fprintf(file, "  worst violation\n");
    for (int i = 0; i < TR_LEVEL_COUNT; i++) {
        tr_cli_violation(file, &tr_levels[i], tr_level_worst(stats, i));
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

void tr_cli_reaction(FILE *file, int dim, const char *joint, const trReaction *r) {
    const double F[] = {r->fx, r->fy, r->fz}, M[] = {r->mx, r->my, r->mz};
    fprintf(file, "    %-14s ", joint);
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
            tr_cli_reaction(file, tr_system_dim(summary->system),
                            tr_system_joint_name(summary->system, i), &r);
        }
    }
}

// The same of constraints of the user's own.
static void print_multipliers(FILE *file, const trSummary *summary) {
    int constraints = tr_system_constraints(summary->system);
    if (constraints > 0 && constraints <= REACTIONS_SHOWN) {
        fprintf(file, "  multipliers at the end (%s)\n", TR_MULTIPLIER_CONVENTION);
    }
    for (int i = 0; constraints <= REACTIONS_SHOWN && i < constraints; i++) {
        trMultiplier m;
        if (tr_sim_multiplier(summary->sim, i, &m) != TR_OK) {
            continue;
        }
        fprintf(file, "    %-14s", tr_system_constraint_name(summary->system, i));
        for (int k = 0; k < m.rows; k++) {
            fputs(k > 0 ? "," : "", file);
            print_amount(file, "%.6g", m.lambda[k], k == m.rows - 1 ? m.unit : NULL, "");
        }
        fputc('\n', file);
    }
}

// What the constraints made of the initial state that the model gave.
static void print_correction(FILE *file, const trSummary *summary, const char *of, const char *what,
                             const trCorrection *c) {
    if (c->value > ASSEMBLY_WORTH_TELLING) {
        bool own = tr_system_constraints(summary->system) > 0;
        fprintf(file, "  %-16s %s%s was %s by", "assembly", of, c->body, what);
        print_amount(file, "%.3g", c->value, c->unit, "");
        fprintf(file, " to satisfy the %s at the start\n", own ? "constraints" : "joints");
    }
}

static void print_corrections(FILE *file, const trSummary *summary, const trSimStats *stats) {
    bool bodies = tr_system_dim(summary->system) != 0;
    print_correction(file, summary, "", bodies ? "moved" : "changed", &stats->assembly_position);
    print_correction(file, summary, bodies ? "" : "the velocity of ",
                     bodies ? "changed in speed" : "changed", &stats->assembly_velocity);
}

// "2 bodies, 1 joint, ", or "2 coordinates, 1 constraint, 1 further state, ".
static void print_parts(FILE *file, const trSystem *system) {
    int bodies = tr_system_bodies(system), joints = tr_system_joints(system);
    int constraints = tr_system_constraints(system), states = tr_system_states(system);
    if (tr_system_dim(system) == 0) {
        int coordinates = tr_system_coordinates(system);
        fprintf(file, "  %-16s %d coordinate%s, ", "system", coordinates, plural(coordinates));
    } else {
        fprintf(file, "  %-16s %d bod%s, %d joint%s, ", "mechanism", bodies,
                bodies == 1 ? "y" : "ies", joints, plural(joints));
    }
    if (constraints > 0 || tr_system_dim(system) == 0) {
        fprintf(file, "%d constraint%s, ", constraints, plural(constraints));
    }
    if (states > 0) {
        fprintf(file, "%d further state%s, ", states, plural(states));
    }
}

static void print_size(FILE *file, const trSystem *system, const trSimStats *stats) {
    print_parts(file, system);
    fprintf(file, "%d degree%s of freedom, %d redundant row%s\n", stats->degrees_of_freedom,
            plural(stats->degrees_of_freedom), stats->redundant_rows,
            plural(stats->redundant_rows));
}

// Equations of the user's own: W is told, for only it shows whether forces and energy belong
// together. Without a potential the balance is T - W, and W is all there is.
static void print_energy(FILE *file, const trSimStats *stats, bool equations) {
    const char *unit = stats->energy_unit;
    fprintf(file, "  %-16s", "energy");
    print_amount(file, "%.9g", stats->energy_start, unit, "");
    fputs(" at the start, drift", file);
    print_amount(file, "%.3g", stats->energy_drift, unit, "");
    fputc('\n', file);
    if (equations) {
        fprintf(file, "  %-16s %s W =", "",
                stats->potential_known
                    ? "this is T + V - W; work of forces that are not in V, C and drives"
                    : "this is T - W, as there is no s:energy; work of all forces");
        print_amount(file, "%.9g", stats->work, unit, "");
        fputc('\n', file);
    }
}

void tr_summary_print(FILE *file, const trSummary *summary) {
    const trSimStats stats = tr_sim_stats(summary->sim);
    const trSimDef   def = tr_sim_def(summary->sim);

    // "failed: why" is split: the word stands in the heading, the reason in a line below it.
    const char *colon = strchr(summary->outcome, ':');
    const int   word = (int)strcspn(summary->outcome, ":");
    fprintf(file, "%s: %.*s at t = %g s\n\n", or_none(tr_system_name(summary->system)), word,
            summary->outcome, tr_sim_time(summary->sim));
    if (colon != NULL) {
        fprintf(file, "  %-16s%s\n", "reason", colon + 1);
    }
    for (int i = 0; i < tr_sim_warnings(summary->sim); i++) {
        fprintf(file, "  %-16s %s\n", "warning", tr_sim_warning(summary->sim, i));
    }
    print_size(file, summary->system, &stats);
    tr_cli_branch_print(file, summary->branch, summary->branch_start);
    print_methods(file, &def);
    print_work(file, &stats);
    print_violations(file, &stats);
    print_reactions(file, summary);
    print_multipliers(file, summary);
    print_energy(file, &stats, tr_system_dim(summary->system) == 0);
    print_corrections(file, summary, &stats);
    print_rank_changes(file, &stats);
    fprintf(file, "  %-16s %.3g s\n", "cpu time", stats.cpu_seconds);
    for (int i = 0; i < 2; i++) {
        if (summary->files[i] != NULL) {
            fprintf(file, "  %-16s %s\n", "written", summary->files[i]);
        }
    }
}
