// SPDX-License-Identifier: MIT
// A recorder hands every row to each of its sinks, and has them flushed once a second. No file is
// touched before all of them are known to be writable: older results stay whole where a run cannot
// begin.

#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/spell.h"
#include "record/beside.h"
#include "record/sink.h"

#define FLUSH_SECONDS 1.0

typedef struct Sink {
    struct Sink      *next;
    const trSinkKind *kind;
    const char       *path;  // NULL where none was given
    void             *work;
    bool              open;
    bool              made;  // the probe created the file, and removes it again
} Sink;

struct trRecorder {
    trArena        *arena;
    Sink           *sinks;  // in the order of tr_recorder_add
    trNote         *notes;
    bool            begun;       // or has tried to
    bool            recording;   // all sinks are open
    bool            keep_old;    // until tr_recorder_take_names
    bool            named;       // they are taken
    double          last_flush;  // on the wall clock [s]
    int             columns;
    const trColumn *column;  // columns
};

trStatus tr_recorder_create(trRecorder **out) {
    *out = NULL;
    trArena    *arena = tr_arena_create();
    trRecorder *recorder = tr_new(arena, trRecorder);
    if (recorder == NULL) {
        trStatus status = tr_arena_status(arena);
        tr_arena_destroy(arena);
        return status;
    }
    recorder->arena = arena;
    *out = recorder;
    return TR_OK;
}

// Those of the core, and HDF5, which is in a library beside it.
static const char *kind_name(const void *context, int i) {
    return i < tr_sink_count() ? tr_sink_at(i)->name : "hdf5";
}

static trStatus unknown_kind(const char *kind) {
    const int kinds = tr_sink_count() + 1;
    if (strcmp(kind, "hdf5") == 0) {
        return tr_fail(TR_E_ARGUMENT,
                       "sink 'hdf5' is in the library trammel_hdf5: call tr_recorder_add_hdf5 "
                       "(trammel/hdf5.h)");
    }
    return tr_spell_refuse("sink", kind, kinds, kind_name, NULL);
}

static trStatus check_not_begun(const trRecorder *recorder) {
    return recorder->begun ? tr_fail(TR_E_ARGUMENT, "the recorder has begun already") : TR_OK;
}

static trStatus check_recording(const trRecorder *recorder) {
    return recorder->recording ? TR_OK : tr_fail(TR_E_ARGUMENT, "the recorder is not open");
}

trStatus tr_recorder_add_kind(trRecorder *recorder, const trSinkKind *kind, const char *path) {
    TR_TRY(check_not_begun(recorder));
    Sink *sink = tr_new(recorder->arena, Sink);
    if (sink != NULL) {
        sink->kind = kind;
        sink->path = path == NULL ? NULL : tr_arena_text(recorder->arena, path);
        Sink **end = &recorder->sinks;
        while (*end != NULL) {
            end = &(*end)->next;
        }
        *end = sink;
    }
    return tr_arena_status(recorder->arena);
}

trStatus tr_recorder_add(trRecorder *recorder, const char *kind, const char *path) {
    const trSinkKind *known = tr_sink_find(kind);
    return known != NULL ? tr_recorder_add_kind(recorder, known, path) : unknown_kind(kind);
}

// A key that is known already gets the new text.
trStatus tr_recorder_note(trRecorder *recorder, const char *key, const char *text) {
    TR_TRY(check_not_begun(recorder));
    trNote **end = &recorder->notes;
    while (*end != NULL && strcmp((*end)->key, key) != 0) {
        end = &(*end)->next;
    }
    const char *own_text = tr_arena_text(recorder->arena, text);
    if (*end != NULL && own_text != NULL) {
        (*end)->text = own_text;
    } else if (own_text != NULL) {
        const char *own_key = tr_arena_text(recorder->arena, key);
        trNote     *note = tr_new(recorder->arena, trNote);
        if (note != NULL) {
            *note = (trNote){.key = own_key, .text = own_text};
            *end = note;
        }
    }
    return tr_arena_status(recorder->arena);
}

