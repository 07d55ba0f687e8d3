// SPDX-License-Identifier: MIT
#include "report/reports.h"

#include <string.h>

#include "report/mechanics.h"

static const char *direction(const trFmuPort *port, int i) {
    static const char *const planar[] = {"x", "y", "angle"};
    static const char *const spatial[] = {"x", "y", "z", "rotation x", "rotation y", "rotation z"};
    return port->dim == 3 ? spatial[i] : planar[i];
}

// Why it cannot be glued as it is: "" if it can.
static void find_obstacle(const trFmuInfo *info, char *text, size_t size) {
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
}

static void add_heading(trReport *r, const trFmuInfo *info) {
    bool exchange = (info->kinds & TR_FMU_MODEL_EXCHANGE) != 0;
    bool co = (info->kinds & TR_FMU_CO_SIMULATION) != 0;
    tr_report_note(r, NULL, "%s: FMI %s, %s%s%s", info->name, info->version,
                   exchange ? "Model Exchange" : "", exchange && co ? " and " : "",
                   co         ? "Co-Simulation"
                   : exchange ? ""
                              : "neither Model Exchange nor Co-Simulation");
    tr_report_text(r, "file", NULL, info->path);
    tr_report_text(r, "name", NULL, info->name);
    tr_report_text(r, "version", NULL, info->version);
    tr_report_text(r, "description", "description", info->description);
    tr_report_text(r, "tool", "made by", info->tool);
    tr_report_text(r, "token", NULL, info->token);
}

static void add_kind(trReport *r, const trFmuInfo *info, trFmuKind kind, const char *key,
                     const char *name) {
    if ((info->kinds & (unsigned)kind) == 0) {
        tr_report_text(r, key, NULL, NULL);
        return;
    }
    tr_report_open(r, key, name, TR_REPORT_LINE);
    tr_report_text(r, "identifier", NULL, info->identifier[kind]);
    tr_report_bool(r, "repeats", NULL, info->repeats[kind] != 0);
    tr_report_bool(r, "can_be_saved", NULL, info->serializes[kind] != 0);
    tr_report_bool(r, "directional_derivatives", NULL, info->derives[kind] != 0);
    tr_report_text(r, NULL, "%", info->repeats[kind] ? "can repeat steps" : "cannot repeat steps");
    tr_report_text(r, NULL, "%", info->serializes[kind] ? "can be saved" : "cannot be saved");
    tr_report_text(r, NULL, "%",
                   info->derives[kind] ? "directional derivatives" : "no directional derivatives");
    tr_report_close(r);
}

static void add_platforms(trReport *r, const trFmuInfo *info) {
    tr_report_note(r, "states", "%d continuous, %d event indicator%s", info->states,
                   info->indicators, tr_plural(info->indicators));
    tr_report_integer(r, "states", NULL, info->states);
    tr_report_integer(r, "event_indicators", NULL, info->indicators);
    tr_report_texts(r, "platforms", "binaries", info->platforms, info->platform);
    tr_report_bool(r, "runs_here", NULL, info->runs_here != 0);
    if (info->platforms == 0 || !info->runs_here) {
        tr_report_note(r, info->platforms == 0 ? "binaries" : "", "none for this machine");
    }
}

static void add_direction(trReport *r, const trFmuInfo *info, const trFmuPort *port, int i) {
    const char *load = port->f[i] >= 0 ? info->variable[port->f[i]].name : NULL;
    const char *a = port->moves[i] && port->a[i] >= 0 ? info->variable[port->a[i]].name : NULL;
    tr_report_open(r, NULL, NULL, 0);
    tr_report_text(r, "name", NULL, direction(port, i));
    tr_report_bool(r, "moves", NULL, port->moves[i] != 0);
    tr_report_open(r, NULL, direction(port, i), TR_REPORT_LINE);
    tr_report_text(r, NULL, "%", port->moves[i] ? NULL : "does not move");
    tr_report_text(r, "load", port->moves[i] ? "load '%'" : NULL, load);
    tr_report_text(r, "acceleration", "acceleration '%'", a);
    tr_report_text(r, NULL, "%",
                   port->moves[i] && a == NULL ? "acceleration by differences of velocities"
                                               : NULL);
    tr_report_close(r);
    tr_report_close(r);
}

static void add_ports(trReport *r, const trFmuInfo *info) {
    tr_report_note(r, NULL, "\nports: %d", info->ports);
    tr_report_open(r, "ports", NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < info->ports; i++) {
        const trFmuPort *port = &info->port[i];
        tr_report_open(r, NULL, port->name, 0);
        tr_report_text(r, "name", NULL, port->name);
        tr_report_integer(r, "dim", "dim", port->dim);
        tr_report_text(r, "missing", "MISSING", port->missing);
        tr_report_open(r, "directions", NULL, TR_REPORT_ARRAY);
        for (int k = 0; k < (port->dim == 3 ? 6 : 3); k++) {
            add_direction(r, info, port, k);
        }
        tr_report_close(r);
        tr_report_close(r);
    }
    tr_report_close(r);
}

// Inner variables are details.
static void add_variable(trReport *r, const trFmuInfo *info, const trFmuVariable *v) {
    bool outer = strcmp(v->causality, "parameter") == 0 || strcmp(v->causality, "input") == 0 ||
                 strcmp(v->causality, "output") == 0;
    tr_report_open(r, NULL, NULL, outer ? 0 : TR_REPORT_DETAIL);
    tr_report_text(r, "name", "variable", v->name);
    tr_report_integer(r, "reference", NULL, v->reference);
    tr_report_text(r, "causality", "is", v->causality);
    tr_report_text(r, "variability", NULL, v->variability);
    tr_report_text(r, "type", "type", v->type);
    tr_report_text(r, "unit", "unit", v->unit);
    tr_report_text(r, "start", "start", v->start);
    tr_report_text(r, "description", NULL, v->description);
    tr_report_text(r, "derivative_of", NULL,
                   v->derivative_of >= 0 ? info->variable[v->derivative_of].name : NULL);
    tr_report_close(r);
}

trReport *tr_report_fmu(const trFmuInfo *info) {
    trReport *r = tr_report_create();
    char      obstacle[512];
    if (r == NULL) {
        return NULL;
    }
    find_obstacle(info, obstacle, sizeof obstacle);
    add_heading(r, info);
    add_kind(r, info, TR_FMU_MODEL_EXCHANGE, "model_exchange", "Model Exchange");
    add_kind(r, info, TR_FMU_CO_SIMULATION, "co_simulation", "Co-Simulation");
    add_platforms(r, info);
    add_ports(r, info);
    tr_report_open(r, "variables", "\n", TR_REPORT_ARRAY | TR_REPORT_TABLE);
    for (int i = 0; i < info->variables; i++) {
        if (info->variable[i].name[0] != '\0') {
            add_variable(r, info, &info->variable[i]);
        }
    }
    tr_report_close(r);
    tr_report_note(r, NULL, "\nwarnings: %d", info->warnings);
    tr_report_open(r, "warnings", "", TR_REPORT_ARRAY);
    for (int i = 0; i < info->warnings; i++) {
        tr_report_text(r, NULL, NULL, info->warning[i]);
        tr_report_note(r, NULL, "%s", info->warning[i]);
    }
    tr_report_close(r);
    tr_report_text(r, "obstacle", NULL, obstacle[0] != '\0' ? obstacle : NULL);
    tr_report_note(r, NULL, "\n%s%s",
                   obstacle[0] != '\0' ? "cannot be glued as it is: " : "can be glued", obstacle);
    return r;
}
