-- SPDX-License-Identifier: MIT
-- Two wheels, coupled by two thin rods with parallel hinges. A row of a hinge that stands almost
-- across a rod barely holds its spin, which is easy to change, and hardly better in the next pose.
local m = model { name = "coupled wheels", dim = 3, gravity = { 1, -9.81, 2 } }
local z, hub = { 0, 0, 1 }, { { 0, 0, 0 }, { 2, 0, 0 } }
local wheel = {}
for i = 1, 2 do
    wheel[i] = m:body { name = "wheel" .. i, mass = 4, inertia = { 0.4, 0.4, 0.5 }, at = hub[i], angular_velocity = { 0, 0, 3 } }
    m:joint { "revolute", name = "hub" .. i, m.ground, wheel[i], point = hub[i], axis = z }
end
for i = 1, 2 do
    local angle = 0.3 + (i - 1) * math.pi / 2
    local p = { 0.5 * math.cos(angle), 0.5 * math.sin(angle), 0.2 * i }
    local mass = 1 + i
    local thin, long = mass * 0.002 ^ 2 / 4, mass * 2 ^ 2 / 12
    local rod = m:body {
        name = "rod" .. i, mass = mass, inertia = { thin, long, long },
        at = { p[1] + 1, p[2], p[3] }, velocity = { -3 * p[2], 3 * p[1], 0 },
    }
    m:joint { "revolute", name = "P" .. i, wheel[1], rod, point = p, axis = z }
    m:joint { "revolute", name = "Q" .. i, wheel[2], rod, point = { p[1] + 2, p[2], p[3] }, axis = z }
end
m:simulate { duration = 1 }
return m
