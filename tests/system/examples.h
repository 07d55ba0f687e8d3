// SPDX-License-Identifier: MIT
// A model of three bodies with one joint or force, with the parameters of its example.

#ifndef TR_TESTS_SYSTEM_EXAMPLES_H
#define TR_TESTS_SYSTEM_EXAMPLES_H

#include "lua/lua_case.h"
#include "support/machines.h"

// Bodies of every inertia, and one line that joins them; kind = NULL: without it.
static inline Machine example_machine(const char *coordinates, const char *word, const char *kind,
                                      const char *bodies, const char *params) {
    const char *planar =
        "local m = model { gravity = { 0, -9.81 } }\n"
        "local a = m:body { name = 'a', mass = 1, inertia = 0.1, com = { 0.1, 0.2 } }\n"
        "local b = m:body { name = 'b', mass = 2, inertia = 0.3, at = { 1, 0.2 }, angle = 0.3 }\n"
        "local c = m:body { name = 'c', mass = 1.5, inertia = 0.2, at = { -0.5, 0.3 }, angle = "
        "0.4, com = { 0.1, -0.3 } }\n";
    const char *spatial =
        "local m = model { dim = 3, gravity = { 0, 0, -9.81 }, coordinates = '%s' }\n"
        "local a = m:body { name = 'a', mass = 1, inertia = { 0.1, 0.2, 0.15, 0.02, 0.01, 0.03 },\n"
        "    com = { 0.1, 0.2, 0.05 }, rotation = { 0.1, 0.2, 0.3 } }\n"
        "local b = m:body { name = 'b', mass = 2, inertia = { 0.3, 0.2, 0.25 },\n"
        "    at = { 1, 0.2, 0.1 } }\n"
        "local c = m:body { name = 'c', mass = 1.5, inertia = { 0.2, 0.25, 0.3 },\n"
        "    at = { -0.5, 0.3, 0.2 }, rotation = { 0.3, -0.1, 0.2 }, com = { 0.1, -0.2, 0.3 } }\n";
    char text[2000], head[1000];
    if (kind != NULL && params == NULL) {
        fail_msg("%s '%s' has no example", word, kind);
    }
    snprintf(head, sizeof head, coordinates == NULL ? "%s" : spatial,
             coordinates == NULL ? planar : coordinates);
    if (kind == NULL) {
        snprintf(text, sizeof text, "%sreturn m", head);
    } else {
        snprintf(text, sizeof text, "%sm:%s { '%s', %s, %s }\nreturn m", head, word, kind, bodies,
                 params);
    }
    Machine machine = {.model = model_of(text, NULL)};
    machine_build(&machine);
    return machine;
}

static inline Machine example_joint(const trJointKind *kind, const char *coordinates) {
    return example_machine(kind->dim == 2 ? NULL : coordinates, "joint", kind->name, "a, b",
                           kind->example);
}

static inline Machine example_force(const trForceKind *kind, const char *coordinates) {
    const char *bodies = (kind->traits & TR_ONE_BODY) != 0 ? "b" : "a, b";
    return example_machine(kind->dim == 2 ? NULL : coordinates, "force", kind->name, bodies,
                           kind->example);
}

#endif
