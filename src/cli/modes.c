// SPDX-License-Identifier: MIT
// `trammel modes`: model file -> system -> equilibrium or steady motion -> eigenvalues and shapes.

#include <string.h>
#include <sys/stat.h>

#include "cli/model_file.h"
#include "cli/modes_words.h"

typedef struct Request {
    trArena     *arena;
    const char  *model;   // path
    const char  *output;  // path; NULL: none
    const char **set;     // "N=40", ending with NULL
    int          sets;
    bool         no_hdf5, json, keep_pose;
} Request;

static void help(FILE *file) {
    fputs(
        "  trammel modes models/benchmark/bicycle.lua --set speed=5\n\n"
        "usage: trammel modes MODEL.lua [OPTIONS]\n\n"
        "Finds the equilibrium next to the model's start, or takes the steady motion that it\n"
        "starts with, and prints the eigenvalues of small motions about it. Shapes go to\n"
        "MODEL_modes.h5 in the current folder, one after the other, as motions.\n\n"
        "  -o, --output FILE        the HDF5 file, in place of MODEL_modes.h5\n"
        "      --no-hdf5            no HDF5 file\n"
        "      --no-equilibrium     linearize at the model's pose, whether forces balance or not\n"
        "      --set NAME=VALUE     a parameter of the model file; may be repeated\n"
        "      --json               everything as JSON, with shapes\n\n"
        "Of m:simulate{}, start and rank_tolerance count.\n",
        file);
}

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},
    {"no-hdf5", no_argument, NULL, 'n'},
    {"no-equilibrium", no_argument, NULL, 'e'},
    {"set", required_argument, NULL, 's'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool read_option(Request *r, int value) {
    switch (value) {
    case 'o':
        r->output = optarg;
        return true;
    case 'n':
        r->no_hdf5 = true;
        return true;
    case 'e':
        r->keep_pose = true;
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

// MODEL_modes.h5 in the current folder for some/folder/MODEL.lua.
static const char *default_output(trArena *arena, const char *model) {
    const char *slash = strrchr(model, '/');
    const char *base = slash != NULL ? slash + 1 : model;
    const char *dot = strrchr(base, '.');
    bool        is_lua = dot != NULL && dot != base && strcmp(dot, ".lua") == 0;
    return tr_arena_format(arena, "%.*s_modes.h5", is_lua ? (int)(dot - base) : (int)strlen(base),
                           base);
}

static bool same_file(const char *a, const char *b) {
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

static bool check_request(Request *r, int argc, char **argv) {
    if (optind >= argc) {
        tr_cli_error("modes: needs a model file; write 'trammel modes MODEL.lua'");
        return false;
    }
    if (argc - optind > 1) {
        tr_cli_error("modes: takes one model file, not '%s' as well", argv[optind + 1]);
        return false;
    }
    r->model = argv[optind];
    if (r->no_hdf5 && r->output != NULL) {
        tr_cli_error("modes: --no-hdf5 and --output exclude each other; leave one out");
        return false;
    }
    if (!r->no_hdf5 && r->output == NULL) {
        r->output = default_output(r->arena, r->model);
    }
    if (r->output != NULL && same_file(r->output, r->model)) {
        tr_cli_error("modes: the result would overwrite '%s'; choose another file with --output",
                     r->model);
        return false;
    }
    return tr_arena_status(r->arena) == TR_OK;
}

static trExit read_request(Request *r, int argc, char **argv, bool *helped) {
    r->set = tr_new_array(r->arena, const char *, argc + 1);
    if (r->set == NULL) {
        tr_cli_error("out of memory");
        return TR_EXIT_FAILED;
    }
    for (int value; (value = tr_cli_option(argc, argv, ":o:h", options)) != -1;) {
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

static trStatus write_shapes(const Request *r, const trSystem *system, const trModes *modes) {
    trRecorder *recorder = NULL;
    if (r->output == NULL) {
        return TR_OK;
    }
    trStatus status = tr_recorder_create(&recorder);
    status = status == TR_OK ? tr_recorder_add(recorder, "hdf5", r->output) : status;
    status = status == TR_OK ? tr_recorder_note(recorder, "model", tr_system_name(system)) : status;
    status = status == TR_OK ? tr_recorder_note(recorder, "file", r->model) : status;
    status = status == TR_OK ? tr_recorder_note(recorder, "content", "modes") : status;
    status = status == TR_OK ? tr_modes_record(modes, recorder) : status;
    status = status == TR_OK ? tr_recorder_close(recorder, "done") : status;
    tr_recorder_destroy(recorder);
    return status;
}

static trExit find_and_tell(const Request *r, const trModel *model, const trSystem *system,
                            const trSimDef *def) {
    trModes        modes;
    trModesOptions wanted = tr_modes_options_default();
    wanted.time = def->start;
    wanted.rank_tolerance = def->rank_tolerance;
    wanted.keep_pose = r->keep_pose;
    trStatus status = tr_modes_find(system, &wanted, &modes);
    if (status != TR_OK) {
        return tr_cli_refuse_model(r->model, status);
    }
    status = write_shapes(r, system, &modes);
    if (status != TR_OK) {
        tr_modes_free(&modes);
        return tr_cli_refuse_model(r->model, status);
    }
    const trModesReport report = {r->model, r->output, model, system, &modes};
    if (r->json) {
        tr_modes_json(stdout, &report);
    } else {
        tr_modes_print(stdout, &report);
    }
    tr_modes_free(&modes);
    return TR_EXIT_DONE;
}

static trExit load_and_find(const Request *r) {
    trModel  *model = NULL;
    trSystem *system = NULL;
    trSimDef  def = tr_sim_def_default();
    trExit    code = tr_cli_load_model(r->model, r->set, &model, &system, &def);
    code = code == TR_EXIT_DONE ? find_and_tell(r, model, system, &def) : code;
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
        code = load_and_find(&request);
    }
    tr_arena_destroy(request.arena);
    return code;
}

const trCommand tr_command_modes = {
    .name = "modes",
    .summary = "eigenvalues and mode shapes about an equilibrium or a steady motion",
    .help = help,
    .run = run,
};
