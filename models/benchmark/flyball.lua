-- SPDX-License-Identifier: MIT
-- A05 of the IFToMM library, the stiff flyball governor: a shaft, two rods with balls, and a slider
-- that hangs on them by two springs with dampers, so stiff that they act as links. The fastest of
-- the motions dies out within 1/8000 s: explicit integrators need many small steps.
--
-- A rod and its ball are one body, with the frame at the hinge and x towards the ball.

local m = model { name = "flyball governor", dim = 3, gravity = { 0, 0, -9.81 } }

local spin = 2 * math.pi  -- of everything about z [rad/s]
local tilt = math.pi / 6  -- of the rods, below the horizontal [rad]

-- A box of 1 m x 0.01 m x 0.01 m: along it, and across it [kg m^2].
local mass, along, across = 0.3, 0.3 * 2e-4 / 12, 0.3 * 1.0001 / 12
local ball = 5                                     -- [kg]
local center = (mass * 0.5 + ball) / (mass + ball)  -- of a rod with its ball, from the hinge [m]
local swing = across + mass * (center - 0.5) ^ 2 + ball * (1 - center) ^ 2

local shaft = m:body {
    name = "shaft", mass = mass, inertia = { across, across, along }, com = { 0, 0, 0.5 },
    angular_velocity = { 0, 0, spin },
}
local slider = m:body {
    name = "slider", mass = 3, inertia = { 0.005, 0.005, 0.005 }, at = { 0, 0, 0.5 },
    angular_velocity = { 0, 0, spin },
}
m:joint { "revolute", name = "bearing", m.ground, shaft, point = { 0, 0, 0 }, axis = { 0, 0, 1 } }
m:joint { "prismatic", name = "guide", shaft, slider, point2 = { 0, 0, 0 }, axis = { 0, 0, 1 } }

-- The second rod is the first one turned by half a turn about z.
for i = 1, 2 do
    local side = i == 1 and 1 or -1
    local c, s = math.cos(tilt / 2), math.sin(tilt / 2)
    local rod = m:body {
        name = "rod" .. i, mass = mass + ball, inertia = { along, swing, swing },
        at = { side * 0.05, 0, 1 }, com = { center, 0, 0 },
        quaternion = i == 1 and { c, 0, s, 0 } or { 0, -s, 0, c },
        velocity = { 0, side * 0.05 * spin, 0 }, angular_velocity = { 0, 0, spin },
    }
    m:joint {
        "revolute", name = "hinge" .. i, shaft, rod,
        point1 = { side * 0.05, 0, 1 }, point2 = { 0, 0, 0 }, axis = { 0, 1, 0 },
    }
    m:force {
        "spring", name = "link" .. i, slider, rod,
        point1 = { side * 0.05, 0, 0 }, point2 = { 0.5, 0, 0 },
        stiffness = 8e5, damping = 4e4, length = 0.5,
    }
end

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return m
