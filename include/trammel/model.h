// SPDX-License-Identifier: MIT
/// @file model.h Describe a mechanism: bodies, joints and forces, by kind and parameters.
///
/// `trammel joints` and `trammel forces` list kinds and parameters. Names have 1 to 100 bytes and
/// no control characters. Adding to a model after tr_system_build is TR_E_ARGUMENT.

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

/// The fixed body.
#define TR_GROUND (-1)

typedef enum trParamKind {
    TR_PARAM_NUMBER,
    TR_PARAM_NUMBERS,  ///< a list, e.g. a vector
    TR_PARAM_TEXT,
    TR_PARAM_BOOL,  ///< in `number`, 0 or 1
    TR_PARAM_FUNCTION,
    TR_PARAM_LAW,
    TR_PARAM_BODY,  ///< its number, in `number`
} trParamKind;

/// One parameter, "length = 1.5". A list of them ends with one whose key is NULL.
typedef struct trParam {
    const char   *key;
    trParamKind   kind;
    double        number;
    int           count;
    const double *numbers;  ///< count
    const char   *text;
    const trTape *function;  ///< must live as long as the model
    const trLaw  *law;       ///< must live as long as the model
} trParam;

#ifndef __cplusplus
/// An inline parameter list: TR_PARAMS(TR_NUM("mass", 2.0), TR_VEC("at", 0.5, 0.0)).
#define TR_PARAMS(...) ((const trParam[]){__VA_ARGS__, {0}})
#define TR_NUM(name, value) \
    { .key = (name), .kind = TR_PARAM_NUMBER, .number = (value) }
#define TR_BODY(name, body) \
    { .key = (name), .kind = TR_PARAM_BODY, .number = (body) }
#define TR_WORD(name, value) \
    { .key = (name), .kind = TR_PARAM_TEXT, .text = (value) }
/// A function of time (control.h) and a law.
#define TR_TIME(name, value) \
    { .key = (name), .kind = TR_PARAM_FUNCTION, .function = (value) }
#define TR_LAW(name, value) \
    { .key = (name), .kind = TR_PARAM_LAW, .law = (value) }
#define TR_VEC(name, ...)                                                       \
    {                                                                           \
        .key = (name), .kind = TR_PARAM_NUMBERS,                                \
        .count = (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)), \
        .numbers = (const double[]) {                                           \
            __VA_ARGS__                                                         \
        }                                                                       \
    }
#else
}

#include <initializer_list>

/// The same in C++17. An inline list lives until the end of the statement.
inline trParam tr_param_number(const char *key, double value) {
    trParam param = {};
    param.key = key;
    param.kind = TR_PARAM_NUMBER;
    param.number = value;
    return param;
}
inline trParam tr_param_text(const char *key, const char *value) {
    trParam param = {};
    param.key = key;
    param.kind = TR_PARAM_TEXT;
    param.text = value;
    return param;
}
inline trParam tr_param_numbers(const char *key, std::initializer_list<double> value) {
    trParam param = {};
    param.key = key;
    param.kind = TR_PARAM_NUMBERS;
    param.count = (int)value.size();
    param.numbers = value.begin();
    return param;
}
inline trParam tr_param_function(const char *key, const trTape *value) {
    trParam param = {};
    param.key = key;
    param.kind = TR_PARAM_FUNCTION;
    param.function = value;
    return param;
}
inline trParam tr_param_law(const char *key, const trLaw *value) {
    trParam param = {};
    param.key = key;
    param.kind = TR_PARAM_LAW;
    param.law = value;
    return param;
}
#define TR_PARAMS(...) (std::initializer_list<trParam>{__VA_ARGS__, trParam()}.begin())
#define TR_NUM(name, value) tr_param_number(name, value)
#define TR_WORD(name, value) tr_param_text(name, value)
#define TR_TIME(name, value) tr_param_function(name, value)
#define TR_LAW(name, value) tr_param_law(name, value)
#define TR_VEC(name, ...) tr_param_numbers(name, {__VA_ARGS__})

extern "C" {
#endif

// Functions that add something return its number in `out`, which may be NULL. Things of one kind
// are numbered from 0 in the order in which they are added; tr_system_find finds them by name.

/// Creates an empty model. `params`: name, dim, gravity; may be NULL.
TR_API trStatus tr_model_create(const trParam *params, trModel **out) TR_MUST_CHECK;
TR_API void     tr_model_destroy(trModel *model);  ///< NULL is allowed

/// Adds a body. Its name must be unique among bodies and frames.
TR_API trStatus tr_model_add_body(trModel *model, const char *name, const trParam *params,
                                  int *out) TR_MUST_CHECK;

/// Adds a frame, a named point with axes fixed in a body or TR_GROUND. Results contain its motion;
/// joints refer to it by frame1, frame2 and report. Its name must be unique among bodies and
/// frames.
TR_API trStatus tr_model_add_frame(trModel *model, const char *name, int body,
                                   const trParam *params, int *out) TR_MUST_CHECK;

/// Adds a frame that is a port, which joints to other modules can use (glue.h).
TR_API trStatus tr_model_add_port(trModel *model, const char *name, int body, const trParam *params,
                                  int *out) TR_MUST_CHECK;

/// Adds a joint between two bodies; one of them may be TR_GROUND. If `name` is NULL it is made from
/// the kind, "revolute1". `params` may be NULL, here and for bodies and forces.
TR_API trStatus tr_model_add_joint(trModel *model, const char *kind, const char *name, int body1,
                                   int body2, const trParam *params, int *out) TR_MUST_CHECK;

/// Adds a force. Kinds that act on one body use `body2`, with TR_GROUND as `body1`.
TR_API trStatus tr_model_add_force(trModel *model, const char *kind, const char *name, int body1,
                                   int body2, const trParam *params, int *out) TR_MUST_CHECK;

/// Returns the model's gravity along x, y and z [m/s^2].
TR_API void tr_model_gravity(const trModel *model, double out[3]);

/// Finds a body by name, TR_GROUND for "ground". TR_E_MODEL, with a suggestion, if unknown.
TR_API trStatus tr_model_find_body(const trModel *model, const char *name, int *out) TR_MUST_CHECK;

/// Warnings, e.g. "four.lua:12: body 'rod': ...": what was changed, or looks wrong but is allowed.
/// NULL for an index out of range.
TR_API int         tr_model_warnings(const trModel *model);
TR_API const char *tr_model_warning(const trModel *model, int index);

/// Text of the model file, and the parameters given to it ("N=40", one a line). NULL for models
/// built by calls.
TR_API const char *tr_model_source(const trModel *model);
TR_API const char *tr_model_given(const trModel *model);

/// Creates a piecewise polynomial law: for x in [breaks[i], breaks[i+1]] it is
/// coefficients[i][0] + coefficients[i][1] (x - breaks[i]) + ..., `order` numbers each; the first
/// and last piece continue outwards. Owned by the model.
TR_API trStatus tr_model_law(trModel *model, int pieces, const double *breaks, int order,
                             const double *coefficients, const trLaw **out) TR_MUST_CHECK;

/// Creates a smooth (C1) law through points (x[i], y[i]) with x increasing.
TR_API trStatus tr_model_table(trModel *model, int points, const double *x, const double *y,
                               const trLaw **out) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
