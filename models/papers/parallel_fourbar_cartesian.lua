-- SPDX-License-Identifier: MIT
-- A parallel four-bar, 1, 2, 1 and 2 m, turning freely at 2 pi rad/s without gravity. With a step
-- of 0.01 s a step ends in the flat position, where the loop is singular, at 0.25, 0.75, ... s.
--
--     q1(t) = pi / 2 + 2 pi t - brake t^3 / 162      of the crank, body2
--
--     --set brake=2     the torque of Tseng and Hulbert, -2 t
--
-- Tseng and Hulbert, Multibody Syst. Dyn. 6 (2001), section 3; bodies are numbered as there.

local brake = parameter("brake", 0)  -- [N m/s]

local m = model { name = "parallel four-bar of Tseng and Hulbert", gravity = { 0, 0 } }

local turn = 2 * math.pi  -- [rad/s]
local body2 = m:body {
    name = "body2", mass = 10, inertia = 1, at = { 0, 0 }, angle = math.pi / 2, com = { 0.5, 0 },
    angular_velocity = turn,
}
local body3 = m:body {
    name = "body3", mass = 20, inertia = 2, at = { 0, 1 }, com = { 1, 0 }, velocity = { -turn, 0 },
}
local body4 = m:body {
    name = "body4", mass = 10, inertia = 1, at = { 2, 0 }, angle = math.pi / 2, com = { 0.5, 0 },
    angular_velocity = turn,
}

m:joint { "revolute", name = "pivot2", m.ground, body2, point = { 0, 0 } }
m:joint { "revolute", name = "pin23", body2, body3, point = { 0, 1 } }
m:joint { "revolute", name = "pin34", body3, body4, point = { 2, 1 } }
m:joint { "revolute", name = "pivot4", m.ground, body4, point = { 2, 0 } }

m:force { "torque", name = "brake", m.ground, body2, moment = function(t) return -brake * t end }

m:simulate { integrator = "rk4", step = 0.01, duration = 3 }
return m
