// SPDX-License-Identifier: MIT
// Elimination orders against symbolic elimination by brute force, and the fill of graphs for which
// it is known.

#include <string.h>

#include "la/ordering.h"
#include "support/random.h"
#include "support/test.h"

#define MAX_NODES 240
#define TRIALS 300

// A graph as a matrix, and in the form of the library.
typedef struct Picture {
    int  nodes;
    bool edge[MAX_NODES][MAX_NODES];
    bool late[MAX_NODES];
    int  start[MAX_NODES + 1], neighbor[MAX_NODES * MAX_NODES];
} Picture;

static void connect(Picture *p, int a, int b) {
    p->edge[a][b] = p->edge[b][a] = a != b;
}

static void clear(Picture *p, int nodes) {
    memset(p, 0, sizeof *p);
    p->nodes = nodes;
}

// Neighbors are listed from the last to the first: the order must not matter.
static trGraph graph_of(Picture *p) {
    int count = 0;
    for (int i = 0; i < p->nodes; i++) {
        p->start[i] = count;
        for (int j = p->nodes - 1; j >= 0; j--) {
            if (p->edge[i][j]) {
                p->neighbor[count++] = j;
            }
        }
    }
    p->start[p->nodes] = count;
    return (trGraph){
        .nodes = p->nodes, .start = p->start, .neighbor = p->neighbor, .late = p->late};
}

static trElimination eliminate(trArena *arena, Picture *p) {
    trElimination e;
    trGraph       graph = graph_of(p);
    if (tr_eliminate_graph(arena, &graph, &e) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return e;
}

static int entries(Picture *p) {
    trArena      *arena = tr_arena_create();
    trElimination e = eliminate(arena, p);
    int           count = e.column[e.nodes];
    tr_arena_destroy(arena);
    return count;
}

// Late nodes have no late neighbors, which would wait for each other.
static void draw_graph(trRandom *random, Picture *p) {
    clear(p, random_int(random, 1, 24));
    double density = random_real(random);
    for (int i = 0; i < p->nodes; i++) {
        for (int j = 0; j < i; j++) {
            if (random_real(random) < density) {
                connect(p, i, j);
            }
        }
    }
    for (int i = 0; i < p->nodes; i++) {
        p->late[i] = random_real(random) > 0.4;
        for (int j = 0; j < i; j++) {
            p->late[i] = p->late[i] && !(p->edge[i][j] && p->late[j]);
        }
    }
}

static void for_random_graphs(void (*check)(Picture *p, const trElimination *e)) {
    static Picture p;
    trRandom       random = {17};
    for (int trial = 0; trial < TRIALS; trial++) {
        trArena *arena = tr_arena_create();
        draw_graph(&random, &p);
        trElimination e = eliminate(arena, &p);
        check(&p, &e);
        tr_arena_destroy(arena);
    }
}

static void check_permutation(Picture *p, const trElimination *e) {
    bool seen[MAX_NODES] = {false};
    assert_int_equal(e->nodes, p->nodes);
    for (int k = 0; k < e->nodes; k++) {
        assert_in_range(e->order[k], 0, e->nodes - 1);
        assert_false(seen[e->order[k]]);
        seen[e->order[k]] = true;
        assert_int_equal(e->position[e->order[k]], k);
    }
}

static void the_order_is_a_permutation(void **state) {
    for_random_graphs(check_permutation);
}

static void check_late(Picture *p, const trElimination *e) {
    for (int i = 0; i < p->nodes; i++) {
        for (int j = 0; j < p->nodes; j++) {
            if (p->late[i] && p->edge[i][j]) {
                assert_true(e->position[i] > e->position[j]);
            }
        }
    }
}

static void late_nodes_come_after_all_of_their_neighbors(void **state) {
    for_random_graphs(check_late);
}

// A chain of six whose odd nodes are second: the even ones go first, whatever their degree.
static void second_nodes_wait_for_all_first_ones(void **state) {
    static const int  start[] = {0, 1, 3, 5, 7, 9, 10};
    static const int  neighbor[] = {1, 0, 2, 1, 3, 2, 4, 3, 5, 4};
    static const bool second[] = {false, true, false, true, false, true};
    const trGraph     graph = {.nodes = 6, .start = start, .neighbor = neighbor, .second = second};
    trArena          *arena = tr_arena_create();
    trElimination     e;
    assert_int_equal(tr_eliminate_graph(arena, &graph, &e), TR_OK);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(second[i], e.position[i] >= 3);
    }
    tr_arena_destroy(arena);
}

// Eliminating a node joins all of its remaining neighbors; they are its column.
static void check_columns(Picture *p, const trElimination *e) {
    bool left[MAX_NODES];
    for (int i = 0; i < p->nodes; i++) {
        left[i] = true;
    }
    for (int k = 0; k < p->nodes; k++) {
        int  node = e->order[k], count = 0;
        bool expected[MAX_NODES] = {false};
        left[node] = false;
        for (int i = 0; i < p->nodes; i++) {
            if (left[i] && p->edge[node][i]) {
                expected[e->position[i]] = true;
                count++;
            }
            for (int j = 0; j < p->nodes; j++) {
                if (left[i] && left[j] && p->edge[node][i] && p->edge[node][j]) {
                    connect(p, i, j);
                }
            }
        }
        assert_int_equal(e->column[k + 1] - e->column[k], count);
        for (int i = e->column[k]; i < e->column[k + 1]; i++) {
            assert_in_range(e->row[i], k + 1, p->nodes - 1);
            assert_true(expected[e->row[i]]);
            assert_true(i == e->column[k] || e->row[i - 1] < e->row[i]);
        }
    }
}

