// SPDX-License-Identifier: MIT
// `trammel assemble`: model file -> system -> consistent positions and velocities, before and
// after.

#include <string.h>

#include "base/spell.h"
#include "cli/assemble_lua.h"
#include "cli/cli.h"

#define TEXT_SIZE 1024

typedef struct Request {
    trFileRequest file;
    const char  **keep;  // "crank.angle", keeps
    int           keeps;
    int           branch;  // 0: none
    bool          lua;
} Request;

static const char help[] =
    "  trammel assemble four_bar.lua --keep crank.angle\n\n"
    "usage: trammel assemble MODEL.lua [OPTIONS]\n\n"
    "Finds the nearest positions and velocities that satisfy the joints and\n"
    "constraints, and prints them before and after. A consistent start is not\n"
    "changed. If the model does not assemble, the joints that remain open are listed\n"
    "with their gaps.\n\n"
    "      --keep NAME,...      do not move these bodies (crank) or coordinates\n"
    "                           (crank.angle): x, y, angle; in 3D x, y, z,\n"
    "                           orientation; of system{} its coordinates; may be\n"
    "                           repeated\n"
    "      --branch N           start on branch N of a singular pose (see 'trammel\n"
    "                           check')\n"
    "      --lua                print changes as lines for the model file\n"
    "  -v, --verbose            print unchanged values, too\n"
    "      --set NAME=VALUE     set a parameter of the model file; may be repeated\n"
    "      --json               print the full result as JSON\n\n"
    "Uses start and rank_tolerance of m:simulate{}. Exit code 3: does not assemble.\n";

static const struct option options[] = {
    {"keep", required_argument, NULL, 'k'},
    {"branch", required_argument, NULL, 'b'},
    {"lua", no_argument, NULL, 'l'},
    {"all", no_argument, NULL, 'v'},
    {"set", required_argument, NULL, 's'},
    {"json", no_argument, NULL, 'j'},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

// The words of a list that commas separate, added to those before.
static bool read_keep(Request *r, const char *text) {
    int count = 1;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == ',';
    }
    const char **keep = tr_new_array(r->file.arena, const char *, r->keeps + count);
    char        *word = tr_arena_text(r->file.arena, text);
    if (keep == NULL || word == NULL) {
        tr_cli_error("out of memory");
        return false;
    }
    for (int i = 0; i < r->keeps; i++) {
        keep[i] = r->keep[i];
    }
    for (int i = 0; i < count; i++) {
        size_t length = strcspn(word, ",");
        bool   last = word[length] == '\0';
        word[length] = '\0';
        if (length == 0) {
            tr_cli_error("assemble: option '--keep' has an empty name in '%s'", text);
            return false;
        }
        keep[r->keeps++] = word;
        word += last ? length : length + 1;
    }
    r->keep = keep;
    return true;
}

static bool read_option(trFileRequest *request, int value) {
    Request *r = (Request *)request;
    switch (value) {
    case 'k':
        return read_keep(r, optarg);
    case 'b':
        return tr_cli_branch_number(optarg, &r->branch);
    case 'l':
        r->lua = true;
        return true;
    default:
        return false;
    }
}

static bool check_request(trFileRequest *request) {
    const Request *r = (Request *)request;
    if (r->branch > 0 && r->keeps > 0) {
        tr_cli_error("assemble: --branch and --keep exclude each other; leave one out");
        return false;
    }
    if (r->file.json && r->lua) {
        tr_cli_error("assemble: --json and --lua exclude each other; leave one out");
        return false;
    }
    return true;
}

// --- what is kept ---

static const char *name_of(const void *context, int i) {
    const trSystem *system = context;
    return tr_system_dim(system) == 0 ? tr_system_coordinate_name(system, i)
                                      : tr_system_body_name(system, i);
}

static int find_name(const trSystem *system, int count, const char *word, size_t length) {
    for (int i = 0; i < count; i++) {
        const char *name = name_of(system, i);
        if (strlen(name) == length && strncmp(name, word, length) == 0) {
            return i;
        }
    }
    return -1;
}

// "crank", or "crank.angle"; names may have dots.
static bool find_keep(const trSystem *system, const char *word, trKeep *out) {
    bool own = tr_system_dim(system) == 0;
    int  count = own ? tr_system_coordinates(system) : tr_system_bodies(system);
    *out = (trKeep){find_name(system, count, word, strlen(word)), NULL};
    const char *dot = strrchr(word, '.');
    if (out->body < 0 && dot != NULL) {
        *out = (trKeep){find_name(system, count, word, (size_t)(dot - word)), dot + 1};
    }
    if (out->body >= 0) {
        return true;
    }
    const char *near = tr_spell_nearest(word, count, name_of, system);
    char        start[128];
    snprintf(start, sizeof start, "%.*s", dot == NULL ? 0 : (int)(dot - word), word);
    near = near == NULL && dot != NULL ? tr_spell_nearest(start, count, name_of, system) : near;
    tr_cli_error("assemble: option '--keep': there is no %s '%s'%s%s%s",
                 own ? "coordinate" : "body", dot != NULL && !own ? start : word,
                 near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                 near != NULL ? "'?" : "");
    return false;
}

