// SPDX-License-Identifier: MIT
// Values of options: numbers, read strictly, and lists.

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

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

bool tr_cli_words(trArena *arena, const char *what, const char *text, int *count,
                  const char ***out) {
    int total = *count + 1;
    for (const char *c = text; *c != '\0'; c++) {
        total += *c == ',';
    }
    const char **all = tr_new_array(arena, const char *, total);
    char        *word = tr_arena_text(arena, text);
    if (all == NULL || word == NULL) {
        tr_cli_error("out of memory");
        return false;
    }
    for (int i = 0; i < *count; i++) {
        all[i] = (*out)[i];
    }
    while (*count < total) {
        char *end = word + strcspn(word, ","), *next = *end == ',' ? end + 1 : end;
        if (end == word) {
            tr_cli_error("option '--%s': '%s' has an empty name; write it as A,B,C", what, text);
            return false;
        }
        *end = '\0';
        all[(*count)++] = word;
        word = next;
    }
    *out = all;
    return true;
}

bool tr_cli_numbers(trArena *arena, const char *what, const char *text, trNumbers *out) {
    const char **word = NULL;
    int          count = 0;
    if (!tr_cli_words(arena, what, text, &count, &word)) {
        return false;
    }
    double *numbers = tr_new_array(arena, double, count);
    for (int i = 0; i < count; i++) {
        if (numbers == NULL) {
            tr_cli_error("out of memory");
            return false;
        }
        if (!tr_cli_number(what, word[i], &numbers[i])) {
            return false;
        }
    }
    *out = (trNumbers){.count = count, .at = numbers};
    return true;
}

bool tr_read_set(trFileRequest *r, const char *text) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        tr_cli_error("option '--set': '%s' is not NAME=VALUE; write it as --set N=40", text);
        return false;
    }
    size_t name = (size_t)(equals - text) + 1;  // with the '='
    for (int i = 0; i < r->sets; i++) {
        if (strncmp(r->set[i], text, name) == 0) {
            tr_cli_error("option '--set': '%.*s' is given twice; keep one of '%s' and '%s'",
                         (int)name - 1, text, r->set[i], text);
            return false;
        }
    }
    r->set[r->sets++] = text;
    return true;
}
