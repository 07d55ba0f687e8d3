// SPDX-License-Identifier: MIT
// `trammel verify` in words: what was compared, then what is off, worst first.

#include "cli/verify_words.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

static void print_amount(FILE *file, double value, const char *unit) {
    fprintf(file, "%.3g%s%s", value, unit[0] == '\0' ? "" : " ", unit);
}

static void print_figure(FILE *file, trVerifyKind kind, const trVerifyFigure *f) {
    const trVerifyFinding *worst = &f->worst;
    if (f->checked == 0) {
        return;
    }
    fprintf(file, "  %-12s %-46s ", tr_verify_word(kind), tr_verify_summary(kind));
    if (f->findings > 0) {
        fprintf(file, "OFF in %ld of %ld row%s\n", f->findings, f->checked,
                f->checked == 1 ? "" : "s");
        return;
    }
    fputs("holds", file);
    if (worst->what != NULL && worst->off > 0.0) {
        bool weak = kind == TR_VERIFY_WORK || kind == TR_VERIFY_MOTION;
        fputs(weak ? ", as far as rows tell: within " : ", within ", file);
        print_amount(file, worst->off, worst->unit);
    }
    fputc('\n', file);
}

static void print_finding(FILE *file, const trVerifyFinding *f) {
    if (f->row < 0) {
        fprintf(file, "  the file: %s\n", f->what);
        return;
    }
    fprintf(file, "  row %ld, t = %.9g s: %s", f->row + 1, f->time, f->what);
    if (isfinite(f->off)) {
        fputs("; off by ", file);
        print_amount(file, f->off, f->unit);
        fprintf(file, ", %.1g explained", f->allowed);
    }
    fprintf(file, " (%s)\n", tr_verify_word(f->kind));
}

// What is no judgment: how far the energy drifts, and which columns nothing is said about.
static void print_reach(FILE *file, const trVerification *seen) {
    if (seen->energy_unit != NULL) {
        fputs("\n  energy.balance drifts by up to ", file);
        print_amount(file, seen->energy_drift, seen->energy_unit);
        fputs(" from ", file);
        print_amount(file, seen->energy_start, seen->energy_unit);
        fputc('\n', file);
    }
}

void tr_verify_print(FILE *file, const char *path, const trVerification *seen, bool all) {
    int shown = all || seen->kept < TR_FINDINGS_SHOWN ? seen->kept : TR_FINDINGS_SHOWN;
    fprintf(file, "%s: %ld row%s of %d columns", path, seen->rows, seen->rows == 1 ? "" : "s",
            seen->columns);
    if (seen->model != NULL) {
        fprintf(file, ", model '%s', %s", seen->model, seen->method);
    }
    fprintf(file, "; the run: %s\n\n", seen->outcome);
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        print_figure(file, (trVerifyKind)k, &seen->figure[k]);
    }
    for (int i = 0; i < seen->notes; i++) {
        fprintf(file, "%s  note: %s\n", i == 0 ? "\n" : "", seen->note[i]);
    }
    print_reach(file, seen);
    if (seen->findings == 0) {
        fputs("\nnothing is off\n", file);
        return;
    }
    fprintf(file, "\n%ld deviation%s, worst first:\n", seen->findings,
            seen->findings == 1 ? "" : "s");
    for (int i = 0; i < shown; i++) {
        print_finding(file, &seen->finding[i]);
    }
    if (seen->findings > shown) {
        fprintf(file, "  and %ld more%s\n", seen->findings - shown,
                shown < seen->kept ? "; --all shows them" : "");
    }
}

// --- JSON ---

static void json_finding(trJson *json, const char *key, const trVerifyFinding *f) {
    tr_json_object(json, key);
    tr_json_text(json, "kind", tr_verify_word(f->kind));
    if (f->row >= 0) {
        tr_json_integer(json, "row", f->row + 1);
        tr_json_number(json, "time", f->time);
    }
    tr_json_text(json, "what", f->what);
    tr_json_number(json, "off", f->off);
    tr_json_number(json, "allowed", f->allowed);
    tr_json_text(json, "unit", f->unit);
    tr_json_close(json);
}

static void json_figure(trJson *json, trVerifyKind kind, const trVerifyFigure *f) {
    tr_json_object(json, tr_verify_word(kind));
    tr_json_text(json, "summary", tr_verify_summary(kind));
    tr_json_integer(json, "rows", f->checked);
    tr_json_integer(json, "off", f->findings);
    if (f->worst.what != NULL) {
        json_finding(json, "worst", &f->worst);
    }
    tr_json_close(json);
}

void tr_verify_json(FILE *file, const char *path, const trVerification *seen) {
    trJson json = tr_json_begin(file);
    tr_json_text(&json, "file", path);
    tr_json_text(&json, "model", seen->model);
    tr_json_text(&json, "method", seen->method);
    tr_json_text(&json, "outcome", seen->outcome);
    tr_json_integer(&json, "rows", seen->rows);
    tr_json_integer(&json, "columns", seen->columns);
    tr_json_bool(&json, "verified", seen->findings == 0);
    tr_json_integer(&json, "findings", seen->findings);
    tr_json_array(&json, "finding");
    for (int i = 0; i < seen->kept; i++) {
        json_finding(&json, NULL, &seen->finding[i]);
    }
    tr_json_close(&json);
    tr_json_object(&json, "compared");
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        if (seen->figure[k].checked > 0) {
            json_figure(&json, (trVerifyKind)k, &seen->figure[k]);
        }
    }
    tr_json_close(&json);
    if (seen->energy_unit != NULL) {
        tr_json_object(&json, "energy_balance");
        tr_json_number(&json, "start", seen->energy_start);
        tr_json_number(&json, "drift", seen->energy_drift);
        tr_json_number(&json, "end_drift", seen->energy_end_drift);
        tr_json_text(&json, "unit", seen->energy_unit);
        tr_json_close(&json);
    }
    tr_json_array(&json, "notes");
    for (int i = 0; i < seen->notes; i++) {
        tr_json_text(&json, NULL, seen->note[i]);
    }
    tr_json_close(&json);
    tr_json_end(&json);
}
