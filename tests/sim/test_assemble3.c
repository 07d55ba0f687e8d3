// SPDX-License-Identifier: MIT
// The initial state of spatial models, from afar: every joint is closed, and never the wrong way
// round, from starts that are turned by 170 degrees about any axis and shifted.
//
// Joints, their parameters and what is wanted of a closed pose are those of joint/cases3.h: the
// latter from directions of the bodies alone, not from the equations of the joints.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint/cases3.h"
#include "sim/sim.h"
#include "support/test.h"
#include "trammel/trammel.h"

#define PI 3.14159265358979323846
#define FAR (170.0 * PI / 180.0)  // [rad]
#define TURNS 20                  // random axes
#define SHIFT 0.5                 // [m]
#define LINKS 3                   // of a chain, at most
#define CHAINS 300

// A projection stops at 1e-12 (1 + max|q|) with positions of up to 10 m; velocities of up to 10 are
// made consistent by one solve, to rounding.
#define CLOSED 2e-11
#define CONSISTENT 1e-11
// Loops of random joints may be nearly redundant; the library then promises 1e-9 of velocities.
#define CONSISTENT_LOOP 1e-8
// Angles of six rows that are right to CLOSED are a few times that between directions. A flipped
// pose has 2.
#define UPRIGHT (10.0 * CLOSED)

// Bodies in a row, each joined to the one before, the first to ground.
typedef struct Chain {
    int       links;
    trPlace3  place[LINKS + 1];  // closed; the first is ground
    Case3     joint[LINKS];
    trModel  *model;
    trSystem *system;
    double    consistent;  // what may be left of velocities [m/s, rad/s]
} Chain;

