// SPDX-License-Identifier: MIT
// What the settings of a simulation hold.

#include "report/settings.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const trSimDef *def, const trField *field) {
    const char *text = NULL;
    memcpy(&text, (const char *)def + field->offset, sizeof text);
    return text;
}

static double number_of(const trSimDef *def, const trField *field) {
    double number;
    memcpy(&number, (const char *)def + field->offset, sizeof number);
    return number;
}

static trNumbers list_of(const trSimDef *def, const trField *field) {
    trNumbers list;
    memcpy(&list, (const char *)def + field->offset, sizeof list);
    return list;
}

const char *tr_setting_text(const trSimDef *def, const trField *field, char text[TR_SETTING_TEXT]) {
    const char *left_out = tr_option_left_out(field->name);
    if (left_out != NULL && !tr_sim_def_gives(def, field->name)) {
        snprintf(text, TR_SETTING_TEXT, "%s", left_out);
    } else if (field->kind == TR_FIELD_TEXT) {
        const char *word = text_of(def, field);
        snprintf(text, TR_SETTING_TEXT, "%s", word != NULL ? word : "none");
    } else if (field->kind == TR_FIELD_NUMBERS) {
        snprintf(text, TR_SETTING_TEXT, "of %d numbers", list_of(def, field).count);
    } else {
        snprintf(text, TR_SETTING_TEXT, "%g%s%s", number_of(def, field),
                 field->unit[0] != '\0' ? " " : "", field->unit);
    }
    return text;
}

// The fewest digits from 6 that give back the same number.
static const char *exact(double value, char text[TR_SETTING_TEXT]) {
    int digits = 6;
    do {
        snprintf(text, TR_SETTING_TEXT, "%.*g", digits, value);
    } while (strtod(text, NULL) != value && digits++ < 17);
    return text;
}

static const char *list_text(trArena *arena, trNumbers list, const char *unit) {
    const size_t room = (size_t)list.count * 32 + strlen(unit) + 2;
    char        *text = tr_new_array(arena, char, (ptrdiff_t)room), number[TR_SETTING_TEXT];
    size_t       used = 0;
    for (int i = 0; text != NULL && i < list.count; i++) {
        int size = snprintf(text + used, room - used, "%s%s", exact(list.at[i], number),
                            i + 1 < list.count ? ", " : " ");
        used += (size_t)size;
    }
    if (text != NULL) {
        snprintf(text + used, room - used, "%s", unit);
    }
    return text;
}

static bool is_noted(const trSimDef *def, const trField *field) {
    if (tr_is_option(field->name)) {
        return tr_sim_def_reads(def, field->name);
    }
    return field->kind == TR_FIELD_REAL
               ? strcmp(field->name, "start") == 0 || number_of(def, field) > 0.0
               : field->kind == TR_FIELD_NUMBERS && list_of(def, field).count > 0;
}

const char *tr_setting_note(trArena *arena, const trSimDef *def, const trField *field) {
    char        text[TR_SETTING_TEXT];
    const char *left_out = tr_option_left_out(field->name);
    bool        number = field->kind == TR_FIELD_REAL || field->kind == TR_FIELD_NUMBERS;
    if (!is_noted(def, field)) {
        return NULL;
    }
    if (!number || (left_out != NULL && !tr_sim_def_gives(def, field->name))) {
        return tr_arena_text(arena, tr_setting_text(def, field, text));
    }
    if (field->kind == TR_FIELD_NUMBERS) {
        return list_text(arena, list_of(def, field), field->unit);
    }
    return tr_arena_format(arena, "%s%s%s", exact(number_of(def, field), text),
                           field->unit[0] != '\0' ? " " : "", field->unit);
}

void tr_report_option(trReport *r, const trSimDef *def, const trField *f) {
    const char *word = f->kind == TR_FIELD_TEXT ? text_of(def, f) : NULL;
    char        text[TR_SETTING_TEXT];
    tr_report_text(r, NULL, f->name, tr_setting_text(def, f, text));
    if (f->kind == TR_FIELD_TEXT) {
        tr_report_text(r, f->name, NULL, word != NULL ? word : tr_option_left_out(f->name));
    } else if (f->kind == TR_FIELD_NUMBERS) {
        tr_report_numbers(r, f->name, list_of(def, f).count, list_of(def, f).at);
    } else {
        tr_report_number(r, f->name, NULL, number_of(def, f), NULL);
    }
}
