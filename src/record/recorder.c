// SPDX-License-Identifier: MIT
// A recorder hands every row to each of its sinks, and has them flushed once a second.

#include "trammel/record.h"

#include <stdbool.h>
#include <string.h>

#include "base/clock.h"
#include "base/spell.h"
#include "record/sink.h"

#define FLUSH_SECONDS 1.0

typedef struct Sink {
    struct Sink      *next;
    const trSinkKind *kind;
    const char       *path;  // NULL where none was given
    void             *work;
    bool              open;
} Sink;

struct trRecorder {
    trArena        *arena;
    Sink           *sinks;  // in the order of tr_recorder_add
    trNote         *notes;
    bool            begun;       // or has tried to
    bool            recording;   // all sinks are open
    double          last_flush;  // on the wall clock [s]
    int             columns;
    const trColumn *column;  // columns
};

trStatus tr_recorder_create(trRecorder **out) {
    *out = NULL;
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
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

static const char *kind_name(const void *context, int i) {
    (void)context;
    return tr_sink_at(i)->name;
}

static trStatus unknown_kind(const char *kind) {
    const char *nearest = tr_spell_nearest(kind, tr_sink_count(), kind_name, NULL);
    trStatus    status = tr_fail(TR_E_ARGUMENT, "unknown sink '%s'", kind);
    if (nearest != NULL) {
        return tr_add_hint(status, "; did you mean '%s'?", nearest);
    }
    for (int i = 0; i < tr_sink_count(); i++) {
        status = tr_add_hint(status, "%s%s", i == 0 ? "; known are " : ", ", tr_sink_at(i)->name);
    }
    return status;
}

static trStatus check_not_begun(const trRecorder *recorder) {
    return recorder->begun ? tr_fail(TR_E_ARGUMENT, "the recorder has begun already") : TR_OK;
}

static trStatus check_recording(const trRecorder *recorder) {
    return recorder->recording ? TR_OK : tr_fail(TR_E_ARGUMENT, "the recorder is not open");
}

trStatus tr_recorder_add(trRecorder *recorder, const char *kind, const char *path) {
    TR_TRY(check_not_begun(recorder));
    const trSinkKind *known = tr_sink_find(kind);
    if (known == NULL) {
        return unknown_kind(kind);
    }
    Sink *sink = tr_new(recorder->arena, Sink);
    if (sink != NULL) {
        sink->kind = known;
        sink->path = path == NULL ? NULL : tr_arena_text(recorder->arena, path);
        Sink **end = &recorder->sinks;
        while (*end != NULL) {
            end = &(*end)->next;
        }
        *end = sink;
    }
    return tr_arena_status(recorder->arena);
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

trStatus tr_recorder_begin(trRecorder *recorder, int columns, const trColumn *column, long rows) {
    TR_TRY(check_not_begun(recorder));
    if (columns < 1 || rows < 0) {
        return tr_fail(TR_E_ARGUMENT, "a recorder needs columns, and not %ld rows", rows);
    }
    trArena   *arena = recorder->arena;
    trSinkOpen with = {.columns = columns, .rows = rows, .notes = recorder->notes};
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
    recorder->recording = true;
    tr_arena_seal(arena);
    recorder->last_flush = tr_clock_wall();
    return TR_OK;
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
    double now = tr_clock_wall();
    if (now - recorder->last_flush < FLUSH_SECONDS) {
        return TR_OK;
    }
    recorder->last_flush = now;
    for (Sink *sink = recorder->sinks; sink != NULL; sink = sink->next) {
        TR_TRY(sink->kind->flush(sink->work));
    }
    return TR_OK;
}

// Every sink is closed, whatever happens to the others; the last failure is the one reported. What
// never was open, or is closed already, needs nothing: a caller may always close.
trStatus tr_recorder_close(trRecorder *recorder, const char *outcome) {
    trStatus worst = TR_OK;
    recorder->recording = false;
    for (Sink *sink = recorder->sinks; sink != NULL; sink = sink->next) {
        if (sink->open) {
            sink->open = false;
            trStatus status = sink->kind->close(sink->work, outcome == NULL ? "" : outcome);
            worst = status == TR_OK ? worst : status;
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
    for (int i = 0; i < recorder->columns; i++) {
        if (strcmp(recorder->column[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
