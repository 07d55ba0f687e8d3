// SPDX-License-Identifier: MIT
// mpirun of Open MPI 4.1 now and then stays for ever when a rank has called MPI_Abort, though all
// ranks are gone.

#ifndef TR_GLUE_MPI_MPIRUN_END_H
#define TR_GLUE_MPI_MPIRUN_END_H

// In the environment of an mpirun that somebody watches already: `trammel glue --mpi`.
#define TR_MPIRUN_WATCHED "TRAMMEL_MPIRUN_WATCHED"

// To be called before MPI_Abort: where mpirun is this process's parent, and nobody watches it, a
// small process of its own looks whether it ends, asks it to after two seconds, and kills it after
// four.
void tr_mpirun_see_end(void);

#endif
