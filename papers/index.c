// SPDX-License-Identifier: MIT
// The index of docs/papers, from the titles of the pages that are there. Usage: index ROOT FOLDER

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 1024

static const char *const numbers[] = {"000", "001", "003", "004", "stiff"};

// The title of a page; false if there is no such page.
static int read_title(const char *folder, const char *number, char title[ROOM]) {
    char path[ROOM];
    snprintf(path, sizeof path, "%s/paper-%s.md", folder, number);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    const int found = fgets(title, ROOM, file) != NULL && strncmp(title, "# ", 2) == 0;
    fclose(file);
    title[strcspn(title, "\n")] = '\0';
    return found;
}

static int write_index(const char *folder, FILE *file) {
    fputs("# The papers, repeated\n\n"
          "<!-- written by `make papers` from papers/index.c -->\n\n"
          "Each page repeats what a paper shows: what the paper has, what Trammel gives, and why "
          "they\n"
          "differ. `make papers` writes them with the programs in `papers/` and the models in "
          "`models/`;\n"
          "the test `papers/agree` runs them again and compares.\n\n"
          "\"< 1e-14\" is rounding, \"~1e-08\" the power of ten of an error that is multiplied "
          "rounding;\n"
          "both may differ a little from machine to machine.\n\n"
          "| page | paper |\n| --- | --- |\n",
          file);
    int pages = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char title[ROOM];
        if (read_title(folder, numbers[i], title)) {
            fprintf(file, "| [paper-%s.md](paper-%s.md) | %s |\n", numbers[i], numbers[i],
                    title + 2);
            pages++;
        }
    }
    return pages;
}

int main(int count, char **arguments) {
    char path[ROOM];
    if (count != 3) {
        fprintf(stderr, "usage: index ROOT FOLDER\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/README.md", arguments[2]);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be written\n", path);
        return 1;
    }
    const int pages = write_index(arguments[2], file);
    const int bad = ferror(file) != 0;
    return fclose(file) != 0 || bad || pages == 0 ? 1 : 0;
}
