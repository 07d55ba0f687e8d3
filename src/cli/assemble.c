// SPDX-License-Identifier: MIT
// `trammel assemble`: model file -> system -> consistent positions and velocities, before and
// after.

#include <string.h>

#include "base/spell.h"
#include "cli/assemble_words.h"
#include "cli/model_file.h"

#define TEXT_SIZE 1024

typedef struct Request {
    trArena     *arena;
    const char  *model;  // path
    const char **set;    // "N=40", ending with NULL
    const char **keep;   // "crank.angle", keeps
    int          sets, keeps;
    bool         json, lua, all;
} Request;

static void help(FILE *file) {
    fputs(
        "  trammel assemble four_bar.lua --keep crank.angle\n\n"
        "usage: trammel assemble MODEL.lua [OPTIONS]\n\n"
        "Puts the positions and velocities of the model on its joints and constraints, with the\n"
        "smallest changes, and prints what was and what is. A consistent start is left as it is.\n"
        "Where nothing fits, the joints that remain open are named, with their gaps.\n\n"
        "      --keep NAME,...      bodies (crank) and coordinates (crank.angle) that stay where\n"
        "                           they are: x, y, angle; in space x, y, z, orientation; of\n"
        "                           system{} its coordinates. Velocities stay too, if they can.\n"
        "                           May be repeated\n"
        "      --lua                print the result as lines for the model file\n"
        "      --all                print what was not changed, too\n"
        "      --set NAME=VALUE     a parameter of the model file; may be repeated\n"
        "      --json               everything as JSON\n\n"
        "Of m:simulate{}, start and rank_tolerance count. Exit code 3: it does not assemble.\n",
        file);
}

static const struct option options[] = {
    {"keep", required_argument, NULL, 'k'},
    {"lua", no_argument, NULL, 'l'},
    {"all", no_argument, NULL, 'a'},
    {"set", required_argument, NULL, 's'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

// The words of a list that commas separate, added to those before.
static bool read_keep(Request *r, const char *text) {
    int count = 1;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == ',';
    }
    const char **keep = tr_new_array(r->arena, const char *, r->keeps + count);
    char        *word = tr_arena_text(r->arena, text);
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

static bool read_option(Request *r, int value) {
    switch (value) {
    case 'k':
        return read_keep(r, optarg);
    case 'l':
        r->lua = true;
        return true;
    case 'a':
        r->all = true;
        return true;
    case 's':
        return tr_cli_set(optarg, r->set, &r->sets);
    case 'j':
        r->json = true;
        return true;
    default:
        return false;
    }
}

static bool check_request(Request *r, int argc, char **argv) {
    if (optind >= argc) {
        tr_cli_error("assemble: needs a model file; write 'trammel assemble MODEL.lua'");
        return false;
    }
    if (argc - optind > 1) {
        tr_cli_error("assemble: takes one model file, not '%s' as well", argv[optind + 1]);
        return false;
    }
    if (r->json && r->lua) {
        tr_cli_error("assemble: --json and --lua exclude each other; leave one out");
        return false;
    }
    r->model = argv[optind];
    return true;
}

static trExit read_request(Request *r, int argc, char **argv, bool *helped) {
    r->set = tr_new_array(r->arena, const char *, argc + 1);
    if (r->set == NULL) {
        tr_cli_error("out of memory");
        return TR_EXIT_FAILED;
    }
    for (int value; (value = tr_cli_option(argc, argv, ":h", options)) != -1;) {
        if (value == 'h') {
            *helped = true;
            return TR_EXIT_DONE;
        }
        if (value == TR_CLI_BAD_OPTION || !read_option(r, value)) {
            return TR_EXIT_USAGE;
        }
    }
    return check_request(r, argc, argv) ? TR_EXIT_DONE : TR_EXIT_USAGE;
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

static void tell(const Request *r, const trAssemblyReport *report) {
    if (r->json) {
        tr_assembly_json(stdout, report);
    } else if (!r->lua) {
        tr_assembly_print(stdout, report);
    } else if (report->assembly->assembled) {
        tr_assembly_lua(stdout, report);
    }
}

static trExit assemble_and_tell(const Request *r, const trModel *model, const trSystem *system,
                                const trSimDef *def) {
    trAssembly        assembly;
    trAssembleOptions wanted = tr_assemble_options_default();
    trKeep           *keep = tr_new_array(r->arena, trKeep, r->keeps);
    for (int i = 0; i < r->keeps; i++) {
        if (keep == NULL || !find_keep(system, r->keep[i], &keep[i])) {
            return TR_EXIT_USAGE;
        }
    }
    wanted.time = def->start;
    wanted.rank_tolerance = def->rank_tolerance;
    wanted.keeps = r->keeps;
    wanted.keep = keep;
    trStatus         status = tr_assembly_find(system, &wanted, &assembly);
    const char      *error = status == TR_OK ? NULL : tr_arena_text(r->arena, tr_last_error());
    trAssemblyReport report = {r->model, model, system, &assembly, r->keeps, keep, r->all, error};
    trExit           code = TR_EXIT_DONE;
    if (status == TR_E_ARGUMENT) {
        tr_cli_error("assemble: option '--keep': %s", error);
        code = TR_EXIT_USAGE;
    } else if (status != TR_OK) {
        code = tr_cli_refuse_model(r->model, status);
    }
    if (status == TR_OK && assembly.singular != NULL) {
        char text[TEXT_SIZE];
        snprintf(text, sizeof text, "assembled, but a run would refuse it: %s", assembly.singular);
        tr_cli_warning(text);
    }
    if (status == TR_OK && assembly.released) {
        tr_cli_warning("what is kept cannot keep its velocity, which was changed");
    }
    if (status == TR_OK || assembly.opens > 0) {
        tell(r, &report);
    }
    tr_assembly_free(&assembly);
    return code;
}

static trExit load_and_assemble(const Request *r) {
    trModel  *model = NULL;
    trSystem *system = NULL;
    trSimDef  def = tr_sim_def_default();
    trExit    code = tr_cli_load_model(r->model, r->set, &model, &system, &def);
    code = code == TR_EXIT_DONE ? assemble_and_tell(r, model, system, &def) : code;
    tr_system_destroy(system);
    tr_model_destroy(model);
    return code;
}

static trExit run(int argc, char **argv) {
    Request request = {.arena = tr_arena_create()};
    bool    helped = false;
    trExit  code = TR_EXIT_FAILED;
    if (request.arena == NULL) {
        tr_cli_error("out of memory");
    } else {
        code = read_request(&request, argc, argv, &helped);
    }
    if (helped) {
        help(stdout);
    } else if (code == TR_EXIT_DONE) {
        code = load_and_assemble(&request);
    }
    tr_arena_destroy(request.arena);
    return code;
}

const trCommand tr_command_assemble = {
    .name = "assemble",
    .summary = "consistent positions and velocities, before and after",
    .help = help,
    .run = run,
};
