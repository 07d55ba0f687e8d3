// SPDX-License-Identifier: MIT
// `trammel fmu`: what an FMU is, and what of it joints can be glued to.

#include <string.h>

#include "cli/cli.h"
#include "report/fmu.h"

typedef struct Request {
    trFileRequest file;
    int           arguments;
    trFmuAlias   *alias;  // as many as arguments; NULL: none so far
    int           aliases;
    bool          strict;
} Request;

static const char help[] =
    "  trammel fmu crane.fmu\n\n"
    "usage: trammel fmu FILE.fmu [OPTIONS]\n\n"
    "Describes an FMU (FMI 2.0 or 3.0) without running it: kinds, binaries, ports for\n"
    "joints, variables, deviations from the standard. A port \"tip\" consists of\n"
    "variables \"tip.x\", \"tip.vx\", \"tip.ax\", \"tip.fx\", ...\n\n"
    "      --alias KEY=VARIABLE use another variable of a port, e.g. tip.x=arm.r[1];\n"
    "                           may be repeated\n"
    "  -v, --verbose            list all variables, also internal ones\n"
    "      --strict             refuse deviations from the standard\n"
    "      --json               print the full description as JSON\n";

static const struct option options[] = {
    {"alias", required_argument, NULL, 'a'},
    {"all", no_argument, NULL, 'v'},
    {"verbose", no_argument, NULL, 'v'},
    {"strict", no_argument, NULL, 'S'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool read_alias(Request *r, const char *text) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0') {
        tr_cli_error("fmu: --alias needs KEY=VARIABLE, as tip.x=arm.r[1], not '%s'", text);
        return false;
    }
    trArena *arena = r->file.arena;
    r->alias = r->alias == NULL ? tr_new_array(arena, trFmuAlias, r->arguments) : r->alias;
    char *key = tr_arena_format(arena, "%.*s", (int)(equals - text), text);
    if (tr_arena_status(arena) != TR_OK) {
        tr_cli_error("out of memory");
        return false;
    }
    r->alias[r->aliases++] = (trFmuAlias){key, equals + 1};
    return true;
}

static bool read_option(trFileRequest *request, int value) {
    Request *r = (Request *)request;
    r->strict = r->strict || value == 'S';
    return value == 'S' || (value == 'a' && read_alias(r, optarg));
}

static trExit show(trFileRequest *request) {
    const Request *r = (const Request *)request;
    trFmuInfo     *info = NULL;
    trFmuDef       def = tr_fmu_def_default();
    def.strict = r->strict;
    def.aliases = r->aliases;
    def.alias = r->alias;
    trStatus status = tr_fmu_read(request->path, &def, &info);
    if (status != TR_OK) {
        return tr_cli_refuse(request->path, status);
    }
    trExit code = tr_cli_report(tr_report_fmu(info), request);
    tr_fmu_info_free(info);
    return code;
}

static void begin(trFileRequest *request, int argc, char **argv) {
    (void)argv;
    ((Request *)request)->arguments = argc;
}

const trCommand tr_command_fmu = {
    .name = "fmu",
    .summary = "describe an FMU: kinds, ports, variables, warnings",
    .help = help,
    .needs = "an FMU",
    .example = "FILE.fmu",
    .size = sizeof(Request),
    .options = options,
    .begin = begin,
    .option = read_option,
    .run = show,
};
