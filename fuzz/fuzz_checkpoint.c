// SPDX-License-Identifier: MIT
// Checkpoints behind their marks, which are made right again. The first byte says which of two:
//
//     even   the file: bytes are the words after its head, its sort (glue, or run where the byte is
//            0) and the version
//     odd    the state of a small simulation: the second byte chooses the method, then each ten
//            bytes are where in the state (two bytes, in words of 32 bits) and what (eight bytes)
//
// Either is refused in words, or read; and a state that is restored can be stepped.

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/checkpoint.h"
#include "record/mark.h"
#include "target.h"
#include "trammel/checkpoint.h"

GOALS("a file is read", "a file is refused", "a state is stepped", "a state is refused")
enum { FILE_READ, FILE_REFUSED, STATE_STEPPED, STATE_REFUSED };

#define FILE_MOST ((size_t)1 << 16)
#define WORD sizeof(uint64_t)
#define ROOM 256  // for the head, the first parts and the mark
#define STATE_HEAD 5
#define PATCH 10  // bytes
#define STEPS 2

static const char model_text[] =
    "local m = model { name = 'pair', gravity = { 0, -9.81 } }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { 0.5, 0 } }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = 0.2, at = { 1.5, 0 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'B', a, b, point = { 1, 0 } }\n"
    "m:simulate { duration = 1, sample = 0.1 }\n"
    "return m\n";

// What carries indices from one step to the next, and the integrators.
static const char *const formulations[] = {"lagrange_kkt",  "lagrange_schur", "nullspace",
                                           "maggi",         "lagrange",       "lagrange_dense",
                                           "udwadia_kalaba"};
static const char *const integrators[] = {"dop853", "radau5",  "generalized_alpha", "hht",
                                          "rattle", "rattle4", "park_chiou",        "rk4"};
#define FORMULATIONS (sizeof formulations / sizeof *formulations)
#define METHODS (FORMULATIONS + sizeof integrators / sizeof *integrators)

static void check_message(void) {
    const char *text = tr_last_error();
    MUST(text[0] != '\0' && strchr(text, '\n') == NULL);
}

static void mark_again(unsigned char *bytes, size_t words) {
    uint64_t mark = TR_MARK_START;
    for (size_t i = 0; i + 1 < words; i++) {
        uint64_t word;
        memcpy(&word, bytes + i * WORD, WORD);
        mark = tr_mark_add(mark, word);
    }
    memcpy(bytes + (words - 1) * WORD, &mark, WORD);
}

// --- the file ---

static void use(const trCheckpointFile *file) {
    size_t sum = strlen(file->version) + strlen(file->model) + strlen(file->csv);
    for (int i = 0; i < file->sets; i++) {
        sum += strlen(file->set[i]);
    }
    for (int i = 0; i < file->givens; i++) {
        sum += strlen(file->given[i].key);
        sum += file->given[i].kind == TR_PARAM_TEXT ? strlen(file->given[i].text) : 0;
    }
    for (size_t i = 0; i < file->state_size; i++) {
        sum += file->state[i];
    }
    for (int i = 0; i < file->q.count; i++) {
        sum += file->q.at[i] > 0.0;
    }
    MUST(sum < FILE_MOST * 256);
}

// A part of the file: its length, then its bytes in whole words. Returns where the next one begins.
static size_t put_text(unsigned char *bytes, size_t at, const char *text) {
    uint64_t length = strlen(text) + 1;
    memcpy(bytes + at, &length, WORD);
    memset(bytes + at + WORD, 0, (length + WORD - 1) / WORD * WORD);
    memcpy(bytes + at + WORD, text, length);
    return at + WORD + (length + WORD - 1) / WORD * WORD;
}

static void read_file(const char *sort, const uint8_t *data, size_t size) {
    static unsigned char  bytes[FILE_MOST + ROOM];
    static const uint64_t head[] = {TR_CHECKPOINT_MAGIC, 1, TR_CHECKPOINT_LAYOUT};
    char                  path[64];
    struct stat           info;
    trCheckpointFile      out;
    if (size > FILE_MOST) {
        return;
    }
    memcpy(bytes, head, sizeof head);
    size_t at = put_text(bytes, put_text(bytes, sizeof head, sort), tr_version());
    memcpy(bytes + at, data, size / WORD * WORD);
    size_t words = (at + size) / WORD + 1;
    mark_again(bytes, words);
    bool shm = stat("/dev/shm", &info) == 0;
    snprintf(path, sizeof path, "%s/trammel-fuzz-%ld", shm ? "/dev/shm" : "/tmp", (long)getpid());
    FILE *file = fopen(path, "wb");
    MUST(file != NULL && fwrite(bytes, WORD, words, file) == words && fclose(file) == 0);
    trArena *arena = tr_arena_create();
    trStatus status = tr_checkpoint_read(arena, path, &out);
    REACHED(status == TR_OK ? FILE_READ : FILE_REFUSED);
    if (status == TR_OK) {
        use(&out);
    } else {
        MUST(strncmp(tr_last_error(), path, strlen(path)) == 0);
        check_message();
    }
    tr_arena_destroy(arena);
    unlink(path);
}

// --- the state ---

static trSystem *small_system(void) {
    static trModel  *model;
    static trSystem *system;
    trSimDef         def = tr_sim_def_default();
    if (system == NULL) {
        MUST(tr_lua_load_text("pair.lua", model_text, strlen(model_text), NULL, &model, &def) ==
             TR_OK);
        MUST(tr_system_build(model, &system) == TR_OK);
    }
    return system;
}

static void patch(unsigned char *bytes, size_t size, const uint8_t *data, size_t left) {
    size_t first = STATE_HEAD * WORD, room = size - first - WORD;
    for (; left >= PATCH; data += PATCH, left -= PATCH) {
        size_t at = ((size_t)data[0] | (size_t)data[1] << 8) * sizeof(uint32_t) % (room - WORD);
        memcpy(bytes + first + at, data + 2, WORD);
    }
}

static void restore_state(const uint8_t *data, size_t left) {
    trSim   *sim = NULL;
    trSimDef def = tr_sim_def_default();
    size_t   method = left > 0 ? data[0] % METHODS : 0;
    def.duration = 1.0;
    def.step = 0.01;
    if (method < FORMULATIONS) {
        def.formulation = formulations[method];
    } else {
        def.integrator = integrators[method - FORMULATIONS];
    }
    MUST(tr_sim_create(small_system(), &def, &sim) == TR_OK);
    MUST(tr_sim_step(sim) == TR_OK);
    size_t         size = tr_sim_saved_size(sim);
    unsigned char *bytes = malloc(size);
    MUST(bytes != NULL && tr_sim_save(sim, bytes, size) == TR_OK);
    if (left > 0) {
        patch(bytes, size, data + 1, left - 1);
    }
    mark_again(bytes, size / WORD);
    trStatus status = tr_sim_restore(sim, bytes, size);
    REACHED(status == TR_OK ? STATE_STEPPED : STATE_REFUSED);
    for (int i = 0; status == TR_OK && i < STEPS; i++) {
        status = tr_sim_step(sim);
    }
    if (status != TR_OK) {
        check_message();
    }
    tr_sim_destroy(sim);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0 && data[0] % 2 == 1) {
        restore_state(data + 1, size - 1);
    } else if (size > 0) {
        read_file(data[0] == 0 ? "run" : "glue", data + 1, size - 1);
    }
    return 0;
}
