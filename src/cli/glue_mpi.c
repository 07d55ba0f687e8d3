// SPDX-License-Identifier: MIT
// The plugin for MPI, and both sides of a glued run that stand on it.

#include "cli/glue_mpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/timer.h"
#include "cli/open_module.h"
#include "glue/remote.h"
#include "glue_mpi/mpi_link.h"

#define PATH_SIZE 4096
#ifndef TRAMMEL_LIBDIR  // where libraries are installed
#define TRAMMEL_LIBDIR "lib"
#endif
#define PLUGIN "libtrammel_mpi.so"
#define JOIN 60.0  // [s], as in the plugin
#define EXIT_FAILED 1

static trLink link_to_modules;
static bool   is_linked;

bool tr_cli_under_mpirun(void) {
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    return size != NULL ? atoi(size) > 1 : getenv("PMIX_RANK") != NULL;
}

// --- the plugin ---

// Once more after the command's own folder: `between` is "" or "../lib/".
static void *load_beside(const char *between) {
    char    path[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        return NULL;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return NULL;
    }
    size_t left = sizeof path - (size_t)(slash + 1 - path);
    int    written = snprintf(slash + 1, left, "%s" PLUGIN, between);
    // Global: MPI loads parts of its own, which look for its symbols.
    return written > 0 && (size_t)written < left && access(path, R_OK) == 0
               ? dlopen(path, RTLD_NOW | RTLD_GLOBAL)
               : NULL;
}

static trStatus load(void **out) {
    const char *named = getenv("TRAMMEL_MPI_PLUGIN");
    if (named != NULL && named[0] != '\0') {
        *out = dlopen(named, RTLD_NOW | RTLD_GLOBAL);
        return *out != NULL
                   ? TR_OK
                   : tr_fail(TR_E_IO, "TRAMMEL_MPI_PLUGIN: cannot be loaded: %s", dlerror());
    }
    (void)dlerror();
    *out = load_beside("");
    *out = *out != NULL ? *out : load_beside("../" TRAMMEL_LIBDIR "/");
    *out = *out != NULL ? *out : load_beside("../lib/");
    if (*out != NULL) {
        return TR_OK;
    }
    const char *why = dlerror();
    return why != NULL
               ? tr_fail(TR_E_IO, PLUGIN ": cannot be loaded: %s", why)
               : tr_fail(TR_E_IO, PLUGIN " was not found beside the command: this build has "
                                         "no MPI; install libopenmpi-dev and build again, "
                                         "or name the file in TRAMMEL_MPI_PLUGIN");
}

// ISO C has no other way from an object to a function.
static trStatus find(const char *name, void *out, size_t size) {
    void *plugin = NULL, *symbol = NULL;
    TR_TRY(load(&plugin));
    symbol = dlsym(plugin, name);
    if (symbol == NULL || size != sizeof symbol) {
        return tr_fail(TR_E_IO, PLUGIN ": is of another version: it has no '%s'", name);
    }
    memcpy(out, &symbol, sizeof symbol);
    return TR_OK;
}

// --- the coordinator ---

// Where `trammel glue --mpi` looks for it: mpirun's own code does not tell. While this runs, its
// process with a minus, for signals.
static void tell_outcome(int code) {
    const char *path = getenv("TRAMMEL_OUTCOME");
    FILE       *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%d\n", code);
        fclose(file);
    }
}

trStatus tr_cli_mpi_join(void) {
    trMpiLinkOpen open = NULL;
    const char   *words = NULL, *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (is_linked) {
        return TR_OK;
    }
    rank = rank != NULL ? rank : getenv("PMIX_RANK");
    if (rank != NULL && strcmp(rank, "0") != 0) {
        return tr_fail(
            TR_E_ARGUMENT,
            "is the coordinator, and must be the first program of mpirun; the others are modules: "
            "mpirun -n 1 trammel glue ASSEMBLY.lua : -n 1 trammel module FILE");
    }
    TR_TRY(find(TR_MPI_LINK_OPEN, &open, sizeof open));
    if (open == NULL || open(NULL, NULL, &link_to_modules, &words) != 0) {
        return tr_fail(TR_E_EXTERNAL, "%s", words != NULL ? words : PLUGIN ": does not open");
    }
    if (link_to_modules.version != TR_LINK_VERSION) {
        return tr_fail(TR_E_IO, PLUGIN ": is of another version");
    }
    is_linked = true;
    tell_outcome(-(int)getpid());
    return TR_OK;
}

trStatus tr_cli_mpi_carrier(int modules, const char *const *name, double timeout,
                            const volatile int *stop, struct trCarrier **out) {
    *out = NULL;
    TR_TRY(tr_cli_mpi_join());
    // As in the plugin, for it is the same waiting.
    double patience = tr_timer_seconds("TRAMMEL_JOIN_SECONDS", JOIN);
    return tr_carrier_create_remote(&link_to_modules, modules, name, timeout, patience, stop, out);
}

void tr_cli_mpi_traffic(int64_t *messages, int64_t *bytes) {
    *messages = *bytes = 0;
    if (is_linked) {
        link_to_modules.traffic(link_to_modules.self, messages, bytes);
    }
}

void tr_cli_mpi_end(struct trCarrier *carrier, int code) {
    tell_outcome(code);
    fflush(NULL);
    if (carrier != NULL) {
        tr_carrier_destroy(carrier);
    } else if (is_linked) {
        link_to_modules.abort(link_to_modules.self, code);
    }
    is_linked = false;
}

// --- a module ---

static trStatus serve(const trModule *module, const char *name, int *code) {
    trMpiServe  serve_module = NULL;
    const char *words = "";
    TR_TRY(find(TR_MPI_SERVE, &serve_module, sizeof serve_module));
    *code = serve_module != NULL ? serve_module(module, name, &words) : EXIT_FAILED;
    return *code == 0 ? TR_OK : tr_fail(TR_E_PARTNER, "%s", words);
}

// The coordinator hears of it, too, if there is one.
static void refuse(const char *name, const char *path) {
    char        words[1024];
    trMpiRefuse tell = NULL;
    snprintf(words, sizeof words, "%s", tr_last_error());
    if (tr_cli_under_mpirun() && find(TR_MPI_REFUSE, &tell, sizeof tell) == TR_OK && tell != NULL) {
        tell(name != NULL ? name : path, words);
    }
    tr_fail(TR_E_MODEL, "%s", words);
}

int tr_cli_mpi_serve(const char *path, int arguments, const char *const *argument,
                     const char *name) {
    trModule module;
    int      code = 0;
    trStatus status = tr_cli_open_module(path, arguments, argument, &module);
    if (status != TR_OK) {
        refuse(name, path);
        return status == TR_E_IO ? 4 : 3;
    }
    status = serve(&module, name, &code);
    if (module.close != NULL) {
        module.close(module.self);
    }
    if (status == TR_OK) {
        return 0;
    }
    return code != 0 ? code : status == TR_E_IO ? 4 : EXIT_FAILED;
}
