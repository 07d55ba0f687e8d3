// SPDX-License-Identifier: MIT
// From Lua values to parameters: numbers, flags, texts, lists, functions of time, laws. Also the
// laws' constructors and how errors are raised.
//
// A piece of piecewise{} is written in the full variable x and kept about its own start s:
//
//     p(x) = c0 + c1 x + c2 x^2 + ... = d0 + d1 u + d2 u^2 + ... ,   u = x - s

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "base/law.h"
#include "base/spell.h"
#include "lua/lua_internal.h"

#define LAW "law"

// A law as the file wrote it. It becomes a trLaw where the model uses it.
typedef struct Law {
    bool         table;      // numbers: x, then y; else breaks, then pieces x order coefficients
    int          pieces;     // pieces, or points of a table
    int          order;      // coefficients per piece
    const trLaw *law;        // in the model, once it is asked for
    double       numbers[];  // pieces * (1 + order); a table has order 1
} Law;

// --- errors ---

// The innermost function of the file that is at a line of it; those of vectors.lua do not count.
static bool find_line(lua_State *L, lua_Debug *where) {
    for (int level = 0; lua_getstack(L, level, where) != 0; level++) {
        lua_getinfo(L, "Sl", where);
        if (where->currentline > 0 && strcmp(where->short_src, TR_LUA_CHUNK) == 0) {
            return true;
        }
    }
    return false;
}

int tr_lua_line(lua_State *L) {
    lua_Debug where;
    return find_line(L, &where) ? where.currentline : 0;
}

int tr_lua_error(lua_State *L, const char *format, ...) {
    lua_Debug where;
    va_list   arguments;
    lua_pushliteral(L, "");
    if (find_line(L, &where)) {
        lua_pop(L, 1);
        lua_pushfstring(L, "%s:%d: ", where.short_src, where.currentline);
    }
    va_start(arguments, format);
    lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    lua_concat(L, 2);
    return lua_error(L);
}

const char *tr_lua_type(lua_State *L, int index) {
    const char *name = luaL_typename(L, index);
    if (lua_type(L, index) == LUA_TUSERDATA && luaL_getmetafield(L, index, "__name") != LUA_TNIL) {
        name = lua_tostring(L, -1);  // the metatable keeps it
        lua_pop(L, 1);
    }
    return name;
}

void tr_lua_require(lua_State *L, trStatus status, const char *owner) {
    const char *text = tr_last_error();
    if (status == TR_OK) {
        return;
    }
    // Whatever the file made the library refuse is a fault of the file, except for memory.
    tr_load_of(L)->status = status == TR_E_MEMORY ? TR_E_MEMORY : TR_E_MODEL;
    if (strncmp(text, owner, strlen(owner)) == 0) {
        tr_lua_error(L, "%s", text);
    }
    tr_lua_error(L, "%s: %s", owner, text);
}

static int compare_keys(const void *a, const void *b) {
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

// Pushes the text keys of the table at `table`, in order, so that neither errors nor results depend
// on the order in which Lua happens to keep them. They stay valid while they are keys there.
static const char **sorted_keys(lua_State *L, int table, int *count) {
    int entries = 0;
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        entries++;
    }
    const char **keys = lua_newuserdatauv(L, (size_t)(entries + 1) * sizeof *keys, 0);
    *count = 0;
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING) {
            keys[(*count)++] = lua_tostring(L, -2);
        }
    }
    qsort(keys, (size_t)*count, sizeof *keys, compare_keys);
    return keys;
}

static const char *name_at(const void *context, int i) {
    const char *const *names = context;
    return names[i];
}

void tr_lua_push_hint(lua_State *L, int table, const char *word) {
    int          count = 0;
    const char **names = sorted_keys(L, lua_absindex(L, table), &count);
    const char  *nearest = tr_spell_nearest(word, count, name_at, names);
    if (nearest != NULL) {
        lua_pushfstring(L, "; did you mean '%s'?", nearest);
    } else {
        lua_pushliteral(L, "");
    }
    lua_remove(L, -2);
}

