// SPDX-License-Identifier: MIT
#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "report/mechanics.h"

#define REACTIONS_SHOWN 8  // joints

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

static bool any_loose(const trGlueReport *g, bool position) {
    bool loose = false;
    for (int j = 0; j < g->ports->joints; j++) {
        loose = loose || is_loose(g->glue, j, position);
    }
    return loose;
}

static void add_heading(trReport *r, const trGlueReport *g) {
    const char *outcome = g->outcome != NULL ? g->outcome : "coupled";
    const char *colon = strchr(outcome, ':');
    tr_report_note(r, NULL, "%s: %.*s at t = %g s\n", g->assembly->name, (int)strcspn(outcome, ":"),
                   outcome, tr_glue_time(g->glue));
    if (colon != NULL) {
        tr_report_note(r, "reason", "%s", colon + 1);
    }
    tr_report_text(r, "assembly", NULL, g->assembly->name);
    tr_report_text(r, "file", NULL, g->path);
    tr_report_number(r, "t", NULL, tr_glue_time(g->glue), NULL);
}

// The outputs with their units, in text only.
static void add_outputs(trReport *r, const trModuleFace *face) {
    tr_report_open(r, NULL, "outputs", TR_REPORT_LINE | TR_REPORT_WORDS);
    for (int i = 0; i < face->outputs; i++) {
        const char *unit = face->output_unit[i];
        tr_report_text(r, NULL, "%", face->output_name[i]);
        tr_report_text(r, NULL, " [%]", tr_is_unit(unit) ? unit : NULL);
    }
    tr_report_close(r);
}

static void add_module(trReport *r, const trGlueReport *g, int i) {
    const trModuleUse  *use = &g->assembly->module[i];
    const trModuleFace *face = &g->face[i];
    const char         *about = g->glue->exchange[i].about;
    bool                full = g->outcome == NULL, saves = face->state_size > 0;
    bool                position = (face->takes & TR_TAKES_POSITION) != 0;
    bool                velocity = (face->takes & TR_TAKES_VELOCITY) != 0;
    bool                acceleration = (face->takes & TR_TAKES_ACCELERATION) != 0;
    tr_report_open(r, NULL, NULL, 0);
    tr_report_text(r, "name", NULL, use->name);
    tr_report_open(r, NULL, use->name, TR_REPORT_LINE);
    tr_report_text(r, "source", "%", tr_module_source_name(use->source));
    tr_report_text(r, "path", " %", use->path);
    tr_report_integer(r, NULL, "% port{s}", face->ports);
    tr_report_bool(r, "takes_positions", "accepts positions", position);
    tr_report_bool(r, "takes_velocities", position ? "velocities" : "accepts velocities", velocity);
    tr_report_bool(r, "takes_accelerations",
                   position || velocity ? "accelerations" : "accepts accelerations", acceleration);
    tr_report_text(r, NULL, "%",
                   position || velocity || acceleration ? "forces" : "accepts forces only");
    tr_report_bool(r, "saves", NULL, saves);
    tr_report_close(r);
    tr_report_text(r, "about", NULL, about);
    if (about[0] != '\0') {
        tr_report_note(r, "", "%s", about);
    }
    tr_report_texts(r, "arguments", full ? "arguments" : NULL, use->arguments, use->argument);
    tr_report_texts(r, "ports", full ? "ports" : NULL, face->ports, face->port_name);
    tr_report_texts(r, "outputs", NULL, face->outputs, face->output_name);
    if (full) {
        add_outputs(r, face);
        tr_report_note(r, "state", "can%s be saved", saves ? "" : "not");
    }
    tr_report_close(r);
}

static void add_modules(trReport *r, const trGlueReport *g) {
    tr_report_note(r, "modules", "%d, %s", g->assembly->modules,
                   g->processes ? "each in a process of its own, over MPI"
                                : "in this process (hangs cannot be detected)");
    tr_report_open(r, "modules", "", TR_REPORT_ARRAY);
    for (int i = 0; i < g->assembly->modules; i++) {
        add_module(r, g, i);
    }
    tr_report_close(r);
}

