// SPDX-License-Identifier: MIT
// `trammel resume`: goes on with a run from its checkpoint, as if it had never stopped.

#include <string.h>
#include <unistd.h>

#include "cli/checkpoint.h"
#include "cli/glue_parts.h"
#include "cli/old_results.h"
#include "sim/def.h"

typedef struct Request {
    trRequest   run;
    trGlueStart start;  // of a glued run
} Request;

static const trOption options[] = {
    TR_STRING(Request, run.csv, "csv", 0, "FILE",
              "also write a table, from the first row on (default: FILE.csv if the run wrote one)"),
    TR_STRING(Request, start.assembly, "assembly", 0, "FILE",
              "of a glued run: the unchanged assembly file"),
    TR_READ(tr_read_set, "set", 0, "NAME=VALUE", "with --assembly: its parameters, unchanged"),
    TR_GLUE_OPTIONS(Request, start),
    TR_JSON("the summary with the final state"),
    TR_VERBOSE("the full summary"),
    TR_QUIET("neither progress nor summary"),
    {0},
};

static bool check(trFileRequest *request) {
    const Request *r = (const Request *)request;
    if (request->sets > 0 && r->start.assembly == NULL) {
        tr_cli_error("resume: --set is read with --assembly only; of other runs the checkpoint "
                     "has the parameters");
        return false;
    }
    return tr_glue_start_fits(request, &r->start);
}

// The results, also where their checkpoint is named.
static const char *results_of(trArena *arena, const char *path) {
    size_t length = strlen(path);
    length -= tr_checkpoint_is_path(path) ? strlen(".checkpoint") : 0;
    return tr_arena_format(arena, "%.*s", (int)length, path);
}

// "done", "running", ...; empty if the file cannot be read, for whatever reason but memory.
static trStatus read_outcome(trArena *arena, const char *results, const char **outcome) {
    trOldResults old;
    trStatus     status = tr_old_open(results, 0, &old);
    status = status == TR_OK ? tr_old_close(&old) : status;
    *outcome = status == TR_OK ? tr_arena_text(arena, old.head.text) : "";
    return status == TR_E_MEMORY || status == TR_E_INTERRUPTED ? status : tr_arena_status(arena);
}

static trExit refuse_missing(const char *results, const char *path) {
    if (access(results, F_OK) != 0) {
        tr_cli_error("%s: there is no such file; give the results of 'trammel run --checkpoint "
                     "SECONDS'",
                     results);
    } else {
        tr_cli_error("%s: there is no checkpoint; the run was begun without --checkpoint or ended "
                     "before its first row: run the model again, with 'trammel run --checkpoint "
                     "60'",
                     path);
    }
    return TR_EXIT_FILE;
}

static trStatus load(const trRequest *r, const trCheckpointFile *file, trLoaded *out) {
    trSimDef of_file = tr_sim_def_default();
    (void)tr_cli_watch(file->model);
    trStatus status = tr_lua_load_text(file->model, file->text, file->text_size, file->set,
                                       &out->model, &of_file);
    tr_cli_unwatch();
    TR_TRY(status);
    TR_TRY(tr_sim_def_bind(r->file.arena, file->given, &out->def));
    out->def.q = file->q;
    out->def.v = file->v;
    TR_TRY(tr_sim_def_check(&out->def));
    return tr_system_build(out->model, &out->system);
}

// The table of results.h5, if the run wrote one and the command line names none: results.csv. The
// path in the checkpoint is not obeyed.
static const char *table_of(const trRequest *r, const trCheckpointFile *file) {
    size_t length = strlen(r->hdf5), end = strlen(".h5");
    bool   ends = length > end && strcmp(r->hdf5 + length - end, ".h5") == 0;
    if (r->csv != NULL || file->csv[0] == '\0') {
        return r->csv;
    }
    return tr_arena_format(r->file.arena, "%.*s.csv", (int)(length - (ends ? end : 0)), r->hdf5);
}

