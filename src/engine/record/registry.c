// SPDX-License-Identifier: MIT
// The sinks, in the order of sinks.def.

#include <string.h>

#include "record/sink.h"

#define TR_SINK(name) extern const trSinkKind tr_sink_##name;
#include "record/sinks.def"
#undef TR_SINK

static const trSinkKind *const kinds[] = {
#define TR_SINK(name) &tr_sink_##name,
#include "record/sinks.def"
#undef TR_SINK
};

int tr_sink_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trSinkKind *tr_sink_at(int index) {
    return kinds[index];
}

const trSinkKind *tr_sink_find(const char *name) {
    for (int i = 0; i < tr_sink_count(); i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}
