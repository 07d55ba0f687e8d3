// SPDX-License-Identifier: MIT
// `trammel module`: a file as a module beside `trammel glue`, in a process of its own.

#include "cli/cli.h"
#include "cli/glue_mpi.h"

typedef struct Request {
    trFileRequest file;
    const char   *name;  // in the assembly; NULL: the module's own
} Request;

static const trOption options[] = {
    TR_STRING(Request, name, "name", 0, "NAME",
              "name of the module in the assembly (default: its own name, otherwise the order of "
              "the programs)"),
    TR_SET("the module"),
    {0},
};

static bool check(trFileRequest *request) {
    const char *name = ((const Request *)request)->name;
    if (name != NULL && name[0] == '\0') {
        tr_cli_error("module: --name needs a name");
        return false;
    }
    if (!tr_cli_under_mpirun()) {
        tr_cli_error("module: is started beside its coordinator, in one line: mpirun -n 1 trammel "
                     "glue ASSEMBLY.lua : -n 1 trammel module %s",
                     request->path);
        return false;
    }
    return true;
}

static trExit serve(trFileRequest *r) {
    const char *name = ((const Request *)r)->name;
    trExit      code = (trExit)tr_cli_mpi_serve(r->path, r->sets, r->set, name);
    if (code != TR_EXIT_DONE) {
        tr_cli_error("module %s: %s", name != NULL ? name : r->path, tr_last_error());
    }
    return code;
}

const trCommand tr_command_module = {
    .name = "module",
    .summary = "serve a module to a coordinator, under mpirun",
    .examples =
        "  mpirun -n 1 trammel glue assembly.lua : -n 1 trammel module crane.so --name crane\n",
    .help = "Serves the module in FILE to the coordinator, `trammel glue`, which must be the\n"
            "first program of the same mpirun; ends with it. `trammel glue --mpi` starts all\n"
            "modules by itself. The coordinator writes results and messages.\n",
    .notes = "exit codes: 0 done, 2 usage, 3 no module, 4 file error, 5 coordinator lost\n",
    .needs = "a file",
    .file = "FILE",
    .size = sizeof(Request),
    .options = options,
    .check = check,
    .run = serve,
};
