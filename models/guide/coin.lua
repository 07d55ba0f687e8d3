-- A coin that rolls without slipping on a table: one row holds it on the plane, two hold velocities.
local m = model { name = "coin", dim = 3, gravity = { 0, 0, -9.81 } }

local mass, radius, lean = 0.01, 0.02, math.rad(15)

-- The axis of the coin is y of its frame; upright it would roll along x.
local coin = m:body {
    name = "coin", mass = mass,
    inertia = { mass * radius ^ 2 / 4, mass * radius ^ 2 / 2, mass * radius ^ 2 / 4 },
    at = { 0, 0, radius * cos(lean) }, rotation = { lean, 0, 0 },
    velocity = { 0.6, 0, 0 }, angular_velocity = { 0, 30 * cos(lean), 30 * sin(lean) },
}
m:joint {
    "rolling_disk", name = "table", m.ground, coin, radius = radius,
    axis2 = { 0, 1, 0 }, normal = { 0, 0, 1 },
}

m:simulate { duration = 2 }
return m
