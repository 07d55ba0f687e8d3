// SPDX-License-Identifier: MIT
/// @file module.h Make a program a module of a co-simulation. Needs C99 and math only.
///
/// A module owns its model, state and solver, and exposes *ports*: named frames, whose motion it
/// reports and which accept loads. A coordinator (glue.h, `trammel glue`) enforces joints between
/// the ports of several modules, in one process or across machines.
///
/// A step from t - h to t is an iteration. The module solves for a; q and v follow:
///
///     predict     starts from a = a(t - h)
///     residual    r = M a - Q - J' f, with the loads f on its ports; solves K da = -r by itself,
///                 K = M + c_v D + c_q K_q, and keeps da as its trial
///     ports       motion of the ports: x, v, and a with the trial da
///     compliance  W = J K^-1 J', between all its ports
///     apply       adds da, corrected by impulses w of the joints by means of its own K^-1
///     accept      ends the step
///
/// with the Jacobian J of the ports, (velocities of ports) = J v. M, K, J and q stay in the module.
/// If it has constraints of its own, K^-1 includes them.
///
/// Planar ports have x = (x, y, angle), v and a likewise, w = (fx, fy, moment). Spatial ports have
/// x = (x, y, z, e0, e1, e2, e3), v = (velocity, angular velocity), a likewise, w = (force,
/// moment), the moment about the origin of the port. World axes; m, rad, s, N.

#ifndef TRAMMEL_MODULE_H
#define TRAMMEL_MODULE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_MODULE_VERSION 2

/// Sizes of x, and of v, a and w, for one port.
#define TR_PORT_X(dim) ((dim) == 3 ? 7 : 3)
#define TR_PORT_V(dim) ((dim) == 3 ? 6 : 3)

/// A step and the coefficients of its scheme:
///
///     s_n+1 = (alpha_f a_n + (1 - alpha_f) a_n+1 - alpha_m s_n) / (1 - alpha_m)
///     v_n+1 = v_n + p (v_n - v_n-1) + h (g0 s_n + g1 s_n+1)
///     q_n+1 = q_n + p (q_n - q_n-1) + h (r0 v_n + r1 v_n+1) + h^2 (b0 s_n + b1 s_n+1)
///
/// This includes Newmark's formulas, generalized alpha and BDF; trCoordinate implements it. At the
/// start h = 0: a is found, q and v do not move.
typedef struct trGlueStep {
    double t, h;              ///< end and length of the step [s]
    double c_v, c_q;          ///< dv/da [s] and dq/da [s^2]: 0 at the start
    double alpha_m, alpha_f;  ///< 0 except for generalized alpha
    double p, r0, r1;
    double b0, b1, g0, g1;
    int    plain;  ///< not 0: compliance is J J', and J' replaces K^-1 J' (TR_TAKES_PLAIN)
    int    anew;   ///< not 0: recompute K^-1 J' of all impulses of the step (TR_MAKES_ANEW)
} trGlueStep;

/// Levels of `apply`.
typedef enum trLevel {
    TR_LEVEL_LOAD,          ///< f += w only, seen by the next residual [N]
    TR_LEVEL_FORCE,         ///< f += w; a += da + K^-1 J' w, and q and v by c_q and c_v of that [N]
    TR_LEVEL_POSITION,      ///< q += K^-1 J' w
    TR_LEVEL_VELOCITY,      ///< v += K^-1 J' w
    TR_LEVEL_ACCELERATION,  ///< a += K^-1 J' w only
    TR_LEVELS
} trLevel;

/// Levels that a module accepts besides loads and forces. Modules without the first two, which step
/// by themselves under given forces, apply TR_LEVEL_FORCE by repeating the step; W is then d(a of
/// the ports)/d(w). Accelerations halve the iterations of modules with stiff springs or dampers.
#define TR_TAKES_POSITION 1u
#define TR_TAKES_VELOCITY 2u
#define TR_TAKES_PLAIN 4u  ///< trGlueStep.plain and `port_residual`, for the algorithm `naive` only
#define TR_TAKES_ACCELERATION 8u
/// If trGlueStep.anew is set, corrections of q and v are K^-1 J' of the sum of all w in the step,
/// with the J of the last iteration, so that they do not depend on earlier iterations. Used with
/// schemes that leave joints far open, if all modules support it.
#define TR_MAKES_ANEW 16u

