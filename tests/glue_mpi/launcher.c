// SPDX-License-Identifier: MIT
// As `trammel glue --mpi` does it. Usage: launcher HOSTS COORDINATOR WORDS... [: MODULE
// WORDS...]... HOSTS may be "-". A module of the words "file COMMAND FILE NAME SETTINGS..." is made
// as one.

#include <stdio.h>
#include <string.h>

#include "cli/glue_mpirun.h"

#define MOST 8

static trWords module_words(trArena *arena, char **word) {
    return strcmp(word[0], "file") == 0
               ? tr_mpirun_file(arena, word[1], word[2], word[3], (trWords)(word + 4))
               : (trWords)word;
}

int main(int argc, char **argv) {
    trArena *arena = tr_arena_create();
    trWords  module[MOST];
    char   **start[MOST + 1] = {argv + 2};
    int      programs = 1, code = 0;
    for (int i = 2; i < argc && programs <= MOST; i++) {
        if (strcmp(argv[i], ":") == 0) {
            argv[i] = NULL;
            start[programs++] = argv + i + 1;
        }
    }
    for (int i = 1; i < programs; i++) {
        module[i - 1] = module_words(arena, start[i]);
    }
    trMpirun mpirun = {.hosts = strcmp(argv[1], "-") != 0 ? argv[1] : NULL,
                       .coordinator = (trWords)start[0],
                       .modules = programs - 1,
                       .module = module};
    trStatus status = tr_mpirun_run(tr_mpirun_line(arena, &mpirun), &code);
    if (status != TR_OK) {
        fprintf(stderr, "launcher: %s\n", tr_last_error());
        code = status == TR_E_PARTNER ? 5 : 4;
    }
    tr_arena_destroy(arena);
    return code;
}
