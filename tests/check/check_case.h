// SPDX-License-Identifier: MIT
// What tests of checks share. A failure to load or check a model fails the test.

#ifndef TR_TESTS_CHECK_CASE_H
#define TR_TESTS_CHECK_CASE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"
#include "trammel/trammel.h"

typedef struct Case {
    trModel  *model;
    trSystem *system;
    trCheck   check;
} Case;

static inline Case case_checked(Case c) {
    trCheckOptions options = tr_check_options_default();
    if (tr_system_build(c.model, &c.system) != TR_OK ||
        tr_check(c.model, c.system, &options, &c.check) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return c;
}

// A file, given from the root of the sources, with settings "N=40" that end with NULL; or NULL.
static inline Case case_file(const char *file, const char *const *set) {
    char     path[1024];
    Case     c = {0};
    trSimDef def = tr_sim_def_default();
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, file);
    if (tr_lua_load(path, set, &c.model, &def) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return case_checked(c);
}

static inline Case case_text(const char *text, const char *const *set) {
    Case     c = {0};
    trSimDef def = tr_sim_def_default();
    if (tr_lua_load_text("model.lua", text, strlen(text), set, &c.model, &def) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return case_checked(c);
}

static inline void case_free(Case *c) {
    tr_check_free(&c->check);
    tr_system_destroy(c->system);
    tr_model_destroy(c->model);
}

static inline const trCheckPart *part_of(const trCheckSet *set, const char *joint) {
    for (int i = 0; i < set->parts; i++) {
        if (strcmp(set->part[i].joint, joint) == 0) {
            return &set->part[i];
        }
    }
    fail_msg("joint '%s' is not in the set", joint);
    return NULL;
}

static inline const trCheckLoad *load_of(const trCheck *check, const char *joint) {
    for (int i = 0; i < check->loads; i++) {
        if (strcmp(check->load[i].joint, joint) == 0) {
            return &check->load[i];
        }
    }
    fail_msg("joint '%s' has no load", joint);
    return NULL;
}

// The one finding about this part under this topic.
static inline const trFinding *finding_of(const trCheck *check, const char *topic,
                                          const char *part) {
    for (int i = 0; i < check->findings; i++) {
        const trFinding *f = &check->finding[i];
        if (strcmp(f->topic, topic) == 0 && strcmp(f->part, part) == 0) {
            return f;
        }
    }
    fail_msg("nothing is found about '%s' under '%s'", part, topic);
    return NULL;
}

// Whether two directions are the same line, to rounding.
static inline void assert_line(const double *a, double x, double y, double z) {
    double length = sqrt(x * x + y * y + z * z);
    double cosine = (a[0] * x + a[1] * y + a[2] * z) / length;
    if (!(fabs(fabs(cosine) - 1.0) < 1e-9)) {
        fail_msg("(%g, %g, %g) is not along (%g, %g, %g)", a[0], a[1], a[2], x, y, z);
    }
}

#endif
