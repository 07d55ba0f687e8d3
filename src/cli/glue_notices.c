// SPDX-License-Identifier: MIT
#include "cli/glue_notices.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LEAST_DASHES 40  // that make a line the border of a notice

void tr_notices_open(trNotices *n) {
    int end[2] = {-1, -1};
    *n = (trNotices){.in = -1, .out = -1};
    if (pipe(end) == 0) {
        n->in = end[0];
        n->out = end[1];
        fcntl(n->in, F_SETFL, O_NONBLOCK);
    }
}

void tr_notices_enter(const trNotices *n) {
    if (n->in >= 0) {
        dup2(n->out, STDERR_FILENO);
        close(n->in);
        close(n->out);
    }
}

void tr_notices_begin(trNotices *n) {
    if (n->out >= 0) {
        close(n->out);
        n->out = -1;
    }
}

static bool is_border(const trNotices *n) {
    size_t dashes = 0;
    while (dashes < n->length && n->line[dashes] == '-') {
        dashes++;
    }
    return dashes >= LEAST_DASHES && dashes + 1 >= n->length;
}

// What does not fit is left out: notices are for readers.
static void keep_line(trNotices *n) {
    size_t room = sizeof n->notice - n->kept, count = n->length < room ? n->length : room;
    memcpy(n->notice + n->kept, n->line, count);
    n->kept += count;
}

static void end_line(trNotices *n) {
    bool border = is_border(n);
    if (border || n->inside) {
        keep_line(n);
    } else {
        fwrite(n->line, 1, n->length, stderr);
    }
    n->inside = n->inside != border;
    n->length = 0;
}

void tr_notices_pass(trNotices *n) {
    char    bytes[TR_NOTICE_BYTES];
    ssize_t count = 0;
    while (n->in >= 0 && (count = read(n->in, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < count; i++) {
            if (bytes[i] == '\0') {
                continue;  // mpirun of Open MPI 5 ends some of its notices with it
            }
            n->line[n->length++] = bytes[i];
            if (bytes[i] == '\n' || n->length == sizeof n->line) {
                end_line(n);
            }
        }
    }
}

// A notice without an end is none.
void tr_notices_close(trNotices *n, bool tell) {
    tr_notices_pass(n);
    if (n->length > 0) {
        end_line(n);
    }
    if (tell || n->inside) {
        fwrite(n->notice, 1, n->kept, stderr);
    }
    if (n->in >= 0) {
        close(n->in);
    }
    *n = (trNotices){.in = -1, .out = -1};
}
