// SPDX-License-Identifier: MIT
// Bytes that arrive from another process: a module's and a coordinator's first message, what a
// module is asked, what it answers. The first byte says which; lengths of messages stand before
// them, two bytes each. Whatever arrives is refused in one line, or taken; nobody waits.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glue/greeting.h"
#include "glue/remote.h"
#include "glue/server.h"
#include "target.h"
#include "trammel/glue.h"

enum { HELLO, WELCOME, ASKED, ANSWERED, ANSWERED_BY_KNOWN, SORTS };

GOALS("a hello is taken", "a welcome is taken", "a module is asked", "a failure is answered",
      "an answer of a new module is taken", "an answer of a known module is taken")
enum { HELLO_TAKEN, WELCOME_TAKEN, ASKED_WELL, FAILURE, ANSWER_TAKEN };

#define MEMORY_MOST ((size_t)1 << 28)  // bytes
#define PORTS 2
#define NUMBERS (TR_PORT_V(2) * PORTS)
#define STATE 13  // bytes: not a multiple of eight, on purpose
#define OUTPUTS 1

static void check_message(void) {
    for (const unsigned char *c = (const unsigned char *)tr_last_error(); *c != '\0'; c++) {
        MUST(*c >= 0x20 && *c != 0x7f);
    }
    MUST(tr_last_error()[0] != '\0');
}

// --- a module that takes anything ---

static double sum_of(int count, const double *number) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += number[i];
    }
    return sum;
}

static int predict(void *self, const trGlueStep *step) {
    *(double *)self += step->h;
    return 0;
}

static int residual(void *self, double *size) {
    (void)self;
    *size = 0.0;
    return 0;
}

static int port_motion(void *self, double *x, double *v, double *a) {
    for (int i = 0; i < NUMBERS; i++) {
        x[i] = v[i] = a[i] = *(double *)self;
    }
    return 0;
}

static int compliance(void *self, double *W) {
    (void)self;
    memset(W, 0, NUMBERS * NUMBERS * sizeof *W);
    return 0;
}

static int apply(void *self, trLevel level, const double *w) {
    *(double *)self += level == TR_LEVEL_LOAD ? 0.0 : sum_of(NUMBERS, w);
    return 0;
}

static int accept(void *self) {
    return isnan(*(double *)self);
}

static size_t state_size(void *self) {
    (void)self;
    return STATE;
}

static int save(void *self, void *state) {
    memset(state, 0, STATE);
    memcpy(state, self, sizeof(double));
    return 0;
}

static int restore(void *self, const void *state) {
    memcpy(self, state, sizeof(double));
    return ((const unsigned char *)state)[STATE - 1];
}

static int output(void *self, double *value) {
    value[0] = *(double *)self;
    return 0;
}

static const char *error(void *self) {
    (void)self;
    return "two\nlines";
}

static trModule make_module(double *self) {
    static const char *const ports[] = {"left", "right"}, *const outputs[] = {"sum"};
    return (trModule){.version = TR_MODULE_VERSION,
                      .name = "fuzzed",
                      .dim = 2,
                      .ports = PORTS,
                      .port_name = ports,
                      .takes = TR_TAKES_POSITION | TR_TAKES_VELOCITY,
                      .outputs = OUTPUTS,
                      .output_name = outputs,
                      .self = self,
                      .predict = predict,
                      .residual = residual,
                      .port_motion = port_motion,
                      .compliance = compliance,
                      .apply = apply,
                      .accept = accept,
                      .state_size = state_size,
                      .save = save,
                      .restore = restore,
                      .output = output,
                      .error = error};
}

// --- messages, one after the other ---

typedef struct Queue {
    const uint8_t *data;
    size_t         left;
    void          *last;   // a copy of just its size, so that reading beyond it is seen
    const void    *first;  // comes before the others, if not NULL
    size_t         first_size;
} Queue;

static bool next(Queue *q, const void **bytes, size_t *count) {
    free(q->last);
    q->last = NULL;
    if (q->first != NULL) {
        *bytes = q->first;
        *count = q->first_size;
        q->first = NULL;
        return true;
    }
    if (q->left < 2) {
        return false;
    }
    size_t size = (size_t)q->data[0] << 8 | q->data[1];
    size = size < q->left - 2 ? size : q->left - 2;
    q->last = malloc(size > 0 ? size : 1);
    MUST(q->last != NULL);
    memcpy(q->last, q->data + 2, size);
    q->data += 2 + size;
    q->left -= 2 + size;
    *bytes = q->last;
    *count = size;
    return true;
}

// --- greetings ---

static void greet(trArena *arena, int sort, Queue *q) {
    const void *bytes = NULL;
    size_t      count = 0;
    trHello     hello;
    trWelcome   welcome;
    if (!next(q, &bytes, &count)) {
        return;
    }
    if ((sort == HELLO ? tr_hello_unpack(arena, bytes, count, &hello)
                       : tr_welcome_unpack(arena, bytes, count, &welcome)) != TR_OK) {
        MUST(tr_arena_status(arena) != TR_OK || tr_last_error()[0] != '\0');
    } else if (sort == HELLO) {
        REACHED(HELLO_TAKEN);
        MUST(strlen(hello.face.name) + strlen(hello.words) + strlen(hello.process.place) < count);
        MUST(hello.face.state_size <= TR_STATE_MOST && hello.face.ports <= TR_PORTS_MOST);
        MUST(hello.face.ports == 0 || hello.face.port_name[hello.face.ports - 1] != NULL);
    } else {
        REACHED(WELCOME_TAKEN);
        MUST(welcome.silence >= 0.0 && strlen(welcome.words) < count);
    }
}

