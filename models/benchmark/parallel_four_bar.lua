-- SPDX-License-Identifier: MIT
-- A parallel four-bar, 1, 2, 1 and 2 m, turning at 2 pi rad/s against a torque that grows with
-- time. No gravity. The loop is singular whenever the crank is horizontal, first at 0.25003 s.
--
--     q1(t) = pi/2 + 2 pi t - t^3 / 81
--
-- `angle` is that of the cranks at the start, from the vertical to the right [rad]: pi/2 is the singular
-- position itself.
-- Reference: Tseng and Hulbert, Multibody Syst. Dyn. 6 (2001), 377-396; bodies are numbered as
-- there.

local m = model { name = "parallel four-bar", gravity = { 0, 0 } }

local angle = parameter("angle", 0.0)
local x, y = math.sin(angle), math.cos(angle)  -- the upper end of a crank, from its lower one [m]

local turn = 2 * math.pi  -- [rad/s]
local body2 = m:body {
    name = "body2", mass = 10, inertia = 1, at = { 0, 0 }, angle = math.pi / 2 - angle, com = { 0.5, 0 },
    angular_velocity = turn,
}
local body3 = m:body {
    name = "body3", mass = 20, inertia = 2, at = { x, y }, com = { 1, 0 },
    velocity = { -turn * y, turn * x },
}
local body4 = m:body {
    name = "body4", mass = 10, inertia = 1, at = { 2, 0 }, angle = math.pi / 2 - angle, com = { 0.5, 0 },
    angular_velocity = turn,
}

m:joint { "revolute", name = "pivot2", m.ground, body2, point = { 0, 0 } }
m:joint { "revolute", name = "pin23", body2, body3, point = { x, y } }
m:joint { "revolute", name = "pin34", body3, body4, point = { 2 + x, y } }
m:joint { "revolute", name = "pivot4", m.ground, body4, point = { 2, 0 } }

m:force { "torque", name = "brake", m.ground, body2, moment = function(t) return -2 * t end }

m:simulate { integrator = "dop853", rtol = 1e-10, atol = 1e-10, duration = 10 }
return m
