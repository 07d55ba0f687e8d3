// SPDX-License-Identifier: MIT
// `trammel joints`: the kinds of joints, their equations' units and their parameters.

#include "joint/joint.h"

#include "cli/cli.h"
#include "trammel/sim.h"

static const char *name(int index) {
    return tr_joint_at(index)->name;
}

static int dim(int index) {
    return tr_joint_at(index)->dim;
}

static void print_rows(FILE *file, const trJointKind *kind) {
    fprintf(file, "  %-18s %d row%s [", "", kind->rows, kind->rows == 1 ? "" : "s");
    for (int i = 0; i < kind->rows; i++) {
        fprintf(file, "%s%s", i > 0 ? ", " : "", kind->row_units[i]);
    }
    fputc(']', file);
    if (kind->nonholonomic == kind->rows) {
        fputs(", nonholonomic", file);
    } else if (kind->nonholonomic > 0) {
        fprintf(file, ", the last %d nonholonomic", kind->nonholonomic);
    }
    fputs((kind->traits & TR_RHEONOMIC) != 0 ? ", depends on time\n" : "\n", file);
}

static void print(FILE *file, int index, bool full) {
    const trJointKind *kind = tr_joint_at(index);
    fprintf(file, "  %-18s %s\n", kind->name, kind->summary);
    print_rows(file, kind);
    if (full) {
        fprintf(file, "  %-18s reaction at %s: %s\n", "", kind->reaction_at,
                TR_REACTION_CONVENTION);
        tr_cli_field_table(file, kind->fields);
        fprintf(file, "  %-18s and what every joint takes: 'trammel parts joint'\n", "");
    } else {
        fprintf(file, "  %-18s ", "");
        tr_cli_field_names(file, kind->fields);
        fputc('\n', file);
    }
}

static void json(trJson *out, int index) {
    const trJointKind *kind = tr_joint_at(index);
    tr_json_text(out, "name", kind->name);
    tr_json_text(out, "summary", kind->summary);
    tr_json_integer(out, "dim", kind->dim);
    tr_json_bool(out, "holonomic", kind->nonholonomic == 0);
    tr_json_integer(out, "nonholonomic_rows", kind->nonholonomic);
    tr_json_bool(out, "depends_on_time", (kind->traits & TR_RHEONOMIC) != 0);
    tr_json_array(out, "row_units");
    for (int i = 0; i < kind->rows; i++) {
        tr_json_text(out, NULL, kind->row_units[i]);
    }
    tr_json_close(out);
    tr_json_text(out, "reaction_at", kind->reaction_at);
    tr_json_text(out, "reaction", TR_REACTION_CONVENTION);
    tr_cli_field_json(out, "parameters", kind->fields);
}

static void help(FILE *file) {
    fputs("  trammel joints revolute\n\n"
          "usage: trammel joints [NAME] [--dim 2|3] [--json]\n\n"
          "Lists the joints that a model file can use with m:joint{}, or one of them in full,\n"
          "planar ones (dim = 2), then spatial ones (dim = 3). What every joint takes besides is\n"
          "listed by 'trammel parts joint'.\n",
          file);
}

static trExit run(int argc, char **argv) {
    static const trListing listing = {"joints", tr_joint_count, name, dim, print, json};
    return tr_cli_list(argc, argv, help, 1, &listing);
}

const trCommand tr_command_joints = {
    .name = "joints",
    .summary = "the kinds of joints and their parameters",
    .help = help,
    .run = run,
};
