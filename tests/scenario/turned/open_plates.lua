-- SPDX-License-Identifier: MIT
-- A plate pinned to an arm by two pins, and another one to it, placed about 0.05 m and 0.05 rad from
-- where they close.
local m = model { name = "open plates", gravity = { 0, -9.81 } }
local arm = m:body { name = "arm", mass = 1, inertia = 0.1, at = { 0.5, 0.1 } }
local plate = m:body { name = "plate", mass = 2, inertia = 0.2, at = { 1.14, 0.16 }, angle = 0.05 }
local last = m:body { name = "last", mass = 1, inertia = 0.1, at = { 1.57, 0.13 }, angle = -0.04 }
m:joint { "revolute", name = "pivot", m.ground, arm, point1 = { 0, 0 }, point2 = { -0.5, -0.1 } }
for i = 0, 1 do
    local x, y = 0.1 * i, 0.04 * i
    m:joint { "revolute", name = "pin" .. i, arm, plate, point1 = { 0.5 + x, y }, point2 = { x - 0.1, y - 0.1 } }
    m:joint { "revolute", name = "bolt" .. i, plate, last, point1 = { 0.2 + x, y }, point2 = { x - 0.3, y + 0.1 } }
end
m:simulate { duration = 1 }
return m
