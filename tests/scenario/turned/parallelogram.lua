-- SPDX-License-Identifier: MIT
-- A parallelogram of three bars that swings through its flat poses, where the four pins become
-- dependent and the motion could turn into that of an antiparallelogram.
local m = model { name = "parallelogram", gravity = { 0, -9.81 } }
local function crank(name, x)
    return m:body {
        name = name, mass = 1, inertia = 0.1, at = { x, 0 }, angle = math.pi / 2, com = { 0.5, 0 },
        angular_velocity = -2,
    }
end
local a, b = crank("a", 0), crank("b", 1)
local c = m:body { name = "c", mass = 1, inertia = 0.1, at = { 0, 1 }, com = { 0.5, 0 }, velocity = { 2, 0 } }
m:joint { "revolute", name = "A", m.ground, a, point = { 0, 0 } }
m:joint { "revolute", name = "B", m.ground, b, point = { 1, 0 } }
m:joint { "revolute", name = "C", a, c, point = { 0, 1 } }
m:joint { "revolute", name = "D", b, c, point = { 1, 1 } }
m:simulate { duration = 10 }
return m
