// SPDX-License-Identifier: MIT
// Ports by the names of variables: "tip.fx" is an input, so there is a port "tip".

#include <string.h>

#include "base/spell.h"
#include "fmi/description.h"

#define MOST_PORTS 64

enum { POSITION, VELOCITY, ACCELERATION, LOAD, KEY_LEVELS };

static const char *const plane[KEY_LEVELS][7] = {
    {"x", "y", "angle"}, {"vx", "vy", "omega"}, {"ax", "ay", "alpha"}, {"fx", "fy", "moment"}};
static const char *const space[KEY_LEVELS][7] = {{"x", "y", "z", "e0", "e1", "e2", "e3"},
                                                 {"vx", "vy", "vz", "wx", "wy", "wz"},
                                                 {"ax", "ay", "az", "alphax", "alphay", "alphaz"},
                                                 {"fx", "fy", "fz", "mx", "my", "mz"}};

// Spellings of units, of translation and of rotation by level.
static const char *const units[KEY_LEVELS][2] = {
    {" m ", " rad "},
    {" m/s m.s-1 ", " rad/s rad.s-1 1/s "},
    {" m/s2 m/s^2 m.s-2 ", " rad/s2 rad/s^2 rad.s-2 1/s2 "},
    {" N kg.m/s2 ", " N.m N*m Nm J "}};

const char *tr_fmu_key(int dim, int level, int i) {
    return (dim == 3 ? space : plane)[level][i];
}

typedef struct Search {
    trArena        *arena;
    const trFmuDef *def;
    trFmuInfo      *info;
    trFmuList      *warnings;
    trFmuPort      *port;  // MOST_PORTS
    int             ports;
} Search;

static const char *variable_name(const void *context, int i) {
    const trFmuInfo *info = context;
    return info->variable[i].name;
}

// The variable that is "port.key", by alias or by its name; -1: none.
static trStatus resolve(const Search *s, const char *port, const char *key, int *out) {
    const char *name = tr_arena_format(s->arena, "%s.%s", port, key);
    TR_TRY(tr_arena_status(s->arena));
    *out = -1;
    for (int i = 0; i < s->def->aliases; i++) {
        const trFmuAlias *alias = &s->def->alias[i];
        if (strcmp(alias->key, name) != 0) {
            continue;
        }
        *out = tr_fmu_find_variable(s->info, alias->variable);
        if (*out < 0) {
            tr_fail(TR_E_MODEL, "%s: '%s' is to be its variable '%s', which it has not",
                    s->info->path, name, alias->variable);
            return tr_spell_hint_or(TR_E_MODEL, alias->variable, s->info->variables, variable_name,
                                    s->info, "; 'trammel fmu' lists them");
        }
        return TR_OK;
    }
    *out = tr_fmu_find_variable(s->info, name);
    return TR_OK;
}

static bool is_input(const trFmuVariable *v) {
    return v->kind == TR_FMU_REAL && strcmp(v->causality, "input") == 0;
}

// The length of PORT in "PORT.fx", or 0.
static size_t port_length(const char *name) {
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot == name) {
        return 0;
    }
    for (int i = 0; i < 6; i++) {
        if (strcmp(dot + 1, space[LOAD][i]) == 0 || strcmp(dot + 1, "moment") == 0) {
            return (size_t)(dot - name);
        }
    }
    return 0;
}

static void note_port(Search *s, const char *name) {
    size_t length = port_length(name);
    for (int i = 0; i < s->ports; i++) {
        if (strlen(s->port[i].name) == length && strncmp(s->port[i].name, name, length) == 0) {
            return;
        }
    }
    if (length == 0) {
        return;
    }
    if (s->ports == MOST_PORTS) {
        tr_fmu_list_add(s->warnings, "more than %d ports: the rest is left out", MOST_PORTS);
        return;
    }
    const char *copy = tr_arena_format(s->arena, "%.*s", (int)length, name);
    if (copy != NULL) {
        s->port[s->ports++].name = copy;
    }
}

// One port in space puts all of them there.
static trStatus find_dim(const Search *s, int *dim) {
    static const char *const spatial[] = {"fz", "mx", "my", "mz", "z", "e0"};
    *dim = 2;
    for (int p = 0; p < s->ports; p++) {
        for (size_t i = 0; i < sizeof spatial / sizeof *spatial; i++) {
            int found = -1;
            TR_TRY(resolve(s, s->port[p].name, spatial[i], &found));
            *dim = found >= 0 ? 3 : *dim;
        }
    }
    for (int p = 0; p < s->ports && *dim == 3; p++) {
        int found = -1;
        TR_TRY(resolve(s, s->port[p].name, "moment", &found));
        if (found >= 0) {
            tr_fmu_list_add(s->warnings, "'%s.moment' is planar, and ports are spatial: not used",
                            s->port[p].name);
        }
    }
    return TR_OK;
}

