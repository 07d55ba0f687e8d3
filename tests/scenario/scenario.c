// SPDX-License-Identifier: MIT
// Whole runs for the scenario tests.

#include "scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "support/test.h"

#define PATH_ROOM 512
#define NAME_ROOM 128

// The whole file as text, to be freed; NULL if it cannot be read.
static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        text = calloc((size_t)size + 1, 1);
        if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

static long count_of(const char *text, char wanted) {
    long count = 0;
    for (; *text != '\0'; text++) {
        count += *text == wanted ? 1 : 0;
    }
    return count;
}

// Cuts the header line into names and returns what follows it.
static char *read_header(Reference *out) {
    char *end = strchr(out->text, '\n');
    if (end == NULL) {
        return NULL;
    }
    *end = '\0';
    if (end > out->text && end[-1] == '\r') {
        end[-1] = '\0';
    }
    out->columns = (int)count_of(out->text, ',') + 1;
    out->name = calloc((size_t)out->columns, sizeof *out->name);
    char *next = out->text;
    for (int i = 0; out->name != NULL && i < out->columns; i++) {
        out->name[i] = next;
        next += strcspn(next, ",");
        if (*next == ',') {
            *next++ = '\0';
        }
    }
    return end + 1;
}

bool reference_read(const char *file, Reference *out) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/tests/scenario/reference/%s", SOURCE_DIR, file);
    memset(out, 0, sizeof *out);
    out->text = read_text(path);
    char *next = out->text == NULL ? NULL : read_header(out);
    if (next == NULL || out->name == NULL) {
        return false;
    }
    out->rows = count_of(next, '\n');
    out->value = calloc((size_t)(out->rows * out->columns), sizeof *out->value);
    for (long i = 0; out->value != NULL && i < out->rows * out->columns; i++) {
        char *end = next;
        out->value[i] = strtod(next, &end);
        if (end == next) {
            return false;
        }
        next = end + strspn(end, ",\r\n");
    }
    return out->value != NULL && out->rows > 0;
}

void reference_free(Reference *reference) {
    free(reference->value);
    free(reference->name);
    free(reference->text);
    memset(reference, 0, sizeof *reference);
}

int reference_column(const Reference *reference, const char *name) {
    for (int i = 0; i < reference->columns; i++) {
        if (strcmp(reference->name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

double reference_value(const Reference *reference, long row, int column) {
    return reference->value[row * reference->columns + column];
}

trStatus run_load(const char *file, const char *const *set, trSimDef *def, Run *out) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/models/benchmark/%s", SOURCE_DIR, file);
    memset(out, 0, sizeof *out);
    *def = tr_sim_def_default();
    TR_TRY(tr_lua_load(path, set, &out->model, def));
    return tr_system_build(out->model, &out->system);
}

trStatus run_simulate(Run *run, const trSimDef *def) {
    TR_TRY(tr_sim_create(run->system, def, &run->sim));
    TR_TRY(tr_recorder_create(&run->recorder));
    TR_TRY(tr_recorder_add(run->recorder, "memory", NULL));
    trStatus status = tr_sim_run(run->sim, run->recorder, NULL);
    run->columns = tr_sim_columns(run->sim, &run->column);
    run->rows = tr_recorder_rows(run->recorder);
    run->table = tr_recorder_table(run->recorder);
    return status;
}

void run_free(Run *run) {
    tr_recorder_destroy(run->recorder);
    tr_sim_destroy(run->sim);
    tr_system_destroy(run->system);
    tr_model_destroy(run->model);
    memset(run, 0, sizeof *run);
}

int run_column(const Run *run, const char *name) {
    for (int i = 0; i < run->columns; i++) {
        if (strcmp(run->column[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

double run_value(const Run *run, long row, const char *name) {
    int column = run_column(run, name);
    if (column < 0) {
        fail_msg("there is no column '%s'", name);
    }
    return run->table[row * run->columns + column];
}

double run_part(const Run *run, long row, const char *owner, const char *part) {
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "%s.%s", owner, part);
    return run_value(run, row, name);
}

trVec3 run_vector(const Run *run, long row, const char *owner, const char *part) {
    double out[3];
    char   name[NAME_ROOM];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s.%s%c", owner, part, "xyz"[i]);
        out[i] = run_value(run, row, name);
    }
    return (trVec3){out[0], out[1], out[2]};
}

trQuat run_turn(const Run *run, long row, const char *owner) {
    return (trQuat){run_part(run, row, owner, "e0"), run_part(run, row, owner, "e1"),
                    run_part(run, row, owner, "e2"), run_part(run, row, owner, "e3")};
}
