// SPDX-License-Identifier: MIT
#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "report/mechanics.h"

#define MOST_SETS 8         // of one kind that are shown
#define MOST_LINES 20       // of a table
#define WORTH_TELLING 1e-9  // a change [m, rad, ...]

// Entries after the first ones are details; one entry more is shown, too.
static unsigned cut(int i, int count) {
    return i >= MOST_SETS && count > MOST_SETS + 1 ? TR_REPORT_DETAIL : 0;
}

static void add_rest(trReport *r, int count, const char *what) {
    if (count > MOST_SETS + 1) {
        tr_report_open(r, NULL, NULL, TR_REPORT_BRIEF);
        tr_report_note(r, NULL, "and %d more %s; --verbose shows all", count - MOST_SETS, what);
        tr_report_close(r);
    }
}

// --- counts ---

static void add_counts(trReport *r, const trCheck *c) {
    tr_report_open(r, NULL, "", 0);
    tr_report_note(
        r, NULL, "%d degree%s of freedom%s: %d velocities, %d constraint row%s of rank %d",
        c->degrees_of_freedom, tr_plural(c->degrees_of_freedom), c->singular ? " in this pose" : "",
        c->velocities, c->rows, tr_plural(c->rows), c->rank);
    if (c->singular) {
        tr_report_note(r, NULL, "%d along the motion", c->velocities - c->rank_elsewhere);
    }
    if (c->free_positions != c->degrees_of_freedom) {
        tr_report_note(r, NULL, "%d of positions: some rows hold velocities only",
                       c->free_positions);
    }
    if (!c->assembled) {
        tr_report_note(r, NULL,
                       "the joints cannot be closed: the rest describes the pose as given");
    }
    tr_report_close(r);
    tr_report_integer(r, "degrees_of_freedom", NULL, c->degrees_of_freedom);
    tr_report_integer(r, "free_positions", NULL, c->free_positions);
    tr_report_integer(r, "velocities", NULL, c->velocities);
    tr_report_integer(r, "rows", NULL, c->rows);
    tr_report_integer(r, "rank", NULL, c->rank);
    tr_report_integer(r, "redundant_rows", NULL, c->redundant);
    tr_report_bool(r, "singular", NULL, c->singular);
    tr_report_integer(r, "rank_along_the_motion", NULL, c->rank_elsewhere);
    tr_report_integer(r, "poses", NULL, c->poses);
    tr_report_bool(r, "assembled", NULL, c->assembled);
    tr_report_text(r, "refusal", NULL, c->refusal != NULL ? c->refusal : c->unfit);
}

// --- sets of rows ---

static void add_vectors(trReport *r, const char *key, int count, const double x[3][3]) {
    tr_report_open(r, key, NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < count; i++) {
        const double v[] = {x[i][0] + 0.0, x[i][1] + 0.0, x[i][2] + 0.0};
        tr_report_numbers(r, NULL, 3, v);
    }
    tr_report_close(r);
}

static void add_directions(trReport *r, const trDirections *d, const char *first,
                           const char *second) {
    tr_report_integer(r, "directions", NULL, d->count);
    add_vectors(r, first, d->forces, d->force);
    add_vectors(r, second, d->moments, d->moment);
}

static void add_set(trReport *r, const trCheckSet *set, const char *what) {
    tr_report_note(r, NULL, "%d row%s %s:", set->redundancy, tr_plural(set->redundancy), what);
    tr_report_integer(r, "rows", NULL, set->redundancy);
    tr_report_open(r, "joints", "", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    for (int i = 0; i < set->parts; i++) {
        const trCheckPart *part = &set->part[i];
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "joint", "", part->joint);
        tr_report_text(r, "kind", " ", part->kind);
        tr_report_text(r, "blocks", "  ", part->blocked.text);
        add_directions(r, &part->blocked, "translations", "rotations");
        tr_report_close(r);
    }
    tr_report_close(r);
    tr_report_open(r, "fixes", NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < set->fixes; i++) {
        tr_report_note(r, NULL, "%s %s", i == 0 ? "to remove it:" : "and:", set->fix[i].text);
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "joint", NULL, set->fix[i].joint);
        tr_report_text(r, "kind", NULL, set->fix[i].kind);
        tr_report_text(r, "replace_by", NULL, set->fix[i].replace);
        tr_report_text(r, "text", NULL, set->fix[i].text);
        tr_report_close(r);
    }
    tr_report_close(r);
}

static void add_sets(trReport *r, const char *key, int count, const trCheckSet *set,
                     const char *what) {
    tr_report_open(r, key, "", TR_REPORT_ARRAY);
    for (int i = 0; i < count; i++) {
        tr_report_open(r, NULL, NULL, cut(i, count));
        add_set(r, &set[i], what);
        tr_report_close(r);
    }
    add_rest(r, count, "sets");
    tr_report_close(r);
}