static void columns_hold_the_structure_of_symbolic_elimination(void **state) {
    for_random_graphs(check_columns);
}

static int degree(const Picture *p, const bool *left, int node) {
    int count = 0;
    for (int j = 0; j < p->nodes; j++) {
        count += left[j] && p->edge[node][j];
    }
    return count;
}

// `edge` grows by the fill; whether a late node may be taken is decided by the first graph.
static void check_degrees(Picture *p, const trElimination *e) {
    static Picture first;
    bool           left[MAX_NODES];
    first = *p;
    for (int i = 0; i < p->nodes; i++) {
        left[i] = true;
    }
    for (int k = 0; k < p->nodes; k++) {
        int taken = degree(p, left, e->order[k]);
        for (int i = 0; i < p->nodes; i++) {
            if (left[i] && !(p->late[i] && degree(&first, left, i) > 0)) {
                assert_true(taken <= degree(p, left, i));
            }
        }
        left[e->order[k]] = false;
        for (int i = 0; i < p->nodes; i++) {
            for (int j = 0; j < i; j++) {
                if (left[i] && left[j] && p->edge[e->order[k]][i] && p->edge[e->order[k]][j]) {
                    connect(p, i, j);
                }
            }
        }
    }
}

static void every_node_taken_has_the_smallest_degree(void **state) {
    for_random_graphs(check_degrees);
}

static void a_chain_is_eliminated_from_both_ends_in_turn_without_fill(void **state) {
    static Picture   p;
    static const int lengths[] = {1, 2, 3, 8, 9, 101};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        trArena *arena = tr_arena_create();
        int      n = lengths[i];
        clear(&p, n);
        for (int k = 0; k + 1 < n; k++) {
            connect(&p, k, k + 1);
        }
        trElimination e = eliminate(arena, &p);
        assert_int_equal(e.column[n], n - 1);
        for (int k = 0; k + 2 < n; k++) {
            assert_int_equal(e.order[k], k % 2 == 0 ? k / 2 : n - 1 - k / 2);
        }
        tr_arena_destroy(arena);
    }
}

static void trees_get_no_fill(void **state) {
    static Picture p;
    trRandom       random = {23};
    for (int trial = 0; trial < 50; trial++) {
        clear(&p, random_int(&random, 1, MAX_NODES));
        for (int i = 1; i < p.nodes; i++) {
            connect(&p, i, random_int(&random, 0, i - 1));
        }
        assert_int_equal(entries(&p), p.nodes - 1);
    }
}

// A ladder has treewidth 2: minimum degree always finds a node with at most two neighbors, so n
// nodes have at most 2 n - 3 entries, rungs as well as rails included.
static void ladders_get_fill_that_is_linear_in_their_length(void **state) {
    static Picture p;
    for (int rungs = 2; rungs <= MAX_NODES / 2; rungs++) {
        clear(&p, 2 * rungs);
        for (int i = 0; i < rungs; i++) {
            connect(&p, i, rungs + i);
            if (i > 0) {
                connect(&p, i, i - 1);
                connect(&p, rungs + i, rungs + i - 1);
            }
        }
        assert_true(entries(&p) <= 2 * p.nodes - 3);
    }
}

static void a_graph_without_nodes_is_allowed(void **state) {
    static Picture p;
    clear(&p, 0);
    assert_int_equal(entries(&p), 0);
}

static void nodes_without_edges_keep_their_order(void **state) {
    static Picture p;
    trArena       *arena = tr_arena_create();
    clear(&p, 20);
    p.late[3] = true;  // waits for nobody
    trElimination e = eliminate(arena, &p);
    for (int k = 0; k < p.nodes; k++) {
        assert_int_equal(e.order[k], k);
    }
    assert_int_equal(e.column[p.nodes], 0);
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_a_permutation),
        cmocka_unit_test(late_nodes_come_after_all_of_their_neighbors),
        cmocka_unit_test(second_nodes_wait_for_all_first_ones),
        cmocka_unit_test(columns_hold_the_structure_of_symbolic_elimination),
        cmocka_unit_test(every_node_taken_has_the_smallest_degree),
        cmocka_unit_test(a_chain_is_eliminated_from_both_ends_in_turn_without_fill),
        cmocka_unit_test(trees_get_no_fill),
        cmocka_unit_test(ladders_get_fill_that_is_linear_in_their_length),
        cmocka_unit_test(a_graph_without_nodes_is_allowed),
        cmocka_unit_test(nodes_without_edges_keep_their_order),
    };
    return cmocka_run_group_tests_name("ordering", tests, NULL, NULL);
}
