-- SPDX-License-Identifier: MIT
-- A thin disk that rolls and wobbles on the plane z = 0: two nonholonomic rows, and one that keeps
-- its edge on the plane. The frame's z is the disk's axis. It starts at 60 degrees from lying flat.

local m = model { name = "rolling disk", dim = 3, gravity = { 0, 0, -9.81 } }

local R, theta = 0.5, math.pi / 3
local c, s = math.cos(theta), math.sin(theta)

-- The angular velocity is (0, 1, 6) in the axes of the frame, which is turned about x by theta.
local disk = m:body {
    name = "disk", mass = 1, inertia = { R ^ 2 / 4, R ^ 2 / 4, R ^ 2 / 2 }, at = { 0, 0, R * s },
    rotation = { theta, 0, 0 },
    angular_velocity = { 0, c - 6 * s, s + 6 * c }, velocity = { -6 * R, 0, 0 },
}
m:joint {
    "rolling_disk", name = "edge", m.ground, disk, radius = R,
    point2 = { 0, 0, 0 }, axis2 = { 0, 0, 1 }, normal = { 0, 0, 1 },
}

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 5 }
return m
