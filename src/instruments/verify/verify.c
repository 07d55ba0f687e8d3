// SPDX-License-Identifier: MIT
// A result file, row by row: check marks, then everything that can be recomputed from the row.

#include <math.h>
#include <string.h>

#include "base/definition.h"
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

static const trDefinition definition = {"trVerifyOptions", "tr_verify_options_default()",
                                        TR_FIRST_LAYOUT(trVerifyOptions, context),
                                        sizeof(trVerifyOptions)};

static void release(void *verifier) {
    trVerifier *V = verifier;
    tr_eval_destroy(V->eval);
    tr_eval_destroy(V->beside);
    tr_system_destroy(V->system);
    tr_model_destroy(V->model);
    tr_result_close(V->result);
}

static trStatus plan(trVerifier *V) {
    TR_TRY(tr_state_plan(V));
    TR_TRY(tr_multipliers_plan(V));
    TR_TRY(tr_equations_plan(V));
    return tr_between_plan(V);
}

// --- rows ---

// Times increase, and are those that the run was asked for. The last row of a run that did not end
// as asked is its last good state, anywhere before the next of these times.
static void see_time(trVerifier *V) {
    const trNoted *noted = &V->noted;
    bool           done = strcmp(V->out->outcome, "done") == 0, last = V->index == V->out->rows - 1;
    double         t = V->row[0], i = (double)V->index, off = 0.0;
    const char    *what = "is not after the row before";
    if (V->index > 0 && !(t > V->before.t)) {
        tr_see_fault(V, TR_VERIFY_TIME, "rows do not follow each other in time");
    }
    if (isfinite(noted->rows) && i >= noted->rows) {
        tr_see_fault(V, TR_VERIFY_TIME, "there are more rows than the run was asked for");
    } else if (isfinite(noted->rows)) {
        double asked = i >= noted->rows - 1.0 ? noted->last : noted->start + i * noted->sample;
        what = "is not a time that the run was asked for; rows may be missing";
        off = last && !done && t < asked ? 0.0 : t - asked;
    }
    if (isfinite(noted->rows) && last && done && i < noted->rows - 1.0) {
        tr_see_fault(V, TR_VERIFY_TIME, "the last rows of the run are missing");
    }
    tr_see(V, TR_VERIFY_TIME,
           (trDeviation){.off = off,
                         .allowed = TR_VERIFY_TOLERANCE * (fabs(noted->start) + fabs(noted->last)),
                         .unit = "s",
                         .role = "column",
                         .name = "t",
                         .detail = what});
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

static void verify_row(trVerifier *V) {
    bool usable = tr_verify_state(V);
    V->pole =
        strncmp(V->out->outcome, "failed", strlen("failed")) == 0 && V->index == V->out->rows - 1;
    if (usable) {
        see_time(V);
    } else {
        tr_see_fault(V, TR_VERIFY_NUMBER,
                     "a number is not finite, or so large that nothing is left");
    }
    if (usable && tr_verify_eval(V) != TR_OK) {
        usable = false;
        tr_see_fault(V, TR_VERIFY_NUMBER, tr_arena_text(V->arena, tr_last_error()));
    }
    tr_see(V, TR_VERIFY_NUMBER, (trDeviation){.off = 0.0});
    if (usable) {
        note_violations(V);
        note_energy(V);
        tr_verify_balance(V);
        tr_verify_levels(V);
        tr_verify_columns(V);
    }
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        tr_seen_at(V, (trVerifyKind)k, V->index, V->row[0]);
    }
    tr_between_row(V, usable);
}

static trStatus verify_rows(trVerifier *V) {
    long    at_once = READ_AT_ONCE / V->layout.columns + 1;
    double *values = tr_new_array(V->arena, double, at_once * V->layout.columns);
    TR_TRY(tr_arena_status(V->arena));
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
    tr_between_end(V);
    if (V->unknown > 0) {
        tr_verify_note(V, tr_arena_format(V->arena,
                                          "%ld changes between rows could not be judged: rates "
                                          "of rows do not explain them, and an integration from "
                                          "the row before fails or is one too many",
                                          V->unknown));
    }
    tell_violations(V);
    return TR_OK;
}

