-- SPDX-License-Identifier: MIT
-- A crank-rocker of 2, 4, 4 and 2.5 m, released at rest under gravity; its energy is 101.277 J.
-- Marques, Souto and Flores, Multibody Syst. Dyn. 39 (2017), Table 1, with the coupler angle
-- 0.4232 where the table prints 0.4332, and angles that close the loop exactly. The paper does not
-- say that there is gravity; without it nothing moves.
-- Each frame stands at the pin that comes first from the ground; the centers of mass are at
-- mid-length.

local m = model { name = "four-bar of Marques, Souto and Flores", gravity = { 0, -9.81 } }

local A = { 1, math.sqrt(3) }  -- crank pin, the crank stands at 60 degrees
local D = { 2.5, 0 }           -- pivot of the follower
local phi2, phi3 = 0.4232455982985229, 1.004203159591008

local crank = m:body {
    name = "crank", mass = 1, inertia = 0.3, at = { 0, 0 }, angle = math.pi / 3, com = { 1, 0 },
}
local coupler = m:body {
    name = "coupler", mass = 2.25, inertia = 2, at = A, angle = phi2, com = { 2, 0 },
}
local follower = m:body {
    name = "follower", mass = 2.2, inertia = 1.35, at = D, angle = phi3, com = { 2, 0 },
}

m:joint { "revolute", name = "O", m.ground, crank, point1 = { 0, 0 }, point2 = { 0, 0 } }
m:joint { "revolute", name = "A", crank, coupler, point1 = { 2, 0 }, point2 = { 0, 0 } }
m:joint { "revolute", name = "B", coupler, follower, point1 = { 4, 0 }, point2 = { 4, 0 } }
m:joint { "revolute", name = "D", m.ground, follower, point1 = D, point2 = { 0, 0 } }

m:simulate { integrator = "rk4", step = 1e-3, duration = 10 }
return m
