// SPDX-License-Identifier: MIT
// DOP853: Dormand and Prince's method of order eight as Hairer, Norsett and Wanner made it.
//
//     e5 = sum_j e_1j k_j,   e3 = sum_j e_2j k_j               (of orders five and three)
//     error = |h| |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2)          (it behaves as h^8)
//
// with norms as in tr_error_norm. The continuous extension, of order seven, needs the slope at the
// end, k_13, and three further stages. In print e_2 is b - bhh, and d_ij begins with i = 4.
//
// Reference: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.5 and II.6.

#include <math.h>

#include "integrator/runge_kutta.h"

static const trRungeKuttaTable table = {
    .stages = 12,
    .all = 16,
    .vectors = 8,
    .c = {0, 0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726,
          0.3333333333333333, 0.25, 0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571,
          1, 1, 0.1, 0.2, 0.7777777777777778},
    .a = {[2] = {0, 0.05260015195876773},
          [3] = {0, 0.0197250569845379, 0.0591751709536137},
          [4] = {0, 0.02958758547680685, 0, 0.08876275643042054},
          [5] = {0, 0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792},
          [6] = {0, 0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242},
          [7] = {0, 0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
          [8] = {0, 0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328,
                 -0.015319437748624402, 0.008273789163814023},
          [9] = {0, 0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726,
                 27.59209969944671, 20.154067550477894, -43.48988418106996},
          [10] = {0, 0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843,
                  21.230051448181193, 15.279233632882423, -33.28821096898486,
                  -0.020331201708508627},
          [11] = {0, -0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295,
                  -8.149787010746927, -18.52006565999696, 22.739487099350505, 2.4936055526796523,
                  -3.0467644718982196},
          [12] = {0, 2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625,
                  -17.9589318631188, 27.94888452941996, -2.8589982771350235, -8.87285693353063,
                  12.360567175794303, 0.6433927460157636},
          [14] = {0, 0.056167502283047954, 0, 0, 0, 0, 0, 0.25350021021662483, -0.2462390374708025,
                  -0.12419142326381637, 0.15329179827876568, 0.00820105229563469,
                  0.007567897660545699, -0.008298},
          [15] = {0, 0.03183464816350214, 0, 0, 0, 0, 0.028300909672366776, 0.053541988307438566,
                  -0.05492374857139099, 0, 0, -0.00010834732869724932, 0.0003825710908356584,
                  -0.00034046500868740456, 0.1413124436746325},
          [16] = {0, -0.42889630158379194, 0, 0, 0, 0, -4.697621415361164, 7.683421196062599,
                  4.06898981839711, 0.3567271874552811, 0, 0, 0, -0.0013990241651590145,
                  2.9475147891527724, -9.15095847217987}},
    .b = {0, 0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003,
          -5.801203960010585, 0.3111643669578199, -0.1521609496625161, 0.20136540080403034,
          0.04471061572777259},
    .divisor = 1,
    .terms = 4,
    .d = {{0, -8.428938276109013, 0, 0, 0, 0, 0.5667149535193777, -3.0689499459498917,
           2.38466765651207, 2.117034582445028, -0.871391583777973, 2.2404374302607883,
           0.6315787787694688, -0.08899033645133331, 18.148505520854727, -9.194632392478356,
           -4.436036387594894},
          {0, 10.427508642579134, 0, 0, 0, 0, 242.28349177525817, 165.20045171727028,
           -374.5467547226902, -22.113666853125306, 7.733432668472264, -30.674084731089398,
           -9.332130526430229, 15.697238121770845, -31.139403219565178, -9.35292435884448,
           35.81684148639408},
          {0, 19.985053242002433, 0, 0, 0, 0, -387.0373087493518, -189.17813819516758,
           527.8081592054236, -11.57390253995963, 6.8812326946963, -1.0006050966910838,
           0.7777137798053443, -2.778205752353508, -60.19669523126412, 84.32040550667716,
           11.99229113618279},
          {0, -25.69393346270375, 0, 0, 0, 0, -154.18974869023643, -231.5293791760455,
           357.6391179106141, 93.40532418362432, -37.45832313645163, 104.0996495089623,
           29.8402934266605, -43.53345659001114, 96.32455395918828, -39.17726167561544,
           -149.72683625798564}},
    .e = {{0, 0.01312004499419488, 0, 0, 0, 0, -1.2251564463762044, -0.4957589496572502,
           1.6643771824549864, -0.35032884874997366, 0.3341791187130175, 0.08192320648511571,
           -0.022355307863886294},
          {0, 0.054293734116568765 - 0.2440944881889764, 0, 0, 0, 0, 4.450312892752409,
           1.8915178993145003, -5.801203960010585, 0.3111643669578199 - 0.7338466882816118,
           -0.1521609496625161, 0.20136540080403034, 0.04471061572777259 - 0.022058823529411766}},
};

static trStatus plan(trArena *arena, int nx, const trTolerance *tolerance, void **work) {
    return tr_runge_kutta_plan(arena, nx, tolerance, &table, work);
}

static double error_of(const trRungeKutta *w, const trOde *ode, double h, const double *x,
                       const double *x_new) {
    const trTolerance *tolerance = &w->tolerance;
    const double      *e5 = w->dense[0], *e3 = w->dense[1];
    double             most = 0.0;
    for (int k = 0; k < 2; k++) {  // dense output is not ready yet: its memory is free
        tr_runge_kutta_sum(w, table.e[k], w->dense[k]);
    }
    for (int g = 0; g < tr_error_groups(ode); g++) {
        trErrorGroup group = tr_error_group(ode, g);
        double       sum5 = 0.0, sum3 = 0.0;
        for (int k = 0; k < group.count; k++) {
            int    i = tr_error_component(&group, k);
            double scale = tolerance->atol + tolerance->rtol * fmax(fabs(x[i]), fabs(x_new[i]));
            scale /= ode->weight == NULL ? 1.0 : ode->weight[i];
            sum5 += (e5[i] / scale) * (e5[i] / scale);
            sum3 += (e3[i] / scale) * (e3[i] / scale);
        }
        double denominator = sum5 + 0.01 * sum3;
        // Without slopes, at an equilibrium, there is no error and no quotient.
        double error = denominator == 0.0 ? 0.0 : fabs(h) * sum5 / sqrt(group.count * denominator);
        most = error <= most ? most : error;  // what is not a number stays
    }
    return most;
}

static trStatus attempt(void *work, const trOde *ode, double t, double h, const double *x,
                        double *x_new, double *error) {
    TR_TRY(tr_runge_kutta_advance(work, ode, t, h, x, x_new));
    *error = error_of(work, ode, h, x, x_new);
    return tr_runge_kutta_check(*error);
}

static trStatus prepare_dense(void *work, const trOde *ode, double t, double h, const double *x,
                              const double *x_new) {
    static const int range[2] = {14, 16};
    trRungeKutta    *w = work;
    TR_TRY(ode->rhs(ode->context, t + h, x_new, w->k[13]));
    TR_TRY(tr_runge_kutta_stages(w, ode, t, h, x, range, w->dense[4]));  // y stays of stage 12
    tr_runge_kutta_prepare(w, h, x, x_new, w->k[13]);
    return TR_OK;
}

const trIntegratorKind tr_integrator_dop853 = {
    .name = "dop853",
    .summary = "Dormand-Prince 8(5,3), adaptive step",
    .source = "Hairer, Norsett & Wanner 1993, II.5",
    .traits = TR_COPES_ALL,
    .order = 8,
    .error_order = 8,
    .dense_order = 8,
    .evaluations = 12,
    .plan = plan,
    .begin = tr_runge_kutta_begin,
    .attempt = attempt,
    .prepare_dense = prepare_dense,
    .interpolate = tr_runge_kutta_interpolate,
    .slope = tr_runge_kutta_slope,
    .last_stage = tr_runge_kutta_last_stage,
    .stable = 6.1,
};
