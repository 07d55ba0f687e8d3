// SPDX-License-Identifier: MIT
// `trammel module`: a file as a module beside `trammel glue`, in a process of its own.

#include <string.h>

#include "cli/cli.h"
#include "cli/glue_mpi.h"

typedef struct Request {
    const char  *path;
    const char  *name;  // in the assembly; NULL: the module's own
    const char **set;   // "mass=3", ending with NULL
    int          sets;
} Request;

static void help(FILE *file) {
    fputs(
        "  mpirun -n 1 trammel glue assembly.lua : -n 1 trammel module crane.so --name crane\n\n"
        "usage: trammel module FILE [OPTIONS]\n\n"
        "Serves the module of a file to the coordinator, `trammel glue`, which must be the first\n"
        "program of the same mpirun, and ends with it.\n\n"
        "      --name NAME          which module of the assembly it is; without, the one that has\n"
        "                           its own name, else by the order of the programs\n"
        "      --set NAME=VALUE     a parameter of the module; may be repeated\n\n"
        "Results and messages are the coordinator's; it has --json. `trammel glue --mpi` starts\n"
        "all modules by itself.\n\n"
        "exit codes: 0 done, 2 usage, 3 no module, 4 file error, 5 the coordinator is lost\n",
        file);
}

static const struct option options[] = {
    {"name", required_argument, NULL, 'n'},
    {"set", required_argument, NULL, 's'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool check_request(Request *r, int argc, char **argv) {
    if (optind >= argc) {
        tr_cli_error("module: needs a file; write 'trammel module FILE'");
        return false;
    }
    if (argc - optind > 1) {
        tr_cli_error("module: takes one file, not '%s' as well", argv[optind + 1]);
        return false;
    }
    if (r->name != NULL && r->name[0] == '\0') {
        tr_cli_error("module: --name needs a name");
        return false;
    }
    r->path = argv[optind];
    if (!tr_cli_under_mpirun()) {
        tr_cli_error("module: is started beside its coordinator, in one line: mpirun -n 1 trammel "
                     "glue ASSEMBLY.lua : -n 1 trammel module %s",
                     r->path);
        return false;
    }
    return true;
}

static trExit read_request(Request *r, int argc, char **argv, bool *helped) {
    for (int value; (value = tr_cli_option(argc, argv, ":h", options)) != -1;) {
        switch (value) {
        case 'h':
            *helped = true;
            return TR_EXIT_DONE;
        case 'n':
            r->name = optarg;
            break;
        case 's':
            if (!tr_cli_set(optarg, r->set, &r->sets)) {
                return TR_EXIT_USAGE;
            }
            break;
        default:
            return TR_EXIT_USAGE;
        }
    }
    return check_request(r, argc, argv) ? TR_EXIT_DONE : TR_EXIT_USAGE;
}

static trExit run(int argc, char **argv) {
    trArena *arena = tr_arena_create();
    Request  request = {.set = arena != NULL ? tr_new_array(arena, const char *, argc + 1) : NULL};
    bool     helped = false;
    if (request.set == NULL) {
        tr_cli_error("out of memory");
        tr_arena_destroy(arena);
        return TR_EXIT_FAILED;
    }
    trExit code = read_request(&request, argc, argv, &helped);
    if (helped) {
        help(stdout);
    } else if (code == TR_EXIT_DONE) {
        code = (trExit)tr_cli_mpi_serve(request.path, request.sets, request.set, request.name);
        if (code != TR_EXIT_DONE) {
            tr_cli_error("module %s: %s", request.name != NULL ? request.name : request.path,
                         tr_last_error());
        }
    }
    tr_arena_destroy(arena);
    return code;
}

const trCommand tr_command_module = {
    .name = "module",
    .summary = "serves a module to a coordinator in another process, under mpirun",
    .help = help,
    .run = run,
};
