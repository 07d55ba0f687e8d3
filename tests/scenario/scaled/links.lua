-- SPDX-License-Identifier: MIT
-- Two links, with `scale` units of length to the meter and `mass` units of mass to the kilogram.
local L, M = parameter("scale", 1), parameter("mass", 1)
local m = model { name = "scaled links", gravity = { 0, -9.81 * L } }
local a = m:body { name = "a", mass = 2 * M, inertia = 0.3 * M * L ^ 2, at = { 0.5 * L, 0 } }
local b = m:body { name = "b", mass = M, inertia = 0.2 * M * L ^ 2, at = { 1.5 * L, 0 } }
m:joint { "revolute", name = "o", m.ground, a, point = { 0, 0 } }
m:joint { "revolute", name = "h", a, b, point = { L, 0 } }
m:simulate { duration = 2 }
return m
