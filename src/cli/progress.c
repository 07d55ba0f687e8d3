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
#define REDRAW_SECONDS 0.1

trProgress tr_progress_begin(bool wanted, double t_start) {
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    bool        dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    double      now = tr_clock_wall();
    return (trProgress){
        .shown = wanted && isatty(STDERR_FILENO) == 1,
        .color = (no_color == NULL || no_color[0] == '\0') && !dumb,
        .t_start = t_start,
        .begun = now,
        .drawn = now,
    };
}

void tr_progress_draw(void *progress, double t, double t_end) {
    trProgress *p = progress;
    double      now = p->shown ? tr_clock_wall() : 0.0;
    if (!p->shown || now - p->drawn < REDRAW_SECONDS) {
        return;
    }
    p->drawn = now;
    double span = t_end - p->t_start;
    double done = span > 0.0 ? fmin(fmax((t - p->t_start) / span, 0.0), 1.0) : 1.0;
    char   bar[BAR_WIDTH + 1] = {0};
    for (int i = 0; i < BAR_WIDTH; i++) {
        bar[i] = i < (int)(done * BAR_WIDTH) ? '=' : ' ';
    }
    double left = done > 0.0 ? (now - p->begun) * (1.0 - done) / done : 0.0;
    fprintf(stderr, "\r[%s%s%s] %3d %%  t = %-10.4g %6.0f s left ", p->color ? "\033[32m" : "", bar,
            p->color ? "\033[0m" : "", (int)(done * 100.0), t, left);
    fflush(stderr);
}

void tr_progress_end(trProgress *progress) {
    if (progress->shown && progress->drawn > progress->begun) {
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + 44, "");
        fflush(stderr);
    }
}
