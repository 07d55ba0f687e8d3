-- SPDX-License-Identifier: MIT
-- A chain of N uniform rods of 1 m and 1 kg, pinned to each other and to the ground, horizontal
-- and at rest at the start. For N = 10 the free end is at (7.5272290156, -4.9062623197) after 1 s.

local N = parameter("N", 10)

local m = model { name = "chain", gravity = { 0, -9.81 } }

local previous = m.ground
for i = 1, N do
    local rod = m:body {
        name = "rod" .. i, mass = 1, inertia = 1 / 12, at = { i - 1, 0 }, com = { 0.5, 0 },
    }
    m:joint { "revolute", name = "pin" .. i, previous, rod, point = { i - 1, 0 } }
    previous = rod
end

m:simulate { integrator = "dop853", rtol = 1e-8, atol = 1e-8, duration = 1 }
return m
