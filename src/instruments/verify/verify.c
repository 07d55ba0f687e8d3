// SPDX-License-Identifier: MIT
// A result file, row by row: check marks, then everything that can be recomputed from the row.

#include <math.h>
#include <string.h>

#include "base/numeric.h"
#include "verify/verify.h"

#define READ_AT_ONCE 65536  // numbers
#define WORTH_TELLING 1e-9  // violations

#define WORD(name, word, summary) word,
#define SUMMARY(name, word, summary) summary,
static const char *const words[] = {TR_VERIFY_LIST(WORD)};
static const char *const summaries[] = {TR_VERIFY_LIST(SUMMARY)};

const char *tr_verify_word(trVerifyKind kind) {
    return (int)kind >= 0 && kind < TR_VERIFY_KINDS ? words[kind] : "";
}

const char *tr_verify_summary(trVerifyKind kind) {
    return (int)kind >= 0 && kind < TR_VERIFY_KINDS ? summaries[kind] : "";
}

trVerifyOptions tr_verify_options_default(void) {
    return (trVerifyOptions){.struct_size = sizeof(trVerifyOptions)};
}

static void release(void *verifier) {
    trVerifier *V = verifier;
    tr_system_destroy(V->system);
    tr_model_destroy(V->model);
    tr_result_close(V->result);
}

static trStatus plan(trVerifier *V) {
    const trSystem *s = V->system;
    int             n = s->nq + s->nv;
    V->q = tr_new_array(V->arena, double, s->nq);
    V->v = tr_new_array(V->arena, double, s->nv);
    V->a = tr_new_array(V->arena, double, s->nv);
    V->z_ddot = tr_new_array(V->arena, double, s->states);
    V->z_beside = tr_new_array(V->arena, double, 2 * (ptrdiff_t)s->states);
    V->before = tr_new_array(V->arena, double, n);
    V->beside = tr_new_array(V->arena, double, n);
    V->lambda = tr_new_array(V->arena, double, s->m);
    V->work = tr_new_array(V->arena, double, s->m);
    V->work2 = tr_new_array(V->arena, double, s->m + 2 * s->nq);
    V->sizes = tr_new_array(V->arena, double, s->m);
    V->rate = tr_new_array(V->arena, double, s->m);
    V->rate_size = tr_new_array(V->arena, double, s->m);
    V->cancelled = tr_new_array(V->arena, double, s->m);
    V->parts = tr_new_array(V->arena, double, s->nv);
    V->differences = tr_new_array(V->arena, double, 4 * (ptrdiff_t)s->m);
    V->change = tr_new_array(V->arena, double, s->nv);
    V->force_change = tr_new_array(V->arena, double, 2 * (ptrdiff_t)s->varying);
    V->gapped = tr_new_array(V->arena, double, s->nv);
    V->alpha = tr_new_array(V->arena, double, s->m);
    V->balance = tr_new_array(V->arena, trBalance, s->bodies);
    TR_TRY(tr_arena_status(V->arena));
    TR_TRY(tr_eval_plan(V->arena, s, 1e-4, &V->eval));
    TR_TRY(tr_eval_plan(V->arena, s, 1e-4, &V->nudged));
    TR_TRY(tr_turns_plan(V));
    TR_TRY(tr_pose_plan(V));
    return tr_motion_plan(V);
}

// --- rows ---

static void see_fault(trVerifier *V, trVerifyKind kind, const char *what) {
    tr_see(V, kind, (trDeviation){.off = INFINITY, .detail = what});
}

static void see_time(trVerifier *V) {
    bool late = V->index > 0 && !(V->row[0] > V->t_before);
    tr_see(V, TR_VERIFY_TIME,
           (trDeviation){.off = late ? V->t_before - V->row[0] : 0.0,
                         .unit = "s",
                         .role = "column",
                         .name = "t",
                         .detail = "is not after the row before"});
    if (late && V->row[0] == V->t_before) {
        see_fault(V, TR_VERIFY_TIME, "two rows at the same time");
    }
}

static void note_violations(trVerifier *V) {
    for (int k = 0; k < 2 * V->layout.quantities; k++) {
        int at = V->layout.violation + k;
        V->violation[k] = fmax(V->violation[k], fabs(V->row[at]));
    }
}

