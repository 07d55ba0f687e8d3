// SPDX-License-Identifier: MIT
// What `trammel methods` lists besides methods, and how settings are shown.

#ifndef TR_CLI_METHOD_LISTS_H
#define TR_CLI_METHOD_LISTS_H

#include "cli/cli.h"
#include "report/settings.h"

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

// Members of an entry that describes the setting.
void tr_setting_json(trJson *json, const trField *field);

#endif
