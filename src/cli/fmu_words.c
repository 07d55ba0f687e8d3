// SPDX-License-Identifier: MIT
#include "cli/fmu_words.h"

#include <string.h>

#include "base/json.h"

static const char *const plane_keys[] = {"x", "y", "angle"};
static const char *const space_keys[] = {"x", "y", "z", "rotation x", "rotation y", "rotation z"};

static int directions(const trFmuPort *port) {
    return port->dim == 3 ? 6 : 3;
}

static const char *direction(const trFmuPort *port, int i) {
    return port->dim == 3 ? space_keys[i] : plane_keys[i];
}

// The variable that tells an acceleration; NULL: none does.
static const char *acceleration(const trFmuInfo *info, const trFmuPort *port, int i) {
    return port->moves[i] && port->a[i] >= 0 ? info->variable[port->a[i]].name : NULL;
}

bool tr_fmu_obstacle(const trFmuInfo *info, char *text, size_t size) {
    bool exchange = (info->kinds & TR_FMU_MODEL_EXCHANGE) != 0;
    text[0] = '\0';
    if (info->kinds == 0) {
        snprintf(text, size, "it is neither for Model Exchange nor for Co-Simulation");
    } else if (!info->runs_here) {
        snprintf(text, size, "it has no binary for this machine");
    } else if (info->ports == 0) {
        snprintf(text, size,
                 "it has no ports; name its variables with --alias \"port.x=VARIABLE\"");
    } else if (!exchange && !info->repeats[TR_FMU_CO_SIMULATION]) {
        snprintf(text, size, "it cannot repeat a step, so only explicit steps are possible");
    }
    for (int i = 0; i < info->ports && text[0] == '\0'; i++) {
        if (info->port[i].missing != NULL) {
            snprintf(text, size, "port '%s' has no '%s'; name the variable with --alias",
                     info->port[i].name, info->port[i].missing);
        }
    }
    return text[0] != '\0';
}

// --- text ---

static void print_head(FILE *file, const trFmuInfo *info) {
    bool exchange = (info->kinds & TR_FMU_MODEL_EXCHANGE) != 0;
    bool co = (info->kinds & TR_FMU_CO_SIMULATION) != 0;
    fprintf(file, "%s: FMI %s, %s%s%s\n", info->name, info->version,
            exchange ? "Model Exchange" : "", exchange && co ? " and " : "",
            co         ? "Co-Simulation"
            : exchange ? ""
                       : "neither Model Exchange nor Co-Simulation");
    if (info->description != NULL && info->description[0] != '\0') {
        fprintf(file, "  %s\n", info->description);
    }
    if (info->tool != NULL) {
        fprintf(file, "  made by %s\n", info->tool);
    }
    fputs("  binaries:", file);
    for (int i = 0; i < info->platforms; i++) {
        fprintf(file, "%s %s", i > 0 ? "," : "", info->platform[i]);
    }
    fprintf(file, "%s\n",
            info->platforms == 0 ? " none"
            : info->runs_here    ? ""
                                 : ", none of them for this machine");
    fprintf(file, "  continuous states: %d, event indicators: %d\n", info->states,
            info->indicators);
}

static void print_kind(FILE *file, const trFmuInfo *info, trFmuKind kind, const char *name) {
    if ((info->kinds & (unsigned)kind) != 0) {
        fprintf(file, "  %-16s  %-12s  %-16s  %s\n", name, info->repeats[kind] ? "yes" : "no",
                info->serializes[kind] ? "yes" : "no", info->derives[kind] ? "yes" : "no");
    }
}

static void print_port(FILE *file, const trFmuInfo *info, const trFmuPort *port) {
    fprintf(file, "  %s, in %s\n", port->name, port->dim == 3 ? "space" : "the plane");
    for (int i = 0; i < directions(port); i++) {
        const char *a = acceleration(info, port, i);
        if (!port->moves[i]) {
            fprintf(file, "    %-12s  does not move\n", direction(port, i));
            continue;
        }
        fprintf(file, "    %-12s  load '%s', acceleration %s%s%s\n", direction(port, i),
                info->variable[port->f[i]].name, a != NULL ? "'" : "by differences of velocities",
                a != NULL ? a : "", a != NULL ? "'" : "");
    }
    if (port->missing != NULL) {
        fprintf(file, "    MISSING: '%s'\n", port->missing);
    }
}

static bool is_shown(const trFmuVariable *v, bool all) {
    return v->name[0] != '\0' &&
           (all || strcmp(v->causality, "parameter") == 0 || strcmp(v->causality, "input") == 0 ||
            strcmp(v->causality, "output") == 0);
}

static void print_variables(FILE *file, const trFmuInfo *info, bool all) {
    int hidden = 0;
    fprintf(file, "\n  %-28s  %-10s  %-8s  %12s  %s\n", "variable", "is", "type", "start", "unit");
    for (int i = 0; i < info->variables; i++) {
        const trFmuVariable *v = &info->variable[i];
        if (!is_shown(v, all)) {
            hidden++;
            continue;
        }
        fprintf(file, "  %-28s  %-10s  %-8s  %12s%s%s\n", v->name, v->causality, v->type,
                v->start != NULL ? v->start : "-", v->unit[0] != '\0' ? "  " : "", v->unit);
    }
    if (hidden > 0) {
        fprintf(file, "  and %d more, which --all lists\n", hidden);
    }
}

