// SPDX-License-Identifier: MIT
// What `trammel glue` says: modules and ports, and the summary of a run, in words and as JSON.

#include <string.h>

#include "cli/glue_mpi.h"
#include "cli/glue_parts.h"
#include "glue/glue.h"

#define REACTIONS_SHOWN 12  // joints whose reactions are printed

static const char *plural(int64_t count) {
    return count == 1 ? "" : "s";
}

static void print_takes(FILE *file, unsigned takes) {
    static const struct {
        unsigned    bit;
        const char *words;
    } levels[] = {{TR_TAKES_POSITION, "positions, "},
                  {TR_TAKES_VELOCITY, "velocities, "},
                  {TR_TAKES_ACCELERATION, "accelerations, "}};
    bool alone = true;
    fputs(", takes ", file);
    for (int i = 0; i < 3; i++) {
        if ((takes & levels[i].bit) != 0) {
            fputs(levels[i].words, file);
            alone = false;
        }
    }
    fputs(alone ? "forces alone\n" : "forces\n", file);
}

// Whether a joint has rows that no module can be put on at this level. Rows that loads do not move
// either hold by themselves, or not at all.
static bool is_loose(const trGlue *glue, int joint, bool position) {
    const bool *held = position ? glue->it.held_position : glue->it.held_velocity;
    for (int i = 0; i < glue->it.m; i++) {
        if (glue->it.system->row_joint[i] == joint && !held[i] &&
            (glue->it.nominal[i] > 0.0 || i == tr_glue_open_row(glue))) {
            return true;
        }
    }
    return false;
}

// --- modules ---

static void print_list(FILE *file, const char *title, int count, const char *const *name,
                       const char *const *unit) {
    fprintf(file, "      %-12s ", title);
    for (int i = 0; i < count; i++) {
        fprintf(file, "%s%s", i == 0 ? "" : ", ", name[i]);
        if (unit != NULL && unit[i] != NULL && unit[i][0] != '\0') {
            fprintf(file, " [%s]", unit[i]);
        }
    }
    fputs(count == 0 ? "none\n" : "\n", file);
}

static void print_module(FILE *file, const trModuleUse *use, const trModuleFace *face,
                         const char *about, bool full) {
    fprintf(file, "    %-14s %s %s, %d port%s", use->name, tr_module_source_name(use->source),
            use->path, face->ports, plural(face->ports));
    print_takes(file, face->takes);
    if (about[0] != '\0') {
        fprintf(file, "    %-14s %s\n", "", about);
    }
    if (full) {
        print_list(file, "ports", face->ports, face->port_name, NULL);
        print_list(file, "outputs", face->outputs, face->output_name, face->output_unit);
        print_list(file, "arguments", use->arguments, use->argument, NULL);
        fprintf(file, "      %-12s %s\n", "state",
                face->state_size > 0 ? "can be saved" : "cannot be saved");
    }
}

static void print_modules(FILE *file, const trGlued *g, bool full) {
    fprintf(file, "  %-16s %d, %s\n", "modules", g->assembly.modules,
            tr_cli_under_mpirun() ? "each in a process of its own, over MPI"
                                  : "in this process, where one that hangs cannot be detected");
    for (int i = 0; i < g->assembly.modules; i++) {
        print_module(file, &g->assembly.module[i], &g->carrier->face[i], g->glue->exchange[i].about,
                     full);
    }
}

static void print_joints(FILE *file, const trGlued *g) {
    const trSystem *ports = g->ports;
    int             redundant = tr_glue_stats(g->glue).redundant_rows;
    fprintf(file, "  %-16s %d, %d redundant row%s at the start\n", "joints", ports->joints,
            redundant, plural(redundant));
    for (int j = 0; j < ports->joints; j++) {
        const trJoint *joint = &ports->joint[j];
        bool position = is_loose(g->glue, j, true), velocity = is_loose(g->glue, j, false);
        fprintf(file, "    %-14s %s, %s to %s%s\n", joint->name, joint->kind->name,
                joint->body1 == TR_GROUND ? "ground" : ports->body[joint->body1].name,
                joint->body2 == TR_GROUND ? "ground" : ports->body[joint->body2].name,
                position && velocity ? "; held by forces alone"
                : position           ? "; positions are not held"
                : velocity           ? "; velocities are not held"
                                     : "");
    }
}