// --- lists ---

// The table or vector at `index` as a list of numbers. Pushes the userdata that holds it.
static double *numbers_at(lua_State *L, int index, const char *owner, int *count) {
    if (tr_lua_vector_size(L, index) > 0) {
        tr_lua_push_components(L, index);
        index = -1;
    }
    lua_Integer keys = 0, length = (lua_Integer)lua_rawlen(L, index);
    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING) {
            tr_lua_error(L, "%s must be a list of numbers, without keys; use a list: { 0, 0 }",
                         owner);
        }
        if (lua_type(L, -1) != LUA_TNUMBER) {
            tr_lua_error(L, "%s must be a list of numbers; it contains a %s", owner,
                         tr_lua_type(L, -1));
        }
        keys++;
    }
    if (keys != length) {
        tr_lua_error(L, "%s: the list has a gap; is a variable in it misspelled or not defined?",
                     owner);
    }
    double *numbers = lua_newuserdatauv(L, (size_t)(length + 1) * sizeof *numbers, 0);
    for (lua_Integer i = 0; i < length; i++) {
        lua_rawgeti(L, index, i + 1);
        numbers[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    *count = (int)length;
    return numbers;
}

// --- laws ---

static Law *push_law(lua_State *L, bool table, int pieces, int order) {
    size_t numbers = (size_t)pieces * (1 + (size_t)order);
    Law   *law = lua_newuserdatauv(L, sizeof(Law) + numbers * sizeof(double), 0);
    *law = (Law){.table = table, .pieces = pieces, .order = order};
    for (size_t i = 0; i < numbers; i++) {
        law->numbers[i] = 0.0;
    }
    luaL_setmetatable(L, LAW);
    return law;
}

static void require_finite(lua_State *L, const char *owner, const double *numbers, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            tr_lua_error(L, "%s: number %d of the list is not finite", owner, i + 1);
        }
    }
}

// polynomial{c0, c1, ...}: y = c0 + c1 x + ...
static int polynomial(lua_State *L) {
    int count = 0;
    luaL_checktype(L, 1, LUA_TTABLE);
    const double *numbers = numbers_at(L, 1, "polynomial", &count);
    if (count == 0) {
        return tr_lua_error(L, "polynomial needs at least one coefficient, e.g. {0, 100}");
    }
    require_finite(L, "polynomial", numbers, count);
    Law *law = push_law(L, false, 1, count);
    memcpy(law->numbers + 1, numbers, (size_t)count * sizeof(double));
    return 1;
}

// Turns the coefficients of a polynomial in x into those in u = x - start, by Horner's scheme.
static void shift(double *c, int order, double start) {
    for (int i = 0; i < order - 1; i++) {
        for (int j = order - 2; j >= i; j--) {
            c[j] += start * c[j + 1];
        }
    }
}

// Pushes the coefficients of piece i and returns them; *from receives its start.
static const double *piece_at(lua_State *L, int i, double *from, int *count) {
    lua_rawgeti(L, 1, i + 1);
    int good = lua_type(L, -1) == LUA_TTABLE && lua_rawgeti(L, -1, 1) == LUA_TNUMBER &&
               lua_rawgeti(L, -2, 2) == LUA_TTABLE;
    if (!good || lua_rawlen(L, -3) != 2) {
        tr_lua_error(L, "piecewise: piece %d must be {from, {c0, c1, ...}}", i + 1);
    }
    *from = lua_tonumber(L, -2);
    const double *numbers = numbers_at(L, -1, "piecewise: a polynomial", count);
    require_finite(L, "piecewise", numbers, *count);
    return numbers;
}