static const trColumn *copy_columns(trArena *arena, int columns, const trColumn *column) {
    trColumn *copy = tr_new_array(arena, trColumn, columns);
    for (int i = 0; copy != NULL && i < columns; i++) {
        copy[i].name = tr_arena_text(arena, column[i].name);
        copy[i].unit = tr_arena_text(arena, column[i].unit == NULL ? "" : column[i].unit);
    }
    return copy;
}

// Whether the sink writes to a file of its own: memory has none, nor has standard output.
static bool has_file(const Sink *sink) {
    return sink->path != NULL && sink->kind->table == NULL &&
           !(sink->kind->takes_dash && strcmp(sink->path, "-") == 0);
}

// Opens the file for writing without changing it. One that is new is made, and noted, unless it
// would be made beside: then its folder is asked. Pipes and devices are only asked, since opening
// and closing them would be noticed at their other end.
static trStatus probe(trArena *arena, Sink *sink) {
    struct stat info;
    int         reason = 0, file = -1;
    if (stat(sink->path, &info) != 0 && sink->kind->is_beside) {
        reason = tr_beside_probe(arena, sink->path);
    } else if (stat(sink->path, &info) != 0) {
        file = open(sink->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        // What exists and leads nowhere is a link; opening the sink will make its target.
        reason = file < 0 && errno != EEXIST ? errno : 0;
        sink->made = file >= 0;
    } else if (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) {
        file = open(sink->path, O_WRONLY | O_APPEND | O_CLOEXEC);
        reason = file < 0 ? errno : 0;
    } else if (access(sink->path, W_OK) != 0) {
        reason = errno;
    }
    if (file >= 0) {
        close(file);
    }
    return reason == 0 ? TR_OK
                       : tr_fail(TR_E_IO, "%s: cannot create: %s", sink->path, strerror(reason));
}

// Two names of one file count, once it exists.
static bool same_output(const Sink *a, const Sink *b) {
    struct stat of_a, of_b;
    if (a->path == NULL || b->path == NULL || a->kind->table != NULL || b->kind->table != NULL) {
        return false;
    }
    return strcmp(a->path, b->path) == 0 ||
           (has_file(a) && has_file(b) && stat(a->path, &of_a) == 0 && stat(b->path, &of_b) == 0 &&
            S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
}

static trStatus probe_all(const trRecorder *recorder) {
    for (Sink *sink = recorder->sinks; sink != NULL; sink = sink->next) {
        if (has_file(sink)) {
            TR_TRY(probe(recorder->arena, sink));
        }
        for (const Sink *other = recorder->sinks; other != sink; other = other->next) {
            if (same_output(sink, other)) {
                return tr_fail(TR_E_ARGUMENT,
                               "%s: %s and %s cannot both be written to it; choose two files",
                               sink->path, other->kind->name, sink->kind->name);
            }
        }
    }
    return TR_OK;
}

// All files can be written, and no two sinks share one. Nothing is left changed, either way.
static trStatus check_outputs(trRecorder *recorder) {
    trStatus status = probe_all(recorder);
    for (Sink *sink = recorder->sinks; sink != NULL; sink = sink->next) {
        if (sink->made) {
            unlink(sink->path);
            sink->made = false;
        }
    }
    return status;
}

trStatus tr_recorder_begin(trRecorder *recorder, int columns, const trColumn *column, long rows) {
    TR_TRY(check_not_begun(recorder));
    if (columns < 1) {
        return tr_fail(TR_E_ARGUMENT, "a recorder needs at least one column, not %d", columns);
    }
    if (rows < 0) {
        return tr_fail(TR_E_ARGUMENT, "a recorder cannot plan for %ld rows", rows);
    }
    TR_TRY(check_outputs(recorder));
    trArena   *arena = recorder->arena;
    trSinkOpen with = {.columns = columns, .rows = rows, .notes = recorder->notes, .later = true};
    with.keep_old = recorder->keep_old;
    with.column = copy_columns(arena, columns, column);
    recorder->column = with.column;
    recorder->columns = with.column == NULL ? 0 : columns;
    TR_TRY(tr_arena_status(arena));
    recorder->begun = true;
    for (Sink *sink = recorder->sinks; sink != NULL; sink = sink->next) {
        with.path = sink->path;
        TR_TRY(sink->kind->open(arena, &with, &sink->work));
        sink->open = true;
    }
    if (!recorder->keep_old) {
        TR_TRY(tr_recorder_take_names(recorder));
    }
    recorder->recording = true;
    tr_arena_seal(arena);
    recorder->last_flush = tr_clock_wall();
    return TR_OK;
}

void tr_recorder_keep_old(trRecorder *recorder) {
    recorder->keep_old = true;
}

bool tr_recorder_has_files(const trRecorder *recorder) {
    return recorder->keep_old || recorder->named;
}

trStatus tr_recorder_row(trRecorder *recorder, const double *values) {
    TR_TRY(check_recording(recorder));
    for (Sink *sink = recorder->sinks; sink != NULL; sink = sink->next) {
        TR_TRY(sink->kind->row(sink->work, values));
    }
    return TR_OK;
}

trStatus tr_recorder_tick(trRecorder *recorder) {
    TR_TRY(check_recording(recorder));
    return tr_clock_wall() - recorder->last_flush < FLUSH_SECONDS ? TR_OK
                                                                  : tr_recorder_flush(recorder);
}

trStatus tr_recorder_flush(trRecorder *recorder) {
    TR_TRY(check_recording(recorder));
    recorder->last_flush = tr_clock_wall();
    for (Sink *sink = recorder->sinks; sink != NULL; sink = sink->next) {
        TR_TRY(sink->kind->flush != NULL ? sink->kind->flush(sink->work) : TR_OK);
    }
    return TR_OK;
}

// The last one first: what was added first, the results, is what others are made from.
static trStatus take_names_from(const Sink *sink) {
    if (sink == NULL) {
        return TR_OK;
    }
    TR_TRY(take_names_from(sink->next));
    return sink->kind->take_name != NULL ? sink->kind->take_name(sink->work) : TR_OK;
}

trStatus tr_recorder_take_names(trRecorder *recorder) {
    if (recorder->named) {
        return TR_OK;
    }
    if (recorder->recording) {  // the old file goes once its rows are in the new one
        TR_TRY(tr_recorder_flush(recorder));
    }
    TR_TRY(take_names_from(recorder->sinks));
    recorder->named = true;
    return TR_OK;
}

static trStatus close_sink(Sink *sink, const char *outcome) {
    sink->open = false;
    return sink->kind->close != NULL ? sink->kind->close(sink->work, outcome) : TR_OK;
}

// Every sink is closed, whatever happens to the others; the last failure is the one reported. What
// never was open, or is closed already, needs nothing: a caller may always close. Files that say
// that the run is done come last: whoever is killed in between is resumed.
trStatus tr_recorder_close(trRecorder *recorder, const char *outcome) {
    trStatus worst = TR_OK;
    recorder->recording = false;
    outcome = outcome == NULL ? "" : outcome;
    for (int last = 0; last < 2; last++) {
        for (Sink *sink = recorder->sinks; sink != NULL; sink = sink->next) {
            if (sink->open && sink->kind->keeps_outcome == (last == 1)) {
                trStatus status = close_sink(sink, outcome);
                worst = status == TR_OK ? worst : status;
            }
        }
    }
    return worst;
}

void tr_recorder_destroy(trRecorder *recorder) {
    if (recorder != NULL) {
        (void)!tr_recorder_close(recorder, "abandoned");
        tr_arena_destroy(recorder->arena);
    }
}

static const double *first_table(const trRecorder *recorder, long *rows) {
    *rows = 0;
    for (const Sink *sink = recorder->sinks; sink != NULL; sink = sink->next) {
        if (sink->kind->table != NULL) {
            return sink->work == NULL ? NULL : sink->kind->table(sink->work, rows);
        }
    }
    return NULL;
}

long tr_recorder_rows(const trRecorder *recorder) {
    long rows = 0;
    (void)first_table(recorder, &rows);
    return rows;
}

const double *tr_recorder_table(const trRecorder *recorder) {
    long rows = 0;
    return first_table(recorder, &rows);
}

int tr_recorder_columns(const trRecorder *recorder) {
    return recorder->columns;
}

int tr_recorder_find(const trRecorder *recorder, const char *name) {
    return tr_column_find(recorder->columns, recorder->column, name);
}
