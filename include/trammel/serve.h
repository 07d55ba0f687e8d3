// SPDX-License-Identifier: MIT
/// @file serve.h Let a program of your own be a module beside `trammel glue`, over MPI.
///
///     int main(int argc, char **argv) {
///         trModule module = my_module();                          // module.h
///         int      failed = tr_module_serve(&module, &argc, &argv);
///         if (failed) { fprintf(stderr, "%s\n", tr_module_serve_error()); }
///         return failed;
///     }
///
/// Link with libtrammel_mpi, and start it in the same mpirun as the coordinator:
///
///     mpirun -n 1 trammel glue assembly.lua : -n 1 ./my_module --name crane

#ifndef TRAMMEL_SERVE_H
#define TRAMMEL_SERVE_H

#include "trammel/base.h"
#include "trammel/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Serves the module until the coordinator ends it: 0. Starts MPI, and ends it. Takes `--name NAME`
/// out of the arguments: which module of the assembly it is. Does not close the module.
///
/// Anything else is a failure, and the program's exit code: 2 it was not started by mpirun, or in
/// the coordinator's place; 3 the module does not fit its contract; 5 the coordinator is gone, is
/// silent, or does not want it. MPI is then left as it is: end the program.
TR_API int tr_module_serve(const trModule *module, int *argc, char ***argv);

/// One line about the last failure, or "".
TR_API const char *tr_module_serve_error(void);

#ifdef __cplusplus
}
#endif

#endif
