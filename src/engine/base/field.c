// SPDX-License-Identifier: MIT
// Binds a list of parameters, "length = 1.5", to the members of a parameter struct.

#include "base/field.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/law.h"
#include "base/spell.h"
#include "base/vec2.h"
#include "base/vec3.h"
#include "tape/tape.h"

typedef struct Kind {
    const char *words;  // as they stand after "must be"
    size_t      size;   // of the member
    trParamKind param;  // what is given; a function or law may be a number, too
    int         count;  // of numbers in a vector
} Kind;

static const Kind kinds[] = {
    [TR_FIELD_REAL] = {"a number", sizeof(double), TR_PARAM_NUMBER},
    [TR_FIELD_INT] = {"a whole number", sizeof(int), TR_PARAM_NUMBER},
    [TR_FIELD_BOOL] = {"true or false", sizeof(bool), TR_PARAM_BOOL},
    [TR_FIELD_VEC2] = {"a vector {x, y}", sizeof(trVec2), TR_PARAM_NUMBERS, 2},
    [TR_FIELD_VEC3] = {"a vector {x, y, z}", sizeof(trVec3), TR_PARAM_NUMBERS, 3},
    [TR_FIELD_TEXT] = {"a text", sizeof(const char *), TR_PARAM_TEXT},
    [TR_FIELD_FUNCTION] = {"a number or a function of time", sizeof(trFunction), TR_PARAM_FUNCTION},
    [TR_FIELD_LAW] = {"a number or a law", sizeof(const trLaw *), TR_PARAM_LAW},
    [TR_FIELD_NUMBERS] = {"a list of numbers", sizeof(trNumbers), TR_PARAM_NUMBERS},
    [TR_FIELD_BODY] = {"a body", sizeof(int), TR_PARAM_BODY},
};

const char *tr_field_type_text(trFieldKind kind) {
    const char *text = kinds[kind].words;
    return strncmp(text, "a ", 2) == 0 ? text + 2 : text;
}

int tr_param_count(const trParam *params) {
    int count = 0;
    while (params != NULL && params[count].key != NULL) {
        count++;
    }
    return count;
}

static int field_count(const trField *fields) {
    int count = 0;
    while (fields[count].name != NULL) {
        count++;
    }
    return count;
}

static const char *field_name(const void *fields, int i) {
    return ((const trField *)fields)[i].name;
}

static trStatus unknown_key(const trField *fields, const char *key) {
    const int count = field_count(fields);
    tr_fail(TR_E_MODEL, "unknown key '%s'", key);
    return count == 0 ? tr_add_hint(TR_E_MODEL, "; no keys are accepted here")
                      : tr_spell_hint(TR_E_MODEL, key, count, field_name, fields);
}

static bool is_named(const trField *field, const char *name) {
    return strcmp(field->name, name) == 0 ||
           (field->alias != NULL && strcmp(field->alias, name) == 0);
}

const trField *tr_field_find(const trField *fields, const char *name) {
    for (; fields != NULL && fields->name != NULL; fields++) {
        if (is_named(fields, name)) {
            return fields;
        }
    }
    return NULL;
}

trFieldList tr_field_list(const trField *fields) {
    trFieldList list = {0};
    for (; fields->name != NULL && list.count < TR_FIELDS_MOST; fields++) {
        list.at[list.count++] = fields;
    }
    return list;
}

static trStatus check_keys(const trField *fields, const trParam *params) {
    int count = tr_param_count(params);
    for (int i = 0; i < count; i++) {
        const trField *field = tr_field_find(fields, params[i].key);
        if (field == NULL) {
            return unknown_key(fields, params[i].key);
        }
        for (int j = 0; j < i; j++) {
            if (is_named(field, params[j].key)) {
                return tr_fail(TR_E_MODEL, "'%s' is given twice", params[i].key);
            }
        }
    }
    return TR_OK;
}

const trParam *tr_param_find(const trParam *params, const char *key) {
    for (; params != NULL && params->key != NULL; params++) {
        if (strcmp(params->key, key) == 0) {
            return params;
        }
    }
    return NULL;
}

const trParam *tr_field_given(const trField *field, const trParam *params) {
    while (params != NULL && params->key != NULL && !is_named(field, params->key)) {
        params++;
    }
    return params != NULL && params->key != NULL ? params : NULL;
}

static trStatus check_number(const trField *field, double number) {
    if (!isfinite(number)) {
        return isnan(number)  // whose sign is a matter of the machine
                   ? tr_fail(TR_E_MODEL, "'%s' must be finite, not nan", field->name)
                   : tr_fail(TR_E_MODEL, "'%s' must be finite, not %g", field->name, number);
    }
    if ((field->flags & TR_POSITIVE) != 0 && number <= 0.0) {
        return tr_fail(TR_E_MODEL, "'%s' must be positive, not %.10g", field->name, number);
    }
    if ((field->flags & TR_NOT_NEGATIVE) != 0 && number < 0.0) {
        return tr_fail(TR_E_MODEL, "'%s' must not be negative, but is %.10g", field->name, number);
    }
    if (field->kind == TR_FIELD_INT &&
        (number != floor(number) || number < INT_MIN || number > INT_MAX)) {
        return tr_fail(TR_E_MODEL, "'%s' must be a whole number, not %.10g", field->name, number);
    }
    return TR_OK;
}

