-- SPDX-License-Identifier: MIT
-- A four-bar whose positions have the four digits of a table, one of them misprinted: the coupler
-- stands at 0.4232 rad, the table says 0.4332. `trammel assemble` finds what was meant.
-- From: Marques, Souto and Flores, Multibody Syst. Dyn. 39 (2017), Table 1.

local m = model { name = "four-bar", gravity = { 0, -9.81 } }

local crank = m:body {
    name = "crank", mass = 1, inertia = 0.3, at = { 0, 0 }, angle = 1.0472, com = { 1, 0 },
    angular_velocity = 2,
}
local coupler = m:body {
    name = "coupler", mass = 2.25, inertia = 2, at = { 1, 1.732 }, angle = 0.4332, com = { 2, 0 },
}
local follower = m:body {
    name = "follower", mass = 2.2, inertia = 1.35, at = { 2.5, 0 }, angle = 1.0042, com = { 2, 0 },
}

m:joint { "revolute", name = "O", m.ground, crank, point1 = { 0, 0 }, point2 = { 0, 0 } }
m:joint { "revolute", name = "A", crank, coupler, point1 = { 2, 0 }, point2 = { 0, 0 } }
m:joint { "revolute", name = "B", coupler, follower, point1 = { 4, 0 }, point2 = { 4, 0 } }
m:joint { "revolute", name = "D", m.ground, follower, point1 = { 2.5, 0 }, point2 = { 0, 0 } }

m:simulate { duration = 2 }
return m
