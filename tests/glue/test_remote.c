// SPDX-License-Identifier: MIT
// Modules behind a link, without MPI: a link of this process, whose other end is a server. Messages
// cut short or of random bytes are refused, and exchanges give what the module itself gives.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "glue/greeting.h"
#include "glue/remote.h"
#include "glue/server.h"
#include "support/test.h"
#include "trammel/glue.h"

int chain_open(int arguments, const char *const *argument, trModule *out);

#define OK(call) assert_int_equal((call), TR_OK)
#define ROOM 8192   // bytes of a message
#define SHORT 0.05  // a deadline [s]

// Two ends in one process: what is sent is answered when it is looked for.
typedef struct Wire {
    trServer      server;
    unsigned char there[ROOM], back[ROOM];
    size_t        there_count, back_count;
    int           messages;  // to the module
    int           lose;      // the number of the one that is never answered
    bool          sent, aborted, closed;
} Wire;

static trLinked send(void *self, int partner, const void *bytes, size_t count) {
    Wire *w = self;
    assert_int_equal(partner, 0);
    assert_true(count <= ROOM && !w->sent);
    memcpy(w->there, bytes, count);
    w->there_count = count;
    w->sent = true;
    w->messages++;
    return TR_LINK_DONE;
}

static void answer(Wire *w) {
    const void *bytes = w->there;
    size_t      count = w->there_count;
    uint64_t    head = 0;
    memcpy(&head, w->there, sizeof head);
    if (head != TR_MESSAGE_END) {
        tr_server_answer(&w->server, w->there, w->there_count, &bytes, &count);
    }
    memcpy(w->back, bytes, count);
    w->back_count = count;
}

static trLinked poll(void *self, int partner, const void **bytes, size_t *count) {
    Wire *w = self;
    (void)partner;
    if (w->messages == 0) {  // the hello was put there before
        *bytes = w->back;
        *count = w->back_count;
        w->back_count = 0;
        return TR_LINK_DONE;
    }
    if (!w->sent || w->messages == w->lose) {
        return TR_LINK_NOT_YET;
    }
    answer(w);
    w->sent = false;
    *bytes = w->back;
    *count = w->back_count;
    return TR_LINK_DONE;
}

static const char *where(void *self, int partner) {
    (void)self, (void)partner;
    return "the other end";
}

static void abort_all(void *self, int code) {
    assert_int_equal(code, TR_REMOTE_LOST);
    ((Wire *)self)->aborted = true;
}

static void close_all(void *self) {
    ((Wire *)self)->closed = true;
}

typedef struct Ends {
    trArena   *arena;
    trModule   module;
    trCarrier *carrier;
    Wire       wire;
} Ends;

static trLink link_of(Wire *w) {
    return (trLink){.version = TR_LINK_VERSION,
                    .partners = 1,
                    .self = w,
                    .send = send,
                    .poll = poll,
                    .where = where,
                    .abort = abort_all,
                    .close = close_all};
}

static void say_hello(Ends *e, bool named, const char *name) {
    trHello     hello = {.face = e->wire.server.face, .named = named};
    const void *bytes = NULL;
    hello.face.name = name;
    OK(tr_hello_pack(e->arena, &hello, &bytes, &e->wire.back_count));
    memcpy(e->wire.back, bytes, e->wire.back_count);
}

static void open_ends(Ends *e) {
    *e = (Ends){.arena = tr_arena_create()};
    assert_int_equal(chain_open(0, NULL, &e->module), 0);
    OK(tr_server_plan(e->arena, &e->module, "chain", &e->wire.server));
}

static void meet(Ends *e) {
    static const char *const name[] = {"chain"};
    trLink                   link = link_of(&e->wire);
    say_hello(e, true, "chain");
    OK(tr_carrier_create_remote(&link, 1, name, SHORT, SHORT, NULL, &e->carrier));
    e->wire.sent = false;  // the welcome is not answered
}

static void close_ends(Ends *e) {
    tr_carrier_destroy(e->carrier);
    e->module.close(e->module.self);
    tr_arena_destroy(e->arena);
}

// --- tests ---

#define STEP                                                                               \
    {                                                                                      \
        .t = 0.1, .h = 0.1, .c_v = 0.05, .c_q = 0.0025, .r0 = 1.0, .b0 = 0.25, .b1 = 0.25, \
        .g0 = 0.5, .g1 = 0.5                                                               \
    }

static void answers_are_the_modules_own(void **state) {
    Ends       e;
    trModule   twin;
    double     x[3], v[3], a[3], W[9], x2[3], v2[3], a2[3], W2[9], size = 0.0;
    trGlueStep step = STEP;
    trExchange x1 = {.calls =
                         TR_CALL_PREDICT | TR_CALL_RESIDUAL | TR_CALL_MOTION | TR_CALL_COMPLIANCE,
                     .step = STEP,
                     .x = x,
                     .v = v,
                     .a = a,
                     .W = W};
    open_ends(&e);
    meet(&e);
    assert_string_equal(e.carrier->face[0].port_name[0], "end");
    assert_int_equal(e.carrier->face[0].outputs, 3);
    assert_string_equal(e.carrier->face[0].output_unit[2], "rad");
    OK(tr_carrier_ask(e.carrier, 0, &x1));
    assert_int_equal(chain_open(0, NULL, &twin), 0);
    assert_int_equal(twin.predict(twin.self, &step), 0);
    assert_int_equal(twin.residual(twin.self, &size), 0);
    assert_int_equal(twin.port_motion(twin.self, x2, v2, a2), 0);
    assert_int_equal(twin.compliance(twin.self, W2), 0);
    assert_memory_equal(x, x2, sizeof x);
    assert_memory_equal(v, v2, sizeof v);
    assert_memory_equal(a, a2, sizeof a);
    assert_memory_equal(W, W2, sizeof W);
    assert_memory_equal(&x1.residual, &size, sizeof size);
    assert_int_equal(e.carrier->bytes, e.wire.there_count + e.wire.back_count);
    twin.close(twin.self);
    close_ends(&e);
    assert_true(e.wire.closed && !e.wire.aborted);
}

