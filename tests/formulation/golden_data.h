// SPDX-License-Identifier: MIT
// Test points of small systems with 17 digits: state, M, Q, A, b, b1, accelerations and
// constraint forces (solved with 40 digits), and projections of a disturbed state with W = I and
// W = M. Of M and A the entries that are not zero are listed; X_at holds their places, row after
// row. b1 is left out where it is zero, phi because it is zero
// (to rounding) everywhere.

#ifndef TR_TESTS_GOLDEN_DATA_H
#define TR_TESTS_GOLDEN_DATA_H

// pendulum
static const double pendulum_q[] = {0.9999076303181993, 0.013591572074018022};
static const double pendulum_v[] = {0.0021484435477708286, -0.1580571463716503};
static const double pendulum_Q[] = {0.0, -9.81};
static const double pendulum_b[] = {-0.024986677328827252};
static const double pendulum_a[] = {0.10833663677219285, -9.808527398769348};
static const double pendulum_Fc[] = {0.10833663677219285, 0.0014726012306530653};
static const double pendulum_q_unproj[] = {0.9996096608070928, 0.013064187880984597};
static const double pendulum_v_unproj[] = {0.00784570712349043, -0.15861779076210647};
static const double pendulum_q_proj_I[] = {0.9999146077771082, 0.013068173321168119};
static const double pendulum_v_proj_I[] = {0.002074007644209677, -0.15869322277256645};
static const double pendulum_q_proj_M[] = {0.9999146077771082, 0.013068173321168119};
static const double pendulum_v_proj_M[] = {0.002074007644209677, -0.15869322277256645};
static const int    pendulum_M_at[] = {0, 3};
static const double pendulum_M[] = {1.0, 1.0};
static const int    pendulum_A_at[] = {0, 1};
static const double pendulum_A[] = {0.9999076303181994, 0.013591572074018024};

// dp3
static const double dp3_q[] = {1.019823461717845,  -0.005951942253942423, 0.007177410185370411,
                               0.9990854570906026, -0.005951942253942423, -1.4926792280184549};
static const double dp3_v[] = {0.19883020287744824,   0.7456174109197118, 0.2258623760084894,
                               -0.060430750843284683, 0.7456174109197119, 0.22944708852098844};
static const double dp3_Q[] = {-0.019883020287744826, -0.07456174109197118, -19.64258623760085,
                               0.006043075084328469,  -0.0745617410919712,  -29.452944708852097};
static const double dp3_b1[] = {0.19600479460251685, 0.0, 0.0};
static const double dp3_b[] = {-0.6864313489644198, -0.06722909228798128, 0.0};
static const double dp3_a[] = {-0.6159825964377476,  -0.0283823437408504, -9.842611523564509,
                               0.002170784821033921, -0.0283823437408504, -9.806334840032774};
static const double dp3_Fc[] = {-1.2120821725877502,    0.017797053610270383,  -0.04263680952816733,
                                0.00046927937877329324, -0.010585290130580004, 0.03394018875377619};
static const double dp3_q_unproj[] = {1.0189531210758977,    -0.007466325757673818,
                                      0.007572392048119941,  0.9984148912669147,
                                      -0.007872282844060451, -1.4934932816824003};
static const double dp3_v_unproj[] = {0.19415422728852078, 0.7336853861453891,
                                      0.21093773716785907, -0.060064372573836636,
                                      0.7545899034869894,  0.22711576774138387};
static const double dp3_q_proj_I[] = {1.0198132309582308,    -0.007672549420843058,
                                      0.0069665876882099255, 0.9984232704399681,
                                      -0.007672549420843058, -1.4928808944208969};
static const double dp3_v_proj_I[] = {0.20020971822504308, 0.7441147529045322,
                                      0.21719096680987537, -0.06015295966725674,
                                      0.7441147529045322,  0.22090410929067883};
