// SPDX-License-Identifier: MIT
#include "record/room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES 4096

// Makes the file at least that long. Zero or errno.
static int lengthen(int file, off_t bytes) {
    static const char nothing[BLOCK_BYTES];
    off_t             size = lseek(file, 0, SEEK_END);
    while (size >= 0 && size < bytes) {
        // Where there is room for a part only, the next attempt says why.
        ssize_t written = write(file, nothing, sizeof nothing);
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        size += written > 0 ? written : 0;
    }
    return size < 0 ? errno : 0;
}

int tr_room_for(const char *path, size_t bytes) {
    struct stat info;
    bool        old = stat(path, &info) == 0;
    int         file = open(path, O_WRONLY | O_CLOEXEC | (old ? 0 : O_CREAT), 0666);
    if (file < 0) {
        return errno;
    }
    int reason = lengthen(file, (off_t)bytes);
    if (ftruncate(file, old ? info.st_size : 0) != 0 && reason == 0) {
        reason = errno;
    }
    close(file);
    if (reason != 0 && !old) {
        unlink(path);
    }
    return reason;
}
