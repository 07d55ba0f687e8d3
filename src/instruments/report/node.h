// SPDX-License-Identifier: MIT
// The tree of a report, for its renderers.

#ifndef TR_REPORT_NODE_H
#define TR_REPORT_NODE_H

#include "base/arena.h"
#include "report/report.h"

typedef enum trNodeKind {
    TR_NODE_GROUP,
    TR_NODE_NUMBER,
    TR_NODE_INTEGER,
    TR_NODE_BOOL,
    TR_NODE_TEXT,
    TR_NODE_NOTE,
} trNodeKind;

typedef struct trReportNode {
    trNodeKind           kind;
    unsigned             flags;
    const char          *key, *label, *unit, *text;
    double               number;
    int64_t              integer;  // of booleans 0 or 1
    double               rank;
    int                  shown;  // rows; 0: all
    int                  index;  // among those of its parent
    struct trReportNode *parent, *first, *last, *next;
} trReportNode;

struct trReport {
    trArena      *arena;
    trReportNode *root, *open;  // open: where the next node goes
    int           missed;       // open groups for which there was no memory
};

#endif
