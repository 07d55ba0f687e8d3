// SPDX-License-Identifier: MIT
// A program that is a module, over MPI.

#include "trammel/serve.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "glue/server.h"
#include "glue_mpi/mpi_link.h"

#define EXIT_FAILED 1
#define EXIT_USAGE 2
#define EXIT_MODEL 3
#define EXIT_PARTNER 5
#define GRACE 5.0  // the coordinator waits for all before it answers one [s]

const char *tr_module_serve_error(void) {
    return tr_last_error();
}

// The value of --name NAME or --name=NAME, which is taken out; NULL without.
static const char *take_name(int *argc, char **argv) {
    const char *name = NULL;
    int         kept = 0, count = argc != NULL && argv != NULL ? *argc : 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(argv[i], "--name") == 0 && i + 1 < count) {
            name = argv[++i];
        } else if (strncmp(argv[i], "--name=", 7) == 0) {
            name = argv[i] + 7;
        } else {
            argv[kept++] = argv[i];
        }
    }
    if (name != NULL && count > 0) {
        argv[kept] = NULL;
        *argc = kept;
    }
    return name;
}

static int exit_code(trStatus status) {
    switch (status) {
    case TR_OK:
        return 0;
    case TR_E_ARGUMENT:
        return EXIT_USAGE;
    case TR_E_MODEL:
        return EXIT_MODEL;
    case TR_E_PARTNER:
        return EXIT_PARTNER;
    default:
        return EXIT_FAILED;
    }
}

static trStatus check_place(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank != NULL ? rank : getenv("PMIX_RANK");
    if (rank == NULL) {
        return tr_fail(TR_E_ARGUMENT,
                       "a module is started beside its coordinator, in one line: mpirun -n 1 "
                       "trammel glue ASSEMBLY.lua : -n 1 MODULE");
    }
    return strcmp(rank, "0") != 0
               ? TR_OK
               : tr_fail(TR_E_ARGUMENT, "a module was started as the first program of mpirun, "
                                        "which must be 'trammel glue'");
}

static trStatus open_link(int *argc, char ***argv, trLink *out) {
    const char *words = NULL;
    TR_TRY(check_place());
    return tr_mpi_link_open(argc, argv, out, &words) == 0 ? TR_OK
                                                          : tr_fail(TR_E_EXTERNAL, "%s", words);
}

// The error text stays what it is.
static void refuse(trArena *arena, const char *name, const char *words, const trLink *link) {
    const char *kept = tr_arena_text(arena, words);
    if (kept != NULL) {
        tr_server_refuse(arena, name, kept, tr_join_seconds() + GRACE, link);
        tr_fail(TR_E_MODEL, "%s", kept);
    }
}

void tr_mpi_refuse(const char *name, const char *words) {
    trArena *arena = tr_arena_create();
    trLink   link;
    if (arena != NULL && open_link(NULL, NULL, &link) == TR_OK) {
        refuse(arena, name, words, &link);
    }
    tr_arena_destroy(arena);
}

static trStatus serve(trArena *arena, const trModule *module, const char *name, int *argc,
                      char ***argv) {
    const char *known = name != NULL ? name : module->name != NULL ? module->name : "module";
    trServer    server;
    trLink      link;
    TR_TRY(open_link(argc, argv, &link));
    trStatus status = tr_server_plan(arena, module, known, &server);
    if (status != TR_OK) {
        refuse(arena, known, tr_last_error(), &link);
        return status;
    }
    TR_TRY(tr_server_run(&server, name != NULL, tr_join_seconds() + GRACE, &link));
    link.close(link.self);
    return TR_OK;
}

static int serve_as(const trModule *module, const char *name, int *argc, char ***argv) {
    trArena *arena = tr_arena_create();
    trStatus status = arena != NULL ? serve(arena, module, name, argc, argv)
                                    : tr_fail(TR_E_MEMORY, "out of memory");
    tr_arena_destroy(arena);
    return exit_code(status);
}

int tr_module_serve(const trModule *module, int *argc, char ***argv) {
    return serve_as(module, take_name(argc, argv != NULL ? *argv : NULL), argc, argv);
}

int tr_mpi_serve(const trModule *module, const char *name, const char **words) {
    int code = serve_as(module, name, NULL, NULL);
    *words = tr_last_error();
    return code;
}
