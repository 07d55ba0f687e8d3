// SPDX-License-Identifier: MIT
#include "fmi/xml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"

trStatus tr_fmu_list_plan(trArena *arena, trFmuList *out) {
    *out = (trFmuList){.arena = arena};
    out->text = tr_new_array(arena, const char *, TR_FMU_MOST_WARNINGS);
    return tr_arena_status(arena);
}

void tr_fmu_list_add(trFmuList *list, const char *format, ...) {
    char    text[512];
    va_list arguments;
    if (list->count >= TR_FMU_MOST_WARNINGS) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->text[i], text) == 0) {
            return;
        }
    }
    bool        last = list->count == TR_FMU_MOST_WARNINGS - 1;
    const char *copy = tr_arena_text(list->arena, last ? "and more, which are not listed" : text);
    if (copy != NULL) {
        list->text[list->count++] = copy;
    }
}

bool tr_xml_is(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

const char *tr_xml_text(const trFmuXml *xml, xmlNode *node, const char *attribute) {
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)attribute);
    if (value == NULL) {
        if (xmlHasNsProp(node, (const xmlChar *)attribute, NULL) != NULL) {
            (void)tr_arena_take(xml->arena, SIZE_MAX, 1);  // it is there: memory is not
        }
        return NULL;
    }
    char *copy = tr_arena_text(xml->arena, (const char *)value);
    xmlFree(value);
    tr_make_plain(copy);
    return copy;
}

bool tr_xml_true(const trFmuXml *xml, xmlNode *node, const char *attribute) {
    const char *text = tr_xml_text(xml, node, attribute);
    bool        yes = text != NULL && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
    if (text != NULL && !yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0) {
        tr_fmu_list_add(xml->warnings, "line %ld: %s = '%.40s' is neither true nor false",
                        xmlGetLineNo(node), attribute, text);
    }
    return yes;
}

bool tr_xml_count(const trFmuXml *xml, xmlNode *node, const char *attribute, unsigned *out) {
    const char *text = tr_xml_text(xml, node, attribute);
    char       *end = NULL;
    if (text == NULL) {
        return true;
    }
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value > 0xffffffffUL || text[0] == '-') {
        tr_fmu_list_add(xml->warnings, "line %ld: %s = '%.40s' is no number from 0 on",
                        xmlGetLineNo(node), attribute, text);
        return false;
    }
    *out = (unsigned)value;
    return true;
}

xmlNode *tr_xml_child(xmlNode *node, const char *name) {
    for (xmlNode *child = node->children; child != NULL; child = child->next) {
        if (tr_xml_is(child, name)) {
            return child;
        }
    }
    return NULL;
}

bool tr_xml_in(const char *list, const char *word) {
    size_t length = strlen(word);
    if (length == 0) {
        return false;
    }
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word)) {
        if (at > list && at[-1] == ' ' && at[length] == ' ') {
            return true;
        }
    }
    return false;
}

void tr_xml_check_attributes(const trFmuXml *xml, const xmlNode *node, const char *known) {
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
        // Attributes of other namespaces are allowed anywhere.
        if (a->ns == NULL && !tr_xml_in(known, (const char *)a->name)) {
            tr_fmu_list_add(xml->warnings, "line %ld: <%.60s> has an unknown attribute '%.60s'",
                            xmlGetLineNo(node), (const char *)node->name, (const char *)a->name);
        }
    }
}
