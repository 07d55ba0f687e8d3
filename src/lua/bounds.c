// SPDX-License-Identifier: MIT
// Bounds of a model file: instructions, time, memory of Lua, length of texts, memory of the model.
//
// Instructions are counted by a hook, which is blind inside C. Time is what the processor spends on
// the file: on a busy machine it takes no longer. It is looked at in the hook, where large blocks
// of memory are asked for, and in calls that take long. What remains between two looks is short
// because no text and no table is large; a program that must be sure ends the process from outside,
// as the command does (cli/watchdog.c).

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "lua/lua_internal.h"

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // thousands of files a second
#define MEMORY_LIMIT ((size_t)16 << 20)
#define TICK_LIMIT 50
#else
#define MEMORY_LIMIT ((size_t)512 << 20)  // of Lua [bytes]
#define TICK_LIMIT 500000                 // 5e8 instructions
#endif
#define TICK 1000                 // instructions between looks
#define LARGE ((size_t)64 << 10)  // blocks for which the clock is worth a look [bytes]

static bool is_late(const trLuaLoad *load) {
    return tr_clock_thread() - load->begun > load->seconds;
}

void *tr_lua_allocate(void *context, void *block, size_t old_size, size_t size) {
    trLuaLoad *load = context;
    size_t     old = block == NULL ? 0 : old_size;  // of a new block, old_size is its type
    bool       text = block == NULL && old_size == LUA_TSTRING;
    if (size == 0) {
        free(block);
        load->bytes -= old;
        return NULL;
    }
    trExcess excess = size <= old ? TR_EXCESS_NONE  // Lua expects that a block can shrink
                      : size - old > MEMORY_LIMIT - load->bytes  ? TR_EXCESS_MEMORY
                      : text && size > TR_LUA_TEXT_LIMIT + LARGE ? TR_EXCESS_TEXT
                      : size >= LARGE && is_late(load)           ? TR_EXCESS_TIME
                                                                 : TR_EXCESS_NONE;
    void    *moved = excess == TR_EXCESS_NONE ? realloc(block, size) : NULL;
    if (moved != NULL) {
        load->bytes = load->bytes - old + size;
    } else {
        load->excess = excess;  // kept by later requests that are met
    }
    return moved;
}

static const char *late_words(const trLuaLoad *load, char *words, size_t size) {
    snprintf(words, size, "the file runs longer than %g s; look for a loop that does not end",
             load->seconds);
    return words;
}

void tr_lua_check_time(lua_State *L) {
    const trLuaLoad *load = tr_load_of(L);
    char             words[TR_LUA_WORDS];
    if (is_late(load)) {
        tr_lua_error(L, "%s", late_words(load, words, sizeof words));
    }
}

static void count_instructions(lua_State *L, lua_Debug *event) {
    trLuaLoad *load = tr_load_of(L);
    load->ticks++;
    if (load->ticks >= TICK_LIMIT) {
        tr_lua_error(L,
                     "the file runs too long (more than %d million instructions); look for a loop "
                     "that does not end",
                     TICK_LIMIT / (1000000 / TICK));
    }
    tr_lua_check_time(L);
}

void tr_lua_bound(lua_State *L) {
    lua_sethook(L, count_instructions, LUA_MASKCOUNT, TICK);
}

const char *tr_lua_excess_words(const trLuaLoad *load, char *words, size_t size) {
    switch (load->excess) {
    case TR_EXCESS_TIME:
        return late_words(load, words, size);
    case TR_EXCESS_TEXT:
        snprintf(words, size, "a string is longer than %d MiB; look for one that grows without end",
                 (int)(TR_LUA_TEXT_LIMIT >> 20));
        return words;
    default:
        snprintf(words, size,
                 "the file needs too much memory (the limit is %d MiB); look for a table that "
                 "grows without end",
                 (int)(MEMORY_LIMIT >> 20));
        return words;
    }
}
