// SPDX-License-Identifier: MIT
// What the command line of `trammel compare` asks for.

#include <math.h>
#include <string.h>

#include "cli/compare_parts.h"

#define REPEATS_MOST 1000.0
#define FIRST_SETTING 256  // getopt values of settings begin here, above all letters

// Settings that all methods share. What makes a method, and the output, are not among them.
static const char *const settings[] = {
    "integrator", "start", "duration",   "step",    "rtol",  "atol",           "min_step",
    "max_step",   "alpha", "beta",       "rho",     "basis", "inverse",        "penalty",
    "mu",         "omega", "relaxation", "epsilon", "gauge", "rank_tolerance",
};

#define SETTINGS ((int)(sizeof settings / sizeof *settings))

static const struct option own_options[] = {
    {"methods", required_argument, NULL, 'm'}, {"repeat", required_argument, NULL, 'r'},
    {"force", no_argument, NULL, 'f'},         {"sweep-step", required_argument, NULL, 'w'},
    {"set", required_argument, NULL, 's'},     {"json", no_argument, NULL, 'j'},
    {"csv", required_argument, NULL, 'c'},     {"quiet", no_argument, NULL, 'q'},
    {"plots", required_argument, NULL, 'p'},   {"help", no_argument, NULL, 'h'},
};

#define OWN_OPTIONS ((int)(sizeof own_options / sizeof *own_options))

static void make_options(trCompareRequest *r) {
    for (int i = 0; i < OWN_OPTIONS; i++) {
        r->options[i] = own_options[i];
    }
    for (int i = 0; i < SETTINGS; i++) {
        char *name = tr_arena_text(r->arena, settings[i]);
        for (char *c = name; c != NULL && *c != '\0'; c++) {
            *c = *c == '_' ? '-' : *c;
        }
        r->options[OWN_OPTIONS + i] =
            (struct option){name, required_argument, NULL, FIRST_SETTING + i};
    }
}

static const trField *field_of(const char *name) {
    const trField *f = tr_sim_def_fields;
    while (f->name != NULL && strcmp(f->name, name) != 0) {
        f++;
    }
    return f;
}

static bool read_setting(trCompareRequest *r, int index, const char *text) {
    trParam *param = &r->given[r->givens];
    *param = (trParam){.key = settings[index], .kind = TR_PARAM_TEXT, .text = text};
    if (field_of(settings[index])->kind != TR_FIELD_TEXT) {
        param->kind = TR_PARAM_NUMBER;
        if (!tr_cli_number(r->options[OWN_OPTIONS + index].name, text, &param->number)) {
            return false;
        }
    }
    r->givens++;
    r->compare.step_given |= strcmp(settings[index], "step") == 0;
    r->compare.integrator_given |= strcmp(settings[index], "integrator") == 0;
    return true;
}

static bool read_methods(trCompareRequest *r, const char *text) {
    int count = 1;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == ',';
    }
    const char **names = tr_new_array(r->arena, const char *, count);
    char        *word = tr_arena_text(r->arena, text);
    if (names == NULL || word == NULL) {
        tr_cli_error("out of memory");
        return false;
    }
    for (int i = 0; i < count; i++) {
        char *end = word + strcspn(word, ",");
        names[i] = word;
        if (end == word) {
            tr_cli_error("option '--methods': '%s' has an empty name; write it as direct,masarati",
                         text);
            return false;
        }
        word = *end == ',' ? end + 1 : end;
        *end = '\0';
    }
    r->compare.methods = names;
    r->compare.method_count = count;
    return true;
}

// A whole number without a comma is how often the step is halved; all else are steps.
static bool read_sweep(trCompareRequest *r, const char *text) {
    if (text[0] != '\0' && text[strspn(text, "0123456789")] == '\0') {
        double count = 0.0;
        if (!tr_cli_number("sweep-step", text, &count)) {
            return false;
        }
        if (count < 1.0 || count > 30.0) {
            tr_cli_error("option '--sweep-step': a step can be halved 1 to 30 times, not %s", text);
            return false;
        }
        r->compare.sweep_halvings = (int)count;
        return true;
    }
    return tr_cli_numbers(r->arena, "sweep-step", text, &r->compare.sweep_steps);
}

static bool read_repeat(trCompareRequest *r, const char *text) {
    double count = 0.0;
    if (!tr_cli_number("repeat", text, &count)) {
        return false;
    }
    if (count < 1.0 || count > REPEATS_MOST || count != floor(count)) {
        tr_cli_error("option '--repeat': '%s' is not a whole number from 1 to %g", text,
                     REPEATS_MOST);
        return false;
    }
    r->compare.repeat = (int)count;
    return true;
}

static bool read_option(trCompareRequest *r, int value) {
    switch (value) {
    case 'm':
        return read_methods(r, optarg);
    case 'r':
        return read_repeat(r, optarg);
    case 'w':
        return read_sweep(r, optarg);
    case 's':
        return tr_cli_set(optarg, r->set, &r->sets);
    case 'c':
        r->csv = optarg;
        return true;
    case 'p':
        r->plots = optarg;
        r->compare.traces = true;
        return true;
    case 'f':
        r->compare.force = true;
        return true;
    case 'j':
        r->json = true;
        return true;
    case 'q':
        r->quiet = true;
        return true;
    default:
        return read_setting(r, value - FIRST_SETTING, optarg);
    }
}

static bool to_stdout(const trCompareRequest *r) {
    return r->csv != NULL && strcmp(r->csv, "-") == 0;
}

static bool check_request(trCompareRequest *r, int argc, char **argv) {
    if (optind >= argc) {
        tr_cli_error("compare: needs a model file; write 'trammel compare MODEL.lua'");
        return false;
    }
    if (argc - optind > 1) {
        tr_cli_error("compare: takes one model file, not '%s' as well", argv[optind + 1]);
        return false;
    }
    r->model = argv[optind];
    if (to_stdout(r) && r->json) {
        tr_cli_error("compare: --csv - and --json would both go to standard output; write the "
                     "table to a file with --csv FILE");
        return false;
    }
    if (!to_stdout(r) && tr_cli_same_file(r->arena, r->csv, r->model)) {
        tr_cli_error("compare: the table would overwrite '%s'; choose another file with --csv",
                     r->model);
        return false;
    }
    return true;
}

trExit tr_compare_request(trCompareRequest *r, int argc, char **argv) {
    r->set = tr_new_array(r->arena, const char *, argc + 1);
    r->given = tr_new_array(r->arena, trParam, argc + 1);
    make_options(r);
    if (tr_arena_status(r->arena) != TR_OK) {
        tr_cli_error("out of memory");
        return TR_EXIT_FAILED;
    }
    for (int value; (value = tr_cli_option(argc, argv, ":qh", r->options)) != -1;) {
        if (value == 'h') {
            r->helped = true;
            return TR_EXIT_DONE;
        }
        if (value == TR_CLI_BAD_OPTION || !read_option(r, value)) {
            return TR_EXIT_USAGE;
        }
    }
    return check_request(r, argc, argv) ? TR_EXIT_DONE : TR_EXIT_USAGE;
}
