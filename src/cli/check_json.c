// SPDX-License-Identifier: MIT
// A check as JSON.

#include <stddef.h>

#include "cli/check_words.h"

static void numbers(trJson *json, const char *key, int count, const double *x) {
    tr_json_array(json, key);
    for (int i = 0; i < count; i++) {
        tr_json_number(json, NULL, x[i] + 0.0);
    }
    tr_json_close(json);
}

static void vectors(trJson *json, const char *key, int count, const double x[3][3]) {
    tr_json_array(json, key);
    for (int i = 0; i < count; i++) {
        numbers(json, NULL, 3, x[i]);
    }
    tr_json_close(json);
}

static void directions(trJson *json, const trDirections *d, const char *first, const char *second) {
    tr_json_integer(json, "directions", d->count);
    vectors(json, first, d->forces, d->force);
    vectors(json, second, d->moments, d->moment);
}

static void set_of(trJson *json, const trCheckSet *set) {
    tr_json_object(json, NULL);
    tr_json_integer(json, "rows", set->redundancy);
    tr_json_array(json, "joints");
    for (int i = 0; i < set->parts; i++) {
        const trCheckPart *part = &set->part[i];
        tr_json_object(json, NULL);
        tr_json_text(json, "joint", part->joint);
        tr_json_text(json, "kind", part->kind);
        tr_json_text(json, "blocks", part->blocked.text);
        directions(json, &part->blocked, "translations", "rotations");
        tr_json_close(json);
    }
    tr_json_close(json);
    tr_json_array(json, "fixes");
    for (int i = 0; i < set->fixes; i++) {
        tr_json_object(json, NULL);
        tr_json_text(json, "joint", set->fix[i].joint);
        tr_json_text(json, "kind", set->fix[i].kind);
        tr_json_text(json, "replace_by", set->fix[i].replace);
        tr_json_text(json, "text", set->fix[i].text);
        tr_json_close(json);
    }
    tr_json_close(json);
    tr_json_close(json);
}

static void sets(trJson *json, const char *key, int count, const trCheckSet *set) {
    tr_json_array(json, key);
    for (int i = 0; i < count; i++) {
        set_of(json, &set[i]);
    }
    tr_json_close(json);
}

static void motion(trJson *json, const char *key, const trCheckMotion *m) {
    tr_json_object(json, key);
    tr_json_text(json, "body", m->body);
    tr_json_text(json, "motion", m->text);
    numbers(json, "velocity", 3, m->twist);
    numbers(json, "angular_velocity", 3, m->twist + 3);
    tr_json_close(json);
}

static void loads(trJson *json, const trCheck *c) {
    tr_json_array(json, "reactions");
    for (int i = 0; i < c->loads; i++) {
        const trCheckLoad *load = &c->load[i];
        tr_json_object(json, NULL);
        tr_json_text(json, "joint", load->joint);
        tr_json_text(json, "kind", load->kind);
        tr_json_bool(json, "unique", load->unique);
        tr_json_text(json, "text", load->text);
        directions(json, &load->open, "forces", "moments");
        tr_json_close(json);
    }
    tr_json_close(json);
}

static void gaps(trJson *json, const trCheck *c) {
    tr_json_array(json, "start_off");
    for (int i = 0; i < c->gaps; i++) {
        const trCheckGap *g = &c->gap[i];
        tr_json_object(json, NULL);
        tr_json_text(json, "joint", g->joint);
        tr_json_number(json, "length", g->length);
        tr_json_number(json, "angle", g->angle);
        tr_json_number(json, "other", g->other);
        tr_json_number(json, "length_rate", g->length_rate);
        tr_json_number(json, "angle_rate", g->angle_rate);
        tr_json_number(json, "other_rate", g->other_rate);
        tr_json_text(json, "other_unit", g->unit[0] != '\0' ? g->unit : NULL);
        tr_json_close(json);
    }
    tr_json_close(json);
}

// Tangents are lists of velocities, as many as `velocities` says.
static void branches(trJson *json, const trBranches *b) {
    tr_json_bool(json, "branches_may_be_more", b->more || b->unresolved);
    tr_json_array(json, "branches");
    for (int i = 0; i < b->count; i++) {
        const trBranch *branch = &b->branch[i];
        tr_json_object(json, NULL);
        tr_json_integer(json, "branch", i + 1);
        tr_json_text(json, "motion", branch->words);
        tr_json_integer(json, "degrees_of_freedom", branch->dof);
        tr_json_integer(json, "rank", branch->rank);
        tr_json_text(json, "loose", branch->loose > 0 ? branch->loose_words : NULL);
        tr_json_array(json, "tangents");
        for (int k = 0; k < branch->dof; k++) {
            tr_json_array(json, NULL);
            for (int j = 0; j < b->nv; j++) {
                tr_json_number(json, NULL, branch->tangent[(ptrdiff_t)k * b->nv + j]);
            }
            tr_json_close(json);
        }
        tr_json_close(json);
        tr_json_close(json);
    }
    tr_json_close(json);
}

static void findings(trJson *json, const trCheck *c) {
    static const char *const word[] = {
        [TR_NOTE] = "note", [TR_WARNING] = "warning", [TR_PREVENTS] = "error"};
    tr_json_array(json, "findings");
    for (int i = 0; i < c->findings; i++) {
        const trFinding *f = &c->finding[i];
        tr_json_object(json, NULL);
        tr_json_text(json, "severity", word[f->severity]);
        tr_json_text(json, "topic", f->topic);
        tr_json_text(json, "part", f->part);
        tr_json_text(json, "reason", f->reason);
        tr_json_text(json, "remedy", f->remedy[0] != '\0' ? f->remedy : NULL);
        tr_json_close(json);
    }
    tr_json_close(json);
}

static void counts(trJson *json, const trCheck *c) {
    tr_json_integer(json, "degrees_of_freedom", c->degrees_of_freedom);
    tr_json_integer(json, "free_positions", c->free_positions);
    tr_json_integer(json, "velocities", c->velocities);
    tr_json_integer(json, "rows", c->rows);
    tr_json_integer(json, "rank", c->rank);
    tr_json_integer(json, "redundant_rows", c->redundant);
    tr_json_bool(json, "singular", c->singular);
    tr_json_integer(json, "rank_along_the_motion", c->rank_elsewhere);
    tr_json_integer(json, "poses", c->poses);
    tr_json_bool(json, "assembled", c->assembled);
    tr_json_text(json, "refusal", c->refusal != NULL ? c->refusal : c->unfit);
}

void tr_check_json(FILE *file, const trCheckReport *r) {
    const trCheck *c = r->check;
    trJson         json = tr_json_begin(file);
    tr_json_text(&json, "model", tr_system_name(r->loaded->system));
    tr_json_text(&json, "file", r->loaded->path);
    tr_json_bool(&json, "prevents_run", c->prevents);
    counts(&json, c);
    sets(&json, "redundant_sets", c->sets, c->set);
    sets(&json, "singular_sets", c->lost, c->lost_set);
    branches(&json, &c->branches);
    tr_json_number(&json, "smallest_singular_value", c->smallest);
    tr_json_number(&json, "smallest_to_largest", c->ratio);
    if (c->near) {
        motion(&json, "nearly_moves", &c->nearly);
    } else {
        tr_json_text(&json, "nearly_moves", NULL);
    }
    tr_json_array(&json, "massless_motions");
    for (int i = 0; i < c->massless; i++) {
        motion(&json, NULL, &c->free_motion[i]);
    }
    tr_json_close(&json);
    loads(&json, c);
    gaps(&json, c);
    findings(&json, c);
    tr_json_end(&json);
}
