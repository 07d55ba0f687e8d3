// SPDX-License-Identifier: MIT
// The registry of joints.

#include "joint/joint.h"

#define TR_LIST "joint/joints.def"
#define TR_JOINT TR_ENTRY
#define TR_FAMILY joint
#define TR_KIND trJointKind
#define TR_BY_DIM
#include "base/registry.h"
