// SPDX-License-Identifier: MIT
// The named methods, in the order of methods.def.

#include <string.h>

#include "sim/def.h"

#define TR_METHOD(name, formulation, stabilization, stage, step, summary, source) \
    {name, formulation, stabilization, stage, step, summary, source},
static const trMethod methods[] = {
#include "sim/methods.def"
};
#undef TR_METHOD

int tr_method_count(void) {
    return (int)(sizeof methods / sizeof *methods);
}

const trMethod *tr_method_at(int index) {
    return &methods[index];
}

const trMethod *tr_method_find(const char *name) {
    for (int i = 0; i < tr_method_count(); i++) {
        if (strcmp(methods[i].name, name) == 0) {
            return &methods[i];
        }
    }
    return NULL;
}
