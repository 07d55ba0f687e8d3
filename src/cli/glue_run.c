// SPDX-License-Identifier: MIT
// From an assembly to the results of its run.

#include <math.h>
#include <string.h>

#include "cli/glue_mpi.h"
#include "cli/glue_parts.h"
#include "glue/def.h"
#include "glue/glue.h"
#include "report/reports.h"
#include "trammel/lua.h"

#define TEXT_SIZE 1088  // of an error, and what follows it

// --- the recorder ---

// "tower: model ./tower.lua mass=3", one a line.
static const char *module_list(trArena *arena, const trGlueAssembly *assembly) {
    const char *list = "";
    for (int i = 0; list != NULL && i < assembly->modules; i++) {
        const trModuleUse *use = &assembly->module[i];
        list = tr_arena_format(arena, "%s%s%s: %s %s", list, i == 0 ? "" : "\n", use->name,
                               tr_module_source_name(use->source), use->path);
        for (int k = 0; list != NULL && k < use->arguments; k++) {
            list = tr_arena_format(arena, "%s %s", list, use->argument[k]);
        }
    }
    return list;
}

static trStatus add_notes(const trGlued *g, trRecorder *recorder) {
    const trRequest  *r = g->request;
    const char *const notes[][2] = {{"content", "glue"},
                                    {"assembly_text", tr_model_source(g->assembly.ports)},
                                    {"assembly_parameters", tr_model_given(g->assembly.ports)},
                                    {"model", g->assembly.name},
                                    {"file", r->file.path},
                                    {"modules", module_list(r->file.arena, &g->assembly)},
                                    {"reactions", TR_REACTION_CONVENTION}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (notes[i][1] != NULL) {
            TR_TRY(tr_recorder_note(recorder, notes[i][0], notes[i][1]));
        }
    }
    for (const trField *f = tr_glue_def_fields; f->name != NULL; f++) {
        const trParam p = tr_field_param(f, &g->assembly.def);
        const char   *text =
            p.kind == TR_PARAM_TEXT ? p.text : tr_arena_format(r->file.arena, "%.17g", p.number);
        TR_TRY(tr_arena_status(r->file.arena));
        TR_TRY(tr_recorder_note(recorder, tr_field_key(f), text));
    }
    return tr_arena_status(r->file.arena);
}

// --- the run ---

// The first module that brings code of its own: a program, an FMU or a command; or NULL.
static const trModuleUse *module_with_code(const trGlueAssembly *assembly) {
    for (int i = 0; i < assembly->modules; i++) {
        if (assembly->module[i].source != TR_MODULE_MODEL) {
            return &assembly->module[i];
        }
    }
    return NULL;
}

// "part.h5", or "part.h5 --assembly crane.lua --set n=3" where modules bring code of their own.
static const char *resume_words(const trGlued *g) {
    const trRequest *r = g->request;
    const char      *words = r->hdf5;
    if (module_with_code(&g->assembly) != NULL) {
        words = tr_arena_format(r->file.arena, "%s --assembly %s", words, r->file.path);
        for (int i = 0; words != NULL && i < r->file.sets; i++) {
            words = tr_arena_format(r->file.arena, "%s --set %s", words, r->file.set[i]);
        }
    }
    return words != NULL ? words : r->hdf5;
}

static void tell_failure(const trGlueKeeper *k, const trRecorder *recorder, trStatus status) {
    const trRequest *r = k->glued->request;
    const char      *kept = tr_request_kept_words(r, recorder);
    double           t = tr_glue_time(k->glued->glue);
    if (status == TR_E_INTERRUPTED && tr_keeper_has_checkpoint(&k->keeper)) {
        tr_cli_error("%s: interrupted at t = %g s; continue with 'trammel resume%s %s'",
                     r->file.path, t, tr_cli_under_mpirun() ? " --mpi" : "",
                     resume_words(k->glued));
    } else if (status == TR_E_INTERRUPTED) {
        tr_cli_error("%s: interrupted at t = %g s%s", r->file.path, t, kept);
    } else if (status == TR_E_IO) {
        tr_cli_error("%s", tr_last_error());
    } else if (status == TR_E_PARTNER && tr_keeper_has_checkpoint(&k->keeper)) {
        tr_cli_error("%s: %s; continue with 'trammel resume --mpi %s'", r->file.path,
                     tr_last_error(), resume_words(k->glued));
    } else {
        char line[TEXT_SIZE];
        snprintf(line, sizeof line, "%s%s", tr_last_error(), kept);
        tr_cli_about(r->file.path, line);
    }
}