static void a_lost_answer_is_a_lost_module(void **state) {
    Ends       e;
    double     x[3], v[3], a[3];
    trExchange ask = {.calls = TR_CALL_PREDICT | TR_CALL_MOTION, .step = STEP};
    ask.x = x, ask.v = v, ask.a = a;
    open_ends(&e);
    meet(&e);
    e.wire.lose = e.wire.messages + 1;
    assert_int_equal(tr_carrier_ask(e.carrier, 0, &ask), TR_E_PARTNER);
    assert_non_null(
        strstr(tr_last_error(), "module 'chain' (the other end): no answer for 0.05 s"));
    assert_non_null(strstr(tr_last_error(), "at t = 0.1 s"));
    close_ends(&e);
    assert_true(e.wire.aborted && !e.wire.closed);
}

// At every length below its own, and with every byte changed, a hello is refused or understood, and
// memory is not touched beyond it (sanitizers see that).
static void damaged_hellos_are_refused(void **state) {
    Ends    e;
    trHello hello;
    open_ends(&e);
    say_hello(&e, true, "chain");
    size_t count = e.wire.back_count;
    for (size_t length = 0; length < count; length++) {
        unsigned char *copy = test_malloc(length + 1);
        memcpy(copy, e.wire.back, length);
        assert_int_equal(tr_hello_unpack(e.arena, copy, length, &hello), TR_E_PARTNER);
        test_free(copy);
    }
    assert_int_equal(tr_hello_unpack(e.arena, e.wire.back, count + 1, &hello), TR_E_PARTNER);
    for (size_t i = 0; i < count; i++) {
        unsigned char *copy = test_malloc(count);
        memcpy(copy, e.wire.back, count);
        copy[i] = (unsigned char)~copy[i];
        trStatus status = tr_hello_unpack(e.arena, copy, count, &hello);
        assert_true(status == TR_OK || status == TR_E_PARTNER);
        assert_true(status == TR_E_PARTNER || i >= 24);  // the head has no byte to spare
        test_free(copy);
    }
    OK(tr_hello_unpack(e.arena, e.wire.back, count, &hello));
    close_ends(&e);
}

// A number in a hello cannot make the coordinator ask for gigabytes.
static void states_of_gigabytes_are_refused(void **state) {
    Ends    e;
    trHello hello;
    open_ends(&e);
    e.wire.server.face.state_size = TR_STATE_MOST;
    say_hello(&e, true, "chain");
    OK(tr_hello_unpack(e.arena, e.wire.back, e.wire.back_count, &hello));
    e.wire.server.face.state_size++;
    say_hello(&e, true, "chain");
    assert_int_equal(tr_hello_unpack(e.arena, e.wire.back, e.wire.back_count, &hello),
                     TR_E_PARTNER);
    close_ends(&e);
}

// A child that has ended is gone before it is waited for, and after; one that lives is not, nor one
// on another machine; another one that got its number is not it.
static void processes_are_seen_to_end(void **state) {
    trProcess self = tr_process_self(), other = self, next = self;
    int       wire[2];
    siginfo_t ended;
    if (self.place[0] == '\0') {
        skip();  // no /proc
    }
    assert_false(tr_process_gone(&self));
    next.started++;
    assert_true(tr_process_gone(&next));
    assert_int_equal(pipe(wire), 0);
    pid_t child = fork();
    if (child == 0) {
        trProcess mine = tr_process_self();
        _exit(write(wire[1], &mine, sizeof mine) == (ssize_t)sizeof mine ? 0 : 1);
    }
    assert_int_equal(read(wire[0], &other, sizeof other), sizeof other);
    assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
    assert_true(tr_process_gone(&other));
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(tr_process_gone(&other));
    other.place[0] ^= 1;
    assert_false(tr_process_gone(&other));
    close(wire[0]);
    close(wire[1]);
}

static void unwanted_modules_are_refused(void **state) {
    static const char *const name[] = {"chain"};
    Ends                     e;
    open_ends(&e);
    trLink link = link_of(&e.wire);
    say_hello(&e, true, "chian");
    assert_int_equal(tr_carrier_create_remote(&link, 1, name, SHORT, SHORT, NULL, &e.carrier),
                     TR_E_PARTNER);
    assert_non_null(strstr(tr_last_error(), "the other end is 'chian'"));
    assert_non_null(strstr(tr_last_error(), "did you mean 'chain'?"));
    trWelcome welcome;
    OK(tr_welcome_unpack(e.arena, e.wire.there, e.wire.there_count, &welcome));
    assert_int_equal(welcome.status, TR_E_PARTNER);
    close_ends(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_the_modules_own),
        cmocka_unit_test(a_lost_answer_is_a_lost_module),
        cmocka_unit_test(damaged_hellos_are_refused),
        cmocka_unit_test(states_of_gigabytes_are_refused),
        cmocka_unit_test(processes_are_seen_to_end),
        cmocka_unit_test(unwanted_modules_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
