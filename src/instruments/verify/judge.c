// SPDX-License-Identifier: MIT
// What is off, and what rounding and the method explain.
//
// Of every row the worst ratio deviation / size of each kind is kept. A kind has a *floor*, what
// rounding of a few operations makes of the terms, and a *cap*, what no method explains. Between
// them the file itself decides: half of its rows are at or below the *noise*, and
//
//     tolerance = min(cap, max(floor, FACTOR noise))
//
// so that one altered number stands out, and a file that is wrong as a whole is above the cap.

#include <math.h>
#include <stdlib.h>

#include "verify/verify.h"

#define FACTOR 100.0
#define OUTLIERS 2   // rows that do not count as noise, if there are more
#define FEW_ROWS 20  // do not tell what a method leaves
#define ALIKE 30.0  // of methods with accelerations of their own: what other rows have is no damage

typedef struct Limits {
    double floor, cap;
    double loose;  // the cap for methods whose rows need not satisfy the equation to rounding
} Limits;

// One deviation is enough where a limit is zero.
static Limits limits_of(const trVerifier *V, trVerifyKind kind) {
    static const Limits exact = {1e-12, 1e-12, 1e-12};
    static const Limits weak = {1.0, 1.0, 1.0};
    static const Limits none = {0.0, 0.0, 0.0}, rates = {1e-6, 1e-6, 1e-6};
    // A polynomial whose terms cancel is rough; the balance sees columns of forces better.
    static const Limits forces = {1e-10, 1e-10, 1e-10};
    switch (kind) {
    case TR_VERIFY_TEXT:
    case TR_VERIFY_MARK:
    case TR_VERIFY_NUMBER:
    case TR_VERIFY_TIME:
        return none;
    case TR_VERIFY_BALANCE:
    case TR_VERIFY_REACTION:
        return (Limits){V->loose               ? 1e-9
                        : V->stated > TR_SHARP ? 1e-11
                                               : 1e-13,
                        fmax(1e-9, FACTOR * V->stated), 0.3};
    case TR_VERIFY_FORCE:
        return forces;
    case TR_VERIFY_ACCELERATION:
        // In a singular pose rows that were dropped may ask for another acceleration.
        return V->soft ? (Limits){INFINITY, INFINITY, INFINITY} : (Limits){1e-7, 1e-6, 1e-6};
    case TR_VERIFY_RATE:
        return rates;
    case TR_VERIFY_WORK:
    case TR_VERIFY_MOTION:
        return weak;
    default:
        return exact;
    }
}

trStatus tr_seen_plan(trVerifier *V) {
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        V->seen[k].ratio = tr_new_array(V->arena, double, V->out->rows + 1);
        V->seen[k].candidate = tr_new_array(V->arena, trCandidate, TR_VERIFY_KEPT);
    }
    return tr_arena_status(V->arena);
}

void tr_see(trVerifier *V, trVerifyKind kind, trDeviation d) {
    trSeen *seen = &V->seen[kind];
    double  off = fabs(d.off);
    // Numbers so large that sums of them are none explain nothing.
    bool   known = isfinite(off) && isfinite(d.slack) && isfinite(d.size);
    double above = known ? fmax(off - d.slack, 0.0) : INFINITY;
    d.size = known ? d.size : 0.0;
    d.ratio = above > 0.0 ? above / d.size : 0.0;  // infinite where nothing explains it
    bool solved = kind == TR_VERIFY_ACCELERATION || (kind == TR_VERIFY_BALANCE && V->loose);
    // A may have a pole there, as that of a blade that stands upright on its plane.
    bool turned = kind == TR_VERIFY_REACTION || kind == TR_VERIFY_VELOCITY;
    d.ratio = V->fragile && (solved || turned) ? 0.0 : d.ratio;
    if (V->listener.hear != NULL) {
        V->listener.hear(V->listener.to, kind, V->index, &d);
    }
    d.off = off;
    if (!seen->any || d.ratio > seen->now.ratio) {
        seen->now = d;
    }
    seen->any = true;
}

static void keep(trSeen *seen, const trCandidate *candidate) {
    int least = 0;
    if (seen->count < TR_VERIFY_KEPT) {
        seen->candidate[seen->count++] = *candidate;
        return;
    }
    for (int i = 1; i < seen->count; i++) {
        double ratio = seen->candidate[i].deviation.ratio;
        least = ratio < seen->candidate[least].deviation.ratio ? i : least;
    }
    if (candidate->deviation.ratio > seen->candidate[least].deviation.ratio) {
        seen->candidate[least] = *candidate;
    }
}