// --- the module's side ---

static void ask(trArena *arena, Queue *q) {
    double   self = 0.0;
    trModule module = make_module(&self);
    trServer server;
    MUST(tr_server_plan(arena, &module, "fuzzed", &server) == TR_OK);
    for (const void *bytes = NULL, *answer = NULL;;) {
        size_t   count = 0, answer_count = 0;
        uint64_t head = 0;
        if (!next(q, &bytes, &count)) {
            return;
        }
        tr_server_answer(&server, bytes, count, &answer, &answer_count);
        MUST(answer_count >= sizeof head);
        memcpy(&head, answer, sizeof head);
        REACHED((head & TR_MESSAGE_FAILED) != 0 ? FAILURE : ASKED_WELL);
        if ((head & TR_MESSAGE_FAILED) != 0) {
            check_message();
        }
    }
}

// --- the coordinator's side ---

static trLinked take(void *self, int partner, const void *bytes, size_t count) {
    (void)self, (void)partner, (void)bytes, (void)count;
    return TR_LINK_DONE;
}

static trLinked poll(void *self, int partner, const void **bytes, size_t *count) {
    (void)partner;
    return next(self, bytes, count) ? TR_LINK_DONE : TR_LINK_BROKEN;
}

static const char *where(void *self, int partner) {
    (void)self, (void)partner;
    return "rank 1";
}

static void traffic(void *self, int64_t *messages, int64_t *bytes) {
    (void)self;
    *messages = *bytes = 0;
}

static void give_up(void *self, int code) {
    (void)self, (void)code;
}

static void close_link(void *self) {
    (void)self;
}

// The first message as it should be, for the deeper sort.
static void say_hello(trArena *arena, Queue *q) {
    double   self = 0.0;
    trModule module = make_module(&self);
    trServer server;
    MUST(tr_server_plan(arena, &module, "fuzzed", &server) == TR_OK);
    trHello hello = {.face = server.face};
    MUST(tr_hello_pack(arena, &hello, &q->first, &q->first_size) == TR_OK);
}

static void exchange(trArena *arena, int sort, trCarrier *c) {
    static const unsigned calls[] = {TR_CALL_PREDICT | TR_CALL_RESIDUAL | TR_CALL_MOTION,
                                     TR_CALL_LOAD | TR_CALL_JUDGE | TR_CALL_COMPLIANCE,
                                     TR_CALL_OUTPUT | TR_CALL_SAVE | TR_CALL_ABOUT,
                                     TR_CALL_RESTORE | TR_CALL_FORCE | TR_CALL_MOTION};
    const trModuleFace   *face = &c->face[0];
    size_t                n = (size_t)(TR_PORT_V(face->dim) * face->ports);
    double               *w = tr_arena_take(arena, n, sizeof *w);
    trExchange            e = {.x = tr_new_array(arena, double, TR_PORT_X(face->dim) * face->ports),
                               .v = tr_arena_take(arena, n, sizeof(double)),
                               .a = tr_arena_take(arena, n, sizeof(double)),
                               .W = tr_arena_take(arena, n * n, sizeof(double)),
                               .output = tr_new_array(arena, double, face->outputs),
                               .state = tr_arena_take(arena, face->state_size, 1),
                               .about = tr_arena_take(arena, 1, TR_ABOUT_SIZE)};
    e.state_in = e.state;
    for (int k = 0; k < TR_LEVELS; k++) {
        e.w[k] = w;
    }
    for (size_t i = 0; tr_arena_status(arena) == TR_OK && i < 3 * sizeof calls / sizeof *calls;
         i++) {
        e.calls = calls[i % (sizeof calls / sizeof *calls)];
        trStatus status = tr_carrier_exchange(c, &e);
        if (status != TR_OK) {
            check_message();
            MUST(status == TR_E_PARTNER || status == TR_E_SIMULATION || status == TR_E_MEMORY ||
                 status == TR_E_UNSUPPORTED);
        } else if ((e.calls & TR_CALL_MOTION) != 0) {
            REACHED(ANSWER_TAKEN + (sort == ANSWERED_BY_KNOWN));
            MUST(isfinite(sum_of(face->ports > 0, e.x)));
        }
    }
}

static void answer(trArena *arena, int sort, Queue *q) {
    static const char *const name[] = {"fuzzed"};
    const trLink             link = {.version = TR_LINK_VERSION,
                                     .partners = 1,
                                     .self = q,
                                     .send = take,
                                     .poll = poll,
                                     .where = where,
                                     .traffic = traffic,
                                     .abort = give_up,
                                     .close = close_link};
    trCarrier               *carrier = NULL;
    if (sort == ANSWERED_BY_KNOWN) {
        say_hello(arena, q);
    }
    if (tr_carrier_create_remote(&link, 1, name, 1.0, 1.0, NULL, &carrier) != TR_OK) {
        check_message();
        return;
    }
    exchange(arena, sort, carrier);
    tr_carrier_destroy(carrier);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Queue    q = {.data = data + 1, .left = size - 1};
    trArena *arena = size > 0 ? tr_arena_create() : NULL;
    if (arena == NULL) {
        return 0;
    }
    tr_arena_limit(arena, MEMORY_MOST);
    (void)tr_fail(TR_OK, "%s", "");
    int sort = data[0] % SORTS;
    if (sort == HELLO || sort == WELCOME) {
        greet(arena, sort, &q);
    } else if (sort == ASKED) {
        ask(arena, &q);
    } else {
        answer(arena, sort, &q);
    }
    free(q.last);
    tr_arena_destroy(arena);
    return 0;
}