static void note_energy(trVerifier *V) {
    trVerification *out = V->out;
    int             at = V->layout.energy + 3;
    if (out->energy_unit == NULL) {
        out->energy_start = V->row[at];
        out->energy_unit = tr_result_column(V->result, at)->unit;
    }
    out->energy_end_drift = V->row[at] - out->energy_start;
    out->energy_drift = fmax(out->energy_drift, fabs(out->energy_end_drift));
}

// Drift is no damage: it is told, in the largest of each column.
static void tell_violations(trVerifier *V) {
    const char *text = "";
    for (int k = 0; k < 2 * V->layout.quantities; k++) {
        const trColumn *column = tr_result_column(V->result, V->layout.violation + k);
        if (V->violation[k] > WORTH_TELLING) {
            text = tr_arena_format(V->arena, "%s%s%s up to %.3g%s%s", text,
                                   text[0] == '\0' ? "" : ", ", column->name, V->violation[k],
                                   column->unit[0] == '\0' ? "" : " ", column->unit);
            text = text == NULL ? "" : text;
        }
    }
    if (text[0] != '\0') {
        tr_verify_note(V, tr_arena_format(V->arena, "constraints as the run left them: %s", text));
    }
}

void tr_verify_compare(trVerifier *V) {
    V->power = 0.0;
    V->regular = tr_pose_is_regular(V);
    bool last = V->index == V->out->rows - 1;
    V->fragile = last && strncmp(V->out->outcome, "failed", strlen("failed")) == 0;
    tr_verify_penalty(V);
    if (V->system->space->dim == 0) {
        tr_verify_equations(V);
    } else {
        tr_verify_bodies(V);
        tr_verify_reactions(V);
        tr_verify_columns(V);
    }
    tr_verify_levels(V);
    tr_verify_energy(V);
    tr_verify_rates(V);
}

static void verify_row(trVerifier *V) {
    bool usable = tr_verify_state(V);
    if (usable) {
        see_time(V);
        tr_verify_times(V);
        trStatus status = tr_verify_eval(V);
        usable = status == TR_OK;
        if (!usable) {
            see_fault(V, TR_VERIFY_NUMBER, tr_arena_text(V->arena, tr_last_error()));
        }
    } else {
        see_fault(V, TR_VERIFY_NUMBER, "a number is not finite, or so large that nothing is left");
    }
    if (usable) {
        tr_see(V, TR_VERIFY_NUMBER, (trDeviation){.off = 0.0});
        note_violations(V);
        note_energy(V);
        tr_verify_compare(V);
    }
    tr_motion_row(V, usable);
    tr_seen_row(V);
    if (usable) {
        tr_unseen_row(V);
    }
}

// From the first and the last time, whatever the others are.
static trStatus find_spacing(trVerifier *V, double *row) {
    long rows = V->out->rows;
    if (rows < 2) {
        return TR_OK;
    }
    TR_TRY(tr_result_read(V->result, 0, 1, row));
    double first = row[0];
    TR_TRY(tr_result_read(V->result, rows - 1, 1, row));
    V->spacing = (row[0] - first) / (double)(rows - 1);
    return TR_OK;
}

static trStatus verify_rows(trVerifier *V) {
    long    at_once = READ_AT_ONCE / V->layout.columns + 1;
    double *values = tr_new_array(V->arena, double, at_once * V->layout.columns);
    TR_TRY(tr_arena_status(V->arena));
    TR_TRY(find_spacing(V, values));
    for (long first = 0; first < V->out->rows; first += at_once) {
        long count = V->out->rows - first < at_once ? V->out->rows - first : at_once;
        TR_TRY(tr_result_read(V->result, first, count, values));
        for (long i = 0; i < count; i++) {
            V->index = first + i;
            V->row = values + i * V->layout.columns;
            verify_row(V);
            TR_TRY(tr_arena_status(V->arena));
        }
    }
    tr_motion_end(V);
    tell_violations(V);
    if (V->uncounted) {
        tr_verify_note(V, "rows are more than a turn apart: whole turns of springs, gears and "
                          "screws are taken as they fit each row, and not counted");
    }
    return TR_OK;
}

// --- check marks ---

