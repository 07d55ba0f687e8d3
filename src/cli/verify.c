// SPDX-License-Identifier: MIT
// `trammel verify`: result file -> check marks, equations, constraints, energy, continuity.

#include "trammel/verify.h"
#include "cli/child.h"
#include "report/reports.h"

typedef struct Request {
    trFileRequest file;
    bool          no_checksums, no_physics;
} Request;

static const trOption options[] = {
    TR_FLAG(Request, no_checksums, "no-checksums", 0, "check the physics only"),
    TR_FLAG(Request, no_physics, "no-physics", 0, "check the checksums only"),
    TR_VERBOSE("all deviations (default: the first 20)"),
    TR_FLAG(Request, file.all, "all", 0, NULL),
    TR_JSON("the full result"),
    {0},
};

static bool check_request(trFileRequest *request) {
    const Request *r = (Request *)request;
    if (r->no_checksums && r->no_physics) {
        tr_cli_error("verify: --no-checksums and --no-physics leave nothing; leave one out");
        return false;
    }
    return true;
}

// The model text in the file loads under the watchdog of model files.
static void watch(void *request, bool begins) {
    const Request *r = request;
    if (begins) {
        (void)tr_cli_watch(r->file.path);
    } else {
        tr_cli_unwatch();
    }
}

static trExit verify(void *request) {
    const Request  *r = request;
    trVerification *seen = NULL;
    trVerifyOptions watched = tr_verify_options_default();
    watched.no_checksums = r->no_checksums;
    watched.no_physics = r->no_physics;
    watched.load = watch;
    watched.context = request;
    trStatus status = tr_verify(r->file.path, &watched, &seen);
    if (status != TR_OK) {
        tr_cli_error("%s", tr_last_error());
        return tr_cli_exit(status);
    }
    trExit told = tr_cli_report(tr_report_verify(r->file.path, seen), &r->file);
    return seen->findings == 0 ? told : TR_EXIT_FAILED;
}

static trExit verify_in_child(trFileRequest *request) {
    return tr_child_command(request->path, verify, request);
}

const trCommand tr_command_verify = {
    .name = "verify",
    .summary = "verify a result file by the equations it must satisfy",
    .examples = "  trammel verify four_bar.h5\n",
    .help = "Verifies a result file by itself: checksums of rows and strings; then, with the\n"
            "model in the file, the balance of loads on every body, loads that joints can\n"
            "transmit, constraints at three levels, energy, and continuity between rows.\n"
            "Lists deviations with row and body, joint or column, worst first.\n",
    .notes = "exit codes: 0 no deviations, 1 deviations, 2 usage, 3 the model in the file does\n"
             "not load, 4 the file cannot be read or contains no model\n",
    .needs = "a result file",
    .file = "RESULTS.h5",
    .size = sizeof(Request),
    .options = options,
    .check = check_request,
    .run = verify_in_child,
};
