// SPDX-License-Identifier: MIT
// Options of the command line and of the help, from one table: those of the command, then its
// settings. Every setting of simulate{} is an option of the same name, with '-' for '_'; what is
// true unless it is switched off, `assemble`, is --no-assemble.

#include <getopt.h>
#include <string.h>

#include "base/spell.h"
#include "cli/cli.h"

#define WORD_SIZE 512
#define FIRST 256       // getopt values of options begin here, above all letters
#define NAME_SIZE 64    // of an option
#define DASHES 2        // before its name
#define HELP_COLUMN 27  // where descriptions begin
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

// --- reading ---

// An option of the command has the value FIRST + its number; settings follow.
typedef struct Table {
    trFieldList    fields;
    int            own;
    struct option *all;  // ends with a NULL name
    char           letters[32];
} Table;

static void add_option(Table *t, int at, const trOption *o) {
    bool value = o->value != NULL;
    t->all[at] =
        (struct option){o->name, value ? required_argument : no_argument, NULL, FIRST + at};
    size_t used = strlen(t->letters);
    if (o->letter != 0 && used + 2 < sizeof t->letters) {
        t->letters[used] = o->letter;
        t->letters[used + 1] = value ? ':' : '\0';
    }
}

// The former name of a setting is an option, too, which neither the help nor a suggestion shows.
static void add_aliases(trArena *arena, Table *t, struct option *to) {
    for (int i = 0; i < t->fields.count; i++) {
        trField named = *t->fields.at[i];
        char    name[NAME_SIZE];
        if (named.alias != NULL) {
            named.name = named.alias;
            *to = t->all[t->own + i];
            to++->name = tr_arena_text(arena, option_of(&named, name) + DASHES);
        }
    }
}

static bool make_table(const trFileRequest *r, Table *t) {
    const trCommand *c = r->command;
    *t = (Table){.letters = ":h"};
    t->fields = c->fields != NULL ? c->fields() : t->fields;
    while (c->options[t->own].name != NULL) {
        t->own++;
    }
    t->all = tr_new_array(r->arena, struct option, t->own + 2 * t->fields.count + 2);
    for (int i = 0; t->all != NULL && i < t->own; i++) {
        add_option(t, i, &c->options[i]);
    }
    for (int i = 0; t->all != NULL && i < t->fields.count; i++) {
        char     name[NAME_SIZE];
        trOption o = {.name = tr_arena_text(r->arena, option_of(t->fields.at[i], name) + DASHES),
                      .value = t->fields.at[i]->kind == TR_FIELD_BOOL ? NULL : ""};
        add_option(t, t->own + i, &o);
    }
    if (tr_arena_status(r->arena) == TR_OK) {
        t->all[t->own + t->fields.count] = (struct option){"help", no_argument, NULL, 'h'};
        add_aliases(r->arena, t, &t->all[t->own + t->fields.count + 1]);
    }
    return tr_arena_status(r->arena) == TR_OK;
}

static const char *option_name(const void *context, int i) {
    const struct option *options = context;
    return options[i].name;
}

// How many options begin with the word: getopt_long takes a beginning that fits one.
static int options_beginning(const struct option *options, const char *word) {
    int count = 0;
    for (int i = 0; options[i].name != NULL; i++) {
        count += strncmp(options[i].name, word, strlen(word)) == 0;
    }
    return count;
}

static void refuse_long_option(const char *command, const char *argument, const Table *t) {
    char word[WORD_SIZE];
    snprintf(word, sizeof word, "%s", argument + DASHES);
    word[strcspn(word, "=")] = '\0';
    const char *near = tr_spell_nearest(word, t->own + t->fields.count + 1, option_name, t->all);
    if (options_beginning(t->all, word) > 1) {
        tr_cli_error("%s: option '--%s' fits more than one option; write it in full", command,
                     word);
    } else if (near != NULL) {
        tr_cli_error("%s: unknown option '--%s'; did you mean '--%s'?", command, word, near);
    } else {
        tr_cli_error("%s: unknown option '--%s'; 'trammel help %s' lists them", command, word,
                     command);
    }
}

// What getopt_long could not read.
static void refuse_option(const Table *t, bool no_value, char **argv) {
    const char *name = NULL;
    for (int i = 0; t->all[i].name != NULL; i++) {
        name = t->all[i].val == optopt ? t->all[i].name : name;
    }
    if (no_value) {
        tr_cli_error("%s: option '%s' needs a value", argv[0], argv[optind - 1]);
    } else if (name != NULL) {
        tr_cli_error("%s: option '--%s' takes no value", argv[0], name);
    } else if (optopt != 0) {
        tr_cli_error("%s: unknown option '-%c'; 'trammel help %s' lists them", argv[0], optopt,
                     argv[0]);
    } else {
        refuse_long_option(argv[0], argv[optind - 1], t);
    }
}

