// SPDX-License-Identifier: MIT
// Exchanges with modules in other processes, each with a deadline.

#include "glue/remote.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "glue/server.h"
#include "glue/wait.h"
#include "trammel/glue.h"

#define STOPPING 0.2  // for an answer once the run is being ended [s]
#define FAREWELL 2.0  // for the last message and its answer, at most [s]

// Words about a module get the time.
static trStatus add_time(const trRemote *r, trStatus status) {
    return r->begun ? tr_add_hint(status, "; at t = %.9g s", r->t) : status;
}

// The module, too, is lost.
static trStatus give_up(trRemote *r) {
    r->lost = true;
    return add_time(r, TR_E_PARTNER);
}

// Its name and where it is before them, too.
static trStatus blame(trRemote *r, int module) {
    tr_blame(TR_E_PARTNER, "module '%s' (%s): ", r->face[module].name,
             r->link.where(r->link.self, r->partner[module].at));
    return give_up(r);
}

static trStatus send(trRemote *r, int module, double seconds, const void *bytes, size_t count) {
    return tr_wait_send(&r->link, r->partner[module].at, seconds, bytes, count)
               ? TR_OK
               : tr_fail(TR_E_PARTNER, "accepts no more messages");
}

// --- waiting ---

// The first module that has died although it owes an answer, or -1. Others are looked at, too: the
// one that is waited for may be waiting itself.
static int find_dead(const trRemote *r) {
    for (int i = 0; i < r->modules; i++) {
        if (r->partner[i].waiting && tr_process_gone(&r->partner[i].process)) {
            return i;
        }
    }
    return -1;
}

static trStatus await(trRemote *r, int module, double seconds, const void **bytes, size_t *count) {
    trWait wait = tr_wait_begin(seconds);
    bool   stopped = false;
    do {
        if (!stopped && r->stop != NULL && *r->stop != 0) {
            stopped = true;
            wait = tr_wait_begin(fmin(seconds, STOPPING));
        }
        int      dead = tr_wait_glance(&wait) ? find_dead(r) : -1;
        trLinked state = r->link.poll(r->link.self, r->partner[module].at, bytes, count);
        if (state == TR_LINK_DONE) {  // what it sent before it died counts
            r->partner[module].waiting = false;
            return TR_OK;
        }
        if (state == TR_LINK_BROKEN || dead >= 0) {
            tr_fail(TR_E_PARTNER, "its process has ended");
            return blame(r, state == TR_LINK_BROKEN ? module : dead);
        }
    } while (tr_wait_more(&wait));
    if (stopped) {
        tr_fail(TR_E_PARTNER, "no answer while the run ends: it has probably crashed");
    } else {
        tr_fail(TR_E_PARTNER, "no answer for %g s: it hangs, or needs more time (raise timeout)",
                r->timeout);
    }
    return blame(r, module);
}

// --- exchanges ---

static trStatus post(void *work, int module, const trExchange *e) {
    trRemote           *r = work;
    trRemotePartner    *p = &r->partner[module];
    const trModuleFace *face = &r->face[module];
    const void         *old = NULL;
    size_t              count = 0;
    if (p->waiting) {  // for what was left behind when another module failed
        TR_TRY(await(r, module, r->timeout, &old, &count));
    }
    if ((e->calls & TR_CALL_PREDICT) != 0) {
        r->t = e->step.t;
        r->begun = true;
    }
    tr_exchange_pack(TR_GIVEN, face, e, r->bytes);
    count = tr_exchange_size(TR_GIVEN, face, e->calls);
    if (send(r, module, r->timeout, r->bytes, count) != TR_OK) {
        return blame(r, module);
    }
    p->waiting = true;
    p->calls = e->calls;
    p->asked = tr_clock_wall();
    return TR_OK;
}

// The module's own failure, as it tells it.
static trStatus take_failure(trRemote *r, int module, const unsigned char *bytes, size_t count) {
    uint64_t head = 0;
    size_t   length =
        count - TR_MESSAGE_HEAD < TR_MESSAGE_WORDS ? count - TR_MESSAGE_HEAD : TR_MESSAGE_WORDS;
    memcpy(&head, bytes, TR_MESSAGE_HEAD);
    trStatus status = (trStatus)(int32_t)(uint32_t)(head & UINT32_MAX);
    tr_one_line(tr_fail(status, "%.*s", (int)length, (const char *)bytes + TR_MESSAGE_HEAD));
    if (tr_last_error()[0] == '\0') {
        tr_fail(status, "module '%s': failed, and gave no reason", r->face[module].name);
    }
    if (status == TR_E_SIMULATION || status == TR_E_UNSUPPORTED || status == TR_E_MEMORY) {
        return add_time(r, status);
    }
    return give_up(r);  // what it says next cannot be trusted
}

