// SPDX-License-Identifier: MIT
// An assembly as lines for the model file.

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/shortest.h"
#include "cli/assemble_lua.h"

#define WORTH_WRITING 1e-12  // a change [m, rad, m/s, ...]; a run lets 1e-9 pass

static const char *const lua_words[] = {
    "and",      "break",  "do",   "else", "elseif", "end",   "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",   "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while",
};

// A key of a table: as it is, or quoted where Lua would not read it as a name.
static void lua_key(FILE *file, const char *name) {
    bool plain = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *c = name; *c != '\0'; c++) {
        plain = plain && (isalnum((unsigned char)*c) || *c == '_');
    }
    for (size_t i = 0; i < sizeof lua_words / sizeof *lua_words; i++) {
        plain = plain && strcmp(name, lua_words[i]) != 0;
    }
    if (plain) {
        fputs(name, file);
        return;
    }
    fputs("[\"", file);
    for (const char *c = name; *c != '\0'; c++) {
        fprintf(file,
                iscntrl((unsigned char)*c) ? "\\%03d"
                : *c == '"' || *c == '\\'  ? "\\%c"
                                           : "%c",
                (unsigned char)*c);
    }
    fputs("\"]", file);
}

static void lua_number(FILE *file, double number) {
    char text[TR_SHORTEST_BYTES];
    fputs(tr_shortest(number, text), file);
}

static void lua_numbers(FILE *file, const trAssemblyReport *r, const double *numbers) {
    for (int i = 0; i < tr_assembly_parts(r); i++) {
        fputs(i > 0 ? ", " : " ", file);
        lua_key(file, tr_assembly_part_name(r, i));
        fputs(" = ", file);
        lua_number(file, numbers[i]);
    }
}

static void lua_system(FILE *file, const trAssemblyReport *r) {
    fputs("s:start {", file);
    lua_numbers(file, r, r->assembly->q);
    fputs(",\n          v = {", file);
    lua_numbers(file, r, r->assembly->v);
    fputs(" } }\n", file);
}

// "at = { 1, 2 }, ", or "angle = 1, " of a single number.
static void lua_field(FILE *file, const char *name, int count, const double *numbers) {
    fprintf(file, "%s = %s", name, count > 1 ? "{ " : "");
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", file);
        lua_number(file, numbers[i]);
    }
    fputs(count > 1 ? " }," : ",", file);
}

// One or two fields in a line.
typedef struct Line {
    const char *name[2];  // the second may be NULL
    int         count[2];
    double      before[4], after[4];
} Line;

static bool is_changed(const Line *line) {
    bool changed = false;
    for (int i = 0; i < line->count[0] + line->count[1]; i++) {
        changed = changed || !(fabs(line->after[i] - line->before[i]) <= WORTH_WRITING);
    }
    return changed;
}

static int planar_lines(const trBodyState *a, const trBodyState *b, Line out[4]) {
    out[0] = (Line){{"at", "angle"}, {2, 1}, {a->x, a->y, a->angle}, {b->x, b->y, b->angle}};
    out[1] = (Line){{"velocity", "angular_velocity"},
                    {2, 1},
                    {a->vx, a->vy, a->omega},
                    {b->vx, b->vy, b->omega}};
    return 2;
}

static int spatial_lines(const trBodyState *a, const trBodyState *b, Line out[4]) {
    out[0] = (Line){{"at"}, {3}, {a->x, a->y, a->z}, {b->x, b->y, b->z}};
    out[1] = (Line){{"quaternion"}, {4}, {0}, {0}};
    memcpy(out[1].before, a->quaternion, sizeof out[1].before);
    memcpy(out[1].after, b->quaternion, sizeof out[1].after);
    out[2] = (Line){{"velocity"}, {3}, {a->vx, a->vy, a->vz}, {b->vx, b->vy, b->vz}};
    out[3] = (Line){{"angular_velocity"}, {3}, {a->wx, a->wy, a->wz}, {b->wx, b->wy, b->wz}};
    return 4;
}

// Returns how many lines it takes.
static int lua_body(FILE *file, const trAssemblyReport *r, int i, bool all) {
    const trAssembly *a = r->assembly;
    trBodyState       before = tr_system_body_state(r->system, i, a->q0, a->v0);
    trBodyState       after = tr_system_body_state(r->system, i, a->q, a->v);
    Line              line[4];
    int shown = 0, count = tr_system_dim(r->system) == 2 ? planar_lines(&before, &after, line)
                                                         : spatial_lines(&before, &after, line);
    for (int k = 0; k < count; k++) {
        const Line *l = &line[k];
        if (!all && !is_changed(l)) {
            continue;
        }
        if (shown++ == 0) {
            fprintf(file, "-- %s\n", tr_assembly_part_name(r, i));
        }
        lua_field(file, l->name[0], l->count[0], l->after);
        if (l->name[1] != NULL) {
            fputc(' ', file);
            lua_field(file, l->name[1], l->count[1], l->after + l->count[0]);
        }
        fputc('\n', file);
    }
    return shown;
}

void tr_assembly_lua(FILE *file, const trAssemblyReport *r, bool all) {
    int shown = 0;
    if (tr_system_dim(r->system) == 0) {
        lua_system(file, r);
        return;
    }
    for (int i = 0; i < tr_assembly_parts(r); i++) {
        shown += lua_body(file, r, i, all);
    }
    if (shown == 0) {
        fputs("-- nothing was changed\n", file);
    }
}
