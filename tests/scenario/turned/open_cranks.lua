-- SPDX-License-Identifier: MIT
-- Three parallel cranks on one coupler, all of them placed about 0.02 m and 0.02 rad from where the
-- pins close: 12 rows of rank 11 once they do.
local m = model { name = "open cranks", gravity = { 0, -9.81 } }
local x = { 0, 1, 2.5 }
local off = { { 0.02, -0.01, 0.02 }, { -0.015, 0.02, -0.01 }, { 0.01, 0.01, 0.015 } }
local coupler = m:body { name = "coupler", mass = 3, inertia = 1, at = { 1.77, -0.82 }, angle = -0.02 }
for i = 1, 3 do
    local crank = m:body {
        name = "crank" .. i, mass = i, inertia = 0.1, at = { x[i] + 0.27 + off[i][1], -0.42 + off[i][2] },
        angle = -1 + off[i][3],
    }
    m:joint { "revolute", name = "pivot" .. i, m.ground, crank, point1 = { x[i], 0 }, point2 = { -0.5, 0 } }
    m:joint { "revolute", name = "pin" .. i, crank, coupler, point1 = { 0.5, 0 }, point2 = { x[i] - 1.25, 0 } }
end
m:simulate { duration = 1 }
return m
