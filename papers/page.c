// SPDX-License-Identifier: MIT
// Pages in Markdown.

#include "page.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "study.h"

#define WIDTH 100  // of the text
#define TEXT_ROOM 4096
#define PATH_ROOM 1024

static void stop(const char *what, const char *name) {
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

static void make_folder(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        stop(strerror(errno), path);
    }
}

static FILE *open_file(const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        stop(strerror(errno), path);
    }
    return file;
}

static void close_file(FILE *file, const char *name) {
    const bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad) {
        stop("cannot be written", name);
    }
}

void page_open(const char *folder, const char *number, const char *title, Page *page) {
    char path[PATH_ROOM];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/figures", folder);
    make_folder(path);
    snprintf(path, sizeof path, "%s/paper-%s.md", folder, number);
    page->file = open_file(path);
    page->folder = folder;
    page->number = number;
    fprintf(page->file, "# %s\n\n", title);
    fprintf(page->file, "<!-- written by `make papers` from papers/paper_%s.c -->\n", number);
}

void page_close(Page *page) {
    close_file(page->file, page->number);
}

void page_heading(Page *page, const char *text) {
    fprintf(page->file, "\n## %s\n", text);
}

// Words of the text, in lines of at most WIDTH bytes.
static void put_filled(FILE *file, const char *text) {
    size_t column = 0;
    for (const char *at = text; *at != '\0';) {
        const size_t gap = strspn(at, " \n"), word = strcspn(at + gap, " \n");
        if (word == 0) {
            break;
        }
        const bool breaks = column > 0 && column + 1 + word > WIDTH;
        if (column > 0) {
            fputc(breaks ? '\n' : ' ', file);
        }
        fwrite(at + gap, 1, word, file);
        column = breaks || column == 0 ? word : column + 1 + word;
        at += gap + word;
    }
    fputc('\n', file);
}

void page_text(Page *page, const char *format, ...) {
    char    text[TEXT_ROOM];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= TEXT_ROOM) {
        stop("a paragraph is too long", page->number);
    }
    fputc('\n', page->file);
    put_filled(page->file, text);
}

void page_block(Page *page, const char *text) {
    fputc('\n', page->file);
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        fprintf(page->file, "%s%.*s\n", length > 0 ? "    " : "", (int)length, at);
        at += length + (at[length] == '\n' ? 1 : 0);
    }
}

void page_figure(Page *page, const char *name, const char *caption, const trChart *chart) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/figures/%s-%s.svg", page->folder, page->number, name);
    FILE *file = open_file(path);
    must(tr_chart_write(chart, file));
    close_file(file, path);
    fprintf(page->file, "\n![%s](figures/%s-%s.svg)\n\n", chart->title, page->number, name);
    put_filled(page->file, caption);
}

void table_cell(Table *table, const char *format, ...) {
    if (table->rows >= TABLE_ROWS) {
        stop("more rows than there is room for", "table");
    }
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(table->cell[table->rows][table->next], CELL_BYTES, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= CELL_BYTES) {
        stop("a cell is too long", "table");
    }
    if (strchr(table->cell[table->rows][table->next], '|') != NULL) {
        stop("a cell holds what separates cells", table->cell[table->rows][table->next]);
    }
    if (++table->next == table->columns) {
        table->next = 0;
        table->rows++;
    }
}

void table_begin(Table *table, const char *head) {
    memset(table, 0, sizeof *table);
    table->columns = 1;
    for (const char *at = head; *at != '\0'; at++) {
        table->columns += *at == '|' ? 1 : 0;
    }
    if (table->columns > TABLE_COLUMNS) {
        stop("more columns than there is room for", "table");
    }
    for (const char *at = head;;) {
        const size_t length = strcspn(at, "|"), gap = strspn(at, " ");
        size_t       end = length;
        while (end > gap && at[end - 1] == ' ') {
            end--;
        }
        table_cell(table, "%.*s", (int)(end - gap), at + gap);
        if (at[length] == '\0') {
            return;
        }
        at += length + 1;
    }
}

void table_number(Table *table, double value) {
    const double size = fabs(value);
    if (isnan(value) || isinf(value)) {
        table_cell(table, "%s", isnan(value) ? "none" : "unbounded");
    } else if (size == 0.0 || (size >= 0.01 && size < 99.5)) {
        table_cell(table, "%.2g", value);
    } else {
        table_cell(table, "%.1e", value);
    }
}

void table_rounding(Table *table, double value) {
    if (!(fabs(value) < 1e-9)) {
        table_number(table, value);
    } else {
        table_cell(table, "< 1e%d", (int)fmax(-15.0, ceil(log10(fabs(value)))));
    }
}

void table_power(Table *table, double value) {
    if (value == 0.0 || !isfinite(value)) {
        table_number(table, value);
    } else {
        table_cell(table, "~1e%+03d", (int)fmax(-16.0, round(log10(fabs(value)))));
    }
}

// Numbers stand to the right, words to the left.
static bool is_number(const char *text) {
    const size_t skip = strspn(text, "<~-+ ");
    return isdigit((unsigned char)text[skip]) && strchr(text, ',') == NULL;
}

// Characters, not bytes, of a text in UTF-8.
static int characters(const char *text) {
    int count = 0;
    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xC0) != 0x80 ? 1 : 0;
    }
    return count;
}

static void put_row(FILE *file, const Table *table, int row, const int *width, const bool *right) {
    for (int j = 0; j < table->columns; j++) {
        const char *text = table->cell[row][j];
        const int   pad = width[j] - characters(text);
        fprintf(file, "| %*s%s%*s ", right[j] ? pad : 0, "", text, right[j] ? 0 : pad, "");
    }
    fputs("|\n", file);
}

void page_table(Page *page, const Table *table) {
    int  width[TABLE_COLUMNS] = {0};
    bool right[TABLE_COLUMNS];
    if (table->next != 0) {
        stop("the last row is not full", "table");
    }
    for (int j = 0; j < table->columns; j++) {
        int numbers = 0;
        for (int i = 0; i < table->rows; i++) {
            width[j] = (int)fmax(width[j], characters(table->cell[i][j]));
            numbers += i > 0 && is_number(table->cell[i][j]) ? 1 : 0;
        }
        width[j] = width[j] < 3 ? 3 : width[j];
        right[j] = 2 * numbers > table->rows - 1;
    }
    fputc('\n', page->file);
    for (int i = 0; i < table->rows; i++) {
        put_row(page->file, table, i, width, right);
        for (int j = 0; i == 0 && j < table->columns; j++) {
            fprintf(page->file, "| ");
            for (int k = 0; k < width[j] - (right[j] ? 1 : 0); k++) {
                fputc('-', page->file);
            }
            fputs(right[j] ? ": " : " ", page->file);
        }
        fputs(i == 0 ? "|\n" : "", page->file);
    }
}
