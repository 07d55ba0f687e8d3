-- SPDX-License-Identifier: MIT
-- A free rigid body that turns nearly about its middle axis of inertia, and turns over again and
-- again: near the separatrix of Euler's equations. With --set coordinates=quaternion its velocities
-- are the rates of the quaternion and the mass matrix is singular.

local coordinates = parameter("coordinates", "body")

local m = model { name = "free body", dim = 3, coordinates = coordinates }

m:body { name = "body", mass = 1, inertia = { 1, 2, 3 }, angular_velocity = { 0.1, 2, 0.2 } }

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 50 }
return m
