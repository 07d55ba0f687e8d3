// SPDX-License-Identifier: MIT
// A command from its words to its exit code: options, the file, what it does, and errors in one
// line.

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/plain.h"
#include "cli/cli.h"

#define LINE_SIZE 2048

// A name from a model file must neither break the line nor command the terminal.
static void print_line(const char *prefix, char *line) {
    tr_make_plain(line);
    fprintf(stderr, "trammel: %s%s\n", prefix, line);
}

void tr_cli_error(const char *format, ...) {
    char    line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    print_line("", line);
}

void tr_cli_warning(const char *text) {
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "%s", text);
    print_line("warning: ", line);
}

trExit tr_cli_flush_output(trExit code) {
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        tr_cli_error("standard output: cannot write: %s; free some space or send it elsewhere",
                     errno != 0 ? strerror(errno) : "an earlier write failed");
        return code == TR_EXIT_DONE ? TR_EXIT_FILE : code;
    }
    return code;
}

trExit tr_cli_exit(trStatus status) {
    switch (status) {
    case TR_OK:
        return TR_EXIT_DONE;
    case TR_E_MODEL:
    case TR_E_ARGUMENT:
    case TR_E_UNSUPPORTED:
        return TR_EXIT_MODEL;
    case TR_E_IO:
        return TR_EXIT_FILE;
    case TR_E_PARTNER:
        return TR_EXIT_PARTNER;
    case TR_E_INTERRUPTED:
        return TR_EXIT_INTERRUPTED;
    default:
        return TR_EXIT_FAILED;
    }
}

trExit tr_cli_report(trReport *report, const trFileRequest *r) {
    const trReportStyle style = {r->all, tr_cli_color(STDOUT_FILENO)};
    trStatus            status = report == NULL ? TR_E_MEMORY
                                 : r->json      ? tr_report_json(stdout, report)
                                                : tr_report_print(stdout, report, style);
    tr_report_destroy(report);
    if (status != TR_OK) {
        tr_cli_error("out of memory");
    }
    return status == TR_OK ? TR_EXIT_DONE : TR_EXIT_FAILED;
}

static trExit read_request(trFileRequest *r, int argc, char **argv, bool *helped) {
    const trCommand *c = r->command;
    trExit           code = tr_options_read(r, argc, argv, helped);
    int              words = argc - optind;
    if (code != TR_EXIT_DONE || *helped) {
        return code;
    }
    if (words < 1 && !c->optional) {
        tr_cli_error("%s: needs %s; write 'trammel %s %s'", c->name, c->needs, c->name, c->file);
        return TR_EXIT_USAGE;
    }
    if (words > 1) {
        const char *what = strncmp(c->needs, "the", 3) == 0 ? "file" : strchr(c->needs, ' ') + 1;
        tr_cli_error("%s: expects one %s, not also '%s'", c->name, what, argv[optind + 1]);
        return TR_EXIT_USAGE;
    }
    r->path = words == 1 ? argv[optind] : NULL;
    return c->check == NULL || c->check(r) ? TR_EXIT_DONE : TR_EXIT_USAGE;
}

static trExit run_model(trFileRequest *r) {
    trLoaded loaded;
    trExit   code = tr_cli_prepare(r->path, r->set, &loaded);
    code = code == TR_EXIT_DONE ? r->command->run_model(r, &loaded) : code;
    tr_cli_release(&loaded);
    return code;
}

trExit tr_cli_command(const trCommand *c, int argc, char **argv) {
    bool           helped = false;
    trExit         code = TR_EXIT_FAILED;
    trArena       *arena = tr_arena_create();
    trFileRequest *r = arena != NULL ? tr_arena_take(arena, 1, c->size) : NULL;
    if (r == NULL) {
        tr_cli_error("out of memory");
    } else {
        *r = (trFileRequest){.command = c, .arena = arena, .argc = argc, .argv = argv};
        code = read_request(r, argc, argv, &helped);
    }
    if (helped) {
        tr_command_help(c);
    } else if (code == TR_EXIT_DONE) {
        code = c->run_model != NULL ? run_model(r) : c->run(r);
    }
    tr_arena_destroy(arena);
    return code;
}
