// SPDX-License-Identifier: MIT
// What a module shows of itself; an exchange performed on it, and its form as bytes.

#include "glue/exchange.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"

// --- the face ---

static trStatus check_names(const char *name, const char *what, int count,
                            const char *const *names) {
    for (int i = 0; i < count; i++) {
        if (names == NULL || names[i] == NULL) {
            return tr_fail(TR_E_MODEL, "module '%s': %s %d of %d has no name", name, what, i + 1,
                           count);
        }
        for (int k = 0; k < i; k++) {
            if (strcmp(names[k], names[i]) == 0) {
                return tr_fail(TR_E_MODEL, "module '%s': two %ss are called '%s'", name, what,
                               names[i]);
            }
        }
    }
    return TR_OK;
}

// A state that cannot be saved and restored is none.
static size_t state_size(const trModule *m) {
    return m->state_size != NULL && m->save != NULL && m->restore != NULL ? m->state_size(m->self)
                                                                          : 0;
}

trStatus tr_face_check(const trModule *m, const char *name) {
    if (m->version != TR_MODULE_VERSION) {
        return tr_fail(TR_E_MODEL, "module '%s': made for version %d of module.h, this is %d", name,
                       m->version, TR_MODULE_VERSION);
    }
    if ((m->dim != 2 && m->dim != 3) || m->ports < 0 || m->ports > TR_PORTS_MOST ||
        m->outputs < 0 || m->outputs > TR_OUTPUTS_MOST) {
        return tr_fail(TR_E_MODEL, "module '%s': dim = %d, %d ports, %d outputs are not possible",
                       name, m->dim, m->ports, m->outputs);
    }
    if (m->predict == NULL || m->residual == NULL || m->port_motion == NULL ||
        m->compliance == NULL || m->apply == NULL || m->accept == NULL ||
        (m->outputs > 0 && m->output == NULL) ||
        ((m->takes & TR_TAKES_PLAIN) != 0 && m->port_residual == NULL)) {
        return tr_fail(TR_E_MODEL, "module '%s': a function of the contract is missing", name);
    }
    if (state_size(m) > TR_STATE_MOST) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "module '%s': a state of %zu bytes; at most %llu can be saved", name,
                       state_size(m), (unsigned long long)TR_STATE_MOST);
    }
    TR_TRY(check_names(name, "port", m->ports, m->port_name));
    return m->outputs == 0 || m->output_name != NULL
               ? TR_OK
               : tr_fail(TR_E_MODEL, "module '%s': its outputs have no names", name);
}

trModuleFace tr_face_of(trArena *arena, const trModule *m, const char *name) {
    return (trModuleFace){.name = tr_arena_text(arena, name),
                          .dim = m->dim,
                          .ports = m->ports,
                          .port_name = m->port_name,
                          .takes = m->takes,
                          .outputs = m->outputs,
                          .output_name = m->output_name,
                          .output_unit = m->output_unit,
                          .state_size = state_size(m)};
}

// --- what travels ---

typedef enum Sort { NUMBER, STEP, X, V, SQUARE, OUTPUTS, STATE, ABOUT } Sort;

// A part of a message: all that goes with a call, there or back.
typedef struct Part {
    trWay       way;
    unsigned    call;
    Sort        sort;
    size_t      place;  // in trExchange: of the value of a number or step, else of a pointer
    const char *what;   // numbers of ports that must be finite; NULL: whatever it is
} Part;

// In the order in which they travel. A state has any number of bytes: what stands behind it would
// not be aligned.
static const Part parts[] = {
    {TR_GIVEN, TR_CALL_LOAD, V, offsetof(trExchange, w[TR_LEVEL_LOAD]), NULL},
    {TR_GIVEN, TR_CALL_FORCE, V, offsetof(trExchange, w[TR_LEVEL_FORCE]), NULL},
    {TR_GIVEN, TR_CALL_POSITION, V, offsetof(trExchange, w[TR_LEVEL_POSITION]), NULL},
    {TR_GIVEN, TR_CALL_VELOCITY, V, offsetof(trExchange, w[TR_LEVEL_VELOCITY]), NULL},
    {TR_GIVEN, TR_CALL_ACCELERATION, V, offsetof(trExchange, w[TR_LEVEL_ACCELERATION]), NULL},
    {TR_GIVEN, TR_CALL_PREDICT, STEP, offsetof(trExchange, step), NULL},
    {TR_GIVEN, TR_CALL_RESTORE, STATE, offsetof(trExchange, state_in), NULL},
    {TR_ANSWERED, TR_CALL_JUDGE, NUMBER, offsetof(trExchange, judged), NULL},
    {TR_ANSWERED, TR_CALL_RESIDUAL, NUMBER, offsetof(trExchange, residual), NULL},
    {TR_ANSWERED, TR_CALL_MOTION, X, offsetof(trExchange, x), "the position"},
    {TR_ANSWERED, TR_CALL_MOTION, V, offsetof(trExchange, v), "the velocity"},
    {TR_ANSWERED, TR_CALL_MOTION, V, offsetof(trExchange, a), "the acceleration"},
    {TR_ANSWERED, TR_CALL_COMPLIANCE, SQUARE, offsetof(trExchange, W), "the compliance"},
    {TR_ANSWERED, TR_CALL_PORT_RESIDUAL, V, offsetof(trExchange, y), "the residual"},
    {TR_ANSWERED, TR_CALL_OUTPUT, OUTPUTS, offsetof(trExchange, output), NULL},
    {TR_ANSWERED, TR_CALL_ABOUT, ABOUT, offsetof(trExchange, about), NULL},
    {TR_ANSWERED, TR_CALL_SAVE, STATE, offsetof(trExchange, state), NULL},
};

