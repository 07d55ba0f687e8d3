// SPDX-License-Identifier: MIT
// `trammel methods`: the named methods by what they do to the constraints, with what each can take;
// what they are made of; and the settings of a simulation.

#include <string.h>

#include "base/traits.h"
#include "integrator/integrator.h"

#include "cli/method_lists.h"

#define NAME_WIDTH 31

// Methods in the order of groups, and in a group in that of methods.def.
static const trMethod *method_at(int index) {
    for (int group = 0; group < TR_GROUPS; group++) {
        for (int i = 0; i < tr_method_count(); i++) {
            const trMethod *method = tr_method_at(i);
            if ((int)tr_method_group(method) == group && index-- == 0) {
                return method;
            }
        }
    }
    return NULL;
}

static const char *method_name(int index) {
    return method_at(index)->name;
}

static bool is_first_of_group(int index) {
    return index == 0 || tr_method_group(method_at(index)) != tr_method_group(method_at(index - 1));
}

static const char *yes(unsigned traits, unsigned bit) {
    return (traits & bit) != 0 ? "yes" : "no";
}

static void print_heading(FILE *file, int index) {
    trMethodGroup group = tr_method_group(method_at(index));
    fprintf(file, "%s%s: %s\n", index > 0 ? "\n" : "", tr_group_name(group),
            tr_group_summary(group));
    fprintf(file, "  %-*s %-9s  %-8s  %-8s  %-5s  %-8s  %-8s  %s\n", NAME_WIDTH, "", "redundant",
            "singular", "nonholo-", "fric-", "singular", "", "depends");
    fprintf(file, "  %-*s %-9s  %-8s  %-8s  %-5s  %-8s  %-8s  %s\n", NAME_WIDTH, "", "rows", "mass",
            "nomic", "tion", "pose", "matrices", "on units");
}

static void print_marks(FILE *file, const trMethod *method) {
    unsigned traits = tr_method_traits(method);
    fprintf(file, "  %-*s %-9s  %-8s  %-8s  %-5s  %-8s  %-8s  %s\n", NAME_WIDTH, method->name,
            yes(traits, TR_COPES_REDUNDANT), yes(traits, TR_COPES_SINGULAR_MASS),
            yes(traits, TR_COPES_NONHOLONOMIC), yes(traits, TR_COPES_NONIDEAL),
            yes(traits, TR_COPES_SINGULAR_POSE), (traits & TR_DENSE) != 0 ? "dense" : "sparse",
            yes(traits, TR_BY_UNITS));
    fprintf(file, "    %s\n", method->summary);
}

static void print_line(FILE *file, const char *key, const char *text) {
    fprintf(file, "    %-18s %s\n", key, text);
}

static void print_limits(FILE *file, unsigned traits) {
    int said = 0;
    fprintf(file, "    %-18s ", "takes");
    for (int i = 0; i < TR_TRAITS; i++) {
        if ((traits & tr_traits[i].bit) != 0) {
            fprintf(file, "%s%s", said++ > 0 ? ", " : "", tr_traits[i].words);
        }
    }
    fputs(said == 0 ? "none of what is special\n" : "\n", file);
    said = 0;
    for (int i = 0; i < TR_TRAITS; i++) {
        if ((traits & tr_traits[i].bit) == 0) {
            print_line(file, said++ > 0 ? "" : "refuses", tr_traits[i].refusal);
        }
    }
}

// Options that the method reads, with what holds where they are left out.
static void print_options(FILE *file, const trMethod *method) {
    const trSimDef    def = {.method = method->name}, plain = tr_sim_def_default();
    const trFieldList all = tr_settings();
    int               said = 0;
    for (int i = 0; i < all.count; i++) {
        const trField *f = all.at[i];
        char           text[TR_SETTING_TEXT];
        if (!tr_is_option(f->name) || !tr_sim_def_reads(&def, f->name)) {
            continue;
        }
        if (said++ == 0) {
            fprintf(file, "    %-18s %-24s %s\n", "option", "default", "meaning");
        }
        fprintf(file, "      %-16s %-24s %s\n", f->name, tr_setting_text(&plain, f, text), f->help);
    }
    if (said == 0) {
        print_line(file, "options", "none of its own");
    }
}

