// SPDX-License-Identifier: MIT
// Numbers by name: open addressing with linear probing, at most half full. The hash is FNV-1a.

#include "model/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FIRST_ROOM 32

static uint32_t hash(const char *name) {
    uint32_t h = 2166136261u;
    for (; *name != '\0'; name++) {
        h = (h ^ (unsigned char)*name) * 16777619u;
    }
    return h;
}

// The slot that holds the name, or the empty one where it belongs. The table has room.
static trNamed *slot_of(const trNames *names, const char *name) {
    uint32_t mask = (uint32_t)names->room - 1;
    uint32_t i = hash(name) & mask;
    while (names->slot[i].name != NULL && strcmp(names->slot[i].name, name) != 0) {
        i = (i + 1) & mask;
    }
    return &names->slot[i];
}

int tr_names_find(const trNames *names, const char *name) {
    if (names->room == 0) {
        return -1;
    }
    const trNamed *slot = slot_of(names, name);
    return slot->name == NULL ? -1 : slot->number;
}

trStatus tr_names_add(trArena *arena, trNames *names, const char *name, int number) {
    if (2 * names->count >= names->room) {
        trNames larger = {.room = names->room == 0 ? FIRST_ROOM : 2 * names->room,
                          .count = names->count};
        larger.slot = tr_new_array(arena, trNamed, larger.room);
        if (larger.slot == NULL) {
            return tr_arena_status(arena);
        }
        for (int i = 0; i < names->room; i++) {
            if (names->slot[i].name != NULL) {
                *slot_of(&larger, names->slot[i].name) = names->slot[i];
            }
        }
        *names = larger;
    }
    *slot_of(names, name) = (trNamed){name, number};
    names->count++;
    return TR_OK;
}

int *tr_names_count(trArena *arena, trNames *names, const char *kind) {
    bool known = names->room > 0 && slot_of(names, kind)->name != NULL;
    if (!known && tr_names_add(arena, names, kind, 0) != TR_OK) {
        return NULL;
    }
    return &slot_of(names, kind)->number;
}
