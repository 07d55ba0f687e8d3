// SPDX-License-Identifier: MIT
// `trammel compare`: one model under every method, against a reference.

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/compare_parts.h"
#include "integrator/integrator.h"
#include "sim/def.h"

#define REPEATS_MOST 1000.0

// --- what the command line asks for ---

typedef struct Request {
    trFileRequest    file;
    const char      *csv;    // path; NULL: none
    const char      *plots;  // folder; NULL: none
    trCompareOptions compare;
} Request;

// Settings that all methods share, and numbers and words that some read. What makes a method, and
// the output, are not among them.
static trFieldList fields(void) {
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

static bool read_methods(trFileRequest *request, const char *text) {
    trCompareOptions *o = &((Request *)request)->compare;
    const char      **names = NULL;
    o->method_count = 0;
    bool good = tr_cli_words(request->arena, "methods", text, &o->method_count, &names);
    o->methods = names;
    return good;
}

// A whole number without a comma is how often the step is halved; all else are steps.
static bool read_sweep(trFileRequest *request, const char *text) {
    trCompareOptions *o = &((Request *)request)->compare;
    if (text[0] != '\0' && text[strspn(text, "0123456789")] == '\0') {
        double count = 0.0;
        if (!tr_cli_number("sweep-step", text, &count)) {
            return false;
        }
        if (count < 1.0 || count > 30.0) {
            tr_cli_error("option '--sweep-step': a step can be halved 1 to 30 times, not %s", text);
            return false;
        }
        o->sweep_halvings = (int)count;
        return true;
    }
    return tr_cli_numbers(request->arena, "sweep-step", text, &o->sweep_steps);
}

static bool read_repeat(trFileRequest *request, const char *text) {
    trCompareOptions *o = &((Request *)request)->compare;
    double            count = 0.0;
    if (!tr_cli_number("repeat", text, &count)) {
        return false;
    }
    if (count < 1.0 || count > REPEATS_MOST || count != floor(count)) {
        tr_cli_error("option '--repeat': '%s' is not a whole number from 1 to %g", text,
                     REPEATS_MOST);
        return false;
    }
    o->repeat = (int)count;
    return true;
}

static const trOption options[] = {
    TR_READ(read_methods, "methods", 0, "A,B,C",
            "use these methods only, also cvode, ida, radau5; some accept an option: maggi:svd, "
            "penalty:1e7 (see 'trammel methods')"),
    TR_READ(read_repeat, "repeat", 0, "N", "report the fastest of N runs (default: 3 to 20)"),
    TR_FLAG(Request, compare.force, "force", 0, "run dense methods at any size"),
    TR_READ(read_sweep, "sweep-step", 0, "H,...",
            "print error against work for these steps; N without a comma: with N halvings of the "
            "step, or with adaptive integrators for tolerances from 1e-4 to 1e-10"),
    TR_SET("the model file"),
    TR_JSON("the full result"),
    TR_STRING(Request, csv, "csv", 0, "FILE",
              "write a table; '-': to standard output, without other output"),
    TR_STRING(Request, plots, "plots", 0, "DIR",
              "write charts (SVG) of violation, energy and error over time and against work"),
    TR_VERBOSE("also means and further columns"),
    TR_FLAG(trFileRequest, quiet, "quiet", 'q', "do not print progress"),
    {0},
};

static bool to_stdout(const Request *r) {
    return r->csv != NULL && strcmp(r->csv, "-") == 0;
}

static bool check(trFileRequest *request) {
    Request *r = (Request *)request;
    r->compare.traces = r->plots != NULL;
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

// --- the comparison ---

// Whether a method of the comparison reads this option.
static bool is_read(const Request *r, const char *option) {
    const trCompareOptions *o = &r->compare;
    int                     count = o->methods != NULL ? o->method_count : tr_method_count();
    for (int i = 0; i < count; i++) {
        trSimDef def = tr_sim_def_default();
        char     name[64];
        snprintf(name, sizeof name, "%s",
                 o->methods != NULL ? o->methods[i] : tr_method_at(i)->name);
        name[strcspn(name, ":")] = '\0';
        bool is_method = tr_method_find(name) != NULL;
        *(is_method ? &def.method : &def.integrator) = name;
        if ((is_method || tr_integrator_find(name) != NULL) && tr_sim_def_reads(&def, option)) {
            return true;
        }
    }
    return false;
}

static trExit apply_settings(const Request *r, trSimDef *def) {
    for (int i = 0; i < r->file.givens; i++) {
        const trParam one[] = {r->file.given[i], {0}};
        if (tr_is_option(one->key) && !is_read(r, one->key)) {
            tr_cli_error("compare: '%s' is read by none of these methods; leave it out", one->key);
            return TR_EXIT_USAGE;
        }
        if (tr_sim_def_bind(r->file.arena, one, def) != TR_OK) {
            tr_cli_error("compare: %s", tr_last_error());
            return TR_EXIT_USAGE;
        }
    }
    if (tr_sim_def_check(def) != TR_OK) {
        tr_cli_error("compare: %s", tr_last_error());
        return TR_EXIT_USAGE;
    }
    return TR_EXIT_DONE;
}

static trExit write_csv(const Request *r, const trCompare *c) {
    FILE *file = fopen(r->csv, "w");
    if (file == NULL) {
        tr_cli_error("'%s': cannot write: %s", r->csv, strerror(errno));
        return TR_EXIT_FILE;
    }
    tr_compare_csv(file, c);
    bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad) {
        tr_cli_error("'%s': cannot write: %s", r->csv, strerror(errno));
        return TR_EXIT_FILE;
    }
    return TR_EXIT_DONE;
}

// Before runs that may take minutes: is there a place for their results? A file that exists keeps
// what it has until there is something to write.
static trExit prepare(const Request *r) {
    if (r->csv != NULL && !to_stdout(r)) {
        FILE *file = fopen(r->csv, "a");
        if (file == NULL || fclose(file) != 0) {
            tr_cli_error("'%s': cannot write: %s", r->csv, strerror(errno));
            return TR_EXIT_FILE;
        }
    }
    return r->plots != NULL ? tr_compare_plots_folder(r->plots) : TR_EXIT_DONE;
}

static trExit write_all(const Request *r, const trCompare *c) {
    trExit told = TR_EXIT_DONE;
    if (!r->file.json && to_stdout(r)) {
        tr_compare_csv(stdout, c);
    } else {
        told = tr_cli_report(tr_report_compare(c, r->file.path), &r->file);
    }
    trExit code = r->csv != NULL && !to_stdout(r) ? write_csv(r, c) : TR_EXIT_DONE;
    trExit drawn = r->plots != NULL ? tr_compare_plots(r->plots, r->file.path, c) : TR_EXIT_DONE;
    code = code != TR_EXIT_DONE ? code : drawn;
    return code != TR_EXIT_DONE ? code : told;
}

// Rows of the table that came to the end; `first` receives one that did not.
static int count_done(const trCompare *c, const trCompareRow **first) {
    int done = 0;
    *first = NULL;
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        bool                counts = row->shown && !row->sweep;
        done += counts && row->state == TR_COMPARE_DONE;
        if (counts && row->state != TR_COMPARE_DONE && *first == NULL) {
            *first = row;
        }
    }
    return done;
}

