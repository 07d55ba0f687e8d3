// SPDX-License-Identifier: MIT
// An assembly as lines for the model file.

#include <ctype.h>
#include <string.h>

#include "cli/assemble_words.h"

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

static void lua_numbers(FILE *file, const trAssemblyReport *r, const double *numbers) {
    for (int i = 0; i < tr_assembly_parts(r); i++) {
        fputs(i > 0 ? ", " : " ", file);
        lua_key(file, tr_assembly_part_name(r, i));
        fprintf(file, " = %.17g", numbers[i]);
    }
}

static void lua_system(FILE *file, const trAssemblyReport *r) {
    fputs("s:start {", file);
    lua_numbers(file, r, r->assembly->q);
    fputs(",\n          v = {", file);
    lua_numbers(file, r, r->assembly->v);
    fputs(" } }\n", file);
}

static void lua_body(FILE *file, const trAssemblyReport *r, int i) {
    const trAssembly *a = r->assembly;
    trBodyState       s = tr_system_body_state(r->system, i, a->q, a->v);
    fprintf(file, "-- %s\n", tr_assembly_part_name(r, i));
    if (tr_system_dim(r->system) == 2) {
        fprintf(file, "at = { %.17g, %.17g }, angle = %.17g,\n", s.x, s.y, s.angle);
        fprintf(file, "velocity = { %.17g, %.17g }, angular_velocity = %.17g,\n", s.vx, s.vy,
                s.omega);
        return;
    }
    fprintf(file, "at = { %.17g, %.17g, %.17g },\n", s.x, s.y, s.z);
    fprintf(file, "quaternion = { %.17g, %.17g, %.17g, %.17g },\n", s.quaternion[0],
            s.quaternion[1], s.quaternion[2], s.quaternion[3]);
    fprintf(file, "velocity = { %.17g, %.17g, %.17g },\n", s.vx, s.vy, s.vz);
    fprintf(file, "angular_velocity = { %.17g, %.17g, %.17g },\n", s.wx, s.wy, s.wz);
}

void tr_assembly_lua(FILE *file, const trAssemblyReport *r) {
    if (tr_system_dim(r->system) == 0) {
        lua_system(file, r);
        return;
    }
    for (int i = 0; i < tr_assembly_parts(r); i++) {
        lua_body(file, r, i);
    }
}
