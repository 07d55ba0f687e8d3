// SPDX-License-Identifier: MIT
// Commands that list what there is: joints, forces, methods, ...

#include <string.h>

#include "base/spell.h"
#include "cli/cli.h"
#include "report/reports.h"

#define MOST_FAMILIES 8  // of one command

typedef struct List {
    trCommand command;
    int       families;
    trFamily  family[MOST_FAMILIES];
} List;

typedef struct Request {
    trFileRequest file;  // its path is the name of a kind
    int           dim;   // 0: both
} Request;

static bool read_dim(trFileRequest *r, const char *text) {
    if (strcmp(text, "2") != 0 && strcmp(text, "3") != 0) {
        tr_cli_error("%s: option '--dim': '%s' is neither 2 (planar) nor 3 (spatial)",
                     r->command->name, text);
        return false;
    }
    ((Request *)r)->dim = text[0] - '0';
    return true;
}

static const trOption options[] = {
    TR_READ(read_dim, "dim", 0, "2|3", "planar kinds or spatial kinds only"),
    TR_JSON("the list"),
    {0},
};

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

static trExit list(trFileRequest *request) {
    const List     *of = (const List *)(const void *)request->command;
    const trListing listing = {of->families, of->family, request->path, ((Request *)request)->dim};
    if (listing.name != NULL && !check_name(request->command->name, &listing)) {
        return TR_EXIT_USAGE;
    }
    return tr_cli_report(tr_report_listing(&listing), request);
}

// Only families with dimensions have the first option.
#define LIST(named, is, example, has_dim, what)                                                  \
    .name = named, .summary = is, .examples = "  trammel " named " " example "\n", .help = what, \
    .needs = "a name", .file = "[NAME]", .optional = true, .size = sizeof(Request),              \
    .options = has_dim ? options : options + 1, .run = list

static const List lists[] = {
    {{LIST("couplings", "algorithms and schemes that couple modules", "gauss", false,
           "Lists the algorithms that couple modules, and the time integration schemes of\n"
           "coupled runs; or one of them in full.\n"),
      .alias = "gluings"},
     2,
     {TR_COUPLINGS, TR_SCHEMES}},
    {{LIST("fields", "keys of models, bodies, frames, and of all joints and forces", "body", true,
           "Lists the keys of a model, a body and a frame in a model file, and those that\n"
           "all joints and forces have. 'trammel joints' and 'trammel forces' list the keys\n"
           "of single kinds.\n"),
      .alias = "parts"},
     1,
     {TR_MODEL_PARTS}},
    {{LIST("forces", "kinds of forces and their parameters", "spring", true,
           "Lists the forces of m:force{}, planar ones, then spatial ones; or one in full.\n")},
     1,
     {TR_FORCES}},
    {{LIST("integrators", "integrators, with orders and sources", "dop853", false,
           "Lists the integrators, or one of them in full.\n")},
     1,
     {TR_INTEGRATORS}},
    {{LIST("joints", "kinds of joints and their parameters", "revolute", true,
           "Lists the joints of m:joint{}, planar ones, then spatial ones; or one in full.\n"
           "'trammel fields joint' lists the keys that all joints have.\n")},
     1,
     {TR_JOINTS}},
    {{LIST("methods", "methods, what they support and what they are made of, with sources",
           "direct", false,
           "A method is five choices: formulation, stabilization, projection of stages,\n"
           "projection of steps, and integrator (see 'trammel integrators'). Lists the named\n"
           "methods, what they are made of, and the settings of m:simulate{}; or one of\n"
           "these in full, with its options and what it refuses.\n")},
     8,
     {TR_METHODS, TR_FORMULATIONS, TR_STABILIZATIONS, TR_STAGE_PROJECTIONS, TR_PROJECTIONS,
      TR_CARRIES, TR_BASES, TR_SETTINGS}},
};

int tr_list_count(void) {
    return (int)(sizeof lists / sizeof *lists);
}

const trCommand *tr_list_at(int index) {
    return &lists[index].command;
}
