// SPDX-License-Identifier: MIT
// `trammel integrators`: what advances a simulation, with orders and sources.

#include "integrator/integrator.h"

#include "cli/cli.h"

static const char *name(int index) {
    return tr_integrator_at(index)->name;
}

// What a method on the second face cannot be combined with: it holds positions on the constraints
// by itself.
typedef struct Refusal {
    const char *words;
    bool (*refuses)(const trImplicitKind *kind);  // NULL: where the trait is missing
    unsigned trait;
} Refusal;

static bool always(const trImplicitKind *kind) {
    (void)kind;
    return true;
}

// Its accelerations belong to states that must not be moved.
static bool has_own_reactions(const trImplicitKind *kind) {
    return kind->own_reactions;
}

// Ends of steps are put on the constraints in the metric of M, or not at all.
static bool is_projected(const trImplicitKind *kind) {
    return !kind->own_reactions;
}

static bool has_no_tangent(const trImplicitKind *kind) {
    return !kind->needs_tangent;
}

static const Refusal refusals[] = {
    {"method", always, 0},
    {"stabilization", always, 0},
    {"stage_projection", always, 0},
    {"step_projection", has_own_reactions, 0},
    {"step_projection but mass_orthogonal", is_projected, 0},
    {"redundant joints", NULL, TR_COPES_REDUNDANT},
    {"further states", has_no_tangent, 0},
    {"constraints that are not linear in velocities", has_no_tangent, 0},
    {"nonideal that uses reactions", NULL, TR_COPES_NONIDEAL},
};

#define REFUSALS ((int)(sizeof refusals / sizeof *refusals))

static bool is_refused(const trIntegratorKind *kind, const Refusal *r) {
    return kind->implicit != NULL &&
           (r->refuses != NULL ? r->refuses(kind->implicit) : (kind->traits & r->trait) == 0);
}

// Those on the first face that need tangents iterate, too.
static bool is_implicit(const trIntegratorKind *kind) {
    return kind->implicit != NULL || (kind->owner != NULL && kind->owner->needs_tangent);
}

// That it knows, the default first, then NULL.
static const char *const *forms_of(const trIntegratorKind *kind) {
    static const char *const none[] = {NULL};
    return kind->implicit != NULL && kind->implicit->forms != NULL ? kind->implicit->forms : none;
}

static void print_forms(FILE *file, const trIntegratorKind *kind) {
    const char *const *form = forms_of(kind);
    if (form[0] == NULL) {
        return;
    }
    fprintf(file, "  %-18s forms: ", "");
    for (int i = 0; form[i] != NULL; i++) {
        fprintf(file, "%s%s", i > 0 ? ", " : "", form[i]);
    }
    const char *adaptive = kind->implicit->adaptive_form;
    if (adaptive != NULL) {
        fprintf(file, "; %s where no step is given", adaptive);
    }
    fputc('\n', file);
}

static void print_refused(FILE *file, const trIntegratorKind *kind) {
    if (kind->implicit == NULL) {
        fprintf(file, "  %-18s implicit\n", "");
        return;
    }
    fprintf(file, "  %-18s implicit: refuses ", "");
    for (int i = 0; i < REFUSALS; i++) {
        if (is_refused(kind, &refusals[i])) {
            fprintf(file, "%s%s", i > 0 ? ", " : "", refusals[i].words);
        }
    }
    fputc('\n', file);
}

static void print(FILE *file, int index, bool full) {
    const trIntegratorKind *kind = tr_integrator_at(index);
    fprintf(file, "  %-18s %s\n", kind->name, kind->summary);
    fprintf(file, "  %-18s order %d, %s, %s%d evaluations per step\n", "", kind->order,
            kind->keeps_given_step  ? "fixed step if given, else adaptive"
            : kind->error_order > 0 ? "adaptive step"
                                    : "fixed step",
            is_implicit(kind) || kind->owner != NULL ? "about " : "", kind->evaluations);
    if (is_implicit(kind)) {
        print_refused(file, kind);
    }
    print_forms(file, kind);
    if (full) {
        fprintf(file, "  %-18s error between steps behaves as h^%d\n", "", kind->dense_order);
    }
    fprintf(file, "  %-18s %s\n", "", kind->source);
}

static void json(trJson *out, int index) {
    const trIntegratorKind *kind = tr_integrator_at(index);
    tr_json_text(out, "name", kind->name);
    tr_json_text(out, "summary", kind->summary);
    tr_json_text(out, "source", kind->source);
    tr_json_integer(out, "order", kind->order);
    tr_json_bool(out, "adaptive", kind->error_order > 0);
    tr_json_integer(out, "error_order", kind->error_order);
    tr_json_integer(out, "dense_order", kind->dense_order);
    tr_json_integer(out, "evaluations", kind->evaluations);
    tr_json_bool(out, "implicit", is_implicit(kind));
    tr_json_array(out, "forms");
    for (const char *const *form = forms_of(kind); *form != NULL; form++) {
        tr_json_text(out, NULL, *form);
    }
    tr_json_close(out);
    tr_json_array(out, "refuses");
    for (int i = 0; i < REFUSALS; i++) {
        if (is_refused(kind, &refusals[i])) {
            tr_json_text(out, NULL, refusals[i].words);
        }
    }
    tr_json_close(out);
}

static void help(FILE *file) {
    fputs("  trammel integrators dop853\n\n"
          "usage: trammel integrators [NAME] [--json]\n\n"
          "Lists the integrators, or one of them in full.\n",
          file);
}

static trExit run(int argc, char **argv) {
    static const trListing listing = {"integrators", tr_integrator_count, name, NULL, print, json};
    return tr_cli_list(argc, argv, help, 1, &listing);
}

const trCommand tr_command_integrators = {
    .name = "integrators",
    .summary = "the integrators, with orders and sources",
    .help = help,
    .run = run,
};
