-- SPDX-License-Identifier: MIT
-- An arm of two links, pinned to the ground, as a module: its end is a port that an assembly may
-- glue to a port of another module. By itself it swings as any model does.

local m = model { name = "arm", gravity = { 0, -9.81 } }

local upper = m:body {
    name = "upper", mass = 2, inertia = 2 / 12, at = { 0, 0 }, com = { 0.5, 0 },
}
local lower = m:body {
    name = "lower", mass = 1, inertia = 1 / 12, at = { 1, 0 }, com = { 0.5, 0 },
}
m:joint { "revolute", name = "shoulder", m.ground, upper, point = { 0, 0 } }
m:joint { "revolute", name = "elbow", upper, lower, point = { 1, 0 } }

m:port { lower, name = "hand", at = { 1, 0 } }

m:simulate { duration = 1 }
return m
