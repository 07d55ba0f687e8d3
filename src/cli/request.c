// SPDX-License-Identifier: MIT
// What the command lines of `trammel run` and `trammel glue` ask for, and where their results go.

#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "record/recorder.h"
#include "trammel/hdf5.h"

bool tr_request_checkpoint(trFileRequest *request, const char *text) {
    trRequest *r = (trRequest *)request;
    if (!tr_cli_number("checkpoint", text, &r->checkpoint)) {
        return false;
    }
    if (!(r->checkpoint > 0.0)) {
        tr_cli_error("%s: option '--checkpoint': the time between checkpoints must be positive, "
                     "not %g s",
                     r->file.command->name, r->checkpoint);
        return false;
    }
    return true;
}

#define BESIDE 4  // files that a run writes for its results

// The results, and what is written and removed beside them.
static bool list_results(const trRequest *r, const char *list[BESIDE]) {
    static const char *const endings[BESIDE] = {".part", "", ".checkpoint", ".checkpoint.new"};
    const char              *real = r->hdf5 != NULL ? tr_cli_follow(r->file.arena, r->hdf5) : NULL;
    for (int i = 0; i < BESIDE; i++) {
        const char *base = i == 0 ? real : r->hdf5;  // the part lies where the results end up
        list[i] = base == NULL ? NULL : tr_arena_format(r->file.arena, "%s%s", base, endings[i]);
    }
    return tr_arena_status(r->file.arena) == TR_OK;
}

static bool is_stdout(const char *path) {
    return path != NULL && strcmp(path, "-") == 0;
}

bool tr_request_outputs_differ(const trRequest *r) {
    const char *result[BESIDE];
    const char *csv = is_stdout(r->csv) ? NULL : r->csv;
    if (!list_results(r, result)) {
        return false;
    }
    for (int i = 0; i < BESIDE; i++) {
        if (tr_cli_same_file(r->file.arena, result[i], csv)) {
            tr_cli_error("%s: the table and %s would both be written to '%s'; choose another file "
                         "with --csv",
                         r->file.command->name, i == 1 ? "the HDF5 file" : "a file of the run",
                         csv);
            return false;
        }
    }
    return tr_arena_status(r->file.arena) == TR_OK;
}

bool tr_request_spares(const trRequest *r, const char *input) {
    const char *result[BESIDE];
    bool        hdf5 = false, csv = !is_stdout(r->csv), listed = list_results(r, result);
    for (int i = 0; listed && i < BESIDE; i++) {
        hdf5 = hdf5 || tr_cli_same_file(r->file.arena, result[i], input);
    }
    if (hdf5 || (csv && tr_cli_same_file(r->file.arena, r->csv, input))) {
        tr_cli_error("%s: the result would overwrite '%s'; choose another file with %s",
                     r->file.command->name, input, hdf5 ? "--output" : "--csv");
        return false;
    }
    return tr_arena_status(r->file.arena) == TR_OK;
}

// Where the results go: none of them over the model.
static bool check_outputs(trRequest *r) {
    bool to_stdout = is_stdout(r->csv);
    if (to_stdout && r->file.json) {
        tr_cli_error("%s: --csv - and --json would both go to standard output; write the table "
                     "to a file with --csv FILE",
                     r->file.command->name);
        return false;
    }
    r->file.quiet = r->file.quiet || to_stdout;
    return tr_request_spares(r, r->file.path) && tr_request_outputs_differ(r);
}

// What options say together.
bool tr_request_check(trFileRequest *request) {
    trRequest *r = (trRequest *)request;
    if (r->no_hdf5 && r->hdf5 != NULL) {
        tr_cli_error("%s: --no-hdf5 and --output exclude each other; leave one out",
                     r->file.command->name);
        return false;
    }
    if (r->no_hdf5 && r->checkpoint > 0.0) {
        tr_cli_error("%s: --checkpoint needs the HDF5 file, from which the rows are read when the "
                     "run continues; leave --no-hdf5 out",
                     r->file.command->name);
        return false;
    }
    if (r->checkpoint > 0.0 && r->csv != NULL && strcmp(r->csv, "-") == 0) {
        tr_cli_error("%s: --checkpoint cannot continue a table on standard output; write it to "
                     "a file with --csv FILE",
                     r->file.command->name);
        return false;
    }
    if (tr_setting_given(request, "output_times") && tr_setting_given(request, "output_step")) {
        tr_cli_error("%s: --output-times and --output-step exclude each other; leave one out",
                     r->file.command->name);
        return false;
    }
    if (!r->no_hdf5 && r->hdf5 == NULL) {
        r->hdf5 = tr_cli_output(r->file.arena, r->file.path, ".h5");
    }
    return check_outputs(r);
}

// --- results ---

trStatus tr_request_recorder(const trRequest *r, trRecorder **out) {
    TR_TRY(tr_recorder_create(out));
    if (r->hdf5 != NULL) {
        TR_TRY(tr_recorder_add_hdf5(*out, r->hdf5));
    }
    if (r->csv != NULL) {
        TR_TRY(tr_recorder_add(*out, "csv", r->csv));
    }
    if (r->resumed != NULL) {
        tr_recorder_keep_old(*out);
    }
    return TR_OK;
}

const char *tr_request_outcome(const trRequest *r, trStatus status) {
    const char *words = status == TR_OK ? "done"
                        : status == TR_E_INTERRUPTED
                            ? "interrupted"
                            : tr_arena_format(r->file.arena, "failed: %s", tr_last_error());
    return words != NULL ? words : "failed: out of memory";
}

static const char *written(const trRecorder *recorder, const char *path) {
    bool there = path != NULL && tr_recorder_has_files(recorder) && access(path, F_OK) == 0;
    return there ? path : NULL;
}

void tr_request_written(const trRequest *r, const trRecorder *recorder, const char *files[2]) {
    files[0] = written(recorder, r->hdf5);
    files[1] = written(recorder, r->csv);
}

const char *tr_request_kept_words(const trRequest *r, const trRecorder *recorder) {
    const char *files[2];
    tr_request_written(r, recorder, files);
    return files[0] != NULL || files[1] != NULL ? "; the results so far are kept" : "";
}