void tr_fmu_print(FILE *file, const trFmuInfo *info, bool all) {
    char obstacle[512];
    print_head(file, info);
    fprintf(file, "\n  %-16s  %-12s  %-16s  %s\n", "", "repeats", "can be saved",
            "directional derivatives");
    print_kind(file, info, TR_FMU_MODEL_EXCHANGE, "Model Exchange");
    print_kind(file, info, TR_FMU_CO_SIMULATION, "Co-Simulation");
    fprintf(file, "\nports: %d\n", info->ports);
    for (int i = 0; i < info->ports; i++) {
        print_port(file, info, &info->port[i]);
    }
    print_variables(file, info, all);
    fprintf(file, "\nwarnings: %d\n", info->warnings);
    for (int i = 0; i < info->warnings; i++) {
        fprintf(file, "  %s\n", info->warning[i]);
    }
    bool stuck = tr_fmu_obstacle(info, obstacle, sizeof obstacle);
    fprintf(file, "\n%s%s\n", stuck ? "cannot be glued as it is: " : "can be glued",
            stuck ? obstacle : "");
}

// --- JSON ---

static void json_kind(trJson *json, const trFmuInfo *info, trFmuKind kind, const char *name) {
    if ((info->kinds & (unsigned)kind) == 0) {
        tr_json_text(json, name, NULL);
        return;
    }
    tr_json_object(json, name);
    tr_json_text(json, "identifier", info->identifier[kind]);
    tr_json_bool(json, "repeats", info->repeats[kind] != 0);
    tr_json_bool(json, "can_be_saved", info->serializes[kind] != 0);
    tr_json_bool(json, "directional_derivatives", info->derives[kind] != 0);
    tr_json_close(json);
}

static void json_port(trJson *json, const trFmuInfo *info, const trFmuPort *port) {
    tr_json_object(json, NULL);
    tr_json_text(json, "name", port->name);
    tr_json_integer(json, "dim", port->dim);
    tr_json_text(json, "missing", port->missing);
    tr_json_array(json, "directions");
    for (int i = 0; i < directions(port); i++) {
        tr_json_object(json, NULL);
        tr_json_text(json, "name", direction(port, i));
        tr_json_bool(json, "moves", port->moves[i] != 0);
        tr_json_text(json, "load", port->f[i] >= 0 ? info->variable[port->f[i]].name : NULL);
        tr_json_text(json, "acceleration", acceleration(info, port, i));
        tr_json_close(json);
    }
    tr_json_close(json);
    tr_json_close(json);
}

static void json_variable(trJson *json, const trFmuInfo *info, const trFmuVariable *v) {
    tr_json_object(json, NULL);
    tr_json_text(json, "name", v->name);
    tr_json_integer(json, "reference", v->reference);
    tr_json_text(json, "causality", v->causality);
    tr_json_text(json, "variability", v->variability);
    tr_json_text(json, "type", v->type);
    tr_json_text(json, "unit", v->unit);
    tr_json_text(json, "start", v->start);
    tr_json_text(json, "description", v->description);
    tr_json_text(json, "derivative_of",
                 v->derivative_of >= 0 ? info->variable[v->derivative_of].name : NULL);
    tr_json_close(json);
}

static void json_texts(trJson *json, const char *key, int count, const char *const *text) {
    tr_json_array(json, key);
    for (int i = 0; i < count; i++) {
        tr_json_text(json, NULL, text[i]);
    }
    tr_json_close(json);
}

void tr_fmu_json(FILE *file, const trFmuInfo *info) {
    char   obstacle[512];
    bool   stuck = tr_fmu_obstacle(info, obstacle, sizeof obstacle);
    trJson json = tr_json_begin(file);
    tr_json_text(&json, "file", info->path);
    tr_json_text(&json, "name", info->name);
    tr_json_text(&json, "version", info->version);
    tr_json_text(&json, "description", info->description);
    tr_json_text(&json, "tool", info->tool);
    tr_json_text(&json, "token", info->token);
    json_kind(&json, info, TR_FMU_MODEL_EXCHANGE, "model_exchange");
    json_kind(&json, info, TR_FMU_CO_SIMULATION, "co_simulation");
    tr_json_integer(&json, "states", info->states);
    tr_json_integer(&json, "event_indicators", info->indicators);
    json_texts(&json, "platforms", info->platforms, info->platform);
    tr_json_bool(&json, "runs_here", info->runs_here != 0);
    tr_json_array(&json, "ports");
    for (int i = 0; i < info->ports; i++) {
        json_port(&json, info, &info->port[i]);
    }
    tr_json_close(&json);
    tr_json_array(&json, "variables");
    for (int i = 0; i < info->variables; i++) {
        if (info->variable[i].name[0] != '\0') {
            json_variable(&json, info, &info->variable[i]);
        }
    }
    tr_json_close(&json);
    json_texts(&json, "warnings", info->warnings, info->warning);
    tr_json_text(&json, "obstacle", stuck ? obstacle : NULL);
    tr_json_end(&json);
}
