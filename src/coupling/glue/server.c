// SPDX-License-Identifier: MIT
// A module that is asked by messages.

#include "glue/server.h"

#include <string.h>

#include "glue/greeting.h"
#include "glue/wait.h"

#define FAREWELL 5.0  // for a coordinator that refuses to end the run, at most [s]

trStatus tr_server_plan(trArena *arena, const trModule *module, const char *name, trServer *out) {
    TR_TRY(tr_face_check(module, name));
    *out = (trServer){.module = module, .face = tr_face_of(arena, module, name), .arena = arena};
    const trModuleFace *face = &out->face;
    int                 n = TR_PORT_V(face->dim) * face->ports;
    trExchange         *e = &out->answers;
    e->x = tr_new_array(arena, double, TR_PORT_X(face->dim) * face->ports);
    e->v = tr_new_array(arena, double, n);
    e->a = tr_new_array(arena, double, n);
    e->W = tr_arena_take(arena, (size_t)n * (size_t)n, sizeof(double));
    e->y = tr_new_array(arena, double, n);
    e->output = tr_new_array(arena, double, face->outputs);
    e->state = tr_arena_take(arena, face->state_size, 1);
    e->about = tr_arena_take(arena, 1, TR_ABOUT_SIZE);
    out->bytes = tr_arena_take(
        arena, 1, tr_exchange_size(TR_ANSWERED, face, TR_CALLS_ALL) + TR_MESSAGE_WORDS);
    return tr_arena_status(arena);
}

// --- one message ---

static trStatus check_message(const trServer *s, uint64_t calls, size_t count) {
    const trModule *m = s->module;
    if ((calls & ~(uint64_t)TR_CALLS_ALL) != 0) {
        return tr_fail(TR_E_PARTNER, "module '%s': got an unknown request", s->face.name);
    }
    size_t due = tr_exchange_size(TR_GIVEN, &s->face, (unsigned)calls);
    if (count != due) {
        return tr_fail(TR_E_PARTNER, "module '%s': a message has %zu bytes, not %zu", s->face.name,
                       count, due);
    }
    if (((calls & TR_CALL_SAVE) != 0 && m->save == NULL) ||
        ((calls & TR_CALL_RESTORE) != 0 && m->restore == NULL) ||
        ((calls & TR_CALL_PORT_RESIDUAL) != 0 && m->port_residual == NULL)) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "module '%s': cannot save its state, or report its residual", s->face.name);
    }
    return TR_OK;
}

static trStatus perform(trServer *s, const void *bytes, size_t count) {
    uint64_t calls = 0;
    if (count < TR_MESSAGE_HEAD) {
        return tr_fail(TR_E_PARTNER, "module '%s': a message has only %zu bytes", s->face.name,
                       count);
    }
    memcpy(&calls, bytes, TR_MESSAGE_HEAD);
    TR_TRY(check_message(s, calls, count));
    tr_exchange_unpack(TR_GIVEN, &s->face, bytes, &s->answers);
    return tr_exchange_perform(s->module, &s->face, &s->answers);
}

void tr_server_answer(trServer *s, const void *bytes, size_t count, const void **answer,
                      size_t *answer_count) {
    trStatus status = perform(s, bytes, count);
    *answer = s->bytes;
    if (status == TR_OK) {
        tr_exchange_pack(TR_ANSWERED, &s->face, &s->answers, s->bytes);
        *answer_count = tr_exchange_size(TR_ANSWERED, &s->face, s->answers.calls);
        return;
    }
    uint64_t head = TR_MESSAGE_FAILED | (uint32_t)(int32_t)status;
    size_t   length = strlen(tr_last_error());
    length = length < TR_MESSAGE_WORDS ? length : TR_MESSAGE_WORDS;
    memcpy(s->bytes, &head, TR_MESSAGE_HEAD);
    memcpy(s->bytes + TR_MESSAGE_HEAD, tr_last_error(), length);
    *answer_count = TR_MESSAGE_HEAD + length;
}

// --- the link ---

// The next message of the coordinator.
static trStatus await(const trLink *link, double seconds, const trProcess *coordinator,
                      const void **bytes, size_t *count) {
    trWait wait = tr_wait_begin(seconds);
    do {
        bool gone = tr_wait_glance(&wait) && coordinator != NULL && tr_process_gone(coordinator);
        // What it sent before it went is read first.
        trLinked state = link->poll(link->self, 0, bytes, count);
        if (state == TR_LINK_DONE) {
            return TR_OK;
        }
        if (gone || state == TR_LINK_BROKEN) {
            return tr_fail(TR_E_PARTNER, "the coordinator is gone");
        }
    } while (tr_wait_more(&wait));
    return tr_fail(TR_E_PARTNER, "the coordinator was silent for %g s", seconds);
}

static trStatus send(const trLink *link, double seconds, const void *bytes, size_t count) {
    return tr_wait_send(link, 0, seconds, bytes, count)
               ? TR_OK
               : tr_fail(TR_E_PARTNER, "the coordinator accepts no more messages");
}

// Refused: the coordinator tells why, and ends all processes. One that ended before would make
// mpirun end the coordinator while it still speaks.
static void outlast(const trLink *link, double patience, const trProcess *coordinator) {
    const void *bytes = NULL;
    size_t      count = 0;
    (void)await(link, patience < FAREWELL ? patience : FAREWELL, coordinator, &bytes, &count);
}

static trStatus meet(trArena *arena, const trHello *hello, double patience, const trLink *link,
                     trWelcome *welcome) {
    const void *bytes = NULL;
    size_t      count = 0;
    TR_TRY(tr_hello_pack(arena, hello, &bytes, &count));
    TR_TRY(send(link, patience, bytes, count));
    TR_TRY(await(link, patience, NULL, &bytes, &count));
    trStatus status = tr_welcome_unpack(arena, bytes, count, welcome);
    return status == TR_OK ? TR_OK : tr_blame(status, "the coordinator: ");
}

static trStatus greet(trServer *s, bool named, double patience, const trLink *link,
                      trWelcome *welcome) {
    const trHello hello = {.face = s->face, .named = named, .process = tr_process_self()};
    TR_TRY(meet(s->arena, &hello, patience, link, welcome));
    if (welcome->status != TR_OK) {
        outlast(link, patience, &welcome->process);
        return tr_fail(TR_E_PARTNER, "%s", welcome->words);
    }
    s->face.name = welcome->words;
    return TR_OK;
}

void tr_server_refuse(trArena *arena, const char *name, const char *words, double patience,
                      const trLink *link) {
    const trHello hello = {.face = {.name = name}, .words = words, .process = tr_process_self()};
    trWelcome     welcome;
    if (meet(arena, &hello, patience, link, &welcome) == TR_OK) {
        outlast(link, patience, &welcome.process);
    }
}

trStatus tr_server_run(trServer *s, bool named, double patience, const trLink *link) {
    trWelcome welcome;
    TR_TRY(greet(s, named, patience, link, &welcome));
    for (;;) {
        const void *bytes = NULL, *answer = NULL;
        size_t      count = 0, answer_count = 0;
        uint64_t    head = 0;
        TR_TRY(await(link, welcome.silence, &welcome.process, &bytes, &count));
        memcpy(&head, bytes, count < TR_MESSAGE_HEAD ? count : TR_MESSAGE_HEAD);
        if (head == TR_MESSAGE_END) {
            return send(link, welcome.silence, &head, TR_MESSAGE_HEAD);
        }
        tr_server_answer(s, bytes, count, &answer, &answer_count);
        TR_TRY(send(link, welcome.silence, answer, answer_count));
    }
}