void tr_glued_print_modules(FILE *file, const trGlued *g) {
    fprintf(file, "%s: put together at t = %g s\n\n", g->assembly.name, tr_glue_time(g->glue));
    print_modules(file, g, true);
    print_joints(file, g);
}

// --- the summary ---

static void print_method(FILE *file, const trGlueDef *def, double h, const trGlueStats *s) {
    fprintf(file, "  %-16s %s, scheme %s, step %g s, tolerance %g\n", "gluing", def->gluing,
            def->scheme, h, def->tolerance);
    fprintf(file, "  %-16s %lld", "steps", (long long)s->steps);
    if (s->steps > 0) {
        fprintf(file, ", with %.3g iterations on average, %d at most",
                (double)s->iterations / (double)s->steps, s->max_iterations);
        fprintf(file, "\n  %-16s %.4g messages and %.4g bytes in a step", "traffic",
                (double)s->messages / (double)s->steps, (double)s->bytes / (double)s->steps);
    }
    fputc('\n', file);
}

static bool any_loose(const trGlued *g, bool position) {
    bool loose = false;
    for (int j = 0; j < g->ports->joints; j++) {
        loose = loose || is_loose(g->glue, j, position);
    }
    return loose;
}

static void print_violations(FILE *file, const trGlued *g, const trGlueStats *s) {
    const trViolation *const held[] = {&s->position, &s->velocity, &s->acceleration};
    const trViolation *const loose[] = {&s->loose_position, &s->loose_velocity};
    fputs("  worst violation of joints\n", file);
    for (int i = 0; i < TR_LEVEL_COUNT; i++) {
        tr_cli_violation(file, &tr_levels[i], held[i]);
    }
    if (any_loose(g, true) || any_loose(g, false)) {
        fputs("  and of those between modules that take forces alone, which drift\n", file);
    }
    for (int i = 0; i < 2; i++) {
        if (any_loose(g, i == 0)) {
            tr_cli_violation(file, &tr_levels[i], loose[i]);
        }
    }
    fprintf(file, "  %-16s %.3g, relative, in the equations of the modules\n", "worst residual",
            s->dynamic);
}

static void print_reactions(FILE *file, const trGlued *g) {
    int joints = g->ports->joints;
    if (joints == 0 || joints > REACTIONS_SHOWN) {
        return;
    }
    fprintf(file, "  reactions at the end (%s)\n", TR_REACTION_CONVENTION);
    for (int j = 0; j < joints; j++) {
        trReaction r;
        if (tr_glue_reaction(g->glue, j, &r) == TR_OK) {
            tr_cli_reaction(file, g->ports->space->dim, g->ports->joint[j].name, &r);
        }
    }
}

void tr_glued_print(FILE *file, const trGlued *g) {
    const trGlueStats s = tr_glue_stats(g->glue);
    const char       *colon = strchr(g->outcome, ':');
    fprintf(file, "%s: %.*s at t = %g s\n\n", g->assembly.name, (int)strcspn(g->outcome, ":"),
            g->outcome, tr_glue_time(g->glue));
    if (colon != NULL) {
        fprintf(file, "  %-16s%s\n", "reason", colon + 1);
    }
    print_modules(file, g, false);
    print_joints(file, g);
    print_method(file, &g->assembly.def, g->glue->h, &s);
    print_violations(file, g, &s);
    if (strcmp(g->outcome, "done") == 0) {
        print_reactions(file, g);
    }
    for (int i = 0; i < 2; i++) {
        if (g->files[i] != NULL) {
            fprintf(file, "  %-16s %s\n", "written", g->files[i]);
        }
    }
}

// --- JSON ---

static void texts_json(trJson *json, const char *key, int count, const char *const *text) {
    tr_json_array(json, key);
    for (int i = 0; i < count; i++) {
        tr_json_text(json, NULL, text[i]);
    }
    tr_json_close(json);
}

