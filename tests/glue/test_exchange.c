// SPDX-License-Identifier: MIT
// Exchanges as bytes: what is packed comes out again, in the size that was said, for any calls; and
// what a module does wrong is said with its name.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "glue/exchange.h"
#include "support/test.h"

#define MOST 64     // numbers of one part
#define GUARD 0xA5  // behind a message
#define STATE 24    // bytes
#define OUTPUTS 3

int body_open(int arguments, const char *const *argument, trModule *out);

static const char *const names[] = {"one", "two"};

static trModuleFace face_of(int dim) {
    return (trModuleFace){.name = "m",
                          .dim = dim,
                          .ports = 2,
                          .port_name = names,
                          .outputs = OUTPUTS,
                          .state_size = STATE};
}

// Memory of an exchange.
typedef struct Room {
    double        w[TR_LEVELS][MOST], x[MOST], v[MOST], a[MOST], W[MOST * MOST], y[MOST];
    double        output[MOST];
    unsigned char state_in[STATE], state[STATE];
    char          about[TR_ABOUT_SIZE];
} Room;

static trExchange exchange_in(Room *room, unsigned calls) {
    trExchange e = {.calls = calls,
                    .state_in = room->state_in,
                    .x = room->x,
                    .v = room->v,
                    .a = room->a,
                    .W = room->W,
                    .y = room->y,
                    .output = room->output,
                    .state = room->state,
                    .about = room->about};
    for (int k = 0; k < TR_LEVELS; k++) {
        e.w[k] = room->w[k];
    }
    return e;
}

// Different bytes everywhere.
static void fill(Room *room) {
    unsigned char *byte = (unsigned char *)room;
    for (size_t i = 0; i < sizeof *room; i++) {
        byte[i] = (unsigned char)(7 * i + i / 251);
    }
}

static int bits(unsigned calls, unsigned bit) {
    return (calls & bit) != 0 ? 1 : 0;
}

// Counted by hand: heads of 8 bytes, numbers of 8.
static size_t given_size(const trModuleFace *face, unsigned calls) {
    size_t w = 8 * (face->dim == 3 ? 12u : 6u);
    int    levels = bits(calls, TR_CALL_LOAD) + bits(calls, TR_CALL_FORCE) +
                 bits(calls, TR_CALL_POSITION) + bits(calls, TR_CALL_VELOCITY) +
                 bits(calls, TR_CALL_ACCELERATION);
    return 8 + (size_t)levels * w + (bits(calls, TR_CALL_RESTORE) ? STATE : 0u) +
           (bits(calls, TR_CALL_PREDICT) ? sizeof(trGlueStep) : 0u);
}

static size_t answer_size(const trModuleFace *face, unsigned calls) {
    size_t n = face->dim == 3 ? 12 : 6, x = face->dim == 3 ? 14 : 6;
    return 8 +
           8 * ((size_t)bits(calls, TR_CALL_JUDGE) + (size_t)bits(calls, TR_CALL_RESIDUAL) +
                (size_t)bits(calls, TR_CALL_MOTION) * (x + 2 * n) +
                (size_t)bits(calls, TR_CALL_COMPLIANCE) * n * n +
                (size_t)bits(calls, TR_CALL_PORT_RESIDUAL) * n +
                (size_t)bits(calls, TR_CALL_OUTPUT) * OUTPUTS) +
           (bits(calls, TR_CALL_ABOUT) ? 1024u : 0u) + (bits(calls, TR_CALL_SAVE) ? STATE : 0u);
}

