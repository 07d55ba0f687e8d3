// SPDX-License-Identifier: MIT
// What methods are made of, as `trammel methods` lists it.

#include "basis/basis.h"
#include "carry/carry.h"
#include "formulation/formulation.h"
#include "projection/projection.h"
#include "stabilization/stabilization.h"

#include "cli/method_lists.h"

const trTrait tr_traits[TR_TRAITS] = {
    {TR_COPES_REDUNDANT, "redundant_rows", "redundant rows",
     "rows that depend on each other: free what is held twice, or take direct_mass"},
    {TR_COPES_SINGULAR_MASS, "singular_mass", "singular mass",
     "velocities without inertia: give them some, or take direct_mass"},
    {TR_COPES_NONHOLONOMIC, "nonholonomic", "nonholonomic rows",
     "rows that hold velocities alone: take direct_mass"},
    {TR_COPES_NONIDEAL, "nonideal", "friction from reactions",
     "forces of s:nonideal that use reactions: take direct_mass"},
    {TR_COPES_SINGULAR_POSE, "singular_pose", "singular poses",
     "poses where rows become dependent: a step that ends in one is an error; take direct_mass"},
};

void tr_traits_json(trJson *json, unsigned traits) {
    for (int i = 0; i < TR_TRAITS; i++) {
        tr_json_bool(json, tr_traits[i].key, (traits & tr_traits[i].bit) != 0);
    }
    tr_json_bool(json, "dense", (traits & TR_DENSE) != 0);
    tr_json_bool(json, "depends_on_units", (traits & TR_BY_UNITS) != 0);
}

// "sparse; not: singular mass, singular poses"
static void print_traits(FILE *file, unsigned traits) {
    int said = 0;
    fprintf(file, "  %-23s %s", "", (traits & TR_DENSE) != 0 ? "dense" : "sparse");
    for (int i = 0; i < TR_TRAITS; i++) {
        if ((traits & tr_traits[i].bit) == 0) {
            fprintf(file, "%s%s", said++ > 0 ? ", " : "; cannot take ", tr_traits[i].words);
        }
    }
    fputs((traits & TR_BY_UNITS) != 0 ? "; depends on units\n" : "\n", file);
}

// What every part says about itself.
typedef struct Words {
    const char *name, *summary, *source;
} Words;

static void print_words(FILE *file, Words words) {
    fprintf(file, "  %-23s %s\n", words.name, words.summary);
}

static void print_source(FILE *file, Words words) {
    fprintf(file, "  %-23s %s\n", "", words.source);
}

static void json_words(trJson *out, Words words) {
    tr_json_text(out, "name", words.name);
    tr_json_text(out, "summary", words.summary);
    tr_json_text(out, "source", words.source);
}

#define WORDS(kind) ((Words){(kind)->name, (kind)->summary, (kind)->source})

static const char *formulation_name(int index) {
    return tr_formulation_at(index)->name;
}

static void formulation_print(FILE *file, int index, bool full) {
    const trFormulationKind *kind = tr_formulation_at(index);
    (void)full;
    print_words(file, WORDS(kind));
    print_traits(file, kind->traits);
    print_source(file, WORDS(kind));
}

static void formulation_json(trJson *out, int index) {
    const trFormulationKind *kind = tr_formulation_at(index);
    json_words(out, WORDS(kind));
    tr_traits_json(out, kind->traits);
    tr_json_number(out, "error", kind->error);
}

static const char *stabilization_name(int index) {
    return tr_stabilization_at(index)->name;
}

static void stabilization_print(FILE *file, int index, bool full) {
    const trStabilizationKind *kind = tr_stabilization_at(index);
    (void)full;
    print_words(file, WORDS(kind));
    print_source(file, WORDS(kind));
}

static void stabilization_json(trJson *out, int index) {
    const trStabilizationKind *kind = tr_stabilization_at(index);
    json_words(out, WORDS(kind));
    tr_traits_json(out, kind->traits);
}

// A stage is a projection, or leaves what is carried; the source is that of the part.
static Words stage_words(const trStageKind *stage) {
    const char *source = stage->projection != NULL ? tr_projection_find(stage->projection)->source
                                                   : tr_carry_find(stage->carry)->source;
    return (Words){stage->name, stage->summary, source};
}