static void modules_json(trJson *json, const trGlued *g) {
    tr_json_array(json, "modules");
    for (int i = 0; i < g->assembly.modules; i++) {
        const trModuleUse  *use = &g->assembly.module[i];
        const trModuleFace *face = &g->carrier->face[i];
        tr_json_object(json, NULL);
        tr_json_text(json, "name", use->name);
        tr_json_text(json, "source", tr_module_source_name(use->source));
        tr_json_text(json, "path", use->path);
        tr_json_bool(json, "takes_positions", (face->takes & TR_TAKES_POSITION) != 0);
        tr_json_bool(json, "takes_velocities", (face->takes & TR_TAKES_VELOCITY) != 0);
        tr_json_bool(json, "takes_accelerations", (face->takes & TR_TAKES_ACCELERATION) != 0);
        tr_json_bool(json, "saves", face->state_size > 0);
        tr_json_text(json, "about", g->glue->exchange[i].about);
        texts_json(json, "arguments", use->arguments, use->argument);
        texts_json(json, "ports", face->ports, face->port_name);
        texts_json(json, "outputs", face->outputs, face->output_name);
        tr_json_close(json);
    }
    tr_json_close(json);
}

static void reaction_json(trJson *json, const trGlued *g, int joint) {
    trReaction r;
    if (tr_glue_reaction(g->glue, joint, &r) != TR_OK) {
        return;
    }
    tr_json_object(json, "reaction");
    const char *const name[] = {"fx", "fy", "fz", "mx", "my", "mz", "x", "y", "z"};
    const double      value[] = {r.fx, r.fy, r.fz, r.mx, r.my, r.mz, r.x, r.y, r.z};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        tr_json_number(json, name[i], value[i]);
    }
    tr_json_text(json, "on", r.on);
    tr_json_text(json, "by", r.by);
    tr_json_close(json);
}

static void joints_json(trJson *json, const trGlued *g) {
    tr_json_array(json, "joints");
    for (int j = 0; j < g->ports->joints; j++) {
        const trJoint *joint = &g->ports->joint[j];
        tr_json_object(json, NULL);
        tr_json_text(json, "name", joint->name);
        tr_json_text(json, "kind", joint->kind->name);
        tr_json_bool(json, "holds_positions", !is_loose(g->glue, j, true));
        tr_json_bool(json, "holds_velocities", !is_loose(g->glue, j, false));
        reaction_json(json, g, j);
        tr_json_close(json);
    }
    tr_json_close(json);
}

static trJson begin_json(FILE *file, const trGlued *g) {
    trJson json = tr_json_begin(file);
    tr_json_text(&json, "assembly", g->assembly.name);
    tr_json_text(&json, "file", g->request->file.path);
    tr_json_number(&json, "t", tr_glue_time(g->glue));
    modules_json(&json, g);
    joints_json(&json, g);
    return json;
}

void tr_glued_modules_json(FILE *file, const trGlued *g) {
    trJson json = begin_json(file, g);
    tr_json_end(&json);
}

void tr_glued_json(FILE *file, const trGlued *g) {
    const trGlueStats        s = tr_glue_stats(g->glue);
    const trViolation *const worst[] = {&s.position, &s.velocity, &s.acceleration,
                                        &s.loose_position, &s.loose_velocity};
    trJson                   json = begin_json(file, g);
    tr_json_text(&json, "outcome", g->outcome);
    tr_json_text(&json, "gluing", g->assembly.def.gluing);
    tr_json_text(&json, "scheme", g->assembly.def.scheme);
    tr_json_number(&json, "max_steps", g->assembly.def.max_steps);
    tr_json_integer(&json, "steps", s.steps);
    tr_json_integer(&json, "iterations", s.iterations);
    tr_json_integer(&json, "max_iterations", s.max_iterations);
    tr_json_integer(&json, "messages", s.messages);
    tr_json_integer(&json, "bytes", s.bytes);
    tr_json_integer(&json, "redundant_rows", s.redundant_rows);
    tr_json_number(&json, "dynamic_residual", s.dynamic);
    for (int loose = 0; loose < 2; loose++) {
        tr_json_object(&json, loose ? "loose_violations" : "violations");
        for (int i = 0; i < (loose ? 2 : TR_LEVEL_COUNT); i++) {
            tr_cli_violation_json(&json, &tr_levels[i], worst[TR_LEVEL_COUNT * loose + i]);
        }
        tr_json_close(&json);
    }
    tr_json_array(&json, "written");
    for (int i = 0; i < 2; i++) {
        if (g->files[i] != NULL) {
            tr_json_text(&json, NULL, g->files[i]);
        }
    }
    tr_json_close(&json);
    tr_json_end(&json);
}
