-- SPDX-License-Identifier: MIT
-- A mass of 2 kg falls against drag, v' = -9.81 - v/2, so that v = -19.62 (1 - exp(-1/2)) after 1 s.
-- A torque of 3 N m turns it, and with it a carrier that is kept parallel, both of 1 kg m^2: after
-- 1 s their angle is 3/4 rad.
local m = model { name = "extended", gravity = { 0, -9.81 } }
local carrier = m:body { name = "carrier", mass = 1, inertia = 1 }
local mass = m:body { name = "mass", mass = 2, inertia = 1 }
m:joint { "parallel", name = "keel", carrier, mass }
m:force { "drag", name = "air", mass, coefficient = 1 }
m:force { "torque", name = "wind", m.ground, mass, moment = 3 }
m:simulate { formulation = "gauss", integrator = "heun", step = 1e-3, duration = 1 }
return m
