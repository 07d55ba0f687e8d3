-- SPDX-License-Identifier: MIT
-- Three parallel cranks on one coupler, 12 rows of rank 11, with `scale` units of length to the meter.
local L = parameter("scale", 1)
local m = model { name = "scaled cranks", gravity = { 0, -9.81 * L } }
local c, s = L * math.cos(-1), L * math.sin(-1)
local k = m:body { name = "coupler", mass = 3, inertia = L ^ 2, at = { 1.25 * L + c, s } }
for i, x in ipairs { 0, 1, 2.5 } do
    local crank = m:body {
        name = "crank" .. i, mass = 1, inertia = L ^ 2 / 12, at = { x * L + c / 2, s / 2 }, angle = -1,
    }
    m:joint { "revolute", name = "pivot" .. i, m.ground, crank, point = { x * L, 0 } }
    m:joint { "revolute", name = "pin" .. i, crank, k, point = { x * L + c, s } }
end
m:simulate { duration = 2 }
return m
