// SPDX-License-Identifier: MIT
// Every holonomic joint between the ports of two free bodies, as an assembly file places it by
// frames, in the plane and in space. The bodies start near each other, not together. Afterwards the
// frames must meet as the joint says; that is computed here from how the ports stand, not by the
// joint. d and R are where frame 2 stands in frame 1.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "glue/free_body.h"
#include "joint/joint.h"
#include "support/test.h"
#include "trammel/assembly.h"
#include "trammel/lua.h"

// Joints are closed to rounding after each step; poses are of the order of one.
#define CLOSED 1e-12

#define OK(call)                             \
    do {                                     \
        if ((call) != TR_OK) {               \
            fail_msg("%s", tr_last_error()); \
        }                                    \
    } while (0)

typedef struct Relative {
    double t;
    trVec3 d;
    trMat3 R;
} Relative;

// --- what each kind must do: zero where it holds ---

static double apart(const Relative *r) {
    return tr_length3(r->d);
}

static double off_z(const Relative *r) {
    return hypot(r->d.x, r->d.y);
}

static double tilt(const Relative *r) {
    return hypot(r->R.z.x, r->R.z.y);
}

static double turned(const Relative *r) {
    return tilt(r) + fabs(r->R.x.y);
}

static double angle(const Relative *r) {
    return atan2(r->R.x.y, r->R.x.x);
}

static double fixed(const Relative *r) {
    return apart(r) + turned(r);
}

static double revolute3(const Relative *r) {
    return apart(r) + tilt(r);
}

static double prismatic2(const Relative *r) {
    return fabs(r->d.y) + turned(r);
}

static double prismatic3(const Relative *r) {
    return off_z(r) + turned(r);
}

static double cylindrical(const Relative *r) {
    return off_z(r) + tilt(r);
}

static double universal(const Relative *r) {
    return apart(r) + fabs(r->R.x.z);
}

static double planar(const Relative *r) {
    return fabs(r->d.z) + tilt(r);
}

static double on_line2(const Relative *r) {
    return fabs(r->d.y);
}

static double on_plane(const Relative *r) {
    return fabs(r->d.z);
}

// pitch = 0.5 m
static double screw(const Relative *r) {
    return cylindrical(r) + fabs(r->d.z - 0.5 * angle(r) / (2.0 * acos(-1.0)));
}

static double distance(const Relative *r) {
    return fabs(apart(r) - 0.7);
}

static double driven_distance(const Relative *r) {
    return fabs(apart(r) - 0.7 - 0.1 * r->t);
}

static double driven_x(const Relative *r) {
    return fabs(r->d.x - 0.1 * r->t);
}

static double driven_z(const Relative *r) {
    return fabs(r->d.z - 0.1 * r->t);
}

static double driven_angle(const Relative *r) {
    return fabs(angle(r) - 0.1 - 0.2 * r->t);
}

// Shafts meet, and turn alike: frames are mirrored in the plane halfway between the z axes. With
// c = z1 + z2 in that plane, what is right of it in one is left of it in the other:
// x1 . c' = x2 . c' for c' = z1 x z2, and likewise y.
static double constant_velocity(const Relative *r) {
    trVec3 normal = tr_cross3((trVec3){0.0, 0.0, 1.0}, r->R.z);
    return apart(r) + fabs(normal.x - tr_dot3(r->R.x, normal)) +
           fabs(normal.y - tr_dot3(r->R.y, normal));
}

// How far frame 2 has turned about z of frame 1, whatever its tilt.
static double twist(const Relative *r) {
    trQuat u = tr_quat_of_matrix(&r->R);
    return fabs(2.0 * atan2(u.z, u.w) - 0.1 - 0.2 * r->t);
}

typedef struct Case {
    const char *name;
    int         dim;
    const char *extra;                // parameters
    double (*off)(const Relative *);  // NULL, of gears: angles of the bodies, not of frames
    bool bare;                        // without frames
} Case;

