-- SPDX-License-Identifier: MIT
-- Three parallel cranks on one coupler, of which the middle one has no mass: 12 rows of rank 11, of
-- which four belong to the body without mass.
local m = model { name = "massless crank", gravity = { 0, -9.81 } }
local a = -1.0 -- of the cranks, from the line of pivots [rad]
local x = { 0, 1, 2.5 }
local coupler = m:body {
    name = "coupler", mass = 3, inertia = 1, at = { 1.25 + math.cos(a), math.sin(a) },
}
for i = 1, 3 do
    local has = i ~= 2 and 1 or 0
    local crank = m:body {
        name = "crank" .. i, mass = has, inertia = has / 12, at = { x[i] + math.cos(a) / 2, math.sin(a) / 2 },
        angle = a,
    }
    m:joint { "revolute", name = "pivot" .. i, m.ground, crank, point = { x[i], 0 } }
    m:joint { "revolute", name = "pin" .. i, crank, coupler, point = { x[i] + math.cos(a), math.sin(a) } }
end
m:simulate { duration = 2 }
return m
