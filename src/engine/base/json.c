// SPDX-License-Identifier: MIT
// JSON as RFC 8259 has it: UTF-8, quotes and control characters escaped, no NaN, no infinity.

#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/plain.h"

#define INDENT 2  // spaces per level

// Length of the well-formed UTF-8 sequence at `s`, or 0.
static int sequence_length(const unsigned char *s) {
    int      length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    unsigned code = s[0];
    if (s[0] > 0xf4) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 8 | s[i];
    }
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    bool wrong = (length == 3 && (code < 0xe0a080 || (code >= 0xeda080 && code <= 0xedbfbf))) ||
                 (length == 4 && (code < 0xf0908080 || code > 0xf48fbfbf));
    return wrong ? 0 : length;
}

static void put_text(FILE *file, const char *text) {
    fputc('"', file);
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
        int length = sequence_length(s);
        if (length == 0) {
            fputs("\\ufffd", file);
            length = 1;
        } else if (*s == '"' || *s == '\\') {
            fprintf(file, "\\%c", *s);
        } else if (*s == '\n') {
            fputs("\\n", file);
        } else if (*s == '\t') {
            fputs("\\t", file);
        } else if (tr_control_length((const char *)s) > 0) {
            fprintf(file, "\\u%04x", s[length - 1]);  // of two bytes the second is the code
        } else {
            fwrite(s, 1, (size_t)length, file);
        }
        s += length;
    }
    fputc('"', file);
}

static void put_line_start(trJson *json) {
    fprintf(json->file, "\n%*s", INDENT * json->depth, "");
}

// Comma, line and key before a value.
static void put_key(trJson *json, const char *key) {
    bool *more = &json->more[json->depth - 1];
    if (*more) {
        fputc(',', json->file);
    }
    *more = true;
    put_line_start(json);
    if (key != NULL) {
        put_text(json->file, key);
        fputs(": ", json->file);
    }
}

static void open_level(trJson *json, char opening, char closing) {
    assert(json->depth < TR_JSON_DEPTH);
    fputc(opening, json->file);
    json->more[json->depth] = false;
    json->closing[json->depth] = closing;
    json->depth++;
}

trJson tr_json_begin(FILE *file) {
    trJson json = {.file = file};
    open_level(&json, '{', '}');
    return json;
}

void tr_json_close(trJson *json) {
    assert(json->depth > 0);
    json->depth--;
    if (json->more[json->depth]) {
        put_line_start(json);
    }
    fputc(json->closing[json->depth], json->file);
}

void tr_json_end(trJson *json) {
    tr_json_close(json);
    fputc('\n', json->file);
}

void tr_json_object(trJson *json, const char *key) {
    put_key(json, key);
    open_level(json, '{', '}');
}

void tr_json_array(trJson *json, const char *key) {
    put_key(json, key);
    open_level(json, '[', ']');
}

void tr_json_number(trJson *json, const char *key, double value) {
    put_key(json, key);
    if (!isfinite(value)) {
        fputs("null", json->file);
        return;
    }
    char number[32];
    snprintf(number, sizeof number, "%.17g", value);
    char *comma = strchr(number, ',');  // of a locale that the program has set
    if (comma != NULL) {
        *comma = '.';
    }
    fputs(number, json->file);
}

void tr_json_integer(trJson *json, const char *key, int64_t value) {
    put_key(json, key);
    fprintf(json->file, "%" PRId64, value);
}

void tr_json_text(trJson *json, const char *key, const char *text) {
    put_key(json, key);
    if (text == NULL) {
        fputs("null", json->file);
    } else {
        put_text(json->file, text);
    }
}

void tr_json_bool(trJson *json, const char *key, bool value) {
    put_key(json, key);
    fputs(value ? "true" : "false", json->file);
}
