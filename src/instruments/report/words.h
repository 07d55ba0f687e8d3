// SPDX-License-Identifier: MIT
// Words and numbers of a report in text.

#ifndef TR_REPORT_WORDS_H
#define TR_REPORT_WORDS_H

#include "report/node.h"

#define TR_TEXT_WIDTH 80   // of a line
#define TR_WORD_SIZE 1024  // of what is not broken
#define TR_CELL_SIZE 4096  // of a value, or of a cell of a table

// Writes words, and breaks lines between them.
typedef struct trWriter {
    FILE         *file;
    trReportStyle style;
    int           column, hang;  // where the next word goes, and where lines go on
    bool          begun;         // a word is in the line
    char          word[TR_WORD_SIZE];
    size_t        used;
} trWriter;

int  tr_word_width(const char *text);  // letters of UTF-8
void tr_put(trWriter *w, const char *text);
// A line whose words begin at column `hang`, after `label` at column `indent`.
void tr_begin_line(trWriter *w, int indent, const char *label, int hang);
void tr_end_line(trWriter *w);

// The value with `digits`; "" for what is not known.
void tr_value_text(const trReportNode *n, int digits, bool with_unit, char text[TR_CELL_SIZE]);
// The digits that a label asks for, "drift %3"; 6 if it does not.
int tr_label_digits(const char *label);
// The value in its label: "3 rows".
void tr_part_text(const trReportNode *n, char text[TR_CELL_SIZE]);

#endif
