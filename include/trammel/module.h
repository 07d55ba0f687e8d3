// SPDX-License-Identifier: MIT
/// @file module.h Make a program a module that joints can be glued to. Stands alone: C99 and math.
///
/// A module owns its model, its state and its solver, and shows nothing of them but *ports*: named
/// frames, whose motion it tells and on which it takes loads. A coordinator (glue.h, `trammel
/// glue`) enforces joints between the ports of several modules, in one process or across machines.
///
/// One step, from t - h to t, is an iteration. `a` is what a module solves for; q and v follow it:
///
///     predict     starts from a = a(t - h)
///     residual    r = M a - Q - J' f, with f the loads on its ports; solves K da = -r by itself,
///                 K = M + c_v D + c_q K_q, and keeps da as its trial
///     ports       how its ports move: x, v, and a with the trial da
///     compliance  W = J K^-1 J', between all its ports
///     apply       takes da, corrected by impulses w of the joints, spread by its own K^-1
///     accept      the step is done
///
/// with J the Jacobian of the ports, (velocities of ports) = J v. Nothing of M, K, J or q leaves
/// the module. Constraints of its own are its own matter: K^-1 is then that of M and D and K_q with
/// them.
///
/// Ports in the plane have x = (x, y, angle), v and a likewise, w = (fx, fy, moment). In space
/// x = (x, y, z, e0, e1, e2, e3), v = (velocity, angular velocity), a likewise, w = (force,
/// moment), the moment about the port's origin. World axes throughout; m, rad, s, N.

#ifndef TRAMMEL_MODULE_H
#define TRAMMEL_MODULE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_MODULE_VERSION 2

/// How far a port is described: numbers of x, and of v, a and w.
#define TR_PORT_X(dim) ((dim) == 3 ? 7 : 3)
#define TR_PORT_V(dim) ((dim) == 3 ? 6 : 3)

/// The step to be taken. Coefficients of its scheme are those of
///
///     s_n+1 = (alpha_f a_n + (1 - alpha_f) a_n+1 - alpha_m s_n) / (1 - alpha_m)
///     v_n+1 = v_n + p (v_n - v_n-1) + h (g0 s_n + g1 s_n+1)
///     q_n+1 = q_n + p (q_n - q_n-1) + h (r0 v_n + r1 v_n+1) + h^2 (b0 s_n + b1 s_n+1)
///
/// which are Newmark's formulas, generalized alpha and BDF; see trCoordinate for doing it. h = 0:
/// the start, where a is to be found and neither q nor v moves with it.
typedef struct trGlueStep {
    double t, h;              ///< the end of the step and its length [s]
    double c_v, c_q;          ///< dv/da [s] and dq/da [s^2]: 0 at the start
    double alpha_m, alpha_f;  ///< 0 but for generalized alpha
    double p, r0, r1;
    double b0, b1, g0, g1;
    int    plain;  ///< not 0: compliance is J J', impulses are spread by J' alone (TR_TAKES_PLAIN)
    int    anew;   ///< not 0: K^-1 J' of all impulses of the step is made anew (TR_MAKES_ANEW)
} trGlueStep;

/// What `apply` is given.
typedef enum trLevel {
    TR_LEVEL_LOAD,          ///< f += w alone: the next residual has it [N]
    TR_LEVEL_FORCE,         ///< f += w; a += da + K^-1 J' w, and q and v by c_q and c_v of that [N]
    TR_LEVEL_POSITION,      ///< q += K^-1 J' w
    TR_LEVEL_VELOCITY,      ///< v += K^-1 J' w
    TR_LEVEL_ACCELERATION,  ///< a += K^-1 J' w, and neither q nor v nor f
    TR_LEVELS
} trLevel;

/// What a module can take, besides loads and forces. One that takes neither of the first two
/// (modules that step by themselves under given forces) applies TR_LEVEL_FORCE by repeating its
/// step: W is then d(a of the ports)/d(w) as it finds it. Modules with springs or dampers that are
/// stiff for the step need half as many iterations if they take accelerations, too.
#define TR_TAKES_POSITION 1u
#define TR_TAKES_VELOCITY 2u
#define TR_TAKES_PLAIN 4u  ///< trGlueStep.plain, and `port_residual`: of the gluing `naive` alone
#define TR_TAKES_ACCELERATION 8u
/// Corrections of q and v are K^-1 J' of the sum of all w in the step, with J as it is in the last
/// iteration, if trGlueStep.anew asks for it: they then do not depend on the iterations that led
/// there. Asked for under schemes that leave joints far open, if all modules can.
#define TR_MAKES_ANEW 16u

/// A module. Functions return 0, or anything else for a failure: then `error` is asked for a
/// sentence. Functions that are marked may be NULL.
typedef struct trModule {
    int                version;  ///< TR_MODULE_VERSION
    const char        *name;     ///< of what it is, "crane"; assemblies give names of their own
    int                dim;      ///< 2 or 3
    int                ports;
    const char *const *port_name;  ///< ports
    unsigned           takes;      ///< TR_TAKES_...
    int                outputs;    ///< further numbers of its own to be recorded
    const char *const *output_name, *const *output_unit;  ///< outputs
    void *self;                                           ///< handed to all functions

    int (*predict)(void *self, const trGlueStep *step);
    /// `size` is that of r against the largest of its terms so far, for at rest all of them are
    /// rounding: 0 where the equations hold.
    int (*residual)(void *self, double *size);
    int (*port_motion)(void *self, double *x, double *v, double *a);  ///< port after port
    int (*compliance)(void *self, double *W);  ///< square, row after row, port after port
    int (*apply)(void *self, trLevel level, const double *w);
    int (*accept)(void *self);
    size_t (*state_size)(void *self);      ///< bytes of `save`
    int (*save)(void *self, void *state);  ///< all that later steps depend on
    int (*restore)(void *self, const void *state);
    int (*port_residual)(void *self, double *y);  ///< y = J r; NULL without TR_TAKES_PLAIN
    int (*output)(void *self, double *value);     ///< outputs; may be NULL if there are none
    const char *(*error)(void *self);             ///< may be NULL
    const char *(*about)(void *self);             ///< how it works, for summaries; may be NULL
    void (*close)(void *self);                    ///< may be NULL
} trModule;

/// What a shared library that is a module must export: fills `out`; arguments are those of the
/// assembly file, "key=value". 0, or anything else with a reason in out->name.
typedef int (*trModuleOpen)(int arguments, const char *const *argument, trModule *out);
#define TR_MODULE_OPEN "tr_module_open"
int tr_module_open(int arguments, const char *const *argument, trModule *out);

// --- a coordinate that moves as steps ask ---

/// One number q with its rate, through a step. Set q, v (and a, if it is known) at the start.
typedef struct trCoordinate {
    double q, v, a;             ///< at the end of the step
    double q0, v0, a0;          ///< at its beginning
    double s, s0;               ///< the acceleration that generalized alpha carries
    double q_before, v_before;  ///< one step before that
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

/// The beginning of a step: from where the last one ended, with the same acceleration.
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

/// The acceleration changes alone.
static inline void tr_coordinate_push(trCoordinate *c, const trGlueStep *step, double da) {
    c->a += da;
    c->s += (step->h == 0.0 ? 1.0 : (1.0 - step->alpha_f) / (1.0 - step->alpha_m)) * da;
}

/// The acceleration changes, and with it the rest.
static inline void tr_coordinate_accelerate(trCoordinate *c, const trGlueStep *step, double da) {
    tr_coordinate_push(c, step, da);
    c->v += step->c_v * da;
    c->q += step->c_q * da;
}

#ifdef __cplusplus
}
#endif

#endif
