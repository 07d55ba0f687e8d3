// SPDX-License-Identifier: MIT
// `trammel run`: model file -> system -> simulation -> result files and summary.

#include <string.h>

#include "cli/checkpoint.h"
#include "integrator/integrator.h"
#include "report/reports.h"
#include "sim/def.h"

#define TEXT_SIZE 1088  // of an error, and what follows it

// Whether the method of the command line is an integrator of its own.
static bool brings_integrator(const trRequest *r) {
    bool brings = false;
    for (int i = 0; i < r->file.givens; i++) {
        if (strcmp(r->file.given[i].key, "method") == 0) {
            const trMethod *method = tr_method_find(r->file.given[i].text);
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
        chosen = chosen || tr_setting_given(&r->file, choices[i]);
    }
    const trFieldList all = tr_settings();
    for (int i = 0; chosen && i < all.count; i++) {
        const char *name = all.at[i]->name;
        if (!tr_sim_def_reads(def, name) && !tr_setting_given(&r->file, name)) {
            tr_sim_def_forget(r->file.arena, def, name);
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
    bool replaced =
        tr_setting_given(&r->file, "integrator") && kind != NULL && kind->implicit != NULL;
    for (size_t i = 0; replaced && i < sizeof choices / sizeof *choices; i++) {
        if (!tr_setting_given(&r->file, choices[i])) {
            tr_sim_def_forget(r->file.arena, def, choices[i]);
        }
    }
}

// The settings from the command line over those of the file. A method replaces all that the file
// says about its four choices, and about the integrator if it is one.
static trExit apply_settings(const trRequest *r, trSimDef *def) {
    if (tr_setting_given(&r->file, "method")) {
        trSimDef plain = tr_sim_def_default();
        def->formulation = plain.formulation;
        def->stabilization = plain.stabilization;
        def->stage_projection = plain.stage_projection;
        def->step_projection = plain.step_projection;
        def->integrator = brings_integrator(r) ? NULL : def->integrator;
    }
    if (tr_setting_given(&r->file, "output_step")) {
        def->times = (trNumbers){0};
    }
    for (int i = 0; i < r->file.givens; i++) {
        const trParam one[] = {r->file.given[i], {0}};
        if (tr_sim_def_bind(r->file.arena, one, def) != TR_OK) {
            tr_setting_refuse(&r->file, r->file.given[i].key);
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
        {"file", r->file.path},
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
    const trFieldList all = tr_settings();
    for (int i = 0; i < all.count; i++) {
        const char *text = tr_setting_note(r->file.arena, &def, all.at[i]);
        if (text != NULL) {
            TR_TRY(tr_recorder_note(recorder, tr_field_key(all.at[i]), text));
        }
    }
    return tr_arena_status(r->file.arena);
}

// One line about a failed run; files name themselves, everything else belongs to the model.
static void tell_failure(const trKeeper *k, const trRecorder *recorder, trStatus status,
                         const char *outcome, double t) {
    const trRequest *r = k->request;
    const char      *kept = tr_request_kept_words(r, recorder);
    if (status == TR_E_INTERRUPTED && tr_keeper_has_checkpoint(k)) {
        tr_cli_error("%s: interrupted at t = %g s; continue with 'trammel resume %s'", r->file.path,
                     t, r->hdf5);
    } else if (status == TR_E_INTERRUPTED) {
        tr_cli_error("%s: interrupted at t = %g s%s", r->file.path, t, kept);
    } else if (status == TR_E_IO) {
        tr_cli_error("%s", tr_last_error());
    } else {
        char line[TEXT_SIZE];
        snprintf(line, sizeof line, "%s%s", outcome + strlen("failed: "), kept);
        tr_cli_about(r->file.path, line);
    }
}

// Settings that do not fit together, or with the model.
static bool is_about_settings(trStatus status) {
    return status == TR_E_UNSUPPORTED || status == TR_E_ARGUMENT;
}

// A failure before the first row: nothing to sum up. Settings of the command line are usage.
static trExit refuse(const trRequest *r, trStatus status) {
    tr_cli_about(r->file.path, tr_last_error());
    return is_about_settings(status) && (r->file.givens > 0 || r->file.branch > 0)
               ? TR_EXIT_USAGE
               : tr_cli_exit(status);
}

static void tell_warnings(const trSim *sim, int first, int end) {
    for (int i = first; i < end; i++) {
        tr_cli_warning(tr_sim_warning(sim, i));
    }
}

static trExit simulate(trKeeper *k, const trModel *model, const trSystem *system, trSim *sim,
                       trRecorder *recorder, const trBranchStart *start) {
    const trRequest *r = k->request;
    trProgress       progress = tr_progress_begin(!r->file.quiet, tr_sim_time(sim));
    trRunHooks       hooks = {
              .stop = tr_cli_catch_signals(), .progress = tr_progress_draw, .context = &progress};

    tr_keeper_hook(k, &hooks);
    bool     records = r->hdf5 != NULL || r->csv != NULL;
    trStatus status = tr_sim_run(sim, records ? recorder : NULL, &hooks);
    tr_progress_end(&progress);
    if (r->file.quiet && !r->file.json && status == TR_OK) {  // else the summary has them
        tell_warnings(sim, tr_sim_method_warnings(sim), tr_sim_warnings(sim));
    }
    if (is_about_settings(status)) {
        return refuse(r, status);
    }
    trStatus settled = tr_keeper_settle(k, tr_sim_rows(sim), status);
    status = status == TR_OK ? settled : status;
    const char *outcome = tr_request_outcome(r, status);
    if (status != TR_OK) {
        tell_failure(k, recorder, status, outcome, tr_sim_time(sim));
    }
    trStatus closed = tr_recorder_close(recorder, outcome);
    if (closed != TR_OK && status != TR_E_IO) {
        outcome = tr_request_outcome(r, closed);
        tell_failure(k, recorder, closed, outcome, tr_sim_time(sim));
        status = closed;
    }
    tr_keeper_end(k, status);
    // Where no file could be made there is nothing to tell, and older files are not of this run.
    bool        began = status != TR_E_IO || tr_sim_stats(sim).steps > 0;
    trRunReport summary = {.path = r->file.path,
                           .outcome = outcome,
                           .model = model,
                           .system = system,
                           .sim = sim,
                           .branch = r->file.branch,
                           .branch_start = start};
    if (began) {
        tr_request_written(r, recorder, summary.files);
    }
    trExit told = TR_EXIT_DONE;
    if (r->file.json || (!r->file.quiet && began)) {
        told = tr_cli_report(tr_report_run(&summary), &r->file);
    }
    return status == TR_OK ? told : tr_cli_exit(status);
}

// `def` gets the start on the branch that was asked for.
trExit tr_run_model(const trRequest *r, trLoaded *loaded) {
    const trModel  *model = loaded->model;
    const trSystem *system = loaded->system;
    trSimDef       *def = &loaded->def;
    trSim          *sim = NULL;
    trRecorder     *recorder = NULL;
    trKeeper        keeper = {0};
    trBranchStart   start = {0};
    trStatus        status = tr_cli_branch(system, r->file.branch, def, &start);
    if (status == TR_OK) {
        status = tr_sim_create(system, def, &sim);
    }
    if (status == TR_OK) {
        tell_warnings(sim, 0, tr_sim_method_warnings(sim));
        status = tr_keeper_begin(r, model, def, sim, &keeper);
    }
    if (status == TR_OK) {
        status = tr_request_recorder(r, &recorder);
    }
    if (status == TR_OK) {
        status = add_notes(r, model, sim, system, recorder);
    }
    trExit code = status == TR_OK ? simulate(&keeper, model, system, sim, recorder, &start)
                                  : refuse(r, status);
    tr_recorder_destroy(recorder);
    tr_branch_start_free(&start);
    tr_sim_destroy(sim);
    return code;
}

static trExit run(trFileRequest *request, trLoaded *loaded) {
    const trRequest *r = (const trRequest *)request;
    trExit           code = apply_settings(r, &loaded->def);
    return code == TR_EXIT_DONE ? tr_run_model(r, loaded) : code;
}

static const trOption options[] = {
    TR_REQUEST_OPTIONS("MODEL"),
    TR_SET("the model file"),
    TR_BRANCH,
    TR_JSON("the summary with the final state"),
    {0},
};

const trCommand tr_command_run = {
    .name = "run",
    .summary = "simulate a model file",
    .examples = "  trammel run four_bar.lua --method direct --duration 20 --csv four_bar.csv\n",
    .help = "Simulates the model, writes MODEL.h5 to the current folder and prints a summary.\n"
            "'trammel methods' describes methods and settings.\n",
    .needs = "a model file",
    .file = "MODEL.lua",
    .size = sizeof(trRequest),
    .options = options,
    .fields = tr_settings,
    .check = tr_request_check,
    .run_model = run,
};