// What was glued, and what came of it unless `outcome` is NULL.
static trExit tell(const trGlued *g) {
    const trGlueReport report = {.path = g->request->file.path,
                                 .outcome = g->outcome,
                                 .assembly = &g->assembly,
                                 .face = g->carrier->face,
                                 .ports = g->ports,
                                 .glue = g->glue,
                                 .files = {g->files[0], g->files[1]},
                                 .processes = tr_cli_under_mpirun()};
    return tr_cli_report(tr_report_glue(&report), &g->request->file);
}

static trExit simulate(trGlueKeeper *k, trRecorder *recorder) {
    trGlued         *g = k->glued;
    const trRequest *r = g->request;
    trGlueHooks      hooks;
    tr_glue_keeper_hook(k, &hooks);
    bool     records = r->hdf5 != NULL || r->csv != NULL;
    trStatus status = tr_glue_run(g->glue, records ? recorder : NULL, &hooks);
    tr_progress_end(&k->progress);
    trStatus settled = tr_keeper_settle(&k->keeper, tr_glue_rows(k->glued->glue), status);
    status = status == TR_OK ? settled : status;
    g->outcome = tr_request_outcome(r, status);
    if (status != TR_OK) {
        tell_failure(k, recorder, status);
    } else {  // they may have found out more on the way
        (void)tr_glue_ask_about(g->glue);
    }
    trStatus closed = tr_recorder_close(recorder, g->outcome);
    if (closed != TR_OK && status != TR_E_IO) {
        g->outcome = tr_request_outcome(r, closed);
        tell_failure(k, recorder, closed);
        status = closed;
    }
    tr_keeper_end(&k->keeper, status);
    bool began = status != TR_E_IO || tr_glue_stats(g->glue).steps > 0;
    if (began) {
        tr_request_written(r, recorder, g->files);
    }
    trExit told = TR_EXIT_DONE;
    if (r->file.json || (!r->file.quiet && began)) {
        told = tell(g);
    }
    return status == TR_OK ? told : tr_cli_exit(status);
}

static trStatus choose_outputs(trGlued *g) {
    for (int i = 0; i < g->assembly.modules; i++) {
        const trModuleUse *use = &g->assembly.module[i];
        if (use->outputs >= 0 &&
            tr_glue_choose_outputs(g->glue, use->name, use->outputs, use->output) != TR_OK) {
            return tr_blame(TR_E_MODEL, "%s: ", use->origin);
        }
    }
    return TR_OK;
}

// Modules that take forces alone stay where they are.
static void warn_of_open_joint(const trGlued *g) {
    const trInterface *it = &g->glue->it;
    int                row = tr_glue_open_row(g->glue);
    if (row >= 0) {
        const char *text =
            tr_arena_format(g->request->file.arena,
                            "%s: joint '%s' is open by %.3g %s at the start and stays so: its "
                            "modules accept forces only; start them with their ports together",
                            g->request->file.path, tr_interface_row_name(it, row),
                            fabs(it->phi[row]), it->system->row_unit[row]);
        tr_cli_warning(text != NULL ? text : "out of memory");
    }
}

#define NOTEWORTHY 1e-6  // [m] or [rad]

// As `trammel run` tells that it has assembled a model.
static void tell_gap(const trGlued *g) {
    trGlueStats s = tr_glue_stats(g->glue);
    bool        turned = s.start.length < NOTEWORTHY;
    double      gap = turned ? s.start.angle : s.start.length;
    if (gap >= NOTEWORTHY && tr_glue_open_row(g->glue) < 0) {
        const char *text = tr_arena_format(
            g->request->file.arena,
            "%s: joint '%s' was open by %.3g %s at the start; modules were moved to close it",
            g->request->file.path, turned ? s.start.angle_joint : s.start.length_joint, gap,
            turned ? "rad" : "m");
        tr_cli_warning(text != NULL ? text : "out of memory");
    }
}

static trStatus put_together(trGlued *g, bool dry) {
    TR_TRY(tr_glue_create(g->ports, g->carrier, &g->assembly.def, &g->glue));
    TR_TRY(dry ? TR_OK : tr_glue_check_steps(g->glue));
    TR_TRY(tr_glue_check_start(g->glue));
    TR_TRY(choose_outputs(g));
    TR_TRY(tr_glue_ask_about(g->glue));
    warn_of_open_joint(g);
    tell_gap(g);
    return TR_OK;
}

// The results go over no file of a module.
static bool spares_modules(const trGlued *g) {
    bool spared = true;
    for (int i = 0; spared && i < g->assembly.modules; i++) {
        spared = tr_request_spares(g->request, g->assembly.module[i].path);
    }
    return spared;
}

