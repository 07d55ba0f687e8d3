// SPDX-License-Identifier: MIT
#include "fmi/description.h"

#include <libxml/parser.h>
#include <string.h>

#include "fmi/xml.h"

static const trFmuWords words[] = {
    {.root = " fmiVersion modelName guid description author version copyright license "
             "generationTool generationDateAndTime variableNamingConvention "
             "numberOfEventIndicators ",
     .elements = " ModelExchange CoSimulation UnitDefinitions TypeDefinitions LogCategories "
                 "DefaultExperiment VendorAnnotations ModelVariables ModelStructure ",
     .structure = " Outputs Derivatives InitialUnknowns ",
     .kind = " modelIdentifier needsExecutionTool completedIntegratorStepNotNeeded "
             "canBeInstantiatedOnlyOncePerProcess canNotUseMemoryManagementFunctions "
             "canGetAndSetFMUstate canSerializeFMUstate providesDirectionalDerivative "
             "canHandleVariableCommunicationStepSize canInterpolateInputs "
             "maxOutputDerivativeOrder canRunAsynchronuously ",
     .variable = " name valueReference description causality variability initial "
                 "canHandleMultipleSetPerTimeInstant previous ",
     .token = "guid",
     .repeats = "canGetAndSetFMUstate",
     .serializes = "canSerializeFMUstate",
     .derives = "providesDirectionalDerivative",
     .rate = "Unknown",
     .rate_of = "index"},
    {.root = " fmiVersion modelName instantiationToken description author version copyright "
             "license generationTool generationDateAndTime variableNamingConvention ",
     .elements = " ModelExchange CoSimulation ScheduledExecution UnitDefinitions TypeDefinitions "
                 "LogCategories DefaultExperiment Annotations ModelVariables ModelStructure ",
     .structure = " Output ContinuousStateDerivative ClockedState InitialUnknown EventIndicator ",
     .kind = " modelIdentifier needsExecutionTool canBeInstantiatedOnlyOncePerProcess "
             "canGetAndSetFMUState canSerializeFMUState providesDirectionalDerivatives "
             "providesAdjointDerivatives providesPerElementDependencies "
             "needsCompletedIntegratorStep providesEvaluateDiscreteStates "
             "canHandleVariableCommunicationStepSize fixedInternalStepSize "
             "maxOutputDerivativeOrder recommendedIntermediateInputSmoothness "
             "providesIntermediateUpdate mightReturnEarlyFromDoStep "
             "canReturnEarlyAfterIntermediateUpdate hasEventMode ",
     .variable = " name valueReference description causality variability "
                 "canHandleMultipleSetPerTimeInstant intermediateUpdate previous clocks "
                 "declaredType quantity unit displayUnit relativeQuantity unbounded min max "
                 "nominal initial start derivative reinit mimeType maxSize canBeDeactivated "
                 "priority intervalVariability intervalDecimal shiftDecimal supportsFraction "
                 "resolution intervalCounter shiftCounter ",
     .token = "instantiationToken",
     .repeats = "canGetAndSetFMUState",
     .serializes = "canSerializeFMUState",
     .derives = "providesDirectionalDerivatives",
     .rate = "ContinuousStateDerivative",
     .rate_of = "valueReference"}};

static trStatus check_version(trFmuXml *xml, xmlNode *root) {
    trFmuInfo  *info = xml->info;
    const char *version = tr_xml_text(xml, root, "fmiVersion");
    if (!tr_xml_is(root, "fmiModelDescription") || version == NULL) {
        return tr_fail(TR_E_MODEL,
                       "%s: modelDescription.xml is not that of an FMU: no <fmiModelDescription> "
                       "with an fmiVersion",
                       info->path);
    }
    xml->major = strncmp(version, "2.", 2) == 0 ? 2 : strncmp(version, "3.", 2) == 0 ? 3 : 0;
    if (xml->major == 0) {
        return tr_fail(TR_E_MODEL,
                       "%s: is of FMI %.20s; 2.0 and 3.0 are supported: export it as one of these",
                       info->path, version);
    }
    xml->words = &words[xml->major == 3];
    info->version = version;
    return TR_OK;
}

