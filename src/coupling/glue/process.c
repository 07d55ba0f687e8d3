// SPDX-License-Identifier: MIT
// Processes as /proc of Linux shows them. Elsewhere nothing is known, and deadlines have to do.

#include "glue/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STAT_SIZE 1024
#define PATH_SIZE 80
#define ID_SIZE 40  // of a machine's start: 36 characters

// The beginning of a file as a text; false if it cannot be opened.
static bool read_text(const char *path, size_t size, char *text) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    return true;
}

// State and start of a process: fields 3 and 22 of its stat, behind a name that may contain
// anything. They are those of its first thread. /proc/ID/stat is not read: qemu, which runs
// containers for other processors, shows a process a different start of itself there.
static bool read_stat(uint64_t id, char *state, uint64_t *started) {
    char path[PATH_SIZE], text[STAT_SIZE];
    snprintf(path, sizeof path, "/proc/%" PRIu64 "/task/%" PRIu64 "/stat", id, id);
    if (!read_text(path, sizeof text, text)) {
        return false;
    }
    const char *field = strrchr(text, ')');
    if (field == NULL || field[1] == '\0') {
        return false;
    }
    *state = field[2];
    for (int i = 3; i <= 22 && field != NULL; i++) {
        field = strchr(field + 1, ' ');
    }
    return field != NULL && sscanf(field, "%" SCNu64, started) == 1;
}

static void read_place(char place[TR_PROCESS_PLACE]) {
    char boot[ID_SIZE] = "", space[PATH_SIZE] = "";
    (void)read_text("/proc/sys/kernel/random/boot_id", sizeof boot, boot);
    boot[strcspn(boot, "\n")] = '\0';
    ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    if (boot[0] != '\0' && length > 0) {
        snprintf(place, TR_PROCESS_PLACE, "%s %.48s", boot, space);
    }
}

trProcess tr_process_self(void) {
    trProcess self = {.id = (uint64_t)getpid()};
    char      state = ' ';
    if (read_stat(self.id, &state, &self.started)) {
        read_place(self.place);
    }
    return self;
}

bool tr_process_gone(const trProcess *process) {
    char     place[TR_PROCESS_PLACE] = "", state = ' ';
    uint64_t started = 0;
    read_place(place);
    if (process->place[0] == '\0' || strcmp(process->place, place) != 0) {
        return false;
    }
    errno = 0;
    if (!read_stat(process->id, &state, &started)) {
        return errno == ENOENT || errno == ESRCH;
    }
    return started != process->started || state == 'Z' || state == 'X';
}
