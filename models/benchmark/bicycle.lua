-- SPDX-License-Identifier: MIT
-- The benchmark bicycle: two wheels that roll as thin disks, a rear frame with the rider, a front
-- frame that steers. It runs straight ahead at a steady speed, upright, with no hands.
-- Reference: Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007), Table 1. At 5 m/s the
-- eigenvalues of lean and steer are -14.07838969, -0.77534188 +- 4.46486771 i and -0.32286643 1/s; it
-- is stable between 4.29238254 and 6.02426202 m/s.
-- As there, x points ahead, y to the right and z down. Try it with `trammel modes`.

local speed = parameter("speed", 5)  -- [m/s]

local m = model { name = "bicycle", dim = 3, gravity = { 0, 0, 9.81 } }

local wheelbase, trail, tilt = 1.02, 0.08, math.pi / 10
local rear_radius, front_radius = 0.3, 0.35
local ahead = { speed, 0, 0 }

local rear_wheel = m:body {
    name = "rear wheel", mass = 2, inertia = { 0.0603, 0.12, 0.0603 }, at = { 0, 0, -rear_radius },
    velocity = ahead, angular_velocity = { 0, -speed / rear_radius, 0 },
}
local rear_frame = m:body {
    name = "rear frame", mass = 85, inertia = { 9.2, 11, 2.8, 0, 2.4, 0 }, at = { 0.3, 0, -0.9 },
    velocity = ahead,
}
local front_frame = m:body {
    name = "front frame", mass = 4, inertia = { 0.05892, 0.06, 0.00708, 0, -0.00756, 0 },
    at = { 0.9, 0, -0.7 }, velocity = ahead,
}
local front_wheel = m:body {
    name = "front wheel", mass = 3, inertia = { 0.1405, 0.28, 0.1405 },
    at = { wheelbase, 0, -front_radius },
    velocity = ahead, angular_velocity = { 0, -speed / front_radius, 0 },
}

m:joint {
    "revolute", name = "rear hub", rear_frame, rear_wheel, point = { 0, 0, -rear_radius },
    axis = { 0, 1, 0 },
}
m:joint {
    "revolute", name = "steering", rear_frame, front_frame, point = { wheelbase + trail, 0, 0 },
    axis = { math.sin(tilt), 0, math.cos(tilt) },
}
m:joint {
    "revolute", name = "front hub", front_frame, front_wheel, point = { wheelbase, 0, -front_radius },
    axis = { 0, 1, 0 },
}
m:joint {
    "rolling_disk", name = "rear contact", m.ground, rear_wheel, radius = rear_radius,
    point2 = { 0, 0, 0 }, axis2 = { 0, 1, 0 }, normal = { 0, 0, 1 },
}
m:joint {
    "rolling_disk", name = "front contact", m.ground, front_wheel, radius = front_radius,
    point2 = { 0, 0, 0 }, axis2 = { 0, 1, 0 }, normal = { 0, 0, 1 },
}

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 5 }
return m
