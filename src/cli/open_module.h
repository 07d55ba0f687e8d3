// SPDX-License-Identifier: MIT
// A file as a module, by what it is: a shared library, a model file, an FMU.

#ifndef TR_CLI_OPEN_MODULE_H
#define TR_CLI_OPEN_MODULE_H

#include "base/status.h"
#include "trammel/glue.h"

// Arguments are "key=value": parameters of a model file, of an FMU, of a program. Those that begin
// with "@" are options: "@output=rod.x" of a model file, "@kind=cs", "@strict=true",
// "@port.tip.x=arm.x" of an FMU. The module owns what it needs and ends with its `close`.
trStatus tr_cli_open_module(const char *path, int arguments, const char *const *argument,
                            trModule *out);

#endif
