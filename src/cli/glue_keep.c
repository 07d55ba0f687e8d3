// SPDX-License-Identifier: MIT
// Checkpoints of glued runs: as those of other runs (checkpoint.c), with the assembly's text in
// place of the model's, and before the state a mark of each module's file, in words of 64 bits.

#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "cli/glue_parts.h"
#include "glue/def.h"
#include "record/mark.h"
#include "record/recorder.h"

// Of a file's bytes; of commands, whose files are elsewhere, nothing is known.
static uint64_t mark_file(const trModuleUse *use) {
    FILE    *file = use->source != TR_MODULE_COMMAND ? fopen(use->path, "rb") : NULL;
    uint64_t mark = TR_MARK_START;
    for (int c; file != NULL && (c = fgetc(file)) != EOF;) {
        mark = tr_mark_add(mark, (uint64_t)c);
    }
    if (file != NULL) {
        fclose(file);
    }
    return mark;
}

static size_t marks_size(const trGlued *g) {
    return (size_t)g->assembly.modules * sizeof(uint64_t);
}

static trStatus plan(trKeeper *k, const trGlued *g) {
    const trFieldList all = tr_field_list(tr_glue_def_fields);
    TR_TRY(tr_glue_check_savable(g->glue));
    TR_TRY(tr_keeper_plan(k, "glue", g->assembly.ports, all.count,
                          marks_size(g) + tr_glue_saved_size(g->glue)));
    for (int i = 0; i < all.count; i++) {
        k->file.given[k->file.givens] = tr_field_param(all.at[i], &g->assembly.def);
        k->file.given[k->file.givens++].key = tr_field_key(all.at[i]);
    }
    for (int i = 0; i < g->assembly.modules; i++) {
        uint64_t mark = mark_file(&g->assembly.module[i]);
        memcpy(k->state + (size_t)i * sizeof mark, &mark, sizeof mark);
    }
    return TR_OK;
}

static trStatus restore(const trKeeper *k, const trGlued *g) {
    const trCheckpointFile *from = g->request->resumed;
    size_t                  marks = marks_size(g);
    if (from->state_size < marks) {
        return tr_fail(TR_E_IO, "%s: the checkpoint is damaged; run the assembly again", k->path);
    }
    for (int i = 0; i < g->assembly.modules; i++) {
        uint64_t was = 0, is = mark_file(&g->assembly.module[i]);
        memcpy(&was, from->state + (size_t)i * sizeof was, sizeof was);
        if (was != is) {
            return tr_fail(TR_E_IO,
                           "%s: module '%s' is not the one that the checkpoint was written with: "
                           "its file was changed; put it back, or run the assembly again",
                           g->assembly.module[i].path, g->assembly.module[i].name);
        }
    }
    trStatus status = tr_glue_restore(g->glue, from->state + marks, from->state_size - marks);
    return status == TR_OK
               ? TR_OK
               : tr_fail(TR_E_IO, "%s: %s; run the assembly again", k->path, tr_last_error());
}

trStatus tr_glue_keeper_begin(trGlued *g, trGlueKeeper *out) {
    const trRequest *r = g->request;
    trKeeper        *k = &out->keeper;
    *out = (trGlueKeeper){.keeper = {.request = r}, .glued = g};
    if (r->hdf5 == NULL) {
        return TR_OK;
    }
    k->path = tr_checkpoint_path(r->file.arena, r->hdf5);
    TR_TRY(tr_arena_status(r->file.arena));
    if (r->checkpoint > 0.0) {
        TR_TRY(plan(k, g));
    }
    k->written = k->tried = r->resumed != NULL;
    return r->resumed != NULL ? restore(k, g) : TR_OK;
}

// --- hooks ---

static trStatus begun(void *context, trGlue *glue, trRecorder *recorder) {
    trKeeper *k = &((trGlueKeeper *)context)->keeper;
    return k->path == NULL
               ? TR_OK
               : tr_keeper_begun(k, (trCheckpointRows){tr_glue_rows(glue), tr_glue_rows_mark(glue)},
                                 recorder);
}

static trStatus between(void *context, trGlue *glue) {
    trGlueKeeper *g = context;
    trKeeper     *k = &g->keeper;
    TR_TRY(tr_keeper_settle(k, tr_glue_rows(glue), TR_E_INTERRUPTED));
    if (k->recorder == NULL || !tr_keeper_due(k, *g->stop != 0)) {
        return TR_OK;
    }
    size_t marks = marks_size(g->glued);
    TR_TRY(tr_glue_save(glue, k->state + marks, k->file.state_size - marks));
    return tr_keeper_write(k);
}

static void draw(void *context, double t, double t_end) {
    trGlueKeeper *k = context;
    tr_progress_draw(&k->progress, t, t_end);
}

void tr_glue_keeper_hook(trGlueKeeper *k, trGlueHooks *hooks) {
    k->stop = tr_cli_catch_signals();
    k->progress = tr_progress_begin(!k->glued->request->file.quiet, tr_glue_time(k->glued->glue));
    *hooks = (trGlueHooks){.stop = k->stop, .progress = draw, .begun = begun, .context = k};
    if (k->keeper.file.state != NULL) {
        k->keeper.last = tr_clock_wall();
        hooks->between = between;
    }
}
