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

// --- writing ---

typedef struct Writer {
    FILE    *file;
    uint64_t mark;
    bool     failed;
} Writer;

static void put_word(Writer *w, uint64_t word) {
    w->mark = tr_mark_add(w->mark, word);
    w->failed = w->failed || fwrite(&word, sizeof word, 1, w->file) != 1;
}

static void put(Writer *w, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    put_word(w, size);
    for (size_t i = 0; i < size; i += WORD) {
        uint64_t word = 0;
        memcpy(&word, at + i, size - i < WORD ? size - i : WORD);
        put_word(w, word);
    }
}

static void put_text(Writer *w, const char *text) {
    put(w, text, strlen(text) + 1);
}

static void put_number(Writer *w, double number) {
    put(w, &number, sizeof number);
}

static void put_numbers(Writer *w, int count, const double *at) {
    put(w, at, (size_t)count * sizeof *at);
}

static void put_setting(Writer *w, const trParam *p) {
    put_text(w, p->key);
    put_number(w, (double)p->kind);
    if (p->kind == TR_PARAM_TEXT) {
        put_text(w, p->text);
    } else if (p->kind == TR_PARAM_NUMBERS) {
        put_numbers(w, p->count, p->numbers);
    } else {
        put_number(w, p->number);
    }
}

static void put_all(Writer *w, const trCheckpointFile *c) {
    put_word(w, TR_CHECKPOINT_MAGIC);
    put_word(w, 1);
    put_word(w, TR_CHECKPOINT_LAYOUT);
    put_text(w, c->sort);
    put_text(w, c->version);
    put_text(w, c->model);
    put(w, c->text, c->text_size);
    put_number(w, c->sets);
    for (int i = 0; i < c->sets; i++) {
        put_text(w, c->set[i]);
    }
    put_number(w, c->givens);
    for (int i = 0; i < c->givens; i++) {
        put_setting(w, &c->given[i]);
    }
    put_numbers(w, c->q.count, c->q.at);
    put_numbers(w, c->v.count, c->v.at);
    put_text(w, c->csv);
    put_number(w, c->seconds);
    put(w, c->state, c->state_size);
    put_word(w, w->mark);
}

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
    Writer w = {.file = fopen(path, "wb"), .mark = TR_MARK_START};
    if (w.file == NULL) {
        return refuse(path, "create");
    }
    put_all(&w, c);
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

typedef struct Reader {
    trArena       *arena;
    unsigned char *bytes;  // size
    size_t         size, at;
    bool           failed;
} Reader;

static uint64_t word_at(const Reader *r, size_t at) {
    uint64_t word;
    memcpy(&word, r->bytes + at, sizeof word);
    return word;
}

static const unsigned char *get(Reader *r, size_t *size) {
    *size = 0;
    if (r->failed || r->size - r->at < WORD) {
        r->failed = true;
        return NULL;
    }
    uint64_t length = word_at(r, r->at);
    size_t   left = r->size - r->at - WORD;
    if (length > left || (length + WORD - 1) / WORD * WORD > left) {
        r->failed = true;
        return NULL;
    }
    const unsigned char *part = r->bytes + r->at + WORD;
    *size = (size_t)length;
    r->at += WORD + (*size + WORD - 1) / WORD * WORD;
    return part;
}

// One text: it ends with its only zero.
static const char *get_text(Reader *r) {
    size_t      size = 0;
    const char *text = (const char *)get(r, &size);
    if (text == NULL || size == 0 || memchr(text, '\0', size) != text + size - 1) {
        r->failed = true;
        return "";
    }
    return text;
}

static double get_number(Reader *r) {
    size_t               size = 0;
    const unsigned char *part = get(r, &size);
    double               number = 0.0;
    if (part == NULL || size != sizeof number) {
        r->failed = true;
        return 0.0;
    }
    memcpy(&number, part, sizeof number);
    r->failed = r->failed || !isfinite(number);
    return number;
}

// A number of things, each of which takes a part at least.
static int get_count(Reader *r) {
    double number = get_number(r);
    size_t parts = (r->size - r->at) / WORD;
    bool   possible =
        number >= 0.0 && number <= MOST_SETS && number == floor(number) && number <= (double)parts;
    r->failed = r->failed || !possible;
    return r->failed ? 0 : (int)number;
}

static trNumbers get_numbers(Reader *r) {
    size_t               size = 0;
    const unsigned char *part = get(r, &size);
    size_t               count = size / sizeof(double);
    if (part == NULL || size % sizeof(double) != 0 || count > INT32_MAX) {
        r->failed = true;
        return (trNumbers){0};
    }
    double *numbers = tr_new_array(r->arena, double, count);
    if (numbers != NULL && count > 0) {
        memcpy(numbers, part, size);
    }
    return (trNumbers){.count = numbers != NULL ? (int)count : 0, .at = numbers};
}

static trParam get_setting(Reader *r) {
    trParam p = {.key = get_text(r)};
    double  kind = get_number(r);
    if (kind == (double)TR_PARAM_TEXT) {
        p.kind = TR_PARAM_TEXT;
        p.text = get_text(r);
    } else if (kind == (double)TR_PARAM_NUMBERS) {
        trNumbers list = get_numbers(r);
        p.kind = TR_PARAM_NUMBERS;
        p.count = list.count;
        p.numbers = list.at;
    } else {
        p.kind = kind == (double)TR_PARAM_BOOL ? TR_PARAM_BOOL : TR_PARAM_NUMBER;
        p.number = get_number(r);
        r->failed = r->failed || kind != (double)p.kind;
    }
    return p;
}

static void get_lists(Reader *r, trCheckpointFile *out) {
    out->sets = get_count(r);
    out->set = tr_new_array(r->arena, const char *, out->sets + 1);
    for (int i = 0; out->set != NULL && i < out->sets; i++) {
        out->set[i] = get_text(r);
    }
    out->givens = get_count(r);
    out->given = tr_new_array(r->arena, trParam, out->givens + 1);
    for (int i = 0; out->given != NULL && i < out->givens; i++) {
        out->given[i] = get_setting(r);
    }
}

static bool get_all(Reader *r, trCheckpointFile *out) {
    r->at = 3 * WORD;
    out->sort = get_text(r);
    out->version = get_text(r);
    out->model = get_text(r);
    out->text = (const char *)get(r, &out->text_size);
    get_lists(r, out);
    out->q = get_numbers(r);
    out->v = get_numbers(r);
    out->csv = get_text(r);
    out->seconds = get_number(r);
    out->state = get(r, &out->state_size);
    return !r->failed && r->at == r->size && out->seconds > 0.0 &&
           tr_arena_status(r->arena) == TR_OK;
}

static trStatus read_bytes(Reader *r, const char *path) {
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

static bool is_whole(const Reader *r) {
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
    Reader r = {.arena = arena};
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
    if (!whole || !get_all(&r, out)) {
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
