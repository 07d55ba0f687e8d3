// SPDX-License-Identifier: MIT
// The registry of joints.

#include "joint/joint.h"

#define TR_LIST "joint/joints.def"
#define TR_JOINT TR_ENTRY
#define TR_FAMILY joint
#define TR_KIND trJointKind
#define TR_BY_DIM
#include "base/registry.h"

int tr_joint_variables(const trJointKind *kind) {
    int count = 0;
    while (count < TR_JOINT_VARIABLES && kind->variable[count].name != NULL) {
        count++;
    }
    return count;
}

int tr_joint_bodies(const trJointKind *kind) {
    int bodies = 2;
    for (const trField *field = kind->fields; field->name != NULL; field++) {
        bodies += field->kind == TR_FIELD_BODY;
    }
    return bodies;
}
