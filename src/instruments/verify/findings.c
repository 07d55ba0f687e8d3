// SPDX-License-Identifier: MIT
// Of every row and kind the worst deviation is kept, by its ratio to what is allowed.

#include <math.h>
#include <stdlib.h>

#include "verify/verify.h"

void tr_see(trVerifier *V, trVerifyKind kind, trDeviation d) {
    double off = fabs(d.off);
    // Numbers so large that sums of them are none allow nothing.
    bool   known = isfinite(off) && isfinite(d.allowed);
    double ratio = !known ? INFINITY : off > 0.0 ? off / d.allowed : 0.0;
    if (!(ratio > V->ratio[kind])) {
        return;
    }
    V->ratio[kind] = ratio;
    const char *what = d.detail;
    if (d.role != NULL && (ratio > 1.0 || ratio > V->most[kind])) {
        what = tr_arena_format(V->arena, "%s '%s'%s%s", d.role, d.name,
                               d.detail == NULL ? "" : ": ", d.detail == NULL ? "" : d.detail);
    }
    V->worst[kind] = (trVerifyFinding){.kind = kind,
                                       .what = what,
                                       .off = off,
                                       .allowed = d.allowed,
                                       .unit = d.unit == NULL ? "" : d.unit};
}

void tr_see_fault(trVerifier *V, trVerifyKind kind, const char *what) {
    tr_see(V, kind, (trDeviation){.off = INFINITY, .detail = what});
}

// The worst ones are kept.
static void keep(trVerifier *V, const trVerifyFinding *finding, double ratio) {
    trVerification *out = V->out;
    int             at = 0;
    if (out->kept < TR_VERIFY_KEPT) {
        at = out->kept++;
    } else {
        for (int i = 1; i < out->kept; i++) {
            at = V->rank[i] < V->rank[at] ? i : at;
        }
        if (!(ratio > V->rank[at])) {
            return;
        }
    }
    out->finding[at] = *finding;
    V->rank[at] = ratio;
}

void tr_seen_at(trVerifier *V, trVerifyKind kind, long row, double t) {
    trVerifyFigure  *figure = &V->out->figure[kind];
    trVerifyFinding *worst = &V->worst[kind];
    double           ratio = V->ratio[kind];
    V->ratio[kind] = -1.0;
    if (ratio < 0.0) {
        return;
    }
    worst->row = row;
    worst->time = t;
    figure->checked++;
    if (ratio > V->most[kind]) {
        V->most[kind] = ratio;
        figure->worst = *worst;
    }
    if (ratio > 1.0) {
        figure->findings++;
        V->out->findings++;
        keep(V, worst, ratio);
    }
}

typedef struct Ranked {
    double          ratio;
    trVerifyFinding finding;
} Ranked;

static int worst_first(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    return x->ratio != y->ratio
               ? (x->ratio < y->ratio) - (x->ratio > y->ratio)
               : (x->finding.row > y->finding.row) - (x->finding.row < y->finding.row);
}

trStatus tr_rank_findings(trVerifier *V) {
    trVerification *out = V->out;
    Ranked         *all = tr_new_array(V->arena, Ranked, out->kept);
    TR_TRY(tr_arena_status(V->arena));
    for (int i = 0; i < out->kept; i++) {
        all[i] = (Ranked){V->rank[i], out->finding[i]};
    }
    qsort(all, (size_t)out->kept, sizeof *all, worst_first);
    for (int i = 0; i < out->kept; i++) {
        out->finding[i] = all[i].finding;
    }
    return TR_OK;
}
