// SPDX-License-Identifier: MIT
// `trammel verify`: result file -> check marks, equations, constraints, energy, continuity.

#include "cli/cli.h"
#include "cli/verify_words.h"

typedef struct Request {
    const char     *path;
    trVerifyOptions options;
    bool            json, all;
} Request;

static void help(FILE *file) {
    fputs("  trammel verify four_bar.h5\n\n"
          "usage: trammel verify RESULTS.h5 [OPTIONS]\n\n"
          "Recomputes a result from the file alone: check marks of rows and texts; then, from\n"
          "the model text in it, the balance of loads on every body, what joints can transmit,\n"
          "constraints at three levels, energy, and how rows continue each other. Says which\n"
          "row and which body, joint or column is off, and by how much, worst first.\n\n"
          "      --no-checksums       the physics alone\n"
          "      --no-physics         check marks alone\n"
          "      --all                all findings, not the first 20\n"
          "      --json               everything as JSON\n\n"
          "Exit codes: 0 nothing is off, 1 something is, 2 usage, 3 the model text in the file\n"
          "does not load, 4 the file cannot be read or has no model text.\n",
          file);
}

static const struct option options[] = {
    {"no-checksums", no_argument, NULL, 'c'}, {"no-physics", no_argument, NULL, 'p'},
    {"all", no_argument, NULL, 'a'},          {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
};

static bool check_request(Request *r, int argc, char **argv) {
    if (optind >= argc) {
        tr_cli_error("verify: needs a result file; write 'trammel verify RESULTS.h5'");
        return false;
    }
    if (argc - optind > 1) {
        tr_cli_error("verify: takes one result file, not '%s' as well", argv[optind + 1]);
        return false;
    }
    if (r->options.no_checksums && r->options.no_physics) {
        tr_cli_error("verify: --no-checksums and --no-physics leave nothing; leave one out");
        return false;
    }
    r->path = argv[optind];
    return true;
}

static trExit read_request(Request *r, int argc, char **argv, bool *helped) {
    for (int value; (value = tr_cli_option(argc, argv, ":h", options)) != -1;) {
        switch (value) {
        case 'h':
            *helped = true;
            return TR_EXIT_DONE;
        case 'c':
            r->options.no_checksums = true;
            break;
        case 'p':
            r->options.no_physics = true;
            break;
        case 'a':
            r->all = true;
            break;
        case 'j':
            r->json = true;
            break;
        default:
            return TR_EXIT_USAGE;
        }
    }
    return check_request(r, argc, argv) ? TR_EXIT_DONE : TR_EXIT_USAGE;
}

static trExit verify(const Request *r) {
    trVerification *seen = NULL;
    trStatus        status = tr_verify(r->path, &r->options, &seen);
    if (status != TR_OK) {
        tr_cli_error("%s", tr_last_error());
        return tr_cli_exit(status);
    }
    if (r->json) {
        tr_verify_json(stdout, r->path, seen);
    } else {
        tr_verify_print(stdout, r->path, seen, r->all);
    }
    trExit code = seen->findings == 0 ? TR_EXIT_DONE : TR_EXIT_FAILED;
    tr_verification_free(seen);
    return code;
}

static trExit run(int argc, char **argv) {
    Request request = {.options = tr_verify_options_default()};
    request.options.find_unseen = true;
    bool helped = false;
    tr_result_leave_at_exit();
    trExit code = read_request(&request, argc, argv, &helped);
    if (helped) {
        help(stdout);
        return TR_EXIT_DONE;
    }
    return code == TR_EXIT_DONE ? verify(&request) : code;
}

const trCommand tr_command_verify = {
    .name = "verify",
    .summary = "check a result file against the equations it must satisfy",
    .help = help,
    .run = run,
};
