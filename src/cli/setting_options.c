// SPDX-License-Identifier: MIT
// Every setting of simulate{} is an option of the same name, with '-' for '_': the options are
// made from the field table. What is true unless it is switched off, `assemble`, is --no-assemble.

#include <string.h>

#include "cli/cli.h"

#define FIRST_SETTING 256  // getopt values of settings begin here, above all letters
#define NAME_SIZE 64       // of an option
#define DASHES 2           // before its name
#define HELP_COLUMN 27     // where descriptions begin
#define HELP_WIDTH 80

// "--rank-tolerance" of "rank_tolerance", "--no-assemble" of "assemble".
static const char *option_of(const trField *f, char option[NAME_SIZE]) {
    snprintf(option, NAME_SIZE, "--%s%s", f->kind == TR_FIELD_BOOL ? "no-" : "", f->name);
    for (char *c = option; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    return option;
}

static const trField *field_of(const trFieldList *list, const char *name) {
    for (int i = 0; name != NULL && i < list->count; i++) {
        if (strcmp(list->at[i]->name, name) == 0) {
            return list->at[i];
        }
    }
    return NULL;
}

// The field of the command's setting number i; NULL after the last one.
static const trField *setting_at(const trCommand *c, int i) {
    const trFieldList list = c->fields != NULL ? c->fields() : (trFieldList){0};
    return i < list.count ? list.at[i] : NULL;
}

const struct option *tr_setting_options(trArena *arena, const trCommand *c) {
    int own = 0, settings = 0;
    while (c->options[own].name != NULL) {
        own++;
    }
    while (setting_at(c, settings) != NULL) {
        settings++;
    }
    struct option *all = tr_new_array(arena, struct option, own + settings + 1);
    for (int i = 0; all != NULL && i < own; i++) {
        all[i] = c->options[i];
    }
    for (int i = 0; all != NULL && i < settings; i++) {
        const trField *field = setting_at(c, i);
        char           option[NAME_SIZE];
        all[own + i] =
            (struct option){tr_arena_text(arena, option_of(field, option) + DASHES),
                            field->kind == TR_FIELD_BOOL ? no_argument : required_argument, NULL,
                            FIRST_SETTING + i};
    }
    return all;
}

bool tr_setting_is(int value) {
    return value >= FIRST_SETTING;
}

bool tr_setting_read(trFileRequest *r, int value, const char *text) {
    const trField *field = setting_at(r->command, value - FIRST_SETTING);
    trParam       *param = &r->given[r->givens];
    char           option[NAME_SIZE];
    const char    *name = option_of(field, option) + DASHES;
    trNumbers      list = {0};
    *param = (trParam){.key = field->name};
    switch (field->kind) {
    case TR_FIELD_TEXT:
        param->kind = TR_PARAM_TEXT;
        param->text = text;
        break;
    case TR_FIELD_BOOL:
        param->kind = TR_PARAM_BOOL;  // false
        break;
    case TR_FIELD_NUMBERS:
        if (!tr_cli_numbers(r->arena, name, text, &list)) {
            return false;
        }
        param->kind = TR_PARAM_NUMBERS;
        param->count = list.count;
        param->numbers = list.at;
        break;
    default:
        if (!tr_cli_number(name, text, &param->number)) {
            return false;
        }
        param->kind = TR_PARAM_NUMBER;
    }
    r->givens++;
    return true;
}

bool tr_setting_given(const trFileRequest *r, const char *key) {
    for (int i = 0; i < r->givens; i++) {
        if (strcmp(r->given[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

void tr_setting_refuse(const trFileRequest *r, const char *key) {
    const trFieldList list = r->command->fields();
    char              option[NAME_SIZE];
    const char       *text = tr_last_error();
    size_t            length = strlen(key);
    if (text[0] == '\'' && strncmp(text + 1, key, length) == 0 && text[1 + length] == '\'') {
        text += length + 2;
        text += *text == ' ';
    }
    tr_cli_error("%s: option '%s': %s", r->command->name, option_of(field_of(&list, key), option),
                 text);
}

// What stands for the value in the help: "X" of "--rtol X".
static const char *placeholder(trFieldKind kind) {
    return kind == TR_FIELD_TEXT      ? " NAME"
           : kind == TR_FIELD_NUMBERS ? " X,..."
           : kind == TR_FIELD_BOOL    ? ""
                                      : " X";
}

// Prints words from column HELP_COLUMN on, in lines of at most HELP_WIDTH.
static void print_wrapped(FILE *file, const char *text) {
    int column = HELP_COLUMN;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            fprintf(file, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column += fprintf(file, "%s%.*s", column > HELP_COLUMN ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', file);
}

void tr_setting_help(FILE *file, trFieldList fields) {
    for (int i = 0; i < fields.count; i++) {
        const trField *f = fields.at[i];
        char           option[NAME_SIZE], text[512];
        bool           unit = f->unit[0] != '\0';
        const char    *help = strncmp(f->help, "false: ", 7) == 0 ? f->help + 7 : f->help;
        snprintf(text, sizeof text, "%s%s%s%s", help, unit ? " [" : "", f->unit, unit ? "]" : "");
        int length = fprintf(file, "      %s%s", option_of(f, option), placeholder(f->kind));
        fprintf(file, "%s%*s", length < HELP_COLUMN ? "" : "\n",
                length < HELP_COLUMN ? HELP_COLUMN - length : HELP_COLUMN, "");
        print_wrapped(file, text);
    }
}
