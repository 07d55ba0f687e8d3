// SPDX-License-Identifier: MIT
#include "record/saved.h"

#include <string.h>

#include "base/keep.h"
#include "record/mark.h"

#define WORD sizeof(uint64_t)
#define HEAD 5  // words before the numbers

size_t tr_saved_room(size_t bytes) {
    return (bytes + WORD - 1) / WORD * WORD;
}

size_t tr_saved_more(const trSaved *s) {
    return HEAD * WORD + tr_saved_room(tr_kept_bytes(s->arena));
}

size_t tr_saved_size(const trSaved *s) {
    return tr_saved_more(s) + s->more + WORD;
}

static uint64_t word_at(const unsigned char *bytes, size_t i) {
    uint64_t word;
    memcpy(&word, bytes + i * WORD, WORD);
    return word;
}

static uint64_t mark_words(const unsigned char *bytes, size_t words) {
    uint64_t mark = TR_MARK_START;
    for (size_t i = 0; i < words; i++) {
        mark = tr_mark_add(mark, word_at(bytes, i));
    }
    return mark;
}

trStatus tr_saved_check_size(const trSaved *s, size_t size) {
    return size == tr_saved_size(s)
               ? TR_OK
               : tr_fail(TR_E_ARGUMENT, "a saved simulation has %zu bytes, not %zu",
                         tr_saved_size(s), size);
}

void tr_saved_write(const trSaved *s, unsigned char *bytes) {
    size_t         words = tr_saved_size(s) / WORD;
    const uint64_t head[HEAD] = {s->magic, 1, s->origin, tr_kept_layout(s->arena), words};
    memset(bytes, 0, tr_saved_more(s));
    memcpy(bytes, head, sizeof head);
    tr_kept_save(s->arena, bytes + sizeof head);
    uint64_t mark = mark_words(bytes, words - 1);
    memcpy(bytes + (words - 1) * WORD, &mark, WORD);
}

trStatus tr_saved_damaged(const trSaved *s) {
    return tr_fail(TR_E_ARGUMENT, "the saved %s is damaged", s->word);
}

trStatus tr_saved_check(const trSaved *s, const unsigned char *bytes, size_t size) {
    size_t last = tr_saved_size(s) / WORD - 1;
    if (size < (HEAD + 1) * WORD || word_at(bytes, 0) != s->magic) {
        return tr_fail(TR_E_ARGUMENT, "this is not a saved %s", s->word);
    }
    if (word_at(bytes, 1) != 1) {
        return tr_fail(TR_E_ARGUMENT, "it was saved on another kind of machine");
    }
    if (word_at(bytes, 2) != s->origin || word_at(bytes, 3) != tr_kept_layout(s->arena) ||
        size != tr_saved_size(s)) {
        return tr_fail(TR_E_ARGUMENT, "%s", s->other);
    }
    return word_at(bytes, 4) == last + 1 && word_at(bytes, last) == mark_words(bytes, last)
               ? TR_OK
               : tr_saved_damaged(s);
}

trStatus tr_saved_restore(trArena *arena, const unsigned char *bytes) {
    return tr_kept_restore(arena, bytes + HEAD * WORD);
}
