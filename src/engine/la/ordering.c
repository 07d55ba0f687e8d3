// SPDX-License-Identifier: MIT
#include "la/ordering.h"

#include <stdlib.h>
#include <string.h>

#define NONE (-1)

// Neighbors of a node that are not yet eliminated, increasing.
typedef struct List {
    int *at;
    int  count, room;
} List;

typedef struct Work {
    trArena *arena;  // of the lists; destroyed at the end
    int      nodes;
    List    *list;         // nodes
    int     *waits;        // nodes: neighbors that a late node still waits for
    int      firsts;       // nodes left that are neither late nor second
    int     *degree;       // nodes: the queue a node stands in, or NONE
    int     *next, *prev;  // nodes: in that queue
    int     *head, *tail;  // nodes + 1: queues by degree
    int     *merged;       // nodes: room to merge lists
} Work;

static void enqueue(Work *w, int node, int degree) {
    w->degree[node] = degree;
    w->next[node] = NONE;
    w->prev[node] = w->tail[degree];
    if (w->tail[degree] == NONE) {
        w->head[degree] = node;
    } else {
        w->next[w->tail[degree]] = node;
    }
    w->tail[degree] = node;
}

static void dequeue(Work *w, int node) {
    int degree = w->degree[node], before = w->prev[node], after = w->next[node];
    if (before == NONE) {
        w->head[degree] = after;
    } else {
        w->next[before] = after;
    }
    if (after == NONE) {
        w->tail[degree] = before;
    } else {
        w->prev[after] = before;
    }
    w->degree[node] = NONE;
}

static bool is_late(const trGraph *graph, int node) {
    return graph->late != NULL && graph->late[node];
}

static bool is_second(const trGraph *graph, int node) {
    return graph->second != NULL && graph->second[node];
}

// Once the first nodes are gone, the second ones may go.
static void admit_second(Work *w, const trGraph *graph) {
    for (int i = 0; i < w->nodes; i++) {
        if (is_second(graph, i)) {
            enqueue(w, i, w->list[i].count);
        }
    }
}

static int compare_ints(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static trStatus start_work(Work *w, const trGraph *graph) {
    int n = w->nodes = graph->nodes;
    w->list = tr_new_array(w->arena, List, n);
    w->waits = tr_new_array(w->arena, int, n);
    w->degree = tr_new_array(w->arena, int, n);
    w->next = tr_new_array(w->arena, int, n);
    w->prev = tr_new_array(w->arena, int, n);
    w->head = tr_new_array(w->arena, int, n + 1);
    w->tail = tr_new_array(w->arena, int, n + 1);
    w->merged = tr_new_array(w->arena, int, n + 1);
    TR_TRY(tr_arena_status(w->arena));
    for (int d = 0; d <= n; d++) {
        w->head[d] = w->tail[d] = NONE;
    }
    for (int i = 0; i < n; i++) {
        int count = graph->start[i + 1] - graph->start[i];
        w->list[i] = (List){tr_new_array(w->arena, int, count), count, count};
        TR_TRY(tr_arena_status(w->arena));
        memcpy(w->list[i].at, graph->neighbor + graph->start[i], (size_t)count * sizeof(int));
        qsort(w->list[i].at, (size_t)count, sizeof(int), compare_ints);
        w->degree[i] = NONE;
        w->waits[i] = is_late(graph, i) ? count : 0;
        if (!is_second(graph, i) && w->waits[i] == 0) {
            enqueue(w, i, count);
        }
        w->firsts += !is_late(graph, i) && !is_second(graph, i);
    }
    if (w->firsts == 0) {
        admit_second(w, graph);
    }
    return TR_OK;
}

// list(u) = (list(u) + list(p)) without u and p.
static trStatus join_neighbors(Work *w, int u, int p) {
    List *mine = &w->list[u], *theirs = &w->list[p];
    int   count = 0, i = 0, j = 0;
    while (i < mine->count || j < theirs->count) {
        int a = i < mine->count ? mine->at[i] : w->nodes;
        int b = j < theirs->count ? theirs->at[j] : w->nodes;
        int smaller = a < b ? a : b;
        i += a == smaller;
        j += b == smaller;
        if (smaller != u && smaller != p) {
            w->merged[count++] = smaller;
        }
    }
    if (count > mine->room) {
        mine->room = 2 * count;
        mine->at = tr_new_array(w->arena, int, mine->room);
        TR_TRY(tr_arena_status(w->arena));
    }
    memcpy(mine->at, w->merged, (size_t)count * sizeof(int));
    mine->count = count;
    return TR_OK;
}

static trStatus eliminate(Work *w, const trGraph *graph, int p) {
    bool first = !is_second(graph, p) && !is_late(graph, p);
    dequeue(w, p);
    for (int k = graph->start[p]; k < graph->start[p + 1]; k++) {
        int u = graph->neighbor[k];
        if (w->waits[u] > 0 && --w->waits[u] == 0) {
            enqueue(w, u, w->list[u].count);
        }
    }
    for (int k = 0; k < w->list[p].count; k++) {
        int u = w->list[p].at[k];
        TR_TRY(join_neighbors(w, u, p));
        if (w->degree[u] != NONE && w->degree[u] != w->list[u].count) {
            dequeue(w, u);
            enqueue(w, u, w->list[u].count);
        }
    }
    if (first && --w->firsts == 0) {
        admit_second(w, graph);
    }
    return TR_OK;
}

static trStatus find_order(Work *w, const trGraph *graph, trElimination *out) {
    int lowest = 0, entries = 0;
    for (int k = 0; k < w->nodes; k++) {
        lowest = lowest > 0 ? lowest - 1 : 0;  // eliminating lowers a degree by one at most
        while (w->head[lowest] == NONE) {
            lowest = lowest < w->nodes ? lowest + 1 : 0;
        }
        int p = w->head[lowest];
        out->order[k] = p;
        out->position[p] = k;
        out->column[k] = entries;
        entries += w->list[p].count;
        TR_TRY(eliminate(w, graph, p));
    }
    out->column[w->nodes] = entries;
    return TR_OK;
}

// The lists as they were when their nodes were eliminated, in positions.
static void find_columns(const Work *w, trElimination *out) {
    for (int k = 0; k < w->nodes; k++) {
        const List *list = &w->list[out->order[k]];
        int        *row = out->row + out->column[k];
        for (int i = 0; i < list->count; i++) {
            row[i] = out->position[list->at[i]];
        }
        qsort(row, (size_t)list->count, sizeof(int), compare_ints);
    }
}

static trStatus eliminate_with(Work *w, trArena *arena, const trGraph *graph, trElimination *out) {
    TR_TRY(start_work(w, graph));
    out->order = tr_new_array(arena, int, graph->nodes);
    out->position = tr_new_array(arena, int, graph->nodes);
    out->column = tr_new_array(arena, int, graph->nodes + 1);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(find_order(w, graph, out));
    out->row = tr_new_array(arena, int, out->column[graph->nodes]);
    TR_TRY(tr_arena_status(arena));
    find_columns(w, out);
    return TR_OK;
}

trStatus tr_eliminate_graph(trArena *arena, const trGraph *graph, trElimination *out) {
    Work w = {.arena = tr_arena_create()};
    *out = (trElimination){.nodes = graph->nodes};
    trStatus status = w.arena == NULL ? TR_E_MEMORY : eliminate_with(&w, arena, graph, out);
    tr_arena_destroy(w.arena);
    return status;
}