static const Case cases[] = {
    {"distance", 2, "length = 0.7", distance, false},
    {"driven_angle", 2, "angle = function(t) return 0.1 + 0.2 * t end", driven_angle, true},
    {"driven_coordinate", 2, "value = function(t) return 0.1 * t end", driven_x, false},
    {"driven_distance", 2, "length = function(t) return 0.7 + 0.1 * t end", driven_distance, false},
    {"fixed", 2, "", fixed, false},
    {"gear", 2, "ratio = -2", NULL, true},
    {"point_on_line", 2, "", on_line2, false},
    {"prismatic", 2, "", prismatic2, false},
    {"rack_and_pinion", 2, "world_axis1 = { 1, 0 }, radius = 0.2", NULL, true},
    {"revolute", 2, "", apart, false},
    {"constant_velocity", 3, "", constant_velocity, false},
    {"cylindrical", 3, "", cylindrical, false},
    {"distance", 3, "length = 0.7", distance, false},
    {"driven_angle", 3, "angle = function(t) return 0.1 + 0.2 * t end", twist, false},
    {"driven_coordinate", 3, "value = function(t) return 0.1 * t end", driven_z, false},
    {"driven_distance", 3, "length = function(t) return 0.7 + 0.1 * t end", driven_distance, false},
    {"fixed", 3, "", fixed, false},
    {"gear", 3, "world_axis1 = { 0, 0, 1 }, ratio = -2", NULL, true},
    {"planar", 3, "", planar, false},
    {"point_on_line", 3, "", off_z, false},
    {"point_on_plane", 3, "", on_plane, false},
    {"prismatic", 3, "", prismatic3, false},
    {"rack_and_pinion", 3, "world_axis1 = { 1, 0, 0 }, world_axis2 = { 0, 0, 1 }, radius = 0.2",
     NULL, true},
    {"revolute", 3, "", revolute3, false},
    {"screw", 3, "pitch = 0.5", screw, false},
    {"spherical", 3, "", apart, false},
    {"universal", 3, "", universal, false},
};

#define CASES ((int)(sizeof cases / sizeof *cases))

// --- frames ---

typedef struct Pose {
    trVec3 at;
    trQuat turn;
} Pose;

static const trVec3 frame_at[2][2] = {{{0.3, -0.2, 0.0}, {-0.1, 0.4, 0.0}},
                                      {{0.3, -0.2, 0.5}, {-0.1, 0.4, 0.2}}};
static const trVec3 frame_turn[2][2] = {{{0.0, 0.0, 0.4}, {0.0, 0.0, -0.7}},
                                        {{0.4, -0.3, 0.6}, {-0.5, 0.2, 0.3}}};

static Pose frame_of(const Case *c, int side) {
    if (c->bare) {
        return (Pose){.turn = {1.0, 0.0, 0.0, 0.0}};
    }
    return (Pose){frame_at[c->dim - 2][side], tr_quat_exp(frame_turn[c->dim - 2][side])};
}

static Pose after(Pose a, Pose b) {
    return (Pose){tr_add3(a.at, tr_quat_rotate(a.turn, b.at)), tr_quat_mul(a.turn, b.turn)};
}

static Pose inverse(Pose a) {
    trQuat back = tr_quat_conjugate(a.turn);
    return (Pose){tr_scale3(-1.0, tr_quat_rotate(back, a.at)), back};
}

static Pose port_pose(const trGlue *glue, int dim, int port) {
    trBodyState s = tr_glue_port(glue, port);
    trQuat      u = dim == 2
                        ? tr_quat_exp((trVec3){0.0, 0.0, s.angle})
                        : (trQuat){s.quaternion[0], s.quaternion[1], s.quaternion[2], s.quaternion[3]};
    return (Pose){{s.x, s.y, s.z}, u};
}

static Relative relative(const trGlue *glue, const Case *c, bool grounded) {
    Pose one = {.turn = {1.0, 0.0, 0.0, 0.0}}, two = port_pose(glue, c->dim, grounded ? 0 : 1);
    one = after(grounded ? one : port_pose(glue, c->dim, 0), frame_of(c, 0));
    Pose pose = after(inverse(one), after(two, frame_of(c, 1)));
    return (Relative){tr_glue_time(glue), pose.at, tr_quat_matrix(pose.turn)};
}

