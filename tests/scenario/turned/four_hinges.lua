-- SPDX-License-Identifier: MIT
-- A plane four-bar of bodies in space, with four parallel hinges: 20 rows of rank 17.
local m = model { name = "four hinges", dim = 3, gravity = { 0, -9.81, 0 } }

local P = { { 0, 0, 0 }, { 0.4, 0.9, 0 }, { 1.7, 1.3, 0 }, { 1.5, 0, 0 } }
local previous = m.ground
for i = 1, 3 do
    local p, q = P[i], P[i + 1]
    local bar = m:body {
        name = "bar" .. i, mass = 1, inertia = { 0.02, 0.09, 0.1 },
        at = { (p[1] + q[1]) / 2, (p[2] + q[2]) / 2, 0 },
    }
    m:joint { "revolute", name = "hinge" .. i, previous, bar, point = p, axis = { 0, 0, 1 } }
    previous = bar
end
m:joint { "revolute", name = "hinge4", previous, m.ground, point = P[4], axis = { 0, 0, 1 } }

m:simulate { duration = 2 }
return m
