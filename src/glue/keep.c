// SPDX-License-Identifier: MIT
// Saving and restoring a glued simulation. Numbers of the coordinator are those that its arena
// keeps (base/keep.h); modules save themselves. What is saved, in words of 64 bits:
//
//     magic   1   mark of version, definition, modules and joints   layout   size
//     numbers of the coordinator   states of the modules, each filled up with zeros
//     mark of all that is before it
//
// The second word is 1 in the order of bytes of this machine.

#include "base/keep.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "glue/def.h"
#include "glue/glue.h"
#include "record/mark.h"

#define MAGIC 0x3165756c67727424ull  // "$trglue1" backwards
#define HEAD 5                       // words before the numbers
#define LEVELS 5                     // of violations

static trViolation *violation(trGlueStats *s, int level) {
    trViolation *const all[LEVELS] = {&s->position, &s->velocity, &s->acceleration,
                                      &s->loose_position, &s->loose_velocity};
    return all[level];
}

void tr_glue_keep(trGlue *g) {
    trArena     *arena = g->arena;
    trGlueStats *s = &g->stats;
    int64_t     *counts[] = {&g->n,
                             &s->steps,
                             &s->iterations,
                             &g->rows.count,
                             &g->rows.recorded,
                             &g->carrier->messages,
                             &g->carrier->bytes};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        tr_keep_count(arena, counts[i]);
    }
    tr_keep_double(arena, &g->t);
    tr_keep_double(arena, &s->dynamic);
    tr_keep_bits(arena, &g->rows.mark, 1);
    tr_keep_bool(arena, &g->accepting);
    tr_keep_int(arena, &g->iterations, 0, g->def.max_iterations);
    tr_keep_int(arena, &s->max_iterations, 0, g->def.max_iterations);
    tr_keep_int(arena, &s->redundant_rows, 0, g->it.m);
    for (int level = 0; level < LEVELS; level++) {
        trViolation *worst = violation(s, level);
        tr_keep_double(arena, &worst->length);
        tr_keep_double(arena, &worst->angle);
        tr_keep_double(arena, &worst->other);
        tr_keep_ints(arena, g->worst[level], 3, -1, g->it.m - 1);
    }
}

// --- marks and sizes ---

static uint64_t mark_definition(uint64_t mark, const trGlueDef *def) {
    for (const trField *f = tr_glue_def_fields; f->name != NULL; f++) {
        const trParam p = tr_glue_def_param(def, f);
        mark = p.kind == TR_PARAM_TEXT ? tr_mark_text(mark, p.text)
                                       : tr_mark_add(mark, tr_mark_row(1, &p.number));
    }
    return mark;
}

static uint64_t mark_origin(const trGlue *g) {
    const trInterface *it = &g->it;
    uint64_t           mark = mark_definition(tr_mark_text(TR_MARK_START, tr_version()), &g->def);
    for (int i = 0; i < it->modules; i++) {
        mark = tr_mark_add(tr_mark_text(mark, it->face[i].name), it->face[i].state_size);
        for (int k = 0; k < it->face[i].ports; k++) {
            mark = tr_mark_text(mark, it->face[i].port_name[k]);
        }
    }
    for (int i = 0; i < it->m; i++) {
        mark = tr_mark_text(mark, tr_interface_row_name(it, i));
    }
    return mark;
}

static size_t words_for(size_t bytes) {
    return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

static size_t words_of(const trGlue *g) {
    size_t words = HEAD + words_for(tr_kept_bytes(g->arena)) + 1;
    for (int i = 0; i < g->it.modules; i++) {
        words += words_for(g->it.face[i].state_size);
    }
    return words;
}

static uint64_t word_at(const unsigned char *bytes, size_t i) {
    uint64_t word;
    memcpy(&word, bytes + i * sizeof word, sizeof word);
    return word;
}

static uint64_t mark_words(const unsigned char *bytes, size_t words) {
    uint64_t mark = TR_MARK_START;
    for (size_t i = 0; i < words; i++) {
        mark = tr_mark_add(mark, word_at(bytes, i));
    }
    return mark;
}

size_t tr_glue_saved_size(const trGlue *g) {
    return words_of(g) * sizeof(uint64_t);
}

trStatus tr_glue_check_savable(const trGlue *g) {
    for (int i = 0; i < g->it.modules; i++) {
        if (g->it.face[i].state_size == 0) {
            return tr_fail(TR_E_UNSUPPORTED,
                           "module '%s' cannot save its state; run without checkpoints, or give it "
                           "the functions state_size, save and restore",
                           g->it.face[i].name);
        }
    }
    return TR_OK;
}

// --- saving ---

// Where the states of modules begin.
static size_t first_state(const trGlue *g) {
    return (HEAD + words_for(tr_kept_bytes(g->arena))) * sizeof(uint64_t);
}

// Messages that only save are not counted: figures stay those of a run without checkpoints.
static trStatus save_modules(trGlue *g, unsigned char *at) {
    int64_t messages = g->carrier->messages, bytes = g->carrier->bytes;
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].state = at;
        at += words_for(g->it.face[i].state_size) * sizeof(uint64_t);
    }
    // What is saved is a step that is done.
    trStatus status = tr_glue_exchange(g, TR_CALL_SAVE | (g->accepting ? TR_CALL_ACCEPT : 0u));
    g->accepting = false;
    g->carrier->messages = messages;
    g->carrier->bytes = bytes;
    return status;
}