trExit tr_glued_run(trGlued *g, bool dry) {
    const trRequest *r = g->request;
    trRecorder      *recorder = NULL;
    trGlueKeeper     keeper = {0};
    trExit           code = TR_EXIT_DONE;
    if (!dry && !spares_modules(g)) {
        tr_cli_glue_end(NULL, TR_EXIT_USAGE);
        return TR_EXIT_USAGE;
    }
    trStatus status = tr_system_build(g->assembly.ports, &g->ports);
    status = status == TR_OK ? tr_cli_glue_carrier(&g->assembly, &g->carrier) : status;
    status = status == TR_OK ? put_together(g, dry) : status;
    if (status == TR_OK && dry) {
        code = tell(g);
    } else {
        status = status == TR_OK ? tr_glue_keeper_begin(g, &keeper) : status;
        status = status == TR_OK ? tr_request_recorder(r, &recorder) : status;
        status = status == TR_OK ? add_notes(g, recorder) : status;
        code = status == TR_OK ? simulate(&keeper, recorder) : code;
    }
    if (status != TR_OK) {
        bool settings = status == TR_E_UNSUPPORTED && (r->file.givens > 0 || r->checkpoint > 0.0);
        code = tr_cli_refuse(r->file.path, status);
        code = settings ? TR_EXIT_USAGE : code;
    }
    tr_recorder_destroy(recorder);
    tr_glue_destroy(g->glue);
    tr_system_destroy(g->ports);
    tr_cli_glue_end(g->carrier, code);
    return code;
}

static bool same_sets(const trRequest *r, const trCheckpointFile *file) {
    bool same = r->file.sets == file->sets;
    for (int i = 0; same && i < file->sets; i++) {
        same = strcmp(r->file.set[i], file->set[i]) == 0;
    }
    return same;
}

// The assembly of the command line, if it is the one that was run; else that of the checkpoint, if
// it brings no code: whoever wrote the checkpoint must not choose what is loaded.
static trStatus load_again(const trRequest *r, const trCheckpointFile *file,
                           const trGlueStart *start, trGlueAssembly *out) {
    bool     given = start->assembly != NULL;
    double   seconds = tr_cli_watch(r->file.path);
    trStatus status = tr_glue_assembly_load_text(seconds, r->file.path, given ? NULL : file->text,
                                                 given ? 0 : file->text_size, r->file.set, out);
    tr_cli_unwatch();
    TR_TRY(status);
    const char        *text = tr_model_source(out->ports);
    const trModuleUse *code = given ? NULL : module_with_code(out);
    bool same = strlen(text) == file->text_size && memcmp(text, file->text, file->text_size) == 0;
    if (!same || !same_sets(r, file)) {
        return tr_fail(TR_E_ARGUMENT, "%s: %s not those that the checkpoint was written with",
                       r->file.path, same ? "its --set options are" : "its lines are");
    }
    return code == NULL
               ? TR_OK
               : tr_fail(TR_E_ARGUMENT,
                         "module '%s' is code of %s '%s', which a checkpoint must not choose; "
                         "give the assembly again, with --assembly FILE and its --set options",
                         code->name, tr_module_source_name(code->source), code->path);
}

trExit tr_glue_go_on(trRequest *r, const char *path, const trCheckpointFile *file,
                     const trGlueStart *start) {
    trGlued glued = {.request = r};
    trExit  code = TR_EXIT_FILE;
    if (tr_cli_under_mpirun() && tr_cli_mpi_join() != TR_OK) {
        tr_cli_error("resume: %s", tr_last_error());
        return TR_EXIT_USAGE;
    }
    trStatus status = load_again(r, file, start, &glued.assembly);
    bool     about_command_line = status == TR_E_ARGUMENT;
    status = status == TR_OK ? tr_glue_def_bind(r->file.arena, file->given, &glued.assembly.def)
                             : status;
    status = status == TR_OK ? tr_glue_def_check(&glued.assembly.def) : status;
    if (status != TR_OK) {
        code = about_command_line ? TR_EXIT_USAGE : code;
        tr_cli_error("%s: %s%s", path, tr_last_error(),
                     about_command_line ? "" : "; run the assembly again");
        tr_cli_glue_end(NULL, code);
    } else if (start->mpi) {
        code = tr_glue_launch(&glued.assembly, &r->file, start->hosts);
    } else {
        code = tr_glued_run(&glued, false);
    }
    tr_glue_assembly_free(&glued.assembly);
    return code;
}
