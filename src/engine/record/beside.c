// SPDX-License-Identifier: MIT
#define _GNU_SOURCE  // locks of open files, F_OFD_SETLK

#include "record/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MOST 40  // one after the other, as Linux has it
#define PATH_ROOM 4096
#define TRIES 100  // to lock a part that others rename

// --- paths ---

// Where the links at the end of the path lead; what is there need not exist.
static char *follow(trArena *arena, const char *path) {
    char *at = tr_arena_text(arena, path);
    for (int i = 0; at != NULL && i < LINKS_MOST; i++) {
        char    text[PATH_ROOM];
        ssize_t length = readlink(at, text, sizeof text - 1);
        if (length < 0) {
            break;
        }
        text[length] = '\0';
        const char *slash = text[0] == '/' ? NULL : strrchr(at, '/');
        int         folder = slash == NULL ? 0 : (int)(slash - at) + 1;
        at = tr_arena_format(arena, "%.*s%s", folder, at, text);
    }
    return at;
}

int tr_beside_probe(trArena *arena, const char *path) {
    char *folder = follow(arena, path);
    if (folder == NULL) {
        return ENOMEM;
    }
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    return access(slash != NULL ? folder : ".", W_OK | X_OK) == 0 ? 0 : errno;
}

// --- locks ---

// Of the whole file, through this descriptor, until it is closed. False if somebody else has it.
// Where there are no such locks nothing is kept away.
static bool lock(int file, short kind) {
#ifdef F_OFD_SETLK
    struct flock whole = {.l_type = kind, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
#else
    return true;
#endif
}

// Whether a process writes to the file. A writer holds a lock that it could share with readers,
// who have one of their own on network file systems.
static bool is_being_written(const char *path) {
#ifdef F_OFD_GETLK
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int          file = open(path, O_RDWR | O_CLOEXEC);
    bool locked = file >= 0 && fcntl(file, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    if (file >= 0) {
        close(file);
    }
    return locked;
#else
    return false;
#endif
}

static bool is_same_file(int file, const char *path) {
    struct stat a, b;
    return fstat(file, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

// --- the part ---

static trStatus refuse_second(const trBeside *b) {
    return tr_fail(TR_E_IO, "%s: another run is writing it; wait for that, or choose another file",
                   b->path);
}

// Where there is an old file that can be written, the reason lies beside it.
static trStatus refuse_part(const trBeside *b, int reason) {
    return access(b->target, F_OK) == 0
               ? tr_fail(TR_E_IO, "%s: cannot be replaced: %s: %s", b->path, b->part,
                         strerror(reason))
               : tr_fail(TR_E_IO, "%s: cannot create: %s", b->path, strerror(reason));
}

// A part that was locked may have got its name, or been removed, meanwhile: then there is a new one
// to make.
static trStatus make(trBeside *b) {
    for (int i = 0; i < TRIES; i++) {
        b->file = open(b->part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (b->file < 0) {
            return refuse_part(b, errno);
        }
        if (!lock(b->file, F_WRLCK)) {
            break;
        }
        b->made = is_same_file(b->file, b->part);
        if (b->made) {
            return TR_OK;
        }
        close(b->file);
        b->file = -1;
    }
    return refuse_second(b);
}

trStatus tr_beside_begin(trArena *arena, const char *path, trBeside *out) {
    struct stat old;
    *out = (trBeside){.path = path, .file = -1};
    out->target = follow(arena, path);
    out->part = out->target != NULL ? tr_arena_format(arena, "%s.part", out->target) : NULL;
    if (out->part == NULL) {
        return tr_arena_status(arena);
    }
    TR_TRY(make(out));
    if (stat(out->target, &old) == 0) {
        (void)fchmod(out->file, old.st_mode & 0777);
    }
    // Whoever had the part before has given it its name.
    return is_being_written(out->target) ? refuse_second(out) : TR_OK;
}

trStatus tr_beside_take_name(trBeside *b, bool sync) {
    if (!b->made) {
        return TR_OK;
    }
    if (sync) {
        (void)fsync(b->file);
    }
    (void)lock(b->file, F_RDLCK);
    if (rename(b->part, b->target) != 0) {
        return tr_fail(TR_E_IO, "%s: cannot be replaced: %s", b->path, strerror(errno));
    }
    b->made = false;
    return TR_OK;
}

void tr_beside_end(trBeside *b) {
    if (b->made) {
        unlink(b->part);
        b->made = false;
    }
    if (b->file >= 0) {
        close(b->file);
        b->file = -1;
    }
}
