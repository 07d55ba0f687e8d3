// SPDX-License-Identifier: MIT
// `trammel glue`: an assembly file -> modules -> joints between them -> results and a summary.

#include "cli/glue_carrier.h"
#include "cli/glue_launch.h"
#include "cli/glue_mpi.h"
#include "cli/glue_parts.h"
#include "glue/def.h"

static trFieldList settings(void) {
    return tr_field_list(tr_glue_def_fields);
}

static const char help[] =
    "  trammel glue models/glue/two_masses.lua --step 1e-3 --duration 5\n\n"
    "usage: trammel glue ASSEMBLY.lua [OPTIONS]\n\n"
    "Runs separately built modules (model files with ports, programs, FMUs) together,\n"
    "connected by exact joints, writes ASSEMBLY.h5 to the current folder and prints a\n"
    "summary. Modules run in this process, where hangs cannot be detected, or with\n"
    "--mpi each in its own process.\n\n"
    "      --mpi                start the modules under mpirun, each in its own\n"
    "                           process\n"
    "      --hosts FILE         with --mpi: hostfile of Open MPI\n"
    "      --dry                assemble and show modules and ports, without a run\n"
    "  -o, --output FILE        write this HDF5 file (default ASSEMBLY.h5)\n"
    "      --csv FILE           also write a table; '-': to standard output, without\n"
    "                           summary\n"
    "      --no-hdf5            do not write an HDF5 file\n"
    "      --set NAME=VALUE     set a parameter of the assembly file; may be repeated\n"
    "      --json               print the summary as JSON\n"
    "  -v, --verbose            print the full summary\n"
    "  -q, --quiet              print neither progress nor summary\n"
    "      --checkpoint SECONDS update ASSEMBLY.h5.checkpoint, from which 'trammel\n"
    "                           resume' continues a run that was stopped or killed\n\n"
    "Settings, which override those of g:simulate{}:\n\n";

static const struct option options[] = {
    TR_REQUEST_OPTIONS,
    {"dry", no_argument, NULL, 'd'},
    {"mpi", no_argument, NULL, 'm'},
    {"hosts", required_argument, NULL, 'H'},
    {NULL, 0, NULL, 0},
};

typedef struct Request {
    trRequest   run;
    bool        dry;
    trGlueStart start;
} Request;

static bool read_option(trFileRequest *request, int value) {
    Request *r = (Request *)request;
    r->dry = r->dry || value == 'd';
    r->start.mpi = r->start.mpi || value == 'm';
    r->start.hosts = value == 'H' ? optarg : r->start.hosts;
    return value == 'd' || value == 'm' || value == 'H' || tr_request_option(&r->run, value);
}

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
        code = tr_glue_launch(&glued.assembly, start->argc, start->argv, start->hosts);
    } else {
        code = tr_glued_run(&glued, r->dry);
    }
    tr_glue_assembly_free(&glued.assembly);
    return code;
}

bool tr_glue_start_fits(const trGlueStart *start) {
    if (start->hosts != NULL && !start->mpi) {
        tr_cli_error("%s: --hosts is read with --mpi only", start->argv[0]);
        return false;
    }
    if (start->mpi && tr_cli_under_mpirun()) {
        tr_cli_error("%s: --mpi starts mpirun, but this is started by one; leave it out",
                     start->argv[0]);
        return false;
    }
    return true;
}

static bool check(trFileRequest *request) {
    return tr_request_check(request) && tr_glue_start_fits(&((const Request *)request)->start);
}

static trFieldList fields(void) {
    return tr_field_list(tr_glue_def_fields);
}

static void begin(trFileRequest *request, int argc, char **argv) {
    ((Request *)request)->start.argc = argc;
    ((Request *)request)->start.argv = argv;
}

const trCommand tr_command_glue = {
    .name = "glue",
    .summary = "run separately built modules together, connected by joints",
    .help = help,
    .settings = settings,
    .needs = "an assembly file",
    .example = "ASSEMBLY.lua",
    .size = sizeof(Request),
    .options = options,
    .begin = begin,
    .fields = fields,
    .option = read_option,
    .check = check,
    .run = load_and_run,
};
