-- SPDX-License-Identifier: MIT
-- The jib of the crane as a module: two parts of 20 m, pinned together, with an elastic splice. Its
-- ports are its foot, the end of the tie bar, and the rail that the trolley runs on.

local k = parameter("splice", 2e8) -- [N m/rad]
local c = parameter("splice_damping", 4e6) -- [N m s/rad]
local moment = parameter("moment", 0) -- of the outer part and its load, about the splice [N m]

local m = model { name = "jib", gravity = { 0, -9.81 } }

local inner = m:body {
    name = "inner", mass = 1600, inertia = 54000, at = { 0, 30 }, com = { 10, 0 },
}
local outer = m:body {
    name = "outer", mass = 1200, inertia = 40000, at = { 20, 30 }, com = { 10, 0 },
}

m:joint { "revolute", name = "splice", inner, outer, point = { 20, 30 } }
-- Bent up by so much without load that it is straight with it.
m:force {
    "torsion_spring", name = "splice spring", inner, outer, stiffness = k, damping = c,
    angle = moment / k,
}

m:port { inner, name = "foot" }
m:port { inner, name = "tie", at = { 18, 0 } }
m:port { outer, name = "rail" }

m:simulate { duration = 1 }
return m
