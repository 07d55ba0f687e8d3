// SPDX-License-Identifier: MIT
// When checkpoints are written, and how a run goes on from one.
//
// Rows reach their file before a checkpoint that counts on them. A run that goes on writes its rows
// to a new file beside the old one: first those of the old one up to the checkpoint, whose mark
// must be the one that the state has. The new file takes the name once it has as many rows as the
// old one, or the run is done: a run that is stopped before leaves the old one, whose first rows
// are the same, so that new checkpoints fit it as well. CSV files are made anew from the same rows.

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/checkpoint.h"
#include "cli/old_results.h"
#include "integrator/integrator.h"
#include "record/recorder.h"
#include "sim/def.h"

#define NUMBERS_AT_ONCE 65536
#define WARNING_SIZE 1200  // an error, and what follows it

// --- the beginning ---

trStatus tr_keeper_plan(trKeeper *k, const char *sort, const trModel *model, int settings,
                        size_t state_size) {
    const trRequest *r = k->request;
    const char      *text = tr_model_source(model);
    k->file = (trCheckpointFile){.sort = sort,
                                 .version = tr_version(),
                                 .model = r->file.path,
                                 .text = text != NULL ? text : "",
                                 .text_size = text != NULL ? strlen(text) : 0,
                                 .sets = r->file.sets,
                                 .set = r->file.set,
                                 .given = tr_new_array(r->file.arena, trParam, settings + 1),
                                 .csv = r->csv != NULL ? r->csv : "",
                                 .seconds = r->checkpoint,
                                 .state_size = state_size};
    k->file.state = k->state = tr_arena_take(r->file.arena, state_size, 1);
    return tr_arena_status(r->file.arena);
}

static bool is_outside(const trSim *sim) {
    const trIntegratorKind *kind = tr_integrator_find(tr_sim_def(sim).integrator);
    return kind != NULL && tr_integrator_is_outside(kind);
}

static trStatus plan_checkpoints(const trModel *model, const trSimDef *def, const trSim *sim,
                                 trKeeper *k) {
    const trFieldList all = tr_settings();
    TR_TRY(tr_keeper_plan(k, "run", model, all.count, tr_sim_saved_size(sim)));
    k->outside = is_outside(sim);
    k->file.q = def->q;
    k->file.v = def->v;
    for (int i = 0; i < all.count; i++) {
        if (tr_sim_def_gives(def, all.at[i])) {
            k->file.given[k->file.givens] = tr_sim_def_value(def, all.at[i]);
            k->file.given[k->file.givens++].key = tr_field_key(all.at[i]);
        }
    }
    return TR_OK;
}

trStatus tr_keeper_begin(const trRequest *r, const trModel *model, const trSimDef *def, trSim *sim,
                         trKeeper *k) {
    *k = (trKeeper){.request = r};
    if (r->hdf5 == NULL) {
        return TR_OK;
    }
    k->path = tr_checkpoint_path(r->file.arena, r->hdf5);
    if (r->checkpoint > 0.0) {
        TR_TRY(plan_checkpoints(model, def, sim, k));
    }
    if (r->resumed != NULL) {
        k->written = k->tried = true;
        TR_TRY(tr_arena_status(r->file.arena));
        trStatus status = tr_sim_restore(sim, r->resumed->state, r->resumed->state_size);
        return status == TR_OK
                   ? TR_OK
                   : tr_fail(TR_E_IO, "%s: %s; run the model again", k->path, tr_last_error());
    }
    return tr_arena_status(r->file.arena);
}

// --- rows of the old file ---

static trStatus refuse_results(const char *results) {
    return tr_fail(TR_E_IO,
                   "%s: its rows are not those that the checkpoint was written for: it was changed "
                   "or replaced since; put it back, or run the model again",
                   results);
}

static trStatus copy_rows(trArena *arena, trOldResults *old, int64_t rows, trRecorder *recorder,
                          uint64_t *mark) {
    int     columns = tr_recorder_columns(recorder);
    int64_t at_once = NUMBERS_AT_ONCE / columns + 1;
    double *values = tr_new_array(arena, double, at_once *columns);
    TR_TRY(tr_arena_status(arena));
    for (int64_t first = 0; first < rows; first += at_once) {
        int64_t count = rows - first < at_once ? rows - first : at_once;
        TR_TRY(tr_old_read(old, count, values));
        for (int64_t i = 0; i < count; i++) {
            *mark = tr_rows_mark_add(*mark, columns, values + i * columns);
            TR_TRY(tr_recorder_row(recorder, values + i * columns));
        }
    }
    return tr_recorder_flush(recorder);
}

