// SPDX-License-Identifier: MIT
// What `trammel run` shares with commands that run a model, too.

#ifndef TR_CLI_RUN_PARTS_H
#define TR_CLI_RUN_PARTS_H

#include "cli/cli.h"

// Once the model is there: compile, create, run, sum up. `def` gets the start on the branch that
// was asked for.
trExit tr_run_model(const trRequest *request, trModel *model, trSimDef *def);

#endif
