// SPDX-License-Identifier: MIT
// Twins, as in twins.h, of the spatial joints that act along lines, on planes, on turns and where
// bodies touch; and their parameters. Included by cases3.h, after what gives parameters to a case.

#ifndef TR_TESTS_JOINT_TWINS3_CONTACT_H
#define TR_TESTS_JOINT_TWINS3_CONTACT_H

#include "joint/space.h"

// The two directions across a direction of a body's frame that the library takes: chosen in
// principal axes, returned in the frame.
static inline void twin_across3(const TwinBody3 *body, trVec3 axis, trVec3 across[2]) {
    trVec3 own = tr_quat_unrotate(body->principal, unit3(axis));
    trVec3 first = tr_perpendicular3(own);
    across[0] = tr_quat_rotate(body->principal, first);
    across[1] = tr_quat_rotate(body->principal, tr_cross3(own, first));
}

static inline JetVec3 twin_points_gap3(const Setup3 *p, const TwinBody3 *b1, const TwinBody3 *b2) {
    return jet_between3(twin_point3(b1, p->point1), twin_point3(b2, p->point2));
}

static inline void twin_distance3(const Setup3 *p, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                                  Jet *phi) {
    JetVec3 d = twin_points_gap3(p, b1, b2);
    (void)t;
    phi[0] = jet_sub(jet_sqrt(jet_dot3(d, d)), jet_constant(p->length));
}

static inline void twin_driven_distance3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                         const TwinBody3 *b2, Jet *phi) {
    JetVec3 d = twin_points_gap3(p, b1, b2);
    phi[0] = jet_sub(jet_sqrt(jet_dot3(d, d)), twin_driver(t));
}

static inline void twin_point_on_line3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                       const TwinBody3 *b2, Jet *phi) {
    JetVec3 d = twin_points_gap3(p, b1, b2);
    trVec3  across[2];
    (void)t;
    twin_across3(b1, p->axis1, across);
    phi[0] = jet_dot3(twin_vector3(b1, across[0]), d);
    phi[1] = jet_dot3(twin_vector3(b1, across[1]), d);
}

static inline void twin_point_on_plane3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                        const TwinBody3 *b2, Jet *phi) {
    (void)t;
    phi[0] = jet_dot3(twin_vector3(b1, unit3(p->axis1)), twin_points_gap3(p, b1, b2));
}

static inline void twin_driven_coordinate3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                           const TwinBody3 *b2, Jet *phi) {
    twin_point_on_plane3(p, t, b1, b2, phi);
    phi[0] = jet_sub(phi[0], twin_driver(t));
}

static inline void twin_driven_angle3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                      const TwinBody3 *b2, Jet *phi) {
    Jet driver = twin_driver(t);
    phi[0] = jet_sub(twin_twist3(p, b1, b2, driver.value), driver);
}

// The turn of a body about an axis that is given in its frame, counted against a carrier.
static inline Jet twin_shaft3(const TwinBody3 *carrier, const trPlace3 *carrier_place,
                              const TwinBody3 *body, const trPlace3 *place, trVec3 axis,
                              double near) {
    const trVec3 z = {0.0, 0.0, 1.0};
    Setup3       side = {.marker2 = tr_quat_between(z, unit3(axis))};
    trQuat       world = tr_quat_mul(place->orientation, side.marker2);
    side.marker1 = tr_quat_mul(tr_quat_conjugate(carrier_place->orientation), world);
    return twin_twist3(&side, carrier, body, near);
}

static inline void twin_gear3(const Setup3 *p, Jet t, const TwinBody3 *b1, const TwinBody3 *b2,
                              Jet *phi) {
    const TwinBody3 *carrier = b2 + 1;
    Jet turn1 = twin_shaft3(carrier, &p->place[2], b1, &p->place[0], p->axis1, p->near[0]);
    Jet turn2 = twin_shaft3(carrier, &p->place[2], b2, &p->place[1], p->axis2, p->near[1]);
    (void)t;
    phi[0] = jet_sub(turn2, jet_mul(jet_constant(p->ratio), turn1));
}

