// SPDX-License-Identifier: MIT
// `trammel assemble`: model file -> system -> consistent positions and velocities, before and
// after.

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/shortest.h"
#include "base/spell.h"
#include "cli/cli.h"
#include "report/mechanics.h"
#include "report/reports.h"

#define TEXT_SIZE 1024
#define WORTH_WRITING 1e-12  // a change [m, rad, m/s, ...]; a run lets 1e-9 pass

typedef struct Request {
    trFileRequest file;
    const char  **keep;  // "crank.angle", keeps
    int           keeps;
    bool          lua;
} Request;

static bool read_keep(trFileRequest *request, const char *text) {
    Request *r = (Request *)request;
    return tr_cli_words(request->arena, "fix", text, &r->keeps, &r->keep);
}

static const trOption options[] = {
    TR_READ(read_keep, "fix", 0, "NAME,...",
            "do not move these bodies (crank) or coordinates (crank.angle): x, y, angle; in 3D x, "
            "y, z, orientation; of system{} its coordinates; may be repeated"),
    TR_READ(read_keep, "keep", 0, "NAME,...", NULL),
    TR_BRANCH,
    TR_FLAG(Request, lua, "lua", 0, "print changes as lines for the model file"),
    TR_VERBOSE("unchanged values, too"),
    TR_FLAG(Request, file.all, "all", 0, NULL),
    TR_SET("the model file"),
    TR_JSON("the full result"),
    {0},
};

static bool check_request(trFileRequest *request) {
    const Request *r = (Request *)request;
    if (r->file.branch > 0 && r->keeps > 0) {
        tr_cli_error("assemble: --branch and --fix exclude each other; leave one out");
        return false;
    }
    if (r->file.json && r->lua) {
        tr_cli_error("assemble: --json and --lua exclude each other; leave one out");
        return false;
    }
    return true;
}

// --- what is kept ---

static const char *name_of(const void *system, int i) {
    return tr_part_name(system, i);
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
    int  count = tr_parts(system);
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
    tr_cli_error("assemble: option '--fix': there is no %s '%s'%s%s%s", own ? "coordinate" : "body",
                 dot != NULL && !own ? start : word, near != NULL ? "; did you mean '" : "",
                 near != NULL ? near : "", near != NULL ? "'?" : "");
    return false;
}

// --- lines for the model file ---

static const char *const lua_words[] = {
    "and",      "break",  "do",   "else", "elseif", "end",   "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",   "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while",
};

// A key of a table: as it is, or quoted where Lua would not read it as a name.
static void lua_key(const char *name) {
    bool plain = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *c = name; *c != '\0'; c++) {
        plain = plain && (isalnum((unsigned char)*c) || *c == '_');
    }
    for (size_t i = 0; i < sizeof lua_words / sizeof *lua_words; i++) {
        plain = plain && strcmp(name, lua_words[i]) != 0;
    }
    if (plain) {
        fputs(name, stdout);
        return;
    }
    fputs("[\"", stdout);
    for (const char *c = name; *c != '\0'; c++) {
        fprintf(stdout,
                iscntrl((unsigned char)*c) ? "\\%03d"
                : *c == '"' || *c == '\\'  ? "\\%c"
                                           : "%c",
                (unsigned char)*c);
    }
    fputs("\"]", stdout);
}

static void lua_number(double number) {
    char text[TR_SHORTEST_BYTES];
    fputs(tr_shortest(number, text), stdout);
}

static void lua_numbers(const trAssemblyReport *r, const double *numbers) {
    for (int i = 0; i < tr_parts(r->system); i++) {
        fputs(i > 0 ? ", " : " ", stdout);
        lua_key(tr_part_name(r->system, i));
        fputs(" = ", stdout);
        lua_number(numbers[i]);
    }
}

static void lua_system(const trAssemblyReport *r) {
    fputs("s:start {", stdout);
    lua_numbers(r, r->assembly->q);
    fputs(",\n          v = {", stdout);
    lua_numbers(r, r->assembly->v);
    fputs(" } }\n", stdout);
}

// A field of a body, by the numbers of tr_body_numbers that it holds.
typedef struct Field {
    const char *name;
    int         first, count;
    bool        goes_on;  // the next one is in the same line
} Field;

static const Field planar[] = {{"at", 0, 2, true},
                               {"angle", 2, 1, false},
                               {"velocity", 3, 2, true},
                               {"angular_velocity", 5, 1, false},
                               {NULL, 0, 0, false}};
static const Field spatial[] = {{"at", 0, 3, false},
                                {"quaternion", 3, 4, false},
                                {"velocity", 7, 3, false},
                                {"angular_velocity", 10, 3, false},
                                {NULL, 0, 0, false}};

// "at = { 1, 2 },", or "angle = 1," of a single number.
static void lua_field(const Field *f, const trBodyNumber *number, const trBodyState *state) {
    printf("%s = %s", f->name, f->count > 1 ? "{ " : "");
    for (int i = 0; i < f->count; i++) {
        fputs(i > 0 ? ", " : "", stdout);
        lua_number(tr_body_number(state, &number[f->first + i]));
    }
    printf("%s,%s", f->count > 1 ? " }" : "", f->goes_on ? " " : "\n");
}

