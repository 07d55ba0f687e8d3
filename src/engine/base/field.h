// SPDX-License-Identifier: MIT
// A field table stands beside a parameter struct and describes each member once: Lua files, C
// callers, checks, listings and result attributes all read it.

#ifndef TR_BASE_FIELD_H
#define TR_BASE_FIELD_H

#include <stdbool.h>
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
    TR_FOLLOWS = 1 << 3,  // where one number stands for the kind, it is this and the field before
};

typedef struct trField {
    const char *name;
    trFieldKind kind;
    unsigned    flags;
    size_t      offset;
    double      fallback;  // for numbers and vectors; NAN means "not given": the owner decides
    const char *unit;      // "m", "N/m", "" for a pure number
    const char *help;
    const char *left_out;      // what holds where it is not given, in words; NULL: the fallback
    const char *const *words;  // of a text: those that are known, then NULL; or NULL
    const char        *alias;  // former name, still accepted and the key in files; or NULL
} trField;

#define TR_FIELD(type, member, kind, flags, fallback, unit, help) \
    TR_OPTION(type, member, kind, flags, fallback, unit, help, NULL, NULL)
#define TR_OPTION(type, member, kind, flags, fallback, unit, help, left_out, words) \
    { #member, kind, flags, offsetof(type, member), fallback, unit, help, left_out, words, NULL }
// Whose former name is that of the member.
#define TR_FIELD_NAMED(name, type, member, kind, flags, fallback, unit, help) \
    { name, kind, flags, offsetof(type, member), fallback, unit, help, NULL, NULL, #member }
#define TR_FIELD_END \
    { 0 }

#define TR_FIELDS_MOST 64

// Fields of several tables.
typedef struct trFieldList {
    int            count;
    const trField *at[TR_FIELDS_MOST];
} trFieldList;

// Fills the struct: first every fallback, then the given parameters. Unknown keys are refused with
// a suggestion, wrong types and signs with the reason, missing required ones by name. Lists and
// texts are copied to the arena.
trStatus tr_fields_bind(trArena *arena, const trField *fields, const trParam *params,
                        void *object) TR_SHARED;
// The first half of it: keys and values are judged, nothing is stored.
trStatus tr_fields_check(const trField *fields, const trParam *params) TR_SHARED;
// The second: over what the struct holds, those of the parameters that there are fields for.
trStatus tr_fields_take(trArena *arena, const trField *fields, const trParam *params,
                        void *object) TR_SHARED;

// The options of a kind: a struct of `size` with those of the parameters that it has fields for,
// and fallbacks. NULL without fields. What is wrong is TR_E_ARGUMENT.
trStatus tr_options_bind(trArena *arena, size_t size, const trField *fields, const trParam *params,
                         void **out);

trFieldList    tr_field_list(const trField *fields) TR_SHARED;
const trField *tr_field_find(const trField *fields, const char *name) TR_SHARED;  // or NULL
// The parameter for a field, under its name or its alias; or NULL.
const trParam *tr_field_given(const trField *field, const trParam *params) TR_SHARED;
const trParam *tr_param_find(const trParam *params, const char *key) TR_SHARED;  // or NULL
// A member of a struct as a parameter; texts and lists are those of the struct.
trParam tr_field_param(const trField *field, const void *object) TR_SHARED;
trParam tr_field_fallback(const trField *field) TR_SHARED;  // likewise, where it is not given
void    tr_field_copy(const trField *field, const void *from, void *to) TR_SHARED;  // the member
bool    tr_param_equal(const trParam *a, const trParam *b) TR_SHARED;  // in kind and value

// Its key in result files and checkpoints.
static inline const char *tr_field_key(const trField *field) {
    return field->alias != NULL ? field->alias : field->name;
}

int tr_param_count(const trParam *params) TR_SHARED;  // without the end; NULL counts as empty
const char *tr_field_type_text(trFieldKind kind);     // "number", "vector {x, y}", ...

#endif
