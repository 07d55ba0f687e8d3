// SPDX-License-Identifier: MIT
// `trammel gluings`: the algorithms that join modules, and the schemes that take them through time.

#include "cli/cli.h"
#include "glue/glue.h"

// What a module must be able to do for an algorithm.
static const struct {
    unsigned    bit;
    const char *key, *words;
} needs[] = {
    {TR_TAKES_POSITION, "positions", "corrections of positions"},
    {TR_TAKES_VELOCITY, "velocities", "corrections of velocities"},
    {TR_TAKES_PLAIN, "plain", "plain impulses"},
};

#define NEEDS ((int)(sizeof needs / sizeof *needs))

static const char *gluing_name(int index) {
    return tr_gluing_at(index)->name;
}

static void print_gluing(FILE *file, int index, bool full) {
    const trGluingKind *kind = tr_gluing_at(index);
    fprintf(file, "  %-18s %s\n", kind->name, kind->summary);
    if (kind->no_joints) {
        fprintf(file, "  %-18s for forces between ports; through joints it may diverge\n", "");
    }
    if (full && kind->takes != 0) {
        fprintf(file, "  %-18s modules must take ", "");
        for (int i = 0, any = 0; i < NEEDS; i++) {
            if ((kind->takes & needs[i].bit) != 0) {
                fprintf(file, "%s%s", any++ > 0 ? ", " : "", needs[i].words);
            }
        }
        fputc('\n', file);
    }
    fprintf(file, "  %-18s %s\n", "", kind->source);
}

static void json_gluing(trJson *out, int index) {
    const trGluingKind *kind = tr_gluing_at(index);
    tr_json_text(out, "name", kind->name);
    tr_json_text(out, "title", kind->title);
    tr_json_text(out, "summary", kind->summary);
    tr_json_text(out, "source", kind->source);
    tr_json_bool(out, "for_joints", !kind->no_joints);
    tr_json_array(out, "modules_must_take");
    for (int i = 0; i < NEEDS; i++) {
        if ((kind->takes & needs[i].bit) != 0) {
            tr_json_text(out, NULL, needs[i].key);
        }
    }
    tr_json_close(out);
}

static const char *scheme_name(int index) {
    return tr_scheme_at(index)->name;
}

static void print_scheme(FILE *file, int index, bool full) {
    const trSchemeKind *kind = tr_scheme_at(index);
    (void)full;
    fprintf(file, "  %-18s %s\n", kind->name, kind->summary);
    fprintf(file, "  %-18s %s\n", "", kind->source);
}

static void json_scheme(trJson *out, int index) {
    const trSchemeKind *kind = tr_scheme_at(index);
    tr_json_text(out, "name", kind->name);
    tr_json_text(out, "summary", kind->summary);
    tr_json_text(out, "source", kind->source);
}

static void help(FILE *file) {
    fputs("  trammel gluings gauss\n\n"
          "usage: trammel gluings [NAME] [--json]\n\n"
          "Lists the algorithms that glue modules together, and the schemes that take all of them\n"
          "through time, or one of them in full.\n",
          file);
}

static trExit run(int argc, char **argv) {
    static const trListing listings[] = {
        {"gluings", tr_gluing_count, gluing_name, NULL, print_gluing, json_gluing},
        {"schemes", tr_scheme_count, scheme_name, NULL, print_scheme, json_scheme},
    };
    return tr_cli_list(argc, argv, help, 2, listings);
}

const trCommand tr_command_gluings = {
    .name = "gluings",
    .summary = "the algorithms and schemes that glue modules together",
    .help = help,
    .run = run,
};
