// SPDX-License-Identifier: MIT
// `trammel check`: model file -> system -> what there is to know before it runs.

#include "report/check.h"
#include "cli/cli.h"

static const char help[] =
    "  trammel check models/benchmark/bricard.lua\n\n"
    "usage: trammel check MODEL.lua [OPTIONS]\n\n"
    "Checks a model before it runs: degrees of freedom, redundant joints and how to\n"
    "free them, singular poses, massless motions, reactions that are not unique,\n"
    "violations of the start, and numbers that suggest a wrong unit.\n\n"
    "      --set NAME=VALUE     set a parameter of the model file; may be repeated\n"
    "      --json               print the full result as JSON\n"
    "  -v, --verbose            print long lists in full\n\n"
    "Exit code 3 if a finding prevents a run, otherwise 0. The pose depends on start\n"
    "and rank_tolerance of m:simulate{}; all settings are checked for a run.\n";

static const struct option options[] = {
    {"set", required_argument, NULL, 's'},
    {"json", no_argument, NULL, 'j'},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static trExit check_and_tell(const trFileRequest *r, const trLoaded *loaded) {
    trCheck        check;
    trCheckOptions wanted = tr_check_options_default();
    wanted.time = loaded->def.start;
    wanted.rank_tolerance = loaded->def.rank_tolerance;
    wanted.run = &loaded->def;
    trStatus status = tr_check(loaded->model, loaded->system, &wanted, &check);
    if (status != TR_OK) {
        return tr_cli_refuse(r->path, status);
    }
    trExit told = tr_cli_report(tr_report_check(loaded->system, r->path, &check), r);
    bool   prevents = check.prevents;
    tr_check_free(&check);
    return prevents ? TR_EXIT_MODEL : told;
}

static trExit load_and_check(trFileRequest *r) {
    trLoaded loaded;
    trExit   code = tr_cli_prepare(r->path, r->set, &loaded);
    code = code == TR_EXIT_DONE ? check_and_tell(r, &loaded) : code;
    tr_cli_release(&loaded);
    return code;
}

const trCommand tr_command_check = {
    .name = "check",
    .summary = "check a model: freedoms, redundant joints, singular poses, units",
    .help = help,
    .needs = "a model file",
    .example = "MODEL.lua",
    .size = sizeof(trFileRequest),
    .options = options,
    .run = load_and_check,
};