#define PARTS (sizeof parts / sizeof *parts)

// Bytes of a part; 0 if it does not go this way with these calls.
static size_t size_of(const Part *part, trWay way, const trModuleFace *face, unsigned calls) {
    const size_t ports = (size_t)face->ports, v = (size_t)TR_PORT_V(face->dim) * ports;
    const size_t size[] = {[NUMBER] = sizeof(double),
                           [STEP] = sizeof(trGlueStep),
                           [X] = (size_t)TR_PORT_X(face->dim) * ports * sizeof(double),
                           [V] = v * sizeof(double),
                           [SQUARE] = v * v * sizeof(double),
                           [OUTPUTS] = (size_t)face->outputs * sizeof(double),
                           [STATE] = face->state_size,
                           [ABOUT] = TR_ABOUT_SIZE};
    return part->way == way && (part->call & calls) != 0 ? size[part->sort] : 0;
}

static bool is_inside(const Part *part) {
    return part->sort == NUMBER || part->sort == STEP;
}

// Where the bytes of a part stand in this process.
static void *where(const trExchange *e, const Part *part) {
    unsigned char *place = (unsigned char *)e + part->place;
    void          *pointer = place;
    if (!is_inside(part)) {
        memcpy(&pointer, place, sizeof pointer);
    }
    return pointer;
}

// The first of a part's numbers that is none.
static trStatus check_finite(const trModuleFace *face, const trExchange *e, const Part *part) {
    const double *value = where(e, part);
    const size_t  size = size_of(part, TR_ANSWERED, face, e->calls);
    const size_t  count = part->what != NULL ? size / sizeof(double) : 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(value[i])) {
            return tr_fail(TR_NOT_FINITE, "module '%s': %s of port '%s' is not a number",
                           face->name, part->what,
                           face->port_name[i * (size_t)face->ports / count]);
        }
    }
    return TR_OK;
}

trStatus tr_exchange_check(const trModuleFace *face, const trExchange *e) {
    if (((e->calls & TR_CALL_RESIDUAL) != 0 && !isfinite(e->residual)) ||
        ((e->calls & TR_CALL_JUDGE) != 0 && !isfinite(e->judged))) {
        return tr_fail(TR_NOT_FINITE, "module '%s': its residual is not a number", face->name);
    }
    for (size_t i = 0; i < PARTS; i++) {
        TR_TRY(check_finite(face, e, &parts[i]));
    }
    return TR_OK;
}

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

#define HEAD sizeof(uint64_t)  // calls there, a status back

size_t tr_exchange_size(trWay way, const trModuleFace *face, unsigned calls) {
    size_t bytes = HEAD;
    for (size_t i = 0; i < PARTS; i++) {
        bytes += size_of(&parts[i], way, face, calls);
    }
    return bytes;
}

void tr_exchange_pack(trWay way, const trModuleFace *face, const trExchange *e, void *bytes) {
    unsigned char *to = (unsigned char *)bytes + HEAD;
    uint64_t       head = e->calls;
    memcpy(bytes, &head, HEAD);
    for (size_t i = 0; i < PARTS; i++) {
        size_t size = size_of(&parts[i], way, face, e->calls);
        if (size > 0) {
            memcpy(to, where(e, &parts[i]), size);
        }
        to += size;
    }
}

void tr_exchange_unpack(trWay way, const trModuleFace *face, const void *bytes, trExchange *e) {
    const unsigned char *from = (const unsigned char *)bytes + HEAD;
    uint64_t             head = e->calls;
    if (way == TR_GIVEN) {
        memcpy(&head, bytes, HEAD);
    }
    e->calls = (unsigned)head;
    for (size_t i = 0; i < PARTS; i++) {
        size_t size = size_of(&parts[i], way, face, e->calls);
        if (size > 0 && way == TR_GIVEN && !is_inside(&parts[i])) {
            memcpy((unsigned char *)e + parts[i].place, &from, sizeof from);
        } else if (size > 0) {
            memcpy(where(e, &parts[i]), from, size);
        }
        from += size;
    }
    if (way == TR_ANSWERED && (e->calls & TR_CALL_ABOUT) != 0) {
        make_one_line(e->about);
    }
}
