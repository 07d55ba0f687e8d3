// SPDX-License-Identifier: MIT
// What commands do with a model file: load it, tell warnings, build it, refuse it in one line.

#ifndef TR_CLI_MODEL_FILE_H
#define TR_CLI_MODEL_FILE_H

#include "cli/cli.h"

// One line about the model at `path` from tr_last_error(): what comes from a line of its file says
// so itself. Returns the exit code of the status.
trExit tr_cli_refuse_model(const char *path, trStatus status);

// Loads and builds; warnings go to standard error. Both are to be destroyed, after a failure too.
trExit tr_cli_load_model(const char *path, const char *const *set, trModel **model,
                         trSystem **system, trSimDef *def);

#endif
