-- SPDX-License-Identifier: MIT
-- The slider crank of the Test Set for IVP Solvers with a rigid rod: the crank turns at 150 rad/s,
-- so nothing is left free. No gravity.
--
-- The Test Set gives the inertia of the crank about its pivot and that of the rod about the crank
-- pin; both are moved to the centers of mass, at mid-length. The slider does not turn and has no
-- inertia.

local m = model { name = "driven slider crank", gravity = { 0, 0 } }

local Omega = 150            -- [rad/s]
local l1, l2 = 0.15, 0.30    -- [m]
local m1, m2, m3 = 0.36, 0.151104, 0.075552
local J1, J2 = 0.002727, 0.0045339259

local crank = m:body {
    name = "crank", mass = m1, inertia = J1 - m1 * (l1 / 2) ^ 2, at = { 0, 0 },
    com = { l1 / 2, 0 }, angular_velocity = Omega,
}
local rod = m:body {
    name = "rod", mass = m2, inertia = J2 - m2 * (l2 / 2) ^ 2, at = { l1, 0 },
    com = { l2 / 2, 0 }, velocity = { 0, l1 * Omega }, angular_velocity = -Omega * l1 / l2,
}
local slider = m:body { name = "slider", mass = m3, inertia = 0, at = { l1 + l2, 0 } }

m:joint { "revolute", name = "pivot", m.ground, crank, point = { 0, 0 } }
m:joint { "revolute", name = "crankpin", crank, rod, point = { l1, 0 } }
m:joint { "revolute", name = "wristpin", rod, slider, point = { l1 + l2, 0 } }
m:joint { "prismatic", name = "guide", m.ground, slider, axis = { 1, 0 } }
m:joint {
    "driven_angle", name = "motor", m.ground, crank, angle = function(t) return Omega * t end,
}

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 0.1 }
return m
