// SPDX-License-Identifier: MIT
// Errors in one line, options with suggestions, numbers read strictly.

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "base/spell.h"
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

static const char *option_name(const void *context, int i) {
    const struct option *options = context;
    return options[i].name;
}

static int option_count(const struct option *options) {
    int count = 0;
    while (options[count].name != NULL) {
        count++;
    }
    return count;
}

static const char *option_of_value(const struct option *options, int value) {
    for (int i = 0; options[i].name != NULL; i++) {
        if (options[i].val == value) {
            return options[i].name;
        }
    }
    return NULL;
}

// How many options begin with the word: getopt_long takes a beginning that fits one.
static int options_beginning(const struct option *options, const char *word) {
    int count = 0;
    for (int i = 0; options[i].name != NULL; i++) {
        count += strncmp(options[i].name, word, strlen(word)) == 0;
    }
    return count;
}

static void refuse_long_option(const char *command, const char *argument,
                               const struct option *options) {
    char word[LINE_SIZE / 4];
    snprintf(word, sizeof word, "%s", argument + 2);
    word[strcspn(word, "=")] = '\0';
    const char *near =
        tr_spell_nearest(word, option_count(options), option_name, (const void *)options);
    if (options_beginning(options, word) > 1) {
        tr_cli_error("%s: option '--%s' fits more than one option; write it in full", command,
                     word);
    } else if (near != NULL) {
        tr_cli_error("%s: unknown option '--%s'; did you mean '--%s'?", command, word, near);
    } else {
        tr_cli_error("%s: unknown option '--%s'; 'trammel help %s' lists them", command, word,
                     command);
    }
}

int tr_cli_option(int argc, char **argv, const char *letters, const struct option *options) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): options are read before anything else happens.
    int value = getopt_long(argc, argv, letters, options, NULL);
    if (value != '?' && value != ':') {
        return value;
    }
    const char *name = option_of_value(options, optopt);
    if (value == ':') {
        tr_cli_error("%s: option '%s' needs a value", argv[0], argv[optind - 1]);
    } else if (name != NULL) {
        tr_cli_error("%s: option '--%s' takes no value", argv[0], name);
    } else if (optopt != 0) {
        tr_cli_error("%s: unknown option '-%c'; 'trammel help %s' lists them", argv[0], optopt,
                     argv[0]);
    } else {
        refuse_long_option(argv[0], argv[optind - 1], options);
    }
    return TR_CLI_BAD_OPTION;
}

bool tr_cli_number(const char *what, const char *text, double *out) {
    char *end = NULL;
    errno = 0;
    *out = strtod(text, &end);
    if (end == text || *end != '\0' || isspace((unsigned char)text[0]) || !isfinite(*out)) {
        tr_cli_error("option '--%s': '%s' is not a finite number; write it as 0.01 or 1e-2", what,
                     text);
        return false;
    }
    return true;
}

bool tr_cli_numbers(trArena *arena, const char *what, const char *text, trNumbers *out) {
    int count = 1;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == ',';
    }
    double *numbers = tr_new_array(arena, double, count);
    char   *copy = tr_arena_text(arena, text);
    if (numbers == NULL || copy == NULL) {
        tr_cli_error("out of memory");
        return false;
    }
    char *word = copy;
    for (int i = 0; i < count; i++) {
        char *end = word + strcspn(word, ",");
        char *next = *end == ',' ? end + 1 : end;
        *end = '\0';
        if (!tr_cli_number(what, word, &numbers[i])) {
            return false;
        }
        word = next;
    }
    *out = (trNumbers){.count = count, .at = numbers};
    return true;
}

bool tr_cli_set(const char *text, const char **set, int *count) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        tr_cli_error("option '--set': '%s' is not NAME=VALUE; write it as --set N=40", text);
        return false;
    }
    size_t name = (size_t)(equals - text) + 1;  // with the '='
    for (int i = 0; i < *count; i++) {
        if (strncmp(set[i], text, name) == 0) {
            tr_cli_error("option '--set': '%.*s' is given twice; keep one of '%s' and '%s'",
                         (int)name - 1, text, set[i], text);
            return false;
        }
    }
    set[(*count)++] = text;
    return true;
}
