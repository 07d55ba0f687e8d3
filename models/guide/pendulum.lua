-- A rod that swings from the ceiling: one body, one joint.
local length = parameter("length", 1.0) -- of the rod [m]
local mass = parameter("mass", 2.0) -- [kg]

local m = model { name = "pendulum", gravity = { 0, -9.81 } }

-- The frame of the rod is in its middle. It starts level, to the right of the pin.
local rod = m:body {
    name = "rod",
    mass = mass,
    inertia = mass * length ^ 2 / 12,
    at = { length / 2, 0 },
}

m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 } }

m:simulate { duration = 10 }
return m
