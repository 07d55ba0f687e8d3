// SPDX-License-Identifier: MIT
// `trammel methods`: the named methods, the formulations and projections that they are made of,
// and the settings of a simulation.

#include <string.h>

#include "formulation/formulation.h"
#include "projection/projection.h"
#include "sim/def.h"

#include "cli/cli.h"

static const char *or_none(const char *text) {
    return text != NULL ? text : "none";
}

static const char *method_name(int index) {
    return tr_method_at(index)->name;
}

static void method_print(FILE *file, int index, bool full) {
    const trMethod *method = tr_method_at(index);
    fprintf(file, "  %-18s %s\n", method->name, method->summary);
    if (full) {
        fprintf(file, "    %-18s %s\n", "formulation", or_none(method->formulation));
        fprintf(file, "    %-18s %s\n", "stabilization", or_none(method->stabilization));
        fprintf(file, "    %-18s %s\n", "stage projection", or_none(method->stage_projection));
        fprintf(file, "    %-18s %s\n", "step projection", or_none(method->step_projection));
    } else {
        fprintf(file, "  %-18s %s, stabilization %s, projection of stages %s, of steps %s\n", "",
                or_none(method->formulation), or_none(method->stabilization),
                or_none(method->stage_projection), or_none(method->step_projection));
    }
    fprintf(file, "  %-18s %s\n", "", or_none(method->source));
}

static void method_json(trJson *out, int index) {
    const trMethod *method = tr_method_at(index);
    tr_json_text(out, "name", method->name);
    tr_json_text(out, "summary", method->summary);
    tr_json_text(out, "source", method->source);
    tr_json_text(out, "formulation", method->formulation);
    tr_json_text(out, "stabilization", method->stabilization);
    tr_json_text(out, "stage_projection", method->stage_projection);
    tr_json_text(out, "step_projection", method->step_projection);
}

static const char *formulation_name(int index) {
    return tr_formulation_at(index)->name;
}

static void formulation_print(FILE *file, int index, bool full) {
    const trFormulationKind *kind = tr_formulation_at(index);
    (void)full;
    fprintf(file, "  %-18s %s\n", kind->name, kind->summary);
    fprintf(file, "  %-18s %s, redundant rows: %s, singular mass: %s\n", "",
            (kind->traits & TR_DENSE) != 0 ? "dense" : "sparse",
            (kind->traits & TR_COPES_REDUNDANT) != 0 ? "yes" : "no",
            (kind->traits & TR_COPES_SINGULAR_MASS) != 0 ? "yes" : "no");
    fprintf(file, "  %-18s %s\n", "", or_none(kind->source));
}

static void formulation_json(trJson *out, int index) {
    const trFormulationKind *kind = tr_formulation_at(index);
    tr_json_text(out, "name", kind->name);
    tr_json_text(out, "summary", kind->summary);
    tr_json_text(out, "source", kind->source);
    tr_json_bool(out, "redundant_rows", (kind->traits & TR_COPES_REDUNDANT) != 0);
    tr_json_bool(out, "singular_mass", (kind->traits & TR_COPES_SINGULAR_MASS) != 0);
    tr_json_bool(out, "dense", (kind->traits & TR_DENSE) != 0);
}

static const char *projection_name(int index) {
    return tr_projection_at(index)->name;
}

static void projection_print(FILE *file, int index, bool full) {
    const trProjectionKind *kind = tr_projection_at(index);
    (void)full;
    fprintf(file, "  %-18s %s\n", kind->name, kind->summary);
    fprintf(file, "  %-18s metric: %s\n", "", kind->weight == TR_WEIGHT_MASS ? "mass" : "identity");
    fprintf(file, "  %-18s %s\n", "", or_none(kind->source));
}

static void projection_json(trJson *out, int index) {
    const trProjectionKind *kind = tr_projection_at(index);
    tr_json_text(out, "name", kind->name);
    tr_json_text(out, "summary", kind->summary);
    tr_json_text(out, "source", kind->source);
    tr_json_text(out, "metric", kind->weight == TR_WEIGHT_MASS ? "mass" : "identity");
}

static int setting_count(void) {
    int count = 0;
    while (tr_sim_def_fields[count].name != NULL) {
        count++;
    }
    return count;
}

static const char *setting_name(int index) {
    return tr_sim_def_fields[index].name;
}

static void setting_print(FILE *file, int index, bool full) {
    const trField one[] = {tr_sim_def_fields[index], TR_FIELD_END};
    if (full) {
        tr_cli_field_table(file, one);
    } else {
        fprintf(file, "  %-18s %s%s%s%s\n", one->name, one->help, one->unit[0] != '\0' ? " [" : "",
                one->unit, one->unit[0] != '\0' ? "]" : "");
    }
}

// What a text setting holds where nobody gives it, or NULL.
static const char *default_text(const trField *field) {
    const trSimDef def = tr_sim_def_default();
    const char    *text = NULL;
    memcpy(&text, (const char *)&def + field->offset, sizeof text);
    return text;
}

static void setting_json(trJson *out, int index) {
    const trField *field = &tr_sim_def_fields[index];
    tr_json_text(out, "name", field->name);
    tr_json_text(out, "type", tr_field_type_text(field->kind));
    tr_json_text(out, "unit", field->unit);
    if (field->kind == TR_FIELD_TEXT) {
        tr_json_text(out, "default", default_text(field));
    } else {
        tr_json_number(out, "default", field->fallback);
    }
    tr_json_text(out, "meaning", field->help);
}

static void help(FILE *file) {
    fputs("  trammel methods direct\n\n"
          "usage: trammel methods [NAME] [--json]\n\n"
          "A method is five choices: formulation, stabilization, projection of stages, projection\n"
          "of steps, and integrator (see 'trammel integrators'). Lists the named methods, what\n"
          "they are made of, and the settings of m:simulate{}, or one of these in full.\n",
          file);
}

static trExit run(int argc, char **argv) {
    static const trListing listings[] = {
        {"methods", tr_method_count, method_name, NULL, method_print, method_json},
        {"formulations", tr_formulation_count, formulation_name, NULL, formulation_print,
         formulation_json},
        {"projections", tr_projection_count, projection_name, NULL, projection_print,
         projection_json},
        {"settings", setting_count, setting_name, NULL, setting_print, setting_json},
    };
    return tr_cli_list(argc, argv, help, (int)(sizeof listings / sizeof *listings), listings);
}

const trCommand tr_command_methods = {
    .name = "methods",
    .summary = "the methods and what they are made of, with sources",
    .help = help,
    .run = run,
};
