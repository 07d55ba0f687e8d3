// SPDX-License-Identifier: MIT
// The file of a checkpoint, in words of 64 bits:
//
//     magic   1   version of this layout
//     parts: length in bytes, then the bytes, filled up with zeros to whole words
//     mark of all that is before it (record/mark.h)
//
// Parts, in this order: sort, version, path and text of the model; how many parameters, and each;
// how many settings, and of each name, kind and value; q; v; path of the CSV file; seconds; state.
// The second word is 1 in the order of bytes of the machine that wrote it.

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/checkpoint.h"
#include "record/mark.h"
#include "sim/def.h"

#define WORD sizeof(uint64_t)
#define MOST_BYTES ((size_t)1 << 32)
#define MOST_SETS 100000
#define SUFFIX ".checkpoint"

char *tr_checkpoint_path(trArena *arena, const char *results) {
    return tr_arena_format(arena, "%s%s", results, SUFFIX);
}

bool tr_checkpoint_is_path(const char *path) {
    size_t length = strlen(path), end = strlen(SUFFIX);
    return length > end && strcmp(path + length - end, SUFFIX) == 0;
}

// --- parts ---

// Writes the parts of a checkpoint, or reads them.
typedef struct Stream {
    FILE          *file;  // that is written; NULL: reads
    uint64_t       mark;  // of what was written
    trArena       *arena;
    unsigned char *bytes;  // that are read, size
    size_t         size, at;
    bool           failed;
} Stream;

static void put_word(Stream *s, uint64_t word) {
    s->mark = tr_mark_add(s->mark, word);
    s->failed = s->failed || fwrite(&word, sizeof word, 1, s->file) != 1;
}

static void put(Stream *s, const unsigned char *bytes, size_t size) {
    put_word(s, size);
    for (size_t i = 0; i < size; i += WORD) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < WORD ? size - i : WORD);
        put_word(s, word);
    }
}

static uint64_t word_at(const Stream *s, size_t at) {
    uint64_t word;
    memcpy(&word, s->bytes + at, sizeof word);
    return word;
}

static const unsigned char *get(Stream *s, size_t *size) {
    *size = 0;
    if (s->failed || s->size - s->at < WORD) {
        s->failed = true;
        return NULL;
    }
    uint64_t length = word_at(s, s->at);
    size_t   left = s->size - s->at - WORD;
    if (length > left || (length + WORD - 1) / WORD * WORD > left) {
        s->failed = true;
        return NULL;
    }
    const unsigned char *part = s->bytes + s->at + WORD;
    *size = (size_t)length;
    s->at += WORD + (*size + WORD - 1) / WORD * WORD;
    return part;
}

// What is read lies in the bytes of the file; NULL: the file ends before.
static const void *pass(Stream *s, const void *bytes, size_t *size) {
    if (s->file == NULL) {
        return get(s, size);
    }
    put(s, bytes, *size);
    return bytes;
}

// One text: it ends with its only zero.
static void pass_text(Stream *s, const char **text) {
    size_t size = s->file != NULL ? strlen(*text) + 1 : 0;
    *text = pass(s, *text, &size);
    if (*text == NULL || size == 0 || memchr(*text, '\0', size) != *text + size - 1) {
        s->failed = true;
        *text = "";
    }
}

static void pass_number(Stream *s, double *number) {
    size_t      size = sizeof *number;
    const void *part = pass(s, number, &size);
    if (part == NULL || size != sizeof *number) {
        s->failed = true;
        *number = 0.0;
        return;
    }
    memmove(number, part, sizeof *number);
    s->failed = s->failed || !isfinite(*number);
}

// A number of things, each of which takes a part at least.
static void pass_count(Stream *s, int *count) {
    double number = *count;
    pass_number(s, &number);
    size_t parts = (s->size - s->at) / WORD;
    double most = s->file != NULL ? MOST_SETS : (double)parts;
    s->failed =
        s->failed || !(number >= 0.0 && number <= fmin(most, MOST_SETS) && number == floor(number));
    *count = s->failed ? 0 : (int)number;
}

static void pass_numbers(Stream *s, trNumbers *list) {
    size_t      size = (size_t)list->count * sizeof(double);
    const void *part = pass(s, list->at, &size);
    size_t      count = size / sizeof(double);
    if (s->file != NULL) {
        return;
    }
    *list = (trNumbers){0};
    if (part == NULL || size % sizeof(double) != 0 || count > INT32_MAX) {
        s->failed = true;
        return;
    }
    double *numbers = tr_new_array(s->arena, double, count);
    if (numbers != NULL && count > 0) {
        memcpy(numbers, part, size);
        *list = (trNumbers){.count = (int)count, .at = numbers};
    }
}

static void pass_setting(Stream *s, trParam *p) {
    double kind = p->kind;
    pass_text(s, &p->key);
    pass_number(s, &kind);
    if (kind == (double)TR_PARAM_TEXT) {
        p->kind = TR_PARAM_TEXT;
        pass_text(s, &p->text);
    } else if (kind == (double)TR_PARAM_NUMBERS) {
        trNumbers list = {.count = p->count, .at = p->numbers};
        pass_numbers(s, &list);
        p->kind = TR_PARAM_NUMBERS;
        p->count = list.count;
        p->numbers = list.at;
    } else {
        p->kind = kind == (double)TR_PARAM_BOOL ? TR_PARAM_BOOL : TR_PARAM_NUMBER;
        pass_number(s, &p->number);
        s->failed = s->failed || kind != (double)p->kind;
    }
}

