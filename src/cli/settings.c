// SPDX-License-Identifier: MIT
// Settings of a simulation: what there is, and what they hold.

#include <stdlib.h>
#include <string.h>

#include "cli/method_lists.h"

static int count(void) {
    int settings = 0;
    while (tr_sim_def_fields[settings].name != NULL) {
        settings++;
    }
    return settings;
}

static const char *name(int index) {
    return tr_sim_def_fields[index].name;
}

// The methods that read an option, or the choices where no method does.
static void print_readers(FILE *file, const char *setting) {
    int said = 0;
    for (int i = 0; i < tr_method_count(); i++) {
        const trSimDef def = {.method = tr_method_at(i)->name};
        if (tr_sim_def_reads(&def, setting)) {
            fprintf(file, "%s%s", said++ > 0 ? ", " : "", def.method);
        }
    }
    for (int i = 0; said == 0 && i < tr_reader_count(); i++) {
        const trReader *reader = tr_reader_at(i);
        if (strcmp(reader->setting, setting) == 0) {
            fprintf(file, "%s %s", reader->choice, reader->kind);
        }
    }
    fputc('\n', file);
}

static void print(FILE *file, int index, bool full) {
    const trField one[] = {tr_sim_def_fields[index], TR_FIELD_END};
    if (!full) {
        fprintf(file, "  %-18s %s%s%s%s\n", one->name, one->help, one->unit[0] != '\0' ? " [" : "",
                one->unit, one->unit[0] != '\0' ? "]" : "");
        return;
    }
    tr_cli_field_table(file, one);
    if (tr_is_option(one->name)) {
        fprintf(file, "    %-18s ", "read by");
        print_readers(file, one->name);
    }
}

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

// The default of a setting: a text, a number, or null.
void tr_setting_json(trJson *json, const trField *field) {
    const trSimDef plain = tr_sim_def_default();
    tr_json_text(json, "name", field->name);
    tr_json_text(json, "type", tr_field_type_text(field->kind));
    tr_json_text(json, "unit", field->unit);
    if (field->kind == TR_FIELD_TEXT) {
        tr_json_text(json, "default", text_of(&plain, field));
    } else if (field->kind == TR_FIELD_BOOL) {
        tr_json_bool(json, "default", field->fallback != 0.0);
    } else {
        tr_json_number(json, "default", field->fallback);
    }
    tr_json_text(json, "left_out", tr_option_left_out(field->name));
    tr_json_text(json, "meaning", field->help);
}

void tr_setting_value_json(trJson *json, const trSimDef *def, const trField *field) {
    const char *word = field->kind == TR_FIELD_TEXT ? text_of(def, field) : NULL;
    if (field->kind == TR_FIELD_TEXT) {
        tr_json_text(json, field->name, word != NULL ? word : tr_option_left_out(field->name));
    } else if (field->kind == TR_FIELD_NUMBERS) {
        trNumbers list = list_of(def, field);
        tr_json_array(json, field->name);
        for (int i = 0; i < list.count; i++) {
            tr_json_number(json, NULL, list.at[i]);
        }
        tr_json_close(json);
    } else {
        tr_json_number(json, field->name, number_of(def, field));
    }
}

bool tr_setting_is_of_integrator(const char *setting) {
    for (int i = 0; i < tr_reader_count(); i++) {
        const trReader *reader = tr_reader_at(i);
        if (strcmp(reader->setting, setting) == 0) {
            return strcmp(reader->choice, "integrator") == 0;
        }
    }
    return false;
}

static void json(trJson *out, int index) {
    const trField *field = &tr_sim_def_fields[index];
    tr_setting_json(out, field);
    tr_json_bool(out, "option", tr_is_option(field->name));
    tr_json_array(out, "read_by");
    for (int i = 0; tr_is_option(field->name) && i < tr_reader_count(); i++) {
        const trReader *reader = tr_reader_at(i);
        if (strcmp(reader->setting, field->name) == 0) {
            tr_json_object(out, NULL);
            tr_json_text(out, "choice", reader->choice);
            tr_json_text(out, "kind", reader->kind);
            tr_json_close(out);
        }
    }
    tr_json_close(out);
}

const trListing tr_settings_listing = {"settings", count, name, NULL, print, json};
