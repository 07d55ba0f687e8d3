-- SPDX-License-Identifier: MIT
-- Three parallel cranks of 1 m and 1 kg stand on the ground at x = 0, 1 and 2.5 m and carry one
-- coupler of 2.5 m and 3 kg: 12 rows of rank 11. Released at rest.
--
--     --set angle=1     the cranks start above the ground and pass the flat position

local angle = parameter("angle", -1)  -- of the cranks at the start, from x [rad]

local m = model { name = "redundant triple crank", gravity = { 0, -9.81 } }

local c, s = math.cos(angle), math.sin(angle)
local pivots, cranks = { 0, 1, 2.5 }, {}
for i, x in ipairs(pivots) do
    cranks[i] = m:body {
        name = "crank" .. i, mass = 1, inertia = 1 / 12, at = { x, 0 }, angle = angle,
        com = { 0.5, 0 },
    }
end
local coupler = m:body {
    name = "coupler", mass = 3, inertia = 1, at = { c, s }, com = { 1.25, 0 },
}
for i, x in ipairs(pivots) do
    m:joint {
        "revolute", name = "pivot" .. i, m.ground, cranks[i], point1 = { x, 0 }, point2 = { 0, 0 },
    }
    m:joint {
        "revolute", name = "pin" .. i, cranks[i], coupler, point1 = { 1, 0 }, point2 = { x, 0 },
    }
end

m:simulate { integrator = "rk4", step = 5e-3, duration = 3 }
return m
