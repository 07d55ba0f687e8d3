-- SPDX-License-Identifier: MIT
-- A door on three hinges, whose kinds are parameters; "none": left out.
local m = model { name = "door", dim = 3, gravity = { 0, 0, -9.81 } }
local d = m:body { name = "door", mass = 20, inertia = { 7, 8, 2 }, at = { 0.4, 0, 1 } }
for i = 1, 3 do
    local kind = parameter("kind" .. i, "revolute")
    local j = { kind, name = "hinge" .. i, m.ground, d, point = { 0, 0, i } }
    if kind ~= "spherical" then j.axis = { 0, 0, 1 } end
    if kind ~= "none" then m:joint(j) end
end
return m
