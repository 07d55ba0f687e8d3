// SPDX-License-Identifier: MIT
// Reading elements and attributes, with warnings about those that nobody knows.

#ifndef TR_FMI_XML_H
#define TR_FMI_XML_H

#include <libxml/tree.h>

#include "fmi/description.h"

// What a version of the standard calls things; lists are " a b c ".
typedef struct trFmuWords {
    const char *root, *elements;       // attributes and elements of <fmiModelDescription>
    const char *structure;             // elements of <ModelStructure>
    const char *kind, *variable;       // attributes
    const char *token;                 // of the binary
    const char *repeats, *serializes;  // abilities of a kind
    const char *derives;               //
    const char *rate, *rate_of;        // a derivative of a state, and its variable
} trFmuWords;

typedef struct trFmuXml {
    trArena          *arena;
    trFmuInfo        *info;
    trFmuList        *warnings;
    int               major;  // 2 or 3
    const trFmuWords *words;
} trFmuXml;

bool tr_xml_is(const xmlNode *node, const char *name);
// A copy in the arena, or NULL.
const char *tr_xml_text(const trFmuXml *xml, xmlNode *node, const char *attribute);
bool        tr_xml_true(const trFmuXml *xml, xmlNode *node, const char *attribute);
// False, with a warning, where the attribute is there but no number from 0 on; untouched if it is
// not there.
bool     tr_xml_count(const trFmuXml *xml, xmlNode *node, const char *attribute, unsigned *out);
xmlNode *tr_xml_child(xmlNode *node, const char *name);  // NULL: none
// Warns of attributes that are not in the list " a b c ".
void tr_xml_check_attributes(const trFmuXml *xml, const xmlNode *node, const char *known);

// The variable that `at` means: by index from 1 in FMI 2.0, by value reference in 3.0; -1: none.
int tr_xml_variable(const trFmuXml *xml, int count, const trFmuVariable *list, unsigned at);

// <ModelVariables>.
trStatus tr_fmu_read_variables(const trFmuXml *xml, xmlNode *list);

#endif
