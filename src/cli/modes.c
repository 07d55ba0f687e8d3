// SPDX-License-Identifier: MIT
// `trammel modes`: model file -> system -> equilibrium or steady motion -> eigenvalues and shapes.

#include "report/modes.h"
#include "cli/cli.h"
#include "trammel/hdf5.h"

typedef struct Request {
    trFileRequest file;
    const char   *output;  // path; NULL: none
    bool          no_hdf5, keep_pose;
} Request;

static const char help[] =
    "  trammel modes models/benchmark/bicycle.lua --set speed=5\n\n"
    "usage: trammel modes MODEL.lua [OPTIONS]\n\n"
    "Prints the eigenvalues of small motions about the equilibrium nearest to the\n"
    "start, or about the steady motion with which the model starts. Writes mode\n"
    "shapes as motions to MODEL_modes.h5 in the current folder.\n\n"
    "  -o, --output FILE        write this HDF5 file (default MODEL_modes.h5)\n"
    "      --no-hdf5            do not write an HDF5 file\n"
    "      --no-equilibrium     linearize at the model's pose, even if forces do not\n"
    "                           balance\n"
    "      --set NAME=VALUE     set a parameter of the model file; may be repeated\n"
    "      --json               print the full result with shapes as JSON\n\n"
    "Uses start and rank_tolerance of m:simulate{}.\n";

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},   {"no-hdf5", no_argument, NULL, 'n'},
    {"no-equilibrium", no_argument, NULL, 'e'}, {"set", required_argument, NULL, 's'},
    {"json", no_argument, NULL, 'j'},           {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
};

static bool read_option(trFileRequest *request, int value) {
    Request *r = (Request *)request;
    switch (value) {
    case 'o':
        r->output = optarg;
        return true;
    case 'n':
        r->no_hdf5 = true;
        return true;
    case 'e':
        r->keep_pose = true;
        return true;
    default:
        return false;
    }
}

static bool check_request(trFileRequest *request) {
    Request *r = (Request *)request;
    if (r->no_hdf5 && r->output != NULL) {
        tr_cli_error("modes: --no-hdf5 and --output exclude each other; leave one out");
        return false;
    }
    if (!r->no_hdf5 && r->output == NULL) {
        r->output = tr_cli_output(request->arena, request->path, "_modes.h5");
    }
    if (tr_cli_same_file(request->arena, r->output, request->path)) {
        tr_cli_error("modes: the result would overwrite '%s'; choose another file with --output",
                     request->path);
        return false;
    }
    return tr_arena_status(request->arena) == TR_OK;
}

static trStatus write_shapes(const Request *r, const trSystem *system, const trModes *modes) {
    trRecorder *recorder = NULL;
    if (r->output == NULL) {
        return TR_OK;
    }
    trStatus status = tr_recorder_create(&recorder);
    status = status == TR_OK ? tr_recorder_add_hdf5(recorder, r->output) : status;
    status = status == TR_OK ? tr_recorder_note(recorder, "model", tr_system_name(system)) : status;
    status = status == TR_OK ? tr_recorder_note(recorder, "file", r->file.path) : status;
    status = status == TR_OK ? tr_recorder_note(recorder, "content", "modes") : status;
    status = status == TR_OK ? tr_modes_record(modes, recorder) : status;
    status = status == TR_OK ? tr_recorder_close(recorder, "done") : status;
    tr_recorder_destroy(recorder);
    return status;
}

static trExit find_and_tell(const Request *r, const trModel *model, const trSystem *system,
                            const trSimDef *def) {
    trModes        modes;
    trModesOptions wanted = tr_modes_options_default();
    wanted.time = def->start;
    wanted.rank_tolerance = def->rank_tolerance;
    wanted.keep_pose = r->keep_pose;
    trStatus status = tr_modes_find(system, &wanted, &modes);
    if (status != TR_OK) {
        return tr_cli_refuse(r->file.path, status);
    }
    status = write_shapes(r, system, &modes);
    if (status != TR_OK) {
        tr_modes_free(&modes);
        return tr_cli_refuse(r->file.path, status);
    }
    const trModesReport report = {r->file.path, r->output, model, system, &modes};
    trExit              code = tr_cli_report(tr_report_modes(&report), &r->file);
    tr_modes_free(&modes);
    return code;
}

static trExit load_and_find(trFileRequest *request) {
    trLoaded loaded;
    trExit   code = tr_cli_prepare(request->path, request->set, &loaded);
    if (code == TR_EXIT_DONE) {
        code = find_and_tell((Request *)request, loaded.model, loaded.system, &loaded.def);
    }
    tr_cli_release(&loaded);
    return code;
}

const trCommand tr_command_modes = {
    .name = "modes",
    .summary = "compute eigenvalues and mode shapes",
    .help = help,
    .needs = "a model file",
    .example = "MODEL.lua",
    .size = sizeof(Request),
    .options = options,
    .option = read_option,
    .check = check_request,
    .run = load_and_find,
};
