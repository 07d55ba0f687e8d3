-- SPDX-License-Identifier: MIT
-- A nut on a spindle between two guides; kinds of joints are parameters, "none": left out.
local m = model { name = "screw", dim = 3, gravity = { 0, 0, -9.81 } }
local I, z = { 0.1, 0.12, 0.15 }, { 0, 0, 1 }
local spindle = m:body { name = "spindle", mass = 1, inertia = I, at = { 0, 0, 0 } }
local nut = m:body { name = "nut", mass = 1, inertia = I, at = { 0, 0, 0.5 } }
local function joint(kind, name, a, b, p, axis, pitch)
    if kind ~= "none" then
        m:joint { kind, name = name, a, b, point = p, axis = axis, pitch = pitch }
    end
end
local bearing = parameter("bearing", "revolute")
joint(bearing, "bearing", m.ground, spindle, { 0, 0, 0 },
    bearing == "point_on_line" and { 1, 0, 0 } or z)
joint("screw", "thread", spindle, nut, { 0, 0, 0.5 }, z, 0.01)
joint(parameter("guide", "prismatic"), "guide", m.ground, nut, { 0.3, 0, 0.5 }, z)
joint(parameter("second", "prismatic"), "second", m.ground, nut, { -0.3, 0, 0.5 }, z)
return m
