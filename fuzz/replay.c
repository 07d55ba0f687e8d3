// SPDX-License-Identifier: MIT
// Hands every file of the folders (or files) on the command line to a target, without a fuzzer: so
// the corpora and what was found once are part of the tests. Prints how many there were, and fails
// where they do not reach the goals of the target.

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "target.h"

#define PATH_ROOM 4096

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "replay: cannot read %s\n", path);
        return -1;
    }
    fseek(file, 0, SEEK_END);
    long     size = ftell(file);
    uint8_t *data = size >= 0 ? malloc((size_t)size + 1) : NULL;  // one more: never of no bytes
    rewind(file);
    int read = data != NULL && fread(data, 1, (size_t)size, file) == (size_t)size;
    fclose(file);
    if (read) {
        fprintf(stderr, "%s\n", path);  // the last one is the one that failed
        LLVMFuzzerTestOneInput(data, (size_t)size);
    }
    free(data);
    return read ? 1 : -1;
}

static int replay_folder(const char *path) {
    DIR *folder = opendir(path);
    int  count = 0;
    if (folder == NULL) {
        fprintf(stderr, "replay: cannot open %s\n", path);
        return -1;
    }
    for (struct dirent *entry; count >= 0 && (entry = readdir(folder)) != NULL;) {
        char        inside[PATH_ROOM];
        struct stat info;
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (stat(inside, &info) == 0 && S_ISREG(info.st_mode)) {
            count = replay_file(inside) == 1 ? count + 1 : -1;
        }
    }
    closedir(folder);
    return count;
}

static bool reaches_all(void) {
    bool all = true;
    for (int i = 0; fuzz_goal[i] != NULL; i++) {
        if ((fuzz_reached & 1u << i) == 0) {
            fprintf(stderr, "replay: no input gets so far that %s; renew the seeds\n",
                    fuzz_goal[i]);
            all = false;
        }
    }
    return all;
}

int main(int argc, char **argv) {
    int total = 0;
    for (int i = 1; i < argc; i++) {
        struct stat info;
        int         count = -1;
        if (stat(argv[i], &info) == 0) {
            count = S_ISDIR(info.st_mode) ? replay_folder(argv[i]) : replay_file(argv[i]);
        }
        if (count < 0) {
            return 1;
        }
        total += count;
    }
    fprintf(stderr, "%d inputs\n", total);
    return total > 0 && reaches_all() ? 0 : 1;
}