// Starts must increase; the first may be -math.huge, and then becomes some finite one.
static void settle_starts(lua_State *L, int pieces, double *starts) {
    for (int i = 0; i < pieces; i++) {
        if (!isfinite(starts[i]) && (i > 0 || !(starts[0] < 0.0))) {
            tr_lua_error(L, "piecewise: piece %d starts at a number that is not finite", i + 1);
        }
        if (i > 0 && !(starts[i] > starts[i - 1])) {
            tr_lua_error(L, "piecewise: piece %d must start after piece %d", i + 1, i);
        }
    }
    if (isinf(starts[0])) {
        // Zero needs no shift of coefficients; else any number well below the second start.
        bool zero = pieces == 1 || starts[1] > 0.0;
        starts[0] = zero ? 0.0 : starts[1] - fmax(1.0, fabs(starts[1]));
    }
}

// piecewise{ {from, {c0, c1, ...}}, ... }
static int piecewise(lua_State *L) {
    int    order = 1, count = 0;
    double from = 0.0;
    luaL_checktype(L, 1, LUA_TTABLE);
    int pieces = (int)lua_rawlen(L, 1);
    if (pieces == 0) {
        return tr_lua_error(L, "piecewise needs at least one piece {from, {c0, c1, ...}}");
    }
    for (int i = 0; i < pieces; i++) {
        piece_at(L, i, &from, &count);
        order = count > order ? count : order;
        lua_settop(L, 1);
    }
    Law    *law = push_law(L, false, pieces, order);
    double *coefficients = law->numbers + pieces;
    for (int i = 0; i < pieces; i++) {
        const double *numbers = piece_at(L, i, &law->numbers[i], &count);
        memcpy(coefficients + i * order, numbers, (size_t)count * sizeof(double));
        lua_settop(L, 2);
    }
    settle_starts(L, pieces, law->numbers);
    for (int i = 0; i < pieces; i++) {
        shift(coefficients + i * order, order, law->numbers[i]);
    }
    return 1;
}

// Straight lines between the points of a table: pieces y0 + slope u.
static int linear_pieces(lua_State *L, const Law *table) {
    const double *x = table->numbers, *y = x + table->pieces;
    int           pieces = table->pieces - 1;
    Law          *law = push_law(L, false, pieces, 2);
    for (int i = 0; i < pieces; i++) {
        double *c = law->numbers + pieces + 2 * i;
        law->numbers[i] = x[i];
        c[0] = y[i];
        c[1] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    }
    return 1;
}

// tabulated{ {x, y}, ... }: smooth; with linear = true, straight lines.
static int tabulated(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    int points = (int)lua_rawlen(L, 1), count = 0;
    if (points < 2) {
        return tr_lua_error(L, "tabulated needs at least two points {x, y}");
    }
    Law *law = push_law(L, true, points, 1);
    for (int i = 0; i < points; i++) {
        if (lua_rawgeti(L, 1, i + 1) != LUA_TTABLE && tr_lua_vector_size(L, -1) == 0) {
            return tr_lua_error(L, "tabulated: point %d must be {x, y}", i + 1);
        }
        const double *point = numbers_at(L, -1, "tabulated: a point", &count);
        if (count != 2 || !isfinite(point[0]) || !isfinite(point[1])) {
            return tr_lua_error(L, "tabulated: point %d must be {x, y}, two finite numbers", i + 1);
        }
        law->numbers[i] = point[0];
        law->numbers[points + i] = point[1];
        lua_settop(L, 2);
        if (i > 0 && !(law->numbers[i] > law->numbers[i - 1])) {
            return tr_lua_error(L, "tabulated: x must increase from point %d to point %d", i,
                                i + 1);
        }
    }
    lua_getfield(L, 1, "linear");
    if (lua_toboolean(L, -1)) {
        return linear_pieces(L, law);
    }
    lua_settop(L, 2);
    return 1;
}

