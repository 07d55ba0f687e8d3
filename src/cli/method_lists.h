// SPDX-License-Identifier: MIT
// What `trammel methods` lists besides methods, and how settings are shown.

#ifndef TR_CLI_METHOD_LISTS_H
#define TR_CLI_METHOD_LISTS_H

#include "cli/cli.h"
#include "sim/def.h"

// What a part or a method can take, by names.
typedef struct trTrait {
    unsigned    bit;
    const char *key;      // in JSON
    const char *words;    // "redundant rows"
    const char *refusal;  // what is refused without it, and what to do
} trTrait;

#define TR_TRAITS 5
extern const trTrait tr_traits[TR_TRAITS];

void tr_traits_json(trJson *json, unsigned traits);  // a boolean for each, and others

// Formulations, stabilizations, stage projections, step projections, carries, bases.
#define TR_PART_LISTINGS 6
extern const trListing tr_part_listings[TR_PART_LISTINGS];

// The settings of m:simulate{}.
extern const trListing tr_settings_listing;

#define TR_SETTING_TEXT 64
// What a setting holds, with its unit: "5 1/s", "householder", "from masses and rows".
const char *tr_setting_text(const trSimDef *def, const trField *field, char text[TR_SETTING_TEXT]);
// The same as a result file notes it: numbers to the last digit, lists in full. NULL for what was
// not set or is not read; also if there is no memory, which the arena knows.
const char *tr_setting_note(trArena *arena, const trSimDef *def, const trField *field);
// Members of an entry that describes the setting.
void tr_setting_json(trJson *json, const trField *field);
// What a setting holds, as a member.
void tr_setting_value_json(trJson *json, const trSimDef *def, const trField *field);
// Whether an option is read by the integrator alone.
bool tr_setting_is_of_integrator(const char *setting);

#endif
