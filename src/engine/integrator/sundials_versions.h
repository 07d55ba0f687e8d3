// SPDX-License-Identifier: MIT
// SUNDIALS 6 and 7 under the names of 7.1.

#ifndef TR_INTEGRATOR_SUNDIALS_VERSIONS_H
#define TR_INTEGRATOR_SUNDIALS_VERSIONS_H

#include <sundials/sundials_config.h>

// Returns 0 when the messages of a package (CVode, IDA, ARKStep) go to the trSundials `s`. From 7.0
// on they go where the context sends them.
#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_COMM_NULL NULL
#define SUN_SUCCESS 0
#define TR_SUNDIALS_LISTEN(package, memory, s) \
    package##SetErrHandlerFn(memory, tr_sundials_keep_words, s)
#else
#define TR_SUNDIALS_LISTEN(package, memory, s) 0
#endif

#if SUNDIALS_VERSION_MAJOR < 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR < 1)
#define ARKodeEvolve ARKStepEvolve
#define ARKodeFree ARKStepFree
#define ARKodeGetCurrentStep ARKStepGetCurrentStep
#define ARKodeGetDky ARKStepGetDky
#define ARKodeGetNumErrTestFails ARKStepGetNumErrTestFails
#define ARKodeGetNumNonlinSolvIters ARKStepGetNumNonlinSolvIters
#define ARKodeGetNumStepSolveFails ARKStepGetNumStepSolveFails
#define ARKodeSetInitStep ARKStepSetInitStep
#define ARKodeSetLinearSolver ARKStepSetLinearSolver
#define ARKodeSetMaxConvFails ARKStepSetMaxConvFails
#define ARKodeSetMaxErrTestFails ARKStepSetMaxErrTestFails
#define ARKodeSetMaxNonlinIters ARKStepSetMaxNonlinIters
#define ARKodeSetMaxStep ARKStepSetMaxStep
#define ARKodeSetNonlinConvCoef ARKStepSetNonlinConvCoef
#define ARKodeSetPostprocessStepFn ARKStepSetPostprocessStepFn
#define ARKodeSetPreconditioner ARKStepSetPreconditioner
#define ARKodeSetPredictorMethod ARKStepSetPredictorMethod
#define ARKodeSetStopTime ARKStepSetStopTime
#define ARKodeSetUserData ARKStepSetUserData
#define ARKodeWFtolerances ARKStepWFtolerances
#endif

#endif
