// SPDX-License-Identifier: MIT
// Writes JSON to a file, indented. Numbers have 17 significant digits; what is not finite is null.

#ifndef TR_BASE_JSON_H
#define TR_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TR_JSON_DEPTH 16

typedef struct trJson {
    FILE *file;
    int   depth;
    bool  more[TR_JSON_DEPTH];     // a comma is due before the next entry
    char  closing[TR_JSON_DEPTH];  // what ends each open level
} trJson;

trJson tr_json_begin(FILE *file);  // opens the outer object
void   tr_json_end(trJson *json);  // closes it, with a line end

// Inside an array, the key is NULL.
void tr_json_object(trJson *json, const char *key);
void tr_json_array(trJson *json, const char *key);
void tr_json_close(trJson *json);  // the innermost object or array
void tr_json_number(trJson *json, const char *key, double value);
void tr_json_integer(trJson *json, const char *key, int64_t value);
void tr_json_text(trJson *json, const char *key, const char *text);  // NULL gives null
void tr_json_bool(trJson *json, const char *key, bool value);

#endif
