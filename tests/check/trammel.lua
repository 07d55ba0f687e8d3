-- SPDX-License-Identifier: MIT
-- The trammel of Archimedes with a crank, in space; kinds of joints are parameters.
local m = model { name = "trammel", dim = 3, gravity = { 1, 0, -9.81 } }
local c, s, I, z = math.cos(0.6), math.sin(0.6), { 0.1, 0.12, 0.15 }, { 0, 0, 1 }
local function body(name, x, y)
    return m:body { name = name, mass = 1, inertia = I, at = { x, y, 0 } }
end
local bar, crank = body("bar", c, s), body("crank", c / 2, s / 2)
local sx, sy = body("sx", 2 * c, 0), body("sy", 0, 2 * s)
local function joint(kind, name, a, b, x, y, axis)
    local j = { parameter(name, kind), name = name, a, b, point = { x, y, 0 }, axis = axis }
    if j[1] == "spherical" then j.axis = nil end
    if j[1] == "point_on_line" then j.axis = { 0, 1, 0 } end
    m:joint(j)
end
joint("prismatic", "Px", m.ground, sx, 2 * c, 0, { 1, 0, 0 })
joint("prismatic", "Py", m.ground, sy, 0, 2 * s, { 0, 1, 0 })
joint("revolute", "Rx", sx, bar, 2 * c, 0, z)
joint("revolute", "Ry", sy, bar, 0, 2 * s, z)
joint("revolute", "O", m.ground, crank, 0, 0, z)
joint("revolute", "Mid", crank, bar, c, s, z)
return m
