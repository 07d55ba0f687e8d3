// SPDX-License-Identifier: MIT
// Commands that list what there is: joints, forces, methods, ...

#include <string.h>

#include "base/spell.h"
#include "cli/cli.h"
#include "report/listing.h"

static trExit run(int argc, char **argv);

#define MOST_FAMILIES 8  // of one command

typedef struct List {
    trCommand command;
    int       families;
    trFamily  family[MOST_FAMILIES];
} List;

#define HELP(name, example, dim, what) \
    "  trammel " name " " example "\n\nusage: trammel " name " [NAME]" dim " [--json]\n\n" what
#define DIM " [--dim 2|3]"
#define DIM_HELP "\nplanar ones (dim = 2), then spatial ones (dim = 3).\n"

static const List lists[] = {
    {{.name = "forces",
      .summary = "kinds of forces and their parameters",
      .help = HELP("forces", "spring", DIM,
                   "Lists the forces of m:force{}, or one of them in full," DIM_HELP),
      .entry = run},
     1,
     {TR_FORCES}},
    {{.name = "gluings",
      .summary = "algorithms and schemes that couple modules",
      .help = HELP(
          "gluings", "gauss", "",
          "Lists the algorithms that couple modules, and the time integration schemes of coupled\n"
          "runs, or one of them in full.\n"),
      .entry = run},
     2,
     {TR_COUPLINGS, TR_SCHEMES}},
    {{.name = "integrators",
      .summary = "integrators, with orders and sources",
      .help = HELP("integrators", "dop853", "", "Lists the integrators, or one of them in full.\n"),
      .entry = run},
     1,
     {TR_INTEGRATORS}},
    {{.name = "joints",
      .summary = "kinds of joints and their parameters",
      .help = HELP("joints", "revolute", DIM,
                   "Lists the joints of m:joint{}, or one of them in full," DIM_HELP
                   "'trammel parts joint' lists the keys that all joints have.\n"),
      .entry = run},
     1,
     {TR_JOINTS}},
    {{.name = "methods",
      .summary = "methods, what they support and what they are made of, with sources",
      .help = HELP(
          "methods", "direct", "",
          "A method is five choices: formulation, stabilization, projection of stages, projection\n"
          "of steps, and integrator (see 'trammel integrators'). Lists the named methods, what\n"
          "they are made of, and the settings of m:simulate{}; or one of these in full, with its\n"
          "options and what it refuses.\n"),
      .entry = run},
     8,
     {TR_METHODS, TR_FORMULATIONS, TR_STABILIZATIONS, TR_STAGE_PROJECTIONS, TR_PROJECTIONS,
      TR_CARRIES, TR_BASES, TR_SETTINGS}},
    {{.name = "parts",
      .summary = "keys of models, bodies, frames, and of all joints and forces",
      .help =
          HELP("parts", "body", DIM,
               "Lists the keys of a model, a body and a frame in a model file, and those that all "
               "joints\n"
               "and forces have," DIM_HELP
               "'trammel joints' and 'trammel forces' list the keys of single kinds.\n"),
      .entry = run},
     1,
     {TR_MODEL_PARTS}},
};

#define LISTS ((int)(sizeof lists / sizeof *lists))

int tr_list_count(void) {
    return LISTS;
}

const trCommand *tr_list_at(int index) {
    return &lists[index].command;
}

// The i-th name of all families after each other.
static const char *name_at(const void *context, int i) {
    const trListing *l = context;
    for (int k = 0; k < l->families; k++) {
        int here = tr_registry_count(l->family[k]);
        if (i < here) {
            return tr_registry_at(l->family[k], i).name;
        }
        i -= here;
    }
    return "";
}

static bool has_any(const trListing *l) {
    for (int k = 0; k < l->families; k++) {
        for (int i = 0; i < tr_registry_count(l->family[k]); i++) {
            if (tr_listing_has(l, l->family[k], i)) {
                return true;
            }
        }
    }
    return false;
}

static bool check_name(const char *command, const trListing *l) {
    const trListing anywhere = {l->families, l->family, l->name, 0};
    int             total = 0;
    if (has_any(l)) {
        return true;
    }
    if (has_any(&anywhere)) {
        tr_cli_error("%s: there is no %s '%s', only a %s one; leave out --dim", command,
                     l->dim == 2 ? "planar" : "spatial", l->name,
                     l->dim == 2 ? "spatial" : "planar");
        return false;
    }
    for (int k = 0; k < l->families; k++) {
        total += tr_registry_count(l->family[k]);
    }
    const char *near = tr_spell_nearest(l->name, total, name_at, l);
    if (near != NULL) {
        tr_cli_error("%s: there is no '%s'; did you mean '%s'?", command, l->name, near);
    } else {
        tr_cli_error("%s: there is no '%s'; 'trammel %s' lists all", command, l->name, command);
    }
    return false;
}

static bool read_dim(const char *command, const char *text, int *dim) {
    if (strcmp(text, "2") != 0 && strcmp(text, "3") != 0) {
        tr_cli_error("%s: option '--dim': '%s' is neither 2 (planar) nor 3 (spatial)", command,
                     text);
        return false;
    }
    *dim = text[0] - '0';
    return true;
}

// The first option is for families with dimensions only.
static bool read_options(int argc, char **argv, trListing *l, trFileRequest *request, bool *help) {
    static const struct option all[] = {
        {"dim", required_argument, NULL, 'd'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    bool                 dims = tr_registry_at(l->family[0], 0).dim != 0;
    const struct option *options = dims ? all : all + 1;
    for (int value; (value = tr_cli_option(argc, argv, ":h", options)) != -1;) {
        if (value == TR_CLI_BAD_OPTION || (value == 'd' && !read_dim(argv[0], optarg, &l->dim))) {
            return false;
        }
        *help = *help || value == 'h';
        request->json = request->json || value == 'j';
    }
    if (argc - optind > 1) {
        tr_cli_error("%s: expects one name at most, not also '%s'", argv[0], argv[optind + 1]);
        return false;
    }
    l->name = argv[optind];
    return true;
}

static trExit run(int argc, char **argv) {
    const List   *list = lists;
    trFileRequest request = {0};
    bool          help = false;
    while (strcmp(list->command.name, argv[0]) != 0) {
        list++;
    }
    trListing listing = {list->families, list->family, NULL, 0};
    if (!read_options(argc, argv, &listing, &request, &help)) {
        return TR_EXIT_USAGE;
    }
    if (help) {
        tr_command_help(argv[0]);
        return TR_EXIT_DONE;
    }
    if (listing.name != NULL && !check_name(argv[0], &listing)) {
        return TR_EXIT_USAGE;
    }
    return tr_cli_report(tr_report_listing(&listing), &request);
}
