// SPDX-License-Identifier: MIT
// A bound on what MPI does with all processes together: its start and its end. They cannot be asked
// whether they are done, and wait for ever where one process does not come.

#ifndef TR_GLUE_MPI_GUARD_H
#define TR_GLUE_MPI_GUARD_H

// Until tr_guard_end, which must come: after so long the process ends with `code` and one line on
// standard error. SIGALRM is taken, and given back.
void tr_guard_begin(double seconds, int code, const char *line);
void tr_guard_end(void);

// How long processes may take to meet: TRAMMEL_JOIN_SECONDS, or 60. [s]
double tr_join_seconds(void);

#endif
