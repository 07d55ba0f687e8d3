// SPDX-License-Identifier: MIT
// The command: finds the subcommand and runs it.

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numeric.h"
#include "base/spell.h"
#include "cli/cli.h"
#include "trammel/result.h"

#define TR_COMMAND(name) extern const trCommand tr_command_##name;
#include "cli/commands.def"
#undef TR_COMMAND

#define TR_COMMAND(name) &tr_command_##name,
static const trCommand *const commands[] = {
#include "cli/commands.def"
};
#undef TR_COMMAND

#define COMMANDS ((int)(sizeof commands / sizeof *commands))

static int command_count(void) {
    return COMMANDS + tr_list_count();
}

static const trCommand *command_at(int index) {
    return index < COMMANDS ? commands[index] : tr_list_at(index - COMMANDS);
}

// The words that may stand first: the commands, then what main itself knows.
static const char *const own_words[] = {"help", "--help", "--version"};

static int word_count(void) {
    return command_count() + (int)(sizeof own_words / sizeof *own_words);
}

static const char *word_at(const void *context, int i) {
    int count = command_count();
    return i < count ? command_at(i)->name : own_words[i - count];
}

static const trCommand *find_command(const char *name) {
    for (int i = 0; i < command_count(); i++) {
        const trCommand *c = command_at(i);
        if (strcmp(c->name, name) == 0 || (c->alias != NULL && strcmp(c->alias, name) == 0)) {
            return c;
        }
    }
    const char *near = tr_spell_nearest(name, word_count(), word_at, NULL);
    const char *what = name[0] == '-' ? "option" : "command";
    if (near != NULL) {
        tr_cli_error("unknown %s '%s'; did you mean '%s'?", what, name, near);
    } else {
        tr_cli_error("unknown %s '%s'; 'trammel --help' lists all", what, name);
    }
    return NULL;
}

static void print_help(FILE *file) {
    fputs("  trammel run models/benchmark/four_bar.lua\n\n"
          "usage: trammel COMMAND [ARGUMENTS]\n\n"
          "Simulates constrained mechanical systems.\n\n",
          file);
    for (int i = 0; i < command_count(); i++) {
        fprintf(file, "  %-14s %s\n", command_at(i)->name, command_at(i)->summary);
    }
    fputs("\n  help COMMAND   show the help of a command\n"
          "  --version      print the version\n\n"
          "exit codes: 0 done, 1 simulation failed, 2 usage, 3 model error, 4 file error,\n"
          "5 partner lost, 130 interrupted\n",
          file);
}

static trExit help_command(const char *name) {
    const trCommand *command = name != NULL ? find_command(name) : NULL;
    if (name == NULL) {
        print_help(stdout);
        return TR_EXIT_DONE;
    }
    if (command == NULL) {
        return TR_EXIT_USAGE;
    }
    tr_command_help(command);
    return TR_EXIT_DONE;
}

static trExit dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return TR_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return help_command(NULL);
    }
    if (strcmp(argv[1], "help") == 0) {
        return help_command(argv[2]);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("trammel %s\n", tr_version());
        return TR_EXIT_DONE;
    }
    const trCommand *command = find_command(argv[1]);
    return command != NULL ? tr_cli_command(command, argc - 1, argv + 1) : TR_EXIT_USAGE;
}

// A standard stream that the caller has closed would be the next file that is opened, a result file
// into which messages then go. The wrong direction keeps writing to it an error.
static void fill_closed_streams(void) {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0) {
            (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

// HDF5 keeps a little memory of every damaged file that it was given; leaks of our own are told.
#if defined(__SANITIZE_ADDRESS__)
#define FOUND_BY_SANITIZER __attribute__((visibility("default")))
FOUND_BY_SANITIZER const char *__lsan_default_suppressions(void);
FOUND_BY_SANITIZER const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void) {
    return "leak:libhdf5";
}

const char *__lsan_default_options(void) {
    return "print_suppressions=0";
}
#endif

// Of OpenBLAS, where that is the library behind LAPACK. Its matrices are small here: threads cost
// more than they give, and on a busy machine ten times as much.
#if defined(__GNUC__)
void openblas_set_num_threads(int count) __attribute__((weak));
#endif

static void calculate_in_one_thread(void) {
#if defined(__GNUC__)
    if (openblas_set_num_threads != NULL && getenv("OPENBLAS_NUM_THREADS") == NULL) {
        openblas_set_num_threads(1);
    }
#endif
}

int main(int argc, char **argv) {
    fill_closed_streams();
    (void)signal(SIGXFSZ, SIG_IGN);  // a file at its limit is a failed write, which is told
    calculate_in_one_thread();
    (void)tr_numeric_begin();  // for good: a module that is loaded may set another locale
    tr_result_leave_at_exit();
    return (int)tr_cli_flush_output(dispatch(argc, argv));
}
