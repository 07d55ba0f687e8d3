// SPDX-License-Identifier: MIT
// Makes FMU files of the plate (oscillator.h), whole ones and broken ones.

#ifndef TESTS_FMI_MAKE_FMU_H
#define TESTS_FMI_MAKE_FMU_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Plan {
    int         version;  // 2 or 3
    bool        exchange, co;
    bool        repeats, serializes, derives;
    bool        no_tail;           // "tip" is the only port
    bool        spatial;           // the port "tip" is in space
    bool        no_accelerations;  // they have other names, and are no derivatives
    bool        only_derivatives;  // they have other names, and are declared as derivatives
    bool        no_velocity;       // tip.vx has another name
    const char *token;             // NULL: the right one
    const char *fmi_version;       // NULL: that of `version`
    const char *platform;          // NULL: this one
    const char *odd;               // a further element in <ModelStructure>; NULL: none
    const char *unit;              // of tip.x; NULL: m
    const char *xml;               // the whole description; NULL: made; "": none
    const char *extra;             // name of a further file in it; NULL: none
    const char *binary;  // path of what is put in place of the binary; NULL: the right one
} Plan;

// Writes the FMU to `path`.
void make_fmu(const char *path, const Plan *plan);

// The folder of binaries/ that the standard of version 2 or 3 names for this machine.
const char *make_platform(int version);

// A path in the folder of this test's temporary files.
void make_path(char out[256], const char *name);

#endif
