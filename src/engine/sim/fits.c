// SPDX-License-Identifier: MIT
// Does the chosen method fit the model? What it cannot take is refused before the run, by name and
// with a remedy.

#include <math.h>
#include <string.h>

#include "formulation/dense_parts.h"
#include "formulation/row_weights.h"
#include "la/dense.h"
#include "sim/sim.h"

#define MOST_SHARE 1e7  // of mobility by turns: its square is lost in rounding

static const char *remedy(const trSim *s) {
    return s->stepper.kind->implicit != NULL ? TR_DEFAULT_INTEGRATOR : TR_DEFAULT_METHOD;
}

// Adds which of the choices does not support it, and what to do or to use.
static void add_remedy(const trSim *s, unsigned trait, const char *advice) {
    char text[TR_AMOUNT];
    tr_add_hint(TR_E_MODEL, ", which %s does not support; %suse %s", tr_culprit(s, trait, text),
                advice, remedy(s));
}

static trStatus refuse_redundant(const trSim *s, const trRank *rank) {
    tr_fail(TR_E_MODEL, "depends on the other %s (%d redundant row%s in all)", tr_word_for_rows(s),
            rank->dropped, rank->dropped == 1 ? "" : "s");
    add_remedy(s, TR_COPES_REDUNDANT, "free redundant directions, or ");
    return tr_blame_row(s, TR_E_MODEL, rank->rows[0]);
}

static trStatus refuse_nonholonomic(const trSim *s, int row) {
    tr_fail(TR_E_MODEL, "constrains velocities only (nonholonomic)");
    add_remedy(s, TR_COPES_NONHOLONOMIC, "");
    return tr_blame_row(s, TR_E_MODEL, row);
}

static trStatus refuse_mass(const trSim *s, int column, bool lost) {
    const trSpace *space = s->system->space;
    const trBody  *body = &s->system->body[column / space->nv];
    const trVec3   J = body->spatial.place.inertia;
    if (space == &tr_space_quaternion && fmin(J.x, fmin(J.y, J.z)) > 0.0) {  // e' e = 1 takes none
        tr_fail(TR_E_MODEL, "its mass matrix is singular in quaternion coordinates");
        add_remedy(s, TR_COPES_SINGULAR_MASS, "");
        tr_add_hint(TR_E_MODEL, ", or coordinates = \"body\"");
    } else {
        tr_fail(TR_E_MODEL, "%s has %s inertia of its own",
                tr_space_motion(space, column % space->nv), lost ? "next to no" : "no");
        add_remedy(s, TR_COPES_SINGULAR_MASS, "give it some, or ");
    }
    return tr_blame_body(TR_E_MODEL, body);
}

// A velocity without inertia of its own, or -1.
static int massless_column(trSim *s) {
    const trMass *M = &s->eval.equations.M;
    for (int i = 0; M->diagonal != NULL && i < M->n; i++) {
        if (!(M->diagonal[i] > 0.0)) {
            return i;
        }
    }
    if (M->dense == NULL) {
        return -1;
    }
    int column = -1;
    memcpy(s->methods.mass, M->dense, (size_t)M->n * (size_t)M->n * sizeof *s->methods.mass);
    trStatus status = tr_cholesky_factor(M->n, s->methods.mass, s->a, &column);
    return status == TR_OK ? tr_dense_free_column(M->n, s->methods.mass, s->a) : column;
}

// The turn of a body that is so nearly a point that its inertia is lost beside its mass and the
// arms of its joints, or -1.
static int lost_column(const trEquations *e) {
    const trRows *A = &e->A;
    for (int g = 0; e->M.diagonal != NULL && g < A->groups; g++) {
        for (int side = A->group_side[g]; side < A->group_side[g + 1]; side++) {
            for (int i = 0; i < A->group_row[g + 1] - A->group_row[g]; i++) {
                if (tr_share_of_turns(e, e->M.diagonal, side, i) > MOST_SHARE) {
                    return A->side_column[side] + A->side_width[side] - 1;
                }
            }
        }
    }
    return -1;
}

