// SPDX-License-Identifier: MIT
// The table of joints, made from joints.def.

#include <string.h>

#include "joint/joint.h"

#define TR_JOINT(folder, name) extern const trJointKind tr_joint_##folder##_##name;
#include "joint/joints.def"
#undef TR_JOINT

#define TR_JOINT(folder, name) &tr_joint_##folder##_##name,
static const trJointKind *const kinds[] = {
#include "joint/joints.def"
};
#undef TR_JOINT

int tr_joint_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trJointKind *tr_joint_at(int index) {
    return kinds[index];
}

const trJointKind *tr_joint_find(const char *name, int dim) {
    for (int i = 0; i < tr_joint_count(); i++) {
        if (kinds[i]->dim == dim && strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}
