-- SPDX-License-Identifier: MIT
-- A spatial arm of two links, with `scale` units of length and `mass` units of mass to the meter and the kilogram.
local L, M = parameter("scale", 1), parameter("mass", 1)
local J = M * L ^ 2
local m = model { name = "scaled arm", dim = 3, gravity = { 0, 0, -9.81 * L } }
local a = m:body { name = "a", mass = 2 * M, inertia = { 0.05 * J, 0.3 * J, 0.28 * J }, at = { 0.5 * L, 0, 0 } }
local b = m:body { name = "b", mass = M, inertia = { 0.03 * J, 0.2 * J, 0.18 * J }, at = { 1.5 * L, 0, 0 } }
m:joint { "revolute", name = "o", m.ground, a, point = { 0, 0, 0 }, axis = { 0.3, 0.9, 0.2 } }
m:joint { "spherical", name = "h", a, b, point = { L, 0, 0 } }
m:simulate { duration = 2 }
return m