static void pass_all(Stream *s, trCheckpointFile *c) {
    bool reads = s->file == NULL;
    pass_text(s, &c->sort);
    pass_text(s, &c->version);
    pass_text(s, &c->model);
    c->text = pass(s, c->text, &c->text_size);
    pass_count(s, &c->sets);
    c->set = reads ? tr_new_array(s->arena, const char *, c->sets + 1) : c->set;
    for (int i = 0; c->set != NULL && i < c->sets; i++) {
        pass_text(s, &c->set[i]);
    }
    pass_count(s, &c->givens);
    c->given = reads ? tr_new_array(s->arena, trParam, c->givens + 1) : c->given;
    for (int i = 0; c->given != NULL && i < c->givens; i++) {
        pass_setting(s, &c->given[i]);
    }
    pass_numbers(s, &c->q);
    pass_numbers(s, &c->v);
    pass_text(s, &c->csv);
    pass_number(s, &c->seconds);
    c->state = pass(s, c->state, &c->state_size);
}

// --- writing ---

static trStatus refuse(const char *path, const char *what) {
    return tr_fail(TR_E_IO, "%s: cannot %s: %s", path, what, strerror(errno));
}

// The name of a file is safe once its folder is.
static void sync_folder(const char *path) {
    char  folder[4096];
    char *slash = NULL;
    snprintf(folder, sizeof folder, "%s", path);
    slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    int file = open(slash != NULL ? folder : ".", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
}

static trStatus write_new(const char *path, const trCheckpointFile *c) {
    errno = 0;
    Stream           w = {.file = fopen(path, "wb"), .mark = TR_MARK_START};
    trCheckpointFile parts = *c;  // passing them does not change them
    if (w.file == NULL) {
        return refuse(path, "create");
    }
    put_word(&w, TR_CHECKPOINT_MAGIC);
    put_word(&w, 1);
    put_word(&w, TR_CHECKPOINT_LAYOUT);
    pass_all(&w, &parts);
    put_word(&w, w.mark);
    bool failed = w.failed || fflush(w.file) != 0 || fsync(fileno(w.file)) != 0;
    int  reason = errno;
    failed = fclose(w.file) != 0 || failed;
    if (failed) {
        unlink(path);
        errno = reason != 0 ? reason : errno;
        return refuse(path, "write");
    }
    return TR_OK;
}

trStatus tr_checkpoint_write(const char *path, const trCheckpointFile *c) {
    char new_path[4096];
    int  length = snprintf(new_path, sizeof new_path, "%s.new", path);
    if (length < 0 || (size_t)length >= sizeof new_path) {
        return tr_fail(TR_E_IO, "%s: cannot create: the path is too long", path);
    }
    TR_TRY(write_new(new_path, c));
    if (rename(new_path, path) != 0) {
        trStatus status = refuse(path, "write");
        unlink(new_path);
        return status;
    }
    sync_folder(path);
    return TR_OK;
}

// --- reading ---

static trStatus read_bytes(Stream *r, const char *path) {
    struct stat info;
    FILE       *file = fopen(path, "rb");
    if (file == NULL) {
        return refuse(path, "read");
    }
    bool known = fstat(fileno(file), &info) == 0;
    if (!known || !S_ISREG(info.st_mode) || info.st_size < 0 ||
        (uint64_t)info.st_size > MOST_BYTES) {
        fclose(file);
        return tr_fail(TR_E_IO, "%s: cannot read: not a checkpoint", path);
    }
    r->size = (size_t)info.st_size;
    r->bytes = tr_arena_take(r->arena, r->size, 1);
    size_t done = r->bytes != NULL ? fread(r->bytes, 1, r->size, file) : 0;
    fclose(file);
    TR_TRY(tr_arena_status(r->arena));
    return done == r->size ? TR_OK : tr_fail(TR_E_IO, "%s: cannot read", path);
}

static bool is_whole(const Stream *r) {
    uint64_t mark = TR_MARK_START;
    if (r->size % WORD != 0 || r->size < 4 * WORD) {
        return false;
    }
    for (size_t i = 0; i + WORD < r->size; i += WORD) {
        mark = tr_mark_add(mark, word_at(r, i));
    }
    return word_at(r, r->size - WORD) == mark;
}

#define REMEDY "run the model again"

trStatus tr_checkpoint_read(trArena *arena, const char *path, trCheckpointFile *out) {
    Stream r = {.arena = arena};
    *out = (trCheckpointFile){0};
    TR_TRY(read_bytes(&r, path));
    if (r.size < 3 * WORD || word_at(&r, 0) != TR_CHECKPOINT_MAGIC) {
        return tr_fail(TR_E_IO,
                       "%s: not a checkpoint of Trammel; give the results of 'trammel run "
                       "--checkpoint SECONDS', or their checkpoint",
                       path);
    }
    if (word_at(&r, WORD) != 1 || word_at(&r, 2 * WORD) != TR_CHECKPOINT_LAYOUT) {
        return tr_fail(TR_E_IO,
                       "%s: written on another kind of machine or by another version; "
                       "resume it there, or " REMEDY,
                       path);
    }
    bool whole = is_whole(&r);
    r.size -= whole ? WORD : 0;
    r.at = 3 * WORD;
    if (whole) {
        pass_all(&r, out);
    }
    if (!whole || r.failed || r.at != r.size || !(out->seconds > 0.0) ||
        tr_arena_status(arena) != TR_OK) {
        TR_TRY(tr_arena_status(arena));
        return tr_fail(TR_E_IO, "%s: the checkpoint is damaged; " REMEDY, path);
    }
    if (strcmp(out->version, tr_version()) != 0) {
        return tr_fail(TR_E_IO,
                       "%s: written by version %s, this is version %s; resume it with "
                       "that one, or " REMEDY,
                       path, out->version, tr_version());
    }
    return TR_OK;
}
