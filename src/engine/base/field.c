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

// With the article, as it stands after "must be".
static const char *type_with_article(trFieldKind kind) {
    switch (kind) {
    case TR_FIELD_REAL:
        return "a number";
    case TR_FIELD_INT:
        return "a whole number";
    case TR_FIELD_BOOL:
        return "true or false";
    case TR_FIELD_VEC2:
        return "a vector {x, y}";
    case TR_FIELD_VEC3:
        return "a vector {x, y, z}";
    case TR_FIELD_TEXT:
        return "a text";
    case TR_FIELD_FUNCTION:
        return "a number or a function of time";
    case TR_FIELD_LAW:
        return "a number or a law";
    case TR_FIELD_NUMBERS:
        return "a list of numbers";
    case TR_FIELD_BODY:
        return "a body";
    }
    return "a value";
}

const char *tr_field_type_text(trFieldKind kind) {
    const char *text = type_with_article(kind);
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
    int         count = field_count(fields);
    const char *nearest = tr_spell_nearest(key, count, field_name, fields);
    trStatus    status = tr_fail(TR_E_MODEL, "unknown key '%s'", key);
    if (nearest != NULL) {
        return tr_add_hint(status, "; did you mean '%s'?", nearest);
    }
    if (count == 0) {
        return tr_add_hint(status, "; there are no keys here");
    }
    status = tr_add_hint(status, "; known are %s", fields[0].name);
    for (int i = 1; i < count; i++) {
        status = tr_add_hint(status, ", %s", fields[i].name);
    }
    return status;
}

static trStatus check_keys(const trField *fields, const trParam *params) {
    int count = tr_param_count(params);
    for (int i = 0; i < count; i++) {
        const trField *field = fields;
        while (field->name != NULL && strcmp(field->name, params[i].key) != 0) {
            field++;
        }
        if (field->name == NULL) {
            return unknown_key(fields, params[i].key);
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(params[j].key, params[i].key) == 0) {
                return tr_fail(TR_E_MODEL, "'%s' is given twice", params[i].key);
            }
        }
    }
    return TR_OK;
}

static const trParam *find_param(const trParam *params, const char *key) {
    int count = tr_param_count(params);
    for (int i = 0; i < count; i++) {
        if (strcmp(params[i].key, key) == 0) {
            return &params[i];
        }
    }
    return NULL;
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
    bool number = param->kind == TR_PARAM_NUMBER;
    switch (field->kind) {
    case TR_FIELD_REAL:
    case TR_FIELD_INT:
        return number;
    case TR_FIELD_BODY:
        return param->kind == TR_PARAM_BODY;
    case TR_FIELD_BOOL:
        return param->kind == TR_PARAM_BOOL;
    case TR_FIELD_VEC2:
        return param->kind == TR_PARAM_NUMBERS && param->count == 2 && param->numbers != NULL;
    case TR_FIELD_VEC3:
        return param->kind == TR_PARAM_NUMBERS && param->count == 3 && param->numbers != NULL;
    case TR_FIELD_TEXT:
        return param->kind == TR_PARAM_TEXT && param->text != NULL;
    case TR_FIELD_FUNCTION:
        return number || (param->kind == TR_PARAM_FUNCTION && param->function != NULL);
    case TR_FIELD_LAW:
        return number || (param->kind == TR_PARAM_LAW && param->law != NULL);
    case TR_FIELD_NUMBERS:
        return param->kind == TR_PARAM_NUMBERS && param->count >= 0 &&
               (param->numbers != NULL || param->count == 0);
    }
    return false;
}

// What was given in place of what must be.
static trStatus refuse_kind(const trField *field, const trParam *param) {
    static const char *const words[] = {
        [TR_PARAM_NUMBER] = "a number", [TR_PARAM_BOOL] = "true or false",
        [TR_PARAM_TEXT] = "a text",     [TR_PARAM_FUNCTION] = "a function",
        [TR_PARAM_LAW] = "a law",       [TR_PARAM_NUMBERS] = "a list",
        [TR_PARAM_BODY] = "a body"};
    tr_fail(TR_E_MODEL, "'%s' must be %s, got %s", field->name, type_with_article(field->kind),
            words[param->kind]);
    return param->kind == TR_PARAM_NUMBERS ? tr_add_hint(TR_E_MODEL, " of %d number%s",
                                                         param->count, param->count == 1 ? "" : "s")
                                           : TR_E_MODEL;
}

static trStatus check_value(const trField *field, const trParam *param) {
    if (!fits(field, param)) {
        return refuse_kind(field, param);
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
    double fallback = field->fallback;
    switch (field->kind) {
    case TR_FIELD_REAL:
        *(double *)member = fallback;
        break;
    case TR_FIELD_INT:
        *(int *)member = isnan(fallback) ? 0 : (int)fallback;
        break;
    case TR_FIELD_BOOL:
        *(bool *)member = !isnan(fallback) && fallback != 0.0;
        break;
    case TR_FIELD_VEC2:
        *(trVec2 *)member = (trVec2){fallback, fallback};
        break;
    case TR_FIELD_VEC3:
        *(trVec3 *)member = (trVec3){fallback, fallback, fallback};
        break;
    case TR_FIELD_TEXT:
        *(const char **)member = NULL;
        break;
    case TR_FIELD_FUNCTION:
        *(trFunction *)member = (trFunction){.constant = fallback};
        break;
    case TR_FIELD_LAW:
        *(const trLaw **)member = NULL;
        return isnan(fallback) ? TR_OK : tr_law_linear(arena, fallback, (const trLaw **)member);
    case TR_FIELD_NUMBERS:
        *(trNumbers *)member = (trNumbers){0};
        break;
    case TR_FIELD_BODY:
        *(int *)member = TR_GROUND;
        break;
    }
    return TR_OK;
}

trStatus tr_fields_bind(trArena *arena, const trField *fields, const trParam *params,
                        void *object) {
    TR_TRY(check_keys(fields, params));
    for (const trField *field = fields; field->name != NULL; field++) {
        const trParam *param = find_param(params, field->name);
        void          *member = (char *)object + field->offset;
        if (param != NULL) {
            TR_TRY(check_value(field, param));
            TR_TRY(store(arena, field, param, member));
        } else if ((field->flags & TR_REQUIRED) != 0) {
            return tr_fail(TR_E_MODEL, "'%s' is missing", field->name);
        } else {
            TR_TRY(store_fallback(arena, field, member));
        }
    }
    return TR_OK;
}