static inline void twin_rack_and_pinion3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                         const TwinBody3 *b2, Jet *phi) {
    const TwinBody3 *carrier = b2 + 1;
    JetVec3          axis = twin_vector3(carrier, unit3(p->axis1));
    Jet              travel = jet_dot3(axis, jet_between3(twin_center3(carrier), twin_center3(b1)));
    Jet turn = twin_shaft3(carrier, &p->place[2], b2, &p->place[1], p->axis2, p->near[0]);
    (void)t;
    phi[0] =
        jet_sub(travel, jet_add(jet_constant(p->length), jet_mul(jet_constant(p->radius), turn)));
}

// The velocity of a body's material at a place that need not be fixed in it.
static inline JetVec3 twin_material3(const TwinBody3 *body, JetVec3 P) {
    JetVec3 arm = jet_between3(twin_center3(body), P);
    return jet_add3(jet_rate3(twin_center3(body)), jet_cross3(twin_omega3(body), arm));
}

static inline JetVec3 twin_slip3(const TwinBody3 *b1, const TwinBody3 *b2, JetVec3 P) {
    return jet_between3(twin_material3(b1, P), twin_material3(b2, P));
}

static inline JetVec3 jet_unit3(JetVec3 a) {
    return jet_scale3(jet_div(jet_constant(1.0), jet_sqrt(jet_dot3(a, a))), a);
}

// The plane's normal in the frame of body 1, on the side where the disk is at the start.
static inline trVec3 twin_disk_normal3(const Setup3 *p) {
    const trPlace3 *one = &p->place[0], *two = &p->place[1];
    trVec3          center = tr_add3(two->at, tr_quat_rotate(two->orientation, p->point2));
    trVec3          seen = tr_quat_unrotate(one->orientation, tr_sub3(center, one->at));
    trVec3          n = unit3(p->normal1);
    return tr_dot3(n, tr_sub3(seen, p->point1)) < 0.0 ? tr_scale3(-1.0, n) : n;
}

// Where the disk touches: its lowest point. The direction of travel n x a lies in the plane and in
// the disk, and a x (n x a) points from the contact to the center.
static inline JetVec3 twin_disk_contact3(const Setup3 *p, const TwinBody3 *b1,
                                         const TwinBody3 *b2) {
    JetVec3 n = twin_vector3(b1, twin_disk_normal3(p)), a = twin_vector3(b2, unit3(p->axis2));
    JetVec3 up = jet_cross3(a, jet_unit3(jet_cross3(n, a)));
    return jet_add3(twin_point3(b2, p->point2), jet_scale3(jet_constant(-p->radius), up));
}

// The height of the contact over the plane; then psi with psi', the slip there.
static inline void twin_rolling_disk3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                      const TwinBody3 *b2, Jet *phi) {
    JetVec3 P = twin_disk_contact3(p, b1, b2), slip = twin_slip3(b1, b2, P);
    trVec3  n = twin_disk_normal3(p), across[2];
    (void)t;
    twin_across3(b1, n, across);
    phi[0] = jet_dot3(twin_vector3(b1, n), jet_between3(twin_point3(b1, p->point1), P));
    phi[1] = jet_dot3(twin_vector3(b1, across[0]), slip);
    phi[2] = jet_dot3(twin_vector3(b1, across[1]), slip);
}

// psi with psi': the slip of the blade's point, across the blade and in the plane.
static inline void twin_knife_edge3(const Setup3 *p, Jet t, const TwinBody3 *b1,
                                    const TwinBody3 *b2, Jet *psi) {
    JetVec3 n = twin_vector3(b1, unit3(p->normal1)), blade = twin_vector3(b2, unit3(p->axis2));
    JetVec3 slip = twin_slip3(b1, b2, twin_point3(b2, p->point2));
    (void)t;
    psi[0] = jet_dot3(jet_unit3(jet_cross3(n, blade)), slip);
}

