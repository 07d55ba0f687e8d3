// SPDX-License-Identifier: MIT
// A process that outlives all others and ends mpirun. After fork there may be threads of MPI that
// hold locks: nothing is called here that takes any.

#include "glue_mpi/mpirun_end.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define LOOKS 20          // in a second
#define ASKED 2 * LOOKS   // looks until mpirun is asked to end
#define KILLED 4 * LOOKS  // and until it is killed
#define MOST_FILES 1024

static bool is_mpirun(pid_t process) {
    static const char *const names[] = {"mpirun\n", "mpiexec\n", "orterun\n", "prterun\n"};
    char                     path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, name, sizeof name - 1) < 0) {
        name[0] = '\0';
    }
    if (file >= 0) {
        close(file);
    }
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

// Out of the group that mpirun kills, and without the pipes whose end it waits for.
static void stand_alone(void) {
    setsid();
    for (int i = 0; i < MOST_FILES; i++) {
        close(i);
    }
    signal(SIGTERM, SIG_IGN);
}

static void see_end(pid_t mpirun) {
    const struct timespec pause = {.tv_nsec = 1000000000 / LOOKS};
    for (int i = 0; i <= KILLED && kill(mpirun, 0) == 0; i++) {
        if ((i == ASKED || i == KILLED) && is_mpirun(mpirun)) {
            kill(mpirun, i == ASKED ? SIGTERM : SIGKILL);
        }
        nanosleep(&pause, NULL);
    }
}

void tr_mpirun_see_end(void) {
    pid_t mpirun = getppid();
    if (getenv(TR_MPIRUN_WATCHED) == NULL && is_mpirun(mpirun) && fork() == 0) {
        stand_alone();
        see_end(mpirun);
        _exit(0);
    }
}
