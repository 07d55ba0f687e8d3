// SPDX-License-Identifier: MIT
// What the command lines of `trammel run` and `trammel glue` ask for.
//
// Every setting of simulate{} is an option of the same name, with '-' for '_': the options are
// made from the field table. What is true unless it is switched off, `assemble`, is --no-assemble.

#include <string.h>

#include "cli/cli.h"

#define FIRST_SETTING 256  // getopt values of settings begin here, above all letters

static const struct option own_options[] = {
    {"output", required_argument, NULL, 'o'}, {"csv", required_argument, NULL, 'c'},
    {"no-hdf5", no_argument, NULL, 'n'},      {"set", required_argument, NULL, 's'},
    {"json", no_argument, NULL, 'j'},         {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},         {"checkpoint", required_argument, NULL, 'k'},
};

#define OWN_OPTIONS ((int)(sizeof own_options / sizeof *own_options))

// The command's own options, then one for each setting.
static void make_options(trRequest *r) {
    int limit = (int)(sizeof r->options / sizeof *r->options) - 1;
    int count = 0;
    for (; count < OWN_OPTIONS; count++) {
        r->options[count] = own_options[count];
    }
    for (const struct option *o = r->more; o != NULL && o->name != NULL && count < limit; o++) {
        r->options[count++] = *o;
    }
    for (int i = 0; r->fields[i].name != NULL && count < limit; i++) {
        bool  off = r->fields[i].kind == TR_FIELD_BOOL;
        char *name = tr_arena_format(r->arena, "%s%s", off ? "no-" : "", r->fields[i].name);
        for (char *c = name; c != NULL && *c != '\0'; c++) {
            *c = *c == '_' ? '-' : *c;
        }
        r->options[count++] =
            (struct option){name, off ? no_argument : required_argument, NULL, FIRST_SETTING + i};
    }
}

// The name of the option with this value.
static const char *option_of(const trRequest *r, int value) {
    const struct option *o = r->options;
    while (o->name != NULL && o->val != value) {
        o++;
    }
    return o->name;
}

// Turns the text of a setting into a parameter of its kind.
static bool read_setting(trRequest *r, int index, const char *text) {
    const trField *field = &r->fields[index];
    const char    *name = option_of(r, FIRST_SETTING + index);
    trParam       *param = &r->given[r->givens];
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

static bool read_checkpoint(trRequest *r, const char *text) {
    if (!tr_cli_number("checkpoint", text, &r->checkpoint)) {
        return false;
    }
    if (!(r->checkpoint > 0.0)) {
        tr_cli_error("%s: option '--checkpoint': the time between checkpoints must be positive, "
                     "not %g s",
                     r->command, r->checkpoint);
        return false;
    }
    return true;
}

static bool read_option(trRequest *r, int value) {
    switch (value) {
    case 'o':
        r->hdf5 = optarg;
        return true;
    case 'c':
        r->csv = optarg;
        return true;
    case 'n':
        r->no_hdf5 = true;
        return true;
    case 's':
        return tr_cli_set(optarg, r->set, &r->sets);
    case 'j':
        r->json = true;
        return true;
    case 'q':
        r->quiet = true;
        return true;
    case 'k':
        return read_checkpoint(r, optarg);
    default:
        return value >= FIRST_SETTING ? read_setting(r, value - FIRST_SETTING, optarg)
                                      : r->read_more(r, value);
    }
}

bool tr_request_gives(const trRequest *r, const char *key) {
    for (int i = 0; i < r->givens; i++) {
        if (strcmp(r->given[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

// Where the results go: one file each, and none of them the model's.
static bool check_outputs(trRequest *r) {
    bool        to_stdout = r->csv != NULL && strcmp(r->csv, "-") == 0;
    const char *csv = to_stdout ? NULL : r->csv;
    if (to_stdout && r->json) {
        tr_cli_error("%s: --csv - and --json would both go to standard output; write the table "
                     "to a file with --csv FILE",
                     r->command);
        return false;
    }
    r->quiet = r->quiet || to_stdout;
    bool hdf5_over_model = tr_cli_same_file(r->arena, r->hdf5, r->model);
    if (hdf5_over_model || tr_cli_same_file(r->arena, csv, r->model)) {
        tr_cli_error("%s: the result would overwrite '%s'; choose another file with %s", r->command,
                     r->model, hdf5_over_model ? "--output" : "--csv");
        return false;
    }
    if (tr_cli_same_file(r->arena, r->hdf5, csv)) {
        tr_cli_error("%s: HDF5 and CSV would both be written to '%s'; choose two files", r->command,
                     csv);
        return false;
    }
    return tr_arena_status(r->arena) == TR_OK;
}

// What options say together.
static bool check_request(trRequest *r, int argc, char **argv) {
    if (optind >= argc) {
        tr_cli_error("%s: needs %s %s; write 'trammel %s %s.lua'", r->command,
                     strchr("aeiou", r->takes[0]) != NULL ? "an" : "a", r->takes, r->command,
                     r->takes[0] == 'm' ? "MODEL" : "ASSEMBLY");
        return false;
    }
    if (argc - optind > 1) {
        tr_cli_error("%s: takes one %s, not '%s' as well", r->command, r->takes, argv[optind + 1]);
        return false;
    }
    r->model = argv[optind];
    if (r->no_hdf5 && r->hdf5 != NULL) {
        tr_cli_error("%s: --no-hdf5 and --output exclude each other; leave one out", r->command);
        return false;
    }
    if (r->no_hdf5 && r->checkpoint > 0.0) {
        tr_cli_error("%s: --checkpoint needs the HDF5 file, from which rows are taken when the "
                     "run goes on; leave --no-hdf5 out",
                     r->command);
        return false;
    }
    if (r->checkpoint > 0.0 && r->csv != NULL && strcmp(r->csv, "-") == 0) {
        tr_cli_error("%s: --checkpoint cannot go on with a table on standard output; write it to "
                     "a file with --csv FILE",
                     r->command);
        return false;
    }
    if (tr_request_gives(r, "times") && tr_request_gives(r, "sample")) {
        tr_cli_error("%s: --times and --sample exclude each other; leave one out", r->command);
        return false;
    }
    if (!r->no_hdf5 && r->hdf5 == NULL) {
        r->hdf5 = tr_cli_output(r->arena, r->model, ".h5");
    }
    return check_outputs(r);
}

trExit tr_request_read(trRequest *r, int argc, char **argv, bool *helped) {
    r->set = tr_new_array(r->arena, const char *, argc + 1);
    r->given = tr_new_array(r->arena, trParam, argc + 1);
    make_options(r);
    if (tr_arena_status(r->arena) != TR_OK) {
        tr_cli_error("out of memory");
        return TR_EXIT_FAILED;
    }
    for (int value; (value = tr_cli_option(argc, argv, ":o:qh", r->options)) != -1;) {
        if (value == 'h') {
            *helped = true;
            return TR_EXIT_DONE;
        }
        if (value == TR_CLI_BAD_OPTION || !read_option(r, value)) {
            return TR_EXIT_USAGE;
        }
    }
    return check_request(r, argc, argv) ? TR_EXIT_DONE : TR_EXIT_USAGE;
}
