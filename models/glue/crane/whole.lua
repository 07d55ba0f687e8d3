-- SPDX-License-Identifier: MIT
-- The crane of crane.lua as one ordinary model, to compare with:
--
--     trammel run models/glue/crane/whole.lua

local travel, time = parameter("travel", 6), parameter("time", 4) -- of the trolley [m, s]
local g = 9.81 -- [m/s^2]
local N, L, mass = 6, 2, 8 -- rods of the rope [m, kg]
local start, ballast = 8, 8000 -- of the trolley on the outer jib [m]; [kg]
local hanging = 400 + N * mass + 4000 -- [kg]

local m = model { name = "crane in one piece", gravity = { 0, -g } }

-- The tower.
local mast = m:body { name = "mast", mass = 12000, inertia = 1.3e6, com = { 0, 16 } }
local weight = m:body { name = "counterweight", mass = ballast, inertia = 8000, at = { -10, 30 } }
m:joint { "revolute", name = "foot", m.ground, mast, point = { 0, 0 } }
m:joint { "fixed", name = "counterjib", mast, weight, point = { -10, 30 } }
m:force {
    "torsion_spring", name = "foundation", m.ground, mast, stiffness = 2e9, damping = 2e7,
    angle = g * (1600 * 10 + 1200 * 30 + hanging * (20 + start) - ballast * 10) / 2e9,
}

-- The jib.
local inner = m:body {
    name = "inner", mass = 1600, inertia = 54000, at = { 0, 30 }, com = { 10, 0 },
}
local outer = m:body {
    name = "outer", mass = 1200, inertia = 40000, at = { 20, 30 }, com = { 10, 0 },
}
m:joint { "revolute", name = "splice", inner, outer, point = { 20, 30 } }
m:force {
    "torsion_spring", name = "splice spring", inner, outer, stiffness = 2e8, damping = 4e6,
    angle = g * (1200 * 10 + hanging * start) / 2e8,
}
m:joint { "revolute", name = "pin", mast, inner, point = { 0, 30 } }
m:joint { "distance", name = "tie bar", mast, inner, point1 = { 0, 36 }, point2 = { 18, 0 } }

-- The trolley.
local trolley = m:body { name = "trolley", mass = 400, inertia = 60, at = { 20 + start, 30 } }
m:joint { "prismatic", name = "rail", outer, trolley, axis1 = { 1, 0 } }
m:joint {
    "driven_coordinate", name = "winch", outer, trolley,
    value = function(t)
        local s = t / time
        return where(less(s, 1), start + travel * (s - sin(2 * math.pi * s) / (2 * math.pi)), start + travel)
    end,
}

-- The rope and the load.
local above, x, y = trolley, 20 + start, 29.5
for i = 1, N do
    local rod = m:body {
        name = "rod" .. i, mass = mass, inertia = mass * L ^ 2 / 12, at = { x, y - (i - 1) * L },
        com = { 0, -L / 2 },
    }
    m:joint { "revolute", name = "hinge" .. i - 1, above, rod, point = { x, y - (i - 1) * L } }
    above = rod
end
local load = m:body { name = "load", mass = 4000, inertia = 14000, at = { x, y - N * L - 1.5 } }
m:joint { "revolute", name = "hook", above, load, point = { x, y - N * L } }

m:simulate { duration = 6, output_step = 0.05, integrator = "rk4", step = 1e-3 }
return m
