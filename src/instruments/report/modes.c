// SPDX-License-Identifier: MIT
#include "report/reports.h"

#include <math.h>

#include "report/mechanics.h"

static void add_heading(trReport *r, const trModesReport *report) {
    const trModes      *m = report->modes;
    const char         *name = tr_system_name(report->system);
    const trCorrection *moved = &m->moved, *pushed = &m->unbalanced;
    if (m->moving) {
        tr_report_note(r, NULL, "%s: about a steady motion", name);
    } else if (pushed->unit != NULL) {
        tr_report_note(r, NULL,
                       "%s: at the model's pose, where forces do not balance: %s accelerates by "
                       "%.4g %s",
                       name, pushed->body, pushed->value, pushed->unit);
    } else if (moved->unit == NULL || m->iterations == 0) {
        tr_report_note(r, NULL, "%s: about the model's pose, which is an equilibrium", name);
    } else {
        tr_report_note(r, NULL,
                       "%s: about an equilibrium, found in %d step%s: %s moves by %.4g%s%s", name,
                       m->iterations, tr_plural(m->iterations), moved->body, moved->value,
                       TR_UNIT(moved->unit));
    }
}

static void add_change(trReport *r, const char *key, const trCorrection *change) {
    if (change->unit == NULL) {
        tr_report_text(r, key, NULL, NULL);
    } else {
        tr_report_change(r, key, change, "body");
    }
}

// Real and imaginary part of a shape, body by body; `im` may be NULL.
static void add_shape(trReport *r, const trModesReport *report, const double *re,
                      const double *im) {
    int nb = report->modes->nv / report->modes->bodies;
    tr_report_open(r, "shape", NULL, 0);
    for (int i = 0; i < report->modes->bodies; i++) {
        tr_report_open(r, tr_part_name(report->system, i), NULL, 0);
        tr_report_numbers(r, "re", nb, re + (ptrdiff_t)nb * i);
        if (im != NULL) {
            tr_report_numbers(r, "im", nb, im + (ptrdiff_t)nb * i);
        }
        tr_report_close(r);
    }
    tr_report_close(r);
}

// "rod, rotation (75 %)", a cell with this label.
static void add_part(trReport *r, const char *label, const char *part, const char *motion,
                     double share) {
    bool known = motion[0] != '\0';
    char percent[32];
    snprintf(percent, sizeof percent, "%.0f" TR_REPORT_GLUE "%%", 100.0 * share);
    tr_report_open(r, NULL, label, TR_REPORT_LINE);
    tr_report_text(r, "part", "%", part);
    tr_report_text(r, "motion", known ? "%" : NULL, known ? motion : NULL);
    tr_report_number(r, "share", NULL, share, NULL);
    tr_report_text(r, NULL, " (%)", share > 0.0 ? percent : NULL);
    tr_report_close(r);
}

static void add_mode(trReport *r, const trModesReport *report, int number, const trMode *mode) {
    bool swings = mode->im != 0.0;
    tr_report_open(r, NULL, NULL, mode->unstable ? TR_REPORT_BAD : 0);
    tr_report_open(r, NULL, NULL, TR_REPORT_WORDS);
    tr_report_integer(r, NULL, "mode", number);
    tr_report_number(r, NULL, "eigenvalue\n%8", mode->re, "1/s");
    tr_report_number(r, NULL, "\n+- i %8", swings ? mode->im : NAN, "1/s");
    tr_report_number(r, NULL, "|s|/2pi\n", swings ? mode->undamped : NAN, "Hz");
    tr_report_number(r, NULL, "damped\n", swings ? mode->frequency : NAN, "Hz");
    tr_report_number(r, NULL, "damping %4", mode->damping, NULL);
    tr_report_close(r);
    tr_report_number(r, "re", NULL, mode->re, NULL);
    tr_report_number(r, "im", NULL, mode->im, NULL);
    tr_report_number(r, "undamped_frequency", NULL, mode->undamped, NULL);
    tr_report_number(r, "frequency", NULL, mode->frequency, NULL);
    tr_report_number(r, "damping_ratio", NULL, mode->damping + 0.0, NULL);
    tr_report_bool(r, "unstable", NULL, mode->unstable);
    tr_report_text(r, NULL, "\n", mode->unstable ? "UNSTABLE" : NULL);
    add_part(r, "most of the\nenergy", mode->part, mode->motion, mode->share);
    tr_report_open(r, "kinetic_shares", NULL, TR_REPORT_DATA);
    for (int i = 0; i < report->modes->bodies; i++) {
        tr_report_number(r, tr_part_name(report->system, i), NULL, mode->body_share[i], NULL);
    }
    tr_report_close(r);
    add_shape(r, report, mode->shape, mode->shape_im);
    tr_report_close(r);
}

static void add_modes(trReport *r, const trModesReport *report) {
    const trModes *m = report->modes;
    tr_report_numbers(r, "q", m->nq, m->q);
    tr_report_numbers(r, "v", m->nv, m->v);
    tr_report_open(r, "modes", "\n", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    for (int i = 0; i < m->count; i++) {
        add_mode(r, report, i + 1, &m->mode[i]);
    }
    tr_report_close(r);
}

static void add_neutrals(trReport *r, const trModesReport *report) {
    const trModes *m = report->modes;
    tr_report_integer(r, "zero_eigenvalues", NULL, m->zeros);
    if (m->neutrals > 0) {
        tr_report_note(r, NULL,
                       "\nneutral motions: %d, with %d zero eigenvalue%s; one set of them:",
                       m->neutrals, m->zeros, tr_plural(m->zeros));
    }
    tr_report_open(r, "neutral_motions", "", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    for (int i = 0; i < m->neutrals; i++) {
        const trNeutral *neutral = &m->neutral[i];
        tr_report_open(r, NULL, NULL, 0);
        add_part(r, "", neutral->part, neutral->motion, neutral->share);
        add_shape(r, report, neutral->shape, NULL);
        tr_report_close(r);
    }
    tr_report_close(r);
}

trReport *tr_report_modes(const trModesReport *report) {
    trReport      *r = tr_report_create();
    const trModes *m = report->modes;
    bool           unstable = false;
    if (r == NULL) {
        return NULL;
    }
    add_heading(r, report);
    tr_report_text(r, "model", NULL, tr_system_name(report->system));
    tr_report_text(r, "file", NULL, report->path);
    tr_report_text(r, "result", NULL, report->file);
    tr_report_text(r, "about", NULL,
                   m->moving                    ? "steady motion"
                   : m->unbalanced.unit != NULL ? "pose"
                                                : "equilibrium");
    tr_report_integer(r, "equilibrium_steps", NULL, m->iterations);
    add_change(r, "moved", &m->moved);
    add_change(r, "unbalanced", &m->unbalanced);
    add_modes(r, report);
    add_neutrals(r, report);
    for (int i = 0; i < m->count; i++) {
        unstable = unstable || m->mode[i].unstable;
    }
    tr_report_note(r, NULL, "\n%s%s%s", unstable ? "unstable" : "no unstable mode",
                   report->file != NULL ? "; shapes: " : "",
                   report->file != NULL ? report->file : "");
    tr_report_warnings(r, report->model, NULL);
    return r;
}
