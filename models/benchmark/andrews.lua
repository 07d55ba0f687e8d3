-- SPDX-License-Identifier: MIT
-- A03 of the IFToMM library, Andrews' squeezing mechanism: seven bodies, ten pins, one degree of
-- freedom, driven by a constant torque against a spring. No gravity.
--
-- The seven angles of the Test Set give the angles of the bodies: beta, beta + theta, gamma,
-- phi + delta, delta, Omega + epsilon, epsilon. Each frame stands at the pin that comes first
-- from the ground.
-- Reference: Hairer and Wanner, Solving Ordinary Differential Equations II, VII.7.

local beta, theta = -0.0617138900142764496358948458001, 0
local gamma = 0.455279819163070380255912382449
local phi, delta = 0.222668390165885884674473185609, 0.487364979543842550225598953530
local omega, epsilon = -0.222668390165885884674473185609, 1.23054744454982119249735015568

-- Ground points and lengths [m].
local O, A = { 0, 0 }, { -0.06934, -0.00227 }
local B, C = { -0.03635, 0.03273 }, { 0.014, 0.072 }
local d, da, e, ea = 0.028, 0.0115, 0.02, 0.01421
local rr, ra, ss, sa, sb, sc, sd = 0.007, 0.00092, 0.035, 0.01874, 0.01043, 0.018, 0.02
local ta, tb, u, ua, ub = 0.02308, 0.00916, 0.04, 0.01228, 0.00449
local zf, zt, fa = 0.02, 0.04, 0.01421

local F = { rr * math.cos(beta), rr * math.sin(beta) }
local G = { A[1] + zt * math.cos(delta), A[2] + zt * math.sin(delta) }
local H = { A[1] + u * math.sin(epsilon), A[2] - u * math.cos(epsilon) }

local m = model { name = "Andrews' squeezer", gravity = { 0, 0 } }

local K1 = m:body {
    name = "K1", mass = 0.04325, inertia = 2.194e-6, at = O, angle = beta, com = { ra, 0 },
}
local K2 = m:body {
    name = "K2", mass = 0.00365, inertia = 4.410e-7, at = F, angle = beta + theta,
    com = { -da, 0 },
}
local K3 = m:body {
    name = "K3", mass = 0.02373, inertia = 5.255e-6, at = B, angle = gamma, com = { sb, -sa },
}
local K4 = m:body {
    name = "K4", mass = 0.00706, inertia = 5.667e-7, at = G, angle = phi + delta,
    com = { 0, ea - e },
}
local K5 = m:body {
    name = "K5", mass = 0.07050, inertia = 1.169e-5, at = A, angle = delta, com = { ta, tb },
}
local K6 = m:body {
    name = "K6", mass = 0.00706, inertia = 5.667e-7, at = H, angle = omega + epsilon,
    com = { zf - fa, 0 },
}
local K7 = m:body {
    name = "K7", mass = 0.05498, inertia = 1.912e-5, at = A, angle = epsilon, com = { -ub, -ua },
}

m:joint { "revolute", name = "O", m.ground, K1, point1 = O, point2 = { 0, 0 } }
m:joint { "revolute", name = "F", K1, K2, point1 = { rr, 0 }, point2 = { 0, 0 } }
m:joint { "revolute", name = "B", m.ground, K3, point1 = B, point2 = { 0, 0 } }
m:joint { "revolute", name = "A5", m.ground, K5, point1 = A, point2 = { 0, 0 } }
m:joint { "revolute", name = "A7", m.ground, K7, point1 = A, point2 = { 0, 0 } }
m:joint { "revolute", name = "G", K5, K4, point1 = { zt, 0 }, point2 = { 0, 0 } }
m:joint { "revolute", name = "H", K7, K6, point1 = { 0, -u }, point2 = { 0, 0 } }
m:joint { "revolute", name = "E2", K3, K2, point1 = { 0, -ss }, point2 = { -d, 0 } }
m:joint { "revolute", name = "E4", K3, K4, point1 = { 0, -ss }, point2 = { 0, -e } }
m:joint { "revolute", name = "E6", K3, K6, point1 = { 0, -ss }, point2 = { zf, 0 } }

m:force { "torque", name = "motor", m.ground, K1, moment = 0.033 }
m:force {
    "spring", name = "spring", m.ground, K3, point1 = C, point2 = { sd, -sc },
    stiffness = 4530, length = 0.07785,
}

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 0.05 }
return m