static void check_given(const trModuleFace *face, unsigned calls, Room *from) {
    size_t         size = tr_exchange_size(TR_GIVEN, face, calls);
    unsigned char *bytes = malloc(size + 1);
    trExchange     sent = exchange_in(from, calls), got = {0};
    size_t         w = 8 * (size_t)TR_PORT_V(face->dim) * 2;
    const unsigned bit[TR_LEVELS] = {TR_CALL_LOAD, TR_CALL_FORCE, TR_CALL_POSITION,
                                     TR_CALL_VELOCITY, TR_CALL_ACCELERATION};
    assert_non_null(bytes);
    assert_int_equal(size, given_size(face, calls));
    bytes[size] = GUARD;
    sent.step = (trGlueStep){.t = 1.5, .h = 0.25, .g1 = 0.5, .plain = 1};
    tr_exchange_pack(TR_GIVEN, face, &sent, bytes);
    assert_int_equal(bytes[size], GUARD);
    tr_exchange_unpack(TR_GIVEN, face, bytes, &got);
    assert_int_equal(got.calls, calls);
    for (int k = 0; k < TR_LEVELS; k++) {
        if ((calls & bit[k]) != 0) {
            assert_memory_equal(got.w[k], from->w[k], w);
        }
    }
    if ((calls & TR_CALL_RESTORE) != 0) {
        assert_memory_equal(got.state_in, from->state_in, STATE);
    }
    if ((calls & TR_CALL_PREDICT) != 0) {
        assert_true(got.step.t == 1.5 && got.step.h == 0.25 && got.step.g1 == 0.5);
        assert_int_equal(got.step.plain, 1);
    }
    free(bytes);
}

// What was not asked for stays what it was.
static void check_part(unsigned calls, unsigned bit, const void *got, const void *sent,
                       const void *before, size_t size) {
    assert_memory_equal(got, (calls & bit) != 0 ? sent : before, size);
}

static void check_answer(const trModuleFace *face, unsigned calls, Room *from, Room *to,
                         const Room *before) {
    size_t         size = tr_exchange_size(TR_ANSWERED, face, calls);
    size_t         n = (size_t)TR_PORT_V(face->dim) * 2, x = (size_t)TR_PORT_X(face->dim) * 2;
    unsigned char *bytes = malloc(size + 1);
    trExchange     sent = exchange_in(from, calls), got = exchange_in(to, calls);
    assert_non_null(bytes);
    assert_int_equal(size, answer_size(face, calls));
    memcpy(to, before, sizeof *to);
    bytes[size] = GUARD;
    sent.judged = 0.125;
    sent.residual = 0.5;
    tr_exchange_pack(TR_ANSWERED, face, &sent, bytes);
    assert_int_equal(bytes[size], GUARD);
    tr_exchange_unpack(TR_ANSWERED, face, bytes, &got);
    assert_true(got.judged == ((calls & TR_CALL_JUDGE) != 0 ? 0.125 : 0.0));
    assert_true(got.residual == ((calls & TR_CALL_RESIDUAL) != 0 ? 0.5 : 0.0));
    check_part(calls, TR_CALL_MOTION, to->x, from->x, before->x, 8 * x);
    check_part(calls, TR_CALL_MOTION, to->v, from->v, before->v, 8 * n);
    check_part(calls, TR_CALL_MOTION, to->a, from->a, before->a, 8 * n);
    check_part(calls, TR_CALL_COMPLIANCE, to->W, from->W, before->W, 8 * n * n);
    check_part(calls, TR_CALL_PORT_RESIDUAL, to->y, from->y, before->y, 8 * n);
    check_part(calls, TR_CALL_OUTPUT, to->output, from->output, before->output, 8 * OUTPUTS);
    check_part(calls, TR_CALL_SAVE, to->state, from->state, before->state, STATE);
    check_part(calls, TR_CALL_ABOUT, to->about, from->about, before->about, TR_ABOUT_SIZE);
    free(bytes);
}

// All 2^16 sets of calls, in the plane and in space.
static void every_set_of_calls_travels(void **state) {
    static Room from, to, before;
    fill(&from);
    memset(from.about, 'a', TR_ABOUT_SIZE - 1);  // as others it is one line that ends
    from.about[TR_ABOUT_SIZE - 1] = '\0';
    for (unsigned calls = 0; calls <= TR_CALLS_ALL; calls++) {
        for (int dim = 2; dim <= 3; dim++) {
            trModuleFace face = face_of(dim);
            check_given(&face, calls, &from);
            check_answer(&face, calls, &from, &to, &before);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_of_calls_travels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
