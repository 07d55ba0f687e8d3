// SPDX-License-Identifier: MIT
// Performing an exchange on a module, and its form as bytes.

#include "glue/exchange.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"

// --- performing ---

static trStatus judge(const trModule *m, const trModuleFace *face, int failed, const char *call) {
    if (failed == 0) {
        return TR_OK;
    }
    const char *words = m->error != NULL ? m->error(m->self) : NULL;
    return tr_one_line(
        tr_fail(TR_E_SIMULATION, "module '%s': %s: %s", face->name, call,
                words != NULL && words[0] != '\0' ? words : "failed, and gave no reason"));
}

#define CALL(bit, name, ...)                                                         \
    if ((e->calls & (bit)) != 0) {                                                   \
        TR_TRY(judge(module, face, module->name(module->self, __VA_ARGS__), #name)); \
    }

// The first of `count` numbers, `each` of a port, that is none.
static trStatus check_finite(const trModuleFace *face, const char *what, int count, int each,
                             const double *value) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(value[i])) {
            return tr_fail(TR_NOT_FINITE, "module '%s': %s of port '%s' is not a number",
                           face->name, what, face->port_name[i / each]);
        }
    }
    return TR_OK;
}

trStatus tr_exchange_check(const trModuleFace *face, const trExchange *e) {
    int wide = TR_PORT_V(face->dim), n = wide * face->ports;
    if (((e->calls & TR_CALL_RESIDUAL) != 0 && !isfinite(e->residual)) ||
        ((e->calls & TR_CALL_JUDGE) != 0 && !isfinite(e->judged))) {
        return tr_fail(TR_NOT_FINITE, "module '%s': its residual is not a number", face->name);
    }
    if ((e->calls & TR_CALL_MOTION) != 0) {
        int x = TR_PORT_X(face->dim);
        TR_TRY(check_finite(face, "the position", x * face->ports, x, e->x));
        TR_TRY(check_finite(face, "the velocity", n, wide, e->v));
        TR_TRY(check_finite(face, "the acceleration", n, wide, e->a));
    }
    if ((e->calls & TR_CALL_COMPLIANCE) != 0) {
        TR_TRY(check_finite(face, "the compliance", n * n, n * wide, e->W));
    }
    if ((e->calls & TR_CALL_PORT_RESIDUAL) != 0) {
        TR_TRY(check_finite(face, "the residual", n, wide, e->y));
    }
    return TR_OK;
}

static trStatus apply(const trModule *module, const trModuleFace *face, const trExchange *e,
                      unsigned bit, trLevel level) {
    if ((e->calls & bit) == 0) {
        return TR_OK;
    }
    return judge(module, face, module->apply(module->self, level, e->w[level]), "apply");
}

// Whatever came: one line that ends.
static void make_one_line(char about[TR_ABOUT_SIZE]) {
    about[TR_ABOUT_SIZE - 1] = '\0';
    tr_make_plain(about);
}

static void say_about(const trModule *module, char about[TR_ABOUT_SIZE]) {
    const char *words = module->about != NULL ? module->about(module->self) : NULL;
    memset(about, 0, TR_ABOUT_SIZE);
    snprintf(about, TR_ABOUT_SIZE, "%s", words != NULL ? words : "");
    make_one_line(about);
}

trStatus tr_exchange_perform(const trModule *module, const trModuleFace *face, trExchange *e) {
    CALL(TR_CALL_RESTORE, restore, e->state_in)
    TR_TRY(apply(module, face, e, TR_CALL_LOAD, TR_LEVEL_LOAD));
    CALL(TR_CALL_JUDGE, residual, &e->judged)
    TR_TRY(apply(module, face, e, TR_CALL_FORCE, TR_LEVEL_FORCE));
    TR_TRY(apply(module, face, e, TR_CALL_POSITION, TR_LEVEL_POSITION));
    TR_TRY(apply(module, face, e, TR_CALL_VELOCITY, TR_LEVEL_VELOCITY));
    TR_TRY(apply(module, face, e, TR_CALL_ACCELERATION, TR_LEVEL_ACCELERATION));
    if ((e->calls & TR_CALL_ACCEPT) != 0) {
        TR_TRY(judge(module, face, module->accept(module->self), "accept"));
    }
    CALL(TR_CALL_PREDICT, predict, &e->step)
    CALL(TR_CALL_RESIDUAL, residual, &e->residual)
    CALL(TR_CALL_MOTION, port_motion, e->x, e->v, e->a)
    CALL(TR_CALL_COMPLIANCE, compliance, e->W)
    CALL(TR_CALL_PORT_RESIDUAL, port_residual, e->y)
    if (face->outputs > 0) {
        CALL(TR_CALL_OUTPUT, output, e->output)
    }
    CALL(TR_CALL_SAVE, save, e->state)
    if ((e->calls & TR_CALL_ABOUT) != 0) {
        say_about(module, e->about);
    }
    return tr_exchange_check(face, e);
}

// --- bytes ---

typedef struct Part {
    size_t   size;    // bytes
    size_t   place;   // of its pointer or value in trExchange
    unsigned bit;     // of the call
    int      inside;  // 1: the value itself stands there, not a pointer
} Part;

#define GIVEN 7
#define ANSWERED 10