static void require(trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

// The tensor of a place in its body frame: P diag(J) P'.
static void tensor_of(const trPlace3 *place, double out[6]) {
    trMat3       P = tr_quat_matrix(place->principal);
    const double moment[3] = {place->inertia.x, place->inertia.y, place->inertia.z};
    const trVec3 axis[3] = {P.x, P.y, P.z};
    memset(out, 0, 6 * sizeof *out);
    for (int k = 0; k < 3; k++) {
        out[0] += moment[k] * axis[k].x * axis[k].x;
        out[1] += moment[k] * axis[k].y * axis[k].y;
        out[2] += moment[k] * axis[k].z * axis[k].z;
        out[3] += moment[k] * axis[k].x * axis[k].y;
        out[4] += moment[k] * axis[k].x * axis[k].z;
        out[5] += moment[k] * axis[k].y * axis[k].z;
    }
}

static void add_link(Chain *chain, int link, Random *random) {
    static const char *const names[LINKS] = {"first", "second", "third"};
    const trPlace3          *p = &chain->place[link + 1];
    trVec3                   v = random_vec3(random, 2.0), w = random_vec3(random, 2.0);
    double                   J[6];
    int                      number = 0;
    tensor_of(p, J);
    require(tr_model_add_body(
        chain->model, names[link],
        TR_PARAMS(TR_NUM("mass", p->mass), TR_VEC("inertia", J[0], J[1], J[2], J[3], J[4], J[5]),
                  TR_VEC("at", p->at.x, p->at.y, p->at.z),
                  TR_VEC("com", p->com.x, p->com.y, p->com.z),
                  TR_VEC("quaternion", p->orientation.w, p->orientation.x, p->orientation.y,
                         p->orientation.z),
                  TR_VEC("velocity", v.x, v.y, v.z), TR_VEC("angular_velocity", w.x, w.y, w.z)),
        &number));
    assert_int_equal(number, link);
}

// Closed as it is described. A loop returns to ground by a ball joint.
static void chain_open(Chain *chain, int links, bool loop, const trJointKind *const *kinds,
                       Random *random) {
    *chain = (Chain){.links = links, .consistent = loop ? CONSISTENT_LOOP : CONSISTENT};
    chain->place[0] = ground_place3();
    require(tr_model_create(TR_PARAMS(TR_NUM("dim", 3), TR_VEC("gravity", 0.0, 0.0, -9.81)),
                            &chain->model));
    for (int i = 0; i < links; i++) {
        trPlace3 *place = &chain->place[i + 1];
        *place = random_place3(random, i == 0 ? 2 : 1);
        place->at.x += i == 0 ? 0.0 : 4.0 + i;
        place->inertia.x = 0.03;  // slender
        place->inertia.z = place->inertia.y + 0.01;
        open_case3(&chain->joint[i], kinds[i], place - 1, random, AS_AT_THE_START);
        add_link(chain, i, random);
        require(tr_model_add_joint(chain->model, kinds[i]->name, NULL, i - 1, i,
                                   chain->joint[i].list, NULL));
    }
    if (loop) {
        trVec3 end = chain->place[links].at;
        require(tr_model_add_joint(chain->model, "spherical", "end", links - 1, TR_GROUND,
                                   TR_PARAMS(TR_VEC("point", end.x, end.y, end.z)), NULL));
    }
    require(tr_system_build(chain->model, &chain->system));
}

static void chain_close(Chain *chain) {
    for (int i = 0; i < chain->links; i++) {
        close_case3(&chain->joint[i]);
    }
    tr_system_destroy(chain->system);
    tr_model_destroy(chain->model);
}

// The start of one link is turned by axis times angle, in the world, and shifted.
static void disturb(Chain *chain, int link, trVec3 turn, trVec3 shift) {
    double *q = chain->system->q0 + 7 * link;
    trQuat  u = tr_quat_mul(tr_quat_exp(turn), (trQuat){q[3], q[4], q[5], q[6]});
    q[0] += shift.x;
    q[1] += shift.y;
    q[2] += shift.z;
    q[3] = u.w;
    q[4] = u.x;
    q[5] = u.y;
    q[6] = u.z;
}

// The motion of a link at the state of a simulation, in principal axes as its place has them.
static trMotion3 motion_in(const Chain *chain, const trSim *sim, int link) {
    const trVec3 none = {0.0, 0.0, 0.0};
    if (link < 0) {
        return motion_at3(&chain->place[0]);
    }
    const trPlace3 *p = &chain->place[link + 1];
    trBodyState     s = tr_sim_body(sim, link);
    trQuat          u = {s.quaternion[0], s.quaternion[1], s.quaternion[2], s.quaternion[3]};
    trVec3          r = tr_add3((trVec3){s.x, s.y, s.z}, tr_quat_rotate(u, p->com));
    return motion_of3(r, tr_quat_mul(u, p->principal), none, none);
}

static void check_closed(const Chain *chain, const trSim *sim, int number) {
    trSimStats stats = tr_sim_stats(sim);
    if (!(fmax(stats.position.length, stats.position.angle) <= CLOSED) ||
        !(fmax(stats.velocity.length, stats.velocity.angle) <= chain->consistent)) {
        fail_msg("%s, turned about axis %d: left %g m, %g rad, %g m/s, %g rad/s",
                 chain->joint[0].kind->name, number, stats.position.length, stats.position.angle,
                 stats.velocity.length, stats.velocity.angle);
    }
    for (int i = 0; i < chain->links; i++) {
        const Case3 *c = &chain->joint[i];
        trMotion3    m[2] = {motion_in(chain, sim, i - 1), motion_in(chain, sim, i)};
        double       wrong = c->family->wrongness == NULL ? 0.0 : c->family->wrongness(c, m);
        if (!(wrong <= UPRIGHT)) {
            fail_msg("%s ends flipped, turned about axis %d: %g", c->kind->name, number, wrong);
        }
    }
}

// Axes 0, 1, 2 are those of the joint in ground, the others are random.
static void close_from(const trJointKind *kind, Random *random, int number) {
    Chain chain;
    chain_open(&chain, 1, false, &kind, random);
    trMat3 marker = tr_quat_matrix(chain.joint[0].setup.marker1);
    trVec3 axis = number == 0   ? marker.x
                  : number == 1 ? marker.y
                  : number == 2 ? marker.z
                                : random_direction3(random);
    disturb(&chain, 0, tr_scale3(FAR, axis), random_vec3(random, SHIFT));
    trSimDef def = tr_sim_def_default();
    trSim   *sim = NULL;
    if (tr_sim_create(chain.system, &def, &sim) != TR_OK) {
        fail_msg("%s, turned about axis %d: %s", kind->name, number, tr_last_error());
    }
    check_closed(&chain, sim, number);
    tr_sim_destroy(sim);
    chain_close(&chain);
}

// Gears are no joints alone: they need bearings.
static void no_joint_ends_flipped(void **state) {
    Random random = {29};
    for (int k = first_spatial_kind(); k < tr_joint_count(); k++) {
        const trJointKind *kind = tr_joint_at(k);
        bool alone = has_twin3(kind) && kind->nonholonomic == 0 && (kind->traits & TR_GEARED) == 0;
        for (int i = 0; i < TURNS + 3 && alone; i++) {
            close_from(kind, &random, i);
        }
    }
}

// Axes as a user writes them in body frames, by how far they are apart at the start.
static trStatus close_axes(const char *kind, double apart, Random *random, double *wrong) {
    trPlace3 p = random_place3(random, 2);
    trVec3   axis1 = random_direction3(random);
    trVec3   across = unit3(tr_cross3(axis1, random_direction3(random)));
    trVec3   turned = tr_quat_rotate(tr_quat_exp(tr_scale3(apart, across)), axis1);
    trVec3  axis2 = into3(&p, turned), p1 = random_vec3(random, 1.0), p2 = random_vec3(random, 0.4);
    trParam params[6] = {TR_VEC("axis1", axis1.x, axis1.y, axis1.z),
                         TR_VEC("axis2", axis2.x, axis2.y, axis2.z),
                         TR_VEC("point1", p1.x, p1.y, p1.z), TR_VEC("point2", p2.x, p2.y, p2.z)};
    if (strcmp(kind, "screw") == 0) {
        params[4] = (trParam)TR_NUM("pitch", 0.3);
    }
    Chain    chain = {.consistent = CONSISTENT, .place = {ground_place3(), p}};
    trSim   *sim = NULL;
    trSimDef def = tr_sim_def_default();
    require(tr_model_create(TR_PARAMS(TR_NUM("dim", 3)), &chain.model));
    add_link(&chain, 0, random);
    require(tr_model_add_joint(chain.model, kind, "hook", TR_GROUND, 0, params, NULL));
    require(tr_system_build(chain.model, &chain.system));
    trStatus status = tr_sim_create(chain.system, &def, &sim);
    if (status == TR_OK) {
        trBodyState s = tr_sim_body(sim, 0);
        trQuat      u = {s.quaternion[0], s.quaternion[1], s.quaternion[2], s.quaternion[3]};
        trVec3      now = tr_quat_rotate(u, axis2);
        check_closed(&chain, sim, 0);
        *wrong = tr_length3(tr_sub3(now, axis1));
    }
    tr_sim_destroy(sim);
    chain_close(&chain);
    return status;
}

static const char *const axis_kinds[] = {"cylindrical", "planar", "prismatic", "revolute", "screw"};

static void axes_in_body_frames_end_parallel(void **state) {
    Random random = {37};
    for (size_t k = 0; k < sizeof axis_kinds / sizeof *axis_kinds; k++) {
        for (int i = 0; i < TURNS; i++) {
            double wrong = 0.0;
            if (close_axes(axis_kinds[k], FAR, &random, &wrong) != TR_OK) {
                fail_msg("%s, case %d: %s", axis_kinds[k], i, tr_last_error());
            }
            if (!(wrong <= UPRIGHT)) {
                fail_msg("%s, case %d: ends flipped, %g", axis_kinds[k], i, wrong);
            }
        }
    }
}

// Exactly opposite axes give no direction to turn in: closed or refused by name, but not flipped.
static void opposite_axes_are_closed_or_refused(void **state) {
    Random random = {41};
    for (size_t k = 0; k < sizeof axis_kinds / sizeof *axis_kinds; k++) {
        int closed = 0;
        for (int i = 0; i < TURNS; i++) {
            double   wrong = 0.0;
            trStatus status = close_axes(axis_kinds[k], PI, &random, &wrong);
            closed += status == TR_OK ? 1 : 0;
            if (status == TR_OK
                    ? !(wrong <= UPRIGHT)
                    : status != TR_E_MODEL || strstr(tr_last_error(), "'hook'") == NULL) {
                fail_msg("%s: %g, %s", axis_kinds[k], wrong, tr_last_error());
            }
        }
        print_message("  %s: %d of %d closed from opposite axes\n", axis_kinds[k], closed, TURNS);
    }
}

// Starts of all links at once, each turned by up to 170 degrees about any axis.
static int close_chains(int links, bool loop, double most, Random *random) {
    static const char *const names[] = {"constant_velocity", "cylindrical", "fixed", "planar",
                                        "prismatic",         "revolute",    "screw", "spherical",
                                        "universal"};
    int                      closed = 0;
    for (int i = 0; i < CHAINS; i++) {
        const trJointKind *kinds[LINKS];
        Chain              chain;
        trSim             *sim = NULL;
        trSimDef           def = tr_sim_def_default();
        for (int k = 0; k < links; k++) {
            kinds[k] = tr_joint_find(names[(int)(random_in(random, 0.0, 9.0))], 3);
        }
        chain_open(&chain, links, loop, kinds, random);
        for (int k = 0; k < links; k++) {
            double angle = random_in(random, 0.0, most);
            trVec3 turn = tr_scale3(angle, random_direction3(random));
            disturb(&chain, k, turn, random_vec3(random, SHIFT));
        }
        trStatus status = tr_sim_create(chain.system, &def, &sim);
        if (status == TR_OK) {
            check_closed(&chain, sim, 0);
            closed++;
        } else if (status != TR_E_MODEL || strstr(tr_last_error(), "joint '") == NULL) {
            fail_msg("no clear error: %s", tr_last_error());
        }
        tr_sim_destroy(sim);
        chain_close(&chain);
    }
    print_message("  %d of %d %s of %d links closed\n", closed, CHAINS, loop ? "loops" : "chains",
                  links);
    return closed;
}

// Of 3000 of each length all were closed when this was written.
static void chains_are_closed_and_never_flipped(void **state) {
    Random random = {43};
    assert_true(close_chains(2, false, FAR, &random) >= CHAINS * 99 / 100);
    assert_true(close_chains(3, false, FAR, &random) >= CHAINS * 99 / 100);
}

// Of 3000 loops 85 % (two links), 95 % (three) and 99 % (three, turned by 30 degrees at most) were
// closed when this was written. The others are overdetermined (fixed, fixed, ball, say), so that
// the steps from afar contradict each other.
static void loops_are_closed_or_refused_but_never_flipped(void **state) {
    Random random = {47};
    assert_true(close_chains(2, true, FAR, &random) >= CHAINS * 75 / 100);
    assert_true(close_chains(3, true, FAR, &random) >= CHAINS * 85 / 100);
    assert_true(close_chains(3, true, 0.5, &random) >= CHAINS * 95 / 100);
}

// A body that must turn by half a radian to satisfy its hinge, and spins as the model says: its
// angular velocity is given in the world and does not turn with it.
static void velocities_are_those_of_the_model_however_bodies_were_moved(void **state) {
    trModel  *model = NULL;
    trSystem *system = NULL;
    trSim    *sim = NULL;
    trSimDef  def = tr_sim_def_default();
    int       body;
    assert_int_equal(tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0)), &model), TR_OK);
    assert_int_equal(
        tr_model_add_body(model, "wheel",
                          TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 1.0, 1.0, 1.0),
                                    TR_VEC("rotation", 0.5, 0.0, 0.0),
                                    TR_VEC("angular_velocity", 0.0, 0.0, 5.0)),
                          &body),
        TR_OK);
    assert_int_equal(tr_model_add_joint(
                         model, "revolute", "hinge", TR_GROUND, body,
                         TR_PARAMS(TR_VEC("axis1", 0.0, 0.0, 1.0), TR_VEC("axis2", 0.0, 0.0, 1.0)),
                         NULL),
                     TR_OK);
    assert_int_equal(tr_system_build(model, &system), TR_OK);
    assert_int_equal(tr_sim_create(system, &def, &sim), TR_OK);
    assert_true(fabs(tr_sim_stats(sim).assembly_position.value - 0.5) <= 1e-10);
    assert_true(fabs(tr_sim_body(sim, body).wz - 5.0) <= 1e-10);
    assert_true(tr_sim_stats(sim).assembly_velocity.value <= 1e-10);
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_joint_ends_flipped),
        cmocka_unit_test(axes_in_body_frames_end_parallel),
        cmocka_unit_test(opposite_axes_are_closed_or_refused),
        cmocka_unit_test(chains_are_closed_and_never_flipped),
        cmocka_unit_test(loops_are_closed_or_refused_but_never_flipped),
        cmocka_unit_test(velocities_are_those_of_the_model_however_bodies_were_moved),
    };
    return cmocka_run_group_tests_name("assembly in space", tests, NULL, NULL);
}
