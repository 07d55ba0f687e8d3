// SPDX-License-Identifier: MIT
/// @file registry.h List joints, forces, methods and their parts, integrators,
/// coupling algorithms, settings, and the parameters of each.

#ifndef TRAMMEL_REGISTRY_H
#define TRAMMEL_REGISTRY_H

#include <stdbool.h>

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum trFamily {
    TR_JOINTS,
    TR_FORCES,
    TR_MODEL_PARTS,  ///< of a model file: models, bodies, frames, ports, and what all joints have
    TR_METHODS,
    TR_FORMULATIONS,
    TR_STABILIZATIONS,
    TR_STAGE_PROJECTIONS,
    TR_PROJECTIONS,
    TR_CARRIES,
    TR_BASES,
    TR_SETTINGS,  ///< of a simulation, each with itself as its only field
    TR_INTEGRATORS,
    TR_COUPLINGS,
    TR_SCHEMES,
    TR_FAMILIES
} trFamily;

/// A parameter of a kind, or an option of a method.
typedef struct trFieldInfo {
    const char *name;
    const char *type;      ///< "number", "vector {x, y}", "text", "true or false", ...
    const char *unit;      ///< "" for a pure number
    const char *summary;   ///< its meaning
    bool        required;  ///< it has no default
    double      fallback;  ///< default of a number; NAN: none, the kind decides
    const char *left_out;  ///< default in words; NULL: `fallback`
} trFieldInfo;

typedef enum trFactKind {
    TR_FACT_BOOL,
    TR_FACT_INTEGER,
    TR_FACT_NUMBER,
    TR_FACT_TEXT,
    TR_FACT_ITEM
} trFactKind;

/// A property of a kind. Facts TR_FACT_ITEM with the same key are a list; it is empty where the
/// text is NULL.
typedef struct trFact {
    const char *key;  ///< "order"
    trFactKind  kind;
    double      number;  ///< of truth 0 or 1
    const char *text;
} trFact;

#define TR_FACTS_MOST 40

typedef struct trKindInfo {
    const char *name;
    const char *summary;
    const char *source;  ///< publication, or NULL
    const char *title;   ///< group of a method, full name of a coupling algorithm; or NULL
    int         dim;     ///< 2 or 3; 0: it has none
    int         fields;
    int         facts;
    trFact      fact[TR_FACTS_MOST];  ///< facts
} trKindInfo;

TR_API const char *tr_family_name(trFamily family);  ///< "joints"
TR_API int         tr_registry_count(trFamily family);
/// All strings are static. A number out of range gives zeros.
TR_API trKindInfo  tr_registry_at(trFamily family, int index);
TR_API trFieldInfo tr_registry_field(trFamily family, int index, int field);
/// The number of a kind by its name and, where the family has dimensions, `dim`. TR_E_ARGUMENT,
/// with a suggestion, if there is none.
TR_API trStatus tr_registry_find(trFamily family, const char *name, int dim,
                                 int *out) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
