// SPDX-License-Identifier: MIT
// What the two spaces of spatial bodies share. W is the angular velocity in principal axes.

#ifndef TR_SYSTEM_SPATIAL_H
#define TR_SYSTEM_SPATIAL_H

#include "system/system.h"

void           tr_spatial_start(const trBody *body, double *q);
void           tr_spatial_start_velocity(const trBody *body, const double *q, trVec3 *v, trVec3 *W);
trBodyState    tr_spatial_state(const trBody *body, const double *q, trVec3 v, trVec3 W);
trAcceleration tr_spatial_acceleration(const trBody *body, const double *q, trVec3 W, trVec3 a,
                                       trVec3 W_dot);
double         tr_spatial_kinetic(const trBody *body, trVec3 v, trVec3 W);  // [J]
void           tr_spatial_normalize(double *q);
void           tr_spatial_move(trMotion3 *m, const double *q, trVec3 v, trVec3 W);
trVec3         tr_spatial_gyroscopic(const trBody *body, trVec3 W);  // [N m]

#endif
