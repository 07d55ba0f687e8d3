// SPDX-License-Identifier: MIT
// Saving and restoring a glued simulation (record/saved.h). Numbers of the coordinator are those
// that its arena keeps (base/keep.h); modules save themselves, and their states follow, each filled
// up with zeros to whole words. The origin is a mark of version, definition, modules and joints.

#include "base/keep.h"

#include <math.h>
#include <string.h>

#include "glue/def.h"
#include "glue/glue.h"
#include "record/mark.h"
#include "record/saved.h"

#define MAGIC 0x3165756c67727424ull  // "$trglue1" backwards

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
    tr_keep_doubles(arena, g->history[0], ((size_t)g->def.max_iterations + 1) * TR_RESIDUALS);
    tr_keep_bool(arena, &g->accepting);
    tr_keep_int(arena, &g->iterations, 0, g->def.max_iterations);
    tr_keep_int(arena, &s->max_iterations, 0, g->def.max_iterations);
    tr_keep_int(arena, &s->redundant_rows, 0, g->it.m);
    for (int level = 0; level < TR_GLUE_LEVELS - 1; level++) {  // the last is found at every start
        trViolation *worst = tr_glue_violation(s, level);
        tr_keep_double(arena, &worst->length);
        tr_keep_double(arena, &worst->angle);
        tr_keep_double(arena, &worst->other);
        tr_keep_ints(arena, g->worst[level], 3, -1, g->it.m - 1);
    }
}

// --- marks and sizes ---

static uint64_t mark_definition(uint64_t mark, const trGlueDef *def) {
    for (const trField *f = tr_glue_def_fields; f->name != NULL; f++) {
        const trParam p = tr_field_param(f, def);
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

static trSaved saved_of(const trGlue *g) {
    trSaved saved = {
        .arena = g->arena,
        .magic = MAGIC,
        .origin = mark_origin(g),
        .word = "assembly",
        .other = "it was saved from another assembly, with other modules or settings, or by "
                 "another version",
    };
    for (int i = 0; i < g->it.modules; i++) {
        saved.more += tr_saved_room(g->it.face[i].state_size);
    }
    return saved;
}

size_t tr_glue_saved_size(const trGlue *g) {
    const trSaved saved = saved_of(g);
    return tr_saved_size(&saved);
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

// Messages that only save or restore are not counted: figures stay those of a run without
// checkpoints.
static trStatus exchange_uncounted(trGlue *g, unsigned calls) {
    int64_t  messages = g->carrier->messages, bytes = g->carrier->bytes;
    trStatus status = tr_glue_exchange(g, calls);
    g->carrier->messages = messages;
    g->carrier->bytes = bytes;
    return status;
}

static trStatus save_modules(trGlue *g, unsigned char *at) {
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].state = at;
        at += tr_saved_room(g->it.face[i].state_size);
    }
    // What is saved is a step that is done.
    trStatus status = exchange_uncounted(g, TR_CALL_SAVE | (g->accepting ? TR_CALL_ACCEPT : 0u));
    g->accepting = false;
    return status;
}

trStatus tr_glue_save(trGlue *g, void *bytes, size_t size) {
    const trSaved saved = saved_of(g);
    TR_TRY(tr_glue_check_savable(g));
    TR_TRY(tr_saved_check_size(&saved, size));
    unsigned char *states = (unsigned char *)bytes + tr_saved_more(&saved);
    memset(states, 0, saved.more);
    TR_TRY(save_modules(g, states));
    tr_saved_write(&saved, bytes);
    return TR_OK;
}

// --- restoring ---

trStatus tr_glue_restore(trGlue *g, const void *bytes, size_t size) {
    const trSaved saved = saved_of(g);
    TR_TRY(tr_saved_check(&saved, bytes, size));
    trStatus status = tr_saved_restore(g->arena, bytes);
    if (status == TR_OK && !(g->n <= g->last && isfinite(g->t))) {
        status = tr_saved_damaged(&saved);
    }
    if (status != TR_OK) {
        return status > 0 ? TR_E_ARGUMENT : status;
    }
    const unsigned char *at = (const unsigned char *)bytes + tr_saved_more(&saved);
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].state_in = at;
        at += tr_saved_room(g->it.face[i].state_size);
    }
    return exchange_uncounted(g, TR_CALL_RESTORE);
}
