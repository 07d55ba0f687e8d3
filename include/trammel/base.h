// SPDX-License-Identifier: MIT
/// @file base.h Status codes, error text, version.
///
/// In all headers: pointer arguments must not be NULL unless stated otherwise; this is not checked.

#ifndef TRAMMEL_BASE_H
#define TRAMMEL_BASE_H

#if defined(_WIN32)
#define TR_API
#else
#define TR_API __attribute__((visibility("default")))
#endif

#if defined(__GNUC__)
#define TR_MUST_CHECK __attribute__((warn_unused_result))
#define TR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TR_MUST_CHECK
#define TR_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Status of a call. Zero is success; positive is a numerical failure that a smaller step may
/// avoid; negative is final.
// clang-format off
#define TR_STATUS_LIST(X)                                                                          \
    X(TR_OK,               0, "success")                                                           \
    X(TR_SINGULAR,         1, "matrix is singular to working precision")                           \
    X(TR_NO_CONVERGENCE,   2, "iteration did not converge")                                        \
    X(TR_NOT_FINITE,       3, "a result is infinite or not a number")                              \
    X(TR_E_MEMORY,        -1, "out of memory")                                                     \
    X(TR_E_ARGUMENT,      -2, "argument is out of range")                                          \
    X(TR_E_MODEL,         -3, "model is inconsistent")                                             \
    X(TR_E_UNSUPPORTED,   -4, "these components cannot be combined")                               \
    X(TR_E_IO,            -5, "file could not be read or written")                                 \
    X(TR_E_EXTERNAL,      -6, "an external library reported an error")                             \
    X(TR_E_SIMULATION,    -7, "the simulation cannot continue")                                    \
    X(TR_E_INTERRUPTED,   -8, "interrupted")                                                       \
    X(TR_E_PARTNER,       -9, "a module is gone or does not answer")
// clang-format on

#define TR_STATUS_ENUM(name, value, text) name = (value),
typedef enum trStatus { TR_STATUS_LIST(TR_STATUS_ENUM) } trStatus;
#undef TR_STATUS_ENUM

/// Returns a constant string for a status code, e.g. "out of memory"; never NULL.
TR_API const char *tr_status_text(trStatus status);

/// Returns the message of the last failed call on this thread, or "".
TR_API const char *tr_last_error(void);

/// Returns the version of the library, e.g. "0.1.0".
TR_API const char *tr_version(void);

#ifdef __cplusplus
}
#endif

#endif