static unsigned stage_traits(const trStageKind *stage) {
    return stage->projection != NULL ? tr_projection_find(stage->projection)->traits
                                     : tr_carry_find(stage->carry)->traits;
}

static const char *stage_name(int index) {
    return tr_stage_at(index)->name;
}

static void stage_print(FILE *file, int index, bool full) {
    const trStageKind *stage = tr_stage_at(index);
    (void)full;
    print_words(file, stage_words(stage));
    fprintf(file, "  %-23s %s %s\n", "", stage->projection != NULL ? "projection" : "carry",
            stage->projection != NULL ? stage->projection : stage->carry);
    print_source(file, stage_words(stage));
}

static void stage_json(trJson *out, int index) {
    const trStageKind *stage = tr_stage_at(index);
    json_words(out, stage_words(stage));
    tr_json_text(out, "projection", stage->projection);
    tr_json_text(out, "carry", stage->carry);
    tr_traits_json(out, stage_traits(stage));
}

static const char *projection_name(int index) {
    return tr_projection_at(index)->name;
}

// The metric in which the step is the smallest; NULL: it is picked by other means.
static const char *metric_of(const trProjectionKind *kind) {
    return kind->weight == TR_WEIGHT_MASS       ? "mass"
           : kind->weight == TR_WEIGHT_IDENTITY ? "identity"
                                                : NULL;
}

static void projection_print(FILE *file, int index, bool full) {
    const trProjectionKind *kind = tr_projection_at(index);
    const char             *metric = metric_of(kind);
    (void)full;
    print_words(file, WORDS(kind));
    fprintf(file, "  %-23s %s%s\n", "", metric != NULL ? "metric: " : "some rows B are held",
            metric != NULL ? metric : "");
    print_traits(file, kind->traits);
    print_source(file, WORDS(kind));
}

static void projection_json(trJson *out, int index) {
    const trProjectionKind *kind = tr_projection_at(index);
    json_words(out, WORDS(kind));
    tr_json_text(out, "metric", metric_of(kind));
    tr_json_bool(out, "velocities_only", kind->velocities_only);
    tr_traits_json(out, kind->traits);
}

static const char *carry_name(int index) {
    return tr_carry_at(index)->name;
}

static void carry_print(FILE *file, int index, bool full) {
    const trCarryKind *kind = tr_carry_at(index);
    (void)full;
    print_words(file, WORDS(kind));
    print_traits(file, kind->traits);
    print_source(file, WORDS(kind));
}

static void carry_json(trJson *out, int index) {
    const trCarryKind *kind = tr_carry_at(index);
    json_words(out, WORDS(kind));
    tr_traits_json(out, kind->traits);
}

static const char *basis_name(int index) {
    return tr_basis_at(index)->name;
}

static void basis_print(FILE *file, int index, bool full) {
    const trBasisKind *kind = tr_basis_at(index);
    (void)full;
    print_words(file, WORDS(kind));
    fprintf(file, "  %-23s %s, %s%s\n", "", kind->orthonormal ? "orthonormal" : "not orthonormal",
            kind->continuous ? "continuous from step to step" : "jumps from step to step",
            (kind->traits & TR_BY_UNITS) != 0 ? "; depends on units" : "");
    print_source(file, WORDS(kind));
}

static void basis_json(trJson *out, int index) {
    const trBasisKind *kind = tr_basis_at(index);
    json_words(out, WORDS(kind));
    tr_json_bool(out, "orthonormal", kind->orthonormal);
    tr_json_bool(out, "continuous", kind->continuous);
    tr_json_bool(out, "depends_on_units", (kind->traits & TR_BY_UNITS) != 0);
}

const trListing tr_part_listings[TR_PART_LISTINGS] = {
    {"formulations", tr_formulation_count, formulation_name, NULL, formulation_print,
     formulation_json},
    {"stabilizations", tr_stabilization_count, stabilization_name, NULL, stabilization_print,
     stabilization_json},
    {"stage_projections", tr_stage_count, stage_name, NULL, stage_print, stage_json},
    {"projections", tr_projection_count, projection_name, NULL, projection_print, projection_json},
    {"carries", tr_carry_count, carry_name, NULL, carry_print, carry_json},
    {"bases", tr_basis_count, basis_name, NULL, basis_print, basis_json},
};
