// SPDX-License-Identifier: MIT
// Numbers that look like a wrong unit or a slip, and bodies that nothing touches.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "check/check.h"

#define GYRATION_LARGE 100.0  // radius of gyration, in sizes of the body
#define GYRATION_SMALL 1e-3
#define MASS_RATIO 1e6
#define FAR 100.0    // arm of a joint, in sizes of the bodies
#define LARGE 40.0   // arms of joints on the average, where things weigh 9.81 N/kg [m]
#define EARTH 9.81   // [m/s^2]
#define TURN 6.2832  // [rad]

// --- gravity ---

static double gravity_of(const trCheckWork *w) {
    double g[3];
    tr_model_gravity(w->model, g);
    return tr_length3((trVec3){g[0], g[1], g[2]});
}

static trStatus check_gravity(trCheckWork *w) {
    static const struct {
        double      value;
        const char *unit;
    } other[] = {{9810.0, "millimeters"},
                 {981.0, "centimeters"},
                 {386.1, "inches"},
                 {32.17, "feet"},
                 {9.81e6, "micrometers"}};
    const double g = gravity_of(w);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        if (fabs(g - other[i].value) < 0.01 * other[i].value) {
            const char *reason = tr_arena_format(w->arena, "gravity %g: %s?", g, other[i].unit);
            return tr_check_find(w, TR_WARNING, "units", tr_system_name(w->system), reason,
                                 "Trammel uses m, kg and s: 9.81 m/s^2");
        }
    }
    if (g == 0.0 || (g > 0.5 && g < 30.0)) {
        return TR_OK;
    }
    return tr_check_find(w, TR_WARNING, "units", tr_system_name(w->system),
                         tr_arena_format(w->arena, "gravity %g m/s^2 is implausible", g),
                         "check its unit: on earth it is 9.81 m/s^2");
}

// --- angles and lengths ---

static trStatus find_angle(trCheckWork *w, const char *name, double angle) {
    if (!(fabs(angle) > TURN)) {
        return TR_OK;
    }
    return tr_check_find(w, TR_WARNING, "units", name,
                         tr_arena_format(w->arena,
                                         "its angle, %g rad, is %.3g turns, as if in degrees",
                                         angle, fabs(angle) / TURN),
                         tr_arena_format(w->arena, "angles are in rad: math.rad(%g)", angle));
}

// Of planar ones: those of spatial ones are noticed where a rotation becomes a quaternion.
static trStatus check_angles(trCheckWork *w) {
    for (int i = 0; i < w->bodies; i++) {
        TR_TRY(find_angle(w, tr_check_body(w, i), tr_system_body(w->system, i).angle));
    }
    for (int i = 0; i < tr_system_frames(w->system); i++) {
        const trFrameInfo frame = tr_system_frame(w->system, i);
        TR_TRY(find_angle(w, frame.name, frame.angle));
    }
    return TR_OK;
}

static trStatus check_lengths(trCheckWork *w) {
    bool earth = fabs(gravity_of(w) - EARTH) < 0.01 * EARTH;
    if (!earth || !(w->size > LARGE)) {
        return TR_OK;
    }
    return tr_check_find(
        w, TR_WARNING, "units", tr_system_name(w->system),
        tr_arena_format(w->arena,
                        "joints are %.3g m from centers of mass on average, as if in millimeters",
                        w->size),
        "Trammel uses m, kg and s; ignore this if the mechanism is that large");
}

// --- sizes ---

// How far its farthest joint is from its center of mass; without one, the size of bodies [m].
static double reach(const trCheckWork *w, int body) {
    double most = 0.0;
    for (int j = 0; j < w->joints; j++) {
        const trJointInfo *joint = &w->joint[j];
        if (joint->body1 == body || joint->body2 == body) {
            most = fmax(most, tr_check_arm(w, j, body));
        }
    }
    return most > 1e-6 * w->size ? most : w->joints > 0 ? w->size : 0.0;
}

static double gyration(const trBodyInfo *body) {
    const double *J = body->inertia, most = fmax(J[0], fmax(J[1], J[2]));
    return body->mass > 0.0 ? sqrt(most / body->mass) : 0.0;
}

