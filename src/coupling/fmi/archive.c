// SPDX-License-Identifier: MIT
#include "fmi/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "base/plain.h"

#define PIECE 65536  // bytes read at once

static void discard(void *zip) {
    zip_discard(zip);
}

// "a/b.so", and never "/a", "a/../b", "c:\a" or an empty one.
static bool is_safe(const char *name) {
    if (name[0] == '/' || name[0] == '\0') {
        return false;
    }
    if (tr_find_control(name) != NULL) {
        return false;
    }
    for (const char *part = name; part != NULL;) {
        const char *end = strchr(part, '/');
        size_t      length = end != NULL ? (size_t)(end - part) : strlen(part);
        if ((length == 2 && strncmp(part, "..", 2) == 0) || memchr(part, '\\', length) != NULL ||
            memchr(part, ':', length) != NULL) {
            return false;
        }
        part = end != NULL ? end + 1 : NULL;
    }
    return true;
}

static trStatus check(trFmuArchive *a) {
    tr_arena_defer(a->arena, discard, a->zip);
    TR_TRY(tr_arena_status(a->arena));
    zip_int64_t count = zip_get_num_entries(a->zip, 0);
    if (count < 0 || count > TR_FMU_MOST_ENTRIES) {
        return tr_fail(TR_E_MODEL, "%s: has %lld files; at most %d are allowed", a->path,
                       (long long)count, TR_FMU_MOST_ENTRIES);
    }
    a->entries = (int)count;
    for (int i = 0; i < a->entries; i++) {
        const char *name = zip_get_name(a->zip, (zip_uint64_t)i, 0);
        if (name == NULL || !is_safe(name)) {
            char shown[100] = "";
            snprintf(shown, sizeof shown, "%s", name != NULL ? name : "");
            tr_make_plain(shown);
            return tr_fail(TR_E_MODEL,
                           "%s: contains a file '%s' that would be written outside of its folder; "
                           "do not open FMUs of unknown origin",
                           a->path, shown);
        }
    }
    return TR_OK;
}

static trStatus not_a_zip(const char *path) {
    return tr_fail(TR_E_IO,
                   "%s: is not a zip file, so not an FMU, or it is damaged; get or export it again",
                   path);
}

trStatus tr_fmu_archive_open(trArena *arena, const char *path, trFmuArchive *out) {
    struct stat about;
    int         code = 0;
    *out = (trFmuArchive){.path = path, .arena = arena};
    if (stat(path, &about) != 0) {
        char reason[128] = "";
        (void)strerror_r(errno, reason, sizeof reason);
        return tr_fail(TR_E_IO, "%s: cannot be read: %s", path, reason);
    }
    if (S_ISDIR(about.st_mode)) {
        return tr_fail(TR_E_IO, "%s: is a folder; give the .fmu file, which is a zip of it", path);
    }
    out->zip = zip_open(path, ZIP_RDONLY, &code);
    if (out->zip == NULL && code == ZIP_ER_OPEN) {
        return tr_fail(TR_E_IO, "%s: cannot be read; check its permissions", path);
    }
    if (out->zip == NULL) {
        return not_a_zip(path);
    }
    return check(out);
}

