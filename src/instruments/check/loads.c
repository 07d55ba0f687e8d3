// SPDX-License-Identifier: MIT
// Which loads of joints follow from the motion (Wojtyra and Fraczek 2013). Multipliers lambda and
// lambda + L y give the same motion; the load of joint j, R_j lambda, is unique but for the range
// of R_j L.

#include <math.h>

#include "check/check.h"

// The directions in which forces (or moments) of a joint are open, of those that it bears.
static const char *half(trCheckWork *w, bool force, int open, int borne, const char *text) {
    const char *word = force ? "force" : "moment";
    if (open == 0) {
        return borne > 0 ? tr_arena_format(w->arena, "%s unique", word) : NULL;
    }
    if (open == borne) {
        return tr_arena_format(w->arena, "%s not unique", word);
    }
    return tr_arena_format(w->arena, "%s not unique; %s", text,
                           open == 1 ? "across it unique" : "otherwise unique");
}

// Only the forces, or only the moments, of some wrenches.
static int keep_half(int count, trWrench *x, bool force) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            x[i].x[force ? 3 + k : k] = 0.0;
        }
    }
    return tr_span6(count, x);
}

static trStatus open_load(trCheckWork *w, int joint, int count, const trWrench *x,
                          trCheckLoad *out) {
    trWrench    all[TR_CHECK_ROWS], part[2][6], borne[2][TR_CHECK_ROWS];
    int         rows = tr_check_bearing(w, joint, all), open[2], of[2];
    const char *text[2];
    for (int h = 0; h < 2; h++) {
        for (int i = 0; i < count; i++) {
            part[h][i] = x[i];
        }
        for (int i = 0; i < rows; i++) {
            borne[h][i] = all[i];
        }
        open[h] = keep_half(count, part[h], h == 0);
        of[h] = keep_half(rows, borne[h], h == 0);
        trDirections d = tr_check_directions(w, joint, open[h], part[h], TR_WORDS_LOAD);
        text[h] = half(w, h == 0, open[h], of[h], d.text);
    }
    out->open = tr_check_directions(w, joint, count, x, TR_WORDS_LOAD);
    bool moment_first = open[0] == 0;
    out->text = text[0] == NULL   ? text[1]
                : text[1] == NULL ? text[0]
                                  : tr_arena_format(w->arena, "%s; %s", text[moment_first ? 1 : 0],
                                                    text[moment_first ? 0 : 1]);
    return tr_arena_status(w->arena);
}

static bool recorded_is_open(const trCheckWork *w, int group) {
    const trPose *p = &w->here;
    for (int i = 0; i < p->m; i++) {
        for (int k = 0; w->row[p->row[i]].group == group && k < p->open; k++) {
            if (fabs(p->N[k + (ptrdiff_t)i * p->open]) > TR_PART_SMALL) {
                return true;
            }
        }
    }
    return false;
}

// `L`: all loads that no motion shows, one column after the other; `x` is memory for as many.
static trStatus load_of(trCheckWork *w, int group, const double *L, trWrench *x, trCheckLoad *out) {
    *out = (trCheckLoad){w->group[group].name, tr_check_kind(w, group), .unique = true,
                         .text = "unique"};
    if (group >= w->joints) {
        if (recorded_is_open(w, group)) {
            out->unique = false;
            const char *part = tr_check_equations(w, group);
            out->text = part == NULL
                            ? "its multipliers are not unique"
                            : tr_arena_format(w->arena, "multipliers of %s are not unique", part);
            return tr_arena_status(w->arena);
        }
        return TR_OK;
    }
    for (int k = 0; k < w->here.open; k++) {
        x[k] = tr_check_wrench(w, group, L + (ptrdiff_t)k * w->m);
    }
    int count = tr_span6(w->here.open, x);
    if (count == 0) {
        return TR_OK;
    }
    out->unique = false;
    return open_load(w, group, count, x, out);
}

trStatus tr_check_loads(trCheckWork *w) {
    int          groups = w->groups, count = 0;
    int          open = w->here.open, m = w->m;
    trWrench    *x = tr_new_array(w->scratch, trWrench, open);
    double      *L = tr_new_array(w->scratch, double, (size_t)m *(size_t)open);
    double      *c = tr_new_array(w->scratch, double, open);
    trCheckLoad *load = tr_new_array(w->arena, trCheckLoad, groups);
    TR_TRY(tr_check_memory(w));
    for (int k = 0; k < open; k++) {
        c[k] = 1.0;
        tr_pose_loads(&w->here, TR_PART_SMALL, c, L + (ptrdiff_t)k * m);
        c[k] = 0.0;
    }
    for (int g = 0; g < groups; g++) {
        if (!tr_check_is_norm(w, g)) {
            TR_TRY(load_of(w, g, L, x, &load[count++]));
        }
    }
    w->out->loads = count;
    w->out->load = load;
    return TR_OK;
}
