// SPDX-License-Identifier: MIT
// What the command line of `trammel compare` asks for.

#include <math.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "sim/def.h"

#define REPEATS_MOST 1000.0

// Settings that all methods share, and numbers and words that some read. What makes a method, and
// the output, are not among them.
trFieldList tr_compare_fields(void) {
    static const char *const shared[] = {"integrator", "start",    "duration",
                                         "step",       "rtol",     "atol",
                                         "min_step",   "max_step", "rank_tolerance"};
    const trFieldList        all = tr_settings();
    trFieldList              list = {0};
    for (int i = 0; i < all.count; i++) {
        const char *name = all.at[i]->name;
        bool        taken =
            tr_is_option(name) && all.at[i]->kind != TR_FIELD_NUMBERS && strcmp(name, "form") != 0;
        for (size_t k = 0; !taken && k < sizeof shared / sizeof *shared; k++) {
            taken = strcmp(name, shared[k]) == 0;
        }
        if (taken) {
            list.at[list.count++] = all.at[i];
        }
    }
    return list;
}

const struct option tr_compare_options[] = {
    {"methods", required_argument, NULL, 'm'}, {"repeat", required_argument, NULL, 'r'},
    {"force", no_argument, NULL, 'f'},         {"sweep-step", required_argument, NULL, 'w'},
    {"set", required_argument, NULL, 's'},     {"json", no_argument, NULL, 'j'},
    {"csv", required_argument, NULL, 'c'},     {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},       {"plots", required_argument, NULL, 'p'},
    {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
};

static bool read_methods(trCompareRequest *r, const char *text) {
    int count = 1;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == ',';
    }
    const char **names = tr_new_array(r->file.arena, const char *, count);
    char        *word = tr_arena_text(r->file.arena, text);
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
    return tr_cli_numbers(r->file.arena, "sweep-step", text, &r->compare.sweep_steps);
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

bool tr_compare_option(trFileRequest *request, int value) {
    trCompareRequest *r = (trCompareRequest *)request;
    switch (value) {
    case 'm':
        return read_methods(r, optarg);
    case 'r':
        return read_repeat(r, optarg);
    case 'w':
        return read_sweep(r, optarg);
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
    default:
        return false;
    }
}

static bool to_stdout(const trCompareRequest *r) {
    return r->csv != NULL && strcmp(r->csv, "-") == 0;
}

bool tr_compare_check(trFileRequest *request) {
    trCompareRequest *r = (trCompareRequest *)request;
    r->compare.step_given = tr_setting_given(request, "step");
    r->compare.integrator_given = tr_setting_given(request, "integrator");
    if (to_stdout(r) && r->file.json) {
        tr_cli_error("compare: --csv - and --json would both go to standard output; write the "
                     "table to a file with --csv FILE");
        return false;
    }
    if (!to_stdout(r) && tr_cli_same_file(r->file.arena, r->csv, r->file.path)) {
        tr_cli_error("compare: the table would overwrite '%s'; choose another file with --csv",
                     r->file.path);
        return false;
    }
    return true;
}
