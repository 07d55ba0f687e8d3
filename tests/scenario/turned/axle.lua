-- SPDX-License-Identifier: MIT
-- Three wheels on one axle roll on a plane, and a pendulum hangs from it. Their sideways rows are
-- nonholonomic and agree with each other, their heights are holonomic and do so, too: 29 rows of rank
-- 26. Rows of the sides imply rows of the hinges, which positions need.
local m = model { name = "axle", dim = 3, gravity = { 2, 0.5, -9.81 } }
local radius, speed, along = 0.3, 1, { 0, 1, 0 }
local axle = m:body {
    name = "axle", mass = 1, inertia = { 0.2, 0.01, 0.2 }, at = { 0, 0, radius }, velocity = { speed, 0, 0 },
}
for i = 1, 3 do
    local place = { 0, i - 1.5, radius }
    local wheel = m:body {
        name = "wheel" .. i, mass = 0.5, inertia = { 0.02, 0.04, 0.02 }, at = place, velocity = { speed, 0, 0 },
        angular_velocity = { 0, speed / radius, 0 },
    }
    m:joint { "revolute", name = "bearing" .. i, axle, wheel, point = place, axis = along }
    m:joint {
        "rolling_disk", name = "road" .. i, m.ground, wheel, radius = radius, point = place, axis = along,
        normal = { 0, 0, 1 }, plane_point = { 0, 0, 0 },
    }
end
local pendulum = m:body {
    name = "pendulum", mass = 1, inertia = { 0.03, 0.04, 0.05 }, at = { 0, 0, 0.05 }, velocity = { speed, 0, 0 },
}
m:joint { "revolute", name = "pin", axle, pendulum, point = { 0, 0, radius }, axis = along }
m:simulate { duration = 1 }
return m
