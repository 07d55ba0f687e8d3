// SPDX-License-Identifier: MIT
// Whatever request for memory fails while a command runs, it ends with one line that says so and
// the exit code of a failure, or it has done its work. Each time is a process of its own, in which
// the command's main is called.

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "faults/memory.h"
#include "record/scratch.h"
#include "support/test.h"

#define MOST_WORDS 12
#define NO_FAULT 0
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))
#define AFTER_READING 400  // requests, of 430
#define REACHED 64         // added to the exit code where the fault came about

#define PENDULUM SOURCE_DIR "/models/benchmark/pendulum_rod.lua"

int tr_cli_main(int argc, char **argv);

typedef const char *Line[MOST_WORDS];  // ends with NULL

static void send_to(int stream, const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, stream);
    close(file);
}

// Never returns. cmocka's own handlers would turn a crash into a longjmp.
static void run_in_child(const Line line, long k, bool all_after) {
    static char      buffer[BUFSIZ];
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    char            *argv[MOST_WORDS];
    int              argc = 0;
    for (int i = 0; i < COUNT(numbers); i++) {
        signal(numbers[i], SIG_DFL);
    }
    for (; line[argc] != NULL; argc++) {
        argv[argc] = (char *)(uintptr_t)line[argc];  // getopt changes their order, not the words
    }
    argv[argc] = NULL;
    send_to(STDOUT_FILENO, "stdout");
    send_to(STDERR_FILENO, "stderr");
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);  // the stream's own would stay
    memory_watch();
    memory_refuse(k, all_after);
    int  code = tr_cli_main(argc, argv);
    bool reached = memory_allow() >= k && k != NO_FAULT;
    if (memory_held() > 0) {
        memory_print_held();
        code = REACHED - 1;
    }
    _exit(reached && code != TR_EXIT_INTERRUPTED ? code + REACHED : code);
}

static int run_command(const Line line, long k, bool all_after) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        run_in_child(line, k, all_after);
    }
    int outcome = 0;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    if (!WIFEXITED(outcome)) {
        fail_msg("%s %s: request %ld%s: ended by signal %d", line[1], line[2], k,
                 all_after ? " and all after it" : "", WTERMSIG(outcome));
    }
    return WEXITSTATUS(outcome);
}

// Lines that begin with the command's name, of which one speaks of memory. There may be two: a
// comparison tells of the runs and of the table that it could not write.
static bool is_told(const char *text) {
    const char *line = text;
    while (strncmp(line, "trammel: ", 9) == 0 && strchr(line, '\n') != NULL) {
        line = strchr(line, '\n') + 1;
    }
    return line != text && *line == '\0' && strstr(text, "memory") != NULL;
}

static void complain(const Line line, long k, bool all_after, int code) {
    char *text = read_text("stderr");
    print_error("%s\n", text == NULL ? "" : text);
    free(text);
    fail_msg("%s %s: request %ld%s: exit code %d", line[1], line[2], k,
             all_after ? " and all after it" : "", code);
}

static void check_failure(const Line line, long k, bool all_after, int code) {
    char *text = read_text("stderr");
    bool  failed = code == TR_EXIT_FAILED || code == TR_EXIT_MODEL || code == TR_EXIT_FILE;
    bool  told = text != NULL && is_told(text);
    free(text);
    if (!failed || !told) {
        complain(line, k, all_after, code);
    }
}

static long attack(const Line line, long first) {
    long requests = 0;
    assert_int_equal(run_command(line, NO_FAULT, false), TR_EXIT_DONE);
    for (int all = 0; all < 2; all++) {
        for (long k = first;; k++) {
            int code = run_command(line, k, all == 1);
            if (code < REACHED) {
                if (code != TR_EXIT_DONE) {  // there is no such request
                    complain(line, k, all == 1, code);
                }
                break;
            }
            requests++;
            if (code - REACHED != TR_EXIT_DONE) {
                check_failure(line, k, all == 1, code - REACHED);
            }
        }
    }
    assert_int_equal(run_command(line, NO_FAULT, false), TR_EXIT_DONE);
    return requests;
}

static void every_request_of_a_command(void **state) {
    static const Line lines[] = {
        {"trammel", "run", PENDULUM, "--duration", "0.01", "--no-hdf5", "--csv", "out.csv"},
        {"trammel", "run", PENDULUM, "--duration", "0.01", "--no-hdf5", "--json", "--method",
         "maggi"},
        {"trammel", "check", PENDULUM},
        {"trammel", "modes", PENDULUM, "--no-hdf5", "--json"},
        {"trammel", "compare", PENDULUM, "--methods", "direct", "--duration", "0.01", "--repeat",
         "1", "--csv", "out.csv"},
    };
    for (int i = 0; i < COUNT(lines); i++) {
        // Reading the file is the same for all.
        long requests = attack(lines[i], i == 0 ? 1 : AFTER_READING);
        assert_true(requests > 30);
        print_message("%-10s %5ld requests failed\n", lines[i][1], requests);
    }
}

static Scratch scratch;

static int enter_scratch(void **state) {
    return scratch_make(&scratch, "out.csv") == 0 ? chdir(scratch.folder) : -1;
}

static int leave_scratch(void **state) {
    unlink("stdout");
    unlink("stderr");
    scratch_drop(&scratch);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_request_of_a_command, enter_scratch, leave_scratch),
    };
    return cmocka_run_group_tests_name("command allocations", tests, NULL, NULL);
}
