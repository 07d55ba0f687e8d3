// SPDX-License-Identifier: MIT
// `trammel compare`: one model under every method, against a reference.

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/compare_parts.h"
#include "integrator/integrator.h"
#include "sim/def.h"

static const char help[] =
    "  trammel compare four_bar.lua\n"
    "  trammel compare four_bar.lua --integrator rk4 --step 1e-3 --duration 10\n"
    "  trammel compare four_bar.lua --methods lagrange,direct,masarati --sweep-step 4\n\n"
    "usage: trammel compare MODEL.lua [OPTIONS]\n\n"
    "Runs the model with all methods and prints for each the violations at three\n"
    "levels, the energy drift, the error against a reference, the work and the CPU\n"
    "time relative to lagrange, best first, and a recommendation. Methods whose\n"
    "figures differ only in time share a line.\n\n"
    "      --methods A,B,C      use these methods only, also cvode, ida, radau5; some\n"
    "                           accept an option: maggi:svd, penalty:1e7 (see\n"
    "                           'trammel methods')\n"
    "      --integrator NAME    use this integrator instead of the model's\n"
    "      --step H             step of fixed-step integrators [s]\n"
    "      --duration T         duration instead of the model's [s]\n"
    "      --rtol X, --atol X   tolerances of adaptive integrators\n"
    "      --repeat N           report the fastest of N runs (default: 3 to 20)\n"
    "      --force              run dense methods at any size\n"
    "      --sweep-step H,...   print error against work for these steps\n"
    "      --sweep-step N       the same with N halvings of the step; with adaptive\n"
    "                           integrators for tolerances from 1e-4 to 1e-10\n"
    "      --set NAME=VALUE     set a parameter of the model file; may be repeated\n"
    "      --json               print the full result as JSON\n"
    "      --csv FILE           write a table; '-': to standard output, without other\n"
    "                           output\n"
    "      --plots DIR          write charts (SVG) of violation, energy and error\n"
    "                           over time and against work\n"
    "  -v, --verbose            also print means and further columns\n"
    "  -q, --quiet              do not print progress\n\n"
    "Other settings of m:simulate{} are options, too: --min-step, --alpha, --basis,\n"
    "...\n";

static bool to_stdout(const trCompareRequest *r) {
    return r->csv != NULL && strcmp(r->csv, "-") == 0;
}

// Whether a method of the comparison reads this option.
static bool is_read(const trCompareRequest *r, const char *option) {
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

static trExit apply_settings(const trCompareRequest *r, trSimDef *def) {
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

static trExit write_csv(const trCompareRequest *r, const trCompareReport *report) {
    FILE *file = fopen(r->csv, "w");
    if (file == NULL) {
        tr_cli_error("'%s': cannot write: %s", r->csv, strerror(errno));
        return TR_EXIT_FILE;
    }
    tr_compare_csv(file, report);
    bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad) {
        tr_cli_error("'%s': cannot write: %s", r->csv, strerror(errno));
        return TR_EXIT_FILE;
    }
    return TR_EXIT_DONE;
}

// Before runs that may take minutes: is there a place for their results? A file that exists keeps
// what it has until there is something to write.
static trExit prepare(const trCompareRequest *r) {
    if (r->csv != NULL && !to_stdout(r)) {
        FILE *file = fopen(r->csv, "a");
        if (file == NULL || fclose(file) != 0) {
            tr_cli_error("'%s': cannot write: %s", r->csv, strerror(errno));
            return TR_EXIT_FILE;
        }
    }
    return r->plots != NULL ? tr_compare_plots_folder(r->plots) : TR_EXIT_DONE;
}

static trExit write_all(const trCompareRequest *r, const trCompareReport *report) {
    trExit told = TR_EXIT_DONE;
    if (!r->file.json && to_stdout(r)) {
        tr_compare_csv(stdout, report);
    } else {
        told = tr_cli_report(tr_report_compare(report->compare, report->path), &r->file);
    }
    trExit code = r->csv != NULL && !to_stdout(r) ? write_csv(r, report) : TR_EXIT_DONE;
    trExit drawn = r->plots != NULL ? tr_compare_plots(r->plots, report) : TR_EXIT_DONE;
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

static trExit judge(const trCompareRequest *r, const trCompare *c) {
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

static trExit compare_methods(trCompareRequest *r, const trSystem *system, const trSimDef *def) {
    trCompare *c = NULL;
    trProgress progress = tr_progress_begin(!r->file.quiet, 0.0);
    r->compare.struct_size = sizeof(trCompareOptions);
    r->compare.stop = tr_cli_catch_signals();
    r->compare.progress = tr_progress_part;
    r->compare.context = &progress;
    trStatus status = tr_compare_create(system, def, &r->compare, &c);
    tr_progress_end(&progress);
    trExit code = TR_EXIT_DONE;
    if (status == TR_OK) {
        const trCompareReport report = {r->file.path, c};
        code = write_all(r, &report);
        code = code == TR_EXIT_DONE ? judge(r, c) : code;
    } else {
        tr_cli_error("compare: %s", tr_last_error());
        code = status == TR_E_ARGUMENT ? TR_EXIT_USAGE : tr_cli_exit(status);
    }
    tr_compare_destroy(c);
    return code;
}

static trExit load_and_compare(trFileRequest *request) {
    trCompareRequest *r = (trCompareRequest *)request;
    trModel          *model = NULL;
    trSystem         *system = NULL;
    trSimDef          def = tr_sim_def_default();
    trStatus          status = tr_cli_load(r->file.path, r->file.set, &model, &def);
    if (status == TR_OK) {
        for (int i = 0; i < tr_model_warnings(model); i++) {
            tr_cli_warning(tr_model_warning(model, i));
        }
        status = tr_system_build(model, &system);
    }
    trExit code = tr_cli_exit(status);
    if (code != TR_EXIT_DONE) {
        tr_cli_error("%s", tr_last_error());
    } else {
        code = apply_settings(r, &def);
    }
    if (code == TR_EXIT_DONE) {
        code = prepare(r);
    }
    if (code == TR_EXIT_DONE) {
        code = compare_methods(r, system, &def);
    }
    tr_system_destroy(system);
    tr_model_destroy(model);
    return code;
}

const trCommand tr_command_compare = {
    .name = "compare",
    .summary = "run a model with all methods and compare them",
    .help = help,
    .needs = "a model file",
    .example = "MODEL.lua",
    .size = sizeof(trCompareRequest),
    .options = tr_compare_options,
    .fields = tr_compare_fields,
    .option = tr_compare_option,
    .check = tr_compare_check,
    .run = load_and_compare,
};
