-- SPDX-License-Identifier: MIT
-- A01 of the IFToMM library with the rod as a distance joint: the bob is a small body at the end
-- of a massless rod of 1 m and keeps its angle, since nothing turns it. Its motion is that of
-- pendulum.lua.

local m = model { name = "pendulum on a rod", gravity = { 0, -9.81 } }

local bob = m:body { name = "bob", mass = 1, inertia = 1e-3, at = { -1, 0 } }
m:joint {
    "distance", name = "rod", m.ground, bob, point1 = { 0, 0 }, point2 = { 0, 0 }, length = 1,
}

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return m
