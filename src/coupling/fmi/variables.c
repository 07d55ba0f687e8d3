// SPDX-License-Identifier: MIT
// <ModelVariables>: in FMI 2.0 <ScalarVariable><Real .../></ScalarVariable>, in 3.0 <Float64 .../>.

#include <string.h>

#include "fmi/xml.h"

#define MOST_VARIABLES 1000000

static const char known_type2[] =
    " declaredType quantity unit displayUnit relativeQuantity min max "
    "nominal unbounded start derivative reinit ";
static const char causalities[] = " parameter calculatedParameter input output local independent "
                                  "structuralParameter ";

static trFmuType kind_of(const char *type) {
    static const struct {
        const char *name;
        trFmuType   kind;
    } kinds[] = {
        {"Real", TR_FMU_REAL},     {"Integer", TR_FMU_INTEGER}, {"Boolean", TR_FMU_BOOLEAN},
        {"String", TR_FMU_STRING}, {"Float64", TR_FMU_REAL},    {"Int32", TR_FMU_INTEGER},
        {"Int64", TR_FMU_LONG},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, type) == 0) {
            return kinds[i].kind;
        }
    }
    return TR_FMU_OTHER;
}

static const char *or_else(const char *text, const char *otherwise) {
    return text != NULL ? text : otherwise;
}

// The unit of a variable, its own or that of its declared type.
static const char *unit_of(const trFmuXml *xml, xmlNode *node) {
    const char *unit = tr_xml_text(xml, node, "unit");
    const char *declared = tr_xml_text(xml, node, "declaredType");
    xmlNode    *root = xmlDocGetRootElement(node->doc);
    xmlNode    *types =
        unit == NULL && declared != NULL ? tr_xml_child(root, "TypeDefinitions") : NULL;
    for (xmlNode *t = types != NULL ? types->children : NULL; t != NULL && unit == NULL;
         t = t->next) {
        const char *name = t->type == XML_ELEMENT_NODE ? tr_xml_text(xml, t, "name") : NULL;
        if (name != NULL && strcmp(name, declared) == 0) {
            xmlNode *real = xml->major == 2 ? tr_xml_child(t, "Real") : t;
            unit = real != NULL ? tr_xml_text(xml, real, "unit") : NULL;
            break;
        }
    }
    return or_else(unit, "");
}

// The first element inside, <Real>, <Integer>, ...
static xmlNode *type_inside(xmlNode *node) {
    for (xmlNode *child = node->children; child != NULL; child = child->next) {
        if (child->type == XML_ELEMENT_NODE && !tr_xml_is(child, "Annotations")) {
            return child;
        }
    }
    return NULL;
}

// False, with a warning: it cannot be used.
static bool read_one(const trFmuXml *xml, xmlNode *node, trFmuVariable *out) {
    xmlNode *typed = xml->major == 2 ? type_inside(node) : node;
    long     line = xmlGetLineNo(node);
    unsigned reference = ~0u;
    bool     counted = tr_xml_count(xml, node, "valueReference", &reference);
    *out =
        (trFmuVariable){.name = or_else(tr_xml_text(xml, node, "name"), ""), .derivative_of = -1};
    if (typed == NULL || out->name[0] == '\0' || !counted || reference == ~0u) {
        tr_fmu_list_add(xml->warnings,
                        "line %ld: variable '%.80s' is left out: it has no name, type or value "
                        "reference",
                        line, out->name);
        out->name = out->causality = out->variability = out->type = out->unit = "";
        out->kind = TR_FMU_OTHER;
        return false;
    }
    tr_xml_check_attributes(xml, node, xml->words->variable);
    if (typed != node) {
        tr_xml_check_attributes(xml, typed, known_type2);
    }
    out->reference = reference;
    out->causality = or_else(tr_xml_text(xml, node, "causality"), "local");
    out->variability = or_else(tr_xml_text(xml, node, "variability"), "continuous");
    out->description = tr_xml_text(xml, node, "description");
    out->type = or_else(tr_arena_text(xml->arena, (const char *)typed->name), "");
    out->kind = strcmp(out->type, "Enumeration") != 0 ? kind_of(out->type)
                : xml->major == 2                     ? TR_FMU_INTEGER
                                                      : TR_FMU_LONG;
    if (tr_xml_child(node, "Dimension") != NULL) {
        out->kind = TR_FMU_OTHER;  // an array
    }
    out->unit = unit_of(xml, typed);
    out->start = tr_xml_text(xml, typed, "start");
    out->has_start = out->start != NULL || (xml->major == 3 && tr_xml_child(node, "Start") != NULL);
    if (!tr_xml_in(causalities, out->causality)) {
        tr_fmu_list_add(xml->warnings,
                        "line %ld: variable '%.80s' has an unknown causality '%.40s'", line,
                        out->name, out->causality);
    }
    return true;
}

int tr_xml_variable(const trFmuXml *xml, int count, const trFmuVariable *list, unsigned at) {
    if (xml->major == 2) {
        return at >= 1 && at <= (unsigned)count ? (int)at - 1 : -1;
    }
    for (int i = 0; i < count; i++) {
        if (list[i].name[0] != '\0' && list[i].reference == at) {
            return i;
        }
    }
    return -1;
}

static void find_derivative(const trFmuXml *xml, xmlNode *node, const trFmuVariable *list,
                            int count, trFmuVariable *out) {
    unsigned of = ~0u;
    xmlNode *typed = xml->major == 2 ? type_inside(node) : node;
    if (typed == NULL || !tr_xml_count(xml, typed, "derivative", &of) || of == ~0u) {
        return;
    }
    out->derivative_of = tr_xml_variable(xml, count, list, of);
    if (out->derivative_of < 0) {
        tr_fmu_list_add(xml->warnings,
                        "variable '%.80s' is the derivative of %u, which does not exist", out->name,
                        of);
    }
}

static bool is_variable(const trFmuXml *xml, const xmlNode *node) {
    return node->type == XML_ELEMENT_NODE && (xml->major == 3 || tr_xml_is(node, "ScalarVariable"));
}

trStatus tr_fmu_read_variables(const trFmuXml *xml, xmlNode *list) {
    int count = 0;
    for (xmlNode *node = list->children; node != NULL; node = node->next) {
        count += count < MOST_VARIABLES && is_variable(xml, node);
        if (node->type == XML_ELEMENT_NODE && !is_variable(xml, node)) {
            tr_fmu_list_add(xml->warnings, "line %ld: unknown element <%.60s> among variables",
                            xmlGetLineNo(node), (const char *)node->name);
        }
    }
    trFmuVariable *all = tr_new_array(xml->arena, trFmuVariable, count);
    TR_TRY(tr_arena_status(xml->arena));
    int n = 0;
    for (xmlNode *node = list->children; node != NULL && n < count; node = node->next) {
        if (is_variable(xml, node)) {
            (void)read_one(xml, node, &all[n]);  // what cannot be used keeps its place, by index
            n++;
        }
    }
    n = 0;
    for (xmlNode *node = list->children; node != NULL && n < count; node = node->next) {
        if (is_variable(xml, node)) {
            find_derivative(xml, node, all, count, &all[n]);
            n++;
        }
    }
    xml->info->variables = count;
    xml->info->variable = all;
    return tr_arena_status(xml->arena);
}
