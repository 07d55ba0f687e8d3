// SPDX-License-Identifier: MIT
// Paths of what commands write: named after the model, and never one of the files that they read.

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

#define LINKS_MOST 40  // as systems have it
#define TARGET_SIZE 4096

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

const char *tr_cli_output(trArena *arena, const char *model, const char *ending) {
    const char *base = base_of(model), *dot = strrchr(base, '.');
    bool        is_lua = dot != NULL && dot != base && strcmp(dot, ".lua") == 0;
    int         length = is_lua ? (int)(dot - base) : (int)strlen(base);
    return tr_arena_format(arena, "%.*s%s", length, base, ending);
}

static bool same_entry(const char *a, const char *b) {
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

// The folder that a path names a file in.
static const char *folder_of(trArena *arena, const char *path, const char *base) {
    return base == path ? "." : tr_arena_format(arena, "%.*s", (int)(base - path), path);
}

const char *tr_cli_follow(trArena *arena, const char *path) {
    char target[TARGET_SIZE];
    for (int links = 0; path != NULL && links < LINKS_MOST; links++) {
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length <= 0) {
            break;
        }
        target[length] = '\0';
        path = target[0] == '/'
                   ? tr_arena_text(arena, target)
                   : tr_arena_format(arena, "%.*s%s", (int)(base_of(path) - path), path, target);
    }
    return path;
}

bool tr_cli_same_file(trArena *arena, const char *a, const char *b) {
    a = a != NULL ? tr_cli_follow(arena, a) : NULL;
    b = b != NULL ? tr_cli_follow(arena, b) : NULL;
    if (a == NULL || b == NULL) {
        return false;
    }
    const char *base_a = base_of(a), *base_b = base_of(b);
    const char *in_a = folder_of(arena, a, base_a), *in_b = folder_of(arena, b, base_b);
    return strcmp(a, b) == 0 || same_entry(a, b) ||
           (strcmp(base_a, base_b) == 0 && in_a != NULL && in_b != NULL && same_entry(in_a, in_b));
}
