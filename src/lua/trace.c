// SPDX-License-Identifier: MIT
// Traced values. A function of the model file is called once with traced arguments: every operation
// on them is recorded on a tape, and Lua never runs again.
//
// A traced value has no number, so it cannot be compared, rounded or branched upon; where(less(a,
// b), x, y) records both sides and the choice.

#include <math.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/lua_internal.h"
#include "model/traced.h"
#include "tape/op.h"

#define TRACED TR_LUA_TRACED
#define DEGREES_PER_RADIAN 57.29577951308232
#define RADIANS_PER_DEGREE 0.017453292519943295

// A result on the tape that is being recorded.
typedef struct Traced {
    int  node;
    int  serial;     // of the recording that it belongs to; IS_INPUT: node is an input's number
    bool condition;  // from less or greater
} Traced;

#define IS_INPUT (-1)

typedef struct Word {
    const char *name;
    trTapeOp    op;
} Word;

// Functions of one argument. All but the hyperbolic ones are in Lua's own math library.
static const Word functions[] = {
    {"sin", TR_OP_SIN},   {"cos", TR_OP_COS},   {"tan", TR_OP_TAN},   {"asin", TR_OP_ASIN},
    {"acos", TR_OP_ACOS}, {"atan", TR_OP_ATAN}, {"sinh", TR_OP_SINH}, {"cosh", TR_OP_COSH},
    {"tanh", TR_OP_TANH}, {"exp", TR_OP_EXP},   {"sqrt", TR_OP_SQRT}, {"abs", TR_OP_ABS},
};

static const Word choices[] = {{"min", TR_OP_MIN}, {"max", TR_OP_MAX}};

static const Word operators[] = {{"__add", TR_OP_ADD}, {"__sub", TR_OP_SUB}, {"__mul", TR_OP_MUL},
                                 {"__div", TR_OP_DIV}, {"__pow", TR_OP_POW}, {"__unm", TR_OP_NEG}};

// What has no derivative, or no meaning for a value that is not yet known.
static const char *const stepwise[] = {"ceil", "floor", "fmod", "modf", "tointeger", "ult"};

static const char *const compared[] = {"__eq", "__lt", "__le"};

// What Lua does with values that are not numbers, and why it cannot here.
static const struct {
    const char *event, *refusal;
} unsuited[] = {
    {"__concat", "cannot be part of a string; it has a number only when the simulation runs"},
    {"__index", "has no entries; use it as a number"},
    {"__newindex", "has no entries; use it as a number"},
    {"__call", "is not a function; use it as a number"},
    {"__len", "has no length; use it as a number"},
};

