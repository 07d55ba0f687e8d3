-- A flywheel on a torsion spring drives another by a gear, and a nut runs along a screw: rows may
-- be many turns apart.
local w = parameter("w", 100.0) -- of the flywheel [rad/s]

local m = model { name = "turns", dim = 3, gravity = { 0, 0, -9.81 } }
local up, ratio, pitch = { 0, 0, 1 }, -2.5, 0.01

local function wheel(name, x, spin)
    local body = m:body {
        name = name, mass = 1, inertia = { 0.1, 0.12, 0.2 }, at = { x, 0, 0 }, com = { 0.01, 0, 0.1 },
        angular_velocity = { 0, 0, spin },
    }
    m:joint { "revolute", name = name .. " bearing", m.ground, body, point = { x, 0, 0 }, axis = up }
    return body
end
local first, second = wheel("first", 0, w), wheel("second", 1, ratio * w)
m:joint { "gear", name = "gear", first, second, world_axis1 = up, ratio = ratio }
m:force { "torsion_spring", name = "spring", m.ground, first, axis = up, stiffness = 0.5, damping = 0.001 }

local nut = m:body {
    name = "nut", mass = 2, inertia = { 0.1, 0.1, 0.2 }, at = { 3, 0, 0 },
    velocity = { 0, 0, pitch / (2 * math.pi) * w }, angular_velocity = { 0, 0, w },
}
m:joint { "screw", name = "screw", m.ground, nut, point = { 3, 0, 0 }, axis = up, pitch = pitch }

m:simulate { duration = 4 }
return m
