// SPDX-License-Identifier: MIT
// Builds the tree of a report. After a failed request nodes are left out; the status tells.

#include "report/report.h"

#include <assert.h>
#include <stdarg.h>

#include "report/node.h"

#define NOTE_SIZE 4096

trReport *tr_report_create(void) {
    trArena  *arena = tr_arena_create();
    trReport *r = arena == NULL ? NULL : tr_new(arena, trReport);
    if (r != NULL) {
        r->arena = arena;
        r->root = r->open = tr_new(arena, trReportNode);
    }
    if (r == NULL || r->root == NULL) {
        tr_arena_destroy(arena);
        return NULL;
    }
    return r;
}

void tr_report_destroy(trReport *r) {
    if (r != NULL) {
        tr_arena_destroy(r->arena);
    }
}

trStatus tr_report_status(const trReport *r) {
    return tr_arena_status(r->arena);
}

// Puts the node at the end of the open one. NULL: there is no memory, for none that follows either.
static trReportNode *add(trReport *r, trReportNode node) {
    trReportNode *n = tr_new(r->arena, trReportNode), *parent = r->open;
    if (n == NULL) {
        return NULL;
    }
    *n = node;
    n->label = node.label != NULL ? tr_arena_text(r->arena, node.label) : NULL;
    n->parent = parent;
    n->index = parent->last != NULL ? parent->last->index + 1 : 0;
    *(parent->last != NULL ? &parent->last->next : &parent->first) = n;
    parent->last = n;
    return n;
}

void tr_report_open(trReport *r, const char *key, const char *label, unsigned flags) {
    trReportNode *n = add(r, (trReportNode){.key = key, .label = label, .flags = flags});
    r->open = n != NULL ? n : r->open;
    r->missed += n == NULL ? 1 : 0;
}

void tr_report_close(trReport *r) {
    if (r->missed > 0) {
        r->missed--;
        return;
    }
    assert(r->open->parent != NULL);
    r->open = r->open->parent;
}

void tr_report_shown(trReport *r, int count) {
    r->open->shown = count;
}

void tr_report_rank(trReport *r, double rank) {
    r->open->rank = rank;
}

void tr_report_number(trReport *r, const char *key, const char *label, double value,
                      const char *unit) {
    const char *copy = unit != NULL ? tr_arena_text(r->arena, unit) : NULL;
    (void)add(
        r, (trReportNode){
               .kind = TR_NODE_NUMBER, .key = key, .label = label, .number = value, .unit = copy});
}

void tr_report_integer(trReport *r, const char *key, const char *label, int64_t value) {
    (void)add(
        r, (trReportNode){.kind = TR_NODE_INTEGER, .key = key, .label = label, .integer = value});
}

void tr_report_bool(trReport *r, const char *key, const char *label, bool value) {
    (void)add(r,
              (trReportNode){.kind = TR_NODE_BOOL, .key = key, .label = label, .integer = value});
}

void tr_report_text(trReport *r, const char *key, const char *label, const char *text) {
    const char *copy = text != NULL ? tr_arena_text(r->arena, text) : NULL;
    (void)add(r, (trReportNode){.kind = TR_NODE_TEXT, .key = key, .label = label, .text = copy});
}

void tr_report_numbers(trReport *r, const char *key, int count, const double *numbers) {
    tr_report_open(r, key, NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < count; i++) {
        tr_report_number(r, NULL, NULL, numbers[i], NULL);
    }
    tr_report_close(r);
}

void tr_report_texts(trReport *r, const char *key, const char *label, int count,
                     const char *const *texts) {
    tr_report_open(r, key, label, TR_REPORT_ARRAY | TR_REPORT_LINE);
    for (int i = 0; i < count; i++) {
        if (texts[i] != NULL) {
            tr_report_text(r, NULL, label != NULL ? "%" : NULL, texts[i]);
        }
    }
    tr_report_close(r);
}

void tr_report_note(trReport *r, const char *label, const char *format, ...) {
    char    text[NOTE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)add(r, (trReportNode){
                     .kind = TR_NODE_NOTE, .label = label, .text = tr_arena_text(r->arena, text)});
}
