// SPDX-License-Identifier: MIT
// `trammel glue`: an assembly file -> modules -> joints between them -> results and a summary.

#include <string.h>

#include "cli/glue_carrier.h"
#include "cli/glue_launch.h"
#include "cli/glue_mpi.h"
#include "cli/glue_parts.h"
#include "glue/def.h"

#define NAME_SIZE 64  // of an option

// The option "--rank-tolerance" of the setting "rank_tolerance".
static void option_of_setting(const char *setting, char option[NAME_SIZE]) {
    snprintf(option, NAME_SIZE, "--%s", setting);
    for (char *c = option; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

static void help(FILE *file) {
    fputs("  trammel glue models/glue/two_masses.lua --step 1e-3 --duration 5\n\n"
          "usage: trammel glue ASSEMBLY.lua [OPTIONS]\n\n"
          "Joins modules that were built separately (model files with ports, programs, FMUs) by\n"
          "exact joints, runs them together, writes ASSEMBLY.h5 to the current folder and prints\n"
          "a summary. Modules run in this process: one that hangs hangs the command, which cannot\n"
          "be detected; with --mpi each runs in a process of its own, and none can.\n\n"
          "      --mpi                start the modules under mpirun, in processes of their own\n"
          "      --hosts FILE         with --mpi: on these machines, a hostfile of Open MPI\n"
          "      --dry                put the modules together, show them and their ports; no run\n"
          "  -o, --output FILE        the HDF5 file, in place of ASSEMBLY.h5\n"
          "      --csv FILE           a table of text as well; '-' for standard output, in place\n"
          "                           of the summary\n"
          "      --no-hdf5            no HDF5 file\n"
          "      --set NAME=VALUE     a parameter of the assembly file; may be repeated\n"
          "      --json               the summary as JSON\n"
          "  -q, --quiet              neither progress nor summary\n"
          "      --checkpoint SECONDS keep ASSEMBLY.h5.checkpoint up to date, from which 'trammel\n"
          "                           resume' goes on if the run is stopped or killed\n\n"
          "Over what the assembly file says in g:simulate{}:\n\n",
          file);
    for (const trField *f = tr_glue_def_fields; f->name != NULL; f++) {
        char name[NAME_SIZE];
        option_of_setting(f->name, name);
        bool unit = f->unit[0] != '\0';
        fprintf(file, "      %-20s %s%s%s%s\n", name, f->help, unit ? " [" : "", f->unit,
                unit ? "]" : "");
    }
}

// What only this command has.
typedef struct Wish {
    bool        dry;
    trGlueStart start;
} Wish;

static const struct option more[] = {
    {"dry", no_argument, NULL, 'd'},
    {"mpi", no_argument, NULL, 'm'},
    {"hosts", required_argument, NULL, 'H'},
    {NULL, 0, NULL, 0},
};

static bool read_more(trRequest *r, int value) {
    Wish *wish = r->context;
    wish->dry = wish->dry || value == 'd';
    wish->start.mpi = wish->start.mpi || value == 'm';
    wish->start.hosts = value == 'H' ? optarg : wish->start.hosts;
    return true;
}

// A setting of the command line is refused as the option that it was, not as the key that it is.
static void refuse_setting(const char *key) {
    char        option[NAME_SIZE];
    const char *text = tr_last_error();
    size_t      length = strlen(key);
    option_of_setting(key, option);
    if (text[0] == '\'' && strncmp(text + 1, key, length) == 0 && text[1 + length] == '\'') {
        text += length + 2;
        text += *text == ' ';
    }
    tr_cli_error("glue: option '%s': %s", option, text);
}

static trExit apply_settings(const trRequest *r, trGlueDef *def) {
    for (int i = 0; i < r->givens; i++) {
        const trParam one[] = {r->given[i], {0}};
        if (tr_glue_def_bind(r->arena, one, def) != TR_OK) {
            refuse_setting(r->given[i].key);
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
    double   seconds = tr_cli_watch(r->model);
    trStatus status =
        tr_glue_assembly_load_text(seconds, r->model, NULL, 0, r->set, &out->assembly);
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

static trExit load_and_run(const trRequest *r, const Wish *wish) {
    trGlued glued = {.request = r};
    // First of all, so that modules hear of whatever goes wrong here.
    if (tr_cli_under_mpirun() && tr_cli_mpi_join() != TR_OK) {
        tr_cli_error("glue: %s", tr_last_error());
        return TR_EXIT_USAGE;
    }
    trExit code = load(r, &glued);
    if (code != TR_EXIT_DONE) {
        tr_cli_glue_end(NULL, code);
    } else if (wish->start.mpi) {
        code =
            tr_glue_launch(&glued.assembly, wish->start.argc, wish->start.argv, wish->start.hosts);
    } else {
        code = tr_glued_run(&glued, wish->dry);
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

static trExit run(int argc, char **argv) {
    Wish      wish = {.start = {.argc = argc, .argv = argv}};
    bool      helped = false;
    trRequest request = {.arena = tr_arena_create(),
                         .command = "glue",
                         .takes = "assembly file",
                         .fields = tr_glue_def_fields,
                         .more = more,
                         .read_more = read_more,
                         .context = &wish};
    trExit    code = TR_EXIT_FAILED;
    if (request.arena == NULL) {
        tr_cli_error("out of memory");
    } else {
        code = tr_request_read(&request, argc, argv, &helped);
    }
    if (helped) {
        help(stdout);
    } else if (code == TR_EXIT_DONE) {
        code = tr_glue_start_fits(&wish.start) ? load_and_run(&request, &wish) : TR_EXIT_USAGE;
    }
    tr_arena_destroy(request.arena);
    return code;
}

const trCommand tr_command_glue = {
    .name = "glue",
    .summary = "run separately built modules together, joined by exact joints",
    .help = help,
    .run = run,
};
