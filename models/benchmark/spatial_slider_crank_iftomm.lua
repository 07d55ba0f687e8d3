-- SPDX-License-Identifier: MIT
-- A06 of the IFToMM library, a spatial slider-crank: the crank turns about x, the slider moves
-- along x, the rod has a ball joint at the crank and a universal joint at the slider. 17 rows, one
-- degree of freedom.
--
-- The crank's frame stands at A with z towards B, the rod's at B with x towards C.

local m = model { name = "spatial slider-crank", dim = 3, gravity = { 0, 0, -9.81 } }

local A, B, C = { 0, 0.1, 0.12 }, { 0, 0.1, 0.2 }, { 0.2, 0, 0 }
local angle = math.acos(2 / 3)  -- between the rod, (2, -1, -2) / 3, and x [rad]

local crank = m:body {
    name = "crank", mass = 0.12, inertia = { 1e-4, 1e-4, 1e-5 }, at = A, com = { 0, 0, 0.04 },
    angular_velocity = { 6, 0, 0 },
}
-- The shortest turn from x to the rod is about (0, 2, -1) / sqrt(5).
local rod = m:body {
    name = "rod", mass = 0.5, inertia = { 4e-4, 4e-3, 4e-3 }, at = B, com = { 0.15, 0, 0 },
    rotation = { 0, 2 / math.sqrt(5) * angle, -1 / math.sqrt(5) * angle },
    velocity = { 0, -0.48, 0 }, angular_velocity = { 1.92, -0.96, 0.48 },
}
local slider = m:body {
    name = "slider", mass = 2, inertia = { 1e-4, 1e-4, 1e-4 }, at = C, velocity = { 0.24, 0, 0 },
}

m:joint {
    "revolute", name = "A", m.ground, crank, point1 = A, point2 = { 0, 0, 0 }, axis = { 1, 0, 0 },
}
m:joint { "spherical", name = "B", crank, rod, point1 = { 0, 0, 0.08 }, point2 = { 0, 0, 0 } }
m:joint {
    "universal", name = "C", slider, rod, point1 = { 0, 0, 0 }, point2 = { 0.3, 0, 0 },
    axis1 = { 1, 0, 0 }, world_axis2 = { 0, 2, -1 },
}
m:joint { "prismatic", name = "guide", m.ground, slider, point = C, axis = { 1, 0, 0 } }

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 5 }
return m