// <ModelExchange> or <CoSimulation>.
static void read_kind(const trFmuXml *xml, xmlNode *root, const char *name, trFmuKind kind) {
    trFmuInfo *info = xml->info;
    xmlNode   *node = tr_xml_child(root, name);
    if (node == NULL) {
        return;
    }
    tr_xml_check_attributes(xml, node, xml->words->kind);
    info->identifier[kind] = tr_xml_text(xml, node, "modelIdentifier");
    if (info->identifier[kind] == NULL || info->identifier[kind][0] == '\0' ||
        strchr(info->identifier[kind], '/') != NULL) {
        tr_fmu_list_add(xml->warnings, "line %ld: <%s> has no usable modelIdentifier: left out",
                        xmlGetLineNo(node), name);
        return;
    }
    info->kinds |= (unsigned)kind;
    info->repeats[kind] = tr_xml_true(xml, node, xml->words->repeats);
    info->serializes[kind] = info->repeats[kind] && tr_xml_true(xml, node, xml->words->serializes);
    info->derives[kind] = tr_xml_true(xml, node, xml->words->derives);
}

static int count_elements(const xmlNode *node, const char *name) {
    int count = 0;
    for (const xmlNode *child = node != NULL ? node->children : NULL; child != NULL;
         child = child->next) {
        count += tr_xml_is(child, name);
    }
    return count;
}

// What holds the derivatives of states in <ModelStructure>.
static xmlNode *rates_of(const trFmuXml *xml, xmlNode *structure) {
    return xml->major == 2 && structure != NULL ? tr_xml_child(structure, "Derivatives")
                                                : structure;
}

// The n-th state is the variable whose derivative the n-th entry names.
static trStatus name_states(const trFmuXml *xml, xmlNode *root) {
    trFmuInfo *info = xml->info;
    xmlNode   *node = rates_of(xml, tr_xml_child(root, "ModelStructure"));
    int       *state = tr_new_array(xml->arena, int, info->states), n = 0;
    TR_TRY(tr_arena_status(xml->arena));
    for (xmlNode *child = node != NULL ? node->children : NULL; child != NULL;
         child = child->next) {
        unsigned at = ~0u;
        if (tr_xml_is(child, xml->words->rate) && n < info->states &&
            tr_xml_count(xml, child, xml->words->rate_of, &at)) {
            int rate = tr_xml_variable(xml, info->variables, info->variable, at);
            state[n++] = rate >= 0 ? info->variable[rate].derivative_of : -1;
        }
    }
    while (n < info->states) {
        state[n++] = -1;
    }
    info->state = state;
    return TR_OK;
}

static void check_elements(const trFmuXml *xml, const xmlNode *node, const char *known) {
    for (const xmlNode *child = node->children; child != NULL; child = child->next) {
        if (child->type == XML_ELEMENT_NODE && !tr_xml_in(known, (const char *)child->name)) {
            tr_fmu_list_add(xml->warnings, "line %ld: unknown element <%.60s> in <%s>",
                            xmlGetLineNo(child), (const char *)child->name,
                            (const char *)node->name);
        }
    }
}

static void read_structure(const trFmuXml *xml, xmlNode *root) {
    xmlNode *node = tr_xml_child(root, "ModelStructure");
    unsigned indicators = 0;
    if (node == NULL) {
        tr_fmu_list_add(xml->warnings, "no <ModelStructure>: it is assumed to have no states");
        return;
    }
    check_elements(xml, node, xml->words->structure);
    xml->info->states = count_elements(rates_of(xml, node), xml->words->rate);
    if (xml->major == 2) {
        (void)tr_xml_count(xml, root, "numberOfEventIndicators", &indicators);
        xml->info->indicators = indicators < 1000000 ? (int)indicators : 0;
    } else {
        xml->info->indicators = count_elements(node, "EventIndicator");
    }
}

static void read_head(const trFmuXml *xml, xmlNode *root) {
    trFmuInfo *info = xml->info;
    info->name = tr_xml_text(xml, root, "modelName");
    info->description = tr_xml_text(xml, root, "description");
    info->tool = tr_xml_text(xml, root, "generationTool");
    info->token = tr_xml_text(xml, root, xml->words->token);
    tr_xml_check_attributes(xml, root, xml->words->root);
    check_elements(xml, root, xml->words->elements);
    if (info->name == NULL) {
        tr_fmu_list_add(xml->warnings, "no modelName");
        info->name = "";
    }
    if (info->token == NULL) {
        tr_fmu_list_add(xml->warnings, "no %s", xml->words->token);
        info->token = "";
    }
}

