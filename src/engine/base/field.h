// SPDX-License-Identifier: MIT
// A field table stands beside a parameter struct and describes each member once: Lua files, C
// callers, checks, listings and result attributes all read it.

#ifndef TR_BASE_FIELD_H
#define TR_BASE_FIELD_H

#include <stddef.h>

#include "base/arena.h"
#include "trammel/model.h"

typedef enum trFieldKind {
    TR_FIELD_REAL,      // double
    TR_FIELD_INT,       // int
    TR_FIELD_BOOL,      // bool
    TR_FIELD_VEC2,      // trVec2
    TR_FIELD_VEC3,      // trVec3
    TR_FIELD_TEXT,      // const char *
    TR_FIELD_FUNCTION,  // trFunction: a number or a function of time
    TR_FIELD_LAW,       // const trLaw *: a number (slope) or a law
    TR_FIELD_NUMBERS,   // trNumbers: a list
    TR_FIELD_BODY,      // int: the number of a body; TR_GROUND if it is not given
} trFieldKind;

enum {
    TR_REQUIRED = 1 << 0,
    TR_POSITIVE = 1 << 1,
    TR_NOT_NEGATIVE = 1 << 2,
};

typedef struct trField {
    const char *name;
    trFieldKind kind;
    unsigned    flags;
    size_t      offset;
    double      fallback;  // for numbers and vectors; NAN means "not given": the owner decides
    const char *unit;      // "m", "N/m", "" for a pure number
    const char *help;
} trField;

#define TR_FIELD(type, member, kind, flags, fallback, unit, help) \
    { #member, kind, flags, offsetof(type, member), fallback, unit, help }
#define TR_FIELD_END \
    { 0 }

// Fills the struct: first every fallback, then the given parameters. Unknown keys are refused with
// a suggestion, wrong types and signs with the reason, missing required ones by name. Lists and
// texts are copied to the arena.
trStatus tr_fields_bind(trArena *arena, const trField *fields, const trParam *params,
                        void *object) TR_SHARED;

int tr_param_count(const trParam *params) TR_SHARED;  // without the end; NULL counts as empty
const char *tr_field_type_text(trFieldKind kind);     // "number", "vector {x, y}", ...

#endif
