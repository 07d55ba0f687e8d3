// SPDX-License-Identifier: MIT
// A page of docs/papers: text, aligned tables, figures. What is written depends on numbers only as
// far as they are shown, so that a rebuild elsewhere gives the same text but for last digits.

#ifndef TR_PAPERS_PAGE_H
#define TR_PAPERS_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "trammel/plot.h"

#define TABLE_COLUMNS 10
#define TABLE_ROWS 48
#define CELL_BYTES 160

typedef struct Page {
    FILE       *file;
    const char *folder;  // where it goes
    const char *number;  // of the paper, "000"
} Page;

// Opens <folder>/paper-<number>.md, and makes the folder and <folder>/figures.
void page_open(const char *folder, const char *number, const char *title, Page *page);
void page_close(Page *page);

void page_heading(Page *page, const char *text);
// A paragraph, as in printf; lines are broken between words.
void page_text(Page *page, const char *format, ...) TR_PRINTF(2, 3);
// A block that stays as it is: a command or an equation, each line indented by four spaces.
void page_block(Page *page, const char *text);

// Writes figures/<number>-<name>.svg and shows it, with the caption below.
void page_figure(Page *page, const char *name, const char *caption, const trChart *chart);

typedef struct Table {
    int  columns, rows;  // the first row is the head
    int  next;           // column of the next cell
    char cell[TABLE_ROWS][TABLE_COLUMNS][CELL_BYTES];
} Table;

// The head, columns separated by "|": "method | worst [m]".
void table_begin(Table *table, const char *head);
// The next cell, as in printf; after the last column a new row begins.
void table_cell(Table *table, const char *format, ...) TR_PRINTF(2, 3);
// Two digits: "4.8e-14", "0.013", "-2.5"; what is not finite as a word.
void table_number(Table *table, double value);
// A value that is rounding and nothing else: the power of ten above it, "< 1e-14", at least 1e-15.
// Values above 1e-9 are shown as numbers, since they are none.
void table_rounding(Table *table, double value);
// The nearest power of ten, "~1e-08": of errors that are rounding, multiplied.
void table_power(Table *table, double value);
void page_table(Page *page, const Table *table);

#endif