static const double dp3_q_proj_M[] = {1.019813769478196,     -0.007712502708317286,
                                      0.0068440980578867204, 0.9984215948711579,
                                      -0.007712502708317286, -1.4930033524735271};
static const double dp3_v_proj_M[] = {0.20027371171164685, 0.7462095449148516,
                                      0.21843250609315282, -0.06013524599007666,
                                      0.7462095449148516,  0.22214669308624885};
static const int    dp3_M_at[] = {0, 7, 14, 21, 28, 35};
static const double dp3_M[] = {2.0, 2.0, 2.0, 3.0, 3.0, 3.0};
static const int    dp3_A_at[] = {0, 1, 2, 6, 8, 9, 11, 13, 16};
static const double dp3_A[] = {0.9999565286383388,
                               -0.005951942253942423,
                               0.007177410185370411,
                               0.0207380046272424,
                               1.4998566382038252,
                               -0.0207380046272424,
                               -1.4998566382038252,
                               -1.0,
                               1.0};

// knife
static const double knife_q[] = {-0.007435960295088449, 0.003849938087479083, 0.007172358071943838};
static const double knife_v[] = {-0.08882662404526716, -0.0006371072788559085, 2.312862642974886};
static const double knife_Q[] = {4.5, 0.0, 0.0};
static const double knife_b[] = {0.2054490648626105};
static const double knife_a[] = {3.001319216110232, -0.18392744416367002, 0.0};
static const double knife_Fc[] = {0.001978824165348013, -0.275891166245505, 0.0};
static const double knife_q_unproj[] = {-0.007642916731296773, 0.0030364225454975104,
                                        0.007520008670459348};
static const double knife_v_unproj[] = {-0.08635116663563869, 0.010351020405288177,
                                        2.300016835186833};
static const double knife_q_proj_I[] = {-0.007642916731296773, 0.0030364225454975104,
                                        0.007520008670459348};
static const double knife_v_proj_I[] = {-0.08626844669477056, -0.0006487516962620146,
                                        2.300016835186833};
static const double knife_q_proj_M[] = {-0.007642916731296773, 0.0030364225454975104,
                                        0.007520008670459348};
static const double knife_v_proj_M[] = {-0.08626844669477056, -0.0006487516962620146,
                                        2.300016835186833};
static const int    knife_M_at[] = {0, 4, 8};
static const double knife_M[] = {1.5, 1.5, 0.4};
static const int    knife_A_at[] = {0, 1};
static const double knife_A[] = {0.007172296577833631, -0.9999742787501085};

// parjoint
static const double parjoint_q[] = {1.565597326139184, 4.717587981040403, -1.5759953274506098};
static const double parjoint_v[] = {6.169169338302154, -6.169169338302153, 6.169169338302153};
static const double parjoint_Q[] = {1141.5440791182948, 1141.7440791182948,
                                    -1.0781138190313648e-13};
static const double parjoint_b[] = {-2.1593837828959295e-14, 0.0};
static const double parjoint_a[] = {-0.007407407407403189, 0.007407407407403131,
                                    -0.007407407407424725};
static const double parjoint_Fc[] = {-1141.745234446569, -1141.7341233354582, 0.011111111111137018};
static const double parjoint_q_unproj[] = {1.5669829732136802, 4.718409905377063,
                                           -1.5753679509717742};
static const double parjoint_v_unproj[] = {6.173186409216564, -6.159612642657667,
                                           6.155849539906722};
static const double parjoint_q_proj_I[] = {1.5659941205166212, 4.717191186662965,
                                           -1.5755985330731714};
static const double parjoint_v_proj_I[] = {6.162882863926983, -6.162882863926985,
                                           6.162882863926985};
static const double parjoint_q_proj_M[] = {1.5669147360198517, 4.716270571159735,
                                           -1.5746779175699417};
static const double parjoint_v_proj_M[] = {6.173454012341341, -6.173454012341341,
                                           6.173454012341341};