static trStatus read_document(trFmuXml *xml, xmlDoc *document) {
    trFmuInfo *info = xml->info;
    xmlNode   *root = xmlDocGetRootElement(document);
    // Entities could grow without bounds or name other files. No FMU needs them.
    if (document->intSubset != NULL || document->extSubset != NULL || root == NULL) {
        return tr_fail(TR_E_MODEL,
                       "%s: modelDescription.xml has a document type, which no FMU needs; refused",
                       info->path);
    }
    TR_TRY(check_version(xml, root));
    read_head(xml, root);
    read_kind(xml, root, "ModelExchange", TR_FMU_MODEL_EXCHANGE);
    read_kind(xml, root, "CoSimulation", TR_FMU_CO_SIMULATION);
    read_structure(xml, root);
    xmlNode *variables = tr_xml_child(root, "ModelVariables");
    if (variables != NULL) {
        TR_TRY(tr_fmu_read_variables(xml, variables));
    } else {
        tr_fmu_list_add(xml->warnings, "no <ModelVariables>");
    }
    TR_TRY(name_states(xml, root));
    return tr_arena_status(xml->arena);
}

// One line of what the XML library says.
static trStatus broken(const trFmuInfo *info) {
    const xmlError *error = xmlGetLastError();
    const char     *text = error != NULL && error->message != NULL ? error->message : "not XML";
    return tr_fail(TR_E_MODEL,
                   "%s: modelDescription.xml, line %d: broken: %.*s; get or export the FMU again",
                   info->path, error != NULL ? error->line : 0, (int)strcspn(text, "\n"), text);
}

// Some errors of encodings would be printed whatever the options are.
static void stay_quiet(void *context, xmlErrorPtr error) {
}

trStatus tr_fmu_description_parse(trArena *arena, const char *text, size_t size, trFmuInfo *info,
                                  trFmuList *warnings) {
    trFmuXml xml = {.arena = arena, .info = info, .words = words, .warnings = warnings};
    xmlStructuredErrorFunc teller = xmlStructuredError;  // of this thread
    void                  *context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, stay_quiet);
    xmlDoc  *document = xmlReadMemory(text, (int)size, "modelDescription.xml", NULL,
                                      XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    trStatus status = document != NULL ? read_document(&xml, document) : broken(info);
    xmlFreeDoc(document);
    xmlSetStructuredErrorFunc(context, teller);
    return status;
}

int tr_fmu_find_variable(const trFmuInfo *info, const char *name) {
    for (int i = 0; i < info->variables; i++) {
        if (info->variable[i].name[0] != '\0' && strcmp(info->variable[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

trStatus tr_fmu_describe(const trFmuArchive *archive, const trFmuDef *def, trFmuInfo *info,
                         trFmuList *warnings) {
    const char *xml = NULL;
    size_t      size = 0;
    info->path = archive->path;
    TR_TRY(tr_fmu_archive_text(archive, "modelDescription.xml", &xml, &size));
    if (xml == NULL) {
        return tr_fail(TR_E_MODEL,
                       "%s: has no modelDescription.xml, so it is not an FMU; was the folder "
                       "zipped instead of its content?",
                       info->path);
    }
    TR_TRY(tr_fmu_description_parse(archive->arena, xml, size, info, warnings));
    info->platforms = tr_fmu_archive_platforms(archive, &info->platform);
    info->native = tr_fmu_platform_find(archive, info);
    info->runs_here = info->native != NULL;
    TR_TRY(tr_fmu_find_ports(archive->arena, def, info, warnings));
    info->warnings = warnings->count;
    info->warning = warnings->text;
    if (def->strict && warnings->count > 0) {
        return tr_fail(TR_E_MODEL, "%s: %s%s; without strict it is accepted", info->path,
                       warnings->text[0], warnings->count > 1 ? ", and more" : "");
    }
    return tr_arena_status(archive->arena);
}
