// SPDX-License-Identifier: MIT
// Greetings as bytes: a head of fixed form, then numbers of eight bytes and texts with their
// length.

#include "glue/greeting.h"

#include <math.h>
#include <string.h>

#include "base/plain.h"

#define MARK "TRAMMEL"  // eight bytes with its end
#define BYTE_ORDER 0x01020304u
#define MOST_TEXT (1u << 16)  // bytes of a text

// Must keep its form in all versions, so that versions can tell each other apart.
typedef struct Head {
    char     mark[8];
    uint32_t byte_order, protocol;
    uint32_t double_size, step_size;  // bytes
} Head;

static Head own_head(void) {
    return (Head){.mark = MARK,
                  .byte_order = BYTE_ORDER,
                  .protocol = TR_PROTOCOL_VERSION,
                  .double_size = sizeof(double),
                  .step_size = sizeof(trGlueStep)};
}

// --- a message as it passes: written, or read in the same order ---

typedef struct Stream {
    trArena             *arena;  // of texts that are read
    bool                 reads;  // else it writes
    const unsigned char *from;   // what is read
    unsigned char       *to;     // what is written; NULL: bytes are only counted
    size_t               size;   // of `from`
    size_t               at;     // bytes that have passed
    bool                 bad;    // what was read does not fit: zeros from then on
} Stream;

static void pass(Stream *s, void *value, size_t count) {
    s->bad = s->bad || (s->reads && s->size - s->at < count);
    if (s->bad) {
        memset(value, 0, count);
        return;
    }
    if (s->reads) {
        memcpy(value, s->from + s->at, count);
    } else if (s->to != NULL) {
        memcpy(s->to + s->at, value, count);
    }
    s->at += count;
}

// From here on the functions return what is read, or the value that is written.
static uint64_t pass_number(Stream *s, uint64_t value, uint64_t most) {
    pass(s, &value, sizeof value);
    s->bad = s->bad || (s->reads && value > most);
    return s->bad ? 0 : value;
}

static const char *pass_text(Stream *s, const char *text) {
    size_t length = s->reads || text == NULL ? 0 : strlen(text);
    length = (size_t)pass_number(s, length < MOST_TEXT ? length : MOST_TEXT, MOST_TEXT);
    s->bad = s->bad || (s->reads && length > s->size - s->at);
    char *copy = s->reads && !s->bad ? tr_arena_take(s->arena, length + 1, 1) : NULL;
    if (copy != NULL) {
        pass(s, copy, length);
        tr_make_plain(copy);
    } else if (!s->reads) {
        if (s->to != NULL && length > 0) {
            memcpy(s->to + s->at, text, length);
        }
        s->at += length;
    }
    return copy != NULL ? copy : s->reads ? "" : text;
}

static trProcess pass_process(Stream *s, trProcess process) {
    process.id = pass_number(s, process.id, UINT64_MAX);
    process.started = pass_number(s, process.started, UINT64_MAX);
    const char *place = pass_text(s, process.place);
    if (s->reads) {
        strncpy(process.place, place, sizeof process.place - 1);
    }
    return process;
}

// `count` texts each of `first` and, unless it is NULL, `second`, in turn.
static void pass_names(Stream *s, int count, const char *const **first,
                       const char *const **second) {
    const char *const *a = *first, *const *b = second != NULL ? *second : NULL;
    const char       **new_a = NULL, **new_b = NULL;
    if (s->reads) {
        *first = a = new_a = tr_new_array(s->arena, const char *, count);
        new_b = tr_new_array(s->arena, const char *, count);
    }
    for (int i = 0; a != NULL && i < count && !s->bad; i++) {
        const char *one = pass_text(s, new_a != NULL ? NULL : a[i]);
        const char *other = second != NULL ? pass_text(s, b != NULL ? b[i] : NULL) : "";
        if (new_a != NULL && new_b != NULL) {
            new_a[i] = one;
            new_b[i] = other;
        }
    }
    if (s->reads && second != NULL) {
        *second = new_b;
    }
}