static trStatus find_level(const Search *s, const trFmuPort *port, int level, int *out) {
    int count = level == POSITION ? (port->dim == 3 ? 7 : 3) : (port->dim == 3 ? 6 : 3);
    for (int i = 0; i < count; i++) {
        const char *key = tr_fmu_key(port->dim, level, i);
        bool        turns = i >= port->dim;
        TR_TRY(resolve(s, port->name, key, &out[i]));
        if (out[i] < 0) {
            continue;
        }
        const trFmuVariable *v = &s->info->variable[out[i]];
        if (v->kind != TR_FMU_REAL || (level == LOAD && !is_input(v))) {
            tr_fmu_list_add(s->warnings, "'%s' for '%s.%s' is no %s: not used", v->name, port->name,
                            key, level == LOAD ? "input of real numbers" : "real number");
            out[i] = -1;
        } else if (v->unit[0] != '\0' && strcmp(v->unit, "1") != 0 &&
                   !tr_xml_in(units[level][turns], v->unit)) {
            tr_fmu_list_add(s->warnings, "'%s' is in '%.20s', where ports have '%.*s'", v->name,
                            v->unit, (int)strcspn(units[level][turns] + 1, " "),
                            units[level][turns] + 1);
        }
    }
    return TR_OK;
}

// The variable that is declared as the derivative of v, where the acceleration has no name.
static int derivative_of(const trFmuInfo *info, int v) {
    for (int i = 0; i < info->variables; i++) {
        if (info->variable[i].derivative_of == v && info->variable[i].kind == TR_FMU_REAL) {
            return i;
        }
    }
    return -1;
}

static void miss(const Search *s, trFmuPort *port, int level, int i) {
    if (port->missing == NULL) {
        port->missing =
            tr_arena_format(s->arena, "%s.%s", port->name, tr_fmu_key(port->dim, level, i));
    }
}

// A direction moves where position, velocity and load are there; those of rotation in space all
// together.
static void find_moves(const Search *s, trFmuPort *port) {
    int  directions = port->dim == 3 ? 6 : 3;
    bool turns = port->dim == 3;
    for (int i = 3; port->dim == 3 && i < 6; i++) {
        turns = turns && port->v[i] >= 0 && port->f[i] >= 0;
    }
    for (int i = 3; port->dim == 3 && i < 7; i++) {
        turns = turns && port->x[i] >= 0;
    }
    for (int i = 0; i < directions; i++) {
        bool rotates = port->dim == 3 && i >= 3;
        bool whole = rotates ? turns : port->x[i] >= 0 && port->v[i] >= 0 && port->f[i] >= 0;
        port->moves[i] = whole;
        if (!whole && port->f[i] >= 0 && port->v[i] < 0) {
            miss(s, port, VELOCITY, i);
        } else if (!whole && port->f[i] >= 0) {
            int k = i;
            while (rotates && k < 6 && port->x[k] >= 0) {
                k++;
            }
            miss(s, port, port->x[k] < 0 ? POSITION : LOAD, k);
        }
        if (whole && port->a[i] < 0) {
            port->a[i] = derivative_of(s->info, port->v[i]);
        }
    }
}

static trStatus complete(const Search *s, int dim, trFmuPort *port) {
    int *const at[KEY_LEVELS] = {port->x, port->v, port->a, port->f};
    port->dim = dim;
    for (int level = 0; level < KEY_LEVELS; level++) {
        for (int i = 0; i < (level == POSITION ? 7 : 6); i++) {
            at[level][i] = -1;
        }
        TR_TRY(find_level(s, port, level, at[level]));
    }
    find_moves(s, port);
    return tr_arena_status(s->arena);
}

trStatus tr_fmu_find_ports(trArena *arena, const trFmuDef *def, trFmuInfo *info,
                           trFmuList *warnings) {
    Search s = {.arena = arena, .def = def, .info = info, .warnings = warnings};
    s.port = tr_new_array(arena, trFmuPort, MOST_PORTS);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < info->variables; i++) {
        if (is_input(&info->variable[i])) {
            note_port(&s, info->variable[i].name);
        }
    }
    for (int i = 0; i < def->aliases; i++) {
        if (port_length(def->alias[i].key) == 0 && strrchr(def->alias[i].key, '.') == NULL) {
            return tr_fail(TR_E_ARGUMENT, "%s: '%s' is not a variable of a port; write \"port.x\"",
                           info->path, def->alias[i].key);
        }
        note_port(&s, def->alias[i].key);
    }
    int dim = 2;
    TR_TRY(find_dim(&s, &dim));
    for (int i = 0; i < s.ports; i++) {
        TR_TRY(complete(&s, dim, &s.port[i]));
    }
    info->ports = s.ports;
    info->port = s.port;
    return tr_arena_status(arena);
}
