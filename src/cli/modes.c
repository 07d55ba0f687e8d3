// SPDX-License-Identifier: MIT
// `trammel modes`: model file -> system -> equilibrium or steady motion -> eigenvalues and shapes.

#include "cli/cli.h"
#include "report/reports.h"
#include "trammel/hdf5.h"

typedef struct Request {
    trFileRequest file;
    const char   *output;  // path; NULL: none
    bool          no_hdf5, keep_pose;
} Request;

static const trOption options[] = {
    TR_STRING(Request, output, "output", 'o', "FILE",
              "write this HDF5 file (default MODEL_modes.h5)"),
    TR_FLAG(Request, no_hdf5, "no-hdf5", 0, "do not write an HDF5 file"),
    TR_FLAG(Request, keep_pose, "no-equilibrium", 0,
            "linearize at the model's pose, even if forces do not balance"),
    TR_SET("the model file"),
    TR_JSON("the full result with shapes"),
    TR_FLAG(Request, file.all, "verbose", 'v', NULL),
    {0},
};

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

static trExit find(trFileRequest *request, trLoaded *loaded) {
    const Request *r = (const Request *)request;
    trModes        modes;
    trModesOptions wanted = tr_modes_options_default();
    wanted.time = loaded->def.start;
    wanted.rank_tolerance = loaded->def.rank_tolerance;
    wanted.keep_pose = r->keep_pose;
    trStatus status = tr_modes_find(loaded->system, &wanted, &modes);
    if (status != TR_OK) {
        return tr_cli_refuse(r->file.path, status);
    }
    status = write_shapes(r, loaded->system, &modes);
    const trModesReport report = {r->file.path, r->output, loaded->model, loaded->system, &modes};
    trExit              code = status == TR_OK ? tr_cli_report(tr_report_modes(&report), request)
                                               : tr_cli_refuse(request->path, status);
    tr_modes_free(&modes);
    return code;
}

const trCommand tr_command_modes = {
    .name = "modes",
    .summary = "compute eigenvalues and mode shapes",
    .examples = "  trammel modes models/benchmark/bicycle.lua --set speed=5\n",
    .help = "Prints the eigenvalues of small motions about the equilibrium nearest to the\n"
            "start, or about the steady motion with which the model starts. Writes mode\n"
            "shapes as motions to MODEL_modes.h5 in the current folder.\n",
    .notes = "Uses start and rank_tolerance of m:simulate{}.\n",
    .needs = "a model file",
    .file = "MODEL.lua",
    .size = sizeof(Request),
    .options = options,
    .check = check_request,
    .run_model = find,
};
