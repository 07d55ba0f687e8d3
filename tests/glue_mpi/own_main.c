// SPDX-License-Identifier: MIT
// A program of its own main that is a module: the chain of paper 002. Five lines do it.

#include <stdio.h>

#include "trammel/serve.h"

int chain_open(int arguments, const char *const *argument, trModule *out);

int main(int argc, char **argv) {
    trModule module;
    int      failed = chain_open(0, NULL, &module);
    failed = failed ? failed : tr_module_serve(&module, &argc, &argv);
    if (failed) {
        fprintf(stderr, "own_main: %s\n", tr_module_serve_error());
    }
    module.close(module.self);
    return failed;
}
