-- SPDX-License-Identifier: MIT
-- Three parallel cranks of 1 m and 1 kg hang from the ground and carry one bar of 2 m and 2 kg:
-- 12 joint equations of rank 11. Released at rest from 1 rad. Motion and accelerations are unique,
-- the pin forces are not.
--
--     theta'' = -11.445 sin(theta), theta from the downward vertical;  period 1.98045658677646 s

local m = model { name = "redundant parallelogram", gravity = { 0, -9.81 } }

local theta = 1
local x, y = math.sin(theta), -math.cos(theta)

local coupler = m:body {
    name = "coupler", mass = 2, inertia = 2 / 3, at = { x, y }, com = { 1, 0 },
}
for i = 0, 2 do
    local crank = m:body {
        name = "crank" .. i, mass = 1, inertia = 1 / 12, at = { i, 0 }, angle = theta - math.pi / 2,
        com = { 0.5, 0 },
    }
    m:joint { "revolute", name = "pivot" .. i, m.ground, crank, point = { i, 0 } }
    m:joint { "revolute", name = "pin" .. i, crank, coupler, point1 = { 1, 0 }, point2 = { i, 0 } }
end

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return m