static void method_print(FILE *file, int index, bool full) {
    const trMethod *method = method_at(index);
    unsigned        traits = tr_method_traits(method);
    trMethodGroup   group = tr_method_group(method);
    if (!full) {
        if (is_first_of_group(index)) {
            print_heading(file, index);
        }
        print_marks(file, method);
        return;
    }
    fprintf(file, "  %-18s %s\n", method->name, method->summary);
    fprintf(file, "    %-18s %s: %s\n", "group", tr_group_name(group), tr_group_summary(group));
    print_line(file, "formulation", method->formulation);
    print_line(file, "stabilization", method->stabilization);
    print_line(file, "stage projection", method->stage_projection);
    print_line(file, "step projection", method->step_projection);
    print_line(file, "integrator",
               method->integrator != NULL ? method->integrator
                                          : "yours, or " TR_DEFAULT_INTEGRATOR);
    if (method->integrator != NULL && tr_integrator_is_absent(method->integrator)) {
        print_line(file, "", "needs SUNDIALS, which was not there when this was built; take");
        print_line(file, "", "generalized_alpha or radau5, which know the form, too");
    }
    print_line(file, "matrices",
               (traits & TR_DENSE) != 0 ? "dense: cost grows with the cube of the size"
                                        : "sparse: cost grows with the size on chains and trees");
    print_line(file, "units",
               (traits & TR_BY_UNITS) != 0
                   ? "the result depends on them by definition, within the error of the method"
                   : "the result does not depend on them");
    print_limits(file, traits);
    print_options(file, method);
    print_line(file, "source", method->source);
}

static void method_json(trJson *out, int index) {
    const trMethod *method = method_at(index);
    const trSimDef  def = {.method = method->name};
    unsigned        traits = tr_method_traits(method);
    tr_json_text(out, "name", method->name);
    tr_json_text(out, "group", tr_group_name(tr_method_group(method)));
    tr_json_text(out, "summary", method->summary);
    tr_json_text(out, "source", method->source);
    tr_json_text(out, "formulation", method->formulation);
    tr_json_text(out, "stabilization", method->stabilization);
    tr_json_text(out, "stage_projection", method->stage_projection);
    tr_json_text(out, "step_projection", method->step_projection);
    tr_json_text(out, "integrator", method->integrator);
    tr_traits_json(out, traits);
    tr_json_array(out, "refuses");
    for (int i = 0; i < TR_TRAITS; i++) {
        if ((traits & tr_traits[i].bit) == 0) {
            tr_json_text(out, NULL, tr_traits[i].refusal);
        }
    }
    tr_json_close(out);
    tr_json_array(out, "options");
    const trFieldList all = tr_settings();
    for (int i = 0; i < all.count; i++) {
        if (tr_is_option(all.at[i]->name) && tr_sim_def_reads(&def, all.at[i]->name)) {
            tr_json_object(out, NULL);
            tr_setting_json(out, all.at[i]);
            tr_json_close(out);
        }
    }
    tr_json_close(out);
}

static void help(FILE *file) {
    fputs(
        "  trammel methods direct\n\n"
        "usage: trammel methods [NAME] [--json]\n\n"
        "A method is five choices: formulation, stabilization, projection of stages, projection\n"
        "of steps, and integrator (see 'trammel integrators'). Lists the named methods with what\n"
        "each can take, what they are made of, and the settings of m:simulate{}; or one of\n"
        "these in full, with its options and what it refuses.\n",
        file);
}

static trExit run(int argc, char **argv) {
    trListing listings[2 + TR_PART_LISTINGS] = {
        {"methods", tr_method_count, method_name, NULL, method_print, method_json},
    };
    memcpy(listings + 1, tr_part_listings, sizeof tr_part_listings);
    listings[1 + TR_PART_LISTINGS] = tr_settings_listing;
    return tr_cli_list(argc, argv, help, (int)(sizeof listings / sizeof *listings), listings);
}

const trCommand tr_command_methods = {
    .name = "methods",
    .summary = "the methods, what they can take and what they are made of, with sources",
    .help = help,
    .run = run,
};