static trStatus check_inertia(trCheckWork *w) {
    for (int i = 0; i < w->bodies; i++) {
        const trBodyInfo body = tr_system_body(w->system, i);
        double           k = gyration(&body), size = reach(w, i);
        bool             large = k > GYRATION_LARGE * size;
        if (k == 0.0 || size == 0.0 || (!large && k > GYRATION_SMALL * size)) {
            continue;
        }
        const char *reason = tr_arena_format(
            w->arena, "its radius of gyration, %.3g m, is %s beside its joints' distance of %.3g m",
            k, large ? "huge" : "tiny", size);
        const char *remedy = large ? "give inertia in kg m^2: 1 kg mm^2 = 1e-6 kg m^2"
                                   : "give inertia in kg m^2 and mass in kg";
        TR_TRY(tr_check_find(w, TR_WARNING, "inertia", body.name, reason, remedy));
    }
    return TR_OK;
}

static trStatus check_masses(trCheckWork *w) {
    trBodyInfo light = {.mass = INFINITY}, heavy = {.mass = 0.0};
    for (int i = 0; i < w->bodies; i++) {
        const trBodyInfo b = tr_system_body(w->system, i);
        light = b.mass > 0.0 && b.mass < light.mass ? b : light;
        heavy = b.mass > heavy.mass ? b : heavy;
    }
    if (heavy.mass == 0.0 || !(heavy.mass > MASS_RATIO * light.mass)) {
        return TR_OK;
    }
    return tr_check_find(w, TR_WARNING, "units", heavy.name,
                         tr_arena_format(w->arena, "its mass, %g kg, is %.1e times that of %s",
                                         heavy.mass, heavy.mass / light.mass, light.name),
                         "give all masses in kg; a negligible body may have mass 0");
}

static trStatus check_joints(trCheckWork *w) {
    for (int j = 0; j < w->joints; j++) {
        const trJointInfo *joint = &w->joint[j];
        const int          body[2] = {joint->body1, joint->body2};
        for (int k = 0; k < 2; k++) {
            double arm = body[k] < 0 ? 0.0 : tr_check_arm(w, j, body[k]);
            if (arm > FAR * w->size) {
                const char *reason = tr_arena_format(
                    w->arena, "its point is %.3g m from the center of mass of %s; most are %.2g m",
                    arm, tr_check_body(w, body[k]), w->size);
                TR_TRY(tr_check_find(w, TR_WARNING, "frames", joint->name, reason,
                                     "check its point, and that all lengths are in m"));
                break;
            }
        }
    }
    return TR_OK;
}

// --- what is not used ---

static trStatus find_held(const trCheckWork *w, bool *held) {
    int *body = tr_new_array(w->scratch, int, w->bodies);
    TR_TRY(tr_arena_status(w->scratch));
    for (int g = 0; g < w->groups; g++) {
        int count = tr_system_row_bodies(w->system, w->group[g].row, w->bodies, body);
        for (int k = 0; !tr_check_is_norm(w, g) && k < count; k++) {
            held[body[k]] = true;
        }
    }
    return TR_OK;
}

static trStatus check_use(trCheckWork *w) {
    bool *held = tr_new_array(w->scratch, bool, w->bodies);
    TR_TRY(tr_arena_status(w->scratch));
    TR_TRY(find_held(w, held));
    for (int i = 0; i < w->bodies; i++) {
        bool pushed = false, falls = false;
        for (int k = 0; k < tr_system_count(w->system, TR_THING_FORCE); k++) {
            const trForceInfo f = tr_system_force(w->system, k);
            bool              on = f.body1 == i || f.body2 == i;
            bool              gravity = strcmp(f.kind, "gravity") == 0;
            pushed = pushed || (on && !gravity);
            falls = falls || (on && gravity);
        }
        if (!pushed && !held[i]) {
            TR_TRY(tr_check_find(w, TR_NOTE, "unused", tr_check_body(w, i),
                                 falls ? "no joint holds it and no force but gravity acts on it"
                                       : "no joint holds it and no force acts on it",
                                 "leave it out, or give it a joint, if that is not meant"));
        }
    }
    return TR_OK;
}

static trStatus repeat_warnings(trCheckWork *w) {
    for (int i = 0; i < tr_model_warnings(w->model); i++) {
        TR_TRY(tr_check_find(w, TR_WARNING, "model", tr_system_name(w->system),
                             tr_model_warning(w->model, i), ""));
    }
    return TR_OK;
}

trStatus tr_check_plausible(trCheckWork *w) {
    TR_TRY(repeat_warnings(w));
    if (w->dim == 0) {
        return TR_OK;
    }
    TR_TRY(check_gravity(w));
    TR_TRY(check_angles(w));
    TR_TRY(check_lengths(w));
    TR_TRY(check_inertia(w));
    TR_TRY(check_masses(w));
    TR_TRY(check_joints(w));
    return check_use(w);
}
