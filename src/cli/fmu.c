// SPDX-License-Identifier: MIT
// `trammel fmu`: what an FMU is, and what of it joints can be glued to.

#include <string.h>

#include "cli/cli.h"
#include "report/reports.h"

typedef struct Request {
    trFileRequest file;
    trFmuAlias   *alias;  // as many as words of the command line; NULL: none so far
    int           aliases;
    bool          strict;
} Request;

static bool read_alias(trFileRequest *request, const char *text) {
    Request    *r = (Request *)request;
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0') {
        tr_cli_error("fmu: --alias needs KEY=VARIABLE, as tip.x=arm.r[1], not '%s'", text);
        return false;
    }
    trArena *arena = request->arena;
    r->alias = r->alias == NULL ? tr_new_array(arena, trFmuAlias, request->argc) : r->alias;
    char *key = tr_arena_format(arena, "%.*s", (int)(equals - text), text);
    if (tr_arena_status(arena) != TR_OK) {
        tr_cli_error("out of memory");
        return false;
    }
    r->alias[r->aliases++] = (trFmuAlias){key, equals + 1};
    return true;
}

static const trOption options[] = {
    TR_READ(read_alias, "alias", 0, "KEY=VARIABLE",
            "use another variable of a port, e.g. tip.x=arm.r[1]; may be repeated"),
    TR_VERBOSE("all variables, also internal ones"),
    TR_FLAG(Request, file.all, "all", 0, NULL),
    TR_FLAG(Request, strict, "strict", 0, "refuse deviations from the standard"),
    TR_JSON("the full description"),
    {0},
};

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

const trCommand tr_command_fmu = {
    .name = "fmu",
    .summary = "describe an FMU: kinds, ports, variables, warnings",
    .examples = "  trammel fmu crane.fmu\n",
    .help = "Describes an FMU (FMI 2.0 or 3.0) without running it: kinds, binaries, ports for\n"
            "joints, variables, deviations from the standard. A port \"tip\" consists of\n"
            "variables \"tip.x\", \"tip.vx\", \"tip.ax\", \"tip.fx\", ...\n",
    .needs = "an FMU",
    .file = "FILE.fmu",
    .size = sizeof(Request),
    .options = options,
    .run = show,
};