// --- check marks ---

static trStatus verify_marks(trVerifier *V) {
    long rows = V->out->rows, at = 0;
    tr_see(V, TR_VERIFY_TEXT, (trDeviation){.off = 0.0});
    if (!tr_result_texts_are_whole(V->result)) {
        tr_see_fault(V, TR_VERIFY_TEXT, "a name, a unit or a note of the file was altered");
    }
    tr_seen_at(V, TR_VERIFY_TEXT, -1, NAN);
    for (long first = 0; first < rows && at >= 0;) {
        TR_TRY(tr_result_find_altered(V->result, first, &at));
        long whole = (at < 0 ? rows : at) - first;
        for (long i = 0; i < whole; i++) {
            tr_see(V, TR_VERIFY_MARK, (trDeviation){.off = 0.0});
            tr_seen_at(V, TR_VERIFY_MARK, first + i, NAN);
        }
        if (at >= 0) {
            double *row = tr_new_array(V->arena, double, tr_result_columns(V->result));
            TR_TRY(tr_arena_status(V->arena));
            TR_TRY(tr_result_read(V->result, at, 1, row));
            tr_see_fault(V, TR_VERIFY_MARK, "a number of the row was altered");
            tr_seen_at(V, TR_VERIFY_MARK, at, row[0]);
            first = at + 1;
        }
    }
    return TR_OK;
}

// A run that is done has rows, the first one at least. Any other may have none.
static void verify_existence(trVerifier *V) {
    if (V->out->rows == 0 && strcmp(V->out->outcome, "done") == 0) {
        tr_see_fault(V, TR_VERIFY_TIME, "the rows of the run are missing");
        tr_seen_at(V, TR_VERIFY_TIME, -1, NAN);
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
        tr_verify_note(V, "fewer than 6 rows: how rows continue each other is not judged");
    }
}

static trStatus verify(trVerifier *V, const char *path, const trVerifyOptions *options) {
    V->options = *options;
    V->out->note = tr_new_array(V->arena, const char *, TR_VERIFY_NOTES);
    V->out->finding = tr_new_array(V->arena, trVerifyFinding, TR_VERIFY_KEPT);
    V->rank = tr_new_array(V->arena, double, TR_VERIFY_KEPT);
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        V->ratio[k] = -1.0;
        V->most[k] = -1.0;
    }
    TR_TRY(tr_arena_status(V->arena));
    TR_TRY(tr_result_open(path, &V->result));
    V->out->rows = tr_result_rows(V->result);
    V->out->columns = tr_result_columns(V->result);
    V->out->outcome = tr_result_outcome(V->result);
    note_outcome(V);
    verify_existence(V);
    if (!options->no_checksums) {
        TR_TRY(verify_marks(V));
    }
    if (!options->no_physics) {
        TR_TRY(tr_verify_rebuild(V, path));
        TR_TRY(plan(V));
        TR_TRY(verify_rows(V));
    }
    return tr_rank_findings(V);
}

trStatus tr_verification_create(const char *path, const trVerifyOptions *given,
                                trVerification **out) {
    trVerifyOptions options = tr_verify_options_default();
    *out = NULL;
    TR_TRY(tr_definition_take(&definition, given, &options));
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trVerifier     *V = tr_new(arena, trVerifier);
    trVerification *result = tr_new(arena, trVerification);
    trStatus        status = tr_arena_status(arena);
    if (status == TR_OK) {
        V->arena = arena;
        V->out = result;
        tr_arena_defer(arena, release, V);
        status = tr_arena_status(arena);
    }
    trNumeric numeric = tr_numeric_begin();
    status = status == TR_OK ? verify(V, path, &options) : status;
    tr_numeric_end(numeric);
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    result->memory = arena;
    *out = result;
    return TR_OK;
}

void tr_verification_destroy(trVerification *verification) {
    if (verification != NULL) {
        tr_arena_destroy(verification->memory);
    }
}
