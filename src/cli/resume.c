// SPDX-License-Identifier: MIT
// `trammel resume`: goes on with a run from its checkpoint, as if it had never stopped.

#include <string.h>
#include <unistd.h>

#include "cli/checkpoint.h"
#include "cli/glue_parts.h"
#include "cli/run_parts.h"
#include "sim/def.h"

static void help(FILE *file) {
    fputs(
        "  trammel resume four_bar.h5\n\n"
        "usage: trammel resume FILE [OPTIONS]\n\n"
        "Goes on with a run that was begun with 'trammel run --checkpoint SECONDS' and did not\n"
        "come to its end: interrupted, killed, or the machine went down. FILE are its results;\n"
        "the checkpoint lies beside them (FILE.checkpoint) and may be named in their place. The\n"
        "rows are, bit for bit, those of a run that never stopped. Rows that were written after\n"
        "the checkpoint are computed once more; with integrators of SUNDIALS (arkode, cvode,\n"
        "ida), whose history cannot be saved, all since the start of the run or the last change\n"
        "of formula of a function of time. The model file is not needed: its text is in the\n"
        "checkpoint. A CSV file that the run wrote is written anew.\n\n"
        "Runs of 'trammel glue --checkpoint SECONDS' go on in the same way, from the same folder;\n"
        "files of their modules must be there as they were. Whether they run in this process or\n"
        "under mpirun may differ from before; the rows do not.\n\n"
        "      --mpi                modules of a glued run: under mpirun, each in its own process\n"
        "      --hosts FILE         with --mpi: on these machines, a hostfile of Open MPI\n"
        "      --json               the summary as JSON, with the state at the end\n"
        "  -q, --quiet              neither progress nor summary\n",
        file);
}

static const struct option options[] = {
    {"mpi", no_argument, NULL, 'm'},  {"hosts", required_argument, NULL, 'H'},
    {"json", no_argument, NULL, 'j'}, {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0},
};

typedef struct Request {
    trRequest   run;
    trGlueStart start;  // of a glued run
} Request;

static bool read_option(trFileRequest *request, int value) {
    Request *r = (Request *)request;
    r->start.mpi = r->start.mpi || value == 'm';
    r->start.hosts = value == 'H' ? optarg : r->start.hosts;
    return value == 'm' || value == 'H';
}

static bool check(trFileRequest *request) {
    return tr_glue_start_fits(&((const Request *)request)->start);
}

// The results, also where their checkpoint is named.
static const char *results_of(trArena *arena, const char *path) {
    size_t length = strlen(path);
    length -= tr_checkpoint_is_path(path) ? strlen(".checkpoint") : 0;
    return tr_arena_format(arena, "%.*s", (int)length, path);
}

// "done", "running", ...; empty if the file cannot be read, for whatever reason but memory.
static trStatus read_outcome(trArena *arena, const char *results, const char **outcome) {
    trResult *result = NULL;
    trStatus  status = tr_result_open(results, &result);
    *outcome = status == TR_OK ? tr_arena_text(arena, tr_result_outcome(result)) : "";
    tr_result_close(result);
    return status == TR_E_MEMORY ? status : tr_arena_status(arena);
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

static trStatus load(const trRequest *r, const trCheckpointFile *file, trModel **model,
                     trSimDef *def) {
    trSimDef of_file = tr_sim_def_default();
    TR_TRY(tr_lua_load_text(file->model, file->text, file->text_size, file->set, model, &of_file));
    TR_TRY(tr_sim_def_bind(r->file.arena, file->given, def));
    def->q = file->q;
    def->v = file->v;
    return tr_sim_def_check(def);
}

static trExit go_on(trRequest *r, const char *path, const trCheckpointFile *file) {
    trModel *model = NULL;
    trSimDef def = tr_sim_def_default();
    trExit   code = TR_EXIT_DONE;
    if (load(r, file, &model, &def) != TR_OK) {
        tr_cli_error("%s: %s; run the model again", path, tr_last_error());
        code = TR_EXIT_FILE;
    } else {
        code = tr_run_model(r, model, &def);
    }
    tr_model_destroy(model);
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
        tr_cli_error("%s: the run is done; nothing to resume", r->hdf5);
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
    if (start->mpi && !glued) {
        tr_cli_error("resume: --mpi is for glued runs; %s is one of 'trammel run'", r->hdf5);
        return TR_EXIT_USAGE;
    }
    r->file.path = file.model;
    r->file.set = file.set;
    r->file.sets = file.sets;
    r->csv = file.csv[0] != '\0' ? file.csv : NULL;
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

static const trFileCommand command = {
    .name = "resume",
    .needs = "the results of a run",
    .takes = "file",
    .example = "FILE.h5",
    .letters = ":qh",
    .options = options,
    .help = help,
    .option = read_option,
    .check = check,
    .run = read_and_resume,
};

static trExit run(int argc, char **argv) {
    Request request = {.start = {.argc = argc, .argv = argv}};
    return tr_cli_file_command(&command, &request.run.file, argc, argv);
}

const trCommand tr_command_resume = {
    .name = "resume",
    .summary = "go on with a run that was stopped or killed",
    .help = help,
    .run = run,
};