static trStatus collect(void *work, int module, trExchange *e) {
    trRemote           *r = work;
    trRemotePartner    *p = &r->partner[module];
    const trModuleFace *face = &r->face[module];
    const void         *bytes = NULL;
    size_t              count = 0, due = tr_exchange_size(TR_ANSWERED, face, e->calls);
    uint64_t            head = 0;
    double              left = p->asked + r->timeout - tr_clock_wall();
    TR_TRY(await(r, module, fmax(left, 0.0), &bytes, &count));
    memcpy(&head, bytes, count < TR_MESSAGE_HEAD ? count : TR_MESSAGE_HEAD);
    if (count >= TR_MESSAGE_HEAD && (head & TR_MESSAGE_FAILED) != 0) {
        return take_failure(r, module, bytes, count);
    }
    if (count != due || head != p->calls) {
        tr_fail(TR_E_PARTNER, "its answer has %zu bytes instead of %zu", count, due);
        if (count == due) {
            tr_fail(TR_E_PARTNER, "it answers a request that was not made");
        }
        return blame(r, module);
    }
    tr_exchange_unpack(TR_ANSWERED, face, bytes, e);
    return tr_exchange_check(face, e) == TR_OK ? TR_OK : give_up(r);
}

// --- the end ---

// All modules are told, and say that they have heard.
static trStatus part(trRemote *r) {
    const uint64_t end = TR_MESSAGE_END;
    const void    *bytes = NULL;
    size_t         count = 0;
    for (int i = 0; i < r->modules; i++) {
        if (r->partner[i].waiting) {
            TR_TRY(await(r, i, r->timeout, &bytes, &count));
        }
    }
    for (int i = 0; i < r->modules; i++) {
        TR_TRY(send(r, i, FAREWELL, &end, TR_MESSAGE_HEAD));
    }
    for (int i = 0; i < r->modules; i++) {
        r->partner[i].waiting = true;  // not before: others may end before they are looked at
        TR_TRY(await(r, i, FAREWELL, &bytes, &count));
    }
    return TR_OK;
}

// Those that are well are told, so that only the coordinator speaks of what happened. Nobody waits.
static void dismiss(trRemote *r) {
    const uint64_t end = TR_MESSAGE_END;
    for (int i = 0; i < r->modules; i++) {
        if (!r->partner[i].waiting) {
            (void)r->link.send(r->link.self, r->partner[i].at, &end, TR_MESSAGE_HEAD);
        }
    }
}

static void close_remote(void *work) {
    trRemote *r = work;
    if (r->lost || part(r) != TR_OK) {
        dismiss(r);
        r->link.abort(r->link.self, TR_REMOTE_LOST);
    } else {
        r->link.close(r->link.self);
    }
}

static const trCarrierKind kind = {
    .name = "remote", .post = post, .collect = collect, .close = close_remote};

static trStatus plan(trArena *arena, trRemote *r, const char *const *name, double patience) {
    size_t largest = 0;
    TR_TRY(tr_remote_greet(arena, r, name, patience));
    for (int i = 0; i < r->modules; i++) {
        size_t size = tr_exchange_size(TR_GIVEN, &r->face[i], TR_CALLS_ALL);
        largest = size > largest ? size : largest;
    }
    r->bytes = tr_arena_take(arena, 1, largest);
    return tr_arena_status(arena);
}

trStatus tr_carrier_create_remote(const trLink *link, int modules, const char *const *name,
                                  double timeout, double patience, const volatile int *stop,
                                  trCarrier **out) {
    trCarrier *c = NULL;
    *out = NULL;
    TR_TRY(tr_carrier_begin(&kind, modules, sizeof(trRemote), &c));
    trRemote *r = c->work;
    *r = (trRemote){
        .link = *link, .modules = modules, .face = c->face, .timeout = timeout, .stop = stop};
    trStatus status = plan(c->arena, r, name, patience);
    if (status != TR_OK) {
        tr_arena_destroy(c->arena);
        return status;
    }
    *out = c;
    return TR_OK;
}
