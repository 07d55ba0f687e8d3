// SPDX-License-Identifier: MIT
// Assembly with things that stay: positions by Newton's method or the search, velocities too if
// they can, and which of the things is in the way if they cannot.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "sim/assemble.h"

#define LEFT_OPEN 1e-11  // of phi, relative to 1 + max|q|: ten times what a run leaves as it is
#define ON_ROWS 1e-9     // of velocities that satisfy the rows, relative to 1 + max|v|
#define NAMED 4          // kept things in a message

#define NOTHING (-2)

static trStatus keep_all(trAssemblyWork *w, int but) {
    tr_kept_clear(&w->search->kept);
    for (int i = 0; but != NOTHING && i < w->options->keeps; i++) {
        if (i != but) {
            TR_TRY(tr_kept_add(&w->search->kept, &w->options->keep[i]));
        }
    }
    w->search->manifold = tr_kept_manifold(&w->search->kept);
    return TR_OK;
}

// "crank.angle"
static void name_kept(const trAssemblyWork *w, int i, const char *before) {
    const trKeep *keep = &w->options->keep[i];
    tr_add_hint(TR_E_MODEL, "%s'%s%s%s'", before, w->out->system->body[keep->body].name,
                keep->coordinate != NULL ? "." : "",
                keep->coordinate != NULL ? keep->coordinate : "");
}

static trStatus closes_without(trAssemblyWork *w, int but, bool *closes) {
    trFound found;
    TR_TRY(keep_all(w, but));
    TR_TRY(tr_search_pose(w->search, w->q0, w->v0, &found));
    *closes = found.closed;
    return TR_OK;
}

// Which of the things that are kept is in the way: the first one without which it assembles; -1:
// several; NOTHING: it does not assemble whatever is kept.
static trStatus find_culprit(trAssemblyWork *w, int *culprit) {
    bool closes = false;
    *culprit = -1;
    for (int i = 0; i < w->options->keeps && *culprit < 0; i++) {
        TR_TRY(closes_without(w, i, &closes));
        *culprit = closes ? i : -1;
    }
    if (*culprit < 0 && w->options->keeps > 1) {
        TR_TRY(closes_without(w, NOTHING, &closes));
    }
    *culprit = closes ? *culprit : NOTHING;
    return TR_OK;
}

trStatus tr_refuse_kept(trAssemblyWork *w) {
    const trSystem *s = w->out->system;
    char            text[TR_OPENING_TEXT];
    int             culprit = -1, first = w->open[0];
    trOpening       gap = w->joint[first].position_after;
    TR_TRY(find_culprit(w, &culprit));
    tr_opening_text(s, first, &gap, text);
    if (culprit == NOTHING) {
        tr_fail(
            TR_E_MODEL,
            "cannot be closed, %s remain, even if nothing is kept; check the positions and lengths "
            "of its bodies",
            text);
        return tr_blame_joint(TR_E_MODEL, &s->joint[first]);
    }
    tr_fail(TR_E_MODEL, "cannot be closed while ");
    for (int i = 0; i < w->options->keeps && (culprit >= 0 || i < NAMED); i++) {
        if (culprit < 0 || culprit == i) {
            name_kept(w, i, culprit < 0 && i > 0 ? ", " : "");
        }
    }
    tr_add_hint(TR_E_MODEL, " %s kept, %s remain; release %s, or change where %s",
                culprit < 0 ? "are" : "is", text, culprit < 0 ? "some of them" : "it",
                culprit < 0 ? "they are" : "it is");
    return tr_blame_joint(TR_E_MODEL, &s->joint[first]);
}

// u (as the manifold has it) on the rows, without changing what is kept; if that cannot be, all of
// it may change.
static trStatus keep_velocities(trAssemblyWork *w) {
    trSearch          *s = w->search;
    const trEquations *e = NULL;
    tr_kept_from_v(&s->kept, w->q, w->v);
    trStatus status = tr_project_velocity(&s->direct, &s->manifold, s->t, w->q, w->v);
    tr_kept_to_v(&s->kept, w->q, w->v);
    if (status < 0) {
        return status;
    }
    TR_TRY(s->free.evaluate(s->free.context, s->t, w->q, w->v, &e));
    tr_rows_mul(&e->A, w->v, w->rate);
    for (int i = 0; i < e->m; i++) {
        w->rate[i] -= e->b1[i];
    }
    w->out->released = status != TR_OK ||
                       !(tr_largest(e->m, w->rate) <= ON_ROWS * (1.0 + tr_largest(e->nv, w->v)));
    return TR_OK;
}

