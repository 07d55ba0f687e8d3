// SPDX-License-Identifier: MIT
// `trammel check`: model file -> system -> what there is to know before it runs.

#include "cli/cli.h"
#include "report/reports.h"

static const trOption options[] = {
    TR_SET("the model file"),
    TR_JSON("the full result"),
    TR_VERBOSE("long lists in full"),
    {0},
};

static trExit check(trFileRequest *r, trLoaded *loaded) {
    trCheck        found;
    trCheckOptions wanted = tr_check_options_default();
    wanted.time = loaded->def.start;
    wanted.rank_tolerance = loaded->def.rank_tolerance;
    wanted.run = &loaded->def;
    trStatus status = tr_check(loaded->model, loaded->system, &wanted, &found);
    if (status != TR_OK) {
        return tr_cli_refuse(r->path, status);
    }
    trExit told = tr_cli_report(tr_report_check(loaded->system, r->path, &found), r);
    bool   prevents = found.prevents;
    tr_check_free(&found);
    return prevents ? TR_EXIT_MODEL : told;
}

const trCommand tr_command_check = {
    .name = "check",
    .summary = "check a model: freedoms, redundant joints, singular poses, units",
    .examples = "  trammel check models/benchmark/bricard.lua\n",
    .help = "Checks a model before it runs: degrees of freedom, redundant joints and how to\n"
            "free them, singular poses, massless motions, reactions that are not unique,\n"
            "violations of the start, and numbers that suggest a wrong unit.\n",
    .notes = "Exit code 3 if a finding prevents a run, otherwise 0. The pose depends on start\n"
             "and rank_tolerance of m:simulate{}; all settings are checked for a run.\n",
    .needs = "a model file",
    .file = "MODEL.lua",
    .size = sizeof(trFileRequest),
    .options = options,
    .run_model = check,
};
