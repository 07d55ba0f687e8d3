-- A quarter of a car on a road with a bump: elastic bushings, a tire, a bump stop and friction. The
-- bushings make it stiff, so it is integrated implicitly.
local speed = parameter("speed", 10.0) -- of the car [m/s]
local hard = parameter("hard", 1e8) -- stiffness of the bushing in all directions [N/m]

local m = model { name = "suspension", dim = 3, gravity = { 0, 0, -9.81 } }

-- The chassis moves up and down only. The arm reaches from its pivot at y = 0 to the wheel.
local chassis = m:body { name = "chassis", mass = 300, inertia = { 50, 50, 50 }, at = { 0, 0, 0.5 } }
local arm = m:body {
    name = "arm", mass = 30, inertia = { 1.5, 1.0, 1.5 }, at = { 0, 0, 0.3 }, com = { 0, 0.4, 0 },
}
m:joint { "prismatic", name = "guide", m.ground, chassis, axis = { 0, 0, 1 } }

-- Stiff but for the turn about x; without the damping it would ring.
m:force {
    "bushing", name = "pivot", chassis, arm, point = { 0, 0, 0.3 },
    stiffness = { hard, hard, hard, 50, 2e4, 2e4 },
    damping = { 1e-3 * hard, 1e-3 * hard, 1e-3 * hard, 0, 20, 20 },
}
m:force {
    "spring", name = "coil", chassis, arm, world1 = { 0, 0.3, 0.8 }, world2 = { 0, 0.3, 0.3 },
    stiffness = 7e4, damping = 5e3, length = 0.57,
}
m:force { "joint_friction", name = "friction", chassis, arm, axis = { 1, 0, 0 }, friction = 5, rate = 0.1 }

-- The arm's pad, 20 cm from the pivot, meets the stop 1 cm above where it starts.
m:force {
    "bump_stop", name = "stop", chassis, arm, world1 = { 0, 0.2, 0.3 }, world2 = { 0, 0.2, 0.3 },
    axis = { 0, 0, 1 }, limit = 0.01, stiffness = polynomial { 0, 5e4, 0, 1e8 }, damping = 500,
}

-- The road passes backward under the wheel; its bump is 5 cm high and 1 m long.
m:frame { arm, name = "hub", at = { 0, 0.5, 0 } }
m:force {
    "contact", name = "tire", m.ground, arm, point2 = { 0, 0.5, 0 }, radius = 0.31,
    stiffness = 2e5, damping = 200, speed = speed,
    profile = tabulated { { -1, 0 }, { 10, 0 }, { 10.5, 0.05 }, { 11, 0 }, { 100, 0 } },
}

m:simulate { integrator = "generalized_alpha", rho = 0.8, step = 1e-3, duration = 3 }
return m