static bool fits(const trField *field, const trParam *param) {
    const Kind *kind = &kinds[field->kind];
    switch (param->kind) {
    case TR_PARAM_NUMBER:
        return kind->param == TR_PARAM_NUMBER || kind->param == TR_PARAM_FUNCTION ||
               kind->param == TR_PARAM_LAW;
    case TR_PARAM_NUMBERS:
        return kind->param == TR_PARAM_NUMBERS && param->count >= 0 &&
               (kind->count == 0 || kind->count == param->count) &&
               (param->numbers != NULL || param->count == 0);
    case TR_PARAM_TEXT:
        return kind->param == TR_PARAM_TEXT && param->text != NULL;
    case TR_PARAM_FUNCTION:
        return kind->param == TR_PARAM_FUNCTION && param->function != NULL;
    case TR_PARAM_LAW:
        return kind->param == TR_PARAM_LAW && param->law != NULL;
    default:
        return kind->param == param->kind;
    }
}

// What was given in place of what must be.
static trStatus refuse_kind(const trField *field, const trParam *param) {
    static const char *const words[] = {
        [TR_PARAM_NUMBER] = "a number", [TR_PARAM_BOOL] = "true or false",
        [TR_PARAM_TEXT] = "a text",     [TR_PARAM_FUNCTION] = "a function",
        [TR_PARAM_LAW] = "a law",       [TR_PARAM_NUMBERS] = "a list",
        [TR_PARAM_BODY] = "a body"};
    tr_fail(TR_E_MODEL, "'%s' must be %s, got %s", field->name, kinds[field->kind].words,
            words[param->kind]);
    return param->kind == TR_PARAM_NUMBERS ? tr_add_hint(TR_E_MODEL, " of %d number%s",
                                                         param->count, param->count == 1 ? "" : "s")
                                           : TR_E_MODEL;
}

static trStatus check_word(const trField *field, const char *word) {
    int count = 0;
    for (; field->words[count] != NULL; count++) {
        if (strcmp(field->words[count], word) == 0) {
            return TR_OK;
        }
    }
    return tr_spell_refuse(field->name, word, count, tr_spell_word, field->words);
}

static trStatus check_value(const trField *field, const trParam *param) {
    if (!fits(field, param)) {
        return refuse_kind(field, param);
    }
    if (param->kind == TR_PARAM_TEXT && field->words != NULL) {
        TR_TRY(check_word(field, param->text));
    }
    if (param->kind == TR_PARAM_NUMBER) {
        TR_TRY(check_number(field, param->number));
    }
    if (param->kind == TR_PARAM_NUMBERS) {
        for (int i = 0; i < param->count; i++) {
            TR_TRY(check_number(field, param->numbers[i]));
        }
    }
    if (param->kind == TR_PARAM_FUNCTION) {
        trStatus status = tr_tape_status(param->function);
        if (status != TR_OK) {
            return tr_blame(status, "'%s': ", field->name);
        }
    }
    return TR_OK;
}

// The value is known to fit.
static trStatus store(trArena *arena, const trField *field, const trParam *param, void *member) {
    bool number = param->kind == TR_PARAM_NUMBER;
    switch (field->kind) {
    case TR_FIELD_REAL:
        *(double *)member = param->number;
        break;
    case TR_FIELD_INT:
    case TR_FIELD_BODY:
        *(int *)member = (int)param->number;
        break;
    case TR_FIELD_BOOL:
        *(bool *)member = param->number != 0.0;
        break;
    case TR_FIELD_VEC2:
        *(trVec2 *)member = (trVec2){param->numbers[0], param->numbers[1]};
        break;
    case TR_FIELD_VEC3:
        *(trVec3 *)member = (trVec3){param->numbers[0], param->numbers[1], param->numbers[2]};
        break;
    case TR_FIELD_TEXT:
        *(const char **)member = tr_arena_text(arena, param->text);
        break;
    case TR_FIELD_FUNCTION:
        *(trFunction *)member = number ? (trFunction){.constant = param->number}
                                       : (trFunction){.tape = param->function};
        break;
    case TR_FIELD_LAW:
        if (number) {
            return tr_law_linear(arena, param->number, (const trLaw **)member);
        }
        *(const trLaw **)member = param->law;
        break;
    case TR_FIELD_NUMBERS: {
        double *copy = tr_new_array(arena, double, param->count);
        if (copy != NULL && param->count > 0) {
            memcpy(copy, param->numbers, (size_t)param->count * sizeof *copy);
        }
        *(trNumbers *)member = (trNumbers){.count = copy == NULL ? 0 : param->count, .at = copy};
        break;
    }
    }
    return tr_arena_status(arena);
}