static trStatus verify_marks(trVerifier *V) {
    long rows = V->out->rows, at = 0;
    tr_see(V, TR_VERIFY_TEXT, (trDeviation){.off = 0.0});
    if (!tr_result_texts_are_whole(V->result)) {
        see_fault(V, TR_VERIFY_TEXT, "a name, a unit or a note of the file was altered");
    }
    tr_seen_row_at(V, TR_VERIFY_TEXT, -1, NAN);
    for (long first = 0; first < rows && at >= 0;) {
        TR_TRY(tr_result_find_altered(V->result, first, &at));
        long whole = (at < 0 ? rows : at) - first;
        for (long i = 0; i < whole; i++) {
            tr_see(V, TR_VERIFY_MARK, (trDeviation){.off = 0.0});
            tr_seen_row_at(V, TR_VERIFY_MARK, first + i, NAN);
        }
        if (at >= 0) {
            double *row = tr_new_array(V->arena, double, tr_result_columns(V->result));
            TR_TRY(tr_arena_status(V->arena));
            TR_TRY(tr_result_read(V->result, at, 1, row));
            see_fault(V, TR_VERIFY_MARK, "a number of the row was altered");
            tr_seen_row_at(V, TR_VERIFY_MARK, at, row[0]);
            first = at + 1;
        }
    }
    return TR_OK;
}

// A run that is done has rows, the first one at least. Any other may have none.
static void verify_existence(trVerifier *V) {
    if (V->out->rows == 0 && strcmp(V->out->outcome, "done") == 0) {
        see_fault(V, TR_VERIFY_TIME, "the rows of the run are missing");
        tr_seen_row_at(V, TR_VERIFY_TIME, -1, NAN);
    }
}

// --- all of it ---

static void note_outcome(trVerifier *V) {
    const char *outcome = V->out->outcome;
    if (strcmp(outcome, "running") == 0) {
        tr_verify_note(V, "the run goes on, or was killed: rows to the last flush are verified");
    } else if (strcmp(outcome, "done") != 0) {
        tr_verify_note(V, tr_arena_format(V->arena,
                                          "the run did not end as asked (%s): its rows "
                                          "so far are verified",
                                          outcome));
    }
    if (V->out->rows == 0) {
        tr_verify_note(V, "there are no rows: nothing is verified but texts");
    } else if (V->out->rows < 6) {
        tr_verify_note(V, "fewer than 6 rows: how one continues the other is not judged");
    }
}

static trStatus verify(trVerifier *V, const char *path, const trVerifyOptions *options) {
    V->out->unseen = -1;
    V->out->note = tr_new_array(V->arena, const char *, TR_VERIFY_NOTES);
    TR_TRY(tr_arena_status(V->arena));
    TR_TRY(tr_result_open(path, &V->result));
    V->out->rows = tr_result_rows(V->result);
    V->out->columns = tr_result_columns(V->result);
    V->out->outcome = tr_result_outcome(V->result);
    TR_TRY(tr_seen_plan(V));
    note_outcome(V);
    verify_existence(V);
    if (!options->no_checksums) {
        TR_TRY(verify_marks(V));
    }
    if (!options->no_physics) {
        TR_TRY(tr_verify_rebuild(V, path));
        TR_TRY(plan(V));
        if (options->find_unseen) {
            TR_TRY(tr_unseen_plan(V));
        }
        TR_TRY(verify_rows(V));
    }
    TR_TRY(tr_judge(V));
    return tr_unseen_end(V);
}

trStatus tr_verify_aloud(const char *path, const trVerifyOptions *options,
                         const trListener *listener, trVerification **out) {
    trArena *arena = tr_arena_create();
    *out = NULL;
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trVerifier     *V = tr_new(arena, trVerifier);
    trVerification *result = tr_new(arena, trVerification);
    trStatus        status = tr_arena_status(arena);
    if (status == TR_OK) {
        V->arena = arena;
        V->out = result;
        V->listener = listener != NULL ? *listener : (trListener){0};
        tr_arena_defer(arena, release, V);
        status = tr_arena_status(arena);
    }
    trNumeric numeric = tr_numeric_begin();
    status = status == TR_OK ? verify(V, path, options) : status;
    tr_numeric_end(numeric);
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    result->memory = arena;
    *out = result;
    return TR_OK;
}

trStatus tr_verify(const char *path, const trVerifyOptions *options, trVerification **out) {
    return tr_verify_aloud(path, options, NULL, out);
}

void tr_verification_free(trVerification *verification) {
    if (verification != NULL) {
        tr_arena_destroy(verification->memory);
    }
}