// --- parameters that the flags of cases3.h do not describe ---

// A direction of random length; the sine of its angle with a line is at least 0.3.
static inline trVec3 random_leaning3(Random *random, trVec3 line) {
    trVec3 a = random_direction3(random);
    while (tr_length3(tr_cross3(a, unit3(line))) < 0.3) {
        a = random_direction3(random);
    }
    return tr_scale3(random_in(random, 0.5, 2.0), a);
}

// The axes of a gear are given in the world, in any wording.
static inline void give_gear3(Case3 *c, Random *random, Wording wording) {
    trVec3 world1 = tr_scale3(random_in(random, 0.5, 2.0), random_direction3(random));
    trVec3 world2 = tr_scale3(random_in(random, 0.5, 2.0), random_direction3(random));
    (void)wording;
    c->setup.axis1 = into3(&c->setup.place[0], world1);
    c->setup.axis2 = into3(&c->setup.place[1], world2);
    give_vec3(c, "world_axis1", world1);
    give_vec3(c, "world_axis2", world2);
}

// A rack between bodies 1 and 3.
static inline void give_rack3(Case3 *c, Random *random, Wording wording) {
    const trPlace3 *place = c->setup.place;
    trVec3          axis = random_direction3(random), world2 = random_direction3(random);
    trVec3          com1 = tr_add3(place[0].at, tr_quat_rotate(place[0].orientation, place[0].com));
    trVec3          com3 = tr_add3(place[2].at, tr_quat_rotate(place[2].orientation, place[2].com));
    (void)wording;
    c->setup.axis1 = into3(&place[2], axis);
    c->setup.axis2 = into3(&place[1], world2);
    c->setup.length = tr_dot3(unit3(axis), tr_sub3(com1, com3));
    give_vec3(c, "world_axis1", axis);
    give_vec3(c, "world_axis2", world2);
    give_number3(c, "radius", c->setup.radius);
}

// The normal of a plane of body 1 that a direction of body 2, already given, is not near to.
// Returns it in the world.
static inline trVec3 give_normal3(Case3 *c, Random *random, Wording wording) {
    trVec3 normal = random_leaning3(random, out_of3(&c->setup.place[1], c->setup.axis2));
    c->setup.normal1 = into3(&c->setup.place[0], normal);
    if (wording == IN_BODY_AXES) {
        give_vec3(c, "normal1", c->setup.normal1);
    } else {
        give_vec3(c, "normal", normal);
    }
    return normal;
}

static inline void give_knife_edge3(Case3 *c, Random *random, Wording wording) {
    give_normal3(c, random, wording);
}

// The plane goes through some point of body 1, or through the disk's lowest point at the start.
static inline void give_rolling_disk3(Case3 *c, Random *random, Wording wording) {
    Setup3         *setup = &c->setup;
    const trPlace3 *place = setup->place;
    trVec3          n = unit3(give_normal3(c, random, wording));
    trVec3          a = unit3(out_of3(&place[1], setup->axis2));
    trVec3          up = unit3(tr_add_scaled3(n, -tr_dot3(n, a), a));
    trVec3          center = tr_add3(place[1].at, out_of3(&place[1], setup->point2));
    trVec3          touching = tr_add_scaled3(center, -setup->radius, up);
    setup->point1 = wording == AS_AT_THE_START ? into3(&place[0], tr_sub3(touching, place[0].at))
                                               : random_vec3(random, 0.4);
    if (wording == IN_BODY_AXES) {
        give_vec3(c, "plane_point1", setup->point1);
    } else {
        give_vec3(c, "plane_point", tr_add3(place[0].at, out_of3(&place[0], setup->point1)));
    }
    give_number3(c, "radius", setup->radius);
}

#endif
