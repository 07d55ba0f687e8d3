// SPDX-License-Identifier: MIT
/// @file constrain.h Add constraints phi(t, q) = 0 to a program that integrates M q'' = f by
/// itself.
///
/// In every evaluation of the right-hand side, project the state and correct the force or the
/// acceleration; project the state again after every step:
///
///     tr_constrain_state(c, t, q, v);              // phi = 0 and A v = b1
///     ... your forces f at (t, q, v) ...
///     tr_constrain_force(c, t, q, v, f, lambda);   // f becomes f - A' lambda
///     ... your accelerations, M a = f, satisfy A a = b ...
///
/// examples/pendulum_rk4.c is a complete program. Notation:
///
///     M a + A' lambda = f     A = d phi / dq     b1 = -d phi / dt     A v = b1     A a = b
///     b = -(v' phi_qq v + 2 phi_qt v + phi_tt) = -(d/dt A) v - d/dt phi_t
///
/// Constraints may be redundant, and M may be singular where constraints hold massless motions.
/// With redundant rows only A' lambda is unique; dropped rows have lambda = 0.
///
/// A handle may be used by one thread at a time. Nothing is allocated after tr_constrain_create.
/// Cost grows with the cube of n; use it for up to a few hundred coordinates.

#ifndef TRAMMEL_CONSTRAIN_H
#define TRAMMEL_CONSTRAIN_H

#include <stddef.h>

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trConstrain trConstrain;

/// Metric W of corrections.
typedef enum trConstrainWeight {
    TR_CONSTRAIN_MASS,     ///< W = M: independent of units, never adds kinetic energy
    TR_CONSTRAIN_IDENTITY  ///< W = I
} trConstrainWeight;

/// Callbacks return 0 for success, > 0 if a smaller step may help (TR_NOT_FINITE), < 0 for failures
/// (TR_E_EXTERNAL). They write every entry, including zeros, as functions of their arguments only.
/// Matrices are stored row by row.
///
/// Derivatives that are not given are computed by differences in every call. With d = eps^(1/3):
///
///     A, b1   central, with steps d (1 + |q_j|) and d [s]: errors of about 4e-11, relative
///     b       second differences of phi along (t + s, q + s v) with seven halved steps,
///             extrapolated to s = 0 (order 2, 4, 6, ...; the entry that agrees best with its
///             neighbors): errors of about 1e-10, relative
///
/// if phi changes over coordinates of size one and times of a second. Otherwise set `scale` and
/// `time_scale`; differences that do not converge are refused at create.
typedef struct trConstrainDef {
    size_t             struct_size;  ///< set by tr_constrain_def_default(); lets the struct grow
    int                n;            ///< coordinates
    int                m;            ///< rows of phi, holonomic
    int                k;            ///< rows of psi, nonholonomic
    void              *context;      ///< passed to every callback
    const char *const *names;        ///< m + k, for messages; NULL: numbers

    /// M(t, q), n x n, symmetric; or y = M^-1 x.
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
    double            rank_tolerance;  ///< relative; rows closer to others are dependent; 1e-4
    double            tolerance;       ///< of |phi|, relative to 1 + max|q|; 0: rounding
    const double     *scale;           ///< n: change of q_j over which phi changes; NULL: 1 + |q_j|
    double            time_scale;      ///< likewise for t; 1 [s]

    /// Ritz forms: callbacks use x = X q, with X n x forms, row by row, with independent columns.
    /// All functions below then use q, v, a, f with `forms` entries. 0: none.
    int           forms;
    const double *X;
} trConstrainDef;

/// Returns the defaults: W = M, rank_tolerance 1e-4, time_scale 1 s, no callbacks.
TR_API trConstrainDef tr_constrain_def_default(void);

/// Copies the definition (not the object that `context` points to) and tests, at and near the given
/// state, that all entries are written and finite, given derivatives agree with differences, M is
/// symmetric without negative eigenvalues, and the constraints can be satisfied. TR_E_ARGUMENT or
/// TR_E_MODEL names the constraint, the coordinate, the direction. The state need not satisfy the
/// constraints.
TR_API trStatus tr_constrain_create(const trConstrainDef *def, double t, const double *q,
                                    const double *v, trConstrain **out) TR_MUST_CHECK;
TR_API void     tr_constrain_destroy(trConstrain *c);  ///< NULL is allowed

/// Projects q onto phi = 0 by Newton's method, then v onto A v = b1 and psi = 0. A consistent state
/// stays bit for bit the same. v may be NULL. After a failure q and v are unchanged.
TR_API trStatus tr_constrain_state(trConstrain *c, double t, double *q, double *v) TR_MUST_CHECK;

/// Replaces f by f - A' lambda. lambda (m + k) may be NULL, here and below.
TR_API trStatus tr_constrain_force(trConstrain *c, double t, const double *q, const double *v,
                                   double *f, double *lambda) TR_MUST_CHECK;

/// Replaces a, the acceleration without constraints, by the one with constraints.
TR_API trStatus tr_constrain_accel(trConstrain *c, double t, const double *q, const double *v,
                                   double *a, double *lambda) TR_MUST_CHECK;

/// Solves M a + A' lambda = f, A a = b.
TR_API trStatus tr_constrain_solve(trConstrain *c, double t, const double *q, const double *v,
                                   const double *f, double *a, double *lambda) TR_MUST_CHECK;

/// Largest violations and their constraints; zero and NULL for levels that were not requested.
typedef struct trConstrainViolation {
    double      position, velocity, acceleration;  ///< |phi|; |A v - b1| or |psi|; |A a - b|
    const char *position_name, *velocity_name, *acceleration_name;
} trConstrainViolation;

/// Computes violations. v and a may be NULL; a requires v.
TR_API trStatus tr_constrain_violation(trConstrain *c, double t, const double *q, const double *v,
                                       const double *a, trConstrainViolation *out) TR_MUST_CHECK;

typedef struct trConstrainRank {
    int        rank;      ///< independent rows
    int        freedoms;  ///< coordinates - rank
    int        dropped;   ///< rows found dependent
    const int *rows;      ///< dropped; valid until the next call
    /// Relative distance of the last kept row from the others; compare with rank_tolerance.
    double      gap;
    const char *gap_name;  ///< its name
} trConstrainRank;

/// Determines the rank. v may be NULL if there is no psi.
TR_API trStatus tr_constrain_rank(trConstrain *c, double t, const double *q, const double *v,
                                  trConstrainRank *out) TR_MUST_CHECK;

TR_API int         tr_constrain_size(const trConstrain *c);           ///< of q: forms, or n
TR_API const char *tr_constrain_name(const trConstrain *c, int row);  ///< NULL: no such row

/// Returns M, size x size; X' M X with forms. TR_E_UNSUPPORTED with mass_solve.
TR_API trStatus tr_constrain_mass(trConstrain *c, double t, const double *q,
                                  double *M) TR_MUST_CHECK;
TR_API void     tr_constrain_expand(const trConstrain *c, const double *q, double *x);  ///< x = X q
TR_API void tr_constrain_reduce(const trConstrain *c, const double *f, double *g);  ///< g = X' f

#ifdef __cplusplus
}
#endif

#endif