static const int    parjoint_M_at[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const double parjoint_M[] = {89.31193863407518,   60.603979544691725, -1.5519897723458644,
                                    60.603979544691725,  65.39602045530827,  3.4480102276541356,
                                    -1.5519897723458644, 3.4480102276541356, 3.5};
static const int    parjoint_A_at[] = {0, 1, 2, 3, 4, 5};
static const double parjoint_A[] = {4.440892098500626e-16, 0.999986485226533,
                                    0.9999864852265326,    1.9999999999999996,
                                    1.9948010227654134,    -0.005198977234586702};

// quat
static const double quat_q[] = {0.9999786468832933, -0.0016523768247859606, -0.004978649082880219,
                                0.003897240253852791};
static const double quat_v[] = {0.0026872162479689957, 0.3243899155457754, 0.6014132076957825,
                                0.2163276501130436};
static const double quat_Q[] = {7.742107350740261, -1.0442916677159713, 1.0861336194868865,
                                -1.5497886408766242};
static const double quat_b[] = {-0.5137315370333205};
static const double quat_a[] = {-0.5129332263006466, -0.25778397314496115, 0.14274050220417372,
                                -0.13459905322403815};
static const double quat_Fc[] = {-7.732055112143022, 0.012776541494254575, 0.03849601110266798,
                                 -0.030134319889701524};
static const double quat_q_unproj[] = {0.9992159506464425, -0.002386659011056227,
                                       -0.005176092067741957, 0.003333855666117525};
static const double quat_v_unproj[] = {0.005598468202951901, 0.318648267781125, 0.5907184321905933,
                                       0.20786962202925346};
static const double quat_q_proj_I[] = {0.9999781651563072, -0.0023884795846040663,
                                       -0.005180040455951609, 0.0033363987732014998};
static const double quat_v_proj_I[] = {0.0031276704995017736, 0.3186541693598574,
                                       0.5907312313021222, 0.20786137828282594};
static const int    quat_M_at[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const double quat_M[] = {
    0.0003914787493630781, 0.006686978132025542,  0.03977682450983377,   -0.04679879084497497,
    0.006686978132025542,  4.000248128103224,     -0.015687347394866786, -0.039776824509833775,
    0.03977682450983377,   -0.015687347394866786, 7.999751871896776,     0.006686978132025541,
    -0.04679879084497497,  -0.039776824509833775, 0.006686978132025542,  11.999608521250638};
static const int    quat_A_at[] = {0, 1, 2, 3};
static const double quat_A[] = {0.9999786468832933, -0.0016523768247859606, -0.004978649082880219,
                                0.003897240253852791};

// heli
static const double heli_q[] = {-0.002233053731031384, -0.03729092394054136};
static const double heli_v[] = {-0.25240376613684107, -1.245120622981557};
static const double heli_Q[] = {11350.906757294922, 5.526646979150263};
static const double heli_b1[] = {-0.26145733437916757};
static const double heli_b[] = {12.09559527985442};
static const double heli_a[] = {27.24377357423219, 53.708802897482};
static const double heli_Fc[] = {-0.2506621739231966, -1.0022674620281786};
static const double heli_q_unproj[] = {-0.0018928738021568563, -0.03599564414912258};
static const double heli_v_unproj[] = {-0.2470598684381131, -1.2486319486399335};
static const double heli_q_proj_I[] = {-0.0022177767099456043, -0.03729474465334212};
static const double heli_v_proj_I[] = {-0.24654796694160688, -1.2465851263455328};
static const double heli_q_proj_M[] = {-0.001893013587873794, -0.037375968690647764};
static const double heli_v_proj_M[] = {-0.24705964819138013, -1.2464571576253138};
static const int    heli_M_at[] = {0, 1, 2, 3};
static const double heli_M[] = {416.67, -0.01875, -0.01875, 0.09375};
static const int    heli_A_at[] = {0, 1};
static const double heli_A[] = {0.049982356515158956, 0.1998534075826909};

#endif