/// A module. Functions return 0 or, for failures, another value; `error` then returns the message.
typedef struct trModule {
    int                version;  ///< TR_MODULE_VERSION
    const char        *name;     ///< what it is, "crane"; coupled models give their own names
    int                dim;      ///< 2 or 3
    int                ports;
    const char *const *port_name;                         ///< ports
    unsigned           takes;                             ///< TR_TAKES_...
    int                outputs;                           ///< additional numbers to record
    const char *const *output_name, *const *output_unit;  ///< outputs
    void *self;                                           ///< passed to all functions

    int (*predict)(void *self, const trGlueStep *step);
    /// `size`: r relative to the largest of its terms so far (at rest all terms are rounding).
    int (*residual)(void *self, double *size);
    int (*port_motion)(void *self, double *x, double *v, double *a);  ///< port by port
    int (*compliance)(void *self, double *W);  ///< square, row by row, ports in order
    int (*apply)(void *self, trLevel level, const double *w);
    int (*accept)(void *self);
    size_t (*state_size)(void *self);      ///< bytes that `save` writes
    int (*save)(void *self, void *state);  ///< everything that later steps depend on
    int (*restore)(void *self, const void *state);
    int (*port_residual)(void *self, double *y);  ///< y = J r; NULL without TR_TAKES_PLAIN
    int (*output)(void *self, double *value);     ///< outputs; may be NULL if there are none
    const char *(*error)(void *self);             ///< may be NULL
    const char *(*about)(void *self);             ///< description for summaries; may be NULL
    void (*close)(void *self);                    ///< may be NULL
} trModule;

/// Exported by a shared library that is a module: fills `out` and returns 0, or another value with
/// a message in out->name. Arguments are those of the coupled model, "key=value".
typedef int (*trModuleOpen)(int arguments, const char *const *argument, trModule *out);
#define TR_MODULE_OPEN "tr_module_open"
int tr_module_open(int arguments, const char *const *argument, trModule *out);

// --- a coordinate that follows the scheme ---

/// A coordinate q and its rate. Set q, v (and a, if known) at the start.
typedef struct trCoordinate {
    double q, v, a;             ///< at the end of the step
    double q0, v0, a0;          ///< at its start
    double s, s0;               ///< the algorithm's acceleration of generalized alpha
    double q_before, v_before;  ///< one step earlier
} trCoordinate;

static inline void tr_coordinate_follow(trCoordinate *c, const trGlueStep *step) {
    double h = step->h;
    c->s = h == 0.0
               ? c->a
               : (step->alpha_f * c->a0 + (1.0 - step->alpha_f) * c->a - step->alpha_m * c->s0) /
                     (1.0 - step->alpha_m);
    c->v = c->v0 + step->p * (c->v0 - c->v_before) + h * (step->g0 * c->s0 + step->g1 * c->s);
    c->q = c->q0 + step->p * (c->q0 - c->q_before) + h * (step->r0 * c->v0 + step->r1 * c->v) +
           h * h * (step->b0 * c->s0 + step->b1 * c->s);
}

/// Begins a step where the last one ended, with the same acceleration.
static inline void tr_coordinate_predict(trCoordinate *c, const trGlueStep *step) {
    if (step->h > 0.0) {
        c->q_before = c->q0;
        c->v_before = c->v0;
    } else {
        c->q_before = c->q;
        c->v_before = c->v;
    }
    c->q0 = c->q;
    c->v0 = c->v;
    c->a0 = c->a;
    c->s0 = c->s;
    tr_coordinate_follow(c, step);
}

/// Changes the acceleration only.
static inline void tr_coordinate_push(trCoordinate *c, const trGlueStep *step, double da) {
    c->a += da;
    c->s += (step->h == 0.0 ? 1.0 : (1.0 - step->alpha_f) / (1.0 - step->alpha_m)) * da;
}

/// Changes the acceleration, and v and q accordingly.
static inline void tr_coordinate_accelerate(trCoordinate *c, const trGlueStep *step, double da) {
    tr_coordinate_push(c, step, da);
    c->v += step->c_v * da;
    c->q += step->c_q * da;
}

#ifdef __cplusplus
}
#endif

#endif
