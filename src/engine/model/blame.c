// SPDX-License-Identifier: MIT
// Who is to blame, for trouble that shows only when the model is assembled or runs.

#include "model/model.h"

static trStatus blame(trStatus status, const char *origin, const char *family, const char *name) {
    return origin == NULL ? tr_blame(status, "%s '%s': ", family, name)
                          : tr_blame(status, "%s: %s '%s': ", origin, family, name);
}

trStatus tr_blame_body(trStatus status, const trBody *body) {
    return blame(status, body->origin, body->coordinate ? "coordinate" : "body", body->name);
}

trStatus tr_blame_joint(trStatus status, const trJoint *joint) {
    return blame(status, joint->origin, joint->recorded ? "constraint" : "joint", joint->name);
}

trStatus tr_blame_force(trStatus status, const trForce *force) {
    return blame(status, force->origin, "force", force->name);
}
