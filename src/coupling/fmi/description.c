// SPDX-License-Identifier: MIT
#include "fmi/description.h"

#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "fmi/xml.h"

static const char known_root2[] = " fmiVersion modelName guid description author version copyright "
                                  "license generationTool generationDateAndTime "
                                  "variableNamingConvention numberOfEventIndicators ";
static const char known_root3[] = " fmiVersion modelName instantiationToken description author "
                                  "version copyright license generationTool "
                                  "generationDateAndTime variableNamingConvention ";
static const char elements2[] = " ModelExchange CoSimulation UnitDefinitions TypeDefinitions "
                                "LogCategories DefaultExperiment VendorAnnotations ModelVariables "
                                "ModelStructure ";
static const char elements3[] = " ModelExchange CoSimulation ScheduledExecution UnitDefinitions "
                                "TypeDefinitions LogCategories DefaultExperiment Annotations "
                                "ModelVariables ModelStructure ";
static const char structure2[] = " Outputs Derivatives InitialUnknowns ";
static const char structure3[] =
    " Output ContinuousStateDerivative ClockedState InitialUnknown EventIndicator ";
static const char known_kind2[] =
    " modelIdentifier needsExecutionTool completedIntegratorStepNotNeeded "
    "canBeInstantiatedOnlyOncePerProcess canNotUseMemoryManagementFunctions canGetAndSetFMUstate "
    "canSerializeFMUstate providesDirectionalDerivative canHandleVariableCommunicationStepSize "
    "canInterpolateInputs maxOutputDerivativeOrder canRunAsynchronuously ";
static const char known_kind3[] =
    " modelIdentifier needsExecutionTool canBeInstantiatedOnlyOncePerProcess canGetAndSetFMUState "
    "canSerializeFMUState providesDirectionalDerivatives providesAdjointDerivatives "
    "providesPerElementDependencies needsCompletedIntegratorStep providesEvaluateDiscreteStates "
    "canHandleVariableCommunicationStepSize fixedInternalStepSize maxOutputDerivativeOrder "
    "recommendedIntermediateInputSmoothness providesIntermediateUpdate "
    "mightReturnEarlyFromDoStep canReturnEarlyAfterIntermediateUpdate hasEventMode ";

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
    info->version = version;
    return TR_OK;
}

// <ModelExchange> or <CoSimulation>.
static void read_kind(const trFmuXml *xml, xmlNode *root, const char *name, trFmuKind kind) {
    trFmuInfo *info = xml->info;
    bool       two = xml->major == 2;
    xmlNode   *node = tr_xml_child(root, name);
    if (node == NULL) {
        return;
    }
    tr_xml_check_attributes(xml, node, two ? known_kind2 : known_kind3);
    info->identifier[kind] = tr_xml_text(xml, node, "modelIdentifier");
    if (info->identifier[kind] == NULL || info->identifier[kind][0] == '\0' ||
        strchr(info->identifier[kind], '/') != NULL) {
        tr_fmu_list_add(xml->warnings, "line %ld: <%s> has no usable modelIdentifier: left out",
                        xmlGetLineNo(node), name);
        return;
    }
    info->kinds |= (unsigned)kind;
    info->repeats[kind] =
        tr_xml_true(xml, node, two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    info->serializes[kind] =
        info->repeats[kind] &&
        tr_xml_true(xml, node, two ? "canSerializeFMUstate" : "canSerializeFMUState");
    info->derives[kind] = tr_xml_true(
        xml, node, two ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
}

static int count_elements(const xmlNode *node, const char *name) {
    int count = 0;
    for (const xmlNode *child = node != NULL ? node->children : NULL; child != NULL;
         child = child->next) {
        count += tr_xml_is(child, name);
    }
    return count;
}

// The n-th state is the variable whose derivative the n-th entry names: by index from 1 in 2.0, by
// value reference in 3.0.
static trStatus name_states(const trFmuXml *xml, xmlNode *root) {
    trFmuInfo  *info = xml->info;
    bool        two = xml->major == 2;
    const char *entry = two ? "Unknown" : "ContinuousStateDerivative";
    xmlNode    *node = tr_xml_child(root, "ModelStructure");
    int        *state = tr_new_array(xml->arena, int, info->states), n = 0;
    TR_TRY(tr_arena_status(xml->arena));
    node = two && node != NULL ? tr_xml_child(node, "Derivatives") : node;
    for (xmlNode *child = node != NULL ? node->children : NULL; child != NULL;
         child = child->next) {
        unsigned at = ~0u;
        int      rate = -1;
        if (!tr_xml_is(child, entry) || n >= info->states ||
            !tr_xml_count(xml, child, two ? "index" : "valueReference", &at)) {
            continue;
        }
        if (two && at >= 1 && at <= (unsigned)info->variables) {
            rate = (int)at - 1;
        }
        for (int i = 0; !two && i < info->variables && rate < 0; i++) {
            rate = info->variable[i].reference == at ? i : -1;
        }
        state[n++] = rate >= 0 ? info->variable[rate].derivative_of : -1;
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
    check_elements(xml, node, xml->major == 2 ? structure2 : structure3);
    if (xml->major == 2) {
        xml->info->states = count_elements(tr_xml_child(node, "Derivatives"), "Unknown");
        (void)tr_xml_count(xml, root, "numberOfEventIndicators", &indicators);
        xml->info->indicators = indicators < 1000000 ? (int)indicators : 0;
    } else {
        xml->info->states = count_elements(node, "ContinuousStateDerivative");
        xml->info->indicators = count_elements(node, "EventIndicator");
    }
}

static void read_head(const trFmuXml *xml, xmlNode *root) {
    trFmuInfo *info = xml->info;
    info->name = tr_xml_text(xml, root, "modelName");
    info->description = tr_xml_text(xml, root, "description");
    info->tool = tr_xml_text(xml, root, "generationTool");
    info->token = tr_xml_text(xml, root, xml->major == 2 ? "guid" : "instantiationToken");
    tr_xml_check_attributes(xml, root, xml->major == 2 ? known_root2 : known_root3);
    check_elements(xml, root, xml->major == 2 ? elements2 : elements3);
    if (info->name == NULL) {
        tr_fmu_list_add(xml->warnings, "no modelName");
        info->name = "";
    }
    if (info->token == NULL) {
        tr_fmu_list_add(xml->warnings, "no %s", xml->major == 2 ? "guid" : "instantiationToken");
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
    (void)context;
    (void)error;
}

trStatus tr_fmu_description_parse(trArena *arena, const char *text, size_t size, trFmuInfo *info,
                                  trFmuList *warnings) {
    trFmuXml               xml = {.arena = arena, .info = info, .warnings = warnings};
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