// The longest arm by which a turn moves a row beside a shift, and its row.
static double longest_arm(const trEquations *e, int *row) {
    const trRows *A = &e->A;
    double        longest = 0.0;
    for (int g = 0; g < A->groups; g++) {
        for (int side = A->group_side[g]; side < A->group_side[g + 1]; side++) {
            const double *entry = A->value + A->side_value[side];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                double shift = 0.0, turn = 0.0;
                for (int j = 0; j < A->side_width[side]; j++) {
                    bool    turns = tr_is_turn(e, side, A->side_column[side] + j);
                    double *most = turns ? &turn : &shift;
                    *most = fmax(*most, fabs(*entry++));
                }
                if (shift > 0.0 && turn / shift > longest) {
                    longest = turn / shift;
                    *row = i;
                }
            }
        }
    }
    return longest;
}

// With W = I the mobility of a row is 1 and the square of its arms: rows of the same joint look
// alike where arms are longer than 1 / rank_tolerance.
static trStatus check_units(const trSim *s) {
    const trEquations *e = &s->eval.equations;
    const bool         by_identity =
        s->methods.step == &s->methods.by_identity || s->methods.stage == &s->methods.by_identity;
    int    row = -1;
    double arm = by_identity ? longest_arm(e, &row) : 0.0;
    if (!(arm * e->rank_tolerance > 1.0)) {
        return TR_OK;
    }
    const bool stage = s->methods.stage == &s->methods.by_identity;
    tr_fail(TR_E_MODEL,
            "its arm is %.2g units of length; %s has W = I, which depends on units, and supports "
            "up to %.2g; choose a larger unit of length, or use %s",
            arm, stage ? "stage projection 'masarati_identity'" : "step projection 'direct'",
            1.0 / e->rank_tolerance, stage ? "method 'masarati'" : "method 'direct_mass'");
    return tr_blame_row(s, TR_E_MODEL, row);
}

trStatus tr_blame_nonlinear(const trSim *s, trStatus status) {
    const trSystem *system = s->system;
    int first = system->pattern.group_row[system->joints + system->norms];  // of recorded rows
    int row = first + system->traced->nonlinear_row;
    return tr_blame_joint(status, &system->joint[system->row_joint[row]]);
}

static trStatus check_rows(const trSim *s) {
    const trEquations *e = &s->eval.equations;
    for (int i = 0; (s->methods.traits & TR_COPES_NONHOLONOMIC) == 0 && i < s->m; i++) {
        if (!e->holonomic[i]) {
            return refuse_nonholonomic(s, i);
        }
    }
    if (e->nonlinear && s->methods.carry != NULL) {
        tr_fail(TR_E_MODEL,
                "stage_projection '%s' does not support constraints that are not linear in "
                "velocities; use direct_mass",
                s->def.stage_projection);
        return tr_blame_nonlinear(s, TR_E_MODEL);
    }
    return TR_OK;
}

trStatus tr_sim_check_fit(trSim *s, const trRank *rank) {
    s->methods.traits =
        tr_choice_traits(s->def.formulation, s->def.stabilization, s->def.stage_projection,
                         s->def.step_projection, s->def.integrator);
    TR_TRY(tr_eval_check_gears(&s->eval));
    if (rank->dropped > 0 && (s->methods.traits & TR_COPES_REDUNDANT) == 0) {
        return refuse_redundant(s, rank);
    }
    TR_TRY(check_rows(s));
    TR_TRY(check_units(s));
    if (s->eval.C != NULL && (s->methods.traits & TR_COPES_NONIDEAL) == 0) {
        char text[TR_AMOUNT];
        return tr_fail(TR_E_MODEL,
                       "forces of s:nonideal that use reactions are not supported by %s; use %s",
                       tr_culprit(s, TR_COPES_NONIDEAL, text), remedy(s));
    }
    if ((s->methods.traits & TR_COPES_SINGULAR_MASS) == 0) {
        int column = massless_column(s);
        int lost = column < 0 ? lost_column(&s->eval.equations) : -1;
        return column < 0 && lost < 0 ? TR_OK : refuse_mass(s, lost < 0 ? column : lost, lost >= 0);
    }
    return TR_OK;
}