trStatus tr_glue_save(trGlue *g, void *bytes, size_t size) {
    size_t         words = words_of(g);
    unsigned char *at = bytes;
    TR_TRY(tr_glue_check_savable(g));
    if (size != words * sizeof(uint64_t)) {
        return tr_fail(TR_E_ARGUMENT, "a saved simulation has %zu bytes, not %zu",
                       words * sizeof(uint64_t), size);
    }
    memset(at, 0, size);
    TR_TRY(save_modules(g, at + first_state(g)));
    const uint64_t head[HEAD] = {MAGIC, 1, mark_origin(g), tr_kept_layout(g->arena), words};
    memcpy(at, head, sizeof head);
    tr_kept_save(g->arena, at + sizeof head);
    uint64_t mark = mark_words(at, words - 1);
    memcpy(at + (words - 1) * sizeof mark, &mark, sizeof mark);
    return TR_OK;
}

// --- restoring ---

static trStatus check(const trGlue *g, const unsigned char *at, size_t size) {
    size_t words = words_of(g);
    if (size < (HEAD + 1) * sizeof(uint64_t) || word_at(at, 0) != MAGIC) {
        return tr_fail(TR_E_ARGUMENT, "this is not a saved assembly");
    }
    if (word_at(at, 1) != 1) {
        return tr_fail(TR_E_ARGUMENT, "it was saved on another kind of machine");
    }
    if (word_at(at, 2) != mark_origin(g) || word_at(at, 3) != tr_kept_layout(g->arena) ||
        size != words * sizeof(uint64_t)) {
        return tr_fail(TR_E_ARGUMENT, "it was saved from another assembly, with other modules or "
                                      "settings, or by another version");
    }
    if (word_at(at, 4) != words || word_at(at, words - 1) != mark_words(at, words - 1)) {
        return tr_fail(TR_E_ARGUMENT, "the saved assembly is damaged");
    }
    return TR_OK;
}

static void name_worst(trGlue *g) {
    for (int level = 0; level < LEVELS; level++) {
        trViolation *worst = violation(&g->stats, level);
        const char **name[] = {&worst->length_joint, &worst->angle_joint, &worst->other_joint};
        for (int k = 0; k < 3; k++) {
            int row = g->worst[level][k];
            *name[k] = row >= 0 ? tr_interface_row_name(&g->it, row) : NULL;
        }
        int other = g->worst[level][2];
        worst->other_unit = other >= 0 ? g->it.system->row_unit[other] : NULL;
    }
}

trStatus tr_glue_restore(trGlue *g, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    TR_TRY(check(g, at, size));
    trStatus status = tr_kept_restore(g->arena, at + HEAD * sizeof(uint64_t));
    if (status == TR_OK && !(g->n <= g->last && isfinite(g->t))) {
        status = tr_fail(TR_E_ARGUMENT, "the saved assembly is damaged");
    }
    if (status != TR_OK) {
        return status > 0 ? TR_E_ARGUMENT : status;
    }
    name_worst(g);
    at += first_state(g);
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].state_in = at;
        at += words_for(g->it.face[i].state_size) * sizeof(uint64_t);
    }
    int64_t messages = g->carrier->messages, sent = g->carrier->bytes;
    status = tr_glue_exchange(g, TR_CALL_RESTORE);
    g->carrier->messages = messages;
    g->carrier->bytes = sent;
    return status;
}
