// SPDX-License-Identifier: MIT
// What all carriers share.

#include "glue/carrier.h"

#include "trammel/glue.h"

trStatus tr_carrier_begin(const trCarrierKind *kind, int modules, size_t size, trCarrier **out) {
    trArena   *arena = tr_arena_create();
    trCarrier *c = arena != NULL ? tr_new(arena, trCarrier) : NULL;
    if (c != NULL) {
        *c = (trCarrier){.kind = kind,
                         .work = tr_arena_take(arena, 1, size),
                         .arena = arena,
                         .modules = modules,
                         .face = tr_arena_take(arena, (size_t)modules, sizeof *c->face)};
    }
    if (c == NULL || tr_arena_status(arena) != TR_OK) {
        tr_arena_destroy(arena);
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    *out = c;
    return TR_OK;
}

static void count(trCarrier *c, int module, unsigned calls) {
    c->messages += 2;
    c->bytes += (int64_t)(tr_exchange_size(TR_GIVEN, &c->face[module], calls) +
                          tr_exchange_size(TR_ANSWERED, &c->face[module], calls));
}

trStatus tr_carrier_exchange(trCarrier *c, trExchange *e) {
    for (int i = 0; i < c->modules; i++) {
        count(c, i, e[i].calls);
        TR_TRY(c->kind->post(c->work, i, &e[i]));
    }
    for (int i = 0; i < c->modules; i++) {
        TR_TRY(c->kind->collect(c->work, i, &e[i]));
    }
    return TR_OK;
}

trStatus tr_carrier_ask(trCarrier *c, int module, trExchange *e) {
    count(c, module, e->calls);
    TR_TRY(c->kind->post(c->work, module, e));
    return c->kind->collect(c->work, module, e);
}

void tr_carrier_destroy(trCarrier *c) {
    if (c != NULL) {
        c->kind->close(c->work);
        tr_arena_destroy(c->arena);
    }
}
