// SPDX-License-Identifier: MIT
// What the settings of a simulation hold.

#include <stdlib.h>
#include <string.h>

#include "report/mechanics.h"
#include "report/reports.h"

// Whether words say more than the default.
static bool is_left_out(const trSimDef *def, const trField *field) {
    return field->left_out != NULL && tr_sim_def_is_plain(def, field);
}

#define SETTING_TEXT 64

// What a setting holds, with its unit: "5 1/s", "householder", "from masses and rows".
static const char *setting_text(const trSimDef *def, const trField *field,
                                char text[SETTING_TEXT]) {
    const trParam value = tr_sim_def_value(def, field);
    if (is_left_out(def, field)) {
        snprintf(text, SETTING_TEXT, "%s", field->left_out);
    } else if (value.kind == TR_PARAM_TEXT) {
        snprintf(text, SETTING_TEXT, "%s", value.text != NULL ? value.text : "none");
    } else if (value.kind == TR_PARAM_NUMBERS) {
        snprintf(text, SETTING_TEXT, "of %d numbers", value.count);
    } else {
        snprintf(text, SETTING_TEXT, "%g%s%s", value.number, field->unit[0] != '\0' ? " " : "",
                 field->unit);
    }
    return text;
}

// The fewest digits from 6 that give back the same number.
static const char *exact(double value, char text[SETTING_TEXT]) {
    int digits = 6;
    do {
        snprintf(text, SETTING_TEXT, "%.*g", digits, value);
    } while (strtod(text, NULL) != value && digits++ < 17);
    return text;
}

static const char *list_text(trArena *arena, const trParam *list, const char *unit) {
    const size_t room = (size_t)list->count * 32 + strlen(unit) + 2;
    char        *text = tr_new_array(arena, char, (ptrdiff_t)room), number[SETTING_TEXT];
    size_t       used = 0;
    for (int i = 0; text != NULL && i < list->count; i++) {
        int size = snprintf(text + used, room - used, "%s%s", exact(list->numbers[i], number),
                            i + 1 < list->count ? ", " : " ");
        used += (size_t)size;
    }
    if (text != NULL) {
        snprintf(text + used, room - used, "%s", unit);
    }
    return text;
}

static bool is_noted(const trSimDef *def, const trField *field) {
    const trParam value = tr_sim_def_value(def, field);
    if (tr_is_option(field->name)) {
        return tr_sim_def_reads(def, field->name);
    }
    return value.kind == TR_PARAM_NUMBER ? strcmp(field->name, "start") == 0 || value.number > 0.0
                                         : value.kind == TR_PARAM_NUMBERS && value.count > 0;
}

const char *tr_setting_note(trArena *arena, const trSimDef *def, const trField *field) {
    const trParam value = tr_sim_def_value(def, field);
    char          text[SETTING_TEXT];
    bool          number = value.kind == TR_PARAM_NUMBER || value.kind == TR_PARAM_NUMBERS;
    if (!is_noted(def, field)) {
        return NULL;
    }
    if (!number || is_left_out(def, field)) {
        return tr_arena_text(arena, setting_text(def, field, text));
    }
    if (value.kind == TR_PARAM_NUMBERS) {
        return list_text(arena, &value, field->unit);
    }
    return tr_arena_format(arena, "%s%s%s", exact(value.number, text),
                           field->unit[0] != '\0' ? " " : "", field->unit);
}

void tr_report_option(trReport *r, const trSimDef *def, const trField *f) {
    const trParam value = tr_sim_def_value(def, f);
    char          text[SETTING_TEXT];
    tr_report_text(r, NULL, f->name, setting_text(def, f, text));
    if (value.kind == TR_PARAM_TEXT) {
        tr_report_text(r, f->name, NULL, value.text != NULL ? value.text : f->left_out);
    } else if (value.kind == TR_PARAM_NUMBERS) {
        tr_report_numbers(r, f->name, value.count, value.numbers);
    } else {
        tr_report_number(r, f->name, NULL, value.number, NULL);
    }
}
