// SPDX-License-Identifier: MIT
// What tests of modes share. A failure to find modes fails the test.

#ifndef TR_TESTS_MODES_CASE_H
#define TR_TESTS_MODES_CASE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"
#include "trammel/trammel.h"

static inline trModes modes_of(const trSystem *system) {
    trModes        modes;
    trModesOptions options = tr_modes_options_default();
    if (tr_modes_find(system, &options, &modes) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return modes;
}

// A file of models/benchmark, with settings "N=40" that end with NULL; or NULL.
static inline Machine machine_load(const char *file, const char *const *set) {
    char     path[1024];
    Machine  machine = {0};
    trSimDef def = tr_sim_def_default();
    snprintf(path, sizeof path, "%s/models/benchmark/%s", SOURCE_DIR, file);
    if (tr_lua_load(path, set, &machine.model, &def) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    machine_build(&machine);
    return machine;
}

// A spatial model with gravity along -z.
static inline Machine machine_new3(void) {
    Machine machine = {0};
    if (tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_VEC("gravity", 0.0, 0.0, -GRAVITY)),
                        &machine.model) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return machine;
}

static inline void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g, off by %.3g", value, expected, fabs(value - expected));
    }
}

// The one mode with this eigenvalue, to a part `relative` of its size.
static inline const trMode *assert_mode(const trModes *modes, double re, double im,
                                        double relative) {
    const trMode *nearest = NULL;
    double        least = INFINITY;
    for (int i = 0; i < modes->count; i++) {
        double gap = hypot(modes->mode[i].re - re, modes->mode[i].im - im);
        nearest = gap < least ? &modes->mode[i] : nearest;
        least = fmin(least, gap);
    }
    if (!(least <= relative * hypot(re, im))) {
        fail_msg("no mode has %.15g %+.15g i: the nearest of %d is off by %.3g", re, im,
                 modes->count, least);
    }
    return nearest;
}

// The system must be refused with this status and this part of a text.
static inline void assert_refused(const trSystem *system, trStatus status, const char *part) {
    trModes        modes;
    trModesOptions options = tr_modes_options_default();
    trStatus       got = tr_modes_find(system, &options, &modes);
    if (got != status || strstr(tr_last_error(), part) == NULL) {
        fail_msg("status %d, '%s'", (int)got, got == TR_OK ? "" : tr_last_error());
    }
    assert_null(modes.memory);
    assert_int_equal(modes.count, 0);
    tr_modes_free(&modes);
}

#endif
