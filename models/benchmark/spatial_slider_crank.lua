-- SPDX-License-Identifier: MIT
-- A spatial slider-crank: the crank turns about y, the slider moves along y, the rod has a ball
-- joint at the crank and a universal joint at the slider. 17 rows, one degree of freedom.
-- Reference: Marques, Souto and Flores 2017, tables 3 and 4, with the universal joint that the
-- count of 17 rows asks for and without the rounding of the start.
--
-- The crank's frame stands at the ground pivot with z towards the tip, the rod's at the crank's tip
-- with y towards the slider.

local m = model { name = "spatial slider-crank", dim = 3, gravity = { 0, 0, -9.81 } }

local spin = -2 * math.pi                 -- of the crank about y [rad/s]
local y = math.sqrt(0.29 ^ 2 - 0.25 ^ 2)  -- of the slider [m]
local tip = { 0, 0, 0.1 }

local crank = m:body {
    name = "crank", mass = 0.12, inertia = { 1e-4, 1e-4, 1e-5 }, com = { 0, 0, 0.05 },
    angular_velocity = { 0, spin, 0 },
}
local rod = m:body {
    name = "rod", mass = 0.5, inertia = { 4e-3, 4e-4, 4e-3 }, at = tip, com = { 0, 0.145, 0 },
    rotation = { -math.asin(0.25 / 0.29), 0, 0 },
    velocity = { 0.1 * spin, 0, 0 }, angular_velocity = { 0, 0.4 * spin, 0 },
}
local slider = m:body {
    name = "slider", mass = 0.5, inertia = { 1e-4, 1e-4, 1e-4 }, at = { 0, y, -0.15 },
}

m:frame { crank, name = "tip", at = tip }

m:joint { "revolute", name = "pivot", m.ground, crank, point = { 0, 0, 0 }, axis = { 0, 1, 0 } }
m:joint { "spherical", name = "ball", crank, rod, point1 = tip, point2 = { 0, 0, 0 } }
m:joint {
    "universal", name = "cross", rod, slider, point1 = { 0, 0.29, 0 }, point2 = { 0, 0, 0 },
    axis1 = { 1, 0, 0 }, axis2 = { 0, 1, 0 },
}
m:joint {
    "prismatic", name = "guide", m.ground, slider, point = { 0, y, -0.15 }, axis = { 0, 1, 0 },
}

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 5 }
return m
