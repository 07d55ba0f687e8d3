-- SPDX-License-Identifier: MIT
-- A knife edge on a plane inclined by 30 degrees, x down the slope: it moves along its own x axis
-- only, a nonholonomic constraint. It turns at 1 rad/s and starts at rest at the origin. It
-- wanders sideways on a cycloid and never slides down.
--
--     x = a sin(t)^2 / 2,   y = a (t - sin(2 t) / 2) / 2,   a = g sin(30 degrees)

local m = model { name = "knife edge", gravity = { 9.81 / 2, 0 } }

local blade = m:body { name = "blade", mass = 1, inertia = 1, at = { 0, 0 }, angular_velocity = 1 }
m:joint { "knife_edge", name = "edge", m.ground, blade, point = { 0, 0 }, axis = { 1, 0 } }

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return m
