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

// --- writing: once without bytes to find the size, once into them ---

typedef struct Writer {
    unsigned char *bytes;  // NULL: only counts
    size_t         count;
} Writer;

static void put(Writer *w, const void *from, size_t count) {
    if (w->bytes != NULL && count > 0) {
        memcpy(w->bytes + w->count, from, count);
    }
    w->count += count;
}

static void put_number(Writer *w, uint64_t value) {
    put(w, &value, sizeof value);
}

static void put_text(Writer *w, const char *text) {
    size_t length = text != NULL ? strlen(text) : 0;
    length = length < MOST_TEXT ? length : MOST_TEXT;
    put_number(w, length);
    put(w, text, length);
}

static void put_head(Writer *w) {
    Head head = own_head();
    put(w, &head, sizeof head);
}

static void put_process(Writer *w, const trProcess *process) {
    put_number(w, process->id);
    put_number(w, process->started);
    put_text(w, process->place);
}

static void put_hello(Writer *w, const void *what) {
    const trHello      *hello = what;
    const trModuleFace *face = &hello->face;
    put_head(w);
    put_text(w, face->name);
    put_number(w, hello->named);
    put_text(w, hello->words);
    put_process(w, &hello->process);
    put_number(w, (uint64_t)face->dim);
    put_number(w, face->takes);
    put_number(w, face->state_size);
    put_number(w, (uint64_t)face->ports);
    for (int i = 0; i < face->ports; i++) {
        put_text(w, face->port_name[i]);
    }
    put_number(w, (uint64_t)face->outputs);
    for (int i = 0; i < face->outputs; i++) {
        put_text(w, face->output_name[i]);
        put_text(w, face->output_unit != NULL ? face->output_unit[i] : NULL);
    }
}

static void put_welcome(Writer *w, const void *what) {
    const trWelcome *welcome = what;
    put_head(w);
    put_number(w, (uint64_t)(int64_t)welcome->status);
    put_text(w, welcome->words);
    put(w, &welcome->silence, sizeof welcome->silence);
    put_process(w, &welcome->process);
}

static trStatus pack(trArena *arena, void (*write)(Writer *, const void *), const void *what,
                     const void **bytes, size_t *count) {
    Writer w = {0};
    write(&w, what);
    *count = w.count;
    w = (Writer){.bytes = tr_arena_take(arena, 1, w.count)};
    TR_TRY(tr_arena_status(arena));
    write(&w, what);
    *bytes = w.bytes;
    return TR_OK;
}

trStatus tr_hello_pack(trArena *arena, const trHello *hello, const void **bytes, size_t *count) {
    return pack(arena, put_hello, hello, bytes, count);
}

trStatus tr_welcome_pack(trArena *arena, const trWelcome *welcome, const void **bytes,
                         size_t *count) {
    return pack(arena, put_welcome, welcome, bytes, count);
}

// --- reading: what does not fit is noted once, and gives zeros ---

typedef struct Reader {
    trArena             *arena;
    const unsigned char *bytes;
    size_t               left;
    bool                 bad;
} Reader;

static void get(Reader *r, void *to, size_t count) {
    memset(to, 0, count);
    if (r->bad || r->left < count) {
        r->bad = true;
        return;
    }
    memcpy(to, r->bytes, count);
    r->bytes += count;
    r->left -= count;
}

static uint64_t get_number(Reader *r, uint64_t most) {
    uint64_t value = 0;
    get(r, &value, sizeof value);
    r->bad = r->bad || value > most;
    return r->bad ? 0 : value;
}

static const char *get_text(Reader *r) {
    size_t length = (size_t)get_number(r, MOST_TEXT);
    if (r->bad || length > r->left) {
        r->bad = true;
        return "";
    }
    char *text = tr_arena_take(r->arena, length + 1, 1);
    if (text == NULL) {
        return "";
    }
    get(r, text, length);
    tr_make_plain(text);
    return text;
}

static trProcess get_process(Reader *r) {
    trProcess process = {.id = get_number(r, UINT64_MAX), .started = get_number(r, UINT64_MAX)};
    strncpy(process.place, get_text(r), sizeof process.place - 1);
    return process;
}

static trStatus get_head(Reader *r) {
    Head head, own = own_head();
    get(r, &head, sizeof head);
    if (r->bad || memcmp(head.mark, own.mark, sizeof own.mark) != 0) {
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

static trStatus judge(const Reader *r, const char *what) {
    TR_TRY(tr_arena_status(r->arena));
    return r->bad || r->left > 0 ? tr_fail(TR_E_PARTNER, "its %s is damaged", what) : TR_OK;
}

// `count` texts each for `first` and, unless it is NULL, `second`.
static void get_names(Reader *r, int count, const char *const **first, const char *const **second) {
    const char **a = tr_new_array(r->arena, const char *, count);
    const char **b = tr_new_array(r->arena, const char *, count);
    for (int i = 0; a != NULL && b != NULL && i < count && !r->bad; i++) {
        a[i] = get_text(r);
        b[i] = second != NULL ? get_text(r) : "";
    }
    *first = a;
    if (second != NULL) {
        *second = b;
    }
}

trStatus tr_hello_unpack(trArena *arena, const void *bytes, size_t count, trHello *out) {
    Reader        r = {.arena = arena, .bytes = bytes, .left = count};
    trModuleFace *face = &out->face;
    *out = (trHello){0};
    TR_TRY(get_head(&r));
    face->name = get_text(&r);
    out->named = get_number(&r, 1) != 0;
    out->words = get_text(&r);
    out->process = get_process(&r);
    face->dim = (int)get_number(&r, 3);
    face->takes = (unsigned)get_number(&r, UINT32_MAX);
    face->state_size = (size_t)get_number(&r, TR_STATE_MOST);
    face->ports = (int)get_number(&r, TR_PORTS_MOST);
    get_names(&r, face->ports, &face->port_name, NULL);
    face->outputs = (int)get_number(&r, TR_OUTPUTS_MOST);
    get_names(&r, face->outputs, &face->output_name, &face->output_unit);
    r.bad = r.bad || (face->dim < 2 && out->words[0] == '\0');
    return judge(&r, "first message");
}

trStatus tr_welcome_unpack(trArena *arena, const void *bytes, size_t count, trWelcome *out) {
    Reader r = {.arena = arena, .bytes = bytes, .left = count};
    *out = (trWelcome){0};
    TR_TRY(get_head(&r));
    out->status = (trStatus)(int64_t)get_number(&r, UINT64_MAX);
    out->words = get_text(&r);
    get(&r, &out->silence, sizeof out->silence);
    out->process = get_process(&r);
    r.bad = r.bad || !(out->silence >= 0.0 && isfinite(out->silence));
    return judge(&r, "answer to the first message");
}
