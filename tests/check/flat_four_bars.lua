-- SPDX-License-Identifier: MIT
-- N four-bars in a row as in models/benchmark/n_four_bar.lua, folded flat: all links lie on the
-- x axis, cranks i from (i, 0) to (i + 1, 0). To second order, with crank angles a,
--
--     a[i-1] (a[i-1] - a[i]) = 0,  i = 1 ... N
--
-- so N + 1 branches: cranks 0 ... j-1 stay, the others turn together.

local N = parameter("N", 2)
local g = parameter("g", 9.81)       -- [m/s^2]
local speed = parameter("speed", 0)  -- of all cranks [rad/s]
local off = parameter("off", 0)      -- all cranks turned by this [rad]
local link = 1 / 12

local m = model { name = "flat four-bars", gravity = { 0, -g } }
local x, y = math.cos(off), math.sin(off)
local cranks, couplers = {}, {}
for i = 0, N do
    cranks[i] = m:body {
        name = "crank" .. i, mass = 1, inertia = link, at = { i, 0 }, com = { 0.5, 0 },
        angle = off, angular_velocity = speed,
    }
end
for i = 1, N do
    couplers[i] = m:body {
        name = "coupler" .. i, mass = 1, inertia = link, at = { i - 1 + x, y },
        com = { 0.5, 0 }, velocity = { 0, speed },
    }
end
for i = 0, N do
    m:joint { "revolute", name = "ground" .. i, m.ground, cranks[i], point = { i, 0 } }
end
for i = 1, N do
    m:joint { "revolute", name = "left" .. i, cranks[i - 1], couplers[i], point = { i - 1 + x, y } }
    m:joint { "revolute", name = "right" .. i, cranks[i], couplers[i], point = { i + x, y } }
end
m:simulate { duration = 0.3, rtol = 1e-10, atol = 1e-10 }
return m
