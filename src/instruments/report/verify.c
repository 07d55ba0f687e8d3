// SPDX-License-Identifier: MIT
#include "report/reports.h"

#include <math.h>

#include "report/mechanics.h"

#define FINDINGS_SHOWN 20

static void add_heading(trReport *r, const char *path, const trVerification *seen) {
    if (seen->model != NULL) {
        tr_report_note(r, NULL, "%s: %ld row%s of %d columns, model '%s', %s; the run: %s\n", path,
                       seen->rows, tr_plural(seen->rows), seen->columns, seen->model, seen->method,
                       seen->outcome);
    } else {
        tr_report_note(r, NULL, "%s: %ld row%s of %d columns; the run: %s\n", path, seen->rows,
                       tr_plural(seen->rows), seen->columns, seen->outcome);
    }
    tr_report_text(r, "file", NULL, path);
    tr_report_text(r, "model", NULL, seen->model);
    tr_report_text(r, "method", NULL, seen->method);
    tr_report_text(r, "outcome", NULL, seen->outcome);
    tr_report_integer(r, "rows", NULL, seen->rows);
    tr_report_integer(r, "columns", NULL, seen->columns);
    tr_report_bool(r, "verified", NULL, seen->findings == 0);
    tr_report_integer(r, "findings", NULL, seen->findings);
}

static void add_finding(trReport *r, const char *key, const trVerifyFinding *f) {
    tr_report_open(r, key, NULL, 0);
    tr_report_text(r, "kind", NULL, tr_verify_word(f->kind));
    if (f->row >= 0) {
        tr_report_integer(r, "row", NULL, f->row + 1);
        tr_report_number(r, "time", NULL, f->time, NULL);
    }
    tr_report_text(r, "what", NULL, f->what);
    tr_report_number(r, "off", NULL, f->off, NULL);
    tr_report_number(r, "allowed", NULL, f->allowed, NULL);
    tr_report_text(r, "unit", NULL, f->unit);
    tr_report_close(r);
}

static void add_figure(trReport *r, trVerifyKind kind, const trVerifyFigure *f) {
    const trVerifyFinding *worst = &f->worst;
    bool off = f->findings > 0, near = !off && worst->what != NULL && worst->off > 0.0;
    char text[64];
    snprintf(text, sizeof text, "OFF: %ld of %ld", f->findings, f->checked);
    tr_report_open(r, tr_verify_word(kind), NULL, off ? TR_REPORT_BAD : 0);
    tr_report_text(r, NULL, "", tr_verify_word(kind));
    tr_report_text(r, "summary", " ", tr_verify_summary(kind));
    tr_report_integer(r, "rows", NULL, f->checked);
    tr_report_integer(r, "off", NULL, f->findings);
    tr_report_text(r, NULL, "  ", off ? text : "OK");
    if (near) {
        tr_report_number(r, NULL, "   %2", worst->off, worst->unit);
    }
    if (worst->what != NULL) {
        add_finding(r, "worst", worst);
    }
    tr_report_close(r);
}

// How far the energy drifts is not judged.
static void add_energy(trReport *r, const trVerification *seen) {
    if (seen->energy_unit == NULL) {
        return;
    }
    tr_report_note(r, NULL, "\nenergy.balance drifts by up to %.3g%s%s from %.3g%s%s",
                   seen->energy_drift, TR_UNIT(seen->energy_unit), seen->energy_start,
                   TR_UNIT(seen->energy_unit));
    tr_report_open(r, "energy_balance", NULL, 0);
    tr_report_number(r, "start", NULL, seen->energy_start, NULL);
    tr_report_number(r, "drift", NULL, seen->energy_drift, NULL);
    tr_report_number(r, "end_drift", NULL, seen->energy_end_drift, NULL);
    tr_report_text(r, "unit", NULL, seen->energy_unit);
    tr_report_close(r);
}

// The deviations as a table.
static void add_deviations(trReport *r, const trVerification *seen) {
    tr_report_note(r, NULL, "\n%ld deviation%s, worst first:", seen->findings,
                   tr_plural(seen->findings));
    tr_report_open(r, NULL, "", TR_REPORT_TABLE | TR_REPORT_WORDS);
    tr_report_shown(r, FINDINGS_SHOWN);
    for (int i = 0; i < seen->kept; i++) {
        const trVerifyFinding *f = &seen->finding[i];
        tr_report_open(r, NULL, NULL, 0);
        if (f->row >= 0) {
            tr_report_integer(r, NULL, "row", f->row + 1);
            tr_report_number(r, NULL, "t %9", f->time, "s");
        }
        tr_report_number(r, NULL, "off by %3", f->off, f->unit);
        tr_report_number(r, NULL, "allowed %1", f->row >= 0 ? f->allowed : NAN, f->unit);
        tr_report_text(r, NULL, "kind", tr_verify_word(f->kind));
        tr_report_text(r, NULL, "of", f->what);
        tr_report_close(r);
    }
    tr_report_close(r);
    if (seen->findings > seen->kept) {
        tr_report_note(r, NULL, "  of them %d are kept", seen->kept);
    }
}

trReport *tr_report_verify(const char *path, const trVerification *seen) {
    trReport *r = tr_report_create();
    if (r == NULL) {
        return NULL;
    }
    add_heading(r, path, seen);
    tr_report_open(r, "finding", NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < seen->kept; i++) {
        add_finding(r, NULL, &seen->finding[i]);
    }
    tr_report_close(r);
    tr_report_open(r, "compared", "", TR_REPORT_TABLE);
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        if (seen->figure[k].checked > 0) {
            add_figure(r, (trVerifyKind)k, &seen->figure[k]);
        }
    }
    tr_report_close(r);
    add_energy(r, seen);
    tr_report_open(r, "notes", NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < seen->notes; i++) {
        tr_report_note(r, NULL, "%snote: %s", i == 0 ? "\n" : "", seen->note[i]);
        tr_report_text(r, NULL, NULL, seen->note[i]);
    }
    tr_report_close(r);
    if (seen->findings == 0) {
        tr_report_note(r, NULL, "\nno problems found");
    } else {
        add_deviations(r, seen);
    }
    return r;
}
