// SPDX-License-Identifier: MIT
// Commands that take one file: options, the file, --help, and then what the command does with it.

#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

// --set, --json, --quiet and --verbose mean the same everywhere; a command without them has them
// not in its table.
static bool read_option(const trCommand *c, trFileRequest *r, int value) {
    if (tr_setting_is(value)) {
        return tr_setting_read(r, value, optarg);
    }
    switch (value) {
    case TR_CLI_BAD_OPTION:
        return false;
    case 's':
        return tr_cli_set(optarg, r->set, &r->sets);
    case 'j':
        r->json = true;
        return true;
    case 'q':
        r->quiet = true;
        return true;
    case 'v':
        r->all = true;
        return true;
    default:
        return c->option != NULL && c->option(r, value);
    }
}

#define LETTERS 32

// Those options that have a short form, for getopt.
static void find_letters(const struct option *option, char letters[LETTERS]) {
    size_t used = strlen(letters);
    for (; option->name != NULL && used + 2 < LETTERS; option++) {
        if (strchr("oqvh", option->val) != NULL) {
            letters[used++] = (char)option->val;
            letters[used] = ':';
            used += option->has_arg == required_argument ? 1 : 0;
        }
    }
    letters[used] = '\0';
}

static trExit read_request(const trCommand *c, trFileRequest *r, int argc, char **argv,
                           bool *helped) {
    r->command = c;
    r->set = tr_new_array(r->arena, const char *, argc + 1);
    r->given = tr_new_array(r->arena, trParam, argc + 1);
    const struct option *options = tr_setting_options(r->arena, c);
    char                 letters[LETTERS] = ":";
    if (tr_arena_status(r->arena) != TR_OK) {
        tr_cli_error("out of memory");
        return TR_EXIT_FAILED;
    }
    find_letters(c->options, letters);
    for (int value; (value = tr_cli_option(argc, argv, letters, options)) != -1;) {
        if (value == 'h') {
            *helped = true;
            return TR_EXIT_DONE;
        }
        if (!read_option(c, r, value)) {
            return TR_EXIT_USAGE;
        }
    }
    if (optind >= argc) {
        tr_cli_error("%s: needs %s; write 'trammel %s %s'", c->name, c->needs, c->name, c->example);
        return TR_EXIT_USAGE;
    }
    if (argc - optind > 1) {
        const char *what = strncmp(c->needs, "the", 3) == 0 ? "file" : strchr(c->needs, ' ') + 1;
        tr_cli_error("%s: expects one %s, not also '%s'", c->name, what, argv[optind + 1]);
        return TR_EXIT_USAGE;
    }
    r->path = argv[optind];
    return c->check == NULL || c->check(r) ? TR_EXIT_DONE : TR_EXIT_USAGE;
}

trExit tr_cli_file_command(const trCommand *c, int argc, char **argv) {
    bool           helped = false;
    trExit         code = TR_EXIT_FAILED;
    trArena       *arena = tr_arena_create();
    trFileRequest *r = arena != NULL ? tr_arena_take(arena, 1, c->size) : NULL;
    if (r == NULL) {
        tr_cli_error("out of memory");
    } else {
        r->arena = arena;
        if (c->begin != NULL) {
            c->begin(r, argc, argv);
        }
        code = read_request(c, r, argc, argv, &helped);
    }
    if (helped) {
        tr_command_help(c->name);
    } else if (code == TR_EXIT_DONE) {
        code = c->run(r);
    }
    tr_arena_destroy(arena);
    return code;
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
