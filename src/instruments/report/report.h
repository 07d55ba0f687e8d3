// SPDX-License-Identifier: MIT
// A report is a tree of values, built once and rendered as text for people and as JSON for
// programs. Builders know mechanics; renderers know widths, quotes and line ends.
//
// A node has a key for JSON and a label for text. Without a key it is in the text only, without a
// label in the JSON only. What its label means depends on where it is:
//
//     in a group    the left column: "energy drift" -> "  energy drift     2.6e-13 J"
//     in a line     a part of it: "% row{s}" -> "3 rows", "drift %3" -> "drift 2.56e-13 J" with 3
//                   digits, "drift" -> "drift 2.56e-13 J", {y|ies} is singular and plural
//     in a table    the heading of a column, with line breaks and digits: "position\nworst %2"
//
// The label of a table is its heading; a line break before it is an empty line.
//
// A group whose label is empty has no heading, and its members are indented all the same. Groups
// without a label are not seen in text, groups without a key not in JSON, but for what is in them.
// Keys must outlive the report.

#ifndef TR_REPORT_REPORT_H
#define TR_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

typedef struct trReport trReport;

enum {
    TR_REPORT_ARRAY = 1 << 0,   // JSON: a list
    TR_REPORT_LINE = 1 << 1,    // text: its members are parts of one line
    TR_REPORT_TABLE = 1 << 2,   // text: its members are rows
    TR_REPORT_DETAIL = 1 << 3,  // text: only if everything is asked for
    TR_REPORT_BRIEF = 1 << 9,   // text only, and only if not
    TR_REPORT_NOISE = 1 << 4,   // text: numbers at the rounding of the largest are 0
    TR_REPORT_DATA = 1 << 5,    // JSON only, with all that is in it
    TR_REPORT_WORDS = 1 << 6,   // text only, likewise
    TR_REPORT_GOOD = 1 << 7,    // text: green on a terminal
    TR_REPORT_BAD = 1 << 8,     // text: red on a terminal
};

#define TR_REPORT_GLUE "\x1f"  // in texts: a space at which no line breaks

trReport *tr_report_create(void);               // NULL when out of memory
void      tr_report_destroy(trReport *r);       // NULL is allowed
trStatus  tr_report_status(const trReport *r);  // TR_E_MEMORY if a node could not be added

// Nodes that follow are in this one until it is closed.
void tr_report_open(trReport *r, const char *key, const char *label, unsigned flags);
void tr_report_close(trReport *r);
// Text shows the `count` first rows of the innermost open table; the rest if everything is asked
// for.
void tr_report_shown(trReport *r, int count);
// Text shows rows of larger rank first.
void tr_report_rank(trReport *r, double rank);

// `unit` may be NULL. What is not finite is null, and in text left out.
void tr_report_number(trReport *r, const char *key, const char *label, double value,
                      const char *unit);
void tr_report_integer(trReport *r, const char *key, const char *label, int64_t value);
void tr_report_bool(trReport *r, const char *key, const char *label, bool value);
// NULL is null, and in text left out.
void tr_report_text(trReport *r, const char *key, const char *label, const char *text);
// Lists. Texts that are NULL are left out.
void tr_report_numbers(trReport *r, const char *key, int count, const double *numbers);
void tr_report_texts(trReport *r, const char *key, const char *label, int count,
                     const char *const *texts);
// Text only. Without a label a paragraph, after an empty line where it begins with a line break.
void tr_report_note(trReport *r, const char *label, const char *format, ...) TR_PRINTF(3, 4);

// How text is written.
typedef struct trReportStyle {
    bool all;    // details, and all rows of tables
    bool color;  // on a terminal
} trReportStyle;

trStatus tr_report_print(FILE *file, const trReport *r, trReportStyle style) TR_MUST_CHECK;
trStatus tr_report_json(FILE *file, const trReport *r) TR_MUST_CHECK;

#endif
