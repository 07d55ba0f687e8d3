// SPDX-License-Identifier: MIT
// The link over MPI. Rank 0 is the coordinator, all others are modules. This is what the command
// finds in the plugin by its name; module programs come through trammel/serve.h.

#ifndef TR_GLUE_MPI_MPI_LINK_H
#define TR_GLUE_MPI_MPI_LINK_H

#include "glue/link.h"
#include "trammel/base.h"
#include "trammel/module.h"

// Starts MPI. Not 0: a failure, with words. Once in a process.
typedef int (*trMpiLinkOpen)(int *argc, char ***argv, trLink *out, const char **words);
#define TR_MPI_LINK_OPEN "tr_mpi_link_open"

TR_API int tr_mpi_link_open(int *argc, char ***argv, trLink *out, const char **words);

// Serves a module as `name`, or as its own; returns an exit code as tr_module_serve, with words.
typedef int (*trMpiServe)(const trModule *module, const char *name, const char **words);
#define TR_MPI_SERVE "tr_mpi_serve"

TR_API int tr_mpi_serve(const trModule *module, const char *name, const char **words);

// On a module's side, where there is no module: tells the coordinator why, in one line.
typedef void (*trMpiRefuse)(const char *name, const char *words);
#define TR_MPI_REFUSE "tr_mpi_refuse"

TR_API void tr_mpi_refuse(const char *name, const char *words);

// How long processes may take to meet: TRAMMEL_JOIN_SECONDS, or 60. [s]
double tr_join_seconds(void);

#endif
