// SPDX-License-Identifier: MIT
// `trammel forces`: the kinds of forces and their parameters.

#include "force/force.h"

#include "cli/cli.h"

static const char *name(int index) {
    return tr_force_at(index)->name;
}

static int dim(int index) {
    return tr_force_at(index)->dim;
}

static void print(FILE *file, int index, bool full) {
    const trForceKind *kind = tr_force_at(index);
    fprintf(file, "  %-18s %s\n", kind->name, kind->summary);
    fprintf(file, "  %-18s %s%s\n", "",
            (kind->traits & TR_ONE_BODY) != 0 ? "on one body" : "between two bodies",
            (kind->traits & TR_CONSERVATIVE) != 0 ? ", conservative" : "");
    if (full) {
        tr_cli_field_table(file, kind->fields);
    } else {
        fprintf(file, "  %-18s ", "");
        tr_cli_field_names(file, kind->fields);
        fputc('\n', file);
    }
}

static void json(trJson *out, int index) {
    const trForceKind *kind = tr_force_at(index);
    tr_json_text(out, "name", kind->name);
    tr_json_text(out, "summary", kind->summary);
    tr_json_integer(out, "dim", kind->dim);
    tr_json_integer(out, "bodies", (kind->traits & TR_ONE_BODY) != 0 ? 1 : 2);
    tr_json_bool(out, "conservative", (kind->traits & TR_CONSERVATIVE) != 0);
    tr_cli_field_json(out, "parameters", kind->fields);
}

static void help(FILE *file) {
    fputs("  trammel forces spring\n\n"
          "usage: trammel forces [NAME] [--dim 2|3] [--json]\n\n"
          "Lists the forces that a model file can use with m:force{}, or one of them in full,\n"
          "planar ones (dim = 2), then spatial ones (dim = 3).\n",
          file);
}

static trExit run(int argc, char **argv) {
    static const trListing listing = {"forces", tr_force_count, name, dim, print, json};
    return tr_cli_list(argc, argv, help, 1, &listing);
}

const trCommand tr_command_forces = {
    .name = "forces",
    .summary = "the kinds of forces and their parameters",
    .help = help,
    .run = run,
};
