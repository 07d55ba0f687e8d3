-- SPDX-License-Identifier: MIT
-- The same in space, implicitly: a mass of 2 kg falls against drag, v' = -9.81 - v/2, so that
-- v = -19.62 (1 - exp(-1/2)) after 1 s. A torque of 3 N m about an axis across the frames turns it,
-- and with it a carrier that keeps its orientation, both of 1 kg m^2: after 1 s by 3/4 rad.
local m = model { name = "extended", dim = 3, gravity = { 0, 0, -9.81 } }
local ball = { 1, 1, 1 }
local carrier = m:body { name = "carrier", mass = 1, inertia = ball, rotation = { 0.3, -0.2, 0.5 } }
local mass = m:body { name = "mass", mass = 2, inertia = ball, at = { 1, 0, 0 } }
m:joint { "orientation", name = "keel", carrier, mass }
m:force { "drag", name = "air", mass, coefficient = 1 }
m:force { "torque", name = "wind", m.ground, mass, mx = 3 * 0.6, mz = 3 * 0.8 }
m:simulate { integrator = "generalized_alpha", step = 1e-3, duration = 1 }
return m
