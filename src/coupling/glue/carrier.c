// SPDX-License-Identifier: MIT
// What all carriers share.

#include "glue/carrier.h"

#include "trammel/glue.h"

static void count(trCarrier *c, int module, unsigned calls) {
    c->messages += 2;
    c->bytes += (int64_t)(tr_exchange_given_size(&c->face[module], calls) +
                          tr_exchange_answer_size(&c->face[module], calls));
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
