-- SPDX-License-Identifier: MIT
-- A heavy top, held at a fixed point by a ball joint, that spins fast about its own y axis. The
-- frame "center" is its center of mass, and the reaction is given in the axes of the top.
-- Reference: Geradin and Cardona, Flexible Multibody Dynamics; Bruls, Cardona and Arnold 2012.

local m = model { name = "heavy top", dim = 3, gravity = { 0, 0, -9.81 } }

local top = m:body {
    name = "top", mass = 15, inertia = { 0.234375, 0.46875, 0.234375 }, com = { 0, 1, 0 },
    angular_velocity = { 0, 150, -4.61538 },
}
m:frame { top, name = "foot" }
m:frame { top, name = "center", at = { 0, 1, 0 } }
m:joint { "spherical", name = "tip", m.ground, top, point = { 0, 0, 0 }, reaction_frame = "foot" }

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 2 }
return m
