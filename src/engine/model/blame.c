// SPDX-License-Identifier: MIT
// Who is to blame, for trouble that shows only when the model is assembled or runs.

#include "model/model.h"

trStatus tr_blame_body(trStatus status, const trBody *body) {
    return tr_blame_thing(status, body->origin, body->coordinate ? "coordinate" : "body",
                          body->name);
}

trStatus tr_blame_joint(trStatus status, const trJoint *joint) {
    return tr_blame_thing(status, joint->origin, joint->recorded ? "constraint" : "joint",
                          joint->name);
}

trStatus tr_blame_force(trStatus status, const trForce *force) {
    return tr_blame_thing(status, force->origin, "force", force->name);
}
