// SPDX-License-Identifier: MIT
// Settings of a simulation: what there is, and what they hold.

#include <string.h>

#include "cli/method_lists.h"

static int count(void) {
    return tr_settings().count;
}

static const char *name(int index) {
    return tr_settings().at[index]->name;
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
    trReader reader;
    for (int k = 0; said == 0 && tr_setting_reader(setting, k, &reader); k++) {
        fprintf(file, "%s %s", reader.choice, reader.kind);
    }
    fputc('\n', file);
}

static void print(FILE *file, int index, bool full) {
    const trField one[] = {*tr_settings().at[index], TR_FIELD_END};
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

// The default of a setting: a text, a number, or null.
void tr_setting_json(trJson *json, const trField *field) {
    tr_json_text(json, "name", field->name);
    tr_json_text(json, "type", tr_field_type_text(field->kind));
    tr_json_text(json, "unit", field->unit);
    if (field->kind == TR_FIELD_TEXT) {
        tr_json_text(json, "default", NULL);
    } else if (field->kind == TR_FIELD_BOOL) {
        tr_json_bool(json, "default", field->fallback != 0.0);
    } else {
        tr_json_number(json, "default", field->fallback);
    }
    tr_json_text(json, "left_out", field->left_out);
    tr_json_text(json, "meaning", field->help);
}

static void json(trJson *out, int index) {
    const trField *field = tr_settings().at[index];
    trReader       reader;
    tr_setting_json(out, field);
    tr_json_bool(out, "option", tr_is_option(field->name));
    tr_json_array(out, "read_by");
    for (int k = 0; tr_setting_reader(field->name, k, &reader); k++) {
        tr_json_object(out, NULL);
        tr_json_text(out, "choice", reader.choice);
        tr_json_text(out, "kind", reader.kind);
        tr_json_close(out);
    }
    tr_json_close(out);
}

const trListing tr_settings_listing = {"settings", count, name, NULL, print, json};
