// SPDX-License-Identifier: MIT
/// @file model.h Describe a mechanism: bodies, joints and forces, by kind name and parameters.
///
/// Kinds and parameters are those that `trammel joints` and `trammel forces` print. Names have 1 to
/// 100 bytes and no control characters. Everything is added before tr_system_build; after it,
/// adding is TR_E_ARGUMENT.

#ifndef TRAMMEL_MODEL_H
#define TRAMMEL_MODEL_H

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trModel trModel;
typedef struct trTape  trTape;  ///< a recorded function of time
typedef struct trLaw   trLaw;   ///< a force law, a piecewise polynomial

/// A list of numbers.
typedef struct trNumbers {
    int           count;
    const double *at;  ///< count
} trNumbers;

/// The body that does not move.
#define TR_GROUND (-1)

typedef enum trParamKind {
    TR_PARAM_NUMBER,
    TR_PARAM_NUMBERS,  ///< a list, e.g. a vector
    TR_PARAM_TEXT,
    TR_PARAM_BOOL,  ///< in `number`, 0 or 1
    TR_PARAM_FUNCTION,
    TR_PARAM_LAW,
} trParamKind;

/// One parameter, "length = 1.5". A list of them ends with one whose key is NULL.
typedef struct trParam {
    const char   *key;
    trParamKind   kind;
    double        number;
    int           count;    ///< of numbers
    const double *numbers;  ///< count
    const char   *text;
    const trTape *function;  ///< must live as long as the model
    const trLaw  *law;       ///< must live as long as the model
} trParam;

#ifndef __cplusplus
/// A parameter list in place: TR_PARAMS(TR_NUM("mass", 2.0), TR_VEC("at", 0.5, 0.0)).
#define TR_PARAMS(...) ((const trParam[]){__VA_ARGS__, {0}})
#define TR_NUM(name, value) \
    { .key = (name), .kind = TR_PARAM_NUMBER, .number = (value) }
#define TR_WORD(name, value) \
    { .key = (name), .kind = TR_PARAM_TEXT, .text = (value) }
#define TR_VEC(name, ...)                                                       \
    {                                                                           \
        .key = (name), .kind = TR_PARAM_NUMBERS,                                \
        .count = (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)), \
        .numbers = (const double[]) {                                           \
            __VA_ARGS__                                                         \
        }                                                                       \
    }
#endif

/// An empty model. `params` are those of a model: name, dim, gravity; may be NULL.
TR_API trStatus tr_model_create(const trParam *params, trModel **out) TR_MUST_CHECK;
TR_API void     tr_model_destroy(trModel *model);  ///< NULL is allowed

/// Adds a body and returns its number. Names are unique among bodies.
TR_API trStatus tr_model_add_body(trModel *model, const char *name, const trParam *params,
                                  int *out) TR_MUST_CHECK;

/// Adds a frame, a named point with axes that is fixed in a body or in TR_GROUND: results follow
/// it, and joints take it with the parameters frame1, frame2 and report. Names are unique among
/// bodies and frames.
TR_API trStatus tr_model_add_frame(trModel *model, const char *name, int body,
                                   const trParam *params) TR_MUST_CHECK;

/// The same for a frame that is a port: other modules may be glued to it (glue.h).
TR_API trStatus tr_model_add_port(trModel *model, const char *name, int body,
                                  const trParam *params) TR_MUST_CHECK;

/// Adds a joint between two bodies; one of them may be TR_GROUND. `name` may be NULL: then one is
/// made, "revolute1"; `params` may be NULL, here and for bodies and forces.
TR_API trStatus tr_model_add_joint(trModel *model, const char *kind, const char *name, int body1,
                                   int body2, const trParam *params) TR_MUST_CHECK;

/// Adds a force. Kinds that act on one body take it as `body2`, with TR_GROUND as `body1`.
TR_API trStatus tr_model_add_force(trModel *model, const char *kind, const char *name, int body1,
                                   int body2, const trParam *params) TR_MUST_CHECK;

/// The number of a body, or TR_GROUND for "ground". TR_E_MODEL, with a suggestion, if unknown.
TR_API trStatus tr_model_find_body(const trModel *model, const char *name, int *out) TR_MUST_CHECK;

/// What was changed or looks wrong although it is allowed, one sentence each, as "four.lua:12: body
/// 'rod': ...". NULL for an index that is out of range.
TR_API int         tr_model_warnings(const trModel *model);
TR_API const char *tr_model_warning(const trModel *model, int index);

/// The text of the file that described the model, and the parameters that were given to it, "N=40",
/// one a line. NULL for models that were made by calls.
TR_API const char *tr_model_source(const trModel *model);
TR_API const char *tr_model_given(const trModel *model);

/// A law made of pieces: piece i holds for x in [breaks[i], breaks[i+1]] and is the polynomial
/// coefficients[i][0] + coefficients[i][1] (x - breaks[i]) + ..., `order` numbers each; the first
/// and last piece continue outwards. Owned by the model.
TR_API trStatus tr_model_law(trModel *model, int pieces, const double *breaks, int order,
                             const double *coefficients, const trLaw **out) TR_MUST_CHECK;

/// A law through points (x[i], y[i]) with x increasing, smooth (C1) between them.
TR_API trStatus tr_model_table(trModel *model, int points, const double *x, const double *y,
                               const trLaw **out) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
