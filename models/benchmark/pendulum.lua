-- SPDX-License-Identifier: MIT
-- A01 of the IFToMM library: a point mass of 1 kg on a massless rod of 1 m, released from the
-- horizontal. The body is rod and bob together: its frame stands at the pivot, x points along the
-- rod. A point mass has no inertia of its own, so the mass matrix is singular; the pivot makes the
-- motion determinate.
--
--     angle = theta - pi/2, theta from the downward vertical;  period 2.36784194757623745 s

local m = model { name = "pendulum", gravity = { 0, -9.81 } }

local rod = m:body {
    name = "rod", mass = 1, inertia = 0, at = { 0, 0 }, angle = -math.pi, com = { 1, 0 },
}
m:joint { "revolute", name = "pivot", m.ground, rod, point = { 0, 0 } }

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return m