static const trLaw *law_in_model(lua_State *L, Law *law, const char *owner) {
    trModel      *model = tr_load_of(L)->model;
    const trLaw  *out = NULL;
    const double *second = law->numbers + law->pieces;
    if (model == NULL) {
        tr_lua_error(L, "%s cannot be a law", owner);
    }
    if (law->law != NULL) {
        return law->law;
    }
    tr_lua_require(L,
                   law->table
                       ? tr_model_table(model, law->pieces, law->numbers, second, &out)
                       : tr_model_law(model, law->pieces, law->numbers, law->order, second, &out),
                   owner);
    law->law = out;
    return out;
}

// law(x), of a number or a traced value.
static int call_law(lua_State *L) {
    const trLaw *law = law_in_model(L, luaL_checkudata(L, 1, LAW), "a law that is called");
    lua_settop(L, 2);
    if (!tr_lua_is_traced(L, 2)) {
        lua_pushnumber(L, tr_law_value(law, luaL_checknumber(L, 2)));
        return 1;
    }
    return tr_lua_push_traced(L, tr_tape_law(tr_load_of(L)->tape, law, 0, tr_lua_node(L, 2)));
}

void tr_lua_open_laws(lua_State *L) {
    luaL_newmetatable(L, LAW);
    lua_pushcfunction(L, call_law);
    lua_setfield(L, -2, "__call");
    lua_pop(L, 1);
    lua_register(L, "polynomial", polynomial);
    lua_register(L, "piecewise", piecewise);
    lua_register(L, "tabulated", tabulated);
}

// --- parameters ---

// The value on top of the stack as a parameter. May push the userdata that holds it.
static trParam param_on_top(lua_State *L, const char *key, const char *owner) {
    trParam param = {.key = key};
    switch (lua_type(L, -1)) {
    case LUA_TNUMBER:
        param.kind = TR_PARAM_NUMBER;
        param.number = lua_tonumber(L, -1);
        return param;
    case LUA_TBOOLEAN:
        param.kind = TR_PARAM_BOOL;
        param.number = lua_toboolean(L, -1);
        return param;
    case LUA_TSTRING:
        param.kind = TR_PARAM_TEXT;
        param.text = lua_tostring(L, -1);
        if (strlen(param.text) != lua_rawlen(L, -1)) {
            tr_lua_error(L, "%s contains a zero byte", owner);
        }
        return param;
    case LUA_TTABLE:
        param.kind = TR_PARAM_NUMBERS;
        param.numbers = numbers_at(L, -1, owner, &param.count);
        return param;
    case LUA_TFUNCTION:
        param.kind = TR_PARAM_FUNCTION;
        param.function = tr_lua_trace(L, -1, owner);
        return param;
    default:
        break;
    }
    if (tr_lua_vector_size(L, -1) > 0) {
        param.kind = TR_PARAM_NUMBERS;
        param.numbers = numbers_at(L, -1, owner, &param.count);
        return param;
    }
    if (tr_lua_is_body(L, -1)) {
        param.kind = TR_PARAM_BODY;
        param.number = tr_lua_body(L, owner, 0);
        return param;
    }
    if (luaL_testudata(L, -1, LAW) == NULL) {
        tr_lua_error(L, "%s cannot be a %s", owner, tr_lua_type(L, -1));
    }
    param.kind = TR_PARAM_LAW;
    param.law = law_in_model(L, lua_touserdata(L, -1), owner);
    return param;
}

const trParam *tr_lua_params(lua_State *L, int table, const char *owner, const char *skip) {
    int          count = 0, written = 0;
    const char **keys = sorted_keys(L, table, &count);
    trParam     *params = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *params, 0);
    for (int i = 0; i < count; i++) {
        if (skip != NULL && strcmp(keys[i], skip) == 0) {
            continue;
        }
        luaL_checkstack(L, 12, "too many keys");
        const char *name = lua_pushfstring(L, "%s: %s", owner, keys[i]);
        lua_getfield(L, table, keys[i]);
        params[written++] = param_on_top(L, keys[i], name);
    }
    params[written] = (trParam){0};
    return params;
}