// Once it has run, with the load of body 1 on body 2.
static void add_reaction(trReport *r, const trGlueReport *g, int joint) {
    static const char *const key[] = {"fx", "fy", "fz", "mx", "my", "mz", "x", "y", "z"};
    static const char *const planar[] = {"Fx", "Fy", NULL, NULL, NULL, "M"};
    static const char *const spatial[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
    trReaction               a;
    if (tr_glue_reaction(g->glue, joint, &a) != TR_OK) {
        return;
    }
    const double value[] = {a.fx, a.fy, a.fz, a.mx, a.my, a.mz, a.x, a.y, a.z};
    bool         shown = g->outcome != NULL && strcmp(g->outcome, "done") == 0;
    int          dim = g->ports->space->dim;
    tr_report_rank(r, shown ? tr_reaction_size(&a) : 0.0);
    tr_report_open(r, "reaction", NULL, 0);
    tr_report_open(r, NULL, NULL, TR_REPORT_NOISE);
    for (int i = 0; i < 6; i++) {
        const char *label = dim == 3 ? spatial[i] : planar[i];
        tr_report_number(r, key[i], shown ? label : NULL, value[i], i < 3 ? "N" : "N m");
    }
    tr_report_close(r);
    for (int i = 6; i < 9; i++) {
        tr_report_number(r, key[i], NULL, value[i], NULL);
    }
    tr_report_text(r, "on", NULL, a.on);
    tr_report_text(r, "by", NULL, a.by);
    tr_report_close(r);
}

static const char *body_of(const trGlueReport *g, int body) {
    return body == TR_GROUND ? "ground" : g->ports->body[body].name;
}

static void add_joints(trReport *r, const trGlueReport *g) {
    int redundant = tr_glue_stats(g->glue).redundant_rows;
    tr_report_note(r, "joints", "%d, %d redundant row%s at the start", g->ports->joints, redundant,
                   tr_plural(redundant));
    tr_report_open(r, NULL, "", 0);
    tr_report_open(r, "joints", "", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    tr_report_shown(r, REACTIONS_SHOWN);
    for (int j = 0; j < g->ports->joints; j++) {
        const trJoint *joint = &g->ports->joint[j];
        bool position = is_loose(g->glue, j, true), velocity = is_loose(g->glue, j, false);
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "name", "joint", joint->name);
        tr_report_text(r, "kind", "kind", joint->kind->name);
        tr_report_text(r, NULL, "on", body_of(g, joint->body2));
        tr_report_text(r, NULL, "by", body_of(g, joint->body1));
        tr_report_bool(r, "holds_positions", NULL, !position);
        tr_report_bool(r, "holds_velocities", NULL, !velocity);
        add_reaction(r, g, j);
        tr_report_text(r, NULL, "not held",
                       position && velocity ? "both"
                       : position           ? "positions"
                       : velocity           ? "velocities"
                                            : NULL);
        tr_report_close(r);
    }
    tr_report_close(r);
    tr_report_close(r);
}

static void add_work(trReport *r, const trGlueReport *g, const trGlueStats *s) {
    const trGlueDef *def = &g->assembly->def;
    double           steps = s->steps > 0 ? (double)s->steps : NAN;
    tr_report_open(r, NULL, "coupling", TR_REPORT_LINE);
    tr_report_text(r, "gluing", "%", def->gluing);
    tr_report_text(r, "scheme", "scheme", def->scheme);
    tr_report_number(r, NULL, "step", g->glue->h, "s");
    tr_report_number(r, NULL, "tolerance", def->tolerance, NULL);
    tr_report_number(r, "max_steps", NULL, def->max_steps, NULL);
    tr_report_close(r);
    tr_report_open(r, NULL, "steps", TR_REPORT_LINE);
    tr_report_integer(r, "steps", "%", s->steps);
    tr_report_integer(r, "iterations", NULL, s->iterations);
    tr_report_close(r);
    tr_report_open(r, NULL, "iterations", TR_REPORT_LINE);
    tr_report_number(r, NULL, "%3 on average", (double)s->iterations / steps, NULL);
    tr_report_integer(r, "max_iterations", s->steps > 0 ? "% at most" : NULL, s->max_iterations);
    tr_report_close(r);
    tr_report_open(r, NULL, "traffic", TR_REPORT_LINE);
    tr_report_integer(r, "messages", NULL, s->messages);
    tr_report_integer(r, "bytes", NULL, s->bytes);
    tr_report_number(r, NULL, "%4 messages", (double)s->messages / steps, NULL);
    tr_report_number(r, NULL, " and %4 bytes in a step", (double)s->bytes / steps, NULL);
    tr_report_close(r);
    tr_report_integer(r, "redundant_rows", NULL, s->redundant_rows);
    tr_report_number(r, "dynamic_residual", NULL, s->dynamic, NULL);
}

static void add_violations(trReport *r, const trGlueReport *g, const trGlueStats *s) {
    const trViolation *const held[] = {&s->position, &s->velocity, &s->acceleration};
    const trViolation *const loose[] = {&s->loose_position, &s->loose_velocity};
    bool                     any = any_loose(g, true) || any_loose(g, false);
    tr_report_open(r, "violations", "worst violation of joints", 0);
    for (int i = 0; i < TR_LEVEL_COUNT; i++) {
        tr_report_violation(r, &tr_levels[i], held[i]);
    }
    tr_report_close(r);
    tr_report_open(r, "loose_violations",
                   "and of those between modules that accept forces only, which drift",
                   any ? 0 : TR_REPORT_DATA);
    for (int i = 0; i < 2; i++) {
        tr_report_violation(r, &tr_levels[i], loose[i]);
    }
    tr_report_close(r);
    tr_report_note(r, "worst residual", "%.3g, relative, in the equations of the modules",
                   s->dynamic);
}

trReport *tr_report_glue(const trGlueReport *g) {
    trReport         *r = tr_report_create();
    const trGlueStats stats = tr_glue_stats(g->glue);
    if (r == NULL) {
        return NULL;
    }
    add_heading(r, g);
    add_modules(r, g);
    add_joints(r, g);
    if (g->outcome != NULL) {
        tr_report_text(r, "outcome", NULL, g->outcome);
        add_work(r, g, &stats);
        add_violations(r, g, &stats);
        tr_report_texts(r, "written", "written", 2, g->files);
    }
    return r;
}
