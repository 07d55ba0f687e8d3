// SPDX-License-Identifier: MIT
#include "base/definition.h"

#include <string.h>

trStatus tr_definition_take(const trDefinition *d, const void *given, void *out) {
    size_t size = 0;
    memcpy(&size, given, sizeof size);
    if (size > d->size) {
        return tr_fail(TR_E_ARGUMENT,
                       "%s has struct_size = %zu; this library knows %zu: it is older than the "
                       "header that the program was compiled with, or was not made by %s",
                       d->name, size, d->size, d->defaults);
    }
    if (size < d->first) {
        return tr_fail(TR_E_ARGUMENT, "%s has struct_size = %zu, but at least %zu; start from %s",
                       d->name, size, d->first, d->defaults);
    }
    memcpy(out, given, size);
    memcpy(out, &d->size, sizeof d->size);
    return TR_OK;
}
