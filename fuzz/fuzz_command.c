// SPDX-License-Identifier: MIT
// The command line: bytes are words, separated by zeros. The command ends with one of its exit
// codes. No word reaches a file: the process stands in an empty folder, and slashes are taken out.

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "target.h"

GOALS("a command is done", "a command line is refused", "a missing file is refused")
enum { DONE, USAGE, FILE_REFUSED };

#define BYTES_MOST 1024
#define WORDS_MOST 32

int trammel_main(int argc, char **argv);

static void stand_apart(void) {
    static int done = 0;
    char       folder[] = "/tmp/trammel-fuzz-XXXXXX";
    if (done == 0) {
        MUST(mkdtemp(folder) != NULL && chdir(folder) == 0 && rmdir(folder) == 0);
        MUST(freopen("/dev/null", "w", stdout) != NULL);
        done = 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[BYTES_MOST + 1];
    char       *argv[WORDS_MOST + 2] = {(char[]){"trammel"}};
    int         argc = 1;
    stand_apart();
    size = size < BYTES_MOST ? size : BYTES_MOST;
    memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)(text[i] == '/' ? '_' : text[i]);
    }
    for (size_t at = 0; at < size && argc <= WORDS_MOST; at += strlen(text + at) + 1) {
        argv[argc++] = text + at;
    }
    optind = 0;  // getopt begins anew
    int code = trammel_main(argc, argv);
    MUST((code >= 0 && code <= 4) || code == 130);
    fuzz_reached |= code == 0 ? 1u << DONE : code == 2 ? 1u << USAGE : 0u;
    fuzz_reached |= code == 4 ? 1u << FILE_REFUSED : 0u;
    return 0;
}
