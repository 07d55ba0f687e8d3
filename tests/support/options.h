// SPDX-License-Identifier: MIT
// Options of a definition, set one by one. Their memory is that of the test program, so that a
// definition may be copied and returned.

#ifndef TR_TESTS_SUPPORT_OPTIONS_H
#define TR_TESTS_SUPPORT_OPTIONS_H

#include <string.h>

#include "sim/def.h"

#define OPTION_LISTS 256  // that live at the same time
#define OPTIONS_MOST 16   // in one of them

static inline void set_param(trSimDef *def, trParam param) {
    static trParam room[OPTION_LISTS][OPTIONS_MOST];
    static int     next = 0;
    trParam       *list = room[next++ % OPTION_LISTS];
    int            count = 0;
    for (const trParam *p = def->options; p != NULL && p->key != NULL; p++) {
        if (strcmp(p->key, param.key) != 0) {
            list[count++] = *p;
        }
    }
    list[count++] = param;
    list[count] = (trParam){0};
    def->options = list;
}

static inline void set_number(trSimDef *def, const char *key, double number) {
    set_param(def, (trParam)TR_NUM(key, number));
}

static inline void set_word(trSimDef *def, const char *key, const char *word) {
    set_param(def, (trParam)TR_WORD(key, word));
}

static inline void set_list(trSimDef *def, const char *key, int count, const double *numbers) {
    set_param(def,
              (trParam){.key = key, .kind = TR_PARAM_NUMBERS, .count = count, .numbers = numbers});
}

// As it is given, or by default.
static inline double number_of(const trSimDef *def, const char *key) {
    return tr_sim_def_value(def, tr_setting_find(key)).number;
}

#endif
