// SPDX-License-Identifier: MIT
/// @file constrain.h Constraints for a program that integrates M q'' = f by itself.
///
/// You have a mass matrix, forces, an integrator, and conditions phi(t, q) = 0. Keep the
/// integrator; in every evaluation of its right-hand side put the state on the constraints and
/// correct the force or the acceleration, and after every step put the state on them again:
///
///     tr_constrain_state(c, t, q, v);              // phi = 0 and A v = b1
///     ... your forces f at (t, q, v) ...
///     tr_constrain_force(c, t, q, v, f, lambda);   // f becomes f - A' lambda
///     ... your accelerations, M a = f, satisfy A a = b ...
///
/// examples/pendulum_rk4.c is a complete program. Signs and letters:
///
///     M a + A' lambda = f     A = d phi / dq     b1 = -d phi / dt     A v = b1     A a = b
///     b = -(v' phi_qq v + 2 phi_qt v + phi_tt) = -(d/dt A) v - d/dt phi_t
///
/// Constraints may depend on each other and M may be singular where constraints hold what has no
/// mass. Of dependent rows only A' lambda is unique; those that are left out have lambda = 0.
///
/// A handle is used by one thread at a time; any number of handles may be in use. Nothing is
/// allocated after tr_constrain_create. Cost grows with the cube of n: meant for up to a few
/// hundred coordinates.

#ifndef TRAMMEL_CONSTRAIN_H
#define TRAMMEL_CONSTRAIN_H

#include <stddef.h>

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trConstrain trConstrain;

/// What corrections are measured by: the smallest change in the metric W.
typedef enum trConstrainWeight {
    TR_CONSTRAIN_MASS,     ///< W = M: does not depend on units, never adds kinetic energy
    TR_CONSTRAIN_IDENTITY  ///< W = I
} trConstrainWeight;

/// A callback returns 0, or not 0 where it cannot tell: above 0 a smaller step may help
/// (TR_NOT_FINITE), below 0 nothing will (TR_E_EXTERNAL). It writes every entry, zeros too. What it
/// writes depends on its arguments only. Matrices are stored row after row.
///
/// Derivatives that are not given are made by differences, in every call. With d = eps^(1/3):
///
///     A, b1   central, with steps d (1 + |q_j|) and d [s]: errors of about 4e-11, relative
///     b       second differences of phi along (t + s, q + s v) with seven halved steps,
///             extrapolated to s = 0 (order 2, 4, 6, ...; the entry that agrees best with its
///             neighbors): errors of about 1e-10, relative
///
/// if coordinates of size one and times of a second are what phi changes over. If it changes over
/// less, say so in `scale` and `time_scale`; differences that do not settle are refused at create.
typedef struct trConstrainDef {
    size_t             struct_size;  ///< set by tr_constrain_def_default(); lets the struct grow
    int                n;            ///< coordinates
    int                m;            ///< rows of phi, holonomic
    int                k;            ///< rows of psi, nonholonomic
    void              *context;      ///< handed to every callback
    const char *const *names;        ///< m + k, for messages; NULL: they are numbered

    /// M(t, q), n x n, symmetric; or, in its place, y = M^-1 x.
    int (*mass)(void *context, double t, const double *q, double *M);
    int (*mass_solve)(void *context, double t, const double *q, const double *x, double *y);

    int (*phi)(void *context, double t, const double *q, double *phi);     ///< m
    int (*jacobian)(void *context, double t, const double *q, double *A);  ///< m x n; optional
    int (*b1)(void *context, double t, const double *q, double *b1);       ///< m; optional
    /// m; optional
    int (*b)(void *context, double t, const double *q, const double *v, double *b);

    /// k: psi(t, q, v) = 0, any smooth function of v.
    int (*psi)(void *context, double t, const double *q, const double *v, double *psi);
    /// k x n: d psi / dv; optional
    int (*psi_jacobian)(void *context, double t, const double *q, const double *v, double *A);
    /// k: -(psi_q v + psi_t); optional
    int (*psi_b)(void *context, double t, const double *q, const double *v, double *b);

    trConstrainWeight weight;
    double            rank_tolerance;  ///< rows nearer than this to others are dependent; 1e-4
    double            tolerance;       ///< of |phi|, relative to 1 + max|q|; 0: on to rounding
    const double     *scale;           ///< n: over what q_j phi changes; NULL: 1 + |q_j|
    double            time_scale;      ///< over what time it changes; 1 [s]

    /// Ritz forms: the callbacks speak of x = X q, X is n x forms, row after row, with independent
    /// columns. All functions below then speak of q, v, a, f with `forms` entries. 0: none.
    int           forms;
    const double *X;
} trConstrainDef;

