// SPDX-License-Identifier: MIT
// The temporary folder of an FMU.

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmi/archive.h"

#define MOST_DEPTH 64

// All that is in a folder. Links are removed and not followed; `folder` is closed.
// NOLINTNEXTLINE(misc-no-recursion): depth is bounded.
static void empty(int folder, int depth) {
    DIR *list = fdopendir(folder);
    if (list == NULL) {
        close(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(folder, name, 0) == 0 ||
            depth >= MOST_DEPTH) {
            continue;
        }
        int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) {
            empty(inner, depth + 1);
            (void)unlinkat(folder, name, AT_REMOVEDIR);
        }
    }
    closedir(list);
}

static void remove_folder(void *path) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
        empty(folder, 0);
    }
    (void)rmdir(path);
}

trStatus tr_fmu_folder_create(trArena *arena, const char **out) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the environment is not written.
    const char *parent = getenv("TMPDIR");
    char       *path = tr_arena_format(arena, "%s/trammel-fmu-XXXXXX",
                                 parent != NULL && parent[0] == '/' ? parent : "/tmp");
    *out = path;
    TR_TRY(tr_arena_status(arena));
    if (mkdtemp(path) == NULL) {
        return tr_fail(TR_E_IO, "no temporary folder '%s'; name one that can be written in TMPDIR",
                       path);
    }
    tr_arena_defer(arena, remove_folder, path);
    return tr_arena_status(arena);
}
