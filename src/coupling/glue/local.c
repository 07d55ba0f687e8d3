// SPDX-License-Identifier: MIT
// Modules in this process. A module that hangs, hangs the coordinator: nothing can be done here.

#include "glue/carrier.h"
#include "trammel/glue.h"

typedef struct Local {
    int           modules;
    trModule     *module;  // modules
    trModuleFace *face;    // modules
    double        t;       // of the step [s]
    bool          begun;   // a first step: t is known
} Local;

static trStatus post(void *work, int module, const trExchange *e) {
    return TR_OK;
}

static trStatus collect(void *work, int module, trExchange *e) {
    Local *w = work;
    if ((e->calls & TR_CALL_PREDICT) != 0) {
        w->t = e->step.t;
        w->begun = true;
    }
    trStatus status = tr_exchange_perform(&w->module[module], &w->face[module], e);
    return status == TR_OK || !w->begun ? status : tr_add_hint(status, "; at t = %.9g s", w->t);
}

static void close_modules(void *work) {
    Local *w = work;
    for (int i = w->modules - 1; i >= 0; i--) {
        if (w->module[i].close != NULL) {
            w->module[i].close(w->module[i].self);
        }
    }
}

static const trCarrierKind kind = {
    .name = "local", .post = post, .collect = collect, .close = close_modules};

trStatus tr_carrier_create_local(int modules, const char *const *name, const trModule *module,
                                 trCarrier **out) {
    *out = NULL;
    for (int i = 0; i < modules; i++) {
        TR_TRY(tr_face_check(&module[i], name[i]));
    }
    trCarrier *c = NULL;
    TR_TRY(tr_carrier_begin(&kind, modules, sizeof(Local), &c));
    Local *w = c->work;
    *w = (Local){.modules = modules,
                 .module = tr_arena_take(c->arena, (size_t)modules, sizeof *w->module),
                 .face = c->face};
    for (int i = 0; w->module != NULL && i < modules; i++) {
        w->module[i] = module[i];
        w->face[i] = tr_face_of(c->arena, &module[i], name[i]);
    }
    trStatus status = tr_arena_status(c->arena);
    if (status != TR_OK) {
        tr_arena_destroy(c->arena);
        return status;
    }
    *out = c;
    return TR_OK;
}
