// SPDX-License-Identifier: MIT
// `trammel glue`: an assembly file -> modules -> joints between them -> results and a summary.

#include "cli/glue_mpi.h"
#include "cli/glue_parts.h"
#include "glue/def.h"

typedef struct Request {
    trRequest   run;
    bool        dry;
    trGlueStart start;
} Request;

static const trOption options[] = {
    TR_GLUE_OPTIONS(Request, start),
    TR_FLAG(Request, dry, "dry", 0, "assemble and show modules and ports, without a run"),
    TR_REQUEST_OPTIONS("ASSEMBLY"),
    TR_SET("the assembly file"),
    TR_JSON("the summary"),
    {0},
};

static trExit apply_settings(const trRequest *r, trGlueDef *def) {
    for (int i = 0; i < r->file.givens; i++) {
        const trParam one[] = {r->file.given[i], {0}};
        if (tr_glue_def_bind(r->file.arena, one, def) != TR_OK) {
            tr_setting_refuse(&r->file, r->file.given[i].key);
            return TR_EXIT_USAGE;
        }
    }
    if (tr_glue_def_check(def) != TR_OK) {
        tr_cli_error("glue: %s", tr_last_error());
        return TR_EXIT_USAGE;
    }
    return TR_EXIT_DONE;
}

static trExit load(const trRequest *r, trGlued *out) {
    double   seconds = tr_cli_watch(r->file.path);
    trStatus status =
        tr_glue_assembly_load_text(seconds, r->file.path, NULL, 0, r->file.set, &out->assembly);
    tr_cli_unwatch();
    if (status != TR_OK) {
        tr_cli_error("%s", tr_last_error());
        return tr_cli_exit(status);
    }
    for (int i = 0; i < tr_model_warnings(out->assembly.ports); i++) {
        tr_cli_warning(tr_model_warning(out->assembly.ports, i));
    }
    return apply_settings(r, &out->assembly.def);
}

static trExit load_and_run(trFileRequest *request) {
    const Request     *r = (const Request *)request;
    const trGlueStart *start = &r->start;
    trGlued            glued = {.request = &r->run};
    // First of all, so that modules hear of whatever goes wrong here.
    if (tr_cli_under_mpirun() && tr_cli_mpi_join() != TR_OK) {
        tr_cli_error("glue: %s", tr_last_error());
        return TR_EXIT_USAGE;
    }
    trExit code = load(&r->run, &glued);
    if (code != TR_EXIT_DONE) {
        tr_cli_glue_end(NULL, code);
    } else if (start->mpi) {
        code = tr_glue_launch(&glued.assembly, request, start->hosts);
    } else {
        code = tr_glued_run(&glued, r->dry);
    }
    tr_glue_assembly_free(&glued.assembly);
    return code;
}

bool tr_glue_start_fits(const trFileRequest *r, const trGlueStart *start) {
    if (start->hosts != NULL && !start->mpi) {
        tr_cli_error("%s: --hosts is read with --mpi only", r->command->name);
        return false;
    }
    if (start->mpi && tr_cli_under_mpirun()) {
        tr_cli_error("%s: --mpi starts mpirun, but this is started by one; leave it out",
                     r->command->name);
        return false;
    }
    return true;
}

static bool check(trFileRequest *request) {
    return tr_request_check(request) &&
           tr_glue_start_fits(request, &((const Request *)request)->start);
}

static trFieldList fields(void) {
    return tr_field_list(tr_glue_def_fields);
}

const trCommand tr_command_glue = {
    .name = "glue",
    .summary = "run separately built modules together, connected by joints",
    .examples = "  trammel glue models/glue/two_masses.lua --step 1e-3 --duration 5\n",
    .help = "Runs separately built modules (model files with ports, programs, FMUs) together,\n"
            "connected by exact joints, writes ASSEMBLY.h5 to the current folder and prints a\n"
            "summary. Modules run in this process, where hangs cannot be detected, or with\n"
            "--mpi each in its own process.\n",
    .needs = "an assembly file",
    .file = "ASSEMBLY.lua",
    .size = sizeof(Request),
    .options = options,
    .fields = fields,
    .check = check,
    .run = load_and_run,
};
