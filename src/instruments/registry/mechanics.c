// SPDX-License-Identifier: MIT
// Joints, forces, and the parts of model files.

#include "force/force.h"
#include "joint/joint.h"
#include "model/model.h"
#include "registry/registry.h"
#include "trammel/sim.h"

static void describe_joint(int index, trKindInfo *out) {
    const trJointKind *kind = tr_joint_at(index);
    *out = (trKindInfo){.name = kind->name, .summary = kind->summary, .dim = kind->dim};
    tr_fact_bool(out, "holonomic", kind->nonholonomic == 0);
    tr_fact_integer(out, "nonholonomic_rows", kind->nonholonomic);
    tr_fact_bool(out, "depends_on_time", (kind->traits & TR_RHEONOMIC) != 0);
    for (int i = 0; i < kind->rows; i++) {
        tr_fact_item(out, "row_units", kind->row_units[i]);
    }
    for (int k = 0; k < tr_joint_variables(kind); k++) {
        tr_fact_item(out, "variables", kind->variable[k].name);
    }
    for (int k = 0; k < tr_joint_variables(kind); k++) {
        tr_fact_item(out, "variable_units", kind->variable[k].unit);
    }
    tr_fact_text(out, "reaction_at", kind->reaction_at);
    tr_fact_text(out, "reaction", TR_REACTION_CONVENTION);
}

static trFieldList joint_fields(int index) {
    return tr_field_list(tr_joint_at(index)->fields);
}

const trFamilyKind tr_family_joints = {"joints", tr_joint_count, describe_joint, joint_fields};

static void describe_force(int index, trKindInfo *out) {
    const trForceKind *kind = tr_force_at(index);
    *out = (trKindInfo){.name = kind->name, .summary = kind->summary, .dim = kind->dim};
    tr_fact_integer(out, "bodies", (kind->traits & TR_ONE_BODY) != 0 ? 1 : 2);
    tr_fact_bool(out, "conservative", (kind->traits & TR_CONSERVATIVE) != 0);
}

static trFieldList force_fields(int index) {
    return tr_field_list(tr_force_at(index)->fields);
}

const trFamilyKind tr_family_forces = {"forces", tr_force_count, describe_force, force_fields};

// --- parts ---

typedef struct Part {
    const char    *name;
    int            dim;
    const char    *summary;
    const trField *own;     // keys that m:NAME{} itself reads
    const trField *fields;  // of the parameter struct; NULL: none
} Part;

#define TEXT(key, flags, help) \
    { key, TR_FIELD_TEXT, flags, 0, 0.0, "", help, NULL, NULL, NULL }

static const trField none[] = {TR_FIELD_END};
static const trField owner[] = {
    TEXT("name", TR_REQUIRED, "unique among bodies and frames"),
    TR_FIELD_END,
};

#define REACTION_FRAME                                                                          \
    TEXT("reaction_frame", 0,                                                                   \
         "frame at whose origin and in whose axes the reaction is given; default: the joint's " \
         "point, world axes")
#define NAME(example) \
    TEXT("name", 0, "unique among its like; default: made from the kind, as " example)

static const trField joint2[] = {
    NAME("revolute1"),
    TEXT("frame1", 0, "frame of body 1 that stands for point1 and, unless given, axis1: its x"),
    TEXT("frame2", 0, "frame of body 2 that stands for point2 and, unless given, axis2: its x"),
    REACTION_FRAME,
    TR_FIELD_END,
};
static const trField joint3[] = {
    NAME("revolute1"),
    TEXT("frame1", 0, "frame of body 1 that stands for point1 and, unless given, axis1: its z"),
    TEXT("frame2", 0, "frame of body 2 that stands for point2 and, unless given, axis2: its z"),
    REACTION_FRAME,
    TR_FIELD_END,
};
static const trField force[] = {NAME("spring1"), TR_FIELD_END};

static const char of_model[] = "keys of model{}";
static const char of_body[] = "keys of m:body{}";
static const char of_frame[] = "keys of m:frame{} after its body: a point with axes, fixed in it";
static const char of_port[] =
    "keys of m:port{} after its body: a frame that other modules are glued to";
static const char of_joint[] = "keys of every m:joint{} after kind and bodies";
static const char of_force[] = "keys of every m:force{} after kind and bodies";

static const Part parts[] = {
    {"model", 2, of_model, none, tr_model_fields},
    {"model", 3, of_model, none, tr_model3_fields},
    {"body", 2, of_body, owner, tr_body_fields},
    {"body", 3, of_body, owner, tr_body3_fields},
    {"frame", 2, of_frame, owner, tr_frame_fields},
    {"frame", 3, of_frame, owner, tr_frame3_fields},
    {"port", 2, of_port, owner, tr_frame_fields},
    {"port", 3, of_port, owner, tr_frame3_fields},
    {"joint", 2, of_joint, joint2, NULL},
    {"joint", 3, of_joint, joint3, NULL},
    {"force", 2, of_force, force, NULL},
    {"force", 3, of_force, force, NULL},
};

static int count_parts(void) {
    return (int)(sizeof parts / sizeof *parts);
}

static void describe_part(int index, trKindInfo *out) {
    const Part *part = &parts[index];
    *out = (trKindInfo){.name = part->name, .summary = part->summary, .dim = part->dim};
}

// Both tables after each other.
static trFieldList part_fields(int index) {
    trFieldList list = tr_field_list(parts[index].own);
    trFieldList more = {0};
    if (parts[index].fields != NULL) {
        more = tr_field_list(parts[index].fields);
    }
    for (int i = 0; i < more.count && list.count < TR_FIELDS_MOST; i++) {
        list.at[list.count++] = more.at[i];
    }
    return list;
}

const trFamilyKind tr_family_parts = {"parts", count_parts, describe_part, part_fields};
