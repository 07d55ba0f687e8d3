// SPDX-License-Identifier: MIT
// `trammel check`: model file -> system -> what there is to know before it runs.

#include "cli/check_words.h"

typedef struct Request {
    const char  *model;  // path
    const char **set;    // "N=40", ending with NULL
    int          sets;
    bool         json;
} Request;

static void help(FILE *file) {
    fputs("  trammel check models/benchmark/bricard.lua\n\n"
          "usage: trammel check MODEL.lua [OPTIONS]\n\n"
          "Says what a model is before it runs: degrees of freedom, joints that are redundant and\n"
          "what to free, singular poses, motions without mass, reactions that are not unique, how\n"
          "far the start is off, and numbers that look like a wrong unit.\n\n"
          "      --set NAME=VALUE     a parameter of the model file; may be repeated\n"
          "      --json               everything as JSON\n\n"
          "Exit code 3 if something prevents a run, 0 otherwise. Start and rank_tolerance of\n"
          "m:simulate{} count for the pose, all of it for whether a run begins.\n",
          file);
}

static const struct option options[] = {
    {"set", required_argument, NULL, 's'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static trExit read_request(Request *r, int argc, char **argv, bool *helped) {
    for (int value; (value = tr_cli_option(argc, argv, ":h", options)) != -1;) {
        if (value == 'h') {
            *helped = true;
            return TR_EXIT_DONE;
        }
        if (value == TR_CLI_BAD_OPTION || (value == 's' && !tr_cli_set(optarg, r->set, &r->sets))) {
            return TR_EXIT_USAGE;
        }
        r->json = r->json || value == 'j';
    }
    if (optind >= argc) {
        tr_cli_error("check: needs a model file; write 'trammel check MODEL.lua'");
        return TR_EXIT_USAGE;
    }
    if (argc - optind > 1) {
        tr_cli_error("check: takes one model file, not '%s' as well", argv[optind + 1]);
        return TR_EXIT_USAGE;
    }
    r->model = argv[optind];
    return TR_EXIT_DONE;
}

static trExit check_and_tell(const Request *r, const trLoaded *loaded) {
    trCheck        check;
    trCheckOptions wanted = tr_check_options_default();
    wanted.time = loaded->def.start;
    wanted.rank_tolerance = loaded->def.rank_tolerance;
    wanted.run = &loaded->def;
    trStatus status = tr_check(loaded->model, loaded->system, &wanted, &check);
    if (status != TR_OK) {
        return tr_cli_refuse(r->model, status);
    }
    const trCheckReport report = {loaded, &check};
    if (r->json) {
        tr_check_json(stdout, &report);
    } else {
        tr_check_print(stdout, &report);
    }
    bool prevents = check.prevents;
    tr_check_free(&check);
    return prevents ? TR_EXIT_MODEL : TR_EXIT_DONE;
}

static trExit run(int argc, char **argv) {
    Request  request = {0};
    trLoaded loaded = {0};
    bool     helped = false;
    trExit   code = TR_EXIT_FAILED;
    trArena *arena = tr_arena_create();
    request.set = arena == NULL ? NULL : tr_new_array(arena, const char *, argc + 1);
    if (request.set == NULL) {
        tr_cli_error("out of memory");
    } else {
        code = read_request(&request, argc, argv, &helped);
    }
    if (helped) {
        help(stdout);
    } else if (code == TR_EXIT_DONE) {
        code = tr_cli_prepare(request.model, request.set, &loaded);
        code = code == TR_EXIT_DONE ? check_and_tell(&request, &loaded) : code;
        tr_cli_release(&loaded);
    }
    tr_arena_destroy(arena);
    return code;
}

const trCommand tr_command_check = {
    .name = "check",
    .summary = "degrees of freedom, redundant joints, singular poses, and what looks wrong",
    .help = help,
    .run = run,
};