// Returns how many lines it takes.
static int lua_body(const trAssemblyReport *r, int i, bool all) {
    const trAssembly   *a = r->assembly;
    const trBodyState   before = tr_system_body_state(r->system, i, a->q0, a->v0);
    const trBodyState   after = tr_system_body_state(r->system, i, a->q, a->v);
    int                 dim = tr_system_dim(r->system), count = 0, shown = 0;
    const trBodyNumber *number = tr_body_numbers(dim, &count);
    for (const Field *f = dim == 2 ? planar : spatial, *end; f->name != NULL; f = end + 1) {
        bool changed = all;
        for (end = f; end->goes_on; end++) {
        }
        for (int k = f->first; k < end->first + end->count; k++) {
            changed = changed || !(fabs(tr_body_number(&after, &number[k]) -
                                        tr_body_number(&before, &number[k])) <= WORTH_WRITING);
        }
        if (changed && shown++ == 0) {
            printf("-- %s\n", tr_part_name(r->system, i));
        }
        for (const Field *k = f; changed && k <= end; k++) {
            lua_field(k, number, &after);
        }
    }
    return shown;
}

// `all`: what was not changed as well.
static void print_lua(const trAssemblyReport *r, bool all) {
    int shown = 0;
    if (tr_system_dim(r->system) == 0) {
        lua_system(r);
        return;
    }
    for (int i = 0; i < tr_parts(r->system); i++) {
        shown += lua_body(r, i, all);
    }
    if (shown == 0) {
        fputs("-- nothing was changed\n", stdout);
    }
}

static trExit tell(const Request *r, const trAssemblyReport *report) {
    if (!r->lua) {
        return tr_cli_report(tr_report_assembly(report), &r->file);
    }
    if (report->assembly->assembled) {
        print_lua(report, r->file.all);
    }
    return TR_EXIT_DONE;
}

// The start on a branch in place of the assembled one; `branch` holds it.
static trStatus go_to_branch(const Request *r, const trSystem *system, const trSimDef *def,
                             trBranchStart *branch, trAssembly *assembly) {
    trSimDef on_branch = *def;
    if (r->file.branch == 0) {
        return TR_OK;
    }
    TR_TRY(tr_cli_branch(system, r->file.branch, &on_branch, branch));
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
        tr_cli_error("assemble: option '%s': %s", r->file.branch > 0 ? "--branch" : "--fix", error);
        return TR_EXIT_USAGE;
    }
    return tr_cli_refuse(r->file.path, status);
}

static trExit assemble(trFileRequest *request, trLoaded *loaded) {
    const Request    *r = (const Request *)request;
    const trSystem   *system = loaded->system;
    trAssembly        assembly;
    trBranchStart     branch = {0};
    trAssembleOptions wanted = tr_assemble_options_default();
    trKeep           *keep = tr_new_array(r->file.arena, trKeep, r->keeps);
    if (!find_keeps(r, system, keep)) {
        return TR_EXIT_USAGE;
    }
    wanted.time = loaded->def.start;
    wanted.rank_tolerance = loaded->def.rank_tolerance;
    wanted.keeps = r->keeps;
    wanted.keep = keep;
    trStatus status = tr_assembly_find(system, &wanted, &assembly);
    status = status == TR_OK ? go_to_branch(r, system, &loaded->def, &branch, &assembly) : status;
    const char *error = status == TR_OK ? NULL : tr_arena_text(r->file.arena, tr_last_error());
    trExit      code = status == TR_OK ? TR_EXIT_DONE : refuse(r, status, error);
    if (status == TR_OK) {
        warn(&assembly);
    }
    if (status == TR_OK || assembly.opens > 0) {
        const trAssemblyReport report = {r->file.path, loaded->model,  system,
                                         &assembly,    r->keeps,       keep,
                                         error,        r->file.branch, &branch};
        trExit                 told = tell(r, &report);
        code = code == TR_EXIT_DONE ? told : code;
    }
    tr_assembly_free(&assembly);
    tr_branch_start_free(&branch);
    return code;
}

const trCommand tr_command_assemble = {
    .name = "assemble",
    .summary = "find positions and velocities that satisfy the constraints",
    .examples = "  trammel assemble four_bar.lua --fix crank.angle\n",
    .help = "Finds the nearest positions and velocities that satisfy the joints and\n"
            "constraints, and prints them before and after. A consistent start is not\n"
            "changed. If the model does not assemble, the joints that remain open are listed\n"
            "with their gaps.\n",
    .notes = "Uses start and rank_tolerance of m:simulate{}. Exit code 3: does not assemble.\n",
    .needs = "a model file",
    .file = "MODEL.lua",
    .size = sizeof(Request),
    .options = options,
    .check = check_request,
    .run_model = assemble,
};
