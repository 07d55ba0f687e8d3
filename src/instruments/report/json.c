// SPDX-License-Identifier: MIT
// A report as JSON as RFC 8259 has it: UTF-8, quotes and control characters escaped. Numbers have
// 17 digits; what is not finite is null.

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/plain.h"
#include "report/node.h"

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

static void put_number(FILE *file, double value) {
    char number[32];
    snprintf(number, sizeof number, "%.17g", value);
    char *comma = strchr(number, ',');  // of a locale that the program has set
    if (comma != NULL) {
        *comma = '.';
    }
    fputs(isfinite(value) ? number : "null", file);
}

static void put_value(FILE *file, const trReportNode *n) {
    if (n->kind == TR_NODE_NUMBER) {
        put_number(file, n->number);
    } else if (n->kind == TR_NODE_INTEGER) {
        fprintf(file, "%" PRId64, n->integer);
    } else if (n->kind == TR_NODE_BOOL) {
        fputs(n->integer != 0 ? "true" : "false", file);
    } else if (n->text == NULL) {
        fputs("null", file);
    } else {
        put_text(file, n->text);
    }
}

static bool put_members(FILE *file, const trReportNode *group, int depth, bool more);

static void put_group(FILE *file, const trReportNode *n, int depth) {
    bool list = (n->flags & TR_REPORT_ARRAY) != 0;
    fputc(list ? '[' : '{', file);
    if (put_members(file, n, depth + 1, false)) {
        fprintf(file, "\n%*s", INDENT * depth, "");
    }
    fputc(list ? ']' : '}', file);
}

// All members of a group, each on its line. `more`: there are some before. Returns whether there
// are any. Groups without a key are transparent, but in lists, where nothing has a key.
static bool put_members(FILE *file, const trReportNode *group, int depth, bool more) {
    bool in_list = (group->flags & TR_REPORT_ARRAY) != 0;
    for (const trReportNode *n = group->first; n != NULL; n = n->next) {
        bool keyed = n->key != NULL || in_list;
        if ((n->flags & (TR_REPORT_WORDS | TR_REPORT_BRIEF)) != 0 || n->kind == TR_NODE_NOTE) {
            continue;
        }
        if (!keyed) {
            more = n->kind == TR_NODE_GROUP ? put_members(file, n, depth, more) : more;
            continue;
        }
        fprintf(file, "%s\n%*s", more ? "," : "", INDENT * depth, "");
        more = true;
        if (n->key != NULL) {
            put_text(file, n->key);
            fputs(": ", file);
        }
        if (n->kind == TR_NODE_GROUP) {
            put_group(file, n, depth);
        } else {
            put_value(file, n);
        }
    }
    return more;
}

trStatus tr_report_json(FILE *file, const trReport *r) {
    TR_TRY(tr_report_status(r));
    put_group(file, r->root, 0);
    fputc('\n', file);
    return TR_OK;
}