// What is not a number when it is missing becomes zero, NULL or empty.
static trStatus store_fallback(trArena *arena, const trField *field, void *member) {
    const double  given = field->fallback, numbers[3] = {given, given, given};
    const bool    whole = field->kind == TR_FIELD_INT || field->kind == TR_FIELD_BOOL;
    const trParam fallback = {.number = field->kind == TR_FIELD_BODY ? TR_GROUND
                                        : whole && isnan(given)      ? 0.0
                                                                     : given,
                              .numbers = numbers};
    memset(member, 0, kinds[field->kind].size);
    return field->kind == TR_FIELD_TEXT || field->kind == TR_FIELD_NUMBERS ||
                   (field->kind == TR_FIELD_LAW && isnan(given))
               ? TR_OK
               : store(arena, field, &fallback, member);
}

trStatus tr_fields_check(const trField *fields, const trParam *params) {
    TR_TRY(check_keys(fields, params));
    for (const trField *f = fields; f->name != NULL; f++) {
        const trParam *param = tr_field_given(f, params);
        TR_TRY(param != NULL ? check_value(f, param) : TR_OK);
    }
    return TR_OK;
}

trStatus tr_fields_take(trArena *arena, const trField *fields, const trParam *params,
                        void *object) {
    for (const trField *f = fields; f != NULL && f->name != NULL; f++) {
        const trParam *param = tr_field_given(f, params);
        if (param != NULL) {
            TR_TRY(check_value(f, param));
            TR_TRY(store(arena, f, param, (char *)object + f->offset));
        }
    }
    return TR_OK;
}

static trStatus store_fallbacks(trArena *arena, const trField *fields, void *object) {
    for (; fields->name != NULL; fields++) {
        TR_TRY(store_fallback(arena, fields, (char *)object + fields->offset));
    }
    return TR_OK;
}

trStatus tr_options_bind(trArena *arena, size_t size, const trField *fields, const trParam *params,
                         void **out) {
    *out = NULL;
    if (fields == NULL) {
        return TR_OK;
    }
    *out = tr_arena_take(arena, 1, size);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(store_fallbacks(arena, fields, *out));
    trStatus status = tr_fields_take(arena, fields, params, *out);
    return status == TR_E_MODEL ? TR_E_ARGUMENT : status;
}

trStatus tr_fields_bind(trArena *arena, const trField *fields, const trParam *params,
                        void *object) {
    TR_TRY(check_keys(fields, params));
    for (const trField *field = fields; field->name != NULL; field++) {
        if ((field->flags & TR_REQUIRED) != 0 && tr_field_given(field, params) == NULL) {
            return tr_fail(TR_E_MODEL, "'%s' is missing", field->name);
        }
    }
    TR_TRY(store_fallbacks(arena, fields, object));
    return tr_fields_take(arena, fields, params, object);
}

trParam tr_field_param(const trField *field, const void *object) {
    const void *at = (const char *)object + field->offset;
    trParam     p = {.key = field->name, .kind = kinds[field->kind].param};
    switch (field->kind) {
    case TR_FIELD_TEXT:
        p.text = *(const char *const *)at;
        break;
    case TR_FIELD_NUMBERS:
        p.count = ((const trNumbers *)at)->count;
        p.numbers = ((const trNumbers *)at)->at;
        break;
    case TR_FIELD_BOOL:
        p.number = *(const bool *)at ? 1.0 : 0.0;
        break;
    case TR_FIELD_INT:
        p.number = *(const int *)at;
        break;
    default:  // settings have no vectors, functions and laws
        p.number = *(const double *)at;
        break;
    }
    return p;
}

void tr_field_copy(const trField *field, const void *from, void *to) {
    memcpy((char *)to + field->offset, (const char *)from + field->offset, kinds[field->kind].size);
}

trParam tr_field_fallback(const trField *field) {
    return (trParam){.key = field->name,
                     .kind = kinds[field->kind].param,
                     .number = isnan(field->fallback) ? 0.0 : field->fallback};
}

bool tr_param_equal(const trParam *a, const trParam *b) {
    const size_t size = (size_t)a->count * sizeof *a->numbers;
    const bool   texts = a->text != NULL && b->text != NULL;
    return a->kind == b->kind && a->count == b->count &&
           (a->count == 0 || memcmp(a->numbers, b->numbers, size) == 0) &&
           (texts ? strcmp(a->text, b->text) == 0 : a->text == b->text) &&
           !(a->number < b->number) && !(a->number > b->number);
}
