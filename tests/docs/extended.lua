-- SPDX-License-Identifier: MIT
-- A mass that falls without turning, against drag: v' = -9.81 - v/2, so that after 1 s
-- v = -19.62 (1 - exp(-1/2)) = -7.7198704.
local m = model { name = "extended", gravity = { 0, -9.81 } }
local mass = m:body { name = "mass", mass = 2, inertia = 1 }
m:joint { "parallel", name = "keel", m.ground, mass }
m:force { "drag", name = "air", mass, coefficient = 1 }
m:force { "torque", name = "wind", m.ground, mass, moment = 3 }
m:simulate { formulation = "udwadia_kalaba", integrator = "heun", step = 1e-3, duration = 1 }
return m