static void sync_file(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
}

// Rows of the old results, as many as the checkpoint has, become the first of the new ones.
static trStatus take_rows(trKeeper *k, trCheckpointRows rows, trRecorder *recorder) {
    trArena     *arena = k->request->file.arena;
    const char  *results = k->request->hdf5;
    trOldResults old;
    uint64_t     seen = 0;
    trStatus     status = tr_old_open(results, rows.count, &old);
    if (status != TR_OK) {
        return access(results, F_OK) == 0 ? status
                                          : tr_add_hint(status, "; put the results back, or run "
                                                                "the model again");
    }
    k->had = old.head.rows;
    bool fits = old.head.columns == tr_recorder_columns(recorder) && k->had >= rows.count;
    status = fits ? copy_rows(arena, &old, rows.count, recorder, &seen) : TR_OK;
    TR_TRY(tr_old_close(&old));  // a child that crashed explains all the rest
    TR_TRY(status);
    return fits && seen == rows.mark ? TR_OK : refuse_results(results);
}

// Results of a run that begins replace older ones: their checkpoint is worth nothing.
trStatus tr_keeper_begun(trKeeper *k, trCheckpointRows rows, trRecorder *recorder) {
    if (k->request->resumed == NULL) {
        unlink(k->path);
    } else {
        TR_TRY(take_rows(k, rows, recorder));
    }
    k->recorder = recorder;
    return TR_OK;
}

static trStatus begun(void *keeper, trSim *sim, trRecorder *recorder) {
    return tr_keeper_begun(keeper, (trCheckpointRows){tr_sim_rows(sim), tr_sim_rows_mark(sim)},
                           recorder);
}

// --- checkpoints ---

trStatus tr_keeper_settle(trKeeper *k, int64_t rows, trStatus status) {
    bool enough = status == TR_OK || rows >= k->had;
    return k->recorder != NULL && enough ? tr_recorder_take_names(k->recorder) : TR_OK;
}

bool tr_keeper_due(const trKeeper *k, bool stopping) {
    return stopping || !k->tried || tr_clock_wall() - k->last >= k->request->checkpoint;
}

// A run whose checkpoint cannot be written goes on without, after one warning.
trStatus tr_keeper_write(trKeeper *k) {
    char text[WARNING_SIZE];
    bool before = k->failed;
    TR_TRY(tr_recorder_flush(k->recorder));
    sync_file(k->request->hdf5);
    k->failed = tr_checkpoint_write(k->path, &k->file) != TR_OK;
    if (k->failed && !before) {
        snprintf(text, sizeof text, "%s; the run continues without a new checkpoint",
                 tr_last_error());
        tr_cli_warning(text);
    }
    k->is_new = k->failed;
    k->written = k->written || !k->failed;
    k->tried = true;
    k->last = tr_clock_wall();
    return TR_OK;
}

static trStatus between(void *keeper, trSim *sim, bool stopping) {
    trKeeper *k = keeper;
    bool      due = tr_keeper_due(k, stopping);
    if (k->recorder == NULL) {
        return TR_OK;
    }
    TR_TRY(tr_keeper_settle(k, tr_sim_rows(sim), TR_E_INTERRUPTED));
    if ((due || k->outside) && tr_sim_can_save(sim)) {
        TR_TRY(tr_sim_save(sim, k->state, k->file.state_size));
        k->is_new = true;
    }
    return due && k->is_new ? tr_keeper_write(k) : TR_OK;
}

void tr_keeper_hook(trKeeper *k, trRunHooks *hooks) {
    if (k->path == NULL) {
        return;
    }
    hooks->keeper = k;
    hooks->begun = begun;
    if (k->request->checkpoint > 0.0) {
        k->last = tr_clock_wall();
        hooks->between = between;
    }
}

bool tr_keeper_has_checkpoint(const trKeeper *k) {
    return k->path != NULL && k->written;
}

void tr_keeper_end(trKeeper *k, trStatus status) {
    if (k->path != NULL && status == TR_OK) {
        unlink(k->path);
    }
}
