// SPDX-License-Identifier: MIT
// The coordinator and the modules of an assembly, each as the words of a program of mpirun.

#include <string.h>

#include "cli/glue_mpirun.h"
#include "cli/glue_parts.h"

// Whether a word is this option, which may be cut short to `least` letters, with a value or not.
static bool is_option(const char *word, const char *option, size_t least) {
    size_t length = strcspn(word, "=");
    return length >= least && strncmp(word, option, length) == 0;
}

// The command itself, without what asked for mpirun.
static trWords coordinator_of(trArena *arena, const char *self, int argc, char *const *argv) {
    const char **words = tr_new_array(arena, const char *, argc + 2);
    int          count = 0;
    if (words == NULL) {
        return NULL;
    }
    words[count++] = self;
    words[count++] = argv[0];
    for (int i = 1; i < argc; i++) {
        bool hosts = is_option(argv[i], "--hosts", 4);
        if (!hosts && !is_option(argv[i], "--mpi", 4)) {
            words[count++] = argv[i];
        }
        i += hosts && strchr(argv[i], '=') == NULL;
    }
    return words;
}

// A program of the user's own serves by itself; files are served by this command.
static trWords module_of(trArena *arena, const char *self, const trModuleUse *use, double start) {
    int          count = 0;
    const char **argument = tr_cli_module_arguments(arena, use, start, &count);
    if (argument == NULL || use->source != TR_MODULE_COMMAND) {
        return argument == NULL ? NULL
                                : tr_mpirun_file(arena, self, use->path, use->name, argument);
    }
    const char **words = tr_new_array(arena, const char *, count + 3);
    if (words == NULL) {
        return NULL;
    }
    words[0] = use->path;
    memcpy(words + 1, argument, (size_t)count * sizeof *words);
    words[count + 1] = tr_mpirun_name(arena, use->name);
    return words;
}

static trStatus launch(const trFileRequest *r, const trGlueAssembly *assembly, const char *hosts,
                       int *code) {
    trArena    *arena = r->arena;
    const char *self = tr_mpirun_self(arena);
    trWords    *module = tr_new_array(arena, trWords, assembly->modules);
    trMpirun    mpirun = {.hosts = hosts,
                          .coordinator = coordinator_of(arena, self, r->argc, r->argv),
                          .modules = assembly->modules,
                          .module = module};
    for (int i = 0; module != NULL && i < assembly->modules; i++) {
        module[i] = module_of(arena, self, &assembly->module[i], assembly->def.start);
    }
    TR_TRY(tr_arena_status(arena));
    trWords line = tr_mpirun_line(arena, &mpirun);
    TR_TRY(tr_arena_status(arena));
    return tr_mpirun_run(line, code);
}

trExit tr_glue_launch(const trGlueAssembly *assembly, const trFileRequest *r, const char *hosts) {
    int      code = TR_EXIT_FAILED;
    trStatus status = launch(r, assembly, hosts, &code);
    if (status != TR_OK) {
        tr_cli_error("%s: %s", r->command->name, tr_last_error());
        code = tr_cli_exit(status);
    }
    return (trExit)code;
}