static trExit judge(const Request *r, const trCompare *c) {
    const trCompareRow *row = NULL;
    if (c->interrupted) {
        tr_cli_error("%s: interrupted; what had run is shown", r->file.path);
        return TR_EXIT_INTERRUPTED;
    }
    if (count_done(c, &row) > 0 || row == NULL) {
        return TR_EXIT_DONE;
    }
    tr_cli_error("%s: no method finished; %s: %s", r->file.path, row->label, row->reason);
    return c->reference.status == TR_E_MODEL ? TR_EXIT_MODEL : TR_EXIT_FAILED;
}

static trExit compare(trFileRequest *request, trLoaded *loaded) {
    Request   *r = (Request *)request;
    trCompare *c = NULL;
    trExit     code = apply_settings(r, &loaded->def);
    code = code == TR_EXIT_DONE ? prepare(r) : code;
    if (code != TR_EXIT_DONE) {
        return code;
    }
    trProgress progress = tr_progress_begin(!request->quiet, 0.0);
    r->compare.struct_size = sizeof(trCompareOptions);
    r->compare.stop = tr_cli_catch_signals();
    r->compare.progress = tr_progress_part;
    r->compare.context = &progress;
    trStatus status = tr_compare_create(loaded->system, &loaded->def, &r->compare, &c);
    tr_progress_end(&progress);
    if (status == TR_OK) {
        code = write_all(r, c);
        code = code == TR_EXIT_DONE ? judge(r, c) : code;
    } else {
        tr_cli_error("compare: %s", tr_last_error());
        code = status == TR_E_ARGUMENT ? TR_EXIT_USAGE : tr_cli_exit(status);
    }
    tr_compare_destroy(c);
    return code;
}

const trCommand tr_command_compare = {
    .name = "compare",
    .summary = "run a model with all methods and compare them",
    .examples =
        "  trammel compare four_bar.lua\n"
        "  trammel compare four_bar.lua --integrator rk4 --step 1e-3 --duration 10\n"
        "  trammel compare four_bar.lua --methods lagrange,direct,masarati --sweep-step 4\n",
    .help = "Runs the model with all methods and prints for each the violations at three\n"
            "levels, the energy drift, the error against a reference, the work and the CPU\n"
            "time relative to lagrange, best first, and a recommendation. Methods whose\n"
            "figures differ only in time share a line.\n",
    .needs = "a model file",
    .file = "MODEL.lua",
    .size = sizeof(Request),
    .options = options,
    .fields = fields,
    .check = check,
    .run_model = compare,
};