/// W = M, rank_tolerance 1e-4, time_scale 1 s, no callbacks.
TR_API trConstrainDef tr_constrain_def_default(void);

/// Copies the definition (not what `context` leads to) and looks, at the given state and near it:
/// are all entries written and numbers, do given derivatives agree with differences, is M
/// symmetric without negative eigenvalues, can the constraints be satisfied. TR_E_ARGUMENT or
/// TR_E_MODEL with the name of the constraint, the coordinate, the direction. The state need not
/// satisfy the constraints.
TR_API trStatus tr_constrain_create(const trConstrainDef *def, double t, const double *q,
                                    const double *v, trConstrain **out) TR_MUST_CHECK;
TR_API void     tr_constrain_destroy(trConstrain *c);  ///< NULL is allowed

/// Moves q by Newton's method until phi = 0, then v until A v = b1 and psi = 0. What is consistent
/// to rounding stays as it is, bit for bit. v may be NULL: positions only. After a failure q and v
/// are as they were.
TR_API trStatus tr_constrain_state(trConstrain *c, double t, double *q, double *v) TR_MUST_CHECK;

/// f becomes f - A' lambda. lambda (m + k) may be NULL, here and below.
TR_API trStatus tr_constrain_force(trConstrain *c, double t, const double *q, const double *v,
                                   double *f, double *lambda) TR_MUST_CHECK;

/// a, the acceleration without constraints, becomes the one with them.
TR_API trStatus tr_constrain_accel(trConstrain *c, double t, const double *q, const double *v,
                                   double *a, double *lambda) TR_MUST_CHECK;

/// From forces to accelerations in one: M a + A' lambda = f, A a = b.
TR_API trStatus tr_constrain_solve(trConstrain *c, double t, const double *q, const double *v,
                                   const double *f, double *a, double *lambda) TR_MUST_CHECK;

/// Largest violations, and whose they are. A level that was not asked for is zero and NULL.
typedef struct trConstrainViolation {
    double      position, velocity, acceleration;  ///< |phi|; |A v - b1| or |psi|; |A a - b|
    const char *position_name, *velocity_name, *acceleration_name;
} trConstrainViolation;

/// v and a may be NULL; a needs v.
TR_API trStatus tr_constrain_violation(trConstrain *c, double t, const double *q, const double *v,
                                       const double *a, trConstrainViolation *out) TR_MUST_CHECK;

typedef struct trConstrainRank {
    int        rank;      ///< independent rows
    int        freedoms;  ///< coordinates less rank
    int        dropped;   ///< rows found dependent
    const int *rows;      ///< dropped: their numbers, until the next call
    /// Distance of the last kept row from the others, relative; compare with rank_tolerance.
    double      gap;
    const char *gap_name;  ///< its name
} trConstrainRank;

/// v may be NULL where there is no psi.
TR_API trStatus tr_constrain_rank(trConstrain *c, double t, const double *q, const double *v,
                                  trConstrainRank *out) TR_MUST_CHECK;

TR_API int         tr_constrain_size(const trConstrain *c);           ///< of q: forms, or n without
TR_API const char *tr_constrain_name(const trConstrain *c, int row);  ///< NULL: no such row

/// M as it is in use, size x size; X' M X with forms. TR_E_UNSUPPORTED with mass_solve.
TR_API trStatus tr_constrain_mass(trConstrain *c, double t, const double *q,
                                  double *M) TR_MUST_CHECK;
TR_API void     tr_constrain_expand(const trConstrain *c, const double *q, double *x);  ///< x = X q
TR_API void tr_constrain_reduce(const trConstrain *c, const double *f, double *g);  ///< g = X' f

#ifdef __cplusplus
}
#endif

#endif
