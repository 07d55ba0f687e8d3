// SPDX-License-Identifier: MIT
// a == b with a traced value on one side and a number on the other is false in Lua, whatever the
// values will be, and Lua asks no one. So the text of a function that is about to be recorded is
// looked through, and every == and ~= in it gets a warning, but those beside a text, nil, true or
// false, which are meant for parameters, or beside the variable of a for loop, which is never
// traced. Long brackets [[ ]] are not known here.

#include <ctype.h>
#include <string.h>

#include <lua.h>

#include "lua/lua_internal.h"

// The character after a text or comment that starts at `at`, or `at` itself if none does.
static const char *skip_quoted(const char *at, const char *end) {
    if (*at == '"' || *at == '\'') {
        char quote = *at++;
        while (at < end && *at != quote && *at != '\n') {
            at += *at == '\\' && at + 1 < end ? 2 : 1;
        }
        return at < end ? at + 1 : end;
    }
    if (at + 1 < end && at[0] == '-' && at[1] == '-') {
        while (at < end && *at != '\n') {
            at++;
        }
    }
    return at;
}

static bool begins_with_word(const char *at, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 &&
           (at + length == end || !isalnum((unsigned char)at[length]));
}

static bool ends_with_word(const char *start, const char *at, const char *word) {
    size_t length = strlen(word);
    return (size_t)(at - start) >= length && memcmp(at - length, word, length) == 0;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// Whether `for ... word ...` stands in the text, before the = or in of the loop.
static bool is_loop_variable(const char *start, const char *end, const char *word, size_t length) {
    for (const char *at = start; length > 0 && at + 3 < end; at++) {
        bool apart = at == start || !is_word(at[-1]);
        if (!apart || memcmp(at, "for", 3) != 0 || is_word(at[3])) {
            continue;
        }
        for (at += 3; at < end && *at != '=' && *at != '\n'; at++) {
            bool begins = is_word(*at) && !is_word(at[-1]);
            if (begins && begins_with_word(at, end, "in")) {
                break;
            }
            if (begins && (size_t)(end - at) > length && memcmp(at, word, length) == 0 &&
                !is_word(at[length])) {
                return true;
            }
        }
    }
    return false;
}

// Whether what stands beside the operator at `at`, two characters, can be no number.
static bool is_harmless(const char *start, const char *at, const char *end) {
    static const char *const words[] = {"nil", "true", "false"};
    const char              *right = at + 2, *left = at;
    while (right < end && isspace((unsigned char)*right)) {
        right++;
    }
    while (left > start && isspace((unsigned char)left[-1])) {
        left--;
    }
    if ((right < end && (*right == '"' || *right == '\'')) ||
        (left > start && (left[-1] == '"' || left[-1] == '\''))) {
        return true;
    }
    size_t before = 0, after = 0;
    while (left - before > start && is_word(left[-1 - (ptrdiff_t)before])) {
        before++;
    }
    if (left - before > start && left[-1 - (ptrdiff_t)before] == '.') {
        before = 0;  // an entry of a table
    }
    while (right + after < end && is_word(right[after])) {
        after++;
    }
    if (is_loop_variable(start, end, left - before, before) ||
        is_loop_variable(start, end, right, after)) {
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (begins_with_word(right, end, words[i]) || ends_with_word(start, left, words[i])) {
            return true;
        }
    }
    return false;
}

// A function that is recorded in a loop has its text looked through in every round.
static bool is_told(const trModel *model, const char *text) {
    for (int i = 0; i < model->warnings; i++) {
        if (strstr(model->warning[i], text) != NULL) {
            return true;
        }
    }
    return false;
}

static void warn(lua_State *L, int line, const char *operator) {
    trModel    *model = tr_load_of(L)->model;
    const char *truth = operator[0] == '=' ? "false" : "true";
    const char *text = tr_arena_format(
        model->arena,
        "'%.2s' in line %d is always %s where a traced value meets a number; use where(less(a, b), "
        "x, y)",
        operator, line, truth);
    if (text != NULL && is_told(model, text)) {
        return;
    }
    trStatus status = text == NULL ? tr_arena_status(model->arena) : tr_model_warn(model, text);
    if (status != TR_OK) {
        tr_lua_raise(L, status, "warning");
    }
}

// The start of a line of the file, from 1.
static const char *line_start(const trLoad *load, int line) {
    const char *at = load->text, *end = load->text + load->text_size;
    while (line > 1 && at < end) {
        line -= *at++ == '\n';
    }
    return at;
}

// What stands before the function in its first line is no part of it.
static const char *function_start(const char *line, const char *end) {
    for (const char *at = line; at < end && *at != '\n'; at++) {
        bool apart = at == line || !is_word(at[-1]);
        if (apart && begins_with_word(at, end, "function")) {
            return at;
        }
    }
    return line;
}

void tr_lua_warn_equality(lua_State *L, int function) {
    const trLoad *load = tr_load_of(L);
    lua_Debug     info;
    lua_pushvalue(L, function);
    if (lua_getinfo(L, ">S", &info) == 0 || info.linedefined <= 0) {
        return;
    }
    const char *end = line_start(load, info.lastlinedefined + 1);
    const char *start = function_start(line_start(load, info.linedefined), end);
    int         line = info.linedefined;
    for (const char *at = start; at + 1 < end;) {
        const char *next = skip_quoted(at, end);
        if (next != at) {
            at = next;
            continue;
        }
        bool equality = (at[0] == '=' || at[0] == '~') && at[1] == '=';
        if (equality && !is_harmless(start, at, end)) {
            warn(L, line, at);
        }
        line += *at == '\n';
        at += equality ? 2 : 1;
    }
}