// --- an assembly of two bodies, or of one and ground ---

static int write_frame(char *to, size_t size, const Case *c, int side) {
    trVec3 at = frame_at[c->dim - 2][side], turn = frame_turn[c->dim - 2][side];
    if (c->bare) {
        return 0;
    }
    return c->dim == 2 ? snprintf(to, size, "frame%d = { at = { %g, %g }, angle = %g }, ", side + 1,
                                  at.x, at.y, turn.z)
                       : snprintf(to, size,
                                  "frame%d = { at = { %g, %g, %g }, rotation = { %g, %g, %g } }, ",
                                  side + 1, at.x, at.y, at.z, turn.x, turn.y, turn.z);
}

static void load(const Case *c, bool grounded, trGlueAssembly *out) {
    char text[2048];
    int  n =
        snprintf(text, sizeof text,
                 "local g = assembly { name = 'test', dim = %d }\n"
                 "%s"
                 "local b = g:module { name = 'b', program = 'b.so' }\n"
                 "g:joint { '%s', name = 'J', %s, b.frame, ",
                 c->dim, grounded ? "" : "local a = g:module { name = 'a', program = 'a.so' }\n",
                 c->name, grounded ? "g.ground" : "a.frame");
    n += write_frame(text + n, sizeof text - (size_t)n, c, 0);
    n += write_frame(text + n, sizeof text - (size_t)n, c, 1);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "%s }\ng:simulate { step = 0.01, duration = 0.2 }\nreturn g\n", c->extra);
    OK(tr_glue_assembly_load_text(TR_LUA_SECONDS, "test.lua", text, (size_t)n, NULL, out));
}

// Body 2 stands where the frames would be on each other, and somewhat off.
static FreeBodyStart start_of(const Case *c, bool second, bool grounded) {
    FreeBodyStart s = {.dim = c->dim,
                       .mass = second ? 2.0 : 1.0,
                       .inertia = second ? 0.5 : 0.3,
                       .v = {0.2, -0.1, 0.3, 0.1, -0.2, 0.4}};
    Pose          first = {{0.1, 0.2, 0.0}, tr_quat_exp((trVec3){0.0, 0.0, 0.3})};
    Pose          none = {.turn = {1.0, 0.0, 0.0, 0.0}};
    Pose          off = {{0.05, -0.03, c->dim == 3 ? 0.04 : 0.0},
                         tr_quat_exp(c->dim == 3 ? (trVec3){0.05, -0.06, 0.07} : (trVec3){0.0, 0.0, 0.05})};
    bool          rod = strstr(c->name, "distance") != NULL;
    off.at.x += rod ? 0.7 : 0.0;
    Pose met =
        after(after(after(grounded ? none : first, frame_of(c, 0)), off), inverse(frame_of(c, 1)));
    Pose pose = second ? met : first;
    s.x[0] = pose.at.x;
    s.x[1] = pose.at.y;
    if (c->dim == 2) {
        s.x[2] = 2.0 * atan2(pose.turn.z, pose.turn.w);
        return s;
    }
    s.x[2] = pose.at.z;
    s.x[3] = pose.turn.w, s.x[4] = pose.turn.x, s.x[5] = pose.turn.y, s.x[6] = pose.turn.z;
    return s;
}

