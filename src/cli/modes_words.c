// SPDX-License-Identifier: MIT
// Modes as a table and as JSON.

#include "cli/modes_words.h"

#include "base/json.h"

static void print_pose(FILE *file, const trModes *m) {
    if (m->moving) {
        fputs("about a steady motion\n", file);
    } else if (m->unbalanced.unit != NULL) {
        fprintf(file,
                "at the model's pose, where forces do not balance: %s accelerates by %.4g %s\n",
                m->unbalanced.body, m->unbalanced.value, m->unbalanced.unit);
    } else if (m->moved.unit == NULL || m->iterations == 0) {
        fputs("about the model's pose, which is an equilibrium\n", file);
    } else {
        fprintf(file, "about an equilibrium, found in %d steps: %s moves by %.4g%s%s\n",
                m->iterations, m->moved.body, m->moved.value, m->moved.unit[0] != '\0' ? " " : "",
                m->moved.unit);
    }
}

// "rod, rotation (75 %)"
static void print_part(FILE *file, const char *part, const char *motion, double share) {
    fprintf(file, "%s%s%s", part, motion[0] != '\0' ? ", " : "", motion);
    if (share > 0.0) {
        fprintf(file, " (%.0f %%)", 100.0 * share);
    }
}

static void print_mode(FILE *file, int number, const trMode *mode) {
    char im[32] = "";
    if (mode->im != 0.0) {
        snprintf(im, sizeof im, "+- %.8g i", mode->im);
    }
    fprintf(file, "  %4d  %15.8g %-20s  ", number, mode->re, im);
    if (mode->im != 0.0) {
        fprintf(file, "%12.6g %12.6g", mode->undamped, mode->frequency);
    } else {
        fprintf(file, "%12s %12s", "-", "-");
    }
    fprintf(file, "  %9.4f  ", mode->damping + 0.0);
    print_part(file, mode->part, mode->motion, mode->share);
    fputs(mode->unstable ? "  UNSTABLE\n" : "\n", file);
}

void tr_modes_print(FILE *file, const trModesReport *r) {
    const trModes *m = r->modes;
    int            unstable = 0;
    fprintf(file, "%s: ", tr_system_name(r->system));
    print_pose(file, m);
    if (m->count > 0) {
        fprintf(file, "\n  mode  %-36s  %12s %12s  %9s  %s\n", "eigenvalue [1/s]", "|s|/2pi [Hz]",
                "damped [Hz]", "damping", "most of the kinetic energy");
    }
    for (int i = 0; i < m->count; i++) {
        print_mode(file, i + 1, &m->mode[i]);
        unstable += m->mode[i].unstable;
    }
    if (m->neutrals > 0) {
        fprintf(file, "\nneutral motions: %d, with %d zero eigenvalue%s; one set of them:\n",
                m->neutrals, m->zeros, m->zeros == 1 ? "" : "s");
    }
    for (int i = 0; i < m->neutrals; i++) {
        fputs("  ", file);
        print_part(file, m->neutral[i].part, m->neutral[i].motion, m->neutral[i].share);
        fputc('\n', file);
    }
    fprintf(file, "\n%s%s%s\n", unstable > 0 ? "unstable" : "no unstable mode",
            r->file != NULL ? "; shapes: " : "", r->file != NULL ? r->file : "");
}

// --- JSON ---

static void json_numbers(trJson *json, const char *key, int count, const double *numbers) {
    tr_json_array(json, key);
    for (int i = 0; i < count; i++) {
        tr_json_number(json, NULL, numbers[i]);
    }
    tr_json_close(json);
}

static void json_change(trJson *json, const char *key, const trCorrection *change) {
    if (change->unit == NULL) {
        tr_json_text(json, key, NULL);
        return;
    }
    tr_json_object(json, key);
    tr_json_number(json, "value", change->value);
    tr_json_text(json, "unit", change->unit[0] != '\0' ? change->unit : NULL);
    tr_json_text(json, "body", change->body);
    tr_json_close(json);
}

static const char *part_name(const trModesReport *r, int i) {
    return tr_system_dim(r->system) == 0 ? tr_system_coordinate_name(r->system, i)
                                         : tr_system_body_name(r->system, i);
}

// Real and imaginary part of a shape, body by body; `im` may be NULL.
static void json_shape(trJson *json, const trModesReport *r, const double *re, const double *im) {
    int nb = r->modes->nv / r->modes->bodies;
    tr_json_object(json, "shape");
    for (int i = 0; i < r->modes->bodies; i++) {
        tr_json_object(json, part_name(r, i));
        json_numbers(json, "re", nb, re + (ptrdiff_t)nb * i);
        if (im != NULL) {
            json_numbers(json, "im", nb, im + (ptrdiff_t)nb * i);
        }
        tr_json_close(json);
    }
    tr_json_close(json);
}

static void json_part(trJson *json, const char *part, const char *motion, double share) {
    tr_json_text(json, "part", part);
    tr_json_text(json, "motion", motion[0] != '\0' ? motion : NULL);
    tr_json_number(json, "share", share);
}

static void json_mode(trJson *json, const trModesReport *r, const trMode *mode) {
    tr_json_object(json, NULL);
    tr_json_number(json, "re", mode->re);
    tr_json_number(json, "im", mode->im);
    tr_json_number(json, "undamped_frequency", mode->undamped);
    tr_json_number(json, "frequency", mode->frequency);
    tr_json_number(json, "damping_ratio", mode->damping + 0.0);
    tr_json_bool(json, "unstable", mode->unstable);
    json_part(json, mode->part, mode->motion, mode->share);
    tr_json_object(json, "kinetic_shares");
    for (int i = 0; i < r->modes->bodies; i++) {
        tr_json_number(json, part_name(r, i), mode->body_share[i]);
    }
    tr_json_close(json);
    json_shape(json, r, mode->shape, mode->shape_im);
    tr_json_close(json);
}

static void json_neutrals(trJson *json, const trModesReport *r) {
    tr_json_array(json, "neutral_motions");
    for (int i = 0; i < r->modes->neutrals; i++) {
        const trNeutral *neutral = &r->modes->neutral[i];
        tr_json_object(json, NULL);
        json_part(json, neutral->part, neutral->motion, neutral->share);
        json_shape(json, r, neutral->shape, NULL);
        tr_json_close(json);
    }
    tr_json_close(json);
}

void tr_modes_json(FILE *file, const trModesReport *r) {
    const trModes *m = r->modes;
    trJson         json = tr_json_begin(file);
    tr_json_text(&json, "model", tr_system_name(r->system));
    tr_json_text(&json, "file", r->path);
    tr_json_text(&json, "result", r->file);
    tr_json_text(&json, "about",
                 m->moving                    ? "steady motion"
                 : m->unbalanced.unit != NULL ? "pose"
                                              : "equilibrium");
    tr_json_integer(&json, "equilibrium_steps", m->iterations);
    json_change(&json, "moved", &m->moved);
    json_change(&json, "unbalanced", &m->unbalanced);
    json_numbers(&json, "q", m->nq, m->q);
    json_numbers(&json, "v", m->nv, m->v);
    tr_json_array(&json, "modes");
    for (int i = 0; i < m->count; i++) {
        json_mode(&json, r, &m->mode[i]);
    }
    tr_json_close(&json);
    tr_json_integer(&json, "zero_eigenvalues", m->zeros);
    json_neutrals(&json, r);
    tr_json_array(&json, "warnings");
    for (int i = 0; i < tr_model_warnings(r->model); i++) {
        tr_json_text(&json, NULL, tr_model_warning(r->model, i));
    }
    tr_json_close(&json);
    tr_json_end(&json);
}
