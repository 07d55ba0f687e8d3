-- SPDX-License-Identifier: MIT
-- Three parallel cranks on one coupler as bodies in space, with hinges, placed about 0.02 m and
-- 0.02 rad from where they close: 30 rows of rank 23 once they do. Off that, they are independent but
-- for 0.02, and a step that satisfies all of them leads far away.
local m = model { name = "open hinges", dim = 3, gravity = { 0, -9.81, 0 } }
local z = { 0, 0, 1 }
local x = { 0, 1, 2.5 }
local off = { { 0.02, -0.01, 0.015 }, { -0.015, 0.02, -0.01 }, { 0.01, 0.01, -0.02 } }
local coupler = m:body {
    name = "coupler", mass = 3, inertia = { 0.2, 1, 1 }, at = { 1.77, -0.82, 0.02 },
    rotation = { 0.01, -0.02, 0.01 },
}
for i = 1, 3 do
    local o = off[i]
    local crank = m:body {
        name = "crank" .. i, mass = i, inertia = { 0.05, 0.1, 0.1 },
        at = { x[i] + 0.27 + o[1], -0.42 + o[2], o[3] }, rotation = { o[2], o[3], -1 + o[1] },
    }
    m:joint {
        "revolute", name = "pivot" .. i, m.ground, crank, point1 = { x[i], 0, 0 }, point2 = { -0.5, 0, 0 },
        axis1 = z, axis2 = z,
    }
    m:joint {
        "revolute", name = "pin" .. i, crank, coupler, point1 = { 0.5, 0, 0 }, point2 = { x[i] - 1.25, 0, 0 },
        axis1 = z, axis2 = z,
    }
end
m:simulate { duration = 1 }
return m
