// SPDX-License-Identifier: MIT
#include "base/keep.h"

#include <string.h>

typedef enum Kind { DOUBLES, BOOLS, INTS, COUNTS, BITS } Kind;

typedef struct Span {
    struct Span *next;
    void        *at;
    size_t       count;
    Kind         kind;
    int          least, most;  // of ints
} Span;

typedef struct Remake {
    struct Remake *next;
    trStatus (*remake)(void *);
    void *object;
} Remake;

struct trKept {
    Span   *first, **end;
    Remake *remakes, **last;
    size_t  bytes;
};

static size_t size_of(Kind kind) {
    return kind == BOOLS ? sizeof(bool) : kind == INTS ? sizeof(int) : sizeof(uint64_t);
}

void tr_keep_begin(trArena *arena) {
    trKept *kept = tr_new(arena, trKept);
    if (kept != NULL) {
        kept->end = &kept->first;
        kept->last = &kept->remakes;
        tr_arena_set_kept(arena, kept);
    }
}

static void keep(trArena *arena, const Span *span) {
    trKept *kept = tr_arena_kept(arena);
    if (kept == NULL || span->at == NULL || span->count == 0) {
        return;
    }
    Span *own = tr_new(arena, Span);
    if (own != NULL) {
        *own = *span;
        *kept->end = own;
        kept->end = &own->next;
        kept->bytes += span->count * size_of(span->kind);
    }
}

void tr_keep_doubles(trArena *arena, double *at, size_t count) {
    keep(arena, &(Span){.at = at, .count = count, .kind = DOUBLES});
}

void tr_keep_bools(trArena *arena, bool *at, size_t count) {
    keep(arena, &(Span){.at = at, .count = count, .kind = BOOLS, .most = 1});
}

void tr_keep_ints(trArena *arena, int *at, size_t count, int least, int most) {
    keep(arena, &(Span){.at = at, .count = count, .kind = INTS, .least = least, .most = most});
}

void tr_keep_pivots(trArena *arena, int *at, int count) {
    for (int i = 0; at != NULL && i < count; i++) {
        at[i] = i + 1;
    }
    tr_keep_ints(arena, at, (size_t)count, 1, count);
}

void tr_keep_counts(trArena *arena, int64_t *at, size_t count) {
    keep(arena, &(Span){.at = at, .count = count, .kind = COUNTS});
}

void tr_keep_bits(trArena *arena, uint64_t *at, size_t count) {
    keep(arena, &(Span){.at = at, .count = count, .kind = BITS});
}

void tr_keep_remake(trArena *arena, trStatus (*remake)(void *), void *object) {
    trKept *kept = tr_arena_kept(arena);
    Remake *own = kept != NULL ? tr_new(arena, Remake) : NULL;
    if (own != NULL) {
        *own = (Remake){.remake = remake, .object = object};
        *kept->last = own;
        kept->last = &own->next;
    }
}

size_t tr_kept_bytes(const trArena *arena) {
    const trKept *kept = tr_arena_kept(arena);
    return kept == NULL ? 0 : kept->bytes;
}

// FNV-1a, number by number.
static uint64_t add(uint64_t mark, uint64_t number) {
    return (mark ^ number) * 1099511628211u;
}

uint64_t tr_kept_layout(const trArena *arena) {
    const trKept *kept = tr_arena_kept(arena);
    uint64_t      mark = 14695981039346656037u;
    for (const Span *s = kept == NULL ? NULL : kept->first; s != NULL; s = s->next) {
        mark = add(add(mark, (uint64_t)s->kind), s->count);
        mark = add(add(mark, (uint64_t)(int64_t)s->least), (uint64_t)(int64_t)s->most);
    }
    return mark;
}

void tr_kept_save(const trArena *arena, unsigned char *bytes) {
    const trKept *kept = tr_arena_kept(arena);
    for (const Span *s = kept == NULL ? NULL : kept->first; s != NULL; s = s->next) {
        size_t size = s->count * size_of(s->kind);
        memcpy(bytes, s->at, size);
        bytes += size;
    }
}

static bool is_in_range(const Span *s, const unsigned char *bytes) {
    bool good = true;
    for (size_t i = 0; s->kind == BOOLS && i < s->count; i++) {
        good &= bytes[i] <= 1;
    }
    for (size_t i = 0; s->kind == INTS && i < s->count; i++) {
        int number = 0;
        memcpy(&number, bytes + i * sizeof number, sizeof number);
        good &= number >= s->least && number <= s->most;
    }
    for (size_t i = 0; s->kind == COUNTS && i < s->count; i++) {
        int64_t number = 0;
        memcpy(&number, bytes + i * sizeof number, sizeof number);
        good &= number >= 0 && number <= INT64_MAX / 2;  // room to count on
    }
    return good;
}

static void put_back(trKept *kept, const unsigned char *bytes) {
    for (Span *s = kept->first; s != NULL; s = s->next) {
        size_t size = s->count * size_of(s->kind);
        memcpy(s->at, bytes, size);
        bytes += size;
    }
}

trStatus tr_kept_restore(trArena *arena, const unsigned char *bytes) {
    trKept              *kept = tr_arena_kept(arena);
    const unsigned char *at = bytes;
    if (kept == NULL) {
        return TR_OK;
    }
    for (const Span *s = kept->first; s != NULL; s = s->next) {
        if (!is_in_range(s, at)) {
            return tr_fail(TR_E_ARGUMENT, "a saved number is out of its range");
        }
        at += s->count * size_of(s->kind);
    }
    put_back(kept, bytes);
    for (const Remake *r = kept->remakes; r != NULL; r = r->next) {
        TR_TRY(r->remake(r->object));
    }
    put_back(kept, bytes);
    return TR_OK;
}
