// SPDX-License-Identifier: MIT
// The progress bar: one line on standard error, only where that is a terminal. NO_COLOR
// (no-color.org) and TERM=dumb take the color away.

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cli.h"

#define BAR_WIDTH 40
#define WHAT_WIDTH 24  // of the text beside the bar
#define REDRAW_SECONDS 0.1

bool tr_cli_color(int stream) {
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    bool        dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    return isatty(stream) == 1 && (no_color == NULL || no_color[0] == '\0') && !dumb;
}

trProgress tr_progress_begin(bool wanted, double t_start) {
    double now = tr_clock_wall();
    return (trProgress){
        .shown = wanted && isatty(STDERR_FILENO) == 1,
        .color = tr_cli_color(STDERR_FILENO),
        .t_start = t_start,
        .begun = now,
        .drawn = now,
    };
}

// False if the bar is not shown, or was drawn just now.
static bool is_due(trProgress *p) {
    double now = p->shown ? tr_clock_wall() : 0.0;
    if (!p->shown || now - p->drawn < REDRAW_SECONDS) {
        return false;
    }
    p->drawn = now;
    return true;
}

static void draw(const trProgress *p, double done, const char *what) {
    char bar[BAR_WIDTH + 1] = {0};
    for (int i = 0; i < BAR_WIDTH; i++) {
        bar[i] = i < (int)(done * BAR_WIDTH) ? '=' : ' ';
    }
    double left = done > 0.0 ? (p->drawn - p->begun) * (1.0 - done) / done : 0.0;
    fprintf(stderr, "\r[%s%s%s] %3d %%  %s %6.0f s left ", p->color ? "\033[32m" : "", bar,
            p->color ? "\033[0m" : "", (int)(done * 100.0), what, left);
    fflush(stderr);
}

void tr_progress_draw(void *progress, double t, double t_end) {
    trProgress *p = progress;
    if (is_due(p)) {
        double span = t_end - p->t_start;
        char   what[WHAT_WIDTH + 1];
        snprintf(what, sizeof what, "t = %-10.4g", t);
        draw(p, span > 0.0 ? fmin(fmax((t - p->t_start) / span, 0.0), 1.0) : 1.0, what);
    }
}

void tr_progress_part(void *progress, double done, const char *what) {
    trProgress *p = progress;
    if (is_due(p)) {
        char text[WHAT_WIDTH + 1];
        snprintf(text, sizeof text, "%-*.*s", WHAT_WIDTH, WHAT_WIDTH, what);
        draw(p, fmin(fmax(done, 0.0), 1.0), text);
    }
}

void tr_progress_end(trProgress *progress) {
    if (progress->shown && progress->drawn > progress->begun) {
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + WHAT_WIDTH + 30, "");
        fflush(stderr);
    }
}