static void add_redundant(trReport *r, const trCheck *c) {
    const char *where = c->singular                  ? "all along the motion"
                        : c->poses > 0               ? "in this pose and along the motion"
                        : c->degrees_of_freedom == 0 ? "in the only pose"
                                                     : "in this pose";
    if (c->redundant > 0) {
        tr_report_note(r, NULL, "\n%d redundant row%s, %s", c->redundant, tr_plural(c->redundant),
                       where);
    }
    add_sets(r, "redundant_sets", c->sets, c->set, "too many");
}

// --- singular poses ---

static void add_branch(trReport *r, const trBranches *b, int i) {
    const trBranch *branch = &b->branch[i];
    bool            loose = branch->loose > 0;
    tr_report_open(r, NULL, NULL, 0);
    tr_report_integer(r, "branch", "", i + 1);
    tr_report_text(r, "motion", " ", branch->words);
    tr_report_integer(r, "degrees_of_freedom", NULL, branch->dof);
    tr_report_integer(r, "rank", NULL, branch->rank);
    tr_report_text(r, "loose", NULL, loose ? branch->loose_words : NULL);
    if (loose) {
        tr_report_note(r, NULL,
                       "along it %s stays possible to first order: loads there have no finite "
                       "reaction",
                       branch->loose_words);
    }
    tr_report_open(r, "tangents", NULL, TR_REPORT_ARRAY);
    for (int k = 0; k < branch->dof; k++) {
        tr_report_numbers(r, NULL, b->nv, branch->tangent + (ptrdiff_t)k * b->nv);
    }
    tr_report_close(r);
    tr_report_close(r);
}