static trExit go_on(trRequest *r, const char *path, const trCheckpointFile *file) {
    trLoaded loaded = {.path = file->model, .def = tr_sim_def_default()};
    trExit   code = TR_EXIT_DONE;
    if (load(r, file, &loaded) != TR_OK) {
        tr_cli_error("%s: %s; run the model again", path, tr_last_error());
        code = TR_EXIT_FILE;
    } else {
        code = tr_run_model(r, &loaded);
    }
    tr_cli_release(&loaded);
    return code;
}

static trExit resume(trRequest *r, const trGlueStart *start) {
    trCheckpointFile file;
    const char      *path = tr_checkpoint_path(r->file.arena, r->hdf5);
    const char      *outcome = NULL;
    trStatus         status = tr_arena_status(r->file.arena);
    status = status == TR_OK ? read_outcome(r->file.arena, r->hdf5, &outcome) : status;
    if (status != TR_OK) {
        tr_cli_error("%s", tr_last_error());
        return tr_cli_exit(status);
    }
    if (strcmp(outcome, "done") == 0) {
        tr_cli_error("%s: the run is complete; nothing to resume", r->hdf5);
        return TR_EXIT_DONE;
    }
    if (access(path, F_OK) != 0) {
        return refuse_missing(r->hdf5, path);
    }
    status = tr_checkpoint_read(r->file.arena, path, &file);
    if (status != TR_OK) {
        tr_cli_error("%s", tr_last_error());
        return tr_cli_exit(status);
    }
    bool glued = strcmp(file.sort, "glue") == 0;
    if ((start->mpi || start->assembly != NULL) && !glued) {
        tr_cli_error("resume: %s is for glued runs; %s is one of 'trammel run'",
                     start->mpi ? "--mpi" : "--assembly", r->hdf5);
        return TR_EXIT_USAGE;
    }
    r->csv = table_of(r, &file);
    if (!tr_request_outputs_differ(r) ||
        (start->assembly != NULL && !tr_request_spares(r, start->assembly))) {
        return TR_EXIT_USAGE;
    }
    if (start->assembly == NULL) {
        r->file.path = file.model;
        r->file.set = file.set;
        r->file.sets = file.sets;
    } else {
        r->file.path = start->assembly;
    }
    r->checkpoint = file.seconds;
    r->resumed = &file;
    trExit code = glued ? tr_glue_go_on(r, path, &file, start) : go_on(r, path, &file);
    r->resumed = NULL;
    return code;
}

static trExit read_and_resume(trFileRequest *request) {
    Request *r = (Request *)request;
    r->run.hdf5 = results_of(request->arena, request->path);
    return resume(&r->run, &r->start);
}

const trCommand tr_command_resume = {
    .name = "resume",
    .summary = "continue a run that was stopped or killed",
    .examples = "  trammel resume four_bar.h5\n",
    .help = "Continues a run of 'trammel run --checkpoint SECONDS' that was interrupted or\n"
            "killed. FILE is its result file; the checkpoint is FILE.checkpoint, which may be\n"
            "given instead. The rows are bit for bit those of an uninterrupted run. Rows\n"
            "written after the checkpoint are computed again; with integrators of SUNDIALS\n"
            "(arkode, cvode, ida), whose history cannot be saved, all rows since the start or\n"
            "the last break of a function of time. The model file is not needed: the\n"
            "checkpoint contains it.\n\n"
            "Runs of 'trammel glue --checkpoint SECONDS' continue in the same way, in the\n"
            "same folder and with unchanged files of their modules, in this process or under\n"
            "mpirun. Modules that are programs, FMUs or commands need the assembly file: a\n"
            "checkpoint must not choose code to run.\n",
    .needs = "the results of a run",
    .file = "FILE.h5",
    .size = sizeof(Request),
    .options = options,
    .check = check,
    .run = read_and_resume,
};
