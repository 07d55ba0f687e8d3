// SPDX-License-Identifier: MIT
// Mechanisms with redundant joints inside modules and between them, turned as a whole, move as the
// uncut mechanism does unturned under the same scheme. Which rows are kept must not depend on how
// the world axes lie.
//
// Without arguments a few orientations, with "long" all 24.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glue/cut.h"
#include "scenario/turned.h"
#include "support/test.h"

typedef struct Case {
    const char *file;  // from the root of the sources
    const char *of;    // the module of each body; the last one repeats
    double      step, duration;
    bool        ground_too;  // joints with ground are glued, too
} Case;

#define TURNED "tests/scenario/turned/"

// Steps and durations are such that no step ends in a singular pose.
static const Case cases[] = {
    {"models/papers/triple_crank.lua", "0", 1e-3, 1.0, false},
    {"models/papers/triple_crank.lua", "0123", 1e-3, 1.0, false},
    {"models/papers/triple_crank.lua", "0012", 1e-3, 1.0, true},
    {"models/benchmark/redundant_parallelogram.lua", "0", 1e-3, 1.0, false},
    {"models/benchmark/redundant_parallelogram.lua", "0123", 1e-3, 1.0, false},
    {TURNED "two_pins.lua", "0", 1e-3, 2.0, false},
    {TURNED "two_pins.lua", "01", 1e-3, 2.0, false},
    {TURNED "two_balls.lua", "0", 1e-3, 1.0, false},
    {TURNED "two_balls.lua", "0", 1e-3, 1.0, true},
    {TURNED "door.lua", "0", 1e-3, 2.0, false},
    {TURNED "door.lua", "01", 1e-3, 2.0, false},
    {TURNED "four_hinges.lua", "0", 1e-3, 1.0, false},
    {TURNED "four_hinges.lua", "012", 1e-3, 1.0, true},
    {TURNED "bennett.lua", "0", 1e-3, 1.0, false},
    {TURNED "bennett.lua", "001", 1e-3, 1.0, false},
    {TURNED "coupled_wheels.lua", "0012", 1e-3, 0.25, false},
    {"models/benchmark/bricard.lua", "0", 1e-3, 1.0, false},
    {"models/benchmark/bricard.lua", "00111", 1e-3, 1.0, false},
};
#define CASES ((int)(sizeof cases / sizeof *cases))

// Positions and velocities of all bodies at the end, turned back.
typedef struct Motion {
    int    bodies;
    trVec3 part[CUT_BODIES][3];  // position, velocity, angular velocity about body axes
} Motion;

static trVec3 back(const trMat3 *R, int dim, const double *x) {
    return tr_unrotate3(R, (trVec3){x[0], x[1], dim == 3 ? x[2] : 0.0});
}

static void look(const Cut *cut, int turn, Motion *out) {
    out->bodies = cut->bodies;
    for (int i = 0; i < cut->bodies; i++) {
        const trModelModule *m = cut_module(cut, cut->of[i]);
        const int            dim = m->system->space->dim;
        const trMat3         R = tr_quat_matrix(turned_by(dim, turn));
        const double        *q = m->q + m->system->space->nq * cut->local[i];
        const double        *v = m->v + m->system->space->nv * cut->local[i];
        out->part[i][0] = back(&R, dim, q);
        out->part[i][1] = back(&R, dim, v);
        out->part[i][2] = dim == 3 ? (trVec3){v[3], v[4], v[5]} : (trVec3){0.0, 0.0, v[2]};
    }
}

// Steps end with closed joints, to rounding: rows that are kept to 1e-15 of accelerations up to 50
// [m/s^2], the others to a few times that (4e-13 seen). Where the kept ones are chosen badly it is
// 1e-10 to 1e-9.
static bool are_closed(const trGlueStats *s) {
    return s->position.length < 1e-11 && s->velocity.length < 1e-11 &&
           s->acceleration.length < 1e-11 && s->acceleration.angle < 1e-11;
}

static bool run(const Case *c, const char *shares, int turn, Motion *out) {
    int       of[CUT_BODIES] = {0}, last = (int)strlen(shares) - 1;
    trGlueDef def = tr_glue_def_default();
    trModel  *model = turned_load(c->file, turn);
    Cut       cut;
    for (int i = 0; i < model->bodies; i++) {
        of[i] = shares[i < last ? i : last] - '0';
    }
    def.step = c->step;
    def.duration = c->duration;
    def.tolerance = 1e-11;
    cut_model(model, of, c->ground_too && shares == c->of, &cut);
    trStatus status = cut_glue(&cut, &def);
    for (int n = (int)(c->duration / c->step + 0.5); status == TR_OK && n > 0; n--) {
        status = tr_glue_step(cut.glue);
    }
    if (status == TR_OK) {
        look(&cut, turn, out);
        trGlueStats stats = tr_glue_stats(cut.glue);
        if (!are_closed(&stats)) {
            print_message(
                "  turn %d: joints are open by %.1e m, %.1e m/s, %.1e m/s^2, %.1e rad/s^2\n", turn,
                stats.position.length, stats.velocity.length, stats.acceleration.length,
                stats.acceleration.angle);
            status = TR_NO_CONVERGENCE;
        }
    } else {
        print_message("  turn %d: %s\n", turn, tr_last_error());
    }
    cut_free(&cut);
    tr_model_destroy(model);
    return status == TR_OK;
}

static double apart(const Motion *a, const Motion *b) {
    double most = 0.0;
    for (int i = 0; i < a->bodies; i++) {
        for (int k = 0; k < 3; k++) {
            double here = tr_length3(tr_sub3(a->part[i][k], b->part[i][k]));
            most = here <= most ? most : here;
        }
    }
    return most;
}

static int         stride;
static const char *only;

// Iterates differ by rounding alone (3e-13 seen); residuals of 1e-11 are allowed in each of up to
// 2000 steps.
#define SAME 1e-10

static void turned_modules_move_alike(void **state) {
    int bad = 0;
    for (int k = 0; k < CASES; k++) {
        const Case *c = &cases[k];
        Motion      uncut, here;
        double      most = 0.0;
        int         failed = 0;
        if (only != NULL && strstr(c->file, only) == NULL) {
            continue;
        }
        assert_true(run(c, "0", 0, &uncut));
        for (int turn = 0; turn < TURNS; turn += stride) {
            if (!run(c, c->of, turn, &here)) {
                failed++;
                continue;
            }
            most = fmax(most, apart(&here, &uncut));
        }
        print_message("%-46s %-6s apart %.1e%s%s\n", c->file, c->of, most,
                      failed > 0 ? "  FAILED" : "", most > SAME ? "  WRONG" : "");
        bad += failed + (most > SAME);
    }
    assert_int_equal(bad, 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(turned_modules_move_alike)};
    stride = argc > 1 && strcmp(argv[1], "long") == 0 ? 1 : 5;
    only = argc > 2 ? argv[2] : NULL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
