// SPDX-License-Identifier: MIT
// `trammel verify`: result file -> check marks, equations, constraints, energy, continuity.

#include "trammel/verify.h"
#include "cli/child.h"
#include "report/verify.h"

typedef struct Request {
    trFileRequest   file;
    trVerifyOptions options;
} Request;

static const char help[] =
    "  trammel verify four_bar.h5\n\n"
    "usage: trammel verify RESULTS.h5 [OPTIONS]\n\n"
    "Verifies a result file by itself: checksums of rows and strings; then, with the\n"
    "model in the file, the balance of loads on every body, loads that joints can\n"
    "transmit, constraints at three levels, energy, and continuity between rows.\n"
    "Lists deviations with row and body, joint or column, worst first.\n\n"
    "      --no-checksums       check the physics only\n"
    "      --no-physics         check the checksums only\n"
    "  -v, --verbose            list all deviations (default: the first 20)\n"
    "      --json               print the full result as JSON\n\n"
    "exit codes: 0 no deviations, 1 deviations, 2 usage, 3 the model in the file does\n"
    "not load, 4 the file cannot be read or contains no model\n";

static const struct option options[] = {
    {"no-checksums", no_argument, NULL, 'c'},
    {"no-physics", no_argument, NULL, 'p'},
    {"all", no_argument, NULL, 'v'},
    {"verbose", no_argument, NULL, 'v'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool read_option(trFileRequest *request, int value) {
    Request *r = (Request *)request;
    switch (value) {
    case 'c':
        r->options.no_checksums = true;
        return true;
    case 'p':
        r->options.no_physics = true;
        return true;
    default:
        return false;
    }
}

static bool check_request(trFileRequest *request) {
    const Request *r = (Request *)request;
    if (r->options.no_checksums && r->options.no_physics) {
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
    trVerifyOptions watched = r->options;
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

static void begin(trFileRequest *request, int argc, char **argv) {
    (void)argc;
    (void)argv;
    ((Request *)request)->options = tr_verify_options_default();
}

const trCommand tr_command_verify = {
    .name = "verify",
    .summary = "verify a result file by the equations it must satisfy",
    .help = help,
    .needs = "a result file",
    .example = "RESULTS.h5",
    .size = sizeof(Request),
    .options = options,
    .begin = begin,
    .option = read_option,
    .check = check_request,
    .run = verify_in_child,
};