// Tangents are lists of velocities, as many as `velocities` says.
static void add_branches(trReport *r, const trCheck *c) {
    const trBranches *b = &c->branches;
    tr_report_bool(r, "branches_may_be_more", NULL, b->more || b->unresolved);
    tr_report_open(r, NULL, "", 0);
    if (b->count > 0) {
        tr_report_note(r, NULL, "%s%d motion%s branch%s off (--branch N follows one):",
                       b->more ? "at least " : "", b->count, tr_plural(b->count),
                       b->count == 1 ? "es" : "");
    }
    tr_report_open(r, "branches", "", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    tr_report_shown(r, MOST_SETS);
    for (int i = 0; i < b->count; i++) {
        add_branch(r, b, i);
    }
    tr_report_close(r);
    if (b->count > 0 && b->unresolved) {
        tr_report_note(r, NULL, "and others that are no linear spaces of velocities");
    }
    if (c->singular && c->velocities > TR_CHECK_BRANCHES_LIMIT) {
        tr_report_note(r, NULL, "branches are not searched for: more than %d velocities",
                       TR_CHECK_BRANCHES_LIMIT);
    }
    tr_report_close(r);
}

static void add_singular(trReport *r, const trCheck *c) {
    if (c->singular) {
        tr_report_note(r, NULL, "\nsingular pose: rank %d here, %d along the motion", c->rank,
                       c->rank_elsewhere);
    }
    add_sets(r, "singular_sets", c->lost, c->lost_set, "lost in this pose");
    add_branches(r, c);
}

static void add_motion(trReport *r, const char *key, const trCheckMotion *m) {
    tr_report_open(r, key, NULL, 0);
    tr_report_text(r, "body", NULL, m->body);
    tr_report_text(r, "motion", NULL, m->text);
    tr_report_numbers(r, "velocity", 3, m->twist);
    tr_report_numbers(r, "angular_velocity", 3, m->twist + 3);
    tr_report_close(r);
}

static void add_motions(trReport *r, const trCheck *c) {
    if (c->near) {
        add_motion(r, "nearly_moves", &c->nearly);
    } else {
        tr_report_text(r, "nearly_moves", NULL, NULL);
    }
    tr_report_open(r, "massless_motions", NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < c->massless; i++) {
        add_motion(r, NULL, &c->free_motion[i]);
    }
    tr_report_close(r);
}

// --- reactions, the start, findings ---

static void add_reactions(trReport *r, const trCheck *c) {
    int open = 0;
    for (int i = 0; i < c->loads; i++) {
        open += c->load[i].unique ? 0 : 1;
    }
    if (c->loads > 0 && open == 0) {
        tr_report_note(r, NULL, "\nall reactions are unique");
    } else if (open > 0) {
        tr_report_note(r, NULL, "\nreactions%s", open < c->loads ? "; all others are unique" : "");
    }
    tr_report_open(r, NULL, "", 0);
    tr_report_open(r, "reactions", "", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    tr_report_shown(r, MOST_LINES);
    for (int i = 0; i < c->loads; i++) {
        const trCheckLoad *load = &c->load[i];
        tr_report_open(r, NULL, NULL, load->unique ? TR_REPORT_DATA : 0);
        tr_report_text(r, "joint", "", load->joint);
        tr_report_text(r, "kind", NULL, load->kind);
        tr_report_bool(r, "unique", NULL, load->unique);
        tr_report_text(r, "text", " ", load->text);
        add_directions(r, &load->open, "forces", "moments");
        tr_report_close(r);
    }
    tr_report_close(r);
    tr_report_close(r);
    if (c->rank > 0) {
        tr_report_note(r, NULL,
                       "smallest singular value of the constraints: %.3g, %.2g of the largest",
                       c->smallest, c->ratio);
    }
}

static void add_off(trReport *r, const char *key, double value, const char *unit) {
    tr_report_number(r, key, value > 0.0 ? "%3" : NULL, value, unit);
}

static void add_change(trReport *r, const trCorrection *change, const char *what) {
    if (change->unit != NULL && change->value > WORTH_TELLING) {
        tr_report_note(r, NULL, "a run %s %s by %.3g%s%s to close that", what, change->body,
                       change->value, TR_UNIT(change->unit));
    }
}

static void add_start(trReport *r, const trCheck *c) {
    if (c->gaps > 0) {
        tr_report_note(r, NULL, "\nthe start as given is off by");
    }
    tr_report_open(r, "start_off", "", TR_REPORT_ARRAY);
    for (int i = 0; i < c->gaps; i++) {
        const trCheckGap *g = &c->gap[i];
        char              rate[128];
        snprintf(rate, sizeof rate, "%s/s", g->unit[0] != '\0' ? g->unit : "1");
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "joint", NULL, g->joint);
        tr_report_open(r, NULL, g->joint, TR_REPORT_LINE);
        add_off(r, "length", g->length, "m");
        add_off(r, "angle", g->angle, "rad");
        add_off(r, "other", g->other, g->unit);
        add_off(r, "length_rate", g->length_rate, "m/s");
        add_off(r, "angle_rate", g->angle_rate, "rad/s");
        add_off(r, "other_rate", g->other_rate, rate);
        tr_report_close(r);
        tr_report_text(r, "other_unit", NULL, tr_is_unit(g->unit) ? g->unit : NULL);
        tr_report_close(r);
    }
    if (c->gaps > 0 && c->unfit == NULL) {
        add_change(r, &c->moved, "moves");
        add_change(r, &c->changed, "changes the velocity of");
    }
    tr_report_close(r);
}

// What has a section of its own is not repeated, and of a truss all bodies are immobile.
static void add_findings(trReport *r, const trCheck *c) {
    static const char *const word[] = {
        [TR_NOTE] = "note", [TR_WARNING] = "warning", [TR_PREVENTS] = "error"};
    int still = 0, all_still = 0, said = 0;
    for (int i = 0; i < c->findings; i++) {
        all_still += strcmp(c->finding[i].topic, "immobile") == 0 ? 1 : 0;
    }
    tr_report_open(r, "findings", NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < c->findings; i++) {
        const trFinding *f = &c->finding[i];
        bool     immobile = strcmp(f->topic, "immobile") == 0, remedy = f->remedy[0] != '\0';
        bool     section = strcmp(f->topic, "redundant") == 0 || strcmp(f->topic, "singular") == 0;
        unsigned flags = immobile ? cut(still++, all_still) : 0;
        tr_report_open(r, NULL, NULL, section ? TR_REPORT_DATA : flags);
        tr_report_note(r, NULL, "%s%s: %s: %s%s%s", said == 0 ? "\n" : "", word[f->severity],
                       f->part, f->reason, remedy ? "; " : "", f->remedy);
        tr_report_text(r, "severity", NULL, word[f->severity]);
        tr_report_text(r, "topic", NULL, f->topic);
        tr_report_text(r, "part", NULL, f->part);
        tr_report_text(r, "reason", NULL, f->reason);
        tr_report_text(r, "remedy", NULL, remedy ? f->remedy : NULL);
        tr_report_close(r);
        said += section ? 0 : 1;
    }
    add_rest(r, all_still, "that cannot move");
    tr_report_close(r);
    tr_report_note(r, NULL, "\n%s",
                   c->prevents                      ? "a run cannot start"
                   : c->findings > 0 || c->gaps > 0 ? "a run can start"
                                                    : "no problems found");
}

trReport *tr_report_check(const trSystem *system, const char *path, const trCheck *c) {
    trReport *r = tr_report_create();
    if (r == NULL) {
        return NULL;
    }
    tr_report_note(r, NULL, "%s (%s)", tr_system_name(system), path);
    tr_report_text(r, "model", NULL, tr_system_name(system));
    tr_report_text(r, "file", NULL, path);
    tr_report_bool(r, "prevents_run", NULL, c->prevents);
    add_counts(r, c);
    add_redundant(r, c);
    add_singular(r, c);
    tr_report_number(r, "smallest_singular_value", NULL, c->smallest, NULL);
    tr_report_number(r, "smallest_to_largest", NULL, c->ratio, NULL);
    add_motions(r, c);
    add_reactions(r, c);
    add_start(r, c);
    add_findings(r, c);
    return r;
}