static const char *const unrecorded[] = {"__mod",  "__idiv", "__band", "__bor",
                                         "__bxor", "__shl",  "__shr",  "__bnot"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static Traced *traced_at(lua_State *L, int index) {
    return luaL_testudata(L, index, TRACED);
}

bool tr_lua_is_traced(lua_State *L, int index) {
    return traced_at(L, index) != NULL;
}

static bool any_traced(lua_State *L) {
    for (int i = 1; i <= lua_gettop(L); i++) {
        if (traced_at(L, i) != NULL) {
            return true;
        }
    }
    return false;
}

static int push_node(lua_State *L, int node, bool condition) {
    if (node < 0) {
        tr_lua_require(L, tr_tape_room(tr_load_of(L)->tape), "the functions");
    }
    Traced *value = lua_newuserdatauv(L, sizeof *value, 0);
    *value = (Traced){.node = node, .serial = tr_load_of(L)->serial, .condition = condition};
    luaL_setmetatable(L, TRACED);
    return 1;
}

int tr_lua_push_traced(lua_State *L, int node) {
    return push_node(L, node, false);
}

static int push_op(lua_State *L, trTapeOp op, int a, int b, int c) {
    return push_node(L, tr_tape_op(tr_load_of(L)->tape, op, a, b, c), op == TR_OP_LESS);
}

// The tape being recorded. There is none when a traced value was kept beyond its function.
static trTape *tape_of(lua_State *L) {
    trLuaLoad *load = tr_load_of(L);
    if (load->tape == NULL) {
        tr_lua_error(L, "a traced value is used outside of its function");
    }
    return load->tape;
}

int tr_lua_push_input(lua_State *L, int number) {
    Traced *value = lua_newuserdatauv(L, sizeof *value, 0);
    *value = (Traced){.node = number, .serial = IS_INPUT};
    luaL_setmetatable(L, TRACED);
    return 1;
}

// An input serves in all recordings but functions of time, which have a tape of their own.
static int input_node(lua_State *L, trTape *tape, int number) {
    const trModel *model = tr_load_of(L)->model;
    if (model->traced == NULL || model->traced->tape != tape) {
        tr_lua_error(L, "an input cannot be used in a function of time; use it in m:force, or in "
                        "the functions of a system");
    }
    return tr_tape_input(tape, tr_input_number(TR_INPUT_U, number));
}

// The result on the tape that stands for the argument; numbers become constants.
static int node_at(lua_State *L, int index, bool condition) {
    trTape *tape = tape_of(L);
    Traced *value = traced_at(L, index);
    if (value != NULL && value->serial == IS_INPUT && !condition) {
        return input_node(L, tape, value->node);
    }
    if (value != NULL) {
        if (value->serial != tr_load_of(L)->serial) {
            tr_lua_error(L, "a traced value is used outside of its function");
        }
        if (value->condition && !condition) {
            tr_lua_error(L, "less(a, b) and greater(a, b) can only be used in where()");
        }
        if (condition && !value->condition) {
            tr_lua_error(L, "where() needs a condition: where(less(a, b), x, y)");
        }
        return value->node;
    }
    if (!lua_isnumber(L, index)) {
        tr_lua_error(L, "a number or a traced value is needed here, got %s", tr_lua_type(L, index));
    }
    int node = tr_tape_constant(tape, lua_tonumber(L, index));
    if (node < 0) {
        tr_lua_require(L, tr_tape_room(tape), "the functions");
    }
    return node;
}

int tr_lua_node(lua_State *L, int index) {
    return node_at(L, index, false);
}

static trTapeOp op_of(lua_State *L) {
    return (trTapeOp)lua_tointeger(L, lua_upvalueindex(1));
}

// Without traced arguments, what Lua itself would do. Called in place, so that a complaint about
// arguments names the function and the line.
static int untraced(lua_State *L) {
    return lua_tocfunction(L, lua_upvalueindex(2))(L);
}

// --- operators ---

static int arithmetic(lua_State *L) {
    trTapeOp op = op_of(L);
    int      a = node_at(L, 1, false);
    return push_op(L, op, a, op == TR_OP_NEG ? -1 : node_at(L, 2, false), -1);
}

static int refuse_comparison(lua_State *L) {
    return tr_lua_error(L, "cannot compare a traced value; use where(less(a, b), x, y)");
}

static int refuse_operator(lua_State *L) {
    return tr_lua_error(L, "this operator does not accept a traced value; use + - * / ^");
}

static int refuse_use(lua_State *L) {
    return tr_lua_error(L, "a traced value %s", lua_tostring(L, lua_upvalueindex(1)));
}

// --- functions ---

static int function(lua_State *L) {
    if (!any_traced(L)) {
        return untraced(L);
    }
    trTapeOp op = op_of(L);
    if (op == TR_OP_ATAN && lua_gettop(L) > 1) {  // as math.atan(y, x)
        int y = node_at(L, 1, false);
        return push_op(L, TR_OP_ATAN2, y, node_at(L, 2, false), -1);
    }
    return push_op(L, op, node_at(L, 1, false), -1, -1);
}

// What Lua itself lacks: atan2(y, x) is its math.atan(y, x), and sign(x) is -1, 0 or 1.
static int arc_tangent2(lua_State *L) {
    lua_settop(L, 2);
    if (!any_traced(L)) {
        lua_pushnumber(L, atan2(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
        return 1;
    }
    int y = node_at(L, 1, false);
    return push_op(L, TR_OP_ATAN2, y, node_at(L, 2, false), -1);
}

static int sign(lua_State *L) {
    lua_settop(L, 1);
    if (!any_traced(L)) {
        double x = luaL_checknumber(L, 1);
        lua_pushnumber(L, tr_op_sign(x));
        return 1;
    }
    return push_op(L, TR_OP_SIGN, node_at(L, 1, false), -1, -1);
}

// log(x) or log(x, base) = log(x) / log(base)
static int logarithm(lua_State *L) {
    if (!any_traced(L)) {
        return untraced(L);
    }
    trTape *tape = tape_of(L);
    int     result = tr_tape_op(tape, TR_OP_LOG, node_at(L, 1, false), -1, -1);
    if (lua_gettop(L) > 1 && result >= 0) {
        int base = tr_tape_op(tape, TR_OP_LOG, node_at(L, 2, false), -1, -1);
        result = base < 0 ? -1 : tr_tape_op(tape, TR_OP_DIV, result, base, -1);
    }
    return push_node(L, result, false);
}

// min and max, of any number of arguments.
static int choice(lua_State *L) {
    if (!any_traced(L)) {
        return untraced(L);
    }
    int result = node_at(L, 1, false);
    for (int i = 2; i <= lua_gettop(L) && result >= 0; i++) {
        result = tr_tape_op(tape_of(L), op_of(L), result, node_at(L, i, false), -1);
    }
    return push_node(L, result, false);
}

// deg and rad: a multiple of the argument.
static int scaled(lua_State *L) {
    double factor = lua_tonumber(L, lua_upvalueindex(1));
    if (!any_traced(L)) {
        lua_pushnumber(L, factor * luaL_checknumber(L, 1));
        return 1;
    }
    int x = node_at(L, 1, false);
    lua_pushnumber(L, factor);
    return push_op(L, TR_OP_MUL, x, node_at(L, -1, false), -1);
}

static int refuse_steps(lua_State *L) {
    if (!any_traced(L)) {
        return untraced(L);
    }
    return tr_lua_error(L, "math.%s does not accept a traced value; use where(less(a, b), x, y)",
                        lua_tostring(L, lua_upvalueindex(1)));
}

// Runs as `untraced` of its wrapper, whose operation it reads.
static int hyperbolic(lua_State *L) {
    double x = luaL_checknumber(L, 1);
    switch (op_of(L)) {
    case TR_OP_SINH:
        lua_pushnumber(L, sinh(x));
        break;
    case TR_OP_COSH:
        lua_pushnumber(L, cosh(x));
        break;
    default:
        lua_pushnumber(L, tanh(x));
        break;
    }
    return 1;
}

// --- cases ---

static int less_or_greater(lua_State *L) {
    bool less = lua_toboolean(L, lua_upvalueindex(1));
    lua_settop(L, 2);
    if (!any_traced(L)) {
        luaL_checknumber(L, 1);
        luaL_checknumber(L, 2);
        lua_pushboolean(L, lua_compare(L, less ? 1 : 2, less ? 2 : 1, LUA_OPLT));
        return 1;
    }
    int a = node_at(L, 1, false), b = node_at(L, 2, false);
    return push_op(L, TR_OP_LESS, less ? a : b, less ? b : a, -1);
}

// The choice between two vectors, component by component.
static int where_vector(lua_State *L, int condition, int size) {
    for (int i = 1; i <= size; i++) {
        tr_lua_push_component(L, 2, i);
        tr_lua_push_component(L, 3, i);
        int a = node_at(L, lua_gettop(L) - 1, false), b = node_at(L, lua_gettop(L), false);
        lua_pop(L, 2);
        push_op(L, TR_OP_WHERE, condition, a, b);
    }
    tr_lua_push_vector(L, size, "where");
    return 1;
}

// where(condition, a, b): a where the condition holds, else b.
static int where(lua_State *L) {
    lua_settop(L, 3);
    if (lua_type(L, 1) == LUA_TBOOLEAN) {
        lua_pushvalue(L, lua_toboolean(L, 1) ? 2 : 3);
        return 1;
    }
    if (traced_at(L, 1) == NULL) {
        return tr_lua_error(L, "where() needs a condition: where(less(a, b), x, y)");
    }
    int condition = node_at(L, 1, true), size = tr_lua_vector_size(L, 2);
    if (size > 0 && size == tr_lua_vector_size(L, 3)) {
        return where_vector(L, condition, size);
    }
    int a = node_at(L, 2, false);
    return push_op(L, TR_OP_WHERE, condition, a, node_at(L, 3, false));
}

// --- recording ---

void tr_lua_begin_trace(lua_State *L, trTape *tape) {
    trLuaLoad *load = tr_load_of(L);
    load->tape = tape;
    load->serial++;
}

void tr_lua_end_trace(lua_State *L) {
    tr_load_of(L)->tape = NULL;
    tr_load_of(L)->called_as = NULL;
}

const trTape *tr_lua_trace(lua_State *L, int index, const char *name) {
    trLuaLoad *load = tr_load_of(L);
    if (load->model == NULL) {
        tr_lua_error(L, "%s cannot be a function", name);
        return NULL;
    }
    trTape *tape = tr_tape_create(load->model->arena);
    if (tape == NULL) {
        tr_lua_require(L, tr_arena_status(load->model->arena), name);
    }
    tr_lua_begin_trace(L, tape);
    lua_pushvalue(L, index);
    push_node(L, tr_tape_time(tape), false);
    lua_call(L, 1, 1);
    if (traced_at(L, -1) == NULL && lua_type(L, -1) != LUA_TNUMBER) {
        tr_lua_error(L, "%s: the function must return a number, got %s%s", name, tr_lua_type(L, -1),
                     lua_isnil(L, -1) ? "; is 'return' missing?" : "");
    }
    int result = node_at(L, lua_gettop(L), false);
    lua_pop(L, 1);
    tr_tape_finish(tape, result, tr_arena_text(load->model->arena, name));
    tr_lua_end_trace(L);
    if (tr_tape_status(tape) != TR_OK) {
        tr_lua_require(L, tr_tape_status(tape), name);
    }
    return tape;
}

// --- registration ---

// Puts a function with its operation and what it replaces into `math`, on top of the stack, and
// into the globals.
static void wrap(lua_State *L, lua_CFunction wrapper, const Word *word) {
    lua_pushinteger(L, word->op);
    lua_getfield(L, -2, word->name);
    lua_pushcclosure(L, wrapper, 2);
    lua_pushvalue(L, -1);
    lua_setglobal(L, word->name);
    lua_setfield(L, -2, word->name);
}

static void open_metatable(lua_State *L) {
    luaL_newmetatable(L, TRACED);
    for (size_t i = 0; i < COUNT(operators); i++) {
        lua_pushinteger(L, operators[i].op);
        lua_pushcclosure(L, arithmetic, 1);
        lua_setfield(L, -2, operators[i].name);
    }
    for (size_t i = 0; i < COUNT(compared); i++) {
        lua_pushcfunction(L, refuse_comparison);
        lua_setfield(L, -2, compared[i]);
    }
    for (size_t i = 0; i < COUNT(unrecorded); i++) {
        lua_pushcfunction(L, refuse_operator);
        lua_setfield(L, -2, unrecorded[i]);
    }
    for (size_t i = 0; i < COUNT(unsuited); i++) {
        lua_pushstring(L, unsuited[i].refusal);
        lua_pushcclosure(L, refuse_use, 1);
        lua_setfield(L, -2, unsuited[i].event);
    }
    lua_pop(L, 1);
}

static void open_functions(lua_State *L) {
    static const Word logarithm_word = {"log", TR_OP_LOG};
    for (size_t i = 0; i < COUNT(functions); i++) {
        trTapeOp op = functions[i].op;
        if (op == TR_OP_SINH || op == TR_OP_COSH || op == TR_OP_TANH) {
            lua_pushcfunction(L, hyperbolic);
            lua_setfield(L, -2, functions[i].name);
        }
        wrap(L, function, &functions[i]);
    }
    for (size_t i = 0; i < COUNT(choices); i++) {
        wrap(L, choice, &choices[i]);
    }
    wrap(L, logarithm, &logarithm_word);
    for (size_t i = 0; i < COUNT(stepwise); i++) {
        lua_pushstring(L, stepwise[i]);
        lua_getfield(L, -2, stepwise[i]);
        lua_pushcclosure(L, refuse_steps, 2);
        lua_setfield(L, -2, stepwise[i]);
    }
    lua_pushnumber(L, DEGREES_PER_RADIAN);
    lua_pushcclosure(L, scaled, 1);
    lua_setfield(L, -2, "deg");
    lua_pushnumber(L, RADIANS_PER_DEGREE);
    lua_pushcclosure(L, scaled, 1);
    lua_setfield(L, -2, "rad");
}

void tr_lua_open_trace(lua_State *L) {
    open_metatable(L);
    lua_getglobal(L, "math");
    open_functions(L);
    lua_pop(L, 1);
    lua_register(L, "where", where);
    lua_register(L, "atan2", arc_tangent2);
    lua_register(L, "sign", sign);
    lua_pushboolean(L, true);
    lua_pushcclosure(L, less_or_greater, 1);
    lua_setglobal(L, "less");
    lua_pushboolean(L, false);
    lua_pushcclosure(L, less_or_greater, 1);
    lua_setglobal(L, "greater");
}
