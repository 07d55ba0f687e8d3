// SPDX-License-Identifier: MIT
// M and A of a rod that hangs from a pin, read at a state, and what they give: the inertia about
// the pin, the reaction there, and the frequency of small oscillations.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <trammel/eval.h>

static void need(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "%s: %s\n", tr_status_text(status), tr_last_error());
        exit(1);
    }
}

// A rod of 1 m and 2 kg, hanging down.
static trModel *describe(void) {
    trModel *model = NULL;
    int      rod = 0;
    need(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, -9.81)), &model));
    need(tr_model_add_body(model, "rod",
                           TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 2.0 / 12.0),
                                     TR_VEC("at", 0.0, -0.5), TR_NUM("angle", -acos(0.0))),
                           &rod));
    need(tr_model_add_joint(model, "revolute", "pin", TR_GROUND, rod,
                            TR_PARAMS(TR_VEC("point", 0.0, 0.0)), NULL));
    return model;
}

// u' B u, with B 3 x 3.
static double form(const double *u, const double *B) {
    double sum = 0.0;
    for (int i = 0; i < 9; i++) {
        sum += u[i / 3] * B[i] * u[i % 3];
    }
    return sum;
}

int main(void) {
    trModel  *model = describe();
    trSystem *system = NULL;
    trEval   *e = NULL;
    double    M[9], A[6], K[9], a[3], lambda[2];
    need(tr_system_build(model, &system));
    need(tr_eval_create(system, &e));

    need(tr_eval_at(e, 0.0, NULL, NULL, NULL));  // where the model starts, at rest
    tr_eval_dense_M(e, M);
    tr_eval_dense_A(e, A);
    for (int i = 0; i < tr_system_m(system); i++) {
        const trRowInfo row = tr_system_row(system, i);
        printf("%s [%s]: %g %g %g\n", row.name, row.unit, A[3 * i], A[3 * i + 1], A[3 * i + 2]);
    }
    const double u[3] = {0.5, 0.0, 1.0};  // the motion that A leaves free: A u = 0
    printf("inertia about the pin: %.12g kg m^2\n", form(u, M));

    need(tr_eval_solve(e, NULL, NULL, a, lambda));
    printf("the pin carries: %.12g N\n", tr_eval_reaction(e, 0, lambda).fy);

    const trLinearization wanted = {.K = K};
    need(tr_eval_linearize(e, a, lambda, &wanted));
    printf("frequency: %.12g Hz\n", sqrt(form(u, K) / form(u, M)) / (4.0 * acos(0.0)));

    tr_eval_destroy(e);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return 0;
}
