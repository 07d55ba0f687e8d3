// SPDX-License-Identifier: MIT
// `trammel fmu`: what an FMU is, and what of it joints can be glued to.

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cli/cli.h"
#include "cli/fmu_words.h"

typedef struct Request {
    trArena    *arena;
    const char *path;
    trFmuAlias *alias;  // as many as arguments
    int         aliases;
    bool        json, strict, all;
} Request;

static void help(FILE *file) {
    fputs(
        "  trammel fmu crane.fmu\n\n"
        "usage: trammel fmu FILE.fmu [OPTIONS]\n\n"
        "Shows what an FMU (FMI 2.0 or 3.0) says of itself: kinds, binaries, ports that joints\n"
        "can be glued to, variables, and what is not as the standard says. Runs nothing of it.\n"
        "A port \"tip\" is made of variables \"tip.x\", \"tip.vx\", \"tip.ax\", \"tip.fx\", ...\n\n"
        "      --alias KEY=VARIABLE  a variable of a port by another name, as\n"
        "                            tip.x=arm.r[1]; may be repeated\n"
        "      --all                 all variables, inner ones as well\n"
        "      --strict              refuse what is not as the standard says\n"
        "      --json                everything as JSON\n",
        file);
}

static const struct option options[] = {
    {"alias", required_argument, NULL, 'a'}, {"all", no_argument, NULL, 'A'},
    {"strict", no_argument, NULL, 's'},      {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0},
};

static bool read_alias(Request *r, const char *text) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0') {
        tr_cli_error("fmu: --alias needs KEY=VARIABLE, as tip.x=arm.r[1], not '%s'", text);
        return false;
    }
    r->alias[r->aliases].key = tr_arena_format(r->arena, "%.*s", (int)(equals - text), text);
    r->alias[r->aliases++].variable = equals + 1;
    return tr_arena_status(r->arena) == TR_OK;
}

static bool read_option(Request *r, int value) {
    switch (value) {
    case 'a':
        return read_alias(r, optarg);
    case 'A':
        r->all = true;
        return true;
    case 's':
        r->strict = true;
        return true;
    case 'j':
        r->json = true;
        return true;
    default:
        return false;
    }
}

static trExit read_request(Request *r, int argc, char **argv, bool *helped) {
    r->alias = tr_new_array(r->arena, trFmuAlias, argc);
    if (r->alias == NULL) {
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
    if (argc - optind != 1) {
        if (optind >= argc) {
            tr_cli_error("fmu: needs an FMU; write 'trammel fmu FILE.fmu'");
        } else {
            tr_cli_error("fmu: takes one FMU, not '%s' as well", argv[optind + 1]);
        }
        return TR_EXIT_USAGE;
    }
    r->path = argv[optind];
    return TR_EXIT_DONE;
}

static trExit show(const Request *r) {
    trFmuInfo *info = NULL;
    trFmuDef   def = tr_fmu_def_default();
    def.strict = r->strict;
    def.aliases = r->aliases;
    def.alias = r->alias;
    trStatus status = tr_fmu_read(r->path, &def, &info);
    if (status != TR_OK) {
        return tr_cli_refuse(r->path, status);
    }
    if (r->json) {
        tr_fmu_json(stdout, info);
    } else {
        tr_fmu_print(stdout, info, r->all);
    }
    tr_fmu_info_free(info);
    return TR_EXIT_DONE;
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
        code = show(&request);
    }
    tr_arena_destroy(request.arena);
    return code;
}

const trCommand tr_command_fmu = {
    .name = "fmu",
    .summary = "what an FMU is: kinds, ports, variables, warnings",
    .help = help,
    .run = run,
};