void tr_seen_row_at(trVerifier *V, trVerifyKind kind, long row, double t) {
    trSeen *seen = &V->seen[kind];
    if (seen->any) {
        const trCandidate candidate = {row, t, seen->now};
        seen->ratio[seen->rows++] = seen->now.ratio;
        if (seen->now.ratio > 0.0) {
            keep(seen, &candidate);
        }
    }
    seen->any = false;
}

void tr_seen_row(trVerifier *V) {
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        if (k != TR_VERIFY_MOTION && k != TR_VERIFY_WORK) {
            tr_seen_row_at(V, (trVerifyKind)k, V->index, V->row[0]);
        }
    }
}

// --- in the end ---

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static trVerifyFinding finding_of(trVerifier *V, trVerifyKind kind, const trCandidate *c,
                                  double tolerance) {
    const trDeviation *d = &c->deviation;
    const char        *what = d->role == NULL ? d->detail
                                              : tr_arena_format(V->arena, "%s '%s'%s%s", d->role, d->name,
                                                         d->detail == NULL ? "" : ": ",
                                                         d->detail == NULL ? "" : d->detail);
    return (trVerifyFinding){.kind = kind,
                             .row = c->row,
                             .time = c->time,
                             .what = what,
                             .off = d->off,
                             .allowed = d->slack + tolerance * d->size,
                             .unit = d->unit == NULL ? "" : d->unit};
}

static void judge_kind(trVerifier *V, trVerifyKind kind) {
    trSeen         *seen = &V->seen[kind];
    trVerifyFigure *figure = &V->out->figure[kind];
    const Limits    limits = limits_of(V, kind);
    double          cap = V->loose ? limits.loose : limits.cap;
    int             worst = -1;
    qsort(seen->ratio, (size_t)seen->rows, sizeof *seen->ratio, by_size);
    figure->checked = seen->rows;
    // Of methods that are not exact some rows are better than others.
    // The worst is not among those that decide about it.
    long spare = seen->rows > OUTLIERS && seen->rows / 10 < OUTLIERS ? OUTLIERS : seen->rows / 10;
    bool uneven = V->loose || V->stated > TR_SHARP;
    long at = uneven ? seen->rows - 1 - spare : seen->rows / 2;
    figure->noise = seen->rows > 0 ? seen->ratio[at] : 0.0;
    figure->tolerance = fmin(cap, fmax(limits.floor, FACTOR * figure->noise));
    if (V->loose && limits.loose > limits.cap) {
        // One number spoils one row. Rows at the end of a step are better than those inside.
        double others = seen->rows >= FEW_ROWS ? seen->ratio[seen->rows - 2] : cap;
        figure->tolerance = fmax(figure->tolerance, fmin(ALIKE * others, cap));
    }
    for (long i = seen->rows; i > 0 && seen->ratio[i - 1] > figure->tolerance; i--) {
        figure->findings++;
    }
    for (int i = 0; i < seen->count; i++) {
        double ratio = seen->candidate[i].deviation.ratio;
        worst = worst < 0 || ratio > seen->candidate[worst].deviation.ratio ? i : worst;
    }
    if (worst >= 0) {
        figure->worst = finding_of(V, kind, &seen->candidate[worst], figure->tolerance);
    }
    V->out->findings += figure->findings;
}

typedef struct Ranked {
    double             rank;  // how far above what is allowed
    trVerifyKind       kind;
    const trCandidate *candidate;
} Ranked;

static int worst_first(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    return x->rank != y->rank
               ? (x->rank < y->rank) - (x->rank > y->rank)
               : (x->candidate->row > y->candidate->row) - (x->candidate->row < y->candidate->row);
}

trStatus tr_judge(trVerifier *V) {
    trVerification *out = V->out;
    Ranked         *ranked = tr_new_array(V->arena, Ranked, TR_VERIFY_KINDS * TR_VERIFY_KEPT);
    int             count = 0;
    TR_TRY(tr_arena_status(V->arena));
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        const trSeen *seen = &V->seen[k];
        judge_kind(V, (trVerifyKind)k);
        double tolerance = out->figure[k].tolerance;
        for (int i = 0; i < seen->count; i++) {
            double ratio = seen->candidate[i].deviation.ratio;
            if (ratio > tolerance) {
                ranked[count++] = (Ranked){ratio / tolerance, (trVerifyKind)k, &seen->candidate[i]};
            }
        }
    }
    qsort(ranked, (size_t)count, sizeof *ranked, worst_first);
    out->kept = count < TR_VERIFY_KEPT ? count : TR_VERIFY_KEPT;
    out->finding = tr_new_array(V->arena, trVerifyFinding, out->kept);
    for (int i = 0; out->finding != NULL && i < out->kept; i++) {
        trVerifyKind kind = ranked[i].kind;
        out->finding[i] = finding_of(V, kind, ranked[i].candidate, out->figure[kind].tolerance);
    }
    return tr_arena_status(V->arena);
}