static void check_case(const Case *c, bool grounded) {
    trGlueAssembly    assembly;
    trSystem         *system = NULL;
    trCarrier        *carrier = NULL;
    trGlue           *glue = NULL;
    trModule          module[2];
    const char *const both[] = {"a", "b"};
    int               count = grounded ? 1 : 2;
    load(c, grounded, &assembly);
    assert_int_equal(assembly.modules, count);
    for (int i = 0; i < count; i++) {
        FreeBodyStart start = start_of(c, grounded || i == 1, grounded);
        assert_int_equal(free_body_open(&start, &module[i]), 0);
    }
    OK(tr_system_build(assembly.ports, &system));
    OK(tr_carrier_create_local(count, grounded ? both + 1 : both, module, &carrier));
    OK(tr_glue_create(system, carrier, &assembly.def, &glue));
    OK(tr_glue_run(glue, NULL, NULL));
    trGlueStats s = tr_glue_stats(glue);
    Relative    r = relative(glue, c, grounded);
    double      off = c->off != NULL ? c->off(&r) : 0.0;
    if (!(off < CLOSED) || s.steps != 20 || s.redundant_rows != 0) {
        fail_msg("%s, dim %d%s: off by %g after %d steps, %d redundant rows", c->name, c->dim,
                 grounded ? ", to ground" : "", off, (int)s.steps, s.redundant_rows);
    }
    double worst = fmax(fmax(s.position.length, s.position.angle),
                        fmax(fmax(s.velocity.length, s.velocity.angle),
                             fmax(s.acceleration.length, s.acceleration.angle)));
    assert_true(worst < 1e-9);
    tr_glue_destroy(glue);
    tr_carrier_destroy(carrier);
    tr_system_destroy(system);
    tr_glue_assembly_free(&assembly);
}

static void every_joint_closes_its_frames(void **state) {
    for (int i = 0; i < CASES; i++) {
        check_case(&cases[i], false);
    }
}

static void and_so_it_does_to_ground(void **state) {
    for (int i = 0; i < CASES; i++) {
        check_case(&cases[i], true);
    }
}

// A rack hangs by its teeth on a pinion that is ground, which bears the moment of its weight on the
// radius of 0.2 m. The guide of the rack, not the pinion, is what the rest of the load is on.
static void a_pinion_of_ground_bears_a_moment(void **state) {
    static const char text[] =
        "local g = assembly { name = 'test', dim = 2 }\n"
        "local a = g:module { name = 'a', program = 'a.so' }\n"
        "g:joint { 'rack_and_pinion', name = 'J', a.frame, g.ground, world_axis1 = { 0, 1 }, "
        "radius = 0.2 }\n"
        "g:simulate { step = 0.01, duration = 0.2 }\n"
        "return g\n";
    static const char *const name[] = {"a"};
    const FreeBodyStart      start = {.dim = 2, .mass = 3.0, .inertia = 0.5, .x = {0.4, 0.2, 0.0}};
    trGlueAssembly           assembly;
    trSystem                *system = NULL;
    trCarrier               *carrier = NULL;
    trGlue                  *glue = NULL;
    trModule                 module;
    trReaction               r;
    OK(tr_glue_assembly_load_text(TR_LUA_SECONDS, "test.lua", text, sizeof text - 1, NULL,
                                  &assembly));
    assert_int_equal(free_body_open(&start, &module), 0);
    OK(tr_system_build(assembly.ports, &system));
    OK(tr_carrier_create_local(1, name, &module, &carrier));
    OK(tr_glue_create(system, carrier, &assembly.def, &glue));
    OK(tr_glue_run(glue, NULL, NULL));
    OK(tr_glue_reaction(glue, 0, &r));
    assert_string_equal(r.on, "ground");
    assert_true(fabs(r.fx) < CLOSED && fabs(r.fy) < CLOSED);
    assert_true(fabs(r.moment + 0.2 * 3.0 * 9.81) < 100.0 * CLOSED);
    tr_glue_destroy(glue);
    tr_carrier_destroy(carrier);
    tr_system_destroy(system);
    tr_glue_assembly_free(&assembly);
}

// A joint that is added to the registry must be added here.
static void no_joint_is_left_out(void **state) {
    for (int i = 0; i < tr_joint_count(); i++) {
        const trJointKind *kind = tr_joint_at(i);
        bool               found = kind->nonholonomic > 0;
        for (int k = 0; k < CASES; k++) {
            found = found || (strcmp(cases[k].name, kind->name) == 0 && cases[k].dim == kind->dim);
        }
        if (!found) {
            fail_msg("joint '%s' of dimension %d is not tested", kind->name, kind->dim);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_joint_is_left_out),
        cmocka_unit_test(every_joint_closes_its_frames),
        cmocka_unit_test(and_so_it_does_to_ground),
        cmocka_unit_test(a_pinion_of_ground_bears_a_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
