// SPDX-License-Identifier: MIT
/// @file serve.h Serve a program as a module of `trammel glue`, over MPI.
///
///     int main(int argc, char **argv) {
///         trModule module = my_module();                          // module.h
///         int      failed = tr_module_serve(&module, &argc, &argv);
///         if (failed) { fprintf(stderr, "%s\n", tr_module_serve_error()); }
///         return failed;
///     }
///
/// Link with libtrammel_mpi and start the program in the mpirun of the coordinator:
///
///     mpirun -n 1 trammel glue assembly.lua : -n 1 ./my_module --name crane

#ifndef TRAMMEL_SERVE_H
#define TRAMMEL_SERVE_H

#include "trammel/base.h"
#include "trammel/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Serves the module until the coordinator ends it, then returns 0. Initializes and finalizes MPI.
/// Removes `--name NAME`, its name in the coupled model, from the arguments. Does not close the
/// module.
///
/// Other values are failures, to be used as exit code: 2 not started by mpirun, or as rank 0; 3 the
/// module violates its contract; 5 the coordinator is gone, silent, or rejects it. MPI is then not
/// finalized; end the program.
TR_API int tr_module_serve(const trModule *module, int *argc, char ***argv);

/// Returns the message of the last failure, or "".
TR_API const char *tr_module_serve_error(void);

#ifdef __cplusplus
}
#endif

#endif
