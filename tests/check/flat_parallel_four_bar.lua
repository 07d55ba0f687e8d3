-- SPDX-License-Identifier: MIT
-- The parallel four-bar of models/benchmark/parallel_four_bar.lua, folded flat: links of 1, 2 and
-- 1 m on the x axis, pivots 2 m apart. To second order, with the angles a of body2, c of body3 and
-- f of body4, f = a + 2 c and a^2 + 2 c^2 = f^2: c = 0 with f = a, or c = -2 a with f = -3 a.

local speed = parameter("speed", 0)  -- of both cranks [rad/s]
local g = parameter("g", 0)          -- [m/s^2]
local size = parameter("size", 1)    -- of the cranks [m]
local off = parameter("off", 0)      -- all turned by this as a parallelogram [rad]

local m = model { name = "flat parallel four-bar", gravity = { 0, -g } }
local x, y = size * math.cos(off), size * math.sin(off)
local body2 = m:body {
    name = "body2", mass = 10, inertia = size ^ 2, angle = off, com = { size / 2, 0 },
    angular_velocity = speed,
}
local body3 = m:body {
    name = "body3", mass = 20, inertia = 2 * size ^ 2, at = { x, y }, com = { size, 0 },
    velocity = { 0, speed * size },
}
local body4 = m:body {
    name = "body4", mass = 10, inertia = size ^ 2, at = { 2 * size, 0 }, angle = off,
    com = { size / 2, 0 }, angular_velocity = speed,
}
m:joint { "revolute", name = "pivot2", m.ground, body2, point = { 0, 0 } }
m:joint { "revolute", name = "pin23", body2, body3, point = { x, y } }
m:joint { "revolute", name = "pin34", body3, body4, point = { 2 * size + x, y } }
m:joint { "revolute", name = "pivot4", m.ground, body4, point = { 2 * size, 0 } }
m:simulate { duration = 0.3, rtol = 1e-10, atol = 1e-10 }
return m