// Which rows are independent is judged by their sizes with nothing kept: a row whose columns are
// all kept, or held by the other rows of its joint, has nothing left but rounding and is dropped.
static trStatus note_row_sizes(trSearch *s, const double *q, const double *v) {
    const trEquations *e = NULL;
    trRank             rank;
    TR_TRY(s->free.evaluate(s->free.context, s->t, q, v, &e));
    if (e->m == 0) {
        return TR_OK;
    }
    trStatus status = tr_projector_rank(&s->direct, e, &rank);
    status = status == TR_OK ? tr_projector_accept(&s->direct, e) : status;
    return status < 0 ? status : TR_OK;
}

trStatus tr_kept_unmoved(trAssemblyWork *w, bool *unmoved) {
    const trSystem *s = w->out->system;
    double         *v0 = tr_new_array(w->out->memory, double, s->nv);
    double         *v = tr_new_array(w->out->memory, double, s->nv);
    TR_TRY(tr_arena_status(w->out->memory));
    TR_TRY(keep_all(w, -1));
    *unmoved = tr_kept_stays(&w->search->kept, w->q0, w->q, v);
    tr_assembly_start_velocities(w, w->q, v0);
    memcpy(v, w->v, (size_t)s->nv * sizeof *v);
    *unmoved = *unmoved && tr_kept_goes_on(&w->search->kept, w->q, v0, v);
    return TR_OK;
}

// Rows that only what is kept could close may be left open by as much as the search allows; a run
// would close them, and move what is kept.
static trStatus look_at_rows(trAssemblyWork *w, trFound *found) {
    const trSystem    *s = w->out->system;
    const trEquations *e = NULL;
    double             most = 0.0;
    TR_TRY(w->search->free.evaluate(w->search->free.context, w->search->t, w->q, w->v0, &e));
    for (int i = 0; i < e->m; i++) {
        if (s->holonomic[i] && fabs(e->phi[i]) > most) {
            most = fabs(e->phi[i]);
            found->widest = s->row_joint[i];
        }
    }
    found->closed = most <= LEFT_OPEN * (1.0 + tr_largest(s->nq, w->q));
    return TR_OK;
}

// Rows whose columns are all kept have nothing left, and do not count.
static trStatus find_redundant(trAssemblyWork *w, bool *redundant) {
    trSearch          *s = w->search;
    const trEquations *e = NULL;
    trRank             rank = {0};
    TR_TRY(s->manifold.evaluate(s->manifold.context, s->t, w->q, w->v0, &e));
    trEquations judged = *e;
    judged.rank_tolerance = w->options->rank_tolerance;
    judged.stamp = 0;
    trStatus status = tr_projector_rank(&s->direct, &judged, &rank);
    *redundant = false;
    for (int i = 0; status == TR_OK && i < rank.dropped; i++) {
        const double *norms = s->direct.kernel->kind->row_norms(s->direct.kernel->work);
        *redundant |= norms[rank.rows[i]] > 0.0;
    }
    return status < 0 ? status : TR_OK;
}

// As without anything kept (assemble.c): where rows are redundant, what Newton's method finds
// depends on the axes, and least squares begin at the start once more.
static trStatus settle_redundant(trAssemblyWork *w) {
    trSearch          *s = w->search;
    const trEquations *e = NULL;
    bool               redundant = false;
    trFound            found;
    TR_TRY(s->manifold.evaluate(s->manifold.context, s->t, w->q0, w->v0, &e));
    const int row = tr_worst_row(e);
    if (row < 0 || !(tr_row_violation(e, row) > TR_OPEN_START)) {
        return TR_OK;
    }
    TR_TRY(find_redundant(w, &redundant));
    if (!redundant) {
        return TR_OK;
    }
    TR_TRY(tr_search_nearest(s, w->q0, w->v0, &found));
    if (found.closed) {
        tr_copy(w->out->nq, found.q, w->q);
        w->out->iterations += s->iterations;
    }
    return TR_OK;
}

trStatus tr_assemble_kept(trAssemblyWork *w, trFound *found) {
    trSearch *s = w->search;
    int       worst = -1;
    *found = (trFound){.widest = -1};
    TR_TRY(keep_all(w, -1));
    TR_TRY(note_row_sizes(s, w->q, w->v0));
    int64_t  before = s->direct.iterations;
    trStatus status = tr_project_position(&s->direct, &s->manifold, s->t, w->q, w->v0, &worst);
    w->out->iterations += s->direct.iterations - before;
    w->out->attempts = 1;
    found->closed = status == TR_OK;
    if (status < 0) {
        return status;
    }
    TR_TRY(found->closed ? settle_redundant(w) : TR_OK);
    if (!found->closed) {
        TR_TRY(tr_search_pose(s, w->q0, w->v0, found));
        tr_copy(w->out->nq, found->q, w->q);
        w->out->iterations += s->iterations;
        w->out->attempts += s->attempts;
    }
    if (found->closed) {
        TR_TRY(look_at_rows(w, found));
    }
    if (!found->closed) {
        return TR_OK;
    }
    tr_assembly_start_velocities(w, w->q, w->v);
    return keep_velocities(w);
}