static trStatus pass_head(Stream *s) {
    const Head own = own_head();
    Head       head = own;
    pass(s, &head, sizeof head);
    if (s->bad || memcmp(head.mark, own.mark, sizeof own.mark) != 0) {
        return tr_fail(TR_E_PARTNER, "its first message is not from Trammel");
    }
    if (head.byte_order != own.byte_order) {
        return tr_fail(TR_E_PARTNER, "its machine has another byte order");
    }
    if (head.protocol != own.protocol) {
        return tr_fail(TR_E_PARTNER,
                       "it uses version %u of the protocol, this program version %u; build both "
                       "with the same Trammel",
                       head.protocol, own.protocol);
    }
    if (head.double_size != own.double_size || head.step_size != own.step_size) {
        return tr_fail(TR_E_PARTNER, "its numbers have other sizes; build both for one machine");
    }
    return TR_OK;
}

// --- the messages ---

static trStatus pass_hello(Stream *s, void *what) {
    trHello      *hello = what;
    trModuleFace *face = &hello->face;
    TR_TRY(pass_head(s));
    face->name = pass_text(s, face->name);
    hello->named = pass_number(s, hello->named, 1) != 0;
    hello->words = pass_text(s, hello->words);
    hello->process = pass_process(s, hello->process);
    face->dim = (int)pass_number(s, (uint64_t)face->dim, 3);
    face->takes = (unsigned)pass_number(s, face->takes, UINT32_MAX);
    face->state_size = (size_t)pass_number(s, face->state_size, TR_STATE_MOST);
    face->ports = (int)pass_number(s, (uint64_t)face->ports, TR_PORTS_MOST);
    pass_names(s, face->ports, &face->port_name, NULL);
    face->outputs = (int)pass_number(s, (uint64_t)face->outputs, TR_OUTPUTS_MOST);
    pass_names(s, face->outputs, &face->output_name, &face->output_unit);
    s->bad = s->bad || (s->reads && face->dim < 2 && hello->words[0] == '\0');
    return TR_OK;
}

static trStatus pass_welcome(Stream *s, void *what) {
    trWelcome *welcome = what;
    TR_TRY(pass_head(s));
    welcome->status =
        (trStatus)(int64_t)pass_number(s, (uint64_t)(int64_t)welcome->status, UINT64_MAX);
    welcome->words = pass_text(s, welcome->words);
    pass(s, &welcome->silence, sizeof welcome->silence);
    welcome->process = pass_process(s, welcome->process);
    s->bad = s->bad || !(welcome->silence >= 0.0 && isfinite(welcome->silence));
    return TR_OK;
}

// Once without bytes to find the size, once into them.
static trStatus pack(trArena *arena, trStatus (*message)(Stream *, void *), void *what,
                     const void **bytes, size_t *count) {
    Stream s = {0};
    TR_TRY(message(&s, what));
    *count = s.at;
    s = (Stream){.to = tr_arena_take(arena, 1, s.at)};
    TR_TRY(tr_arena_status(arena));
    *bytes = s.to;
    return message(&s, what);
}

static trStatus unpack(Stream *s, trStatus (*message)(Stream *, void *), void *what,
                       const char *name) {
    TR_TRY(message(s, what));
    TR_TRY(tr_arena_status(s->arena));
    return s->bad || s->at < s->size ? tr_fail(TR_E_PARTNER, "its %s is damaged", name) : TR_OK;
}

trStatus tr_hello_pack(trArena *arena, const trHello *hello, const void **bytes, size_t *count) {
    trHello copy = *hello;
    return pack(arena, pass_hello, &copy, bytes, count);
}

trStatus tr_welcome_pack(trArena *arena, const trWelcome *welcome, const void **bytes,
                         size_t *count) {
    trWelcome copy = *welcome;
    return pack(arena, pass_welcome, &copy, bytes, count);
}

trStatus tr_hello_unpack(trArena *arena, const void *bytes, size_t count, trHello *out) {
    Stream s = {.arena = arena, .reads = true, .from = bytes, .size = count};
    *out = (trHello){0};
    return unpack(&s, pass_hello, out, "first message");
}

trStatus tr_welcome_unpack(trArena *arena, const void *bytes, size_t count, trWelcome *out) {
    Stream s = {.arena = arena, .reads = true, .from = bytes, .size = count};
    *out = (trWelcome){0};
    return unpack(&s, pass_welcome, out, "answer to the first message");
}