static trExit tell(const Request *r, const trAssemblyReport *report) {
    if (!r->lua) {
        return tr_cli_report(tr_report_assembly(report), &r->file);
    }
    if (report->assembly->assembled) {
        tr_assembly_lua(stdout, report, r->file.all);
    }
    return TR_EXIT_DONE;
}

// The start on a branch in place of the assembled one; `branch` holds it.
static trStatus go_to_branch(const Request *r, const trSystem *system, const trSimDef *def,
                             trBranchStart *branch, trAssembly *assembly) {
    trSimDef on_branch = *def;
    if (r->branch == 0) {
        return TR_OK;
    }
    TR_TRY(tr_cli_branch(system, r->branch, &on_branch, branch));
    assembly->q = branch->q.at;
    assembly->v = branch->v.at;
    assembly->moved = branch->moved;
    assembly->moved_coordinate = NULL;
    assembly->untouched = false;
    assembly->singular = NULL;
    return TR_OK;
}

static void warn(const trAssembly *assembly) {
    char text[TEXT_SIZE];
    if (assembly->singular != NULL) {
        snprintf(text, sizeof text, "assembled, but a run would refuse it: %s", assembly->singular);
        tr_cli_warning(text);
    }
    if (assembly->released) {
        tr_cli_warning("a fixed coordinate could not keep its velocity, which was changed");
    }
}

static bool find_keeps(const Request *r, const trSystem *system, trKeep *keep) {
    for (int i = 0; i < r->keeps; i++) {
        if (keep == NULL || !find_keep(system, r->keep[i], &keep[i])) {
            return false;
        }
    }
    return true;
}

// What was refused, in one line: an option, or the model.
static trExit refuse(const Request *r, trStatus status, const char *error) {
    if (status == TR_E_ARGUMENT) {
        tr_cli_error("assemble: option '%s': %s", r->branch > 0 ? "--branch" : "--keep", error);
        return TR_EXIT_USAGE;
    }
    return tr_cli_refuse(r->file.path, status);
}

static trExit assemble_and_tell(const Request *r, const trModel *model, const trSystem *system,
                                const trSimDef *def) {
    trAssembly        assembly;
    trBranchStart     branch = {0};
    trAssembleOptions wanted = tr_assemble_options_default();
    trKeep           *keep = tr_new_array(r->file.arena, trKeep, r->keeps);
    if (!find_keeps(r, system, keep)) {
        return TR_EXIT_USAGE;
    }
    wanted.time = def->start;
    wanted.rank_tolerance = def->rank_tolerance;
    wanted.keeps = r->keeps;
    wanted.keep = keep;
    trStatus status = tr_assembly_find(system, &wanted, &assembly);
    status = status == TR_OK ? go_to_branch(r, system, def, &branch, &assembly) : status;
    const char *error = status == TR_OK ? NULL : tr_arena_text(r->file.arena, tr_last_error());
    trExit      code = status == TR_OK ? TR_EXIT_DONE : refuse(r, status, error);
    if (status == TR_OK) {
        warn(&assembly);
    }
    if (status == TR_OK || assembly.opens > 0) {
        const trAssemblyReport report = {r->file.path, model, system,    &assembly, r->keeps,
                                         keep,         error, r->branch, &branch};
        trExit                 told = tell(r, &report);
        code = code == TR_EXIT_DONE ? told : code;
    }
    tr_assembly_free(&assembly);
    tr_branch_start_free(&branch);
    return code;
}

static trExit load_and_assemble(trFileRequest *request) {
    trLoaded loaded;
    trExit   code = tr_cli_prepare(request->path, request->set, &loaded);
    if (code == TR_EXIT_DONE) {
        code = assemble_and_tell((Request *)request, loaded.model, loaded.system, &loaded.def);
    }
    tr_cli_release(&loaded);
    return code;
}

const trCommand tr_command_assemble = {
    .name = "assemble",
    .summary = "find positions and velocities that satisfy the constraints",
    .help = help,
    .needs = "a model file",
    .example = "MODEL.lua",
    .size = sizeof(Request),
    .options = options,
    .option = read_option,
    .check = check_request,
    .run = load_and_assemble,
};