// What travels to a module, in order. A state has any number of bytes: what stands behind it would
// not be aligned.
static void given_parts(const trModuleFace *face, Part part[GIVEN]) {
    size_t     w = (size_t)TR_PORT_V(face->dim) * (size_t)face->ports * sizeof(double);
    const Part parts[GIVEN] = {
        {w, offsetof(trExchange, w[TR_LEVEL_LOAD]), TR_CALL_LOAD, 0},
        {w, offsetof(trExchange, w[TR_LEVEL_FORCE]), TR_CALL_FORCE, 0},
        {w, offsetof(trExchange, w[TR_LEVEL_POSITION]), TR_CALL_POSITION, 0},
        {w, offsetof(trExchange, w[TR_LEVEL_VELOCITY]), TR_CALL_VELOCITY, 0},
        {w, offsetof(trExchange, w[TR_LEVEL_ACCELERATION]), TR_CALL_ACCELERATION, 0},
        {sizeof(trGlueStep), offsetof(trExchange, step), TR_CALL_PREDICT, 1},
        {face->state_size, offsetof(trExchange, state_in), TR_CALL_RESTORE, 0}};
    memcpy(part, parts, sizeof parts);
}

// What travels back.
static void answer_parts(const trModuleFace *face, Part part[ANSWERED]) {
    size_t     x = (size_t)TR_PORT_X(face->dim) * (size_t)face->ports * sizeof(double);
    size_t     n = (size_t)TR_PORT_V(face->dim) * (size_t)face->ports, v = n * sizeof(double);
    const Part parts[ANSWERED] = {
        {sizeof(double), offsetof(trExchange, judged), TR_CALL_JUDGE, 1},
        {sizeof(double), offsetof(trExchange, residual), TR_CALL_RESIDUAL, 1},
        {x, offsetof(trExchange, x), TR_CALL_MOTION, 0},
        {v, offsetof(trExchange, v), TR_CALL_MOTION, 0},
        {v, offsetof(trExchange, a), TR_CALL_MOTION, 0},
        {n * v, offsetof(trExchange, W), TR_CALL_COMPLIANCE, 0},
        {v, offsetof(trExchange, y), TR_CALL_PORT_RESIDUAL, 0},
        {(size_t)face->outputs * sizeof(double), offsetof(trExchange, output), TR_CALL_OUTPUT, 0},
        {TR_ABOUT_SIZE, offsetof(trExchange, about), TR_CALL_ABOUT, 0},
        {face->state_size, offsetof(trExchange, state), TR_CALL_SAVE, 0}};
    memcpy(part, parts, sizeof parts);
}

#define HEAD sizeof(uint64_t)  // calls there, a status back

static size_t total(int count, const Part *part, unsigned calls) {
    size_t bytes = HEAD;
    for (int i = 0; i < count; i++) {
        bytes += (calls & part[i].bit) != 0 ? part[i].size : 0;
    }
    return bytes;
}

size_t tr_exchange_given_size(const trModuleFace *face, unsigned calls) {
    Part part[GIVEN];
    given_parts(face, part);
    return total(GIVEN, part, calls);
}

size_t tr_exchange_answer_size(const trModuleFace *face, unsigned calls) {
    Part part[ANSWERED];
    answer_parts(face, part);
    return total(ANSWERED, part, calls);
}

// Where the bytes of a part stand in this process.
static void *inside(const trExchange *e, const Part *part) {
    unsigned char *place = (unsigned char *)e + part->place;
    void          *pointer = NULL;
    if (part->inside) {
        return place;
    }
    memcpy(&pointer, place, sizeof pointer);
    return pointer;
}

static void pack(int count, const Part *part, const trExchange *e, unsigned char *bytes) {
    uint64_t head = e->calls;
    memcpy(bytes, &head, HEAD);
    bytes += HEAD;
    for (int i = 0; i < count; i++) {
        if ((e->calls & part[i].bit) != 0 && part[i].size > 0) {
            memcpy(bytes, inside(e, &part[i]), part[i].size);
            bytes += part[i].size;
        }
    }
}

void tr_exchange_pack_given(const trModuleFace *face, const trExchange *e, void *bytes) {
    Part part[GIVEN];
    given_parts(face, part);
    pack(GIVEN, part, e, bytes);
}

void tr_exchange_pack_answer(const trModuleFace *face, const trExchange *e, void *bytes) {
    Part part[ANSWERED];
    answer_parts(face, part);
    pack(ANSWERED, part, e, bytes);
}

void tr_exchange_unpack_given(const trModuleFace *face, const void *bytes, trExchange *e) {
    Part                 part[GIVEN];
    const unsigned char *from = bytes;
    uint64_t             head = 0;
    given_parts(face, part);
    memcpy(&head, from, HEAD);
    e->calls = (unsigned)head;
    from += HEAD;
    for (int i = 0; i < GIVEN; i++) {
        if ((e->calls & part[i].bit) == 0) {
            continue;
        }
        if (part[i].inside) {
            memcpy((unsigned char *)e + part[i].place, from, part[i].size);
        } else {
            memcpy((unsigned char *)e + part[i].place, &from, sizeof from);
        }
        from += part[i].size;
    }
}

void tr_exchange_unpack_answer(const trModuleFace *face, const void *bytes, trExchange *e) {
    Part                 part[ANSWERED];
    const unsigned char *from = (const unsigned char *)bytes + HEAD;
    answer_parts(face, part);
    for (int i = 0; i < ANSWERED; i++) {
        if ((e->calls & part[i].bit) != 0 && part[i].size > 0) {
            memcpy(inside(e, &part[i]), from, part[i].size);
            from += part[i].size;
        }
    }
    if ((e->calls & TR_CALL_ABOUT) != 0) {
        make_one_line(e->about);
    }
}
