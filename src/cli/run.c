// SPDX-License-Identifier: MIT
// `trammel run`: model file -> system -> simulation -> result files and summary.

#include <string.h>
#include <unistd.h>

#include "cli/checkpoint.h"
#include "cli/method_lists.h"
#include "cli/run_parts.h"
#include "integrator/integrator.h"
#include "record/recorder.h"
#include "sim/def.h"

#define TEXT_SIZE 1024
#define NAME_SIZE 64  // of an option

// The option "--rank-tolerance" of the setting "rank_tolerance", "--no-assemble" of "assemble".
static void option_of_setting(const char *setting, char option[NAME_SIZE]) {
    const trField *f = tr_sim_def_fields;
    while (f->name != NULL && strcmp(f->name, setting) != 0) {
        f++;
    }
    snprintf(option, NAME_SIZE, "--%s%s", f->name != NULL && f->kind == TR_FIELD_BOOL ? "no-" : "",
             setting);
    for (char *c = option; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

static void help(FILE *file) {
    fputs("  trammel run four_bar.lua --method direct --duration 20 --csv four_bar.csv\n\n"
          "usage: trammel run MODEL.lua [OPTIONS]\n\n"
          "Simulates the model, writes MODEL.h5 to the current folder and prints a summary.\n\n"
          "  -o, --output FILE        the HDF5 file, in place of MODEL.h5\n"
          "      --csv FILE           a table of text as well; '-' for standard output, in place\n"
          "                           of the summary\n"
          "      --no-hdf5            no HDF5 file\n"
          "      --set NAME=VALUE     a parameter of the model file; may be repeated\n"
          "      --branch N           start in a singular pose on branch N of its motions\n"
          "      --json               the summary as JSON, with the state at the end\n"
          "  -q, --quiet              neither progress nor summary\n"
          "      --checkpoint SECONDS keep MODEL.h5.checkpoint up to date, from which 'trammel\n"
          "                           resume' goes on if the run is stopped or killed\n\n"
          "Over what the model file says in m:simulate{} (see 'trammel methods'):\n\n",
          file);
    for (const trField *f = tr_sim_def_fields; f->name != NULL; f++) {
        char name[NAME_SIZE];
        option_of_setting(f->name, name);
        bool        unit = f->unit != NULL && f->unit[0] != '\0';
        const char *help_text = strncmp(f->help, "false: ", 7) == 0 ? f->help + 7 : f->help;
        fprintf(file, "      %-20s %s%s%s%s\n", name, help_text, unit ? " [" : "",
                unit ? f->unit : "", unit ? "]" : "");
    }
}

// A setting of the command line is refused as the option that it was, not as the key that it is.
static void refuse_setting(const char *key) {
    char        option[NAME_SIZE];
    const char *text = tr_last_error();
    size_t      length = strlen(key);
    option_of_setting(key, option);
    if (text[0] == '\'' && strncmp(text + 1, key, length) == 0 && text[1 + length] == '\'') {
        text += length + 2;
        text += *text == ' ';
    }
    tr_cli_error("run: option '%s': %s", option, text);
}

// Whether the method of the command line is an integrator of its own.
static bool brings_integrator(const trRequest *r) {
    bool brings = false;
    for (int i = 0; i < r->givens; i++) {
        if (strcmp(r->given[i].key, "method") == 0) {
            const trMethod *method = tr_method_find(r->given[i].text);
            brings = method != NULL && method->integrator != NULL;
        }
    }
    return brings;
}

// Options of the file belong to its choices: where the command line makes others, those that are
// not read any more do not count. Options of the command line stay, and are judged.
static void forget_options_of_file(const trRequest *r, trSimDef *def) {
    static const char *const choices[] = {"method",           "formulation",     "stabilization",
                                          "stage_projection", "step_projection", "integrator"};
    bool                     chosen = false;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        chosen = chosen || tr_request_gives(r, choices[i]);
    }
    for (const trField *f = tr_sim_def_fields; chosen && f->name != NULL; f++) {
        if (tr_is_option(f->name) && !tr_sim_def_reads(def, f->name) &&
            !tr_request_gives(r, f->name)) {
            tr_sim_def_forget(def, f->name);
        }
    }
}

// Choices of the file that the integrator of the command line cannot take, which holds the
// constraints by itself: they belong to the one it replaces.
static void forget_choices_of_file(const trRequest *r, trSimDef *def) {
    static const char *const choices[] = {"method", "stabilization", "stage_projection",
                                          "step_projection"};
    const trIntegratorKind  *kind =
        def->integrator != NULL ? tr_integrator_find(def->integrator) : NULL;
    bool replaced = tr_request_gives(r, "integrator") && kind != NULL && kind->implicit != NULL;
    for (size_t i = 0; replaced && i < sizeof choices / sizeof *choices; i++) {
        if (!tr_request_gives(r, choices[i])) {
            tr_sim_def_forget(def, choices[i]);
        }
    }
}

// The settings from the command line over those of the file. A method replaces all that the file
// says about its four choices, and about the integrator if it is one.
static trExit apply_settings(const trRequest *r, trSimDef *def) {
    if (tr_request_gives(r, "method")) {
        trSimDef plain = tr_sim_def_default();
        def->formulation = plain.formulation;
        def->stabilization = plain.stabilization;
        def->stage_projection = plain.stage_projection;
        def->step_projection = plain.step_projection;
        def->integrator = brings_integrator(r) ? NULL : def->integrator;
    }
    if (tr_request_gives(r, "sample")) {
        def->times = (trNumbers){0};
    }
    for (int i = 0; i < r->givens; i++) {
        const trParam one[] = {r->given[i], {0}};
        if (tr_sim_def_bind(r->arena, one, def) != TR_OK) {
            refuse_setting(r->given[i].key);
            return TR_EXIT_USAGE;
        }
    }
    if (tr_sim_def_check(def) != TR_OK) {
        tr_cli_error("run: %s", tr_last_error());
        return TR_EXIT_USAGE;
    }
    forget_choices_of_file(r, def);
    forget_options_of_file(r, def);
    return TR_EXIT_DONE;
}

static trStatus add_notes(const trRequest *r, const trModel *model, const trSim *sim,
                          const trSystem *system, trRecorder *recorder) {
    trSimDef          def = tr_sim_def(sim);
    const char *const notes[][2] = {
        {"model_text", tr_model_source(model)},
        {"model_parameters", tr_model_given(model)},
        {"model", tr_system_name(system)},
        {"file", r->model},
        {"method", def.method},
        {"formulation", def.formulation},
        {"stabilization", def.stabilization},
        {"stage_projection", def.stage_projection},
        {"step_projection", def.step_projection},
        {"integrator", def.integrator},
        {"reactions", tr_system_joints(system) > 0 ? TR_REACTION_CONVENTION : NULL},
        {"multipliers", tr_system_constraints(system) > 0 ? TR_MULTIPLIER_CONVENTION : NULL},
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (notes[i][1] != NULL) {
            TR_TRY(tr_recorder_note(recorder, notes[i][0], notes[i][1]));
        }
    }
    bool regular = def.times.count == 0 && !(def.sample > 0.0);
    def.sample = regular ? def.duration / TR_SAMPLES : def.sample;
    for (const trField *f = tr_sim_def_fields; f->name != NULL; f++) {
        const char *text = tr_setting_note(r->arena, &def, f);
        if (text != NULL) {
            TR_TRY(tr_recorder_note(recorder, f->name, text));
        }
    }
    return tr_arena_status(r->arena);
}

static trStatus open_recorder(const trKeeper *k, const trModel *model, const trSim *sim,
                              const trSystem *system, trRecorder **out) {
    TR_TRY(tr_recorder_create(out));
    const trRequest *r = k->request;
    if (r->hdf5 != NULL) {
        TR_TRY(tr_recorder_add(*out, "hdf5", r->hdf5));
    }
    if (r->csv != NULL) {
        TR_TRY(tr_recorder_add(*out, "csv", r->csv));
    }
    if (r->resumed != NULL) {
        tr_recorder_keep_old(*out);
    }
    return add_notes(r, model, sim, system, *out);
}

// Writes `outcome` for the files and the summary.
static void name_outcome(trStatus status, char *outcome, size_t size) {
    if (status == TR_OK) {
        snprintf(outcome, size, "done");
    } else if (status == TR_E_INTERRUPTED) {
        snprintf(outcome, size, "interrupted");
    } else {
        snprintf(outcome, size, "failed: %s", tr_last_error());
    }
}

// The path, unless the file could not even be made.
static const char *written(const char *path) {
    return path != NULL && access(path, F_OK) == 0 ? path : NULL;
}

// What follows the reason: rows to the last good state are in the files, if there are any.
static const char *kept_words(const trRequest *r) {
    bool kept = written(r->hdf5) != NULL || written(r->csv) != NULL;
    return kept ? "; the results so far are kept" : "";
}

// One line about a failed run; files name themselves, everything else belongs to the model.
static void tell_failure(const trKeeper *k, trStatus status, const char *outcome, double t) {
    const trRequest *r = k->request;
    if (status == TR_E_INTERRUPTED && tr_keeper_has_checkpoint(k)) {
        tr_cli_error("%s: interrupted at t = %g s; go on with 'trammel resume %s'", r->model, t,
                     r->hdf5);
    } else if (status == TR_E_INTERRUPTED) {
        tr_cli_error("%s: interrupted at t = %g s; the results so far are kept", r->model, t);
    } else if (status == TR_E_IO) {
        tr_cli_error("%s", tr_last_error());
    } else {
        char line[TEXT_SIZE + NAME_SIZE];
        snprintf(line, sizeof line, "%s%s", outcome + strlen("failed: "), kept_words(r));
        tr_cli_about(r->model, line);
    }
}

// Settings that do not fit together, or with the model.
static bool is_about_settings(trStatus status) {
    return status == TR_E_UNSUPPORTED || status == TR_E_ARGUMENT;
}

// A failure before the first row: nothing to sum up. Settings of the command line are usage.
static trExit refuse(const trRequest *r, trStatus status) {
    tr_cli_about(r->model, tr_last_error());
    return is_about_settings(status) && (r->givens > 0 || r->branch > 0) ? TR_EXIT_USAGE
                                                                         : tr_cli_exit(status);
}

static trExit simulate(trKeeper *k, const trModel *model, const trSystem *system, trSim *sim,
                       trRecorder *recorder, const trBranchStart *start) {
    const trRequest *r = k->request;
    char             outcome[TEXT_SIZE];
    trProgress       progress = tr_progress_begin(!r->quiet, tr_sim_time(sim));
    trRunHooks       hooks = {
              .stop = tr_cli_catch_signals(), .progress = tr_progress_draw, .context = &progress};

    tr_keeper_hook(k, &hooks);
    bool     records = r->hdf5 != NULL || r->csv != NULL;
    trStatus status = tr_sim_run(sim, records ? recorder : NULL, &hooks);
    tr_progress_end(&progress);
    if (is_about_settings(status)) {
        return refuse(r, status);
    }
    name_outcome(status, outcome, sizeof outcome);
    if (status != TR_OK) {
        tell_failure(k, status, outcome, tr_sim_time(sim));
    }
    trStatus closed = tr_recorder_close(recorder, outcome);
    if (closed != TR_OK && status != TR_E_IO) {
        name_outcome(closed, outcome, sizeof outcome);
        tell_failure(k, closed, outcome, tr_sim_time(sim));
        status = closed;
    }
    tr_keeper_end(k, status);
    // Where no file could be made there is nothing to tell, and older files are not of this run.
    bool            began = status != TR_E_IO || tr_sim_stats(sim).steps > 0;
    const char     *hdf5 = began ? written(r->hdf5) : NULL, *csv = began ? written(r->csv) : NULL;
    const trSummary summary = {r->model, outcome,     model,     system,
                               sim,      {hdf5, csv}, r->branch, start};
    if (r->json) {
        tr_summary_json(stdout, &summary);
    } else if (!r->quiet && began) {
        tr_summary_print(stdout, &summary);
    }
    return tr_cli_exit(status);
}

// `def` gets the start on the branch that was asked for.
trExit tr_run_model(const trRequest *r, trModel *model, trSimDef *def) {
    trSystem     *system = NULL;
    trSim        *sim = NULL;
    trRecorder   *recorder = NULL;
    trKeeper      keeper = {0};
    trBranchStart start = {0};
    trStatus      status = tr_system_build(model, &system);
    if (status == TR_OK) {
        status = tr_cli_branch(system, r->branch, def, &start);
    }
    if (status == TR_OK) {
        status = tr_sim_create(system, def, &sim);
    }
    for (int i = 0; status == TR_OK && i < tr_sim_warnings(sim); i++) {
        tr_cli_warning(tr_sim_warning(sim, i));
    }
    if (status == TR_OK) {
        status = tr_keeper_begin(r, model, def, sim, &keeper);
    }
    if (status == TR_OK) {
        status = open_recorder(&keeper, model, sim, system, &recorder);
    }
    trExit code = status == TR_OK ? simulate(&keeper, model, system, sim, recorder, &start)
                                  : refuse(r, status);
    tr_recorder_destroy(recorder);
    tr_branch_start_free(&start);
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    return code;
}

static trExit load_and_run(const trRequest *r) {
    trLoaded loaded;
    trExit   code = tr_cli_open(r->model, r->set, &loaded);
    code = code == TR_EXIT_DONE ? apply_settings(r, &loaded.def) : code;
    code = code == TR_EXIT_DONE ? tr_run_model(r, loaded.model, &loaded.def) : code;
    tr_cli_release(&loaded);
    return code;
}

static bool read_branch(trRequest *r, int value) {
    (void)value;
    return tr_cli_branch_number(optarg, &r->branch);
}

static trExit run(int argc, char **argv) {
    static const struct option more[] = {{"branch", required_argument, NULL, 'b'},
                                         {NULL, 0, NULL, 0}};
    trRequest                  request = {.arena = tr_arena_create(),
                                          .command = "run",
                                          .takes = "model file",
                                          .fields = tr_sim_def_fields,
                                          .more = more,
                                          .read_more = read_branch};
    bool                       helped = false;
    trExit                     code = TR_EXIT_FAILED;
    if (request.arena == NULL) {
        tr_cli_error("out of memory");
    } else {
        code = tr_request_read(&request, argc, argv, &helped);
    }
    if (helped) {
        help(stdout);
    } else if (code == TR_EXIT_DONE) {
        code = load_and_run(&request);
    }
    tr_arena_destroy(request.arena);
    return code;
}

const trCommand tr_command_run = {
    .name = "run",
    .summary = "simulate a model file",
    .help = help,
    .run = run,
};