// Turns the text of a setting into a parameter of its kind.
static bool read_setting(trFileRequest *r, const trField *field, const char *text) {
    trParam    *param = &r->given[r->givens];
    char        option[NAME_SIZE];
    const char *name = option_of(field, option) + DASHES;
    trNumbers   list = {0};
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

static bool read_option(trFileRequest *r, const Table *t, int value) {
    const trOption *o = r->command->options;
    if (value >= FIRST + t->own) {
        return read_setting(r, t->fields.at[value - FIRST - t->own], optarg);
    }
    while (value >= FIRST ? o - r->command->options < value - FIRST : o->letter != value) {
        o++;
    }
    if (o->read != NULL) {
        return o->read(r, optarg);
    }
    char *member = (char *)r + o->member;
    if (o->value == NULL) {
        *(bool *)(void *)member = true;
    } else {
        *(const char **)(void *)member = optarg;
    }
    return true;
}

trExit tr_options_read(trFileRequest *r, int argc, char **argv, bool *helped) {
    Table t;
    r->set = tr_new_array(r->arena, const char *, argc + 1);
    r->given = tr_new_array(r->arena, trParam, argc + 1);
    if (!make_table(r, &t)) {
        tr_cli_error("out of memory");
        return TR_EXIT_FAILED;
    }
    // NOLINTNEXTLINE(concurrency-mt-unsafe): options are read before anything else happens.
    for (int value; (value = getopt_long(argc, argv, t.letters, t.all, NULL)) != -1;) {
        if (value == 'h') {
            *helped = true;
            return TR_EXIT_DONE;
        }
        if (value == '?' || value == ':') {
            refuse_option(&t, value == ':', argv);
            return TR_EXIT_USAGE;
        }
        if (!read_option(r, &t, value)) {
            return TR_EXIT_USAGE;
        }
    }
    return TR_EXIT_DONE;
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

// --- help ---

// What stands for the value in the help: "X" of "--rtol X".
static const char *placeholder(trFieldKind kind) {
    return kind == TR_FIELD_TEXT      ? "NAME"
           : kind == TR_FIELD_NUMBERS ? "X,..."
           : kind == TR_FIELD_BOOL    ? NULL
                                      : "X";
}

// Prints words from column HELP_COLUMN on, in lines of at most HELP_WIDTH.
static void print_wrapped(const char *text) {
    int column = HELP_COLUMN;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            printf("\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column += printf("%s%.*s", column > HELP_COLUMN ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_option(char letter, const char *name, const char *value, const char *help) {
    char start[8] = "      ";
    if (letter != 0) {
        snprintf(start, sizeof start, "  -%c, ", letter);
    }
    int length =
        printf("%s--%s%s%s", start, name, value != NULL ? " " : "", value != NULL ? value : "");
    printf("%s%*s", length < HELP_COLUMN ? "" : "\n",
           length < HELP_COLUMN ? HELP_COLUMN - length : HELP_COLUMN, "");
    print_wrapped(help);
}

static void print_setting(const trField *f) {
    char        name[NAME_SIZE], text[WORD_SIZE];
    bool        unit = f->unit[0] != '\0';
    const char *help = strncmp(f->help, "false: ", 7) == 0 ? f->help + 7 : f->help;
    snprintf(text, sizeof text, "%s%s%s%s", help, unit ? " [" : "", f->unit, unit ? "]" : "");
    print_option(0, option_of(f, name) + DASHES, placeholder(f->kind), text);
}

void tr_command_help(const trCommand *c) {
    const trFieldList fields = c->fields != NULL ? c->fields() : (trFieldList){0};
    printf("%s\nusage: trammel %s %s [OPTIONS]\n\n%s\n", c->examples, c->name, c->file, c->help);
    for (const trOption *o = c->options; o->name != NULL; o++) {
        if (o->help != NULL) {
            print_option(o->letter, o->name, o->value, o->help);
        }
    }
    printf("%s%s", c->notes != NULL ? "\n" : "", c->notes != NULL ? c->notes : "");
    printf("%s", fields.count > 0 ? "\nSettings, which override those of the file:\n\n" : "");
    for (int i = 0; i < fields.count; i++) {
        print_setting(fields.at[i]);
    }
}
