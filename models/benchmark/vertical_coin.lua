-- SPDX-License-Identifier: MIT
-- A coin that rolls upright on the plane z = 0: its heading turns at 0.7 rad/s, it spins at 3 rad/s
-- and runs on a circle of radius 0.5 * 3 / 0.7. Alone it would lean into the turn: the end of an
-- axle of 1 m, along y of its frame, slides on a table at the height of its center.

local m = model { name = "vertical coin", dim = 3, gravity = { 0, 0, -9.81 } }

local R, heading, spin = 0.5, 0.7, 3

local coin = m:body {
    name = "coin", mass = 1, inertia = { R ^ 2 / 4, R ^ 2 / 2, R ^ 2 / 4 }, at = { 0, 0, R },
    velocity = { R * spin, 0, 0 }, angular_velocity = { 0, spin, heading },
}
m:joint {
    "rolling_disk", name = "edge", m.ground, coin, radius = R,
    point2 = { 0, 0, 0 }, axis2 = { 0, 1, 0 }, normal = { 0, 0, 1 },
}
m:joint {
    "point_on_plane", name = "table", m.ground, coin,
    point1 = { 0, 0, R }, point2 = { 0, 1, 0 }, axis1 = { 0, 0, 1 },
}

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return m