trStatus tr_fmu_archive_open_bytes(trArena *arena, const char *path, const void *bytes, size_t size,
                                   trFmuArchive *out) {
    zip_error_t   error;
    zip_source_t *source = zip_source_buffer_create(bytes, size, 0, &error);
    *out = (trFmuArchive){.path = path, .arena = arena};
    if (source == NULL) {
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    out->zip = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (out->zip == NULL) {
        zip_source_free(source);
        return not_a_zip(path);
    }
    return check(out);
}

static trStatus damaged(const trFmuArchive *a, const char *name) {
    return tr_fail(TR_E_IO, "%s: '%s' in it is damaged, encrypted or packed in an unknown way",
                   a->path, name);
}

trStatus tr_fmu_archive_text(const trFmuArchive *a, const char *name, const char **out,
                             size_t *size) {
    zip_stat_t about;
    *out = NULL;
    *size = 0;
    if (zip_stat(a->zip, name, 0, &about) != 0) {
        return TR_OK;
    }
    if ((about.valid & ZIP_STAT_SIZE) == 0 || about.size > TR_FMU_MOST_XML_BYTES) {
        return tr_fail(TR_E_MODEL, "%s: '%s' is larger than %zu MB, the limit", a->path, name,
                       TR_FMU_MOST_XML_BYTES >> 20);
    }
    zip_file_t *file = zip_fopen(a->zip, name, 0);
    if (file == NULL) {
        return damaged(a, name);
    }
    char       *text = tr_arena_take(a->arena, (size_t)about.size + 1, 1);
    zip_int64_t got = text != NULL ? zip_fread(file, text, about.size) : -1;
    int         closed = zip_fclose(file);
    TR_TRY(tr_arena_status(a->arena));
    if (got < 0 || (zip_uint64_t)got != about.size || closed != 0) {
        return damaged(a, name);
    }
    *out = text;
    *size = (size_t)about.size;
    return TR_OK;
}

size_t tr_fmu_archive_head(const trFmuArchive *a, const char *name, void *out, size_t size) {
    zip_file_t *file = zip_fopen(a->zip, name, 0);
    zip_int64_t got = file != NULL ? zip_fread(file, out, size) : 0;
    if (file != NULL) {
        zip_fclose(file);
    }
    return got > 0 ? (size_t)got : 0;
}

// The NAME of binaries/NAME/..., with its length; NULL of other names.
static const char *platform_of(const char *name, size_t *length) {
    if (name == NULL || strncmp(name, "binaries/", 9) != 0) {
        return NULL;
    }
    const char *end = strchr(name + 9, '/');
    *length = end != NULL ? (size_t)(end - name - 9) : 0;
    return *length > 0 ? name + 9 : NULL;
}

int tr_fmu_archive_platforms(const trFmuArchive *a, const char *const **out) {
    enum { MOST = 32 };
    const char **list = tr_new_array(a->arena, const char *, MOST);
    int          count = 0;
    *out = list;
    for (int i = 0; list != NULL && i < a->entries && count < MOST; i++) {
        size_t      length = 0;
        const char *name = platform_of(zip_get_name(a->zip, (zip_uint64_t)i, 0), &length);
        bool        known = name == NULL;
        for (int k = 0; k < count && !known; k++) {
            known = strlen(list[k]) == length && strncmp(list[k], name, length) == 0;
        }
        if (!known) {
            list[count] = tr_arena_format(a->arena, "%.*s", (int)length, name);
            count += list[count] != NULL;
        }
    }
    return count;
}

// Folders on the way to folder/name.
static bool make_folders(char *path, size_t from) {
    for (char *slash = strchr(path + from, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) {
            return false;
        }
    }
    return true;
}

static trStatus write_file(const trFmuArchive *a, zip_file_t *file, int to, const char *name,
                           size_t *left) {
    char piece[PIECE];
    for (;;) {
        zip_int64_t got = zip_fread(file, piece, sizeof piece);
        if (got < 0) {
            return damaged(a, name);
        }
        if (got == 0) {
            return TR_OK;
        }
        if ((size_t)got > *left) {
            return tr_fail(TR_E_MODEL, "%s: unpacks to more than %zu MB, the limit", a->path,
                           TR_FMU_MOST_BYTES >> 20);
        }
        *left -= (size_t)got;
        for (zip_int64_t done = 0; done < got;) {
            ssize_t wrote = write(to, piece + done, (size_t)(got - done));
            if (wrote < 0) {
                return tr_fail(TR_E_IO,
                               "%s: cannot be unpacked: the temporary folder is full; free some "
                               "space, or name another folder in TMPDIR",
                               a->path);
            }
            done += wrote;
        }
    }
}

static trStatus unpack_one(const trFmuArchive *a, int index, const char *folder, size_t *left) {
    const char *name = zip_get_name(a->zip, (zip_uint64_t)index, 0);
    char       *path = tr_arena_format(a->arena, "%s/%s", folder, name);
    TR_TRY(tr_arena_status(a->arena));
    if (!make_folders(path, strlen(folder) + 1)) {
        return tr_fail(TR_E_IO, "%s: the temporary folder cannot be written", a->path);
    }
    if (name[strlen(name) - 1] == '/') {
        return TR_OK;
    }
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700);
    if (to < 0) {
        return tr_fail(TR_E_MODEL, "%s: '%s' in it appears twice, or cannot be unpacked", a->path,
                       name);
    }
    zip_file_t *file = zip_fopen_index(a->zip, (zip_uint64_t)index, 0);
    trStatus    status = file != NULL ? write_file(a, file, to, name, left) : damaged(a, name);
    if (file != NULL && zip_fclose(file) != 0 && status == TR_OK) {
        status = damaged(a, name);
    }
    close(to);
    return status;
}

trStatus tr_fmu_archive_unpack(const trFmuArchive *a, const char *prefix, const char *folder,
                               size_t *left) {
    for (int i = 0; i < a->entries; i++) {
        const char *name = zip_get_name(a->zip, (zip_uint64_t)i, 0);
        if (name != NULL && strncmp(name, prefix, strlen(prefix)) == 0) {
            TR_TRY(unpack_one(a, i, folder, left));
        }
    }
    return TR_OK;
}
