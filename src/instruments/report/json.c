// SPDX-License-Identifier: MIT
// A report as JSON.

#include "base/json.h"

#include "report/node.h"

static void put_members(trJson *json, const trReportNode *group, bool list);

static void put_group(trJson *json, const trReportNode *n, bool in_list) {
    bool list = (n->flags & TR_REPORT_ARRAY) != 0;
    if (n->key == NULL && !in_list) {
        put_members(json, n, false);
        return;
    }
    if (list) {
        tr_json_array(json, n->key);
    } else {
        tr_json_object(json, n->key);
    }
    put_members(json, n, list);
    tr_json_close(json);
}

static void put_node(trJson *json, const trReportNode *n, bool in_list) {
    if ((n->flags & TR_REPORT_WORDS) != 0 || n->kind == TR_NODE_NOTE) {
        return;
    }
    if (n->kind == TR_NODE_GROUP) {
        put_group(json, n, in_list);
    } else if (n->key == NULL && !in_list) {
        return;
    } else if (n->kind == TR_NODE_NUMBER) {
        tr_json_number(json, n->key, n->number);
    } else if (n->kind == TR_NODE_INTEGER) {
        tr_json_integer(json, n->key, n->integer);
    } else if (n->kind == TR_NODE_BOOL) {
        tr_json_bool(json, n->key, n->integer != 0);
    } else {
        tr_json_text(json, n->key, n->text);
    }
}

static void put_members(trJson *json, const trReportNode *group, bool list) {
    for (const trReportNode *n = group->first; n != NULL; n = n->next) {
        put_node(json, n, list);
    }
}

trStatus tr_report_json(FILE *file, const trReport *r) {
    TR_TRY(tr_report_status(r));
    trJson json = tr_json_begin(file);
    put_members(&json, r->root, false);
    tr_json_end(&json);
    return TR_OK;
}
